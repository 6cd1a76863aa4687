//! Finds and reads the packages of the command line, and generates missing test sets.

use super::{
    interrupt::InterruptedEarly, path_hints::missing_path, progress_bars::GenerationProgress,
    terminal_output::print_message,
};
use crate::{
    base::{
        ArchiveLimits, Bytes, ScratchDir, unpack_zip,
        wording::{counted, shortened},
    },
    course::CoursePackage,
    exec::Engine,
    generate::{self, Generated},
    grade::part_of,
    machine::{read_package, remember_files},
    package::{self, Level, Message, NoCases, Package, TestSet},
    results::{Noticed, Notices},
};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The packages at or directly below these paths, in order.
pub(super) fn find_packages(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for place in places {
        if place.join("problem.yaml").exists() {
            found.push(place.clone());
            continue;
        }
        if !place.exists() {
            return Err(missing_path("read package", place));
        }
        if place.is_file() {
            bail!("{}: not a directory; unpack the package, or name its directory", place.display());
        }
        let read =
            || fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
        let mut below = read().with_context(|| format!("read package {}", place.display()))?;
        below.retain(|path| path.join("problem.yaml").exists());
        // The order of directory entries differs between machines.
        below.sort();
        if below.is_empty() {
            bail!("{}: no problem.yaml here or one level below: not a problem package", place.display());
        }
        found.extend(below);
    }
    Ok(found)
}

/// The directory of a package. A zip is unpacked into a scratch directory, which is removed on drop.
pub(super) struct PackagePlace {
    dir: PathBuf,
    _unpacked: Option<ScratchDir>,
}

impl PackagePlace {
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Limits for a zipped package or zipped samples.
const ARCHIVE: ArchiveLimits =
    ArchiveLimits { files: 100_000, largest: Bytes::mib(4096), total: Bytes::mib(16384) };

/// Finds the package at a path: a directory or a zip.
pub(super) fn locate_package(path: &Path) -> Result<PackagePlace> {
    let Ok(kind) = fs::metadata(path) else { return Err(missing_path("read package", path)) };
    if kind.is_dir() {
        if !path.join("problem.yaml").exists() {
            bail!("{}: no problem.yaml here: not a problem package", path.display());
        }
        return Ok(PackagePlace { dir: path.to_owned(), _unpacked: None });
    }
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) {
        bail!("{}: not a problem package (a directory or a zip)", path.display());
    }
    let aside = unpack_aside(path)?;
    // Named like the zip, because the directory gives the problem its name.
    let mut found = find_packages(&[top_directory(&aside, path)])?;
    match (found.pop(), found.len()) {
        (Some(dir), 0) => Ok(PackagePlace { dir, _unpacked: Some(aside) }),
        _ => bail!("{}: contains several packages; unpack it and name one", path.display()),
    }
}

/// Unpacks a zip into a scratch directory, into a directory with the zip's name.
pub(super) fn unpack_aside(zip: &Path) -> Result<ScratchDir> {
    let aside = ScratchDir::new().context("make a directory to unpack into")?;
    let top = top_directory(&aside, zip);
    fs::create_dir(&top).with_context(|| format!("make {}", top.display()))?;
    unpack_zip(zip, &top, &ARCHIVE)
        .with_context(|| format!("unpack {}; give a directory, or a zip of one", zip.display()))?;
    Ok(aside)
}

fn top_directory(aside: &ScratchDir, zip: &Path) -> PathBuf {
    let name = zip.file_stem().unwrap_or(zip.as_os_str());
    aside.path().join(name)
}

/// A package that is ready for judging.
pub(super) struct LoadedPackage {
    pub(super) package: Package,
    pub(super) tests: TestSet,
    /// Number of errors among the findings. With errors it is judged, but not as declared.
    pub(super) errors: usize,
    /// Files that differ from the lock. They are a warning; the cases are judged as they are.
    pub(super) drift: Vec<String>,
}

impl LoadedPackage {
    pub(super) fn in_course(&self) -> CoursePackage<'_> {
        CoursePackage { package: &self.package, tests: &self.tests }
    }

    /// A package without errors and drift.
    pub(super) fn new(package: Package, tests: TestSet) -> LoadedPackage {
        LoadedPackage { package, tests, errors: 0, drift: Vec::new() }
    }
}

/// Reads a package and its cases; generates missing cases.
pub(super) fn load_package(dir: &Path, engine: &Engine) -> Result<Noticed<LoadedPackage>> {
    let reading = read_package(engine.machine, dir)?;
    let Some(package) = reading.package else {
        bail!("{}: cannot read problem.yaml:\n{}", dir.display(), finding_lines(&reading.findings));
    };
    // Before reading the cases, because missing files would be errors of the package.
    let made = complete_test_set(&package, engine)?;
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

/// Like [`load_package`], and prints warnings about the machine and the package.
pub(super) fn load_with_warnings(dir: &Path, engine: &Engine) -> Result<LoadedPackage> {
    let Noticed { value, notices } = load_package(dir, engine)?;
    for warning in engine.machine.warnings().iter().chain(&notices.warnings) {
        print_message!("{warning}");
    }
    Ok(value)
}

/// A package to give away; `None`: it has errors, as a message says.
pub(super) fn load_sound(dir: &Path, engine: &Engine) -> Result<Option<LoadedPackage>> {
    let Noticed { value: loaded, notices } = load_package(dir, engine)?;
    notices.warning_texts().iter().for_each(|warning| print_message!("{warning}"));
    if loaded.errors == 0 {
        return Ok(Some(loaded));
    }
    let name = &loaded.package.name;
    print_message!("{name}: has errors, not packed; `kopek verify {}` lists them", dir.display());
    Ok(None)
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
fn complete_test_set(package: &Package, engine: &Engine) -> Result<Generated> {
    let mut progress = GenerationProgress::new(&package.name);
    let made = generate::ensure(package, engine, &mut |step| progress.show_step(&step));
    progress.close();
    let made = made.with_context(|| format!("make the test set of {}", package.name))?;
    if engine.is_stopped() {
        return Err(InterruptedEarly.into());
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
    errors.map(|finding| Message::package_warning(dir.display(), finding.to_string())).collect()
}
