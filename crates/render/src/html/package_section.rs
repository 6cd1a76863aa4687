//! One problem on the page of a class: participants by groups, and the hardest cases.

use super::{
    charts::{BarChart, share_bar, tenths},
    class_mistakes::class_mistakes,
    frame::{ClassView, folded},
};
use crate::{
    class_cells::ClassRow,
    class_columns::{cells, heads},
    open_cases::OpenCases,
    phrases::{group_heading, noise_text, percent_text, points_number},
};
use kopek_base::{
    PersonName,
    wording::{counted, limit_text, one_line},
};
use kopek_package::{package::Audience, verdict::Verdict};
use kopek_plan::score::State;
use kopek_results::{
    Counterexamples, CourseTotals, GroupHead, Note, PackageReport, RowReport, RowsOfParticipant, row_remarks,
};
use maud::{Markup, html};
use std::{collections::BTreeMap, slice};

/// A problem of a class.
pub(super) struct PackageSection<'a> {
    pub open: &'a OpenCases<'a>,
    pub package: &'a PackageReport,
    /// The totals, if this is the only package.
    pub sheet: Option<&'a CourseTotals>,
    pub view: &'a ClassView<'a>,
    pub found: Option<&'a Counterexamples>,
    /// Whether it is the only one.
    pub alone: bool,
}

/// Number of cases in the table of the hardest.
const HARDEST: usize = 10;
/// With more verdicts of single cases than this, only the participants' own pages show them.
const MAX_CASES: usize = 300_000;

impl PackageSection<'_> {
    pub fn markup(&self) -> Markup {
        let package = self.package;
        let name = if package.title.is_empty() { one_line(&package.name) } else { one_line(&package.title) };
        let limits =
            format!("time limit {} · memory limit {}", limit_text(package.time_limit), package.memory_limit);
        let inside = html! {
            p class="soft" { @if name != package.name { (one_line(&package.name)) " · " } (limits) }
            @if let Some(noise) = noise_text(&package.noise) { p class="soft" { (noise) } }
            (self.pictures())
            (self.grid())
            div class="pictures" { (self.group_table()) (self.hardest_cases()) }
            @if let Some(found) = self.found { (class_mistakes(found, *self.view)) }
            (self.remark_list())
            (self.case_grid())
        };
        html! {
            // Its name is the title of the page.
            @if self.alone { section { h2 class="hidden" { "Results" } (inside) } } @else {
                // Closed, so that a browser does not lay out nine tables of two thousand rows at once.
                details class="package" { summary { h2 { (name) } } (inside) }
            }
        }
    }

    fn rows_by_name(&self) -> Vec<&RowReport> {
        let mut rows: Vec<&RowReport> = self.package.rows.iter().collect();
        rows.sort_by_key(|row| PersonName(&row.card.name));
        rows
    }

    /// A name for a part of the page that no other part has.
    fn region(&self, part: &str) -> String {
        format!("{part} of {}", one_line(&self.package.name))
    }

    fn grid(&self) -> Markup {
        let rows = self.rows_by_name().into_iter().map(|row| vec![Some(row)]);
        let class = ClassRow {
            packages: slice::from_ref(self.package),
            rows: &[],
            rules: &[],
            sheet: self.sheet,
            view: *self.view,
        };
        class_table(class, rows, &self.region("Participants and groups"))
    }

    fn pictures(&self) -> Markup {
        let rows = &self.package.rows;
        let whole =
            rows.first().and_then(|row| points_number(row.card.max.as_ref()?)).filter(|max| *max > 0.0);
        let points: Vec<f64> = rows.iter().filter_map(|row| points_number(&row.worth()?)).collect();
        // Without a maximum score the best one serves as the whole.
        let whole =
            whole.unwrap_or_else(|| points.iter().copied().fold(0.0, f64::max)).max(f64::MIN_POSITIVE);
        let limit = self.package.time_limit.as_secs_f64().max(f64::MIN_POSITIVE);
        let times = rows.iter().filter_map(|row| Some(row.card.slowest.as_ref()?.1.as_secs_f64() / limit));
        let bars = |counts: [usize; 11], last: &str| {
            let name =
                |at: usize| if at < 10 { format!("{}–{}", 10 * at, 10 * at + 9) } else { last.to_owned() };
            counts.into_iter().enumerate().map(|(at, count)| (name(at), count)).collect()
        };
        let points = BarChart {
            title: "Participants by points",
            bars: bars(tenths(points.into_iter().map(|points| points / whole)), "100"),
            axis: "per cent of the points",
            limit: None,
        };
        let times = BarChart {
            title: "Slowest run of each program against the time limit",
            bars: bars(tenths(times), "over"),
            axis: "per cent of the time limit",
            limit: Some(10),
        };
        html! { div class="pictures" { (points.markup()) (times.markup()) } }
    }

    fn group_table(&self) -> Markup {
        let all = self.package.rows.len();
        html! { div {
            h3 { "Groups" }
            div class="scroll" tabindex="0" role="region" aria-label=(self.region("Groups")) { table {
                thead { tr { th scope="col" { "group" } th scope="col" class="n" { "passed by" } th scope="col" { span class="soft" { "share" } } } }
                tbody { @for group in &self.package.groups {
                    @let passed = self.passed_by(group);
                    tr {
                        th scope="row" class="name" { (group_heading(&group.name)) }
                        td class="n" { (passed) " of " (all) }
                        td { (share_bar(passed, all)) }
                    }
                } }
            } }
        } }
    }

    fn passed_by(&self, head: &GroupHead) -> usize {
        let passed = |row: &&RowReport| {
            let own = row.card.groups.iter().find(|own| own.name == head.name);
            own.is_some_and(|own| own.state == State::Decided(Verdict::Accepted))
        };
        self.package.rows.iter().filter(passed).count()
    }

    fn hardest_cases(&self) -> Markup {
        let mut cases = self.case_counts();
        cases.retain(|case| case.failed > 0);
        // The sort is stable: of equally hard ones the first comes first.
        cases.sort_by(|a, b| (b.failed * a.tried).cmp(&(a.failed * b.tried)).then(b.failed.cmp(&a.failed)));
        html! {
            @if !cases.is_empty() { div {
                h3 { "Hardest cases" }
                div class="scroll" tabindex="0" role="region" aria-label=(self.region("Hardest cases")) { table {
                    thead { tr { th scope="col" { "case" } th scope="col" class="n" { "failed" } th scope="col" class="n" { "share" } th scope="col" { "how" } } }
                    tbody { @for case in cases.iter().take(HARDEST) { tr {
                        th scope="row" class="name" { (one_line(case.name)) }
                        td class="n" { (case.failed) " of " (case.tried) }
                        td class="n" { (percent_text(case.failed as f64 / case.tried as f64)) }
                        td { (case.verdicts()) }
                    } } }
                } }
            } }
        }
    }

    /// A case that several groups include counts once: where it stands first.
    fn case_counts(&self) -> Vec<CaseCount<'_>> {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut counts: Vec<CaseCount> = Vec::new();
        let digests = self.package.data.as_ref().map(|data| &data.cases);
        for case in self.package.rows.iter().flat_map(|row| &row.cases) {
            let Some(trial) = &case.trial else { continue };
            let same = digests.and_then(|digests| digests.get(&case.name)).unwrap_or(&case.name);
            let at = *places.entry(same).or_insert_with(|| {
                counts.push(CaseCount { name: &case.name, tried: 0, failed: 0, by_verdict: BTreeMap::new() });
                counts.len() - 1
            });
            if counts[at].name != case.name {
                continue;
            }
            counts[at].tried += 1;
            if trial.verdict != Verdict::Accepted {
                counts[at].failed += 1;
                *counts[at].by_verdict.entry(trial.verdict.short()).or_default() += 1;
            }
        }
        counts
    }

    fn remark_list(&self) -> Markup {
        // Listed once, above all problems.
        let remarks = |row: &RowReport| {
            let mut all = row_remarks(row, Audience::Teacher);
            all.retain(|remark| !self.open.lists(self.package, row, &remark.about));
            all
        };
        let rows = self.rows_by_name().into_iter().map(|row| (row, remarks(row)));
        let all: Vec<(&RowReport, Vec<Note>)> = rows.filter(|(_, list)| !list.is_empty()).collect();
        let lines: usize = all.iter().map(|(_, list)| list.len()).sum();
        let list = html! {
            ul { @for (row, list) in all { @for remark in list {
                li { strong { (one_line(&row.card.name)) } ": " (remark.said) }
            } } }
        };
        let title = html! { h3 { "Remarks" } " " span class="soft" { (lines) } };
        html! { @if lines > 0 { (folded(&title, lines, &list)) } }
    }

    /// Every case of every participant, a letter each.
    fn case_grid(&self) -> Markup {
        let cases = self.package.rows.iter().map(|row| row.cases.len()).sum::<usize>();
        html! {
            @if (1..=MAX_CASES).contains(&cases) {
                details {
                    summary { "Case by case" }
                    p class="small" {
                        "✓ right, W wrong, T time limit, I idle, M memory, O output, R run-time error, · not run. \
                        The cases of a group stand in judging order."
                    }
                    div class="scroll" tabindex="0" role="region" aria-label=(self.region("Case by case")) {
                        table data-filter="participants" {
                            thead { tr {
                                th scope="col" class="name" { "name" }
                                @for group in &self.package.groups { th scope="col" { (group_heading(&group.name)) } }
                            } }
                            tbody { @for row in self.rows_by_name() { tr {
                                th scope="row" class="name" { (one_line(&row.card.name)) }
                                @for group in &self.package.groups { td class="cases" { (case_letters(row, group)) } }
                            } } }
                        }
                    }
                }
            } @else if cases > 0 {
                p class="small soft" { (counted(cases, "verdict")) " of single cases are on the participants' pages only." }
            }
        }
    }
}

/// A row per participant, with a link to the participant's page. `class` is a row without its cells.
pub(super) fn class_table<'a>(
    class: ClassRow,
    rows: impl Iterator<Item = RowsOfParticipant<'a>>,
    region: &str,
) -> Markup {
    let titled = |title| html! { th scope="col" { (title) } };
    let cells_of = |rows: &RowsOfParticipant| cells(ClassRow { rows, ..class }, |formats| &formats.html);
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(region) {
            table data-sort data-filter="participants" {
                thead { tr { @for head in heads(class.packages, |formats| &formats.html, titled) { (head) } } }
                tbody { @for rows in rows { tr { @for cell in cells_of(&rows) { (cell) } } } }
            }
        }
    }
}

/// Results of a case, over all participants.
struct CaseCount<'a> {
    name: &'a str,
    tried: usize,
    failed: usize,
    by_verdict: BTreeMap<&'static str, usize>,
}

impl CaseCount<'_> {
    fn verdicts(&self) -> String {
        let list = self.by_verdict.iter().map(|(verdict, count)| format!("{count}\u{a0}{verdict}"));
        list.collect::<Vec<_>>().join(", ")
    }
}

fn case_letters(row: &RowReport, group: &GroupHead) -> String {
    let own = row.cases.iter().filter(|case| case.group == group.name);
    own.map(|case| case.trial.as_ref().map_or('·', |trial| verdict_letter(trial.verdict))).collect()
}

fn verdict_letter(verdict: Verdict) -> char {
    match verdict {
        Verdict::Accepted => '✓',
        other => other.short().chars().next().expect("every verdict has a short name"),
    }
}
