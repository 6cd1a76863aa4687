//! `kopek mutate`: finds mistakes that the tests miss.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::{FreshOption, MachineOptions},
    named_packages::load_with_warnings,
    progress_bars::HuntProgress,
    terminal_output::{OutputFormat, print_document, print_json},
    time_span::parse_time_span,
};
use crate::{
    class::read_program,
    exec::{Engine, local_executor},
    mutate::{MutationRequest, mutate},
    package::{Package, Submission},
    render,
    results::{MutantFate, MutationReport},
};
use anyhow::{Result, bail};
use std::{path::PathBuf, time::Duration};

#[derive(clap::Args)]
#[command(after_help = "\
A mutant is an accepted submission with one small mistake. If it passes the tests, kopek hunts for an input that \
kills it, as `kopek stress` does, and prints that input.\n\n\
Exit codes: 0 the tests miss no mutant; 1 they miss one; 2 error; 3 some mutants were not tested; 130 interrupted.")]
pub(super) struct Args {
    /// Problem package
    package: PathBuf,
    /// Accepted submissions to mutate [default: the first in a supported language]
    submissions: Vec<PathBuf>,
    /// Time for everything: 30s, 10m; a tenth of it to hunt survivors
    #[arg(long, value_name = "TIME", value_parser = parse_time_span, default_value = "10m")]
    budget: Duration,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

/// Maximum number of mutants of a submission; more are spread evenly over it.
const MAX_MUTANTS: usize = 300;

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Checked first, because a mistyped path must not create a store.
    if !args.package.join("problem.yaml").exists() {
        bail!("{}: no problem.yaml here: not a problem package", args.package.display());
    }
    let files = args.submissions.iter().map(|path| read_program(path)).collect::<Result<Vec<_>>>()?;
    let machine = args.machine.open_with_warning()?;
    args.fresh.apply(&machine);
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let engine = Engine::new(&machine, &executor, &stop);
    let loaded = load_with_warnings(&args.package, &engine)?;
    let submissions = files.into_iter().map(|file| in_package(&loaded.package, file)).collect();
    let hunt = args.budget / 10;
    let request = MutationRequest { submissions, most: MAX_MUTANTS, budget: args.budget, hunt };
    let mut progress = HuntProgress::new(&loaded.package.name, MAX_MUTANTS);
    let report =
        mutate(&engine, &loaded.package, &loaded.tests, &request, &mut |step| progress.show_step(&step));
    progress.close();
    let report = report?;
    match args.format {
        OutputFormat::Text => print_document(&render::mutation_document(&report))?,
        OutputFormat::Json => print_json(&serde_json::to_value(&report)?)?,
    }
    Ok(ExitStatus::of_judging(&stop, &report.faults, complete_status(&report)))
}

/// The package's own entry for this submission, with its settings, else the submission itself.
fn in_package(package: &Package, submission: Submission) -> Submission {
    let path = |one: &Submission| one.source.root.join(one.source.files.first()?).canonicalize().ok();
    let given = path(&submission);
    let own = package.submissions.iter().find(|own| given.is_some() && path(own) == given);
    own.cloned().unwrap_or(submission)
}

fn complete_status(report: &MutationReport) -> ExitStatus {
    let has = |is_meant: fn(&MutantFate) -> bool| report.mutants.iter().any(|(_, fate)| is_meant(fate));
    if has(|fate| matches!(fate, MutantFate::Proven(_))) {
        ExitStatus::Negative
    } else if has(|fate| *fate == MutantFate::Unknown) {
        ExitStatus::Faults
    } else {
        ExitStatus::Success
    }
}
