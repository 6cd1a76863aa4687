//! A package as other judges take it: one zip, links resolved, test data made.
//!
//! ```text
//! Package + TestSet ──view──► Bundle: paths to contents, and what could not be said   reads, writes nothing
//!                               └──archive──► NAME.zip, the same bytes on every machine
//! ```
//!
//! Neither system reads version 2025-09: both get its legacy view. Kattis gets the tree of
//! `testdata.yaml` that its own tools grade, below one directory; DOMjudge gets its data flat
//! where groups give no points, its statement as HTML, and `domjudge-problem.ini`.
//! What the target cannot judge at all is refused; what it judges otherwise is listed.
//! Runs nothing.

mod archive;
mod data;
mod flags;
mod html;
mod manifest;
mod note;
mod programs;
mod refuse;
mod statement;
mod submissions;
mod terms;
mod tex;
mod text;
mod verbatim;
mod view;

pub use archive::write;
pub use note::{Note, Weight};
pub use refuse::Refused;
pub use text::text;
pub use view::{Bundle, Contents, Entry};

use crate::package::{Format, Package, TestSet};
use anyhow::{Context, Result};
use view::View;

/// For whom a package is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Kattis, and all that reads its legacy format.
    Kattis,
    /// DOMjudge.
    Domjudge,
}

impl Target {
    /// As it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Target::Kattis => "Kattis",
            Target::Domjudge => "DOMjudge",
        }
    }
}

/// Lays out a package for a system. Fails with [`Refused`] where that cannot judge it.
pub fn pack(package: &Package, tests: &TestSet, target: Target, colour: Option<&str>) -> Result<Bundle> {
    refuse::refuse(package, tests, target)?;
    let mut view = View::new(package, tests, target);
    let lay = |view: &mut View| match package.format {
        Format::Legacy => view.verbatim(),
        Format::V2025_09 => view.legacy(),
    };
    lay(&mut view).with_context(|| format!("pack {} for {}", package.name, target.name()))?;
    if target == Target::Domjudge {
        view.settings(colour);
    }
    Ok(view.bundle())
}
