//! Packages named on the command line: found and read; test sets are made where they are missing.

use super::interrupt::InterruptedEarly;
use super::progress_bars::GenerationProgress;
use crate::{
    base::wording::shortened,
    exec::Engine,
    generate::{self, GenerationMode},
    package::{self, Finding, Package, Severity, TestSet},
    report::Report,
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Every package at or directly below these places, in order.
pub(super) fn find_packages(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for place in places {
        if place.join("problem.yaml").exists() {
            found.push(place.clone());
            continue;
        }
        let read =
            || fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
        let mut below = read().with_context(|| format!("read package {}", place.display()))?;
        below.retain(|path| path.join("problem.yaml").exists());
        // Directories list their entries in another order on each machine.
        below.sort();
        if below.is_empty() {
            bail!("{}: no problem.yaml here or one level below: not a problem package", place.display());
        }
        found.extend(below);
    }
    Ok(found)
}

/// A package that can be judged.
pub(super) struct LoadedPackage {
    pub(super) package: Package,
    pub(super) tests: TestSet,
    /// Number of errors among the findings: it is judged, but not as declared.
    pub(super) errors: usize,
    /// Where the cases differ from the lock: a warning, and they are judged as they are.
    pub(super) drift: Vec<String>,
}

/// Reads a package and its cases, made where they are missing.
pub(super) fn load_package(dir: &Path, engine: &Engine, report: &mut Report) -> Result<LoadedPackage> {
    let reading = package::read(dir)?;
    let mut errors = warn_of_errors(dir, &reading.findings, report);
    let Some(package) = reading.package else {
        bail!("{}: problem.yaml cannot be understood:\n{}", dir.display(), finding_lines(&reading.findings));
    };
    // Before the cases are read: one whose files are missing would be an error of the package.
    let drift = complete_test_set(&package, engine)?;
    report.warnings.extend(drift.iter().cloned());
    let (tests, findings) = package::read_tests(&package)?;
    errors += warn_of_errors(dir, &findings, report);
    Ok(LoadedPackage { package, tests, errors, drift })
}

/// Makes what the recipe names and is not there; how that differs from the lock.
fn complete_test_set(package: &Package, engine: &Engine) -> Result<Vec<String>> {
    let mut progress = GenerationProgress::new(&package.name);
    let made =
        generate::generate(package, engine, GenerationMode::Stale, &mut |step| progress.show_step(&step));
    progress.close();
    let made = made.with_context(|| format!("make the test set of {}", package.name))?;
    if engine.is_stopped() {
        return Err(InterruptedEarly.into());
    }
    if !made.is_sound() {
        bail!(
            "the test set of {} cannot be made:\n{}{}",
            package.name,
            finding_lines(&made.findings),
            // They are often the same.
            shortened(&made.faults, 5, "\n")
        );
    }
    Ok(made.drift.iter().map(|drift| format!("{}: {drift}", package.dir.display())).collect())
}

fn finding_lines(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("{finding}\n")).collect()
}

/// Errors become warnings of the report, and are counted; what is no error is left to `kopek verify`.
fn warn_of_errors(dir: &Path, findings: &[Finding], report: &mut Report) -> usize {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let before = report.warnings.len();
    report.warnings.extend(errors.map(|finding| format!("{}: {finding}", dir.display())));
    report.warnings.len() - before
}
