//! `kopek run`: one solution, with what went wrong.

use super::{
    grade::{Judging, files, interrupt, judge, single},
    packages::{self, Ready},
    shown::{self, keep_album, page, print},
    workshop::Tools,
};
use crate::{
    exec::Workshop,
    grade::{Judged, Session, package_report, pictures},
    package::Package,
    report::{self, Reader},
    score::State,
    verdict::Verdict,
};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::Ordering,
    time::Instant,
};

/// Arguments of `kopek run`.
#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 accepted; 1 not accepted; 2 the request cannot be done; \
3 not everything was judged; 130 interrupted.")]
pub struct Args {
    /// The problem package
    package: PathBuf,
    /// The solution: a file or a directory
    solution: PathBuf,
    /// Draw the cases that were run, and what the solution did, into this directory
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    tools: Tools,
}

/// Judges one solution and shows samples first, then groups, and the first difference.
pub fn run(args: Args) -> Result<ExitCode> {
    let start = Instant::now();
    let hand_ins = single(&args.solution)?;
    let workshop = args.tools.open(None)?;
    let stop = interrupt()?;
    let executor = workshop.executor();
    let session = Session {
        workshop: &workshop,
        executor: &executor,
        thoroughness: args.judging.thoroughness(),
        reading: args.judging.reading(),
        stop: &stop,
    };
    let mut report = shown::report(&workshop);
    let Ready { package, tests, .. } = packages::ready(&args.package, &workshop, &mut report)?;
    for warning in &report.warnings {
        eprintln!("warning: {warning}");
    }
    let judged = judge(&session, &package, &tests, &hand_ins, &mut report)?;
    report.elapsed = start.elapsed();
    let shown = package_report(&package, &tests, &judged, &files(&hand_ins));
    print(&report::details(&shown, &shown.rows[0], Reader::Judge, page()))?;
    if let Some(dir) = &args.pictures {
        draw(dir, &workshop, &package, &judged)?;
    }
    for fault in &report.faults {
        eprintln!("fault: {fault}");
    }
    let accepted = judged.cards[0].state == State::Decided(Verdict::Accepted);
    Ok(ExitCode::from(match (stop.load(Ordering::Relaxed), report.faults.is_empty(), accepted) {
        (true, _, _) => 130,
        (false, false, _) => 3,
        (false, true, true) => 0,
        (false, true, false) => 1,
    }))
}

/// Draws every case; visualizers that fail are told and change nothing else.
fn draw(dir: &Path, workshop: &Workshop, package: &Package, judged: &Judged) -> Result<()> {
    let cases: Vec<usize> = (0..judged.plan.cases.len()).collect();
    let album = pictures(workshop, package, judged, 0, &cases).context("draw pictures")?;
    keep_album(dir, &album)
}
