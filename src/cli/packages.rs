//! Packages named on the command line: found, read, their findings told, their
//! test sets made where they are missing.

use super::progress::Making;
use crate::{
    exec::Workshop,
    generate::{self, How},
    package::{self, Finding, Package, Severity, TestSet},
    report::Report,
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Every package at or directly below these places, in order.
pub fn find(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
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
        below.sort();
        if below.is_empty() {
            bail!("{}: no problem.yaml here or one level below: not a problem package", place.display());
        }
        found.extend(below);
    }
    Ok(found)
}

/// A package that can be judged.
pub struct Ready {
    /// The problem.
    pub package: Package,
    /// Its cases.
    pub tests: TestSet,
    /// Errors among the findings: it is judged, but not as declared.
    pub errors: usize,
    /// Where the cases differ from the lock: told, and judged nevertheless.
    pub drift: Vec<String>,
}

/// Reads a package and its cases, made where they are missing.
pub fn ready(dir: &Path, workshop: &Workshop, report: &mut Report) -> Result<Ready> {
    let reading = package::read(dir)?;
    let mut errors = tell(dir, &reading.findings, report);
    let Some(package) = reading.package else {
        bail!("{}: problem.yaml cannot be understood:\n{}", dir.display(), listed(&reading.findings));
    };
    let drift = complete(&package, workshop)?;
    report.warnings.extend(drift.iter().cloned());
    let (tests, findings) = package::tests(&package)?;
    errors += tell(dir, &findings, report);
    Ok(Ready { package, tests, errors, drift })
}

/// Makes what the recipe names and is not there; how that differs from the lock.
fn complete(package: &Package, workshop: &Workshop) -> Result<Vec<String>> {
    let mut progress = Making::new(&package.name);
    let made = generate::generate(package, workshop, How::Stale, &mut |step| progress.tell(&step));
    progress.close();
    let made = made.with_context(|| format!("make the test set of {}", package.name))?;
    if !made.is_sound() {
        bail!(
            "the test set of {} cannot be made:\n{}{}",
            package.name,
            listed(&made.findings),
            few(&made.faults)
        );
    }
    Ok(made.drift.iter().map(|drift| format!("{}: {drift}", package.dir.display())).collect())
}

/// The first of many faults: they are often the same.
fn few(faults: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text = faults.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("\n");
    if faults.len() > SHOWN {
        text += &format!("\nand {} more", faults.len() - SHOWN);
    }
    text
}

fn listed(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("{finding}\n")).collect()
}

/// Warnings are left to `kopek verify`; errors are listed.
fn tell(dir: &Path, findings: &[Finding], report: &mut Report) -> usize {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let before = report.warnings.len();
    report.warnings.extend(errors.map(|finding| format!("{}: {finding}", dir.display())));
    report.warnings.len() - before
}
