//! `kopek limits`: compares all submissions of a package with its time limit.

use super::{
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
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
    verify::{LimitRequest, LimitWritten, VerificationStep, survey_limits, write_limit},
};
use anyhow::Result;
use std::{path::PathBuf, sync::atomic::Ordering};

#[derive(clap::Args)]
#[command(after_help = "\
Runs that decide the limit are measured four times, alone; the fastest counts.\n\n\
Exit codes: 0 the limit has room on both sides, or was written; 1 it has not, or is missing; 2 error; \
3 some runs were not measured; 130 interrupted.")]
pub(super) struct Args {
    /// Packages, or folders of packages
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<PathBuf>,
    /// Write the proposed limit into problem.yaml
    #[arg(long)]
    write: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten, next_help_heading = "Machine")]
    machine: MachineOptions,
}

struct SurveyedPackage {
    report: LimitReport,
    /// Why the limit was not written, if it should have been.
    refused: Option<anyhow::Error>,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let found = find_packages(&args.packages)?;
    let machine = args.machine.open_with_warning()?;
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
        print_json(&all.iter().map(|one| &one.report).collect::<Vec<_>>())?;
    }
    // Last, so that the results are never lost.
    all.iter().filter_map(|one| one.refused.as_ref()).for_each(|error| print_message!("error: {error:#}"));
    let statuses = all.iter().map(exit_status).max().unwrap_or(ExitStatus::Success);
    Ok(if stop.load(Ordering::Relaxed) { ExitStatus::Interrupted } else { statuses })
}

impl Args {
    fn survey(&self, loaded: &LoadedPackage, session: &GradeSession) -> Result<SurveyedPackage> {
        let LoadedPackage { package, tests, .. } = loaded;
        let mut progress = JudgingProgress::new(&package.name);
        let report = survey_limits(&LimitRequest { package, tests, session }, &mut |step| {
            if let VerificationStep::Judging(event) = step {
                progress.show_event(&event);
            }
        });
        progress.close();
        let mut report = report?;
        if self.format == OutputFormat::Text {
            print_document(&limits_document(&report))?;
        }
        if !self.write {
            return Ok(SurveyedPackage { report, refused: None });
        }
        // After the picture, which shows why nothing is written.
        let path = package.dir.join("problem.yaml");
        let path = path.display();
        match write_limit(package, &report) {
            Ok(LimitWritten::Written(limit)) => {
                print_message!("wrote `time_limit: {}` to {path}", limit.as_secs_f64());
                report.written = true;
            }
            Ok(LimitWritten::Unchanged(limit)) => {
                print_message!("{path} has `time_limit: {}` already", limit.as_secs_f64());
                report.written = true;
            }
            Err(error) => return Ok(SurveyedPackage { report, refused: Some(error) }),
        }
        Ok(SurveyedPackage { report, refused: None })
    }
}

fn exit_status(one: &SurveyedPackage) -> ExitStatus {
    if !one.report.faults.is_empty() {
        ExitStatus::Faults
    } else if one.refused.is_some() {
        ExitStatus::Refused
    } else if one.report.written || one.report.fits {
        ExitStatus::Success
    } else {
        ExitStatus::Negative
    }
}
