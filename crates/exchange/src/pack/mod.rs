//! Packs a package for other judges: one zip, with links resolved and test data generated.
//!
//! ```text
//! Package + TestSet ──pack_for_…──► Packed: files and losses   reads, writes nothing
//!                └──Bundle──zip_file──► NAME.zip, the same bytes on every machine
//! ```
//!
//! Kattis and DOMjudge get the legacy form (`legacy*`): a tree of `testdata.yaml`, or flat data if groups have no points.
//! Readers of version 2025-09 get the package itself. CMS and DMOJ get archives of their own (`own_*`), if the package has
//! the default comparison.
//! A package that the target cannot judge is refused; every other difference is listed. `losses` is the table of both.
//! Gradescope and Classroom 50 get the package itself, with scripts that start the judge; CodeRunner gets questions that
//! name packages of a server. Students get no hidden case.
//! Runs nothing.

mod autograder;
mod cms;
mod cms_points;
mod coderunner;
mod dmoj;
mod general_losses;
mod hidden_words;
mod icpc;
mod legacy;
mod legacy_data;
mod legacy_manifest;
mod legacy_submissions;
mod losses;
mod own_comparison;
mod own_grading;
mod own_statements;
mod packed;
mod refuse;
mod statement_html;
mod statement_page;
mod statement_tex;
mod students;
mod target;
mod testdata_yaml;
mod zip_file;

pub use autograder::{JudgeProgram, pack_autograder, pack_classroom50};
pub use coderunner::{
    CoderunnerQuestion, PackedQuestions, USUAL_LANGUAGES, coderunner_questions, coderunner_type,
};
pub use legacy::Balloon;
pub use losses::{Note, NoteEffect, render_losses};
pub use packed::{Bundle, PackContents, PackFile};
pub use refuse::PackRefusal;
pub use statement_html::{FormulaForm, SampleText, content_of_page, read_below};
pub use statement_page::{
    StatementFile, StatementForm, choose_statement, limits_line, sample_texts, samples_of, statement_page,
    title_in,
};
pub use statement_tex::{SvgFigures, TexStatement, escape_tex, render_tex};
pub use students::pack_for_students;
pub use target::{Target, TargetKind};
pub use zip_file::{PackedZip, packed_for, write_zip};

use anyhow::{Context, Result, bail};
use kopek_package::package::{Package, TestSet};
use packed::PackSource;

/// Lays out a package in the form of a system. Fails with [`PackRefusal`] if the system cannot judge it.
pub fn pack(package: &Package, tests: &TestSet, target: Target, balloon: Option<&Balloon>) -> Result<Bundle> {
    refuse::refuse(package, tests, target)?;
    let source = PackSource { package, tests, target };
    let packed = match target {
        Target::Kattis => legacy::pack_for_kattis(&source),
        Target::Domjudge => legacy::pack_for_domjudge(&source, balloon),
        Target::Icpc => icpc::pack_for_icpc(&source),
        Target::Cms => cms::pack_for_cms(&source),
        Target::Dmoj => dmoj::pack_for_dmoj(&source),
        Target::Gradescope | Target::Classroom50 | Target::Students | Target::Coderunner => {
            bail!("{} has no form of its own", target.name())
        }
    };
    let packed = packed.with_context(|| format!("pack {} for {}", package.name, target.name()))?;
    Ok(packed.into_bundle(&source))
}
