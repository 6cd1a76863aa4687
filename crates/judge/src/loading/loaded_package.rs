//! Reads a package with its cases, and generates missing ones. What is wrong with it is a warning, because it may be
//! judged all the same.

use crate::{
    generate::{self, Generated, OnGenerationStep},
    grade::part_of,
};
use anyhow::{Context, Result, bail};
use kopek_base::wording::{counted, shortened};
use kopek_engine::{
    exec::{Engine, StoppedEarly},
    machine::{read_package, remember_files},
};
use kopek_package::package::{self, Level, Message, NoCases, Package, TestSet};
use kopek_results::{Noticed, Notices};
use std::path::Path;

/// A package that is ready for judging.
pub struct LoadedPackage {
    pub package: Package,
    pub tests: TestSet,
    /// Number of errors among the findings. With errors it is judged, but not as declared.
    pub errors: usize,
    /// Files that differ from the lock. They are a warning; the cases are judged as they are.
    pub drift: Vec<String>,
}

impl LoadedPackage {
    pub fn name(&self) -> &str {
        &self.package.name
    }

    /// A package without errors and drift.
    pub fn new(package: Package, tests: TestSet) -> LoadedPackage {
        LoadedPackage { package, tests, errors: 0, drift: Vec::new() }
    }
}

/// Reads a package and its cases; generates missing cases.
pub fn load_package(
    dir: &Path,
    engine: &Engine,
    on_step: &mut OnGenerationStep,
) -> Result<Noticed<LoadedPackage>> {
    let reading = read_package(engine.machine, dir)?;
    let Some(package) = reading.package else {
        bail!("{}: cannot read problem.yaml:\n{}", dir.display(), finding_lines(&reading.findings));
    };
    // Before reading the cases, because missing files would be errors of the package.
    let made = complete_test_set(&package, engine, on_step)?;
    let drift: Vec<String> = made.drift.iter().map(|drift| drift.file.clone()).collect();
    let read = read_some_tests(&package)?;
    let mut warnings = error_warnings(dir, &reading.findings);
    let mut errors = warnings.len();
    warnings.extend(drift_warning(dir, &drift));
    let unused = made.unused_recipe();
    warnings.extend(unused.map(|message| Message::package_warning(dir.display(), message.placed_text())));
    if read.are_samples {
        warnings.push(Message::package_warning(
            package.dir.display(),
            "no secret cases, so only the samples are judged",
        ));
    }
    remember_files(engine.machine, &package);
    let of_tests = error_warnings(dir, &read.findings);
    errors += of_tests.len();
    warnings.extend(of_tests);
    let loaded = LoadedPackage { errors, drift, ..LoadedPackage::new(package, read.tests) };
    Ok(Noticed { value: loaded, notices: Notices { warnings, ..Notices::default() } })
}

/// A test set that may be incomplete.
struct SomeTests {
    tests: TestSet,
    findings: Vec<Message>,
    /// Whether there are no other cases.
    are_samples: bool,
}

/// The test set. Samples alone are judged too.
fn read_some_tests(package: &Package) -> Result<SomeTests> {
    let error = match package::read_tests(package) {
        Ok((tests, findings)) => return Ok(SomeTests { tests, findings, are_samples: false }),
        Err(error) => error,
    };
    let found = error.downcast::<NoCases>()?;
    if found.recipe || found.tests.cases.is_empty() {
        return Err(found.into());
    }
    let all = (0..found.tests.cases.len()).collect();
    Ok(SomeTests { tests: part_of(&found.tests, &all), findings: found.findings, are_samples: true })
}

/// Generates the missing files of the recipe.
fn complete_test_set(
    package: &Package,
    engine: &Engine,
    on_step: &mut OnGenerationStep,
) -> Result<Generated> {
    let made = generate::ensure(package, engine, on_step);
    let made = made.with_context(|| format!("make the test set of {}", package.name))?;
    if engine.is_stopped() {
        return Err(StoppedEarly.into());
    }
    if !made.is_sound() {
        bail!(
            "cannot make the test set of {}:\n{}{}",
            package.name,
            finding_lines(&package::one_per_cause(&made.findings)),
            // Faults are often the same.
            shortened(&made.faults, 5, "\n")
        );
    }
    Ok(made)
}

/// One line for all files: a fixed case changes several.
fn drift_warning(dir: &Path, files: &[String]) -> Option<Message> {
    let verb = match files.len() {
        0 => return None,
        1 => "differs",
        _ => "differ",
    };
    let what = format!(
        "{} of the test set {verb} from generators/lock.toml: {}; if you changed them on purpose, \
            `kopek generate {} --update` accepts them",
        counted(files.len(), "file"),
        shortened(files, 3, ", "),
        dir.display()
    );
    Some(Message::package_warning(dir.display(), what))
}

fn finding_lines(findings: &[Message]) -> String {
    findings.iter().map(|finding| format!("{finding}\n")).collect()
}

/// A warning for each error. `kopek verify` shows other findings.
fn error_warnings(dir: &Path, findings: &[Message]) -> Vec<Message> {
    let errors = findings.iter().filter(|finding| finding.level == Level::Error);
    let warning = |finding: &Message| {
        let what = format!("{}: {}", finding.level, finding.placed_text());
        Message { todo: finding.todo.clone(), ..Message::package_warning(dir.display(), what) }
    };
    errors.map(warning).collect()
}
