//! The cells of a class in every format: what one of them says about a participant.

use super::{
    csv_cells::{guard_formula, list_cell, points_cell, value_cell},
    html::frame::{ClassView, tone_class},
    phrases::{
        Tone, gives_points, grade_text, group_cell, points_number, points_of_max, seconds_text, short_state,
        tone_of_state,
    },
    text_table::{Cell, MARK},
};
use kopek_base::wording::{counted, one_line};
use kopek_package::{
    package::{Audience, Lateness},
    points::Points,
};
use kopek_plan::score::{GroupScore, State};
use kopek_results::{
    CourseTotals, GroupHead, PackageReport, ResultKind, RowReport, decided_cases, max_total, own_remarks,
    total_points,
};
use kopek_sentences::Said;
use maud::{Markup, html};
use std::time::Duration;

/// A participant's row in the table of one package, or of several.
#[derive(Clone, Copy)]
pub(super) struct ClassRow<'a> {
    pub packages: &'a [PackageReport],
    /// One place per package.
    pub rows: &'a [Option<&'a RowReport>],
    /// Rulings for the whole class.
    pub rules: &'a [Said],
    /// The totals of the class, unless they are the sums of points.
    pub sheet: Option<&'a CourseTotals>,
    pub view: ClassView<'a>,
}

impl<'a> ClassRow<'a> {
    pub(super) fn package(self) -> &'a PackageReport {
        &self.packages[0]
    }

    /// The row of the only package; of several, the first one, which is about the same person.
    pub(super) fn row(self) -> &'a RowReport {
        self.rows.iter().flatten().next().expect("a participant has a row in some package")
    }

    pub(super) fn total(self) -> Option<Points> {
        total_points(self.rows, self.sheet)
    }

    pub(super) fn max_total(self) -> Option<Points> {
        max_total(self.packages, self.sheet)
    }

    fn total_text(self) -> String {
        grade_text(self.rows, self.total().as_ref(), self.max_total().as_ref())
    }
}

/// Remarks on it follow below the table.
pub(super) fn marked_name(row: &RowReport) -> String {
    let is_marked = !own_remarks(row, Audience::Teacher).is_empty() || row.same_as.is_some();
    format!("{}{}", one_line(&row.card.name), if is_marked { MARK } else { "" })
}

/// Seconds where they are known.
pub(super) fn late_cell(late: Option<Lateness>) -> String {
    match late {
        None => String::new(),
        Some(Lateness::Marked) => "late".to_owned(),
        Some(Lateness::By(time)) => time.as_secs().to_string(),
    }
}

pub(super) fn max_of_group<'a>(package: &PackageReport, group: &'a GroupHead) -> Option<&'a Points> {
    if has_points(package, group) { group.max.as_ref() } else { None }
}

fn score_of_group<'a>(row: &'a RowReport, group: &GroupHead) -> Option<&'a GroupScore> {
    row.card.groups.iter().find(|own| own.name == group.name)
}

/// A row without groups has one state for all.
pub(super) fn state_of_group<'a>(row: &'a RowReport, group: &GroupHead) -> &'a State {
    match score_of_group(row, group) {
        Some(own) => &own.state,
        None => &row.card.state,
    }
}

pub(super) fn text_of_group(package: &PackageReport, row: &RowReport, group: &GroupHead) -> String {
    match score_of_group(row, group) {
        Some(own) => group_cell(own, package.kind),
        None => short_state(&row.card.state).to_owned(),
    }
}

/// Samples and groups of pass-fail problems have a verdict only.
fn has_points(package: &PackageReport, group: &GroupHead) -> bool {
    package.kind == ResultKind::Scoring && gives_points(&group.name, group.max.as_ref())
}

pub(super) fn csv_heads_of_group(package: &PackageReport, group: &GroupHead) -> Vec<String> {
    let verdict = guard_formula(&format!("{} verdict", group.name));
    if has_points(package, group) { vec![guard_formula(&group.name), verdict] } else { vec![verdict] }
}

pub(super) fn csv_cells_of_group(row: ClassRow, group: &GroupHead) -> Vec<String> {
    let own = score_of_group(row.row(), group);
    let verdict = own.and_then(|own| own.state.key()).unwrap_or_default().to_owned();
    if has_points(row.package(), group) {
        vec![points_cell(own.and_then(|own| own.points.as_ref())), verdict]
    } else {
        vec![verdict]
    }
}

pub(super) fn html_cell_of_group(row: ClassRow, group: &GroupHead) -> Markup {
    let state = state_of_group(row.row(), group);
    let text = text_of_group(row.package(), row.row(), group);
    let points = score_of_group(row.row(), group).and_then(|own| own.points.as_ref());
    let by = if row.package().kind == ResultKind::Scoring { sort_value(points) } else { text.clone() };
    let puzzling = !matches!(state, State::Decided(_));
    html! {
        td class=(class_of_state(state)) data-v=(by)
            title=[puzzling.then(|| state.to_string())] { (text) }
    }
}

pub(super) fn text_cell_of_package(package: &PackageReport, row: Option<&RowReport>) -> Cell {
    match (row, package.kind) {
        (None, _) => Cell::plain("–"),
        (Some(row), ResultKind::Scoring) => {
            Cell::plain(points_of_max(row.worth().as_ref(), row.card.max.as_ref()))
        }
        (Some(row), ResultKind::PassFail) => verdict_cell(row),
    }
}

pub(super) fn html_cell_of_package(package: &PackageReport, row: Option<&RowReport>) -> Markup {
    let Some(row) = row else { return html! { td class="n" data-v="" { "–" } } };
    if package.kind == ResultKind::PassFail {
        return html_verdict(row);
    }
    let worth = row.worth();
    html! {
        td class=(format!("n {}", tone_class(tone_of_points(row)))) data-v=(sort_value(worth.as_ref())) {
            (points_of_max(worth.as_ref(), row.card.max.as_ref()))
        }
    }
}

/// A right program that lost points, as for lateness, is neither good nor bad.
fn tone_of_points(row: &RowReport) -> Tone {
    match tone_of_state(&row.card.state) {
        Tone::Good if row.card.max.is_some() && row.card.points != row.card.max => Tone::Plain,
        tone => tone,
    }
}

fn class_of_state(state: &State) -> String {
    format!("n {}", tone_class(tone_of_state(state)))
}

pub(super) fn result_title(package: &PackageReport) -> &'static str {
    match package.kind {
        ResultKind::Scoring => "total",
        ResultKind::PassFail => "verdict",
    }
}

pub(super) fn text_result(row: ClassRow) -> Cell {
    match row.package().kind {
        ResultKind::Scoring => strong_points(row),
        ResultKind::PassFail => verdict_cell(row.row()),
    }
}

pub(super) fn html_result(row: ClassRow) -> Markup {
    match row.package().kind {
        ResultKind::Scoring => html_points(row),
        ResultKind::PassFail => html_verdict(row.row()),
    }
}

fn verdict_cell(row: &RowReport) -> Cell {
    Cell { text: short_state(&row.card.state).to_owned(), tone: tone_of_state(&row.card.state) }
}

fn html_verdict(row: &RowReport) -> Markup {
    html! { td class=(class_of_state(&row.card.state)) { (short_state(&row.card.state)) } }
}

pub(super) fn strong_points(row: ClassRow) -> Cell {
    Cell { text: row.total_text(), tone: Tone::Strong }
}

pub(super) fn html_points(row: ClassRow) -> Markup {
    html! { td class="n" data-v=(sort_value(row.total().as_ref())) { strong { (row.total_text()) } } }
}

pub(super) fn csv_total(row: ClassRow) -> String {
    points_cell(row.total().as_ref())
}

pub(super) fn decided_of_packages(row: ClassRow) -> String {
    let mut decided = Vec::new();
    for (row, package) in row.rows.iter().zip(row.packages) {
        for text in row.map(decided_cases).unwrap_or_default() {
            decided.push(format!("{}: {text}", one_line(&package.name)));
        }
    }
    list_cell(&decided)
}

/// One for all packages, or one for each.
pub(super) fn time_factors(row: ClassRow) -> String {
    let factors = row.rows.iter().flatten().map(|own| value_cell(own.hand_in.time_factor));
    let mut all: Vec<String> = factors.collect();
    if all.iter().all(|factor| *factor == all[0]) {
        all.truncate(1);
    }
    list_cell(&all)
}

pub(super) fn slowest_run(row: ClassRow) -> Option<Duration> {
    row.row().card.slowest.as_ref().map(|(_, time)| *time)
}

pub(super) fn text_slowest(row: ClassRow) -> Cell {
    let Some(time) = slowest_run(row) else { return Cell::plain("–") };
    let limit = row.package().time_limit;
    let percent = if limit.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / limit.as_secs_f64() };
    Cell::plain(format!("{} {percent:>3.0} %", seconds_text(time)))
}

pub(super) fn html_slowest(row: ClassRow) -> Markup {
    let slowest = slowest_run(row);
    html! {
        td class="n" data-v=(value_cell(slowest.map(|time| time.as_secs_f64()))) {
            @match slowest { Some(time) => (seconds_text(time)), None => "–" }
        }
    }
}

/// The file that was run, the number of other files, and the attempt; without such a file, the hand-in.
pub(super) fn program_text(row: &RowReport) -> String {
    let text = match (&row.hand_in.entry, row.hand_in.other_files) {
        (None, _) => one_line(&row.file),
        (Some(entry), 0) => one_line(entry),
        (Some(entry), others) => format!("{} + {}", one_line(entry), counted(others, "file")),
    };
    match row.hand_in.attempt {
        None => text,
        Some(attempt) => format!("{text}, attempt {attempt}"),
    }
}

/// A browser sorts by it.
fn sort_value(points: Option<&Points>) -> String {
    value_cell(points.and_then(points_number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::package::{HandIn, NoSubmission, Participant};
    use kopek_sentences::Said;

    fn row_of(hand_in: HandIn) -> RowReport {
        let submission = Err(NoSubmission::Refused(Said::NoJudgeableProgram));
        RowReport::unjudged(&Participant { name: "ada".into(), file: "ada.pdf".into(), hand_in, submission })
    }

    #[test]
    fn other_files_are_counted_beside_a_program_only() {
        let text = |entry: Option<&str>, other_files| {
            let attempt = Some(2).filter(|_| entry == Some("b.py"));
            program_text(&row_of(HandIn {
                entry: entry.map(str::to_owned),
                other_files,
                attempt,
                ..HandIn::default()
            }))
        };
        assert_eq!(text(None, 1), "ada.pdf");
        assert_eq!(text(Some("a.py"), 0), "a.py");
        assert_eq!(text(Some("a.py"), 2), "a.py + 2 files");
        assert_eq!(text(Some("b.py"), 0), "b.py, attempt 2");
    }
}
