//! The table of a class: a column is one row of [`COLUMNS`], with its head and cell in every format that has it.

use super::{
    csv_report::{guard_formula, list_cell, points_cell, text_cell, value_cell},
    html::frame::{ClassView, name_link, tone_class},
    phrases::{
        Tone, cut_text, gives_points, group_cell, group_title, points_number, points_of_max, seconds_text,
        short_state, tone_of_state,
    },
    text_table::{Align, Cell, Column, MARK},
};
use kopek_base::wording::{counted, limit_text, one_line};
use kopek_engine::{
    package::Lateness,
    points::Points,
    score::{GroupScore, State},
};
use kopek_results::{Audience, GroupHead, PackageReport, ResultKind, RowReport, decided_cases, own_remarks};
use maud::{Markup, html};
use std::time::Duration;

/// A row of the class, and what its cells need beside it.
#[derive(Clone, Copy)]
pub(super) struct ClassRow<'a> {
    pub package: &'a PackageReport,
    pub row: &'a RowReport,
    /// Rulings for the whole class.
    pub rules: &'a [String],
    pub view: ClassView<'a>,
}

/// A column of the class, or one for each group.
pub(super) struct ClassColumn {
    pub text: Part<Column, Cell>,
    pub csv: Part<String, String>,
    pub html: Part<Markup, Markup>,
    /// Whether it is about the person, so that the CSV of several packages has it, too.
    pub of_person: bool,
}

/// A column in one format: its head, and its cell of a row.
pub(super) enum Part<H, C> {
    Absent,
    Titled(&'static str, fn(ClassRow) -> C),
    Headed(fn(&PackageReport) -> H, fn(ClassRow) -> C),
    /// For each group as many cells as heads.
    Grouped(fn(&PackageReport, &GroupHead) -> Vec<H>, fn(ClassRow, &GroupHead) -> Vec<C>),
}

impl<H, C> Part<H, C> {
    /// `titled` makes a head of a title.
    pub fn heads(&self, package: &PackageReport, titled: fn(&'static str) -> H) -> Vec<H> {
        match self {
            Part::Absent => Vec::new(),
            Part::Titled(title, _) => vec![titled(title)],
            Part::Headed(head, _) => vec![head(package)],
            Part::Grouped(heads, _) => {
                package.groups.iter().flat_map(|group| heads(package, group)).collect()
            }
        }
    }

    pub fn cells(&self, row: ClassRow) -> Vec<C> {
        match self {
            Part::Absent => Vec::new(),
            Part::Titled(_, cell) | Part::Headed(_, cell) => vec![cell(row)],
            Part::Grouped(_, cells) => {
                row.package.groups.iter().flat_map(|group| cells(row, group)).collect()
            }
        }
    }
}

const fn only_csv(title: &'static str, cell: fn(ClassRow) -> String) -> ClassColumn {
    ClassColumn { text: Part::Absent, csv: Part::Titled(title, cell), html: Part::Absent, of_person: false }
}

const fn of_person(title: &'static str, cell: fn(ClassRow) -> String) -> ClassColumn {
    ClassColumn { of_person: true, ..only_csv(title, cell) }
}

const fn only_html(title: &'static str, cell: fn(ClassRow) -> Markup) -> ClassColumn {
    ClassColumn { text: Part::Absent, csv: Part::Absent, html: Part::Titled(title, cell), of_person: false }
}

/// All columns, in the order of every format.
pub(super) const COLUMNS: [ClassColumn; 21] = [
    ClassColumn {
        text: Part::Headed(|_| Column::new("name", "", Align::Left), |row| Cell::plain(marked_name(row.row))),
        csv: Part::Titled("name", |row| guard_formula(&row.row.card.name)),
        html: Part::Headed(
            |_| html! { th scope="col" class="name" { "name" } },
            |row| html! { th scope="row" class="name" { (name_link(&row.row.card.name, row.view)) } },
        ),
        of_person: true,
    },
    of_person("id", |row| text_cell(row.row.hand_in.id.as_ref())),
    of_person("email", |row| text_cell(row.row.hand_in.email.as_ref())),
    of_person("group", |row| text_cell(row.row.hand_in.group.as_ref())),
    of_person("late", |row| late_cell(row.row.hand_in.late)),
    only_csv("attempt", |row| value_cell(row.row.hand_in.attempt)),
    of_person("time_factor", |row| value_cell(row.row.hand_in.time_factor)),
    only_csv("submission", |row| guard_formula(&row.row.file)),
    only_csv("entry", |row| text_cell(row.row.hand_in.entry.as_ref())),
    only_csv("language", |row| text_cell(row.row.language.as_ref())),
    ClassColumn {
        text: Part::Grouped(
            |package, group| {
                let below = max_of_group(package, group).map(|max| format!("/{max}"));
                vec![Column::new(cut_text(&group_title(group), 16), below.unwrap_or_default(), Align::Right)]
            },
            |row, group| {
                let state = state_of_group(row.row, group);
                vec![Cell { text: text_of_group(row.package, row.row, group), tone: tone_of_state(state) }]
            },
        ),
        csv: Part::Grouped(csv_heads_of_group, csv_cells_of_group),
        html: Part::Grouped(
            |package, group| {
                let max = max_of_group(package, group);
                vec![html! {
                    th scope="col" class="n" { (group_title(group)) @if let Some(max) = max { " /" (max) } }
                }]
            },
            |row, group| vec![html_cell_of_group(row, group)],
        ),
        of_person: false,
    },
    only_csv("deduction", |row| points_cell(row.row.deduction.as_ref().map(|taken| &taken.points))),
    only_csv("deduction_reason", |row| text_cell(row.row.deduction.as_ref().map(|taken| &taken.reason))),
    ClassColumn {
        text: Part::Headed(|package| Column::new(result_title(package), "", Align::Right), text_result),
        csv: Part::Titled("total", |row| points_cell(row.row.worth().as_ref())),
        html: Part::Headed(
            |package| html! { th scope="col" class="n" { (result_title(package)) } },
            html_result,
        ),
        of_person: false,
    },
    only_csv("max", |row| points_cell(row.row.card.max.as_ref())),
    only_csv("verdict", |row| row.row.card.state.key().unwrap_or_default().to_owned()),
    ClassColumn {
        text: Part::Headed(
            |package| Column::new("slowest", format!("of {}", limit_text(package.time_limit)), Align::Right),
            text_slowest,
        ),
        csv: Part::Titled("slowest_seconds", |row| {
            value_cell(slowest_run(row).map(|time| format!("{:.3}", time.as_secs_f64())))
        }),
        html: Part::Headed(|_| html! { th scope="col" class="n" { "slowest" } }, html_slowest),
        of_person: false,
    },
    only_csv("rules", |row| list_cell(&row.rules.iter().map(|rule| one_line(rule)).collect::<Vec<_>>())),
    only_csv("decided", |row| list_cell(&decided_cases(row.row))),
    only_html("language", |row| {
        let language = row.row.language.as_deref().map(one_line).unwrap_or_default();
        html! { td { (language) } }
    }),
    only_html("program", |row| html! { td { (program_text(row.row)) } }),
];

/// Remarks on it follow below the table.
fn marked_name(row: &RowReport) -> String {
    let is_marked = !own_remarks(row, Audience::Judge).is_empty() || row.same_as.is_some();
    format!("{}{}", one_line(&row.card.name), if is_marked { MARK } else { "" })
}

/// Seconds where they are known.
fn late_cell(late: Option<Lateness>) -> String {
    match late {
        None => String::new(),
        Some(Lateness::Marked) => "late".to_owned(),
        Some(Lateness::By(time)) => time.as_secs().to_string(),
    }
}

fn max_of_group<'a>(package: &PackageReport, group: &'a GroupHead) -> Option<&'a Points> {
    group
        .max
        .as_ref()
        .filter(|max| package.kind == ResultKind::Scoring && gives_points(&group.name, Some(max)))
}

fn score_of_group<'a>(row: &'a RowReport, group: &GroupHead) -> Option<&'a GroupScore> {
    row.card.groups.iter().find(|own| own.name == group.name)
}

/// A row without groups has one state for all.
fn state_of_group<'a>(row: &'a RowReport, group: &GroupHead) -> &'a State {
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

fn csv_heads_of_group(package: &PackageReport, group: &GroupHead) -> Vec<String> {
    let verdict = guard_formula(&format!("{} verdict", group.name));
    if has_points(package, group) { vec![guard_formula(&group.name), verdict] } else { vec![verdict] }
}

fn csv_cells_of_group(row: ClassRow, group: &GroupHead) -> Vec<String> {
    let own = score_of_group(row.row, group);
    let verdict = own.and_then(|own| own.state.key()).unwrap_or_default().to_owned();
    if has_points(row.package, group) {
        vec![points_cell(own.and_then(|own| own.points.as_ref())), verdict]
    } else {
        vec![verdict]
    }
}

fn html_cell_of_group(row: ClassRow, group: &GroupHead) -> Markup {
    let state = state_of_group(row.row, group);
    let text = text_of_group(row.package, row.row, group);
    let points = score_of_group(row.row, group).and_then(|own| own.points.as_ref());
    let by = if row.package.kind == ResultKind::Scoring { sort_value(points) } else { text.clone() };
    let puzzling = !matches!(state, State::Decided(_));
    html! {
        td class=(format!("n {}", tone_class(tone_of_state(state)))) data-v=(by)
            title=[puzzling.then(|| state.to_string())] { (text) }
    }
}

fn result_title(package: &PackageReport) -> &'static str {
    match package.kind {
        ResultKind::Scoring => "total",
        ResultKind::PassFail => "verdict",
    }
}

fn text_result(ClassRow { package, row, .. }: ClassRow) -> Cell {
    let state = &row.card.state;
    match package.kind {
        ResultKind::Scoring => {
            Cell { text: points_of_max(row.worth().as_ref(), row.card.max.as_ref()), tone: Tone::Strong }
        }
        ResultKind::PassFail => Cell { text: short_state(state).to_owned(), tone: tone_of_state(state) },
    }
}

fn html_result(ClassRow { package, row, .. }: ClassRow) -> Markup {
    let card = &row.card;
    let worth = row.worth();
    html! {
        @match package.kind {
            ResultKind::Scoring => td class="n" data-v=(sort_value(worth.as_ref())) {
                strong { (points_of_max(worth.as_ref(), card.max.as_ref())) }
            },
            ResultKind::PassFail => td class=(format!("n {}", tone_class(tone_of_state(&card.state)))) {
                (short_state(&card.state))
            },
        }
    }
}

fn slowest_run(row: ClassRow) -> Option<Duration> {
    row.row.card.slowest.as_ref().map(|(_, time)| *time)
}

fn text_slowest(row: ClassRow) -> Cell {
    let Some(time) = slowest_run(row) else { return Cell::plain("–") };
    let limit = row.package.time_limit;
    let percent = if limit.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / limit.as_secs_f64() };
    Cell::plain(format!("{} {percent:>3.0} %", seconds_text(time)))
}

fn html_slowest(row: ClassRow) -> Markup {
    let slowest = slowest_run(row);
    html! {
        td class="n" data-v=(value_cell(slowest.map(|time| time.as_secs_f64()))) {
            @match slowest { Some(time) => (seconds_text(time)), None => "–" }
        }
    }
}

/// The file that was run, the number of other files, and the attempt; without such a file, the hand-in.
fn program_text(row: &RowReport) -> String {
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
pub(super) fn sort_value(points: Option<&Points>) -> String {
    value_cell(points.and_then(points_number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_engine::package::{HandIn, NoSubmission, Participant};
    use kopek_results::Noise;

    fn row_of(hand_in: HandIn) -> RowReport {
        let submission = Err(NoSubmission::Refused("no program".into()));
        RowReport::unjudged(&Participant { name: "ada".into(), file: "ada.pdf".into(), hand_in, submission })
    }

    #[test]
    fn every_column_has_as_many_cells_as_heads_in_every_format() {
        let group = |name: &str, max| GroupHead { name: name.into(), max: Some(Points::from(max)) };
        for kind in [ResultKind::Scoring, ResultKind::PassFail] {
            let package = PackageReport {
                name: "sum".into(),
                uuid: None,
                title: String::new(),
                kind,
                groups: vec![group("sample", 0), group("secret/1", 40), group("secret/2", 60)],
                time_limit: Duration::from_secs(1),
                calibration: None,
                memory_limit: kopek_base::Bytes(1 << 20),
                noise: Noise::default(),
                data: None,
                excluded: Vec::new(),
                rows: Vec::new(),
            };
            let own = row_of(HandIn::default());
            let row = ClassRow { package: &package, row: &own, rules: &[], view: ClassView::default() };
            for column in &COLUMNS {
                let text = column.text.heads(&package, |title| Column::new(title, "", Align::Left)).len();
                let csv = column.csv.heads(&package, str::to_owned);
                let html = column.html.heads(&package, |title| html! { th { (title) } }).len();
                assert!(text + csv.len() + html > 0, "a column that no format shows");
                assert_eq!(text, column.text.cells(row).len(), "{csv:?}");
                assert_eq!(csv.len(), column.csv.cells(row).len(), "{csv:?}");
                assert_eq!(html, column.html.cells(row).len(), "{csv:?}");
            }
        }
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
