//! Output of a report: format and place.
#![expect(clippy::disallowed_methods, reason = "GitHub sets variables")]

use super::terminal_output::{print_message, print_text, terminal_page};
use crate::{
    course::write_report,
    machine::Machine,
    render::{self, Classroom50Result, Classroom50Run, ReportFormat},
    results::{FeedbackLevel, Notices, Report},
};
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::{
    fs::OpenOptions,
    io::Write,
    path::{Path, PathBuf},
};

/// Options for a report.
#[derive(clap::Args)]
pub(super) struct ReportOptions {
    /// Write all formats, and a page per participant, into DIR
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    format: ReportFormat,
    /// Detail for participants [default: by the package]
    #[arg(long, value_name = "LEVEL", value_parser = level_parser())]
    pub(super) feedback: Option<FeedbackLevel>,
}

fn level_parser() -> impl TypedValueParser<Value = FeedbackLevel> {
    let names = FeedbackLevel::CHOICES.map(FeedbackLevel::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<FeedbackLevel>())
}

fn format_parser() -> impl TypedValueParser<Value = ReportFormat> {
    PossibleValuesParser::new(ReportFormat::NAMES).try_map(|name| ReportFormat::parse(&name))
}

/// An empty report that names the machine and its isolation.
pub(super) fn empty_report(machine: &Machine) -> Report {
    Report {
        isolation: machine.kind.isolation.clone(),
        machine: machine.kind.class.clone(),
        notices: Notices { warnings: machine.warnings(), ..Notices::default() },
        date: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string(),
        ..Report::default()
    }
}

/// Appends to a file that GitHub's workflow names for summaries or outputs.
fn append_github_file(variable: &str, text: &str) -> Result<()> {
    let Some(file) = std::env::var_os(variable).filter(|file| !file.is_empty()) else { return Ok(()) };
    let open = OpenOptions::new().append(true).create(true).open(&file);
    let written = open.and_then(|mut open| open.write_all(text.as_bytes()));
    written.with_context(|| format!("write {}, which {variable} names", Path::new(&file).display()))
}

/// The submission, as described by the runner of Classroom 50.
fn classroom50_run() -> Result<Classroom50Run> {
    let optional = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let value = |name: &str| {
        optional(name).with_context(|| format!("{name} is not set; the runner of Classroom 50 sets it"))
    };
    let commit = value("COMMIT_URL")?;
    Ok(Classroom50Run {
        classroom: value("CLASSROOM")?,
        assignment: value("ASSIGNMENT")?,
        submission: value("SUBMISSION_TAG")?,
        release: value("RELEASE_URL")?,
        review: optional("REVIEW_URL").unwrap_or_else(|| commit.clone()),
        commit,
    })
}

fn show_classroom50(report: &Report) -> Result<()> {
    let result = Classroom50Result::of(report, Some(classroom50_run()?))?;
    append_github_file("GITHUB_OUTPUT", &format!("summary={}\n", result.summary()))?;
    print_text(&result.text())
}

impl ReportOptions {
    /// Whether the report is printed as text.
    pub(super) fn is_for_people(&self) -> bool {
        self.format == ReportFormat::Text
    }

    /// Prints the report and writes its files.
    pub(super) fn show(&self, report: &Report, out: Option<&Path>) -> Result<()> {
        match self.format {
            ReportFormat::Classroom50 => show_classroom50(report)?,
            ReportFormat::Text if report.since.is_some() => {
                print_text(&render::render_changed_rows(report, terminal_page()))?;
            }
            format => print_text(&render::render(report, format, terminal_page()))?,
        }
        if self.format == ReportFormat::Github {
            append_github_file("GITHUB_STEP_SUMMARY", &render::github_summary(report))?;
        }
        if let Some(dir) = out {
            write_report(dir, &render::report_files(report))?;
            print_message!("wrote the report to {}", dir.display());
        }
        Ok(())
    }
}
