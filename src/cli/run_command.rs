//! `kopek run`: one solution, with what went wrong.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    judging::{JudgingOptions, judge_cohort},
    machine_options::MachineOptions,
    named_packages::load_package,
    report_options::empty_report,
    terminal_output::{print_text, terminal_page, write_case_pictures},
};
use crate::{
    cohort,
    exec::Engine,
    grade::{PictureRequest, draw_cases, package_report},
    report::{self, Audience},
    score::State,
    verdict::Verdict,
};
use anyhow::{Context, Result};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Exit codes: 0 accepted; 1 not accepted; 2 the request cannot be done; \
3 not everything was judged; 130 interrupted.")]
pub(super) struct Args {
    /// The problem package
    package: PathBuf,
    /// The solution: a file or a directory
    solution: PathBuf,
    /// Draw the cases that were run, and what the solution did, into this directory
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    machine: MachineOptions,
}

/// Judges one solution and shows samples first, then groups, and the first difference.
pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Before anything is opened: a mistyped path must not create a store.
    let cohort = [cohort::read_single(&args.solution)?];
    let machine = args.machine.open()?;
    let (stop, executor) = (stop_on_interrupt()?, machine.executor());
    let engine = Engine::new(&machine, &executor, &stop);
    let session = args.judging.session(engine);
    let mut report = empty_report(&machine);
    let loaded = load_package(&args.package, &engine, &mut report)?;
    for warning in &report.warnings {
        eprintln!("warning: {warning}");
    }
    let judged = judge_cohort(&session, &loaded, &cohort, &mut report)?;
    let results = package_report(&loaded.package, &loaded.tests, &judged);
    print_text(&report::render_details(&results, &results.rows[0], Audience::Judge, terminal_page()))?;
    if let Some(dir) = &args.pictures {
        let cases: Vec<usize> = (0..judged.plan.cases.len()).collect();
        let (package, tests) = (&loaded.package, &loaded.tests);
        let request = PictureRequest { package, tests, judged: &judged, cases: &cases };
        write_case_pictures(dir, &draw_cases(&engine, request, 0).context("draw pictures")?)?;
    }
    for fault in &report.faults {
        eprintln!("fault: {fault}");
    }
    let accepted = judged.cards[0].state == State::Decided(Verdict::Accepted);
    let complete = if accepted { ExitStatus::Success } else { ExitStatus::Negative };
    Ok(ExitStatus::of_judging(&stop, &report.faults, complete))
}
