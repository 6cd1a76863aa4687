//! The tables of a class, of one package and of several: a column is one row of [`COLUMNS`], with its head and cell in
//! every format that has it.

use super::{
    csv_cells::{guard_formula, list_cell, points_cell, text_cell, value_cell},
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
use kopek_results::{
    Audience, GroupHead, PackageReport, ResultKind, RowReport, decided_cases, max_total, own_remarks,
    total_deduction, total_points,
};
use maud::{Markup, html};
use std::time::Duration;

/// A participant's row in the table of one package, or of several.
#[derive(Clone, Copy)]
pub(super) struct ClassRow<'a> {
    pub packages: &'a [PackageReport],
    /// One place per package.
    pub rows: &'a [Option<&'a RowReport>],
    /// Rulings for the whole class.
    pub rules: &'a [String],
    pub view: ClassView<'a>,
}

impl<'a> ClassRow<'a> {
    fn package(self) -> &'a PackageReport {
        &self.packages[0]
    }

    /// The row of the only package; of several, the first one, which is about the same person.
    fn row(self) -> &'a RowReport {
        self.rows.iter().flatten().next().expect("a participant has a row in some package")
    }
}

/// A column of the class.
pub(super) struct ClassColumn {
    /// In the table of one package.
    one: Formats,
    /// In the table of several.
    several: Formats,
}

/// A column in each format.
pub(super) struct Formats {
    pub text: Part<Column, Cell>,
    pub csv: Part<String, String>,
    pub html: Part<Markup, Markup>,
}

/// A column in one format: its head, and its cell of a row.
pub(super) enum Part<H, C> {
    Absent,
    Titled(&'static str, fn(ClassRow) -> C),
    Headed(fn(&PackageReport) -> H, fn(ClassRow) -> C),
    /// Only where a package gives points.
    IfScored(fn() -> H, fn(ClassRow) -> C),
    /// For each group of the package as many cells as heads.
    Groups(fn(&PackageReport, &GroupHead) -> Vec<H>, fn(ClassRow, &GroupHead) -> Vec<C>),
    /// For each package as many cells as heads; a program may have been left out.
    Packages(fn(&PackageReport) -> Vec<H>, fn(&PackageReport, Option<&RowReport>) -> Vec<C>),
}

impl ClassColumn {
    fn formats(&self, packages: &[PackageReport]) -> &Formats {
        if packages.len() == 1 { &self.one } else { &self.several }
    }
}

impl<H, C> Part<H, C> {
    fn heads(&self, packages: &[PackageReport], titled: fn(&'static str) -> H) -> Vec<H> {
        let package = &packages[0];
        match self {
            Part::Absent => Vec::new(),
            Part::Titled(title, _) => vec![titled(title)],
            Part::Headed(head, _) => vec![head(package)],
            Part::IfScored(head, _) if is_scored(packages) => vec![head()],
            Part::IfScored(..) => Vec::new(),
            Part::Groups(heads, _) => package.groups.iter().flat_map(|group| heads(package, group)).collect(),
            Part::Packages(heads, _) => packages.iter().flat_map(heads).collect(),
        }
    }

    fn cells(&self, row: ClassRow) -> Vec<C> {
        match self {
            Part::Absent => Vec::new(),
            Part::Titled(_, cell) | Part::Headed(_, cell) => vec![cell(row)],
            Part::IfScored(_, cell) if is_scored(row.packages) => vec![cell(row)],
            Part::IfScored(..) => Vec::new(),
            Part::Groups(_, cells) => {
                row.package().groups.iter().flat_map(|group| cells(row, group)).collect()
            }
            Part::Packages(_, cells) => {
                let pairs = row.packages.iter().zip(row.rows);
                pairs.flat_map(|(package, row)| cells(package, *row)).collect()
            }
        }
    }
}

fn is_scored(packages: &[PackageReport]) -> bool {
    packages.iter().any(|package| package.kind == ResultKind::Scoring)
}

/// The heads of a table in one format. `titled` makes a head of a title.
pub(super) fn heads<H, C>(
    packages: &[PackageReport],
    format: fn(&Formats) -> &Part<H, C>,
    titled: fn(&'static str) -> H,
) -> Vec<H> {
    let all = COLUMNS.iter().map(|column| format(column.formats(packages)));
    all.flat_map(|part| part.heads(packages, titled)).collect()
}

/// The cells of a row in one format.
pub(super) fn cells<H, C>(row: ClassRow, format: fn(&Formats) -> &Part<H, C>) -> Vec<C> {
    COLUMNS.iter().flat_map(|column| format(column.formats(row.packages)).cells(row)).collect()
}

const ABSENT: Formats = Formats { text: Part::Absent, csv: Part::Absent, html: Part::Absent };

const fn csv(title: &'static str, cell: fn(ClassRow) -> String) -> Formats {
    Formats { csv: Part::Titled(title, cell), ..ABSENT }
}

const fn only_csv(title: &'static str, cell: fn(ClassRow) -> String) -> ClassColumn {
    ClassColumn { one: csv(title, cell), several: ABSENT }
}

/// About the person, or the sum of all packages.
const fn csv_of_both(title: &'static str, cell: fn(ClassRow) -> String) -> ClassColumn {
    ClassColumn { one: csv(title, cell), several: csv(title, cell) }
}

const fn only_html(title: &'static str, cell: fn(ClassRow) -> Markup) -> ClassColumn {
    ClassColumn { one: Formats { html: Part::Titled(title, cell), ..ABSENT }, several: ABSENT }
}

const NAME: Formats = Formats {
    text: Part::Headed(
        |_| Column::new("name", "", Align::Left),
        |row| Cell::plain(one_line(&row.row().card.name)),
    ),
    csv: Part::Titled("name", |row| guard_formula(&row.row().card.name)),
    html: Part::Headed(
        |_| html! { th scope="col" class="name" { "name" } },
        |row| html! { th scope="row" class="name" { (name_link(&row.row().card.name, row.view)) } },
    ),
};

/// All columns, in the order of every format.
const COLUMNS: [ClassColumn; 21] = [
    ClassColumn {
        one: Formats {
            text: Part::Headed(
                |_| Column::new("name", "", Align::Left),
                |row| Cell::plain(marked_name(row.row())),
            ),
            ..NAME
        },
        several: NAME,
    },
    csv_of_both("id", |row| text_cell(row.row().hand_in.id.as_ref())),
    csv_of_both("email", |row| text_cell(row.row().hand_in.email.as_ref())),
    csv_of_both("group", |row| text_cell(row.row().hand_in.group.as_ref())),
    csv_of_both("late", |row| late_cell(row.row().hand_in.late)),
    only_csv("attempt", |row| value_cell(row.row().hand_in.attempt)),
    csv_of_both("time_factor", |row| value_cell(row.row().hand_in.time_factor)),
    only_csv("submission", |row| guard_formula(&row.row().file)),
    only_csv("entry", |row| text_cell(row.row().hand_in.entry.as_ref())),
    only_csv("language", |row| text_cell(row.row().language.as_ref())),
    ClassColumn {
        one: Formats {
            text: Part::Groups(
                |package, group| {
                    let max = max_of_group(package, group).map(|max| format!("/{max}")).unwrap_or_default();
                    vec![Column::new(cut_text(&group_title(group), 16), max, Align::Right)]
                },
                |row, group| {
                    let text = text_of_group(row.package(), row.row(), group);
                    vec![Cell { text, tone: tone_of_state(state_of_group(row.row(), group)) }]
                },
            ),
            csv: Part::Groups(csv_heads_of_group, csv_cells_of_group),
            html: Part::Groups(
                |package, group| {
                    let max = max_of_group(package, group);
                    vec![html! {
                        th scope="col" class="n" { (group_title(group)) @if let Some(max) = max { " /" (max) } }
                    }]
                },
                |row, group| vec![html_cell_of_group(row, group)],
            ),
        },
        several: Formats {
            text: Part::Packages(
                |package| vec![Column::new(cut_text(&one_line(&package.name), 16), "", Align::Right)],
                |package, row| vec![text_cell_of_package(package, row)],
            ),
            csv: Part::Packages(
                |package| {
                    let verdict = guard_formula(&format!("{} verdict", package.name));
                    vec![guard_formula(&package.name), verdict]
                },
                |_, row| {
                    let verdict = row.and_then(|row| row.card.state.key()).unwrap_or_default();
                    vec![points_cell(row.and_then(RowReport::worth).as_ref()), verdict.to_owned()]
                },
            ),
            html: Part::Packages(
                |package| vec![html! { th scope="col" class="n" { (one_line(&package.name)) } }],
                |package, row| vec![html_cell_of_package(package, row)],
            ),
        },
    },
    csv_of_both("deduction", |row| points_cell(total_deduction(row.rows).as_ref())),
    only_csv("deduction_reason", |row| text_cell(row.row().deduction.as_ref().map(|taken| &taken.reason))),
    ClassColumn {
        one: Formats {
            text: Part::Headed(|package| Column::new(result_title(package), "", Align::Right), text_result),
            csv: Part::Titled("total", csv_total),
            html: Part::Headed(
                |package| html! { th scope="col" class="n" { (result_title(package)) } },
                html_result,
            ),
        },
        several: Formats {
            text: Part::Titled("total", |row| {
                strong_points(total_points(row.rows).as_ref(), max_total(row.packages).as_ref())
            }),
            csv: Part::Titled("total", csv_total),
            html: Part::IfScored(
                || html! { th scope="col" class="n" { "total" } },
                |row| html_points(total_points(row.rows).as_ref(), max_total(row.packages).as_ref()),
            ),
        },
    },
    ClassColumn {
        one: csv("max", |row| points_cell(row.row().card.max.as_ref())),
        several: csv("max", |row| points_cell(max_total(row.packages).as_ref())),
    },
    only_csv("verdict", |row| row.row().card.state.key().unwrap_or_default().to_owned()),
    ClassColumn {
        one: Formats {
            text: Part::Headed(
                |package| {
                    Column::new("slowest", format!("of {}", limit_text(package.time_limit)), Align::Right)
                },
                text_slowest,
            ),
            csv: Part::Titled("slowest_seconds", |row| {
                value_cell(slowest_run(row).map(|time| format!("{:.3}", time.as_secs_f64())))
            }),
            html: Part::Headed(|_| html! { th scope="col" class="n" { "slowest" } }, html_slowest),
        },
        several: ABSENT,
    },
    csv_of_both("rules", |row| list_cell(&row.rules.iter().map(|rule| one_line(rule)).collect::<Vec<_>>())),
    ClassColumn {
        one: csv("decided", |row| list_cell(&decided_cases(row.row()))),
        several: csv("decided", decided_of_packages),
    },
    only_html("language", |row| {
        let language = row.row().language.as_deref().map(one_line).unwrap_or_default();
        html! { td { (language) } }
    }),
    only_html("program", |row| html! { td { (program_text(row.row())) } }),
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
    if has_points(package, group) { group.max.as_ref() } else { None }
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
    let own = score_of_group(row.row(), group);
    let verdict = own.and_then(|own| own.state.key()).unwrap_or_default().to_owned();
    if has_points(row.package(), group) {
        vec![points_cell(own.and_then(|own| own.points.as_ref())), verdict]
    } else {
        vec![verdict]
    }
}

fn html_cell_of_group(row: ClassRow, group: &GroupHead) -> Markup {
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

fn text_cell_of_package(package: &PackageReport, row: Option<&RowReport>) -> Cell {
    match (row, package.kind) {
        (None, _) => Cell::plain("–"),
        (Some(row), ResultKind::Scoring) => {
            Cell::plain(points_of_max(row.worth().as_ref(), row.card.max.as_ref()))
        }
        (Some(row), ResultKind::PassFail) => verdict_cell(row),
    }
}

fn html_cell_of_package(package: &PackageReport, row: Option<&RowReport>) -> Markup {
    let Some(row) = row else { return html! { td class="n" data-v="" { "–" } } };
    if package.kind == ResultKind::PassFail {
        return html_verdict(row);
    }
    let worth = row.worth();
    html! {
        td class=(class_of_state(&row.card.state)) data-v=(sort_value(worth.as_ref())) {
            (points_of_max(worth.as_ref(), row.card.max.as_ref()))
        }
    }
}

fn class_of_state(state: &State) -> String {
    format!("n {}", tone_class(tone_of_state(state)))
}

fn result_title(package: &PackageReport) -> &'static str {
    match package.kind {
        ResultKind::Scoring => "total",
        ResultKind::PassFail => "verdict",
    }
}

fn text_result(row: ClassRow) -> Cell {
    match row.package().kind {
        ResultKind::Scoring => strong_points(row.row().worth().as_ref(), row.row().card.max.as_ref()),
        ResultKind::PassFail => verdict_cell(row.row()),
    }
}

fn html_result(row: ClassRow) -> Markup {
    match row.package().kind {
        ResultKind::Scoring => html_points(row.row().worth().as_ref(), row.row().card.max.as_ref()),
        ResultKind::PassFail => html_verdict(row.row()),
    }
}

fn verdict_cell(row: &RowReport) -> Cell {
    Cell { text: short_state(&row.card.state).to_owned(), tone: tone_of_state(&row.card.state) }
}

fn html_verdict(row: &RowReport) -> Markup {
    html! { td class=(class_of_state(&row.card.state)) { (short_state(&row.card.state)) } }
}

fn strong_points(points: Option<&Points>, max: Option<&Points>) -> Cell {
    Cell { text: points_of_max(points, max), tone: Tone::Strong }
}

fn html_points(points: Option<&Points>, max: Option<&Points>) -> Markup {
    html! { td class="n" data-v=(sort_value(points)) { strong { (points_of_max(points, max)) } } }
}

fn csv_total(row: ClassRow) -> String {
    points_cell(total_points(row.rows).as_ref())
}

fn decided_of_packages(row: ClassRow) -> String {
    let mut decided = Vec::new();
    for (row, package) in row.rows.iter().zip(row.packages) {
        for text in row.map(decided_cases).unwrap_or_default() {
            decided.push(format!("{}: {text}", one_line(&package.name)));
        }
    }
    list_cell(&decided)
}

fn slowest_run(row: ClassRow) -> Option<Duration> {
    row.row().card.slowest.as_ref().map(|(_, time)| *time)
}

fn text_slowest(row: ClassRow) -> Cell {
    let Some(time) = slowest_run(row) else { return Cell::plain("–") };
    let limit = row.package().time_limit;
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
fn sort_value(points: Option<&Points>) -> String {
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

    fn package_of(kind: ResultKind) -> PackageReport {
        let group = |name: &str, max| GroupHead { name: name.into(), max: Some(Points::from(max)) };
        PackageReport {
            name: "sum".into(),
            uuid: None,
            title: String::new(),
            kind,
            time_limit: Duration::from_secs(1),
            calibration: None,
            memory_limit: kopek_base::Bytes(1 << 20),
            noise: Noise::default(),
            groups: vec![group("sample", 0), group("secret/1", 40), group("secret/2", 60)],
            rows: Vec::new(),
            data: None,
            excluded: Vec::new(),
        }
    }

    #[test]
    fn every_column_has_as_many_cells_as_heads_in_every_format() {
        let own = row_of(HandIn::default());
        let [scoring, pass_fail] = [ResultKind::Scoring, ResultKind::PassFail].map(package_of);
        for packages in [
            vec![scoring.clone()],
            vec![pass_fail.clone()],
            vec![pass_fail.clone(), scoring],
            vec![pass_fail.clone(), pass_fail],
        ] {
            // The last program was left out.
            let mut rows = vec![Some(&own); packages.len()];
            if rows.len() > 1 {
                rows.pop();
                rows.push(None);
            }
            let row = ClassRow { packages: &packages, rows: &rows, rules: &[], view: ClassView::default() };
            for column in &COLUMNS {
                let formats = column.formats(&packages);
                let text = assert_even(&formats.text, row, |title| Column::new(title, "", Align::Left));
                let csv = assert_even(&formats.csv, row, str::to_owned);
                let html = assert_even(&formats.html, row, |title| html! { th { (title) } });
                assert!(packages.len() > 1 || text + csv + html > 0, "a column that no format shows");
            }
            let heads = heads(&packages, |formats| &formats.csv, str::to_owned);
            assert_eq!(heads.len(), cells(row, |formats| &formats.csv).len(), "{heads:?}");
        }
    }

    /// The number of heads of a column, which is that of its cells.
    fn assert_even<H, C>(part: &Part<H, C>, row: ClassRow, titled: fn(&'static str) -> H) -> usize {
        let heads = part.heads(row.packages, titled).len();
        assert_eq!(heads, part.cells(row).len());
        heads
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
