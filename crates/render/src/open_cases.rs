//! Open cases at the end of a judging, as lines and on the page of the class: a line for each case, one line for all with
//! the same cause, and the remedy.

use super::{csv_cells::write_records, html::frame::folded};
use kopek_base::wording::{counted, one_line, shortened};
use kopek_package::{
    language::MissingToolchain,
    package::{CaseDecision, Subject},
    verdict::Verdict,
};
use kopek_results::{
    Notices, OpenCase, OpenReason, PackageReport, Report, RowReport, UndecidedCase, WayToClose,
};
use maud::{Markup, html};
use std::{collections::BTreeSet, iter};

/// Maximum number of cases named in a line.
const MAX_NAMED: usize = 3;

/// Open cases with their remedies.
pub(super) struct OpenLines {
    /// Languages that this machine lacks: `2 participants need Go: apt install golang-go, then run again`.
    pub(super) languages: Vec<String>,
    /// Cases, one line for each cause.
    pub(super) cases: Vec<String>,
    /// How many cases these are.
    pub(super) number: usize,
}

impl OpenLines {
    pub(super) fn of(report: &Report) -> OpenLines {
        let packages = report.packages.len();
        let mut languages = Vec::new();
        let mut cases = Vec::new();
        let mut number = report.notices.undecided.len();
        for same in by_cause(&report.notices.faults) {
            let (why, remedy) = match &same[0].why {
                OpenReason::Toolchain(missing) => {
                    languages.push(language_line(missing, &same));
                    continue;
                }
                OpenReason::Settle(why) => (why, ""),
                OpenReason::Fault(why) => (why, "; run again"),
            };
            cases.push(cause_line(why, remedy, &same, packages));
            number += same.len();
        }
        let programs = UndecidedCase::by_program(&report.notices.undecided);
        cases.extend(programs.iter().map(|same| undecided_line(same, packages)));
        OpenLines { languages, cases, number }
    }
}

/// All open cases; those with the same cause share a line.
pub fn open_lines(report: &Report) -> Vec<String> {
    let OpenLines { languages, cases, .. } = OpenLines::of(report);
    languages.into_iter().chain(cases).collect()
}

/// Cases with the same cause are together; causes are in the order of their first case.
fn by_cause(all: &[OpenCase]) -> Vec<Vec<&OpenCase>> {
    let mut causes: Vec<Vec<&OpenCase>> = Vec::new();
    for case in all {
        match causes.iter_mut().find(|same| same[0].why == case.why) {
            Some(same) => same.push(case),
            None => causes.push(vec![case]),
        }
    }
    causes
}

fn language_line(missing: &MissingToolchain, same: &[&OpenCase]) -> String {
    // A participant who needs it for two packages counts once.
    let names: BTreeSet<&str> = same.iter().map(|case| case.what.as_str()).collect();
    let who = match names.first() {
        Some(name) if names.len() == 1 => format!("{name} needs"),
        _ => format!("{} need", counted(names.len(), "participant")),
    };
    one_line(&format!("{who} {}", missing.how_to_install()))
}

fn cause_line(why: &str, remedy: &str, same: &[&OpenCase], packages: usize) -> String {
    let place = |case: &OpenCase| match (case.package.as_str(), case.what.as_str()) {
        ("", what) => what.to_owned(),
        (_, what) if packages <= 1 => what.to_owned(),
        (package, what) => format!("{package}: {what}"),
    };
    let places: Vec<String> = same.iter().map(|case| place(case)).filter(|place| !place.is_empty()).collect();
    one_line(&match &places[..] {
        [] => format!("{why}{remedy}"),
        [place] => format!("{place}: {why}{remedy}"),
        places => {
            let named = shortened(places, MAX_NAMED, ", ");
            format!("{} ({named}): {why}{remedy}", counted(places.len(), "case"))
        }
    })
}

fn undecided_line(same: &[&UndecidedCase], packages: usize) -> String {
    let package = if packages <= 1 { String::new() } else { format!("{}: ", same[0].package) };
    one_line(&format!("{package}{}; run again when the machine is idle", UndecidedCase::summary(same)))
}

/// How a case can be closed that no run decided.
pub(super) fn ways_to_close(undecided: &UndecidedCase) -> [String; 3] {
    undecided.ways_to_close().map(|way| match way {
        WayToClose::RunAgain => "run the same command again when the machine is idle".to_owned(),
        WayToClose::MoreTime => "give the participant more time: `participants = { NAME = 1.5 }` in [time] of course.toml".to_owned(),
        WayToClose::Decide { participant, package } => {
            let cells = [participant, package, CaseDecision::ALL, Verdict::TimeLimit.short(), "REASON", "NAME"];
            let row = write_records(iter::once(cells.map(str::to_owned).to_vec()));
            format!(
                "decide: add a row to the file of --decisions (participant,package,case,verdict,reason,by); `*` means all \
                    open cases: {}",
                row.trim_end()
            )
        }
    })
}

/// The open cases of a report.
pub(super) struct OpenCases<'a>(pub &'a Report);

impl OpenCases<'_> {
    /// All of them; nothing if everything was judged.
    pub fn markup(&self) -> Markup {
        let Notices { undecided, faults, .. } = &self.0.notices;
        let programs = UndecidedCase::by_program(undecided);
        let packages = self.0.packages.len();
        let title = |count, what| html! { strong { (counted(count, what)) } };
        html! {
            @if !undecided.is_empty() || !faults.is_empty() {
                section class="fault" {
                    h2 { "Open: not everything was judged" }
                    @if let Some(first) = undecided.first() {
                        @let list = html! { ul { @for case in &programs { li { (undecided_line(case, packages)) } } } };
                        (folded(&title(undecided.len(), "undecided case"), programs.len(), &list))
                        p { "To close " @if undecided.len() == 1 { "it" } @else { "one" } ":" }
                        ul { @for way in ways_to_close(first) { li { (one_line(&way)) } } }
                    }
                    @if !faults.is_empty() {
                        @let list = html! { ul { @for fault in faults { li { (one_line(&fault.to_string())) } } } };
                        (folded(&title(faults.len(), "fault"), faults.len(), &list))
                        p { "Where a line asks for a decision, make it. Otherwise run the same command again: finished results are kept." }
                    }
                }
            }
        }
    }

    /// Whether the list says this of a row.
    pub fn lists(&self, package: &PackageReport, row: &RowReport, about: &Subject) -> bool {
        let is_of_row = |fault: &OpenCase| fault.package == package.name && fault.what == row.card.name;
        let is_fault = *about == Subject::Validators && self.0.notices.faults.iter().any(is_of_row);
        is_fault || *about == Subject::Open
    }
}
