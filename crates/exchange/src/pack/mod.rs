//! A package as other judges take it: one zip, links resolved, test data made.
//!
//! ```text
//! Package + TestSet ──pack_layout──► Bundle: paths to contents, and what could not be expressed   reads, writes nothing
//!                               └──zip_file──► NAME.zip, the same bytes on every machine
//! ```
//!
//! Neither system reads version 2025-09: both get its legacy form. Kattis gets the tree of
//! `testdata.yaml` that its own tools grade, below one directory; DOMjudge gets its data flat
//! where groups give no points, its statement as HTML, and `domjudge-problem.ini`.
//! What the target cannot judge at all is refused; what it judges otherwise is listed.
//! Gradescope gets the package as it is, with the judge itself and the scripts that start it.
//! Runs nothing.

mod autograder;
mod balloon;
mod legacy_manifest;
mod note;
mod pack_layout;
mod pack_report;
mod packed_data;
mod packed_programs;
mod packed_statement;
mod packed_submissions;
mod refuse;
mod statement_html;
mod statement_page;
mod statement_tex;
mod target;
mod testdata_yaml;
mod validator_flags;
mod verbatim;
mod zip_file;

pub use autograder::pack_autograder;
pub use balloon::Balloon;
pub use note::{Note, NoteEffect};
pub use pack_layout::{Bundle, PackContents, PackFile};
pub use pack_report::render_report;
pub use refuse::PackRefusal;
pub use statement_html::{SampleText, read_below};
pub use statement_page::statement_page;
pub use statement_page::{
    StatementFile, StatementForm, choose_statement, sample_texts, samples_of, title_in,
};
pub use statement_tex::{SvgFigures, TexStatement, escape_tex, render_tex};
pub use target::Target;
pub use zip_file::write_zip;

use anyhow::{Context, Result};
use kopek_engine::package::{Format, Package, TestSet};
use pack_layout::PackLayout;

/// Lays out a package for a system. Fails with [`PackRefusal`] where that cannot judge it.
pub fn pack(package: &Package, tests: &TestSet, target: Target, balloon: Option<&Balloon>) -> Result<Bundle> {
    refuse::refuse(package, tests, target)?;
    let mut layout = PackLayout::new(package, tests, target, validator_flags::shared_output_flags(tests));
    let lay = |layout: &mut PackLayout| match package.format {
        Format::Legacy => layout.add_verbatim(),
        Format::V2025_09 => legacy(layout),
    };
    lay(&mut layout).with_context(|| format!("pack {} for {}", package.name, target.name()))?;
    if target == Target::Domjudge {
        layout.add_settings(balloon);
    }
    Ok(layout.into_bundle())
}

/// The legacy form of a package of version 2025-09.
fn legacy(layout: &mut PackLayout) -> Result<()> {
    layout.add_problem_yaml();
    layout.add_programs()?;
    layout.add_data()?;
    layout.add_submissions()?;
    layout.add_statements()?;
    layout.add_directory("attachments")
}
