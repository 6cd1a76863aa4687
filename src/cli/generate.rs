//! `kopek generate`: the test sets of packages, made from their recipes.

use super::{packages, progress::Making, workshop::Tools};
use crate::{
    exec::Workshop,
    generate::{self, Generated, How, lock},
    package::{self, Package, Severity},
};
use anyhow::{Context, Result};
use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    process::ExitCode,
    time::{Duration, Instant},
};

/// Arguments of `kopek generate`.
#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 all test sets are there; 1 files differ from generators/lock.toml; \
2 the request cannot be done; 3 we failed (faults are listed); 4 a package is unsound.")]
pub struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Make everything again without writing it, doubt every generator, compare with the lock
    #[arg(long, conflicts_with_all = ["update", "clean"])]
    check: bool,
    /// Write generators/lock.toml, the digests of what was made
    #[arg(long, conflicts_with = "clean")]
    update: bool,
    /// Remove what was generated and not changed since
    #[arg(long)]
    clean: bool,
    #[command(flatten)]
    tools: Tools,
}

/// How it ended, worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Well,
    Differs,
    Fault,
    Unsound,
}

impl End {
    fn code(self) -> u8 {
        match self {
            End::Well => 0,
            End::Differs => 1,
            End::Fault => 3,
            End::Unsound => 4,
        }
    }
}

/// Generates.
pub fn run(args: Args) -> Result<ExitCode> {
    let found = packages::find(&args.packages)?;
    let workshop = args.tools.open_and_tell()?;
    let mut end = End::Well;
    for dir in &found {
        end = end.max(one(&args, dir, &workshop).with_context(|| format!("generate {}", dir.display()))?);
    }
    Ok(ExitCode::from(end.code()))
}

fn one(args: &Args, dir: &Path, workshop: &Workshop) -> Result<End> {
    let start = Instant::now();
    let reading = package::read(dir)?;
    let Some(package) = reading.package else {
        reading.findings.iter().for_each(|finding| eprintln!("{}: {finding}", dir.display()));
        return Ok(End::Unsound);
    };
    if args.clean {
        return clean(&package, workshop);
    }
    if !package.dir.join(generate::recipe::FILE).exists() {
        writeln!(stdout(), "{}: no {}: nothing to generate", package.name, generate::recipe::FILE)?;
        return Ok(End::Well);
    }
    let how = if args.check { How::Again } else { How::Stale };
    let mut progress = Making::new(&package.name);
    let done = generate::generate(&package, workshop, how, &mut |step| progress.tell(&step))?;
    progress.close();
    tell(&package, &done);
    let lock = judge(args, &package, &done)?;
    writeln!(stdout(), "{}: {}{lock}", package.name, summary(&done, start.elapsed()))?;
    Ok(end(args, &done))
}

fn end(args: &Args, done: &Generated) -> End {
    if !done.faults.is_empty() {
        End::Fault
    } else if !done.is_sound() {
        End::Unsound
    } else if !args.update && (!done.drift.is_empty() || (args.check && !done.locked)) {
        End::Differs
    } else {
        End::Well
    }
}

/// Findings, faults and differences, on standard error.
fn tell(package: &Package, done: &Generated) {
    let name = &package.name;
    for finding in &done.findings {
        let word = if finding.severity == Severity::Error { "" } else { "  " };
        eprintln!("{word}{name}: {finding}");
    }
    done.faults.iter().for_each(|fault| eprintln!("{name}: fault: {fault}"));
    done.removed.iter().for_each(|file| eprintln!("  {name}: removed {file}: no rule names it now"));
    done.replaced
        .iter()
        .for_each(|file| eprintln!("  {name}: replaced {file}: it was not as kopek makes it"));
}

/// Compares with the lock, or writes it; what there is to say about it.
fn judge(args: &Args, package: &Package, done: &Generated) -> Result<String> {
    if !done.is_sound() {
        return Ok(String::new());
    }
    if args.update {
        lock::write(&package.dir, &done.files)?;
        return Ok(format!("; {} holds {} digests", lock::FILE, done.files.len()));
    }
    if !done.locked {
        return Ok(format!("; no {} yet: --update writes it", lock::FILE));
    }
    for drift in &done.drift {
        eprintln!("{}: {drift}", package.name);
    }
    Ok(match done.drift.len() {
        0 => "; as the lock says".to_owned(),
        n => format!("; {n} files differ from {}: if that is right, --update", lock::FILE),
    })
}

fn summary(done: &Generated, elapsed: Duration) -> String {
    let failed = if done.failed > 0 { format!("{} cases FAILED, ", done.failed) } else { String::new() };
    let cases = if done.made == 1 { "case" } else { "cases" };
    format!(
        "{failed}{} {cases} made, {} reused, {}, {:.1} s",
        done.made,
        done.reused,
        done.bytes,
        elapsed.as_secs_f64()
    )
}

fn clean(package: &Package, workshop: &Workshop) -> Result<End> {
    let done = generate::clean(package, workshop)?;
    for finding in &done.findings {
        eprintln!("  {}: {finding}", package.name);
    }
    writeln!(stdout(), "{}: {} generated files removed", package.name, done.removed.len())?;
    Ok(End::Well)
}
