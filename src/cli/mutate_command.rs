//! `kopek mutate`: which mistakes the tests would miss.

use super::{
    exit_status::ExitStatus,
    foreign_folders::ForeignFolders,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    named_packages::load_package,
    program_files::read_program,
    progress_bars::HuntProgress,
    report_options::empty_report,
    terminal_output::{OutputFormat, print_json, print_message, print_text, terminal_page},
    time_span::parse_time_span,
};
use crate::{
    base::files::write_atomic,
    exec::{Engine, local_executor},
    last_results::remember_mutation,
    mutate::{self, MutantFate, MutationReport, MutationRequest, mutate},
    package::{Package, Submission},
};
use anyhow::{Result, bail};
use std::{path::PathBuf, time::Duration};

#[derive(clap::Args)]
#[command(after_help = "\
A mutant is an accepted submission with one small mistake: another comparison, a constant off by one, a dropped \
statement. One that no test kills is hunted as by `kopek stress`: if an input kills it, the tests miss a mistake, and \
the input is printed; if none is found, it is probably equivalent to the original.

Exit codes: 0 the tests miss nothing; 1 they miss a mutant; 2 the request cannot be done; 3 not everything was tried \
(out of time, or faults that are listed); 130 interrupted.")]
pub(super) struct Args {
    /// The problem package
    package: PathBuf,
    /// Accepted submissions to change [default: the package's first in C, C++, Java, Python or Rust]
    submissions: Vec<PathBuf>,
    /// Mutants of each submission at most, spread over its text
    #[arg(long, value_name = "N", default_value_t = 300)]
    most: usize,
    /// How long it may take in all
    #[arg(long, value_name = "TIME", value_parser = parse_time_span, default_value = "10m")]
    budget: Duration,
    /// How long survivors are hunted at most
    #[arg(long, value_name = "TIME", value_parser = parse_time_span, default_value = "60s")]
    hunt: Duration,
    /// The seed of the hunt
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also write a page with the survivors as small diffs to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    machine: MachineOptions,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    // Before anything is opened: a mistyped path must not create a store.
    if !args.package.join("problem.yaml").exists() {
        bail!("{}: no problem.yaml here: not a problem package", args.package.display());
    }
    let files = args.submissions.iter().map(|path| read_program(path)).collect::<Result<Vec<_>>>()?;
    let submissions = args.submissions.iter().map(PathBuf::as_path);
    let foreign = ForeignFolders::of_solutions(submissions, Some(&args.package));
    let machine = args.machine.open_with_warning(&foreign)?;
    let (stop, executor) = (stop_on_interrupt()?, local_executor(&machine));
    let engine = Engine::new(&machine, &executor, &stop);
    let mut warnings = empty_report(&machine);
    let loaded = load_package(&args.package, &engine, &mut warnings)?;
    warnings.warnings.iter().for_each(|warning| print_message!("warning: {warning}"));
    let submissions = files.into_iter().map(|file| in_package(&loaded.package, file)).collect();
    let (most, budget, hunt, seed) = (args.most, args.budget, args.hunt, args.seed);
    let request = MutationRequest { submissions, most, budget, hunt, seed };
    let mut progress = HuntProgress::new(&loaded.package.name, args.most);
    let report =
        mutate(&engine, &loaded.package, &loaded.tests, &request, &mut |step| progress.show_step(&step));
    progress.close();
    let report = report?;
    if !engine.is_stopped() {
        remember_mutation(engine.store(), &args.package, &report)?;
    }
    match args.format {
        OutputFormat::Text => print_text(&mutate::render_mutation(&report, terminal_page()))?,
        OutputFormat::Json => print_json(&mutate::mutation_json(&report))?,
    }
    if let Some(file) = &args.html {
        write_atomic(file, mutate::mutation_page(&report).as_bytes())?;
        print_message!("wrote {}", file.display());
    }
    Ok(ExitStatus::of_judging(&stop, &report.faults, complete_status(&report)))
}

/// A submission of the package has what the package says of it.
fn in_package(package: &Package, submission: Submission) -> Submission {
    let path = |one: &Submission| {
        one.source.files.first().map(|file| one.source.root.join(file).canonicalize().ok())
    };
    let own = package
        .submissions
        .iter()
        .find(|own| path(own).flatten().is_some() && path(own) == path(&submission));
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
