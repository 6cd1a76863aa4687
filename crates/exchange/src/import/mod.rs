//! Packages of other systems as packages of this format.
//!
//! The format of a source (directory or zip) is detected, and the reader of that format makes
//! a draft. The draft is written as a plain 2025-09 package that other judges read, too. Judge
//! programs are copied unchanged, each with an adapter. The report lists everything that the
//! new package cannot express. Runs nothing.

mod course;
mod draft;
mod draft_files;
mod format_detection;
mod imported;
mod italian;
mod judge_programs;
mod one_package;
mod polygon;
mod source;
mod test_folder;
mod testlib;
mod write_package;

use anyhow::{Context, Result};
use draft_files::write_files;
use format_detection::detect_format;
use judge_programs::{JudgeRole, ProgramSources};
use kopek_base::{ScratchDir, files::directory_of};
use one_package::{ensure_absent, import_package};
use source::ForeignPackage;
use std::{fs, path::Path};

pub use imported::{
    Change, FailedExercise, ForeignFormat, ImportOptions, ImportResult, Imported, ImportedCourse, Loss,
    Regenerate, TestComparison, TestScoring,
};
pub use testlib::Testlib;

/// Writes a testlib checker and its adapter into a new directory, as an output validator.
pub fn adapt_checker(checker: &Path, into: &Path, testlib: &Testlib) -> Result<()> {
    let aside = ScratchDir::new().context("make a directory to adapt in")?;
    let name = checker.file_name().context("a checker has a name")?.to_string_lossy().into_owned();
    fs::copy(checker, aside.path().join(&name)).with_context(|| format!("read {}", checker.display()))?;
    // Only the headers beside it: the folder may be a whole home directory.
    let beside = directory_of(checker);
    for entry in fs::read_dir(beside).with_context(|| format!("read {}", beside.display()))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "h") {
            let header = path.file_name().context("a file has a name")?;
            fs::copy(&path, aside.path().join(header)).with_context(|| format!("read {}", path.display()))?;
        }
    }
    let source = ForeignPackage::open(aside.path())?;
    let programs = ProgramSources { source: &source, headers: &[], testlib };
    write_files(into, &programs.testlib_program(&name, JudgeRole::Checker)?).map(drop)
}

/// Turns a source into a package, or a source of several exercises into a directory of packages and a contest
/// file. The default target is a directory of the source's name, here.
pub fn import(from: &Path, target: Option<&Path>, options: &ImportOptions) -> Result<Imported> {
    let act = || format!("import {}", from.display());
    // Checked first: an existing target should not cost reading the whole source.
    if let Some(target) = target {
        ensure_absent(target)?;
    }
    let source = ForeignPackage::open(from).with_context(act)?;
    let found = detect_format(&source).and_then(|kind| match kind {
        Some(kind) => import_package(&source, kind, target, options).map(Imported::Package),
        None => course::import_exercises(&source, target, options),
    });
    found.with_context(act)
}
