//! The formats of a report.

use super::{
    classroom50_report, csv_report, github_report, gradescope_report,
    html::{ClassView, class_page},
    json_report,
    page::Page,
    text_report,
};
use kopek_results::{Report, public_report};

/// A way of showing a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReportFormat {
    #[default]
    Text,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv,
    /// For Gradescope's autograder: `results.json`.
    Gradescope,
    /// For GitHub's workflows: annotations.
    Github,
    /// For the runner of Classroom 50: the tests of `result.json`.
    Classroom50,
    /// For browsers.
    Html,
}

/// A word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a report format; there are {names}", names = ReportFormat::NAMES.join(", "))]
pub struct UnknownFormat(pub String);

impl ReportFormat {
    /// Their names, in the order of the type.
    pub const NAMES: [&str; 7] = ["text", "json", "csv", "gradescope", "github", "classroom50", "html"];

    /// The format of a name.
    pub fn parse(name: &str) -> Result<ReportFormat, UnknownFormat> {
        match name {
            "text" => Ok(ReportFormat::Text),
            "json" => Ok(ReportFormat::Json),
            "csv" => Ok(ReportFormat::Csv),
            "gradescope" => Ok(ReportFormat::Gradescope),
            "github" => Ok(ReportFormat::Github),
            "classroom50" => Ok(ReportFormat::Classroom50),
            "html" => Ok(ReportFormat::Html),
            _ => Err(UnknownFormat(name.to_owned())),
        }
    }
}

/// Renders a report in a format. What other systems read is shown to participants there.
pub fn render(report: &Report, format: ReportFormat, page: Page) -> String {
    match format {
        ReportFormat::Text => text_report::render(report, page.usable()),
        ReportFormat::Json => json_report::render(report),
        ReportFormat::Csv => csv_report::render(report),
        ReportFormat::Gradescope => gradescope_report::render(&public_report(report)),
        ReportFormat::Github => github_report::render(&public_report(report)),
        ReportFormat::Classroom50 => classroom50_report::render(&public_report(report)),
        ReportFormat::Html => class_page(report, ClassView::default()),
    }
}
