//! `--input`: runs the solution on the user's own input, without an answer.

use super::{
    exit_status::ExitStatus,
    report_options::empty_report,
    terminal_output::{print_aside, print_message, print_output},
};
use crate::{
    exec::Engine,
    package::missing_path,
    render::{self, Page, RunWords},
    results::Notices,
    solution::{
        SolutionReport, SolutionTests, check_input_kind, output_of_input, run_of_input, tests_on_input,
    },
    verdict::Verdict,
};
use anyhow::{Context, Result, ensure};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// Maximum length of an input.
const MAX_LENGTH: u64 = 1 << 30;

/// The input as the only case. Writes files into the directory `aside`.
pub(super) fn only_input(tests: SolutionTests, input: &Path, aside: &Path) -> Result<SolutionTests> {
    check_input_kind(&tests.package)?;
    let input = if is_stream(input) { read_stream(input, aside.join("input"))? } else { input.to_owned() };
    tests_on_input(tests, &input, aside)
}

/// Prints the output of the run, and to standard error how it ended. The notices are those of loading.
pub(super) fn show_run_on_input(
    engine: &Engine,
    run: &SolutionReport,
    mut notices: Notices,
    stop: &AtomicBool,
) -> Result<ExitStatus> {
    notices.add(run.notices.clone());
    let mut report = empty_report(engine.machine);
    report.notices.add(notices);
    report.notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
    render::open_lines(&report).iter().for_each(|line| print_message!("not judged: {line}"));
    let faults = report.all_faults();
    let status = match run_of_input(run) {
        Some(trial) if faults.is_empty() => {
            print_output(&output_of_input(engine, run)?)?;
            print_message!("{}", render::end_of_run(trial).trim_end());
            // Without an answer only the way the program ended counts.
            let ended_well = matches!(trial.verdict, Verdict::Accepted | Verdict::WrongAnswer);
            if ended_well { ExitStatus::Success } else { ExitStatus::Negative }
        }
        Some(_) | None => {
            let text = render::render_run(&run.results, run.row(), RunWords::default(), Page::default());
            print_aside(&text);
            ExitStatus::Negative
        }
    };
    Ok(ExitStatus::of_judging(stop, &faults, status))
}

/// Fails if there is no input.
pub(super) fn check_input(input: &Path) -> Result<()> {
    ensure!(!input.is_dir(), "read the input {}: it is a directory", input.display());
    if input != Path::new("-") && !input.exists() {
        return Err(missing_path("read the input", input));
    }
    Ok(())
}

/// Standard input, or a pipe of the shell: `<(generator)`.
fn is_stream(input: &Path) -> bool {
    input == Path::new("-") || !input.is_file()
}

fn read_stream(input: &Path, to: PathBuf) -> Result<PathBuf> {
    let act = || format!("read the input {}", input.display());
    let mut from: Box<dyn Read> = if input == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(input).with_context(act)?)
    };
    let mut file = File::create(&to).with_context(|| format!("write {}", to.display()))?;
    let length = std::io::copy(&mut from.by_ref().take(MAX_LENGTH + 1), &mut file).with_context(act)?;
    ensure!(length <= MAX_LENGTH, "{}: it is longer than 1 GiB", act());
    Ok(to)
}
