//! The answer to a question of Moodle's CodeRunner, as its template grader reads it: the fraction of the points, a table
//! of groups and cases, and HTML before and after it. The package and the row are as the participant may see them.

use super::results_table::{
    GroupView, failed_data, group_text, group_view, lost_first, participant_view, short_state_said,
    what_happened,
};
use crate::{
    classic_mistakes::author_remarks,
    excerpts::{SCREEN, compiler_text},
    failed_case::CaseView,
    own_counterexample::beside_results,
    phrases::{case_name, group_heading, points_number, points_of_max},
};
use kopek_base::wording::limit_text;
use kopek_package::package::{Audience, is_sample};
use kopek_package::{points::Points, verdict::Verdict};
use kopek_plan::score::{GroupScore, State};
use kopek_results::{CaseReport, OwnCounterexample, PackageReport, ResultKind, RowReport, adds_its_groups};
use kopek_sentences::{Decimal, PageLanguage, Said};
use maud::{Markup, html};
use serde_json::{Value, json};

/// Columns at which messages of compilers are wrapped.
const WIDTH: usize = 100;

/// The answer as JSON. `above_limit` says in a few words what decides about a run above the time limit; `own` is an input
/// on which the program fails.
pub fn moodle_answer(
    package: &PackageReport,
    row: &RowReport,
    above_limit: &Said,
    own: Option<OwnCounterexample>,
    language: PageLanguage,
) -> String {
    let view = &participant_view(package, row, language);
    let mut rows = Vec::new();
    let own = own.and_then(|own| beside_results(own, row, language));
    let mut data = own.map(|own| own.to_html()).unwrap_or_default();
    if row.was_run() {
        for own in lost_first(package, row) {
            let group = group_view(view, row, own);
            rows.extend(group_rows(view, &group));
            data = html! { (data) (first_failure(view, &group)) };
        }
    }
    let mut answer = json!({
        "fraction": fraction(package, row),
        "prologuehtml": prologue(view, row, above_limit).into_string(),
        "epiloguehtml": data.into_string(),
    });
    if !rows.is_empty() {
        // Two columns, because a phone shows no more.
        rows.insert(0, json!(["iscorrect", view.say(&Said::TestColumn), view.say(&Said::HappenedTitle)]));
        answer["testresults"] = rows.into();
        answer["columnformats"] = json!(["%h", "%h"]);
    }
    answer.to_string()
}

/// The share of the points, from 0 to 1. A group that is not judged completely gives none yet.
fn fraction(package: &PackageReport, row: &RowReport) -> f64 {
    if package.kind == ResultKind::PassFail {
        return if row.card.state == State::Decided(Verdict::Accepted) { 1.0 } else { 0.0 };
    }
    let Some(max) = row.card.max.as_ref().and_then(points_number).filter(|max| *max > 0.0) else {
        return 0.0;
    };
    let points = row.worth().or_else(|| known_points(row));
    let points = points.as_ref().and_then(points_number).unwrap_or(0.0);
    (points / max).clamp(0.0, 1.0)
}

/// The sum of all known points of groups, if the package adds its groups.
fn known_points(row: &RowReport) -> Option<Points> {
    let groups = row.card.groups.iter().filter(|group| !is_sample(&group.name));
    let known = groups.filter_map(|group| group.points.clone()).sum();
    if adds_its_groups(&row.card) { Some(known) } else { None }
}

fn prologue(view: &CaseView, row: &RowReport, above_limit: &Said) -> Markup {
    let CaseView { package, .. } = view;
    let points = Decimal::new(points_of_max(row.worth().as_ref(), row.card.max.as_ref()));
    let points = Said::Points { points };
    let limits = Said::LimitsWithReason {
        time: Decimal::new(limit_text(view.time_limit)),
        reason: above_limit.clone().into(),
        memory: Decimal::new(package.memory_limit),
    };
    html! {
        p {
            @if package.kind == ResultKind::Scoring { strong { (view.say(&points)) } " " }
            @if package.kind == ResultKind::PassFail || !row.was_run() { strong { (view.say(&(&row.card.state).into())) } }
        }
        @for remark in author_remarks(row, Audience::Everyone) { p { (view.say(&remark.said)) } }
        @if !row.compile_message.trim().is_empty() {
            p { (view.say(&Said::CompilerSays)) }
            pre tabindex="0" { (compiler_text(view.page.language, &row.compile_message, WIDTH, SCREEN)) }
        }
        @if row.was_run() { p { small { (view.say(&limits)) } } }
    }
}

/// The group, and its first failing case.
fn group_rows(view: &CaseView, group: &GroupView) -> Vec<Value> {
    let GroupView { own, first_wrong, others } = group;
    let text = group_text(view, own);
    let what = html! {
        strong { @if text.is_empty() { (view.say(&short_state_said(&own.state))) } @else { (text) } }
        @if first_wrong.is_none() { (others) }
    };
    let mut rows = vec![table_row(&own.state, &view.say(&group_heading(&own.name)), &what)];
    if let Some((case, trial)) = first_wrong {
        let what = html! { strong { (view.say(&trial.verdict.into())) } (view.page.language.colon()) (what_happened(view, case, trial)) (others) };
        rows.push(table_row(&State::Decided(trial.verdict), &title_of_case(view, own, case), &what));
    }
    rows
}

fn title_of_case(view: &CaseView, group: &GroupScore, case: &CaseReport) -> String {
    format!("{} / {}", view.say(&group_heading(&group.name)), case_name(case))
}

fn table_row(state: &State, test: &str, what: &Markup) -> Value {
    // As HTML, because CodeRunner does not wrap the lines of texts.
    json!([u8::from(*state == State::Decided(Verdict::Accepted)), html! { (test) }.0, what.0])
}

/// The data of the first case that failed, as far as the participant may see them.
fn first_failure(view: &CaseView, group: &GroupView) -> Markup {
    let Some((case, trial)) = group.first_wrong else { return html! {} };
    let data = failed_data(view, case, trial);
    html! {
        @if case.hint.is_some() || !data.0.is_empty() {
            p { strong { (title_of_case(view, group.own, case)) } }
            @if let Some(hint) = &case.hint { p { (view.say(&Said::HintOfCase { reason: hint.clone() })) } }
            @if !data.0.is_empty() { table class="table table-bordered" { (data) } }
        }
    }
}
