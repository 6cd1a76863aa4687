//! Cases without a verdict, listed once for the whole page, with the remedy.

use crate::open_cases::ways_to_close;
use kopek_base::wording::{counted, one_line};
use kopek_results::{PackageReport, RemarkTopic, Report, RowReport};
use maud::{Markup, html};

/// The open cases of a report.
pub(super) struct OpenCases<'a>(pub &'a Report);

impl OpenCases<'_> {
    /// All of them; nothing if everything was judged.
    pub fn markup(&self) -> Markup {
        let Report { undecided, faults, .. } = self.0;
        html! {
            @if !undecided.is_empty() || !faults.is_empty() {
                section class="fault" {
                    h2 { "Open: not everything was judged" }
                    @if let Some(first) = undecided.first() {
                        p { strong { (counted(undecided.len(), "undecided case")) } }
                        ul { @for case in undecided { li { (one_line(&case.to_string())) } } }
                        p { "To close " @if undecided.len() == 1 { "it" } @else { "one" } ":" }
                        ul { @for way in ways_to_close(first) { li { (one_line(&way)) } } }
                    }
                    @if !faults.is_empty() {
                        p { strong { (counted(faults.len(), "fault")) } }
                        ul { @for fault in faults { li { (one_line(&fault.to_string())) } } }
                        p { "Where a line asks for a decision, make it. Otherwise run the same command again: finished results are kept." }
                    }
                }
            }
        }
    }

    /// Whether the list says this of a row.
    pub fn lists(&self, package: &PackageReport, row: &RowReport, topic: RemarkTopic) -> bool {
        match topic {
            RemarkTopic::NotJudged => true,
            RemarkTopic::JudgeError => {
                self.0.faults.iter().any(|fault| fault.package == package.name && fault.what == row.card.name)
            }
            RemarkTopic::Decision | RemarkTopic::Deduction | RemarkTopic::Other => false,
        }
    }
}
