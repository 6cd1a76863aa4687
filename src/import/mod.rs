//! Packages of other systems as packages of this format.
//!
//! A source (directory or zip) is looked at, found to be of a kind, and read into a
//! draft by that kind's reader; the draft is laid down as a plain 2025-09 package
//! that needs nothing of this program. Judge programs come along unchanged, each
//! beside an adapter. What the new package cannot say is told, point by point.
//! Runs nothing.

mod adapt;
mod archive;
mod block;
mod changes;
mod draft;
mod italian;
mod lay;
mod polygon;
mod recipe;
mod report;
mod source;
mod testlib;

use crate::package::{self, Finding};
use anyhow::{Context, Result, bail, ensure};
use draft::package_name;
use serde::Serialize;
use source::Source;
use std::{
    fs,
    path::{Path, PathBuf},
};

pub use changes::{Change, Loss};
pub use report::text;
pub use testlib::Testlib;

/// What the user decides.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Where `testlib.h` may be.
    pub testlib: Testlib,
    /// Which tests are made by commands.
    pub regenerate: Regenerate,
}

/// Which of the tests that have a command are made by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Regenerate {
    /// Those whose files are not there.
    #[default]
    Missing,
    /// All of them.
    All,
}

/// A kind of foreign package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `problem.xml`.
    Polygon,
    /// `task.yaml`, as CMS and task-maker read it.
    Italian,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Imported {
    /// What the source was.
    pub kind: Kind,
    /// Where the package lies.
    pub target: PathBuf,
    /// Its tests, groups and solutions.
    pub tests: usize,
    /// Groups of tests.
    pub groups: usize,
    /// Solutions.
    pub submissions: usize,
    /// Whether tests are yet to be made by the recipe.
    pub generated: bool,
    /// What was lost or changed.
    pub changes: Vec<Change>,
    /// What the reader of packages finds odd about the result.
    pub findings: Vec<Finding>,
}

/// Turns a source into a package. Without a target: a directory of the source's name, here.
pub fn import(from: &Path, target: Option<&Path>, options: &Options) -> Result<Imported> {
    let act = || format!("import {}", from.display());
    if let Some(target) = target {
        absent(target)?;
    }
    let source = Source::open(from).with_context(act)?;
    let kind = kind(&source).with_context(act)?;
    let mut draft = match kind {
        Kind::Polygon => polygon::read(&source, options),
        Kind::Italian => italian::read(&source, options),
    }
    .with_context(act)?;
    let target = target.map_or_else(|| PathBuf::from(package_name(&draft.name)), Path::to_owned);
    absent(&target)?;
    lay::lay(&mut draft, &target)?;
    let (generated, mut findings) = (recipe::needed(&draft), package::read(&target)?.findings);
    if !generated {
        findings.extend(of_tests(&target)?);
    }
    Ok(Imported {
        kind,
        target,
        tests: draft.tests.len(),
        groups: draft.groups.len(),
        submissions: draft.submissions.len(),
        generated,
        changes: draft.changes.0,
        findings,
    })
}

fn absent(target: &Path) -> Result<()> {
    let exists = fs::symlink_metadata(target).is_ok();
    ensure!(!exists, "{} exists already: name another directory, or remove it", target.display());
    Ok(())
}

fn of_tests(target: &Path) -> Result<Vec<Finding>> {
    let Some(package) = package::read(target)?.package else { return Ok(Vec::new()) };
    Ok(package::tests(&package)?.1)
}

/// What the source is, by what is there.
fn kind(source: &Source) -> Result<Kind> {
    if source.has(polygon::FILE) {
        return Ok(Kind::Polygon);
    }
    if source.first(italian::FILES).is_some() {
        return Ok(Kind::Italian);
    }
    if source.has("problem.yaml") {
        bail!("it holds problem.yaml: a package of this format already; nothing to import");
    }
    if source.has("task.toml") {
        bail!("it holds task.toml, from which task.yaml is made: make it first, and import again");
    }
    let found: Vec<&str> = source.paths().take(5).collect();
    let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
    bail!(
        "neither a Polygon package (problem.xml) nor one of the Italian format ({}): found {found}{}",
        italian::FILES.join(", "),
        if source.paths().nth(5).is_some() { ", …" } else { "" }
    )
}
