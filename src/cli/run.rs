//! `kopek run`: one solution, with what went wrong.

use super::{
    grade::{Judging, interrupt, one, single},
    packages::{self, Ready},
    shown::{self, page, print},
    workshop::Tools,
};
use crate::{
    grade::Session,
    report::{self, Reader},
    score::State,
    verdict::Verdict,
};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode, sync::atomic::Ordering, time::Instant};

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
    let package = one(&session, &package, &tests, &hand_ins, &mut report)?;
    report.elapsed = start.elapsed();
    print(&report::details(&package, &package.rows[0], Reader::Judge, page()))?;
    for fault in &report.faults {
        eprintln!("fault: {fault}");
    }
    let accepted = package.rows[0].card.state == State::Decided(Verdict::Accepted);
    Ok(ExitCode::from(match (stop.load(Ordering::Relaxed), report.faults.is_empty(), accepted) {
        (true, _, _) => 130,
        (false, false, _) => 3,
        (false, true, true) => 0,
        (false, true, false) => 1,
    }))
}
