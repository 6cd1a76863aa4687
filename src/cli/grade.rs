//! `kopek grade`: a folder of hand-ins against one package or several.

use super::{
    packages::{self, Ready},
    progress::Progress,
    shown::{Shown, keep_album},
    workshop::Tools,
};
use crate::{
    cohort::{self, HandIn},
    exec::Workshop,
    grade::{
        Judged, Preparation, Session, Thoroughness, package_report, pictures_of_inputs, pictures_of_outputs,
    },
    package::{Package, TestSet},
    report::Report,
    score::Reading,
};
use anyhow::{Context, Result, bail};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

/// Arguments of `kopek grade`.
#[derive(clap::Args)]
#[command(
    override_usage = "kopek grade [OPTIONS] <PACKAGE>... <COHORT>",
    after_help = "\
Exit codes: 0 everything was judged; 2 the request cannot be done; \
3 not everything was judged (faults are listed); 4 everything was judged, but a package has errors \
(listed): not as declared; 130 interrupted."
)]
pub struct Args {
    /// Packages (or folders of packages), then the folder of hand-ins
    #[arg(required = true, num_args = 2.., value_names = ["PACKAGE", "COHORT"])]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    shown: Shown,
    /// Also draw the cases, and what everybody did on them, into `pictures` below the directory of
    /// --out; programs run again for it
    #[arg(long, requires = "out")]
    pictures: bool,
    #[command(flatten)]
    tools: Tools,
}

/// How is judged.
#[derive(clap::Args)]
pub struct Judging {
    /// Run every case, also those that can no longer change the score
    #[arg(long)]
    pub all: bool,
    /// Whose reading of legacy packages' scores
    #[arg(long, value_name = "WHOSE", default_value = "kattis", value_parser = ["kattis", "domjudge"])]
    pub scoring: String,
}

impl Judging {
    /// How many of the cases are run.
    pub fn thoroughness(&self) -> Thoroughness {
        if self.all { Thoroughness::All } else { Thoroughness::Needed }
    }

    /// Whose reading of legacy packages' scores.
    pub fn reading(&self) -> Reading {
        if self.scoring == "domjudge" { Reading::Domjudge } else { Reading::Kattis }
    }
}

/// Grades.
pub fn run(args: Args) -> Result<ExitCode> {
    let start = Instant::now();
    let (folder, places) = args.paths.split_last().context("no folder of hand-ins given")?;
    let found = packages::find(places)?;
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
    let mut report = super::shown::report(&workshop);
    let mut unsound = 0;
    for dir in &found {
        let Ready { package, tests, errors, .. } = packages::ready(dir, &workshop, &mut report)?;
        unsound += errors;
        let hand_ins = cohort::read(folder, &package.name, found.len() > 1)?;
        let judged = judge(&session, &package, &tests, &hand_ins, &mut report)?;
        if let Some(out) = args.shown.out.as_ref().filter(|_| args.pictures) {
            draw(&out.join("pictures").join(&package.name), &workshop, &package, &judged)?;
        }
        report.packages.push(package_report(&package, &tests, &judged, &files(&hand_ins)));
    }
    report.elapsed = start.elapsed();
    args.shown.show(&report, unsound, &stop)
}

/// Ctrl-C stops handing out jobs; pressed again it ends the process at once.
pub fn interrupt() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, stop.clone())
            .and_then(|_| signal_hook::flag::register(signal, stop.clone()))
            .context("listen for Ctrl-C")?;
    }
    Ok(stop)
}

/// Pictures of the inputs, and a directory for each participant.
fn draw(dir: &Path, workshop: &Workshop, package: &Package, judged: &Judged) -> Result<()> {
    let cases: Vec<usize> = (0..judged.plan.cases.len()).collect();
    let inputs = pictures_of_inputs(workshop, package, judged, &cases).context("draw the inputs")?;
    keep_album(&dir.join("inputs"), &inputs)?;
    for (index, row) in judged.plan.rows.iter().enumerate() {
        let album = pictures_of_outputs(workshop, package, judged, index, &cases);
        let album = album.with_context(|| format!("draw what {} did", row.name))?;
        keep_album(&dir.join("outputs").join(&row.name), &album)?;
    }
    Ok(())
}

/// Judges, with progress; what was done and what failed goes into the report.
pub fn judge(
    session: &Session,
    package: &Package,
    tests: &TestSet,
    hand_ins: &[HandIn],
    report: &mut Report,
) -> Result<Judged> {
    if hand_ins.is_empty() {
        bail!("no hand-ins for {}", package.name);
    }
    let mut progress = Progress::new(&package.name);
    let cohort: Vec<Preparation> = hand_ins.iter().map(preparation).collect();
    let judged = session.judge(package, tests, &cohort, &mut |event| progress.tell(&event));
    progress.close();
    let judged = judged?;
    count(report, package, &judged);
    Ok(judged)
}

/// What was handed in, by its file names.
pub fn files(hand_ins: &[HandIn]) -> Vec<String> {
    hand_ins.iter().map(|hand_in| hand_in.file.clone()).collect()
}

fn preparation(hand_in: &HandIn) -> Preparation<'_> {
    Preparation { name: &hand_in.name, submission: hand_in.submission.as_ref().map_err(String::clone) }
}

fn count(report: &mut Report, package: &Package, judged: &Judged) {
    report.ran += judged.graded.done;
    report.reused += judged.graded.reused;
    let fault =
        |(what, fault): &(String, crate::sandbox::Fault)| format!("{}: {what}: {fault}", package.name);
    report.faults.extend(judged.graded.faults.iter().map(fault));
    for row in &judged.plan.rows {
        if let Err(crate::plan::Unplanned::Ours(why)) = &row.program {
            report.faults.push(format!("{}: {}: {why}", package.name, row.name));
        }
    }
    for card in &judged.cards {
        let named = |what: &String| format!("{}: {}: {what}", package.name, card.name);
        report.faults.extend(card.judge_errors.iter().map(named));
    }
}

/// The one hand-in of a path, named for people.
pub fn single(path: &Path) -> Result<Vec<HandIn>> {
    Ok(vec![cohort::single(path)?])
}
