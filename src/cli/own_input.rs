//! `--input`: runs the solution on the user's own input, without an answer.

use super::{
    exit_status::ExitStatus,
    judging::judge_cohort,
    named_packages::LoadedPackage,
    report_options::empty_report,
    terminal_output::{print_aside, print_message, print_output},
};
use crate::{
    base::ScratchDir,
    exec::Engine,
    grade::{GradeSession, JudgedCohort, keep_outputs, package_report},
    package::{Judge, LooseCase, Participant, loose_tests},
    plan::Trial,
    render::{self, Page},
    results::Notices,
    verdict::Verdict,
};
use anyhow::{Context, Result, bail};
use std::{
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// Maximum length of an input.
const MAX_LENGTH: u64 = 1 << 30;

/// Runs the only participant, prints its output, and prints how it ended to standard error.
pub(super) fn run_on_input(
    session: &GradeSession,
    loaded: LoadedPackage,
    input: &Path,
    cohort: &[Participant],
    mut notices: Notices,
    stop: &AtomicBool,
) -> Result<ExitStatus> {
    let kind = loaded.package.kind;
    if kind.interactive || kind.multi_pass || kind.submit_answer {
        bail!("--input does not work with interactive, multi-pass and submit-answer problems");
    }
    let aside = ScratchDir::new().context("make a directory for the input")?;
    let loaded = on_input(loaded, input, aside.path())?;
    let judged = judge_cohort(session, &loaded, cohort)?.note_in(&mut notices);
    let mut report = empty_report(session.engine.machine);
    report.notices.add(notices);
    report.notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
    render::open_lines(&report).iter().for_each(|line| print_message!("not judged: {line}"));
    let faults = report.all_faults();
    let results = package_report(&loaded.package, &loaded.tests, &judged);
    let row = &results.rows[0];
    match row.cases.first().and_then(|case| case.trial.as_ref()) {
        Some(trial) if faults.is_empty() => {
            print_output(&output_of(&session.engine, &judged)?)?;
            print_message!("{}", render::end_of_run(trial).trim_end());
            Ok(ExitStatus::of_judging(stop, &faults, status_of(trial)))
        }
        Some(_) | None => {
            print_aside(&render::render_run(&results, row, render::RunWords::default(), Page::default()));
            Ok(ExitStatus::of_judging(stop, &faults, ExitStatus::Negative))
        }
    }
}

fn output_of(engine: &Engine, judged: &JudgedCohort) -> Result<Vec<u8>> {
    Ok(keep_outputs(engine, judged, 0, &[0])?.pop().and_then(|(_, output)| output).unwrap_or_default())
}

/// Without an answer only the way the program ended counts.
fn status_of(trial: &Trial) -> ExitStatus {
    match trial.verdict {
        Verdict::Accepted | Verdict::WrongAnswer => ExitStatus::Success,
        _ => ExitStatus::Negative,
    }
}

/// The package with this input as the only case.
fn on_input(loaded: LoadedPackage, input: &Path, aside: &Path) -> Result<LoadedPackage> {
    let answer = aside.join("answer");
    fs::write(&answer, "").context("make an empty answer")?;
    let input = if input == Path::new("-") { read_stdin(aside.join("input"))? } else { input.to_owned() };
    let case = LooseCase { name: "input".into(), input, answer };
    let mut package = loaded.package;
    package.judge = Judge::Default;
    package.static_validator = None;
    package.grader = None;
    package.kind.scoring = false;
    Ok(LoadedPackage::new(package, loose_tests("sample", &[case], &[])?))
}

fn read_stdin(to: PathBuf) -> Result<PathBuf> {
    let mut file = File::create(&to).with_context(|| format!("write {}", to.display()))?;
    let read = std::io::copy(&mut std::io::stdin().lock().take(MAX_LENGTH + 1), &mut file);
    if read.context("read standard input")? > MAX_LENGTH {
        bail!("standard input is longer than 1 GiB");
    }
    Ok(to)
}
