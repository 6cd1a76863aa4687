//! The answer to a question of Moodle's CodeRunner, as its template grader reads it: the fraction of the points, a table
//! of groups and cases, and HTML before and after it. The package and the row are as the participant may see them.

use super::results_table::{case_name, case_sentence, failed_data, state_text};
use crate::{
    classic_mistakes::author_remarks,
    details::{SettledCases, settled_cases},
    excerpts::{SCREEN, compiler_text},
    phrases::{gives_points, group_heading, points_number, points_of_max, points_text},
};
use kopek_base::wording::{counted, limit_text, one_line};
use kopek_package::package::{Audience, is_sample};
use kopek_package::{points::Points, verdict::Verdict};
use kopek_plan::score::{GroupScore, State};
use kopek_results::{GroupHead, PackageReport, ResultKind, RowReport, adds_its_groups};
use maud::{Markup, html};
use serde_json::{Value, json};

/// Columns at which messages of compilers are wrapped.
const WIDTH: usize = 100;

/// The answer as JSON. `above_limit` says in a few words what decides about a run above the time limit.
pub fn moodle_answer(package: &PackageReport, row: &RowReport, above_limit: &str) -> String {
    let mut rows = Vec::new();
    let mut data = html! {};
    if row.was_run() {
        for head in package.samples_first() {
            let Some(own) = row.card.groups.iter().find(|own| own.name == head.name) else { continue };
            let right = row.cases.iter().filter(|case| case.group == head.name).count();
            // A student need not scroll through a hundred cases that are right.
            if right > 1 && own.state == State::Decided(Verdict::Accepted) && !is_sample(&head.name) {
                rows.push(group_row(package, own, &counted(right, "case")));
                continue;
            }
            rows.push(group_row(package, own, ""));
            rows.extend(case_rows(package, row, head));
            data = html! { (data) (first_failure(package, row, head)) };
        }
    }
    let mut answer = json!({
        "fraction": fraction(package, row),
        "prologuehtml": prologue(package, row, above_limit).into_string(),
        "epiloguehtml": data.into_string(),
    });
    if !rows.is_empty() {
        // Two columns, because a phone shows no more.
        rows.insert(0, json!(["iscorrect", "Test", "What happened"]));
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

fn prologue(package: &PackageReport, row: &RowReport, above_limit: &str) -> Markup {
    let state = &row.card.state;
    html! {
        p {
            @if package.kind == ResultKind::Scoring {
                strong { (points_of_max(row.worth().as_ref(), row.card.max.as_ref())) " points" } " "
            }
            @if package.kind == ResultKind::PassFail || !row.was_run() { strong { (state.to_string()) } }
        }
        @for remark in author_remarks(row, Audience::Everyone) { p { (remark.what) } }
        @if !row.compile_message.trim().is_empty() {
            p { "The compiler says:" }
            pre { (compiler_text(&row.compile_message, WIDTH, SCREEN)) }
        }
        @if row.was_run() {
            p { small {
                "time limit " (limit_text(package.time_limit)) " (" (above_limit) ") · memory limit " (package.memory_limit)
            } }
        }
    }
}

/// `cases` are those that are right, if they have no rows of their own.
fn group_row(package: &PackageReport, own: &GroupScore, cases: &str) -> Value {
    let scored = package.kind == ResultKind::Scoring && gives_points(&own.name, own.max.as_ref());
    let what = html! {
        strong {
            @if scored {
                (points_text(own.points.as_ref()))
                @if let Some(max) = &own.max { " of " (max) }
                " points"
            } @else { (state_text(&own.state)) }
        }
        @if let State::Requires(group) = &own.state {
            ": skipped, because " (group_heading(group)) " was not passed"
        }
        @if !cases.is_empty() { ", " (cases) " right" }
    };
    table_row(&own.state, &group_heading(&own.name), &what)
}

fn table_row(state: &State, test: &str, what: &Markup) -> Value {
    // As HTML, because CodeRunner does not wrap the lines of texts.
    json!([u8::from(*state == State::Decided(Verdict::Accepted)), html! { (test) }.0, what.0])
}

fn case_rows(package: &PackageReport, row: &RowReport, head: &GroupHead) -> Vec<Value> {
    let SettledCases { shown, missing, why, state } = settled_cases(row, head);
    let mut rows = Vec::new();
    for (case, trial) in &shown {
        let name = format!("{} / {}", group_heading(&head.name), case_name(case));
        let is_wrong = trial.verdict != Verdict::Accepted;
        let sentence = case_sentence(package, case, trial);
        let what = html! { @if is_wrong { strong { (trial.verdict.to_string()) } ": " } (sentence) };
        rows.push(table_row(&State::Decided(trial.verdict), &name, &what));
    }
    if missing > 0 && !shown.is_empty() {
        let what = html! { (state) ": " (counted(missing, "more case")) (why) };
        rows.push(table_row(&State::Unknown(missing), &group_heading(&head.name), &what));
    }
    rows
}

/// The data of the first case of a group that failed, as far as the participant may see them.
fn first_failure(package: &PackageReport, row: &RowReport, head: &GroupHead) -> Markup {
    let SettledCases { shown, .. } = settled_cases(row, head);
    let Some((case, trial)) = shown.into_iter().find(|(_, trial)| trial.verdict != Verdict::Accepted) else {
        return html! {};
    };
    let data = failed_data(package, case, trial);
    html! {
        @if case.hint.is_some() || !data.0.is_empty() {
            p { strong { (group_heading(&head.name)) " / " (case_name(case)) } }
            @if let Some(hint) = &case.hint { p { "Hint: " (one_line(hint)) } }
            @if !data.0.is_empty() { table class="table table-bordered" { (data) } }
        }
    }
}
