//! `kopek grade`: a folder of hand-ins against one package or several.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    judging::{JudgingOptions, judge_cohort},
    machine_options::MachineOptions,
    named_packages::{find_packages, load_package},
    report_options::{ReportOptions, empty_report},
    similar_command::GradeSimilarOptions,
    terminal_output::write_case_pictures,
};
use crate::{
    cohort::{self, CohortLayout},
    exec::Engine,
    grade::{PictureRequest, draw_inputs, draw_outputs, package_report},
};
use anyhow::{Context, Result};
use std::{
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(clap::Args)]
#[command(
    override_usage = "kopek grade [OPTIONS] <PACKAGE>... <COHORT>",
    after_help = "\
Exit codes: 0 everything was judged; 2 the request cannot be done; \
3 not everything was judged (faults are listed); 4 everything was judged, but a package has errors \
(listed): not as declared; 130 interrupted."
)]
pub(super) struct Args {
    /// Packages (or folders of packages), then the folder of hand-ins
    #[arg(required = true, num_args = 2.., value_names = ["PACKAGE", "COHORT"])]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    judging: JudgingOptions,
    #[command(flatten)]
    report: ReportOptions,
    /// Also draw the cases, and what every submission did on them, into `pictures` below the directory
    /// of --out; this runs the submissions again
    #[arg(long, requires = "out")]
    pictures: bool,
    #[command(flatten)]
    similar: GradeSimilarOptions,
    #[command(flatten)]
    machine: MachineOptions,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let start = Instant::now();
    let (folder, places) = args.paths.split_last().context("no folder of hand-ins")?;
    let found = find_packages(places)?;
    let machine = args.machine.open()?;
    let (stop, executor) = (stop_on_interrupt()?, machine.executor());
    let engine = Engine::new(&machine, &executor, &stop);
    let similarity = args.similar.read_skeleton(&machine.table)?;
    let session = args.judging.session(engine);
    let mut report = empty_report(&machine);
    // With several packages an entry per participant would not say which package it is for.
    let several = found.len() > 1;
    let layout = if several { CohortLayout::FolderPerParticipant } else { CohortLayout::Detect };
    let mut complete = ExitStatus::Success;
    for dir in &found {
        let loaded = load_package(dir, &engine, &mut report)?;
        if loaded.errors > 0 {
            complete = ExitStatus::Unsound;
        }
        let package = &loaded.package;
        let cohort = cohort::read(folder, &package.name, layout)?;
        let judged = judge_cohort(&session, &loaded, &cohort, &mut report)?;
        if let Some(out) = args.report.out.as_ref().filter(|_| args.pictures) {
            let cases: Vec<usize> = (0..judged.plan.cases.len()).collect();
            let request = PictureRequest { package, tests: &loaded.tests, judged: &judged, cases: &cases };
            draw_pictures(&out.join("pictures").join(&package.name), &engine, request)?;
        }
        if let Some((check, out)) = similarity.as_ref().zip(args.report.out.as_ref()) {
            // The packages' names are names of files already.
            let name = if several { format!("similar-{}", package.name) } else { "similar".to_owned() };
            check.write_package((out, &name), package, &cohort, &machine.table)?;
        }
        report.packages.push(package_report(package, &loaded.tests, &judged));
    }
    report.elapsed = start.elapsed();
    args.report.show(&report)?;
    Ok(ExitStatus::of_judging(&stop, &report.faults, complete))
}

/// Draws the inputs, and a directory for each participant.
fn draw_pictures(dir: &Path, engine: &Engine, request: PictureRequest) -> Result<()> {
    let inputs = draw_inputs(engine, request).context("draw the inputs")?;
    write_case_pictures(&dir.join("inputs"), &inputs)?;
    for (index, row) in request.judged.plan.rows.iter().enumerate() {
        let name = &row.participant.name;
        let drawn = draw_outputs(engine, request, index);
        let drawn = drawn.with_context(|| format!("draw what {name} did"))?;
        write_case_pictures(&dir.join("outputs").join(name), &drawn)?;
    }
    Ok(())
}
