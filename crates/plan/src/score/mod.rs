//! Scorecards: a fold over facts. An unknown result is never a pass. Pure.
//!
//! [`score`] computes the score of a submission as far as facts are known; [`Progress`] returns the cases
//! that can still change it. Both use the same rules: running only the cases from [`Progress`] gives the same
//! points and the same verdict as running everything.
//!
//! A *judge error* in the format's sense (a validator that misuses its score files) is a mistake of the
//! package, never of the submission: it is listed, and the case counts as unknown.

mod case_points;
mod default_grader;
mod legacy_score;
mod modern_score;
mod scorecard;
mod scored_part;
mod scoring_progress;

pub use case_points::{CasePoints, case_points};
pub use default_grader::{Grade, GraderRun, read_grade};
pub use scorecard::{GroupScore, LegacyReading, Mark, Scorecard, ScoringFacts, ScoringRules, State};
pub use scoring_progress::Progress;

use kopek_package::{
    package::{Rule, TestSet},
    points::Points,
    verdict::Verdict,
};
use scorecard::{displayed_groups, secret_group};
use std::{collections::BTreeMap, time::Duration};

/// The score of a submission as far as facts are known.
///
/// The verdict is that of the first rejected case in judging order, or `accepted` if there is none or the
/// points are full (a failed sample takes none away). Points are given as soon as no missing trial can change
/// them: one failure decides a group in which all cases must pass.
pub fn score(name: &str, rules: &ScoringRules, facts: &ScoringFacts) -> Scorecard {
    let mut card = match secret_group(rules.tests).map(|secret| &secret.rule) {
        Some(Rule::Legacy(_)) => legacy_score::legacy_score(rules, facts),
        Some(Rule::Modern { .. }) | None => modern_score::modern_score(rules, facts),
    };
    card.name = name.to_owned();
    for (group, score) in displayed_groups(rules.tests).iter().zip(&mut card.groups) {
        score.slowest = slowest_trial(rules.tests, &group.cases(), facts);
    }
    let all: Vec<usize> = (0..rules.tests.cases.len()).collect();
    card.slowest = slowest_trial(rules.tests, &all, facts);
    if let Some(own) = &rules.tests.own {
        // The author may choose own cases only.
        if rules.tests.root.cases().is_empty() {
            card.state = State::Decided(Verdict::Accepted);
        }
        add_own_group(&mut card, modern_score::unscored_group(own, rules, facts));
        card.groups[0].slowest = slowest_trial(rules.tests, &own.cases(), facts);
    }
    card
}

/// Points stay those of the package; a submission is accepted if it passes this group, too.
fn add_own_group(card: &mut Scorecard, own: GroupScore) {
    if card.state == State::Decided(Verdict::Accepted) {
        card.state = own.state.clone();
    }
    card.groups.insert(0, GroupScore { max: Some(Points::zero()), ..own });
}

/// The scorecard of a submission that never ran: no points, whatever the rules.
pub fn refused_scorecard(name: &str, rules: &ScoringRules, verdict: Verdict) -> Scorecard {
    let facts = ScoringFacts { marks: &[], statics: &BTreeMap::new(), grader: &|_| None };
    let mut card = score(name, rules, &facts);
    card.points = Some(Points::zero());
    card.state = State::Decided(verdict);
    // The submission never ran, so a missing result cannot be a validator's mistake.
    card.judge_errors.clear();
    for group in &mut card.groups {
        group.points = Some(Points::zero());
        group.state = State::Decided(verdict);
    }
    card
}

fn slowest_trial(tests: &TestSet, cases: &[usize], facts: &ScoringFacts) -> Option<(String, Duration)> {
    let timed = cases.iter().filter_map(|&case| Some((case, facts.marks.get(case)?.as_ref()?.cpu)));
    // The first of equals: `max_by_key` would return the last.
    timed.rev().max_by_key(|(_, cpu)| *cpu).map(|(case, cpu)| (tests.cases[case].name.clone(), cpu))
}
