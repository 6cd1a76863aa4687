//! `kopek generate`: generates the test sets of packages from their recipes.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::{FreshOption, MachineOptions},
    progress_bars::GenerationProgress,
    terminal_output::{print_message, print_text},
};
use crate::{
    base::wording::counted,
    exec::{Engine, local_executor},
    generate::{self, Generated, GenerationMode, lock},
    loading::find_packages,
    machine::{read_package, remember_files},
    package::{self, Level, Package},
};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 test data complete; 1 files differ from generators/lock.toml; 2 error; \
3 kopek failed (faults are listed); 4 a package is unsound; 130 interrupted.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Regenerate without writing, and compare with generators/lock.toml
    #[arg(long, conflicts_with_all = ["update", "clean"])]
    check: bool,
    /// Write generators/lock.toml, the digests of the generated files
    #[arg(long, conflicts_with = "clean")]
    update: bool,
    /// Remove generated files, except edited ones
    #[arg(long)]
    clean: bool,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let found = find_packages(&args.packages)?;
    let machine = args.machine.open_with_warning()?;
    args.fresh.apply(&machine);
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let mut worst = ExitStatus::Success;
    for dir in &found {
        if engine.is_stopped() {
            break;
        }
        let status = generate_package(&args, dir, &engine);
        worst = worst.max(status.with_context(|| format!("generate {}", dir.display()))?);
    }
    Ok(if engine.is_stopped() { ExitStatus::Interrupted } else { worst })
}

fn generate_package(args: &Args, dir: &Path, engine: &Engine) -> Result<ExitStatus> {
    let start = Instant::now();
    let reading = read_package(engine.machine, dir)?;
    let Some(package) = reading.package else {
        reading.findings.iter().for_each(|finding| print_message!("{}: {finding}", dir.display()));
        return Ok(ExitStatus::Unsound);
    };
    if args.clean {
        return clean_package(&package, engine);
    }
    if !generate::recipe::has_recipe(&package.dir) {
        print_text(&format!("{}: no {}: nothing to generate\n", package.name, generate::recipe::FILE))?;
        return Ok(ExitStatus::Success);
    }
    let how = if args.check { GenerationMode::Again } else { GenerationMode::Stale };
    let mut progress = GenerationProgress::hidden();
    let done = generate::generate(&package, engine, how, &mut |step| progress.show_step(&step))?;
    progress.close();
    remember_files(engine.machine, &package);
    print_findings(&package, &done);
    let lock = compare_with_lock(args, &package, &done)?;
    print_text(&format!("{}: {}{lock}\n", package.name, summary_text(&done, start.elapsed())))?;
    Ok(exit_status(args, &done))
}

/// Faults come before findings: files that were not generated cannot be compared.
fn exit_status(args: &Args, done: &Generated) -> ExitStatus {
    if !done.faults.is_empty() {
        ExitStatus::Faults
    } else if !done.is_sound() {
        ExitStatus::Unsound
    } else if !args.update && (!done.drift.is_empty() || (args.check && !done.locked)) {
        ExitStatus::Negative
    } else {
        ExitStatus::Success
    }
}

/// Prints findings, faults and differences to standard error.
fn print_findings(package: &Package, done: &Generated) {
    let name = &package.name;
    for finding in &package::one_per_cause(&done.findings) {
        let word = if finding.level == Level::Error { "" } else { "  " };
        print_message!("{word}{name}: {finding}");
    }
    done.faults.iter().for_each(|fault| print_message!("{name}: fault: {fault}"));
    done.removed.iter().for_each(|file| print_message!("  {name}: removed {file}, which no rule makes"));
    done.replaced.iter().for_each(|file| print_message!("  {name}: replaced {file}, which differed"));
}

/// Compares with the lock or updates it, and returns the result as part of a sentence.
fn compare_with_lock(args: &Args, package: &Package, done: &Generated) -> Result<String> {
    // An incomplete test set cannot be compared with the lock.
    if !done.is_sound() {
        return Ok(String::new());
    }
    if args.update {
        lock::write(&package.dir, &done.files)?;
        return Ok(format!("; {} holds {} digests", lock::FILE, done.files.len()));
    }
    if !done.locked {
        return Ok(format!("; no {} yet (--update writes it)", lock::FILE));
    }
    for drift in &done.drift {
        print_message!("{}: {drift}", package.name);
    }
    Ok(match done.drift.len() {
        0 => "; matches the lock".to_owned(),
        n => format!("; {n} files differ from {} (--update accepts them)", lock::FILE),
    })
}

fn summary_text(done: &Generated, elapsed: Duration) -> String {
    let failed = match done.failed {
        0 => String::new(),
        failed => format!("{} FAILED, ", counted(failed, "case")),
    };
    format!(
        "{failed}{} made, {} reused, {}, {:.1} s",
        counted(done.made, "case"),
        done.reused,
        done.bytes,
        elapsed.as_secs_f64()
    )
}

fn clean_package(package: &Package, engine: &Engine) -> Result<ExitStatus> {
    let done = generate::clean(package, engine.store())?;
    for finding in &done.findings {
        print_message!("  {}: {finding}", package.name);
    }
    print_text(&format!("{}: {} generated files removed\n", package.name, done.removed.len()))?;
    Ok(ExitStatus::Success)
}
