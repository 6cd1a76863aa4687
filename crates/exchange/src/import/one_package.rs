//! Imports a source of a known format as one package.

use super::{
    draft::package_name,
    imported::{ForeignFormat, ImportResult},
    italian,
    options::{ImportOptions, TestScoring},
    polygon, recipe_file,
    source::ForeignPackage,
    test_folder, tps, write_package,
};
use anyhow::{Result, ensure};
use kopek_engine::package::{self, Finding};
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
    let plain = options.scoring == TestScoring::None && options.time_limit.is_none();
    ensure!(
        plain || kind == ForeignFormat::TestFolder,
        "--points, --groups and --time-limit are for folders of tests: a package says these itself"
    );
    let mut draft = match kind {
        ForeignFormat::Polygon => polygon::read(source, options),
        ForeignFormat::Italian => italian::read(source, options),
        ForeignFormat::Tps => tps::read(source, options),
        ForeignFormat::TestFolder => test_folder::read(source, options),
    }?;
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
        max_score: draft.max_score.filter(|_| draft.scoring).map(|points| points.to_string()),
        submissions: draft.submissions.len(),
        generated,
        changes: draft.changes.0,
        findings,
    })
}

/// Refuses a target that exists.
pub fn ensure_absent(target: &Path) -> Result<()> {
    let exists = fs::symlink_metadata(target).is_ok();
    ensure!(!exists, "{} exists already: name another directory, or remove it", target.display());
    Ok(())
}

fn test_findings(target: &Path) -> Result<Vec<Finding>> {
    let Some(package) = package::read(target)?.package else { return Ok(Vec::new()) };
    Ok(package::read_tests(&package)?.1)
}
