//! Properties of every tree of groups and every submission.

use super::*;
use kopek::score::Progress;
use proptest::{collection::vec, prelude::*, sample::select};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// A problem, and whatever there is to know of one submission to it.
#[derive(Clone)]
struct Judged {
    tests: TestSet,
    scoring: bool,
    reading: LegacyReading,
    marks: Vec<Option<Mark>>,
}

impl std::fmt::Debug for Judged {
    /// The rules line by line, and the card: what a reader of a failure wants to see.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        writeln!(f, "scoring {}, {:?}: {}", self.scoring, self.reading, summary(&self.card(&self.marks)))?;
        let marks = self.marks.iter().flatten();
        writeln!(f, "{:?}", marks.map(|m| (m.verdict, m.score.as_ref())).collect::<Vec<_>>())?;
        tell_rules(&self.tests.root, f)
    }
}

fn tell_rules(group: &Group, f: &mut std::fmt::Formatter) -> std::fmt::Result {
    let cases = group.members.iter().filter(|member| matches!(member, Member::Case(_))).count();
    match &group.rule {
        Rule::Modern { max_score, aggregation, require_pass, .. } => {
            let max = max_score.as_ref().map(Points::to_string);
            writeln!(f, "{}: {cases} cases, {max:?} {aggregation:?} {require_pass:?}", group.name)?;
        }
        Rule::Legacy(LegacyRule { continue_on_reject, grader_flags, accept_score, .. }) => {
            let goes_on = if *continue_on_reject { "continue" } else { "break" };
            writeln!(f, "{}: {cases} cases, {goes_on} {grader_flags:?} {accept_score}", group.name)?;
        }
    }
    group.members.iter().try_for_each(|member| match member {
        Member::Group(below) => tell_rules(below, f),
        Member::Case(_) => Ok(()),
    })
}

impl Judged {
    fn rules(&self) -> ScoringRules<'_> {
        ScoringRules { tests: &self.tests, scoring: self.scoring, score_files: false, reading: self.reading }
    }

    fn card(&self, marks: &[Option<Mark>]) -> Scorecard {
        card_of(&self.rules(), marks)
    }
}

fn modern_group(index: usize) -> impl Strategy<Value = (Aggregation, usize, Vec<usize>)> {
    let aggregation = select(vec![Aggregation::PassFail, Aggregation::Min, Aggregation::Sum]);
    (aggregation, 1..4usize, vec(0..=index, 0..2))
}

fn modern_tests() -> impl Strategy<Value = TestSet> {
    let groups = (0..NAMES.len()).map(modern_group).collect::<Vec<_>>();
    let secret = select(vec![Aggregation::Min, Aggregation::Sum]);
    (0..3usize, groups, 0..=NAMES.len(), secret, any::<bool>()).prop_map(
        |(samples, groups, count, aggregation, guarded)| {
            let mut members = vec![];
            for (index, (aggregation, cases, required)) in groups.iter().take(count).enumerate() {
                // 0 is the sample, others are earlier groups, if they are pass-fail.
                let may = |&&w: &&usize| w == 0 || groups[w - 1].0 == Aggregation::PassFail;
                let name =
                    |&w: &usize| if w == 0 { "sample".into() } else { format!("secret/{}", NAMES[w - 1]) };
                let requires: Vec<String> = required.iter().filter(may).map(name).collect();
                let requires: Vec<&str> = requires.iter().map(String::as_str).collect();
                let rule = modern("12", *aggregation, &requires);
                members.push(Plant::Group(NAMES[index], rule, vec![Plant::Cases(*cases)]));
            }
            if members.is_empty() {
                members.push(Plant::Cases(4));
            }
            let sample = Plant::Group(
                "sample",
                modern("unbounded", Aggregation::PassFail, &[]),
                vec![Plant::Cases(samples)],
            );
            let requires: &[&str] = if guarded { &["sample"] } else { &[] };
            let secret = Plant::Group("secret", modern("100", aggregation, requires), members);
            plant(modern("100", Aggregation::Sum, &[]), vec![sample, secret])
        },
    )
}

fn legacy_plant() -> impl Strategy<Value = (Rule, usize)> {
    let on_reject = select(vec!["break", "continue"]);
    let flags = select(vec![
        "",
        "min",
        "max first_error",
        "sum always_accept",
        "accept_if_any_accepted first_error",
        "min accept_if_any_accepted",
    ]);
    let rule = (on_reject, flags, select(vec!["0", "1", "2.5"]));
    (rule.prop_map(|(on, flags, accept)| Rule::Legacy(legacy_rule(on, flags, accept))), 0..3usize)
}

fn legacy_tests() -> impl Strategy<Value = TestSet> {
    (vec(legacy_plant(), 6), any::<bool>()).prop_map(|(plants, ignore)| {
        let [root, sample, secret, a, b, deep] = <[_; 6]>::try_from(plants).expect("six were made");
        let mut root = root.0;
        if let (Rule::Legacy(rule), true) = (&mut root, ignore) {
            rule.grader_flags.push("ignore_sample".to_owned());
        }
        let group = |name, (rule, cases): (Rule, usize), more: Vec<Plant>| {
            Plant::Group(name, rule, [Plant::Cases(cases)].into_iter().chain(more).collect())
        };
        let inner = group("a", a, vec![group("d", deep, vec![])]);
        let b = group("b", b, vec![]);
        plant(root, vec![group("sample", sample, vec![]), group("secret", secret, vec![inner, b])])
    })
}

fn some_mark() -> impl Strategy<Value = Mark> {
    let verdicts = vec![
        Verdict::Accepted,
        Verdict::Accepted,
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimit,
    ];
    select(verdicts).prop_map(mark)
}

/// Cases of groups that give points by share may have a multiplier.
fn with_multipliers(judged: &mut Judged, quarters: &[u64]) {
    let mut shares = vec![];
    collect_shares(&judged.tests.root, &mut shares);
    for case in shares {
        let quarter = quarters[case % quarters.len()];
        if let (Some(mark), true) = (&mut judged.marks[case], quarter < 4 && judged.scoring) {
            let share = Score::Multiplier(Points::from(quarter) / 4);
            mark.score = (mark.verdict == Verdict::Accepted).then_some(share);
        }
    }
}

fn collect_shares(group: &Group, shares: &mut Vec<usize>) {
    let by_share =
        matches!(&group.rule, Rule::Modern { aggregation, .. } if *aggregation != Aggregation::PassFail);
    for member in &group.members {
        match member {
            Member::Case(case) if by_share => shares.push(*case),
            Member::Case(_) => {}
            Member::Group(below) => collect_shares(below, shares),
        }
    }
}

fn judged(tests: impl Strategy<Value = TestSet>) -> impl Strategy<Value = Judged> {
    let reading = select(vec![LegacyReading::Kattis, LegacyReading::Domjudge]);
    (tests, any::<bool>(), reading, vec(some_mark(), 32), vec(0..8u64, 7)).prop_map(
        |(tests, scoring, reading, marks, quarters)| {
            let marks = marks.into_iter().take(tests.cases.len()).map(Some).collect();
            let mut judged = Judged { tests, scoring, reading, marks };
            with_multipliers(&mut judged, &quarters);
            judged
        },
    )
}

fn any_judged() -> impl Strategy<Value = Judged> {
    prop_oneof![judged(modern_tests()), judged(legacy_tests())]
}

/// Runs the wanted jobs, a limited number at a time, which end in a random order.
fn stopped_early(judged: &Judged, slots: usize, dice: &[usize]) -> Vec<Option<Mark>> {
    let mut progress = Progress::new(&judged.rules());
    let mut known = vec![None; judged.marks.len()];
    let (mut running, mut roll) = (vec![], dice.iter().cycle());
    loop {
        while running.len() < slots {
            let Some(case) = progress.take() else { break };
            assert!(progress.is_needed(case) && !running.contains(&case) && known[case].is_none());
            running.push(case);
        }
        if running.is_empty() {
            return known;
        }
        let case = running.swap_remove(roll.next().expect("dice are thrown for ever") % running.len());
        let mark = judged.marks[case].clone().expect("all is known of the submission");
        progress.record(case, &mark);
        known[case] = Some(mark);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn who_stops_early_gets_what_who_runs_everything_gets(
        judged in any_judged(), slots in 1..5usize, dice in vec(0..100usize, 9),
    ) {
        let known = stopped_early(&judged, slots, &dice);
        let (early, whole) = (judged.card(&known), judged.card(&judged.marks));
        prop_assert_eq!(&early.points, &whole.points, "{} {}", summary(&early), summary(&whole));
        prop_assert_eq!(&early.state, &whole.state, "{} {}", summary(&early), summary(&whole));
        if judged.scoring {
            for (early, whole) in early.groups.iter().zip(&whole.groups) {
                prop_assert_eq!((&early.points, &early.state), (&whole.points, &whole.state), "{}", whole.name);
            }
        }
    }

    #[test]
    fn what_is_decided_no_missing_trial_can_change(judged in any_judged(), missing: u32) {
        let known: Vec<_> = judged.marks.iter().enumerate()
            .map(|(case, mark)| mark.clone().filter(|_| missing >> (case % 32) & 1 == 0)).collect();
        let (part, whole) = (judged.card(&known), judged.card(&judged.marks));
        for (part, whole) in part.groups.iter().zip(&whole.groups) {
            prop_assert!(part.points.is_none() || part.points == whole.points || !judged.scoring, "{}", whole.name);
        }
        if part.points.is_some() {
            prop_assert_eq!(&part.points, &whole.points, "{} {}", summary(&part), summary(&whole));
            prop_assert!(!matches!(part.state, State::Unknown(0)));
        }
        if part.state == State::Decided(Verdict::Accepted) {
            prop_assert_eq!(part.state, whole.state);
        }
    }

    #[test]
    fn a_right_answer_more_never_costs_points(judged in judged(modern_tests()), case: prop::sample::Index) {
        prop_assume!(!judged.marks.is_empty());
        let mut better = judged.clone();
        better.marks[case.index(judged.marks.len())] = Some(mark(Verdict::Accepted));
        prop_assert!(better.card(&better.marks).points >= judged.card(&judged.marks).points);
    }

    #[test]
    fn the_order_of_facts_does_not_matter(judged in any_judged(), order: u64, known: u32) {
        let mut cases: Vec<usize> = (0..judged.marks.len()).filter(|case| known >> (case % 32) & 1 == 1).collect();
        let mut there = Progress::new(&judged.rules());
        let mut back = there.clone();
        for &case in &cases {
            there.record(case, judged.marks[case].as_ref().unwrap());
        }
        cases.sort_by_key(|&case| (case as u64 + 1).wrapping_mul(order));
        for &case in &cases {
            back.record(case, judged.marks[case].as_ref().unwrap());
            back.record(case, judged.marks[case].as_ref().unwrap());
        }
        for case in 0..judged.marks.len() {
            prop_assert_eq!(there.is_needed(case), back.is_needed(case));
        }
        while let Some(case) = there.take() {
            prop_assert_eq!(Some(case), back.take());
        }
        prop_assert_eq!(back.take(), None);
    }
}

#[test]
fn a_lost_group_runs_no_further_and_those_that_require_it_not_at_all() {
    let group = |name, aggregation, requires: &[&str]| {
        Plant::Group(name, modern("10", aggregation, requires), vec![Plant::Cases(3)])
    };
    let tests = plant(
        modern("100", Aggregation::Sum, &[]),
        vec![Plant::Group(
            "secret",
            modern("100", Aggregation::Sum, &[]),
            vec![
                group("a", Aggregation::PassFail, &[]),
                group("b", Aggregation::Min, &["secret/a"]),
                group("c", Aggregation::Sum, &[]),
            ],
        )],
    );
    let mut progress = Progress::new(&rules(&tests));
    assert_eq!([progress.take(), progress.take()], [Some(0), Some(1)]);
    assert!(!progress.is_needed(3), "it waits for the first group");
    progress.record(1, &mark(Verdict::WrongAnswer));
    assert!(progress.is_needed(0), "it may fail, too, and then it is the first to do so");
    assert!(!progress.is_needed(2) && !progress.is_needed(3));
    assert_eq!(progress.take(), Some(6), "the group that requires the lost one is skipped");
    progress.record(6, &mark(Verdict::WrongAnswer));
    assert_eq!([progress.take(), progress.take(), progress.take()], [Some(7), Some(8), None]);
    progress.give_back(7);
    progress.give_back(8);
    assert_eq!(progress.take_where(|case| case != 7), None, "the next of a stretch stands for all of it");
    assert_eq!([progress.take(), progress.take(), progress.take()], [Some(7), Some(8), None]);
}

#[test]
fn twenty_thousand_cases_are_planned_and_recorded() {
    let groups =
        NAMES.map(|name| Plant::Group(name, modern("25", Aggregation::Min, &[]), vec![Plant::Cases(5000)]));
    let secret = Plant::Group("secret", modern("100", Aggregation::Sum, &[]), groups.into());
    let tests = plant(modern("100", Aggregation::Sum, &[]), vec![secret]);
    let mut progress = Progress::new(&rules(&tests));
    let mut known = vec![None; tests.cases.len()];
    while let Some(case) = progress.take() {
        progress.record(case, &mark(Verdict::Accepted));
        known[case] = Some(mark(Verdict::Accepted));
    }
    assert_eq!(card_of(&rules(&tests), &known).points, Some(points("100")));
}
