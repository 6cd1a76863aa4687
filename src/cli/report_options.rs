//! How and where a report is shown.

use super::terminal_output::{print_text, terminal_page};
use crate::{
    base::files::write_atomic,
    exec::{Machine, machine_class},
    report::{self, Report, ReportFormat},
};
use anyhow::Result;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// Options of a report.
#[derive(clap::Args)]
pub(super) struct ReportOptions {
    /// How the results are printed
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = format_parser())]
    format: ReportFormat,
    /// Also write the report in all formats, and feedback per participant, into this directory
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
}

fn format_parser() -> impl TypedValueParser<Value = ReportFormat> {
    PossibleValuesParser::new(ReportFormat::NAMES).try_map(|name| ReportFormat::parse(&name))
}

/// An empty report that names the machine and its isolation.
pub(super) fn empty_report(machine: &Machine) -> Report {
    Report {
        isolation: machine.sandbox.mode_name(),
        machine: machine_class(),
        warnings: machine.sandbox.warnings(),
        ..Report::default()
    }
}

impl ReportOptions {
    /// Prints the report, and writes the files.
    pub(super) fn show(&self, report: &Report) -> Result<()> {
        print_text(&report::render(report, self.format, terminal_page()))?;
        if let Some(dir) = &self.out {
            for (path, text) in report::report_files(report) {
                write_atomic(&dir.join(path), text.as_bytes())?;
            }
            eprintln!("wrote the report to {}", dir.display());
        }
        Ok(())
    }
}
