//! One participant, case by case: the first failure of each group in full, or a table of all cases.

use super::{
    classic_mistakes::author_remarks,
    excerpts::{SCREEN, compiler_text},
    failed_case::CaseView,
    page::Page,
    phrases::{
        Tone, cut_text, gives_points, group_heading, paint, points_sentence, skipped_text, time_of_limit,
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
use kopek_results::{CaseReport, GroupHead, PackageReport, ResultKind, RowReport, decision_text, exit_text};
use kopek_sandbox::Exit;

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

/// Samples first, then groups, each with its first failing case in full.
pub fn render_details(package: &PackageReport, row: &RowReport, audience: Audience, page: Page) -> String {
    let package = &package.head_for(row);
    let view = CaseView { package, audience, page: page.usable() };
    render_page(&DetailsPage { view, row, whole: WholeCases::First, about: None })
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

/// As [`render_details`] for the author of the solution, who sees everything.
pub fn render_run(
    package: &PackageReport,
    row: &RowReport,
    RunWords { whole, about, remarks }: RunWords,
    page: Page,
) -> String {
    let package = &package.head_for(row);
    let page = page.usable();
    let view = CaseView { package, audience: Audience::Teacher, page };
    let mut text = render_page(&DetailsPage { view, row, whole, about });
    if !remarks.is_empty() && author_remarks(row, Audience::Teacher).is_empty() {
        text.push('\n');
    }
    remarks.iter().for_each(|remark| text += &remark_text(remark, page));
    text
}

fn render_page(details: &DetailsPage) -> String {
    let DetailsPage { view: CaseView { package, audience, page }, row, .. } = *details;
    let mut text = title_and_result(&details.view, row);
    let about = details.about.iter().flat_map(|about| wrap_behind("", about, page.width));
    about.for_each(|line| text += &format!("{line}\n"));
    if !row.compile_message.trim().is_empty() {
        text += &format!("\n{}\n", page.words.say("The compiler says:"));
        let room = if details.whole == WholeCases::All { usize::MAX } else { SCREEN };
        text.push_str(&compiler_text(page.words, &row.compile_message, page.width, room));
        text.push('\n');
    }
    // A program that never ran has no results in its groups.
    let mut groups = if row.was_run() { package.samples_first() } else { Vec::new() };
    if audience == Audience::Everyone {
        groups.retain(|_| has_results(row));
        let order = lost_first(package, row);
        groups.sort_by_key(|head| order.iter().position(|own| own.name == head.name));
    }
    for group in groups {
        text.push('\n');
        text.push_str(&details.group_text(group));
    }
    let remarks = author_remarks(row, audience);
    if !remarks.is_empty() {
        text.push('\n');
    }
    remarks.iter().for_each(|remark| text += &remark_text(&remark.what, page));
    text
}

fn remark_text(remark: &str, page: Page) -> String {
    wrap_behind("*  ", &page.words.say(remark), page.width).join("\n") + "\n"
}

fn title_and_result(view: &CaseView, row: &RowReport) -> String {
    let CaseView { package, audience, page } = *view;
    let card = &row.card;
    // A platform's folder of the hand-in is not the participant's own name for it.
    let file = match audience {
        Audience::Teacher => &row.file,
        Audience::Everyone => row.hand_in.entry.as_ref().unwrap_or(&card.name),
    };
    let language = row.language.as_deref().map(|code| format!(" ({})", one_line(code))).unwrap_or_default();
    let [file, package_name] = [file, &package.name].map(|name| one_line(name));
    let title = match audience {
        Audience::Teacher => format!("{file}{language} on {package_name}"),
        Audience::Everyone => format!("{package_name}: {file}{language}"),
    };
    let worth = match package.kind {
        ResultKind::PassFail => String::new(),
        ResultKind::Scoring => view.say(&points_sentence(row.worth().as_ref(), card.max.as_ref())) + ", ",
    };
    let state = view.say(&whole_state(&card.state, audience));
    let result = paint(&format!("{worth}{state}"), tone_of_state(&card.state), page.colour);
    format!("{}\n{result}\n", cut_text(&title, page.width))
}

/// How many results are missing is the teacher's business.
pub(super) fn whole_state(state: &State, audience: Audience) -> String {
    match (state, audience) {
        (State::Unknown(_), Audience::Everyone) => State::Unknown(0).to_string(),
        (state, _) => state.to_string(),
    }
}

/// Whether its participant has results to look at.
pub(super) fn has_results(row: &RowReport) -> bool {
    row.was_run() && row.card.groups.iter().any(|own| !matches!(own.state, State::Unknown(_)))
}

/// Context of all groups of the page.
struct DetailsPage<'a> {
    view: CaseView<'a>,
    row: &'a RowReport,
    whole: WholeCases,
    /// A line below the result.
    about: Option<&'a str>,
}

impl DetailsPage<'_> {
    fn group_text(&self, head: &GroupHead) -> String {
        let SettledCases { shown, missing, state, why } = settled_cases(self.row, &head.name);
        let (right, wrong): (Vec<_>, Vec<_>) =
            shown.iter().partition(|(_, trial)| trial.verdict == Verdict::Accepted);
        let mut text = self.group_head(head) + &self.right_cases(&right);
        let whole = match self.whole {
            WholeCases::First => 1,
            WholeCases::All => wrong.len(),
        };
        for (case, trial) in wrong.iter().take(whole) {
            text.push_str(&self.view.failed_text(case, trial));
        }
        text.push_str(&self.other_cases(wrong.get(whole..).unwrap_or_default()));
        if missing > 0 && !shown.is_empty() {
            text += &format!("  {}\n", self.view.say(&format!("{} {state}{why}", counted(missing, "case"))));
        }
        text
    }

    /// Number of accepted cases, and what one of them wrote on standard error.
    fn right_cases(&self, right: &[&(&CaseReport, &Trial)]) -> String {
        let Some(slowest) = right.iter().map(|(_, trial)| trial.usage.cpu).max() else {
            return String::new();
        };
        let number = counted(right.len(), "case");
        let view = &self.view;
        let wrote = right.iter().find(|(_, trial)| !trial.stderr.trim().is_empty());
        let wrote = wrote.map(|(case, trial)| view.accepted_text(case, trial)).unwrap_or_default();
        // A program can choose how long it takes by what it reads.
        let text = if right.iter().all(|(case, _)| view.sees_contents(case)) {
            format!("{number} right, slowest {}", time_of_limit(view.package, slowest))
        } else {
            format!("{number} right, in time")
        };
        format!("  {}\n{wrote}", view.say(&text))
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
        wrap_text(&self.view.say(&line), "  ", 4, self.view.page.width).join("\n") + "\n"
    }

    fn group_head(&self, head: &GroupHead) -> String {
        let view = &self.view;
        let name = match view.audience {
            Audience::Teacher => one_line(&head.name),
            Audience::Everyone => view.say(&group_heading(&head.name)),
        };
        let name = paint(&name, Tone::Strong, view.page.colour);
        let Some(score) = self.row.card.groups.iter().find(|group| group.name == head.name) else {
            return format!("{name}\n");
        };
        let scored = view.package.kind == ResultKind::Scoring && gives_points(&head.name, score.max.as_ref());
        let worth = match &score.points {
            Some(got) if scored => view.say(&points_sentence(Some(got), score.max.as_ref())) + ", ",
            _ => String::new(),
        };
        let state = match (&score.state, view.audience) {
            (State::Requires(group), Audience::Everyone) => skipped_text(group),
            (state, audience) => whole_state(state, audience),
        };
        let state = view.say(&state);
        format!("{name}: {worth}{}\n", paint(&state, tone_of_state(&score.state), view.page.colour))
    }
}

/// The groups as their participant looks at them: those that cost something first, samples before others.
pub(super) fn lost_first<'a>(package: &PackageReport, row: &'a RowReport) -> Vec<&'a GroupScore> {
    let heads = package.samples_first().into_iter();
    let own = heads.filter_map(|head| row.card.groups.iter().find(|own| own.name == head.name));
    let mut groups: Vec<&GroupScore> = own.collect();
    groups.sort_by_key(|own| {
        let is_whole = own.points == own.max || !gives_points(&own.name, own.max.as_ref());
        own.state == State::Decided(Verdict::Accepted) && (own.max.is_none() || is_whole)
    });
    groups
}

/// The cases of a group that a report shows.
pub(super) struct SettledCases<'a> {
    /// Cases that were run, in judging order.
    pub shown: Vec<(&'a CaseReport, &'a Trial)>,
    /// Number of the other cases.
    pub missing: usize,
    /// What happened to those: `skipped` or `not run`.
    pub state: &'static str,
    /// Why, behind a colon, if a reason is known.
    pub why: &'static str,
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
    let state = if is_decided { "skipped" } else { "not run" };
    let why = match score.filter(|score| is_decided && is_lost(score)) {
        Some(score) if score.points.is_some() && gives_points(&score.name, score.max.as_ref()) => {
            ": the group gets no points any more"
        }
        Some(_) => ": the result is known already",
        None => "",
    };
    SettledCases { missing: own.len() - shown.len(), shown, state, why }
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
    let rows = row.cases.iter().map(case_cells).collect();
    TextTable::new(columns, rows).render(page.usable())
}

fn case_cells(case: &CaseReport) -> Vec<Cell> {
    let name = Cell::plain(one_line(&case.name));
    let Some(trial) = &case.trial else {
        return [name].into_iter().chain(["not run", "–", "–", ""].map(Cell::plain)).collect();
    };
    let tone = if trial.verdict == Verdict::Accepted { Tone::Good } else { Tone::Bad };
    if let Some(decision) = &case.decided {
        let verdict = Cell { text: trial.verdict.to_string(), tone };
        return vec![name, verdict, Cell::plain("–"), Cell::plain("–"), Cell::plain(decision_text(decision))];
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
