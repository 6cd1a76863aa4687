//! `kopek limits`: compares all submissions of a package with its time limit.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::{FreshOption, MachineOptions},
    named_packages::load_package,
    progress_bars::JudgingProgress,
    terminal_output::{OutputFormat, print_document, print_json, print_message},
};
use crate::{
    exec::{Engine, local_executor},
    grade::{GradeSession, Thoroughness},
    loading::{LoadedPackage, find_packages},
    render::limits_document,
    results::{LimitReport, Noticed},
    verify::{LimitRequest, VerificationStep, survey_limits},
};
use anyhow::Result;
use std::{path::PathBuf, sync::atomic::Ordering};

#[derive(clap::Args)]
#[command(after_help = "\
Runs that decide the limit are measured four times, alone; the fastest counts.\n\n\
Exit codes: 0 the limit has room on both sides; 1 it has not, or is missing; 2 error; \
3 some runs were not measured; 130 interrupted.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
    #[command(flatten, next_help_heading = "Machine")]
    fresh: FreshOption,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let found = find_packages(&args.packages)?;
    let machine = args.machine.open_with_warning()?;
    args.fresh.apply(&machine);
    let stop = stop_on_interrupt()?;
    let executor = local_executor(&machine);
    let session = GradeSession::usual(Engine::new(&machine, &executor, &stop), Thoroughness::Sparing);
    let mut all = Vec::new();
    for dir in &found {
        let Noticed { value: loaded, notices } = load_package(dir, &session.engine)?;
        notices.warnings.iter().for_each(|warning| print_message!("{warning}"));
        all.push(args.survey(&loaded, &session)?);
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    if args.format == OutputFormat::Json {
        print_json(&all)?;
    }
    let statuses = all.iter().map(exit_status).max().unwrap_or(ExitStatus::Success);
    Ok(if stop.load(Ordering::Relaxed) { ExitStatus::Interrupted } else { statuses })
}

impl Args {
    fn survey(&self, loaded: &LoadedPackage, session: &GradeSession) -> Result<LimitReport> {
        let LoadedPackage { package, tests, .. } = loaded;
        let mut progress = JudgingProgress::new(&package.name);
        let report = survey_limits(&LimitRequest { package, tests, session }, &mut |step| {
            if let VerificationStep::Judging(event) = step {
                progress.show_event(&event);
            }
        });
        progress.close();
        let report = report?;
        if self.format == OutputFormat::Text {
            print_document(&limits_document(&report))?;
        }
        Ok(report)
    }
}

fn exit_status(report: &LimitReport) -> ExitStatus {
    if !report.faults.is_empty() {
        ExitStatus::Faults
    } else if report.fits {
        ExitStatus::Success
    } else {
        ExitStatus::Negative
    }
}
