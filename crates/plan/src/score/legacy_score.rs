//! Scores `legacy` packages as Kattis' own tools or as DOMjudge do: a tree of groups, graded from the leaves
//! up.

use super::{
    default_grader::{Grade, GraderFlags, GraderRun},
    scorecard::{
        GroupScore, LegacyReading, Mark, Scorecard, ScoringFacts, ScoringRules, State, displayed_groups,
    },
};
use kopek_package::{
    check::Score,
    package::{Group, LegacyRule, Member, Rule, is_sample},
    points::Points,
    verdict::Verdict,
};
use std::collections::BTreeMap;

pub(super) fn legacy_score(rules: &ScoringRules, facts: &ScoringFacts) -> Scorecard {
    let mut grading = LegacyFold::new(rules, facts);
    let whole = grading.grade_group(&rules.tests.root);
    let shown = displayed_groups(rules.tests);
    let mut max_scores = if rules.scoring { max_scores_of(rules) } else { BTreeMap::new() };
    let groups =
        shown.iter().map(|group| grading.displayed_score(group, max_scores.get(&group.name))).collect();
    let max = if rules.scoring { max_scores.remove(&rules.tests.root.name) } else { Some(Points::one()) };
    Scorecard {
        name: String::new(),
        points: whole.grade.as_ref().map(|grade| final_points(rules, grade)),
        max,
        state: group_state(&whole),
        groups,
        slowest: None,
        judge_errors: grading.errors,
    }
}

/// The points of a submission with this grade.
fn final_points(rules: &ScoringRules, grade: &Grade) -> Points {
    let (verdict, points) = grade;
    let accepted = *verdict == Verdict::Accepted;
    match (rules.scoring, rules.reading) {
        (false, _) if accepted => Points::one(),
        (true, LegacyReading::Domjudge) => points.clone(),
        (true, LegacyReading::Kattis) if accepted => points.clone(),
        (false, _) | (true, LegacyReading::Kattis) => Points::zero(),
    }
}

fn group_state(graded: &GroupResult) -> State {
    match &graded.grade {
        Some((verdict, _)) => State::Decided(*verdict),
        None => State::Unknown(graded.unknown.max(1)),
    }
}

/// The result of a group so far.
#[derive(Clone)]
struct GroupResult {
    /// `None`: not known yet.
    grade: Option<Grade>,
    /// Trials without a fact.
    unknown: usize,
    /// The first case that was not accepted.
    culprit: Option<String>,
}

struct LegacyFold<'a> {
    rules: &'a ScoringRules<'a>,
    facts: &'a ScoringFacts<'a>,
    graded: BTreeMap<String, GroupResult>,
    /// Groups that were skipped after a rejection, with the rejected part.
    skipped: BTreeMap<String, String>,
    errors: Vec<String>,
}

impl<'a> LegacyFold<'a> {
    fn new(rules: &'a ScoringRules<'a>, facts: &'a ScoringFacts<'a>) -> LegacyFold<'a> {
        LegacyFold { rules, facts, graded: BTreeMap::new(), skipped: BTreeMap::new(), errors: Vec::new() }
    }

    fn grade_group(&mut self, group: &Group) -> GroupResult {
        let Rule::Legacy(rule) = &group.rule else {
            return GroupResult { grade: None, unknown: group.cases().len(), culprit: None };
        };
        let mut parts = Vec::new();
        let mut whole = GroupResult { grade: None, unknown: 0, culprit: None };
        for (index, member) in group.members.iter().enumerate() {
            let part = self.grade_member(member, rule);
            whole.culprit = whole.culprit.or(part.culprit);
            let Some(grade) = part.grade else {
                // Nothing after an unknown part is graded: a rejection here might skip it.
                whole.unknown = part.unknown.max(1) + self.unknown_in(&group.members[index + 1..]);
                break;
            };
            let rejected = grade.0 != Verdict::Accepted && !rule.continue_on_reject;
            parts.push((member, grade));
            if rejected {
                let rejected = self.member_name(member).to_owned();
                self.skip_members(&group.members[index + 1..], &rejected);
                break;
            }
        }
        if whole.unknown == 0 {
            whole.grade = self.grade_parts(group, rule, &parts);
        }
        self.graded.insert(group.name.clone(), whole.clone());
        whole
    }

    fn member_name<'m>(&'m self, member: &'m Member) -> &'m str {
        match member {
            Member::Case(case) => &self.rules.tests.cases[*case].name,
            Member::Group(group) => &group.name,
        }
    }

    fn skip_members(&mut self, members: &[Member], rejected: &str) {
        for member in members {
            if let Member::Group(group) = member {
                self.skipped.insert(group.name.clone(), rejected.to_owned());
                self.skip_members(&group.members, rejected);
            }
        }
    }

    fn unknown_in(&self, members: &[Member]) -> usize {
        let cases = members.iter().flat_map(|member| match member {
            Member::Case(case) => vec![*case],
            Member::Group(group) => group.cases(),
        });
        cases.filter(|&case| self.facts.marks.get(case).is_none_or(Option::is_none)).count()
    }

    fn grade_member(&mut self, member: &Member, rule: &LegacyRule) -> GroupResult {
        match member {
            Member::Group(group) => self.grade_group(group),
            Member::Case(case) => self.grade_case(*case, rule),
        }
    }

    fn grade_case(&mut self, case: usize, rule: &LegacyRule) -> GroupResult {
        let name = &self.rules.tests.cases[case].name;
        let Some(mark) = self.facts.marks.get(case).and_then(Option::as_ref) else {
            return GroupResult { grade: None, unknown: 1, culprit: None };
        };
        let accepted = mark.verdict == Verdict::Accepted;
        let points = self.case_points(mark, rule);
        let culprit = if !accepted { Some(name.clone()) } else { None };
        match points {
            Ok(points) => GroupResult { grade: Some((mark.verdict, points)), unknown: 0, culprit },
            Err(what) => {
                // A mistake of the validator must not count against the submission, so the case stays
                // unknown.
                self.errors.push(format!("{name}: {what}"));
                GroupResult { grade: None, unknown: 1, culprit: None }
            }
        }
    }

    fn case_points(&self, mark: &Mark, rule: &LegacyRule) -> Result<Points, &'static str> {
        let accepted = mark.verdict == Verdict::Accepted;
        let plain = if accepted { &rule.accept_score } else { &rule.reject_score };
        let domjudge = self.rules.reading == LegacyReading::Domjudge;
        match &mark.score {
            None if self.rules.scoring && self.rules.score_files && accepted && !domjudge => {
                Err("accepted without score.txt, which `validation: custom score` demands")
            }
            None => Ok(plain.clone()),
            Some(_) if !self.rules.scoring => Ok(plain.clone()),
            Some(Score::Multiplier(_)) => Err("score_multiplier.txt does not exist in legacy packages"),
            Some(Score::Points(points)) if domjudge => Ok(points.clone()),
            Some(_) if !self.rules.score_files => Err("score.txt without `validation: custom score`"),
            Some(_) if !accepted => Err("score.txt for an output that was not accepted"),
            Some(Score::Points(points)) => Ok(points.clone()),
        }
    }

    fn grade_parts(&mut self, group: &Group, rule: &LegacyRule, parts: &[(&Member, Grade)]) -> Option<Grade> {
        let flags = GraderFlags::read(&rule.grader_flags);
        let counted = counted_parts(group, &flags, parts);
        let grade = match self.rules.reading {
            // `ignore_sample` is a flag of the default grader: a custom one gets all parts.
            _ if rule.custom_grading => {
                let all: Vec<Grade> = parts.iter().map(|(_, grade)| grade.clone()).collect();
                (self.facts.grader)(&GraderRun::new(&group.name, &rule.grader_flags, &all))?
            }
            LegacyReading::Kattis => flags.grade(&counted),
            LegacyReading::Domjudge => {
                let declared = counted_parts(group, &flags, &declared_parts(parts));
                let points = self.domjudge_points(group, rule, &flags, &declared);
                let verdict = counted.iter().map(|part| part.0).find(|verdict| *verdict != Verdict::Accepted);
                (verdict.unwrap_or(Verdict::Accepted), points)
            }
        };
        self.check_range(group, rule, &grade.1);
        Some(grade)
    }

    /// In DOMjudge, a group of cases alone gives its `accept_score` once, and `sample` gives nothing, unless
    /// validators wrote scores.
    fn domjudge_points(
        &self,
        group: &Group,
        rule: &LegacyRule,
        flags: &GraderFlags,
        parts: &[Grade],
    ) -> Points {
        let leaf = group.groups().next().is_none();
        if !leaf || self.has_scores(group) {
            return flags.grade(parts).1;
        }
        // An explicit value cannot be distinguished from the equal default.
        let silent_sample = is_sample(&group.name) && rule.accept_score == Points::one();
        let accepted = parts.iter().all(|part| part.0 == Verdict::Accepted);
        let lost = !accepted || silent_sample || parts.is_empty();
        if lost { Points::zero() } else { rule.accept_score.clone() }
    }

    fn has_scores(&self, group: &Group) -> bool {
        let mark = |case: usize| self.facts.marks.get(case).and_then(Option::as_ref);
        group.cases().into_iter().filter_map(mark).any(|mark| mark.score.is_some())
    }

    fn check_range(&mut self, group: &Group, rule: &LegacyRule, points: &Points) {
        let (min, most) = &rule.range;
        let outside =
            min.as_ref().is_some_and(|min| points < min) || most.as_ref().is_some_and(|most| points > most);
        // A range is only checked: the format does not clip scores to it.
        if self.rules.scoring && outside {
            let bound = |bound: &Option<Points>, open: &str| {
                bound.as_ref().map_or(open.to_owned(), Points::to_string)
            };
            let range = format!("{} to {}", bound(min, "-inf"), bound(most, "+inf"));
            let name = if group.name.is_empty() { "data" } else { &group.name };
            self.errors.push(format!("{name}: the score {points} is outside of its range {range}"));
        }
    }

    fn displayed_score(&self, group: &Group, max: Option<&Points>) -> GroupScore {
        let graded = self.graded.get(&group.name);
        let (points, state) = match (graded, self.skipped.get(&group.name)) {
            (Some(graded), _) => (graded.grade.clone().map(|grade| grade.1), group_state(graded)),
            (None, Some(rejected)) => (Some(Points::zero()), State::Requires(rejected.clone())),
            (None, None) => (None, State::Unknown(self.unknown_in(&group.members).max(1))),
        };
        GroupScore {
            name: group.name.clone(),
            points: points.map(|points| if self.rules.scoring { points } else { Points::zero() }),
            max: max.cloned(),
            state,
            culprit: graded.and_then(|graded| graded.culprit.clone()),
            slowest: None,
        }
    }
}

/// In DOMjudge, a directory is a group only if it or one below it has a `testdata.yaml`; other directories
/// give no points beside a group.
fn declared_parts<'m>(parts: &[(&'m Member, Grade)]) -> Vec<(&'m Member, Grade)> {
    let declared = |member: &Member| matches!(member, Member::Group(group) if is_declared(group));
    if !parts.iter().any(|(member, _)| declared(member)) {
        return parts.to_vec();
    }
    let counts = |member: &Member| matches!(member, Member::Case(_)) || declared(member);
    parts.iter().filter(|(member, _)| counts(member)).cloned().collect()
}

fn is_declared(group: &Group) -> bool {
    matches!(&group.rule, Rule::Legacy(rule) if rule.declared) || group.groups().any(is_declared)
}

/// The input of the grader: `ignore_sample` drops the samples, unless nothing else was run.
fn counted_parts(group: &Group, flags: &GraderFlags, parts: &[(&Member, Grade)]) -> Vec<Grade> {
    let sample = |member: &Member| matches!(member, Member::Group(group) if is_sample(&group.name));
    let ignore = flags.ignore_sample && group.name.is_empty();
    let counted = parts.iter().filter(|(member, _)| !(ignore && sample(member)));
    let counted: Vec<Grade> = counted.map(|(_, grade)| grade.clone()).collect();
    if counted.is_empty() && ignore {
        return parts.iter().map(|(_, (verdict, _))| (*verdict, Points::zero())).collect();
    }
    counted
}

/// The maximum score of each group: its score if every case is accepted, or the end of its range if
/// validators or a custom grader decide.
fn max_scores_of(rules: &ScoringRules) -> BTreeMap<String, Points> {
    let accepted = Mark { verdict: Verdict::Accepted, score: None, cpu: Default::default() };
    let marks = vec![Some(accepted); rules.tests.cases.len()];
    let facts = ScoringFacts { marks: &marks, statics: &BTreeMap::new(), grader: &|_| None };
    // With score files required, an accepted case without one would be an error instead of a score.
    let plain = ScoringRules { score_files: false, ..*rules };
    let mut grading = LegacyFold::new(&plain, &facts);
    grading.grade_group(&rules.tests.root);
    let worth = |(name, graded): (String, GroupResult)| Some((name, graded.grade?.1));
    let mut max = grading.graded.into_iter().filter_map(worth).collect();
    bound_by_ranges(rules, &rules.tests.root, &mut max);
    max
}

fn bound_by_ranges(rules: &ScoringRules, group: &Group, max: &mut BTreeMap<String, Points>) {
    if rules.score_files || asks_a_grader(group) {
        match &group.rule {
            Rule::Legacy(LegacyRule { range: (_, Some(most)), .. }) => {
                max.insert(group.name.clone(), most.clone())
            }
            Rule::Legacy(_) | Rule::Modern { .. } => max.remove(&group.name),
        };
    }
    group.groups().for_each(|below| bound_by_ranges(rules, below, max));
}

fn asks_a_grader(group: &Group) -> bool {
    let custom = matches!(&group.rule, Rule::Legacy(rule) if rule.custom_grading);
    custom || group.groups().any(asks_a_grader)
}
