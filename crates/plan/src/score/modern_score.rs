//! Scores packages of 2025-09: `sample`, `secret`, one level of groups; pass-fail, min and sum; score files;
//! groups that require others.

use super::{
    scorecard::{GroupScore, Scorecard, ScoringFacts, ScoringRules, State, displayed_groups, secret_group},
    scored_part::{GroupTerms, PartStanding, ScoredPart, fold_points, part_worth},
};
use kopek_package::{
    check::Score,
    package::{Aggregation, Group, Member, Rule, StaticScore, is_sample},
    points::Points,
    verdict::Verdict,
};
use std::collections::BTreeMap;

pub(super) fn modern_score(rules: &ScoringRules, facts: &ScoringFacts) -> Scorecard {
    let mut judging = ModernFold { rules, facts, passed: BTreeMap::new(), errors: Vec::new() };
    let shown = displayed_groups(rules.tests);
    let mut groups: Vec<GroupScore> = shown.iter().map(|group| judging.score_group(group)).collect();
    let mut points = None;
    let mut max = None;
    if !rules.scoring {
        points = judging.pass_or_fail(&groups);
        max = Some(Points::one());
    } else if let Some(secret) = secret_group(rules.tests) {
        points = judging.secret_total(secret, &groups);
        max = judging.group_terms(secret).max;
    }
    if !rules.scoring && points.as_ref().is_some_and(Points::is_zero) {
        skip_the_undecided(&mut groups);
    }
    judging.same_kind_of_score_file();
    let state = overall_state(&groups, &points, &max);
    Scorecard { name: String::new(), points, max, state, groups, slowest: None, judge_errors: judging.errors }
}

/// One failed group decides a pass-fail problem: the others are skipped.
/// A group in which all cases must be accepted, for no points.
pub(super) fn unscored_group(group: &Group, rules: &ScoringRules, facts: &ScoringFacts) -> GroupScore {
    let rules = &ScoringRules { scoring: false, ..*rules };
    ModernFold { rules, facts, passed: BTreeMap::new(), errors: Vec::new() }.score_group(group)
}

fn skip_the_undecided(groups: &mut [GroupScore]) {
    let decided = |group: &&GroupScore| !matches!(group.state, State::Unknown(_));
    let lost = groups.iter().filter(decided).find(|group| group.state != State::Decided(Verdict::Accepted));
    let Some(name) = lost.map(|group| group.name.clone()) else { return };
    for group in groups.iter_mut().filter(|group| matches!(group.state, State::Unknown(_))) {
        group.state = State::Requires(name.clone());
        group.points = Some(Points::zero());
    }
}

fn overall_state(groups: &[GroupScore], points: &Option<Points>, max: &Option<Points>) -> State {
    if points.is_none() {
        return State::Unknown(unknown_in(groups));
    }
    // A failed sample takes no points away: a submission with full points is accepted.
    let full = max.is_some() && points == max;
    let undecided = groups.iter().any(|group| matches!(group.state, State::Unknown(_)));
    let failure = groups.iter().find_map(|group| match group.state {
        State::Decided(verdict) if verdict != Verdict::Accepted => Some(verdict),
        State::Decided(_) | State::Requires(_) | State::Unknown(_) => None,
    });
    match failure {
        _ if full => State::Decided(Verdict::Accepted),
        Some(verdict) => State::Decided(verdict),
        None if undecided => State::Unknown(unknown_in(groups)),
        None => State::Decided(Verdict::Accepted),
    }
}

fn unknown_in(groups: &[GroupScore]) -> usize {
    let unknown = |group: &GroupScore| if let State::Unknown(n) = group.state { n } else { 0 };
    groups.iter().map(unknown).sum::<usize>().max(1)
}

struct ModernFold<'a> {
    rules: &'a ScoringRules<'a>,
    facts: &'a ScoringFacts<'a>,
    /// For each group so far, whether all its cases were accepted; `None` if not known yet.
    passed: BTreeMap<String, Option<bool>>,
    errors: Vec<String>,
}

impl<'a> ModernFold<'a> {
    fn group_terms(&self, group: &Group) -> GroupTerms {
        // Samples are run and give no score: the format ignores their score files.
        let scored = self.rules.scoring && !is_sample(&group.name);
        match &group.rule {
            Rule::Modern { max_score, aggregation, require_pass, static_validation, .. } => GroupTerms {
                max: if scored { max_score.clone() } else { None },
                aggregation: if scored { *aggregation } else { Aggregation::PassFail },
                requires: require_pass.clone(),
                validation: static_validation.clone(),
                scored,
            },
            Rule::Legacy(_) => GroupTerms {
                max: None,
                aggregation: Aggregation::PassFail,
                requires: Vec::new(),
                validation: None,
                scored: false,
            },
        }
    }

    fn score_group(&mut self, group: &Group) -> GroupScore {
        let terms = self.group_terms(group);
        let requires = [self.required_by_secret(group), terms.requires.clone()].concat();
        let parts = self.scored_parts(group, &terms);
        let standings = self.part_standings(&parts, &terms);
        let unknown = standings.iter().filter(|s| matches!(s, PartStanding::Unknown)).count();
        let mut score = GroupScore {
            name: group.name.clone(),
            points: None,
            max: terms.max.clone(),
            state: State::Unknown(unknown.max(1)),
            culprit: None,
            slowest: None,
        };
        if let Some(unmet) = requires.iter().find(|name| self.is_passed(name) == Some(false)) {
            score.points = Some(Points::zero());
            score.state = State::Requires(unmet.clone());
            self.passed.insert(group.name.clone(), Some(false));
        } else if requires.iter().all(|name| self.is_passed(name) == Some(true)) {
            self.decide_group(&mut score, &terms, &parts, standings);
        } else {
            self.passed.insert(group.name.clone(), None);
        }
        score
    }

    /// Whether a required group was passed. Groups come after those that they require; `sample` without cases
    /// is not shown and counts as passed.
    fn is_passed(&self, name: &str) -> Option<bool> {
        let shown = self.passed.get(name).copied();
        shown.unwrap_or(is_sample(name).then_some(true))
    }

    /// The groups of `secret` inherit its requirements.
    fn required_by_secret(&self, group: &Group) -> Vec<String> {
        let secret = if group.name.starts_with("secret/") { secret_group(self.rules.tests) } else { None };
        secret.map_or(Vec::new(), |secret| self.group_terms(secret).requires)
    }

    fn part_standings(&mut self, parts: &[ScoredPart], terms: &GroupTerms) -> Vec<PartStanding> {
        parts.iter().map(|part| self.part_standing(part, terms)).collect()
    }

    fn scored_parts(&self, group: &Group, terms: &GroupTerms) -> Vec<ScoredPart<'a>> {
        let cases = own_cases(group);
        let validation = terms.validation.as_ref();
        let share = case_share(terms.max.as_ref(), terms.aggregation, validation, cases.len());
        let worth = static_worth(validation);
        let facts = self.facts;
        let validation = terms.validation.iter().map(|_| ScoredPart {
            name: format!("static validation of {}", group.name),
            max: Some(worth.clone()),
            mark: facts.statics.get(&group.name),
        });
        let tests = self.rules.tests;
        let cases = cases.into_iter().map(|case| ScoredPart {
            name: tests.cases[case].name.clone(),
            max: share.clone(),
            mark: facts.marks.get(case).and_then(Option::as_ref),
        });
        validation.chain(cases).collect()
    }

    fn part_standing(&mut self, part: &ScoredPart, terms: &GroupTerms) -> PartStanding {
        let Some(mark) = part.mark else { return PartStanding::Unknown };
        match part_worth(part, mark, terms) {
            Ok(standing) => standing,
            Err(what) => {
                // A mistake of the package: the submission neither gains nor loses by it.
                self.errors.push(format!("{}: {what}", part.name));
                PartStanding::Unknown
            }
        }
    }

    fn decide_group(
        &mut self,
        score: &mut GroupScore,
        terms: &GroupTerms,
        parts: &[ScoredPart],
        standings: Vec<PartStanding>,
    ) {
        let mut failure = None;
        for (part, standing) in parts.iter().zip(&standings) {
            if let (PartStanding::Failed(verdict), None) = (standing, &failure) {
                failure = Some((*verdict, part.name.clone()));
            }
        }
        let passed = all_passed(&standings);
        self.passed.insert(score.name.clone(), passed);
        score.points = match (terms.scored, terms.aggregation) {
            (true, Aggregation::PassFail) | (false, _) => {
                passed.map(|passed| terms.max.clone().filter(|_| passed).unwrap_or(Points::zero()))
            }
            (true, aggregation) => {
                fold_points(standings.iter().map(PartStanding::points).collect(), aggregation)
            }
        };
        score.points =
            score.points.take().and_then(|points| self.within_max(&score.name, points, &terms.max));
        score.culprit = failure.as_ref().map(|(_, name)| name.clone());
        let verdict = failure.map(|(verdict, _)| verdict).or(passed.map(|_| Verdict::Accepted));
        if let (Some(verdict), Some(_)) = (verdict, &score.points) {
            score.state = State::Decided(verdict);
        }
    }

    fn within_max(&mut self, name: &str, points: Points, max: &Option<Points>) -> Option<Points> {
        match max {
            Some(max) if points > *max => {
                self.errors.push(format!("{name}: {points} points are more than the maximum score {max}"));
                None
            }
            Some(_) | None => Some(points),
        }
    }

    /// Accepted if and only if every case of every group is accepted.
    fn pass_or_fail(&mut self, groups: &[GroupScore]) -> Option<Points> {
        let beside = self.beside_groups(groups);
        let passed = self.all_groups_passed(groups.iter(), &beside);
        passed.map(|passed| if passed { Points::one() } else { Points::zero() })
    }

    fn secret_total(&mut self, secret: &Group, groups: &[GroupScore]) -> Option<Points> {
        let terms = self.group_terms(secret);
        let parts = || groups.iter().filter(|group| !is_sample(&group.name));
        let beside = self.beside_groups(groups);
        let points = match terms.aggregation {
            Aggregation::PassFail => self
                .all_groups_passed(parts(), &beside)
                .map(|passed| terms.max.clone().filter(|_| passed).unwrap_or(Points::zero())),
            aggregation => {
                let groups = parts().map(|group| group.points.clone());
                fold_points(beside.iter().map(PartStanding::points).chain(groups).collect(), aggregation)
            }
        };
        points.and_then(|points| self.within_max("secret", points, &terms.max))
    }

    /// The static validation of `secret`, unless it is shown as a group.
    fn beside_groups(&mut self, groups: &[GroupScore]) -> Vec<PartStanding> {
        match secret_group(self.rules.tests) {
            Some(secret) if groups.iter().all(|group| group.name != "secret") => {
                let terms = self.group_terms(secret);
                let parts = self.scored_parts(secret, &terms);
                self.part_standings(&parts, &terms)
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn all_groups_passed<'g>(
        &self,
        groups: impl Iterator<Item = &'g GroupScore>,
        beside: &[PartStanding],
    ) -> Option<bool> {
        let mut all: Vec<Option<bool>> = groups.map(|group| self.passed[&group.name]).collect();
        if !beside.is_empty() {
            all.push(all_passed(beside));
        }
        // One failure decides, however many results are unknown.
        if all.contains(&Some(false)) {
            return Some(false);
        }
        if !all.is_empty() && all.iter().all(Option::is_some) { Some(true) } else { None }
    }

    fn same_kind_of_score_file(&mut self) {
        let marks = self.facts.marks.iter().flatten().chain(self.facts.statics.values());
        let kinds: Vec<&Score> = marks.filter_map(|mark| mark.score.as_ref()).collect();
        let multiplies = |score: &&Score| matches!(score, Score::Multiplier(_));
        let some = kinds.iter().any(multiplies);
        // The format requires one kind of score file over all calls, not only within a group.
        if self.rules.scoring && some && !kinds.iter().all(multiplies) {
            self.errors.push("validators wrote both score.txt and score_multiplier.txt files".to_owned());
        }
    }
}

/// An empty list is not passed: an unknown result is never a pass.
fn all_passed(standings: &[PartStanding]) -> Option<bool> {
    let failed = standings.iter().any(|standing| matches!(standing, PartStanding::Failed(_)));
    let known = standings.iter().all(|standing| !matches!(standing, PartStanding::Unknown));
    if failed { Some(false) } else { (known && !standings.is_empty()).then_some(true) }
}

fn static_worth(validation: Option<&StaticScore>) -> Points {
    match validation {
        Some(StaticScore::Points(points)) => points.clone(),
        Some(StaticScore::PassFail) | None => Points::zero(),
    }
}

/// The most that a case of a group gives. In a sum, the cases share equally the points that static validation leaves;
/// in `min`, each has the full score.
pub(super) fn case_share(
    max: Option<&Points>,
    aggregation: Aggregation,
    validation: Option<&StaticScore>,
    cases: usize,
) -> Option<Points> {
    match (max, aggregation) {
        (Some(max), Aggregation::Sum) if cases > 0 => {
            Some((max.clone() - static_worth(validation)) / cases as u64)
        }
        (max, _) => max.cloned(),
    }
}

/// The cases that belong to a group itself, including those of plain directories in it. For `secret` only the
/// cases beside the groups, because the scorecard shows the groups separately.
pub(super) fn own_cases(group: &Group) -> Vec<usize> {
    if group.name != "secret" {
        return group.cases();
    }
    let own = |member: &Member| if let Member::Case(case) = member { Some(*case) } else { None };
    group.members.iter().filter_map(own).collect()
}
