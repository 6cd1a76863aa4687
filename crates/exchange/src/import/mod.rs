//! Packages of other systems as packages of this format.
//!
//! A source (directory or zip) is looked at, found to be of a kind, and read into a
//! draft by that kind's reader; the draft is laid down as a plain 2025-09 package
//! that needs nothing of this program. Judge programs come along unchanged, each
//! beside an adapter. What the new package cannot express is reported, point by point.
//! Runs nothing.

mod adapt;
mod changes;
mod draft;
mod import_report;
mod imported;
mod italian;
mod options;
mod polygon;
mod python_modules;
mod recipe_file;
mod source;
mod source_limits;
mod testlib;
mod write_package;

use adapt::{JudgeRole, ProgramSources};
use anyhow::{Context, Result, bail, ensure};
use draft::package_name;
use kopek_base::ScratchDir;
use kopek_engine::package::{self, Finding};
use source::ForeignPackage;
use std::{
    fs,
    path::{Path, PathBuf},
};
use write_package::write_files;

pub use changes::{Change, Loss};
pub use import_report::render_report;
pub use imported::{ForeignFormat, ImportResult};
pub use options::{ImportOptions, Regenerate};
pub use testlib::Testlib;

/// Lays a checker for testlib into a new directory, behind an adapter: an output validator.
pub fn adapt_checker(checker: &Path, into: &Path, testlib: &Testlib) -> Result<()> {
    let aside = ScratchDir::new().context("make a directory to adapt in")?;
    let name = checker.file_name().context("a checker has a name")?.to_string_lossy().into_owned();
    fs::copy(checker, aside.path().join(&name)).with_context(|| format!("read {}", checker.display()))?;
    // The headers beside it alone: the folder may be anything, a whole home.
    let beside = checker.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in fs::read_dir(beside).with_context(|| format!("read {}", beside.display()))? {
        let path = entry?.path();
        if let (true, Some(header)) = (path.extension().is_some_and(|ending| ending == "h"), path.file_name())
        {
            fs::copy(&path, aside.path().join(header)).with_context(|| format!("read {}", path.display()))?;
        }
    }
    let source = ForeignPackage::open(aside.path())?;
    let programs = ProgramSources { source: &source, headers: &[], testlib };
    write_files(into, &programs.testlib_program(&name, JudgeRole::Checker)?)
}

/// Turns a source into a package. Without a target: a directory of the source's name, here.
pub fn import(from: &Path, target: Option<&Path>, options: &ImportOptions) -> Result<ImportResult> {
    let act = || format!("import {}", from.display());
    // Asked at once: a taken name should not cost reading the whole source first.
    if let Some(target) = target {
        ensure_absent(target)?;
    }
    let source = ForeignPackage::open(from).with_context(act)?;
    let kind = detect_format(&source).with_context(act)?;
    let mut draft = match kind {
        ForeignFormat::Polygon => polygon::read(&source, options),
        ForeignFormat::Italian => italian::read(&source, options),
    }
    .with_context(act)?;
    let target = target.map_or_else(|| PathBuf::from(package_name(&draft.name)), Path::to_owned);
    ensure_absent(&target)?;
    write_package::write_package(&mut draft, &target)?;
    let (generated, mut findings) = (recipe_file::is_needed(&draft), package::read(&target)?.findings);
    if !generated {
        findings.extend(test_findings(&target)?);
    }
    Ok(ImportResult {
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

/// Keys of task.yaml in the dialect of the Austrian olympiad, which lists tests, solutions and texts there.
const AUSTRIAN_KEYS: [&str; 6] =
    ["long_name", "subtasks", "testcases", "test_submissions", "sample_solution", "extends"];

/// Refuses a task.yaml that means something else than the Italian format, which has its tests elsewhere.
fn check_italian_dialect(source: &ForeignPackage, file: &str) -> Result<()> {
    if source.has(italian::TESTS) {
        return Ok(());
    }
    let text = source.read_text(file)?;
    let is_key = |key: &&str| text.lines().any(|line| line.split(':').next() == Some(*key) && *key != line);
    let keys: Vec<&str> = AUSTRIAN_KEYS.into_iter().filter(is_key).collect();
    ensure!(
        keys.is_empty(),
        "{file} has the keys {}: this is not the Italian format but a dialect of it, as the Austrian olympiad \
         (cms-aoi-import) writes it, which kopek does not read; build the task with its own tool, and put the tests \
         that this makes into data/secret of a package that `kopek init` begins",
        keys.join(", ")
    );
    Ok(())
}

/// Refuses a package of sinol-make by its name.
fn check_sinol(source: &ForeignPackage) -> Result<()> {
    let has_dir = |dir: &str| source.paths().any(|path| path.starts_with(dir));
    let says_so = || {
        Ok::<_, anyhow::Error>(source.has("config.yml") && source.read_text("config.yml")?.contains("sinol_"))
    };
    ensure!(
        !(has_dir("prog/") && (source.has("config.yml") || has_dir("in/")) || says_so()?),
        "this is a package of sinol-make (config.yml, prog/, in/, out/), the format of the Polish olympiad, which \
         kopek does not read; put the tests of in/ and out/ into data/secret of a package that `kopek init` begins"
    );
    Ok(())
}

fn ensure_absent(target: &Path) -> Result<()> {
    let exists = fs::symlink_metadata(target).is_ok();
    ensure!(!exists, "{} exists already: name another directory, or remove it", target.display());
    Ok(())
}

fn test_findings(target: &Path) -> Result<Vec<Finding>> {
    let Some(package) = package::read(target)?.package else { return Ok(Vec::new()) };
    Ok(package::read_tests(&package)?.1)
}

/// What the source is, by what is there.
fn detect_format(source: &ForeignPackage) -> Result<ForeignFormat> {
    if source.has(polygon::FILE) {
        return Ok(ForeignFormat::Polygon);
    }
    if let Some(file) = source.first_of(italian::FILES) {
        check_italian_dialect(source, file)?;
        return Ok(ForeignFormat::Italian);
    }
    if source.has("problem.yaml") {
        bail!("it holds problem.yaml: a package of this format already; nothing to import");
    }
    if source.has("task.toml") {
        bail!("it holds task.toml, from which task.yaml is made: make it first, and import again");
    }
    check_sinol(source)?;
    let found: Vec<&str> = source.paths().take(5).collect();
    let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
    bail!(
        "neither a Polygon package (problem.xml) nor one of the Italian format ({}): found {found}{}",
        italian::FILES.join(", "),
        if source.paths().nth(5).is_some() { ", …" } else { "" }
    )
}
