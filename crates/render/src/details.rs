//! One participant, case by case: the first failure of each group in full, or a table of all cases.

use super::{
    classic_mistakes::author_remarks,
    excerpts::{SCREEN, compiler_text},
    failed_case::CaseView,
    page::Page,
    phrases::{
        Tone, case_name, cut_text, gives_points, paint, points_of_max, points_sentence, time_of_limit,
        tone_of_state,
    },
    text_table::{Align, Cell, Column, TextTable},
};
use kopek_base::wording::{counted, limit_text, one_line, wrap_behind, wrap_text};
use kopek_package::{package::Audience, points::Points, verdict::Verdict};
use kopek_plan::{
    plan::Trial,
    score::{GroupScore, State},
};
use kopek_results::{CaseReport, GroupHead, PackageReport, ResultKind, RowReport, decision_said, exit_text};
use kopek_sandbox::Exit;
use kopek_sentences::Said;

/// Number of failing cases listed by name, beside those shown in full.
const LISTED_CASES: usize = 20;

/// How many of the failing cases of a group are shown in full.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WholeCases {
    /// The first in judging order: most often the others fail for the same reason.
    #[default]
    First,
    All,
}

/// Texts beside the cases of a run.
#[derive(Clone, Copy, Default)]
pub struct RunWords<'a> {
    /// Which cases are shown in full.
    pub whole: WholeCases,
    /// The tests that the solution was judged with.
    pub about: Option<&'a str>,
    /// Shown last.
    pub remarks: &'a [String],
}

/// Samples first, then groups, each with its first failing case in full, for a reader who sees everything.
pub fn render_run(
    package: &PackageReport,
    row: &RowReport,
    RunWords { whole, about, remarks }: RunWords,
    page: Page,
) -> String {
    let page = page.usable();
    let time_limit = package.time_limit_of(row);
    let details =
        DetailsPage { view: CaseView { package, time_limit, audience: Audience::Teacher, page }, row, whole };
    let mut text = details.title_and_result();
    let about = about.iter().flat_map(|about| wrap_behind("", about, page.width));
    about.for_each(|line| text += &format!("{line}\n"));
    if !row.compile_message.trim().is_empty() {
        text += "\nThe compiler says:\n";
        let room = if whole == WholeCases::All { usize::MAX } else { SCREEN };
        text.push_str(&compiler_text(page.language, &row.compile_message, page.width, room));
        text.push('\n');
    }
    // A program that never ran has no results in its groups.
    let groups = if row.was_run() { package.samples_first() } else { Vec::new() };
    for group in groups {
        text.push('\n');
        text.push_str(&details.group_text(group));
    }
    let own = author_remarks(row, Audience::Teacher);
    if !own.is_empty() || !remarks.is_empty() {
        text.push('\n');
    }
    let own = own.iter().map(|own| own.said.to_string());
    for remark in own.chain(remarks.iter().cloned()) {
        text += &(wrap_behind("*  ", &remark, page.width).join("\n") + "\n");
    }
    text
}

/// Context of all groups of the page.
struct DetailsPage<'a> {
    view: CaseView<'a>,
    row: &'a RowReport,
    whole: WholeCases,
}

impl DetailsPage<'_> {
    fn title_and_result(&self) -> String {
        let CaseView { package, page, .. } = self.view;
        let card = &self.row.card;
        let language = self.row.language.as_deref();
        let language = language.map(|code| format!(" ({})", one_line(code))).unwrap_or_default();
        let title = format!("{}{language} on {}", one_line(&self.row.file), one_line(&package.name));
        let worth = match package.kind {
            ResultKind::PassFail => String::new(),
            ResultKind::Scoring => {
                format!("{}, ", points_sentence(self.row.worth().as_ref(), card.max.as_ref()))
            }
        };
        let result = paint(&format!("{worth}{}", card.state), tone_of_state(&card.state), page.colour);
        format!("{}\n{result}\n", cut_text(&title, page.width))
    }

    fn group_text(&self, head: &GroupHead) -> String {
        let settled = settled_cases(self.row, &head.name);
        let (right, wrong): (Vec<_>, Vec<_>) =
            settled.shown.iter().partition(|(_, trial)| trial.verdict == Verdict::Accepted);
        let mut text = self.group_head(head) + &self.right_cases(&right);
        let whole = match self.whole {
            WholeCases::First => 1,
            WholeCases::All => wrong.len(),
        };
        for (case, trial) in wrong.iter().take(whole) {
            text.push_str(&self.view.failed_text(case, trial));
        }
        text.push_str(&self.other_cases(wrong.get(whole..).unwrap_or_default()));
        if let Some(rest) = settled.rest(Said::Cases { number: settled.missing }) {
            text += &format!("  {rest}\n");
        }
        text
    }

    /// Number of accepted cases, and what one of them wrote on standard error.
    fn right_cases(&self, right: &[&(&CaseReport, &Trial)]) -> String {
        let Some(slowest) = right.iter().map(|(_, trial)| trial.usage.cpu).max() else {
            return String::new();
        };
        let view = &self.view;
        let wrote = right.iter().find(|(_, trial)| !trial.stderr.trim().is_empty());
        let wrote = wrote.map(|(case, trial)| view.accepted_text(case, trial)).unwrap_or_default();
        let (number, time) = (counted(right.len(), "case"), time_of_limit(view.time_limit, slowest));
        let points = self.points_of(right);
        format!("  {number} right, slowest {time}\n{points}{wrote}")
    }

    /// The points of cases whose validator gives a score.
    fn points_of(&self, cases: &[&(&CaseReport, &Trial)]) -> String {
        let points = cases.iter().filter_map(|(case, _)| Some((*case, case.points.as_ref()?)));
        let list: Vec<String> = points
            .map(|(case, own)| {
                format!("{} {}", case_name(case), points_of_max(Some(&own.points), own.max.as_ref()))
            })
            .collect();
        if list.is_empty() {
            return String::new();
        }
        let line = format!("points of the cases: {}", list.join(", "));
        wrap_text(&line, "  ", 4, self.view.page.width).join("\n") + "\n"
    }

    /// Names and verdicts of the failing cases that are not shown whole.
    fn other_cases(&self, cases: &[&(&CaseReport, &Trial)]) -> String {
        if cases.is_empty() {
            return String::new();
        }
        let names = cases.iter().take(LISTED_CASES);
        let names =
            names.map(|(case, trial)| format!("{} {}", self.view.name_of(case), trial.verdict.short()));
        let dots = if cases.len() > LISTED_CASES { ", …" } else { "" };
        let line = format!("and {} more: {}{dots}", cases.len(), names.collect::<Vec<_>>().join(", "));
        wrap_text(&line, "  ", 4, self.view.page.width).join("\n") + "\n"
    }

    fn group_head(&self, head: &GroupHead) -> String {
        let CaseView { package, page, .. } = self.view;
        let name = paint(&one_line(&head.name), Tone::Strong, page.colour);
        let Some(score) = self.row.card.groups.iter().find(|group| group.name == head.name) else {
            return format!("{name}\n");
        };
        let scored = package.kind == ResultKind::Scoring && gives_points(&head.name, score.max.as_ref());
        let worth = match &score.points {
            Some(got) if scored => format!("{}, ", points_sentence(Some(got), score.max.as_ref())),
            _ => String::new(),
        };
        let state = paint(&score.state.to_string(), tone_of_state(&score.state), page.colour);
        format!("{name}: {worth}{state}\n")
    }
}

/// The cases of a group that a report shows.
pub(super) struct SettledCases<'a> {
    /// Cases that were run, in judging order.
    pub shown: Vec<(&'a CaseReport, &'a Trial)>,
    /// Number of the other cases.
    pub missing: usize,
    /// Whether those were skipped, because the group is decided.
    are_skipped: bool,
    /// Why, if a reason is known.
    why: Option<Said>,
}

impl SettledCases<'_> {
    /// What happened to the others, which are counted, if some are shown.
    pub fn rest(&self, count: Said) -> Option<Said> {
        if self.missing == 0 || self.shown.is_empty() {
            return None;
        }
        let count = Box::new(count);
        Some(match &self.why {
            Some(why) => Said::CasesSkippedBecause { count, reason: why.clone().into() },
            None if self.are_skipped => Said::CasesSkipped { count },
            None => Said::CasesNotRun { count },
        })
    }
}

/// The cases of a group. Where the rest was left out, only those up to the first failure: which later ones
/// had begun by then is a matter of timing.
pub(super) fn settled_cases<'a>(row: &'a RowReport, group: &str) -> SettledCases<'a> {
    let own: Vec<&CaseReport> = row.cases.iter().filter(|case| case.group == group).collect();
    let mut shown: Vec<(&CaseReport, &Trial)> =
        own.iter().filter_map(|case| Some((*case, case.trial.as_ref()?))).collect();
    let ran = shown.len();
    let score = row.card.groups.iter().find(|own| own.name == group);
    let is_decided = score.is_some_and(|score| matches!(score.state, State::Decided(_)));
    if ran < own.len() && is_decided {
        let first = shown.iter().position(|(_, trial)| trial.verdict != Verdict::Accepted);
        shown.truncate(first.map_or(ran, |first| first + 1));
    }
    let why = match score.filter(|score| is_decided && is_lost(score)) {
        Some(score) if score.points.is_some() && gives_points(&score.name, score.max.as_ref()) => {
            Some(Said::GroupIsLost)
        }
        Some(_) => Some(Said::ResultIsKnown),
        None => None,
    };
    SettledCases { missing: own.len() - shown.len(), shown, are_skipped: is_decided, why }
}

fn is_lost(score: &GroupScore) -> bool {
    score.state != State::Decided(Verdict::Accepted) && score.points.as_ref().is_none_or(Points::is_zero)
}

/// A row per case, in judging order.
pub fn render_case_table(package: &PackageReport, row: &RowReport, page: Page) -> String {
    let columns = vec![
        Column::new("case", "", Align::Left),
        Column::new("verdict", "", Align::Left),
        Column::new("time", format!("of {}", limit_text(package.time_limit)), Align::Right),
        Column::new("memory", format!("of {}", package.memory_limit), Align::Right),
        Column::new("end", "", Align::Left),
    ];
    let mut rows: Vec<Vec<Cell>> = row.cases.iter().map(case_cells).collect();
    let mut columns = columns;
    if row.cases.iter().any(|case| case.points.is_some()) {
        columns.insert(AFTER_VERDICT, Column::new("points", "", Align::Right));
        for (cells, case) in rows.iter_mut().zip(&row.cases) {
            cells.insert(AFTER_VERDICT, points_cell_of(case));
        }
    }
    TextTable::new(columns, rows).render(page.usable())
}

/// The place of the points in the table of cases.
const AFTER_VERDICT: usize = 2;

fn points_cell_of(case: &CaseReport) -> Cell {
    match &case.points {
        Some(own) => Cell::plain(points_of_max(Some(&own.points), own.max.as_ref())),
        None => Cell::plain("–"),
    }
}

fn case_cells(case: &CaseReport) -> Vec<Cell> {
    let name = Cell::plain(one_line(&case.name));
    let Some(trial) = &case.trial else {
        return [name].into_iter().chain(["not run", "–", "–", ""].map(Cell::plain)).collect();
    };
    let tone = if trial.verdict == Verdict::Accepted { Tone::Good } else { Tone::Bad };
    if let Some(decision) = &case.decided {
        let verdict = Cell { text: trial.verdict.to_string(), tone };
        return vec![
            name,
            verdict,
            Cell::plain("–"),
            Cell::plain("–"),
            Cell::plain(decision_said(decision).to_string()),
        ];
    }
    let end = if trial.exit == Exit::Code(0) { String::new() } else { short_end(&trial.exit) };
    vec![
        name,
        Cell { text: trial.verdict.to_string(), tone },
        // To the millisecond: this table also compares runs of less than a hundredth of a second.
        Cell::plain(format!("{:.3} s", trial.usage.cpu.as_secs_f64())),
        Cell::plain(trial.usage.memory.to_string()),
        Cell::plain(end),
    ]
}

/// How a run ended, without its explanation, which the case itself shows.
fn short_end(exit: &Exit) -> String {
    let text = exit_text(exit);
    text.split(" (").next().unwrap_or(&text).to_owned()
}
