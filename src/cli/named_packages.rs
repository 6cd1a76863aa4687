//! Packages of the command line: reads them with a progress bar, and prints their errors and warnings.

use super::{progress_bars::GenerationProgress, terminal_output::print_message};
use crate::{
    exec::Engine,
    loading::{self, LoadedPackage},
    results::Noticed,
};
use anyhow::{Result, ensure};
use std::path::Path;

/// Fails if the package was given behind what it is for.
pub(super) fn check_order(command: &str, package: &Path, other: &Path) -> Result<()> {
    let is_package = |path: &Path| path.join("problem.yaml").exists();
    ensure!(
        is_package(package) || !is_package(other),
        "{0} is not a problem package, but {1} is; did you mean `kopek {command} {1} {0}`?",
        package.display(),
        other.display()
    );
    Ok(())
}

/// Reads a package and its cases; generates missing cases.
pub(super) fn load_package(dir: &Path, engine: &Engine) -> Result<Noticed<LoadedPackage>> {
    let mut progress = GenerationProgress::hidden();
    loading::load_package(dir, engine, &mut |step| progress.show_step(&step))
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
