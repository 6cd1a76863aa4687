//! Chapter: scoring. What a submission is worth, and what need not be run to know it.

mod legacy_scores;
mod modern_scores;
mod score_properties;

use kopek::{
    base::Digest,
    check::Score,
    package::{
        Aggregation, Case, CaseArguments, CaseIds, Group, LegacyRule, Member, Rule, TestSet, TestWorth,
    },
    points::Points,
    score::{
        CasePoints, LegacyReading, Mark, Scorecard, ScoringFacts, ScoringRules, State, case_points, score,
    },
    verdict::Verdict,
};
use std::{collections::BTreeMap, path::PathBuf, time::Duration};

pub fn points(text: &str) -> Points {
    text.parse().unwrap()
}

fn case(name: &str) -> Case {
    Case {
        name: name.to_owned(),
        input: PathBuf::from(format!("{name}.in")),
        answer: PathBuf::from(format!("{name}.ans")),
        files: None,
        digest: Digest::of(name.as_bytes()),
        ids: CaseIds::unread(),
        arguments: CaseArguments::default(),
        input_visualizer_args: vec![],
        output_visualizer_args: vec![],
        full_feedback: false,
        hint: None,
        description: None,
    }
}

/// A tree to be built: groups by their rule, cases by their number.
pub enum Plant {
    Group(&'static str, Rule, Vec<Plant>),
    Cases(usize),
}

pub fn plant(root: Rule, members: Vec<Plant>) -> TestSet {
    let mut cases = vec![];
    let root = grow("", root, members, &mut cases);
    TestSet { root, own: None, cases, validation: vec![], worth: TestWorth::Points }
}

fn grow(name: &str, rule: Rule, members: Vec<Plant>, cases: &mut Vec<Case>) -> Group {
    let mut group = Group { name: name.to_owned(), rule, members: vec![] };
    let below = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}/{part}") };
    for member in members {
        match member {
            Plant::Group(part, rule, members) => {
                group.members.push(Member::Group(grow(&below(part), rule, members, cases)));
            }
            Plant::Cases(count) => {
                for number in 1..=count {
                    group.members.push(Member::Case(cases.len()));
                    cases.push(case(&below(&number.to_string())));
                }
            }
        }
    }
    group
}

pub fn modern(max: &str, aggregation: Aggregation, requires: &[&str]) -> Rule {
    Rule::Modern {
        max_score: (max != "unbounded").then(|| points(max)),
        aggregation,
        require_pass: requires.iter().map(|name| (*name).to_owned()).collect(),
        static_validation: None,
        static_validator_args: vec![],
    }
}

pub fn legacy_rule(on_reject: &str, flags: &str, accept: &str) -> LegacyRule {
    LegacyRule {
        continue_on_reject: on_reject == "continue",
        custom_grading: false,
        grader_flags: flags.split_whitespace().map(str::to_owned).collect(),
        accept_score: points(accept),
        reject_score: Points::zero(),
        range: (None, None),
        declared: true,
    }
}

pub fn mark(verdict: Verdict) -> Mark {
    Mark { verdict, score: None, cpu: Duration::from_millis(5) }
}

pub fn scored(verdict: Verdict, score: Score) -> Mark {
    Mark { score: Some(score), ..mark(verdict) }
}

/// One word a case: `AC`, `WA`, `TLE`, `RTE`; `?` unknown; `AC=3` with score.txt, `AC*0.5` with a multiplier.
pub fn marks(text: &str) -> Vec<Option<Mark>> {
    text.split_whitespace().map(one_mark).collect()
}

fn one_mark(word: &str) -> Option<Mark> {
    let verdict = match &word[..word.find(['=', '*']).unwrap_or(word.len())] {
        "?" => return None,
        "AC" => Verdict::Accepted,
        "WA" => Verdict::WrongAnswer,
        "TLE" => Verdict::TimeLimit,
        "RTE" => Verdict::RunTimeError,
        other => panic!("{other}"),
    };
    let value = |mark: char| word.split_once(mark).map(|(_, value)| points(value));
    let score = value('=').map(Score::Points).or(value('*').map(Score::Multiplier));
    Some(Mark { score, ..mark(verdict) })
}

pub fn rules(tests: &TestSet) -> ScoringRules<'_> {
    ScoringRules { tests, scoring: true, score_files: false, reading: LegacyReading::Kattis }
}

pub fn card_of(rules: &ScoringRules, marks: &[Option<Mark>]) -> Scorecard {
    assert_eq!(marks.len(), rules.tests.cases.len());
    score("somebody", rules, &ScoringFacts { marks, statics: &BTreeMap::new(), grader: &|_| None })
}

/// `40 WA | sample 0 AC | secret/1 20 AC`: points (`?` unknown) and state of all and of each group.
pub fn summary(card: &Scorecard) -> String {
    let state = |state: &State| match state {
        State::Decided(verdict) => verdict.short().to_owned(),
        State::Requires(group) => format!("requires {group}"),
        State::Unknown(n) => format!("unknown {n}"),
    };
    let worth = |points: &Option<Points>| points.as_ref().map_or("?".to_owned(), Points::to_string);
    let groups = card.groups.iter();
    let groups = groups.map(|g| format!(" | {} {} {}", g.name, worth(&g.points), state(&g.state)));
    format!("{} {}{}", worth(&card.points), state(&card.state), groups.collect::<String>())
}
