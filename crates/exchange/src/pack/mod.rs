//! Packs a package for other judges: one zip, with links resolved and test data generated.
//!
//! ```text
//! Package + TestSet ──pack_layout──► Bundle: paths to contents, and losses   reads, writes nothing
//!                               └──zip_file──► NAME.zip, the same bytes on every machine
//! ```
//!
//! Kattis and DOMjudge get the legacy form: a tree of `testdata.yaml`, or flat data if groups have no points.
//! Readers of version 2025-09 get the package itself. Hydro, CMS and DMOJ get archives of their own (`own_*`), with
//! the output validator behind an adapter.
//! A package that the target cannot judge is refused; every other difference is listed. `losses` is the table of both.
//! Gradescope and Classroom 50 get the package itself, with scripts that start the judge.
//! Runs nothing.

mod autograder;
mod balloon;
mod cms;
mod cms_points;
mod dmoj;
mod general_losses;
mod hydro;
mod icpc;
mod legacy_manifest;
mod losses;
mod note;
mod own_grading;
mod own_validator;
mod own_words;
mod pack_layout;
mod packed_data;
mod packed_programs;
mod packed_statement;
mod packed_submissions;
mod quoting;
mod refuse;
mod statement_html;
mod statement_page;
mod statement_tex;
mod target;
mod testdata_yaml;
mod validator_flags;
mod verbatim;
mod zip_file;

pub use autograder::{JudgeProgram, pack_autograder, pack_classroom50};
pub use balloon::Balloon;
pub use losses::render_loss_table;
pub use note::{Note, NoteEffect};
pub use pack_layout::{Bundle, PackContents, PackFile};
pub use refuse::PackRefusal;
pub use statement_html::{SampleText, read_below};
pub use statement_page::{
    StatementFile, StatementForm, choose_statement, sample_texts, samples_of, title_in,
};
pub use statement_page::{limits_line, statement_page};
pub use statement_tex::{SvgFigures, TexStatement, escape_tex, render_tex};
pub use target::Target;
pub use zip_file::write_zip;

use anyhow::{Context, Result};
use kopek_engine::package::{Format, Package, TestSet};
use pack_layout::PackLayout;

/// Lays out a package for a system. Fails with [`PackRefusal`] if the system cannot judge it.
pub fn pack(package: &Package, tests: &TestSet, target: Target, balloon: Option<&Balloon>) -> Result<Bundle> {
    refuse::refuse(package, tests, target)?;
    let mut layout = PackLayout::new(package, tests, target, validator_flags::shared_output_flags(tests));
    lay_out(&mut layout).with_context(|| format!("pack {} for {}", package.name, target.name()))?;
    if target == Target::Domjudge {
        layout.add_settings(balloon);
    }
    Ok(layout.into_bundle())
}

fn lay_out(layout: &mut PackLayout) -> Result<()> {
    if layout.package.format == Format::Legacy {
        return layout.add_verbatim();
    }
    layout.report_general_losses()?;
    match layout.target {
        Target::Kattis | Target::Domjudge => add_legacy(layout),
        Target::Icpc => layout.add_icpc(),
        Target::Hydro => layout.add_hydro(),
        Target::Cms => layout.add_cms(),
        Target::Dmoj => layout.add_dmoj(),
    }
}

/// The legacy form of a package of version 2025-09.
fn add_legacy(layout: &mut PackLayout) -> Result<()> {
    layout.add_problem_yaml();
    layout.add_programs()?;
    layout.add_data()?;
    layout.add_submissions()?;
    layout.add_statements()?;
    layout.add_attachments("attachments")
}
