//! Imports a source of a known format as one package.

use super::{
    draft::Draft,
    draft_files::package_name,
    imported::{ForeignFormat, ImportOptions, ImportResult, TestComparison, TestScoring},
    italian,
    judge_programs::ProgramSources,
    polygon,
    source::ForeignPackage,
    test_folder,
    write_package::{needs_recipe, write_package},
};
use anyhow::{Result, ensure};
use kopek_package::package;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Writes the package of a source whose format is known.
pub fn import_package(
    source: &ForeignPackage,
    kind: ForeignFormat,
    target: Option<&Path>,
    options: &ImportOptions,
) -> Result<ImportResult> {
    source.ensure_harmless()?;
    let is_plain = options.scoring == TestScoring::None
        && options.time_limit.is_none()
        && options.comparison == TestComparison::Words;
    ensure!(
        is_plain || kind == ForeignFormat::TestFolder,
        "--points, --time-limit and --exact are for folders of tests: a package says these itself"
    );
    let headers = match kind {
        ForeignFormat::Polygon => polygon::HEADERS,
        ForeignFormat::Italian => italian::HEADERS,
        ForeignFormat::TestFolder => test_folder::HEADERS,
    };
    let programs = ProgramSources { source, headers, testlib: &options.testlib };
    let mut draft = Draft::new(programs, options.regenerate);
    match kind {
        ForeignFormat::Polygon => polygon::read(&mut draft),
        ForeignFormat::Italian => italian::read(&mut draft),
        ForeignFormat::TestFolder => test_folder::read(&mut draft, options),
    }?;
    let target = target.map_or_else(|| PathBuf::from(package_name(&draft.name)), Path::to_owned);
    ensure_absent(&target)?;
    write_package(&mut draft, &target)?;
    let generated = needs_recipe(&draft);
    let read = package::read(&target)?;
    let mut findings = read.findings;
    if !generated && let Some(package) = read.package {
        findings.extend(package::read_tests(&package)?.1);
    }
    Ok(ImportResult {
        kind,
        target,
        tests: draft.tests.len(),
        groups: draft.groups.len(),
        max_score: draft.max_score.filter(|_| draft.scoring).map(|points| points.to_string()),
        submissions: draft.submissions.len(),
        generated,
        changes: draft.changes,
        findings,
    })
}

pub fn ensure_absent(target: &Path) -> Result<()> {
    let exists = fs::symlink_metadata(target).is_ok();
    ensure!(!exists, "{} exists already: name another directory, or remove it", target.display());
    Ok(())
}
