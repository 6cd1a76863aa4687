//! 2025-09.

use super::*;
use Aggregation::{Min, PassFail, Sum};

/// Sample of 1; groups of 2, 2 and 3 cases worth 20 (pass-fail), 30 (min), 50 (sum), all from the seven secret ones.
fn three_groups(requires: &[&str]) -> TestSet {
    plant(
        modern("100", Sum, &[]),
        vec![
            Plant::Group("sample", modern("unbounded", PassFail, &[]), vec![Plant::Cases(1)]),
            Plant::Group(
                "secret",
                modern("100", Sum, &[]),
                vec![
                    Plant::Group("1", modern("20", PassFail, &[]), vec![Plant::Cases(2)]),
                    Plant::Group("2", modern("30", Min, requires), vec![Plant::Cases(2)]),
                    Plant::Group("3", modern("50", Sum, &[]), vec![Plant::Cases(3)]),
                ],
            ),
        ],
    )
}

fn plain_secret(rule: Rule, cases: usize) -> TestSet {
    plant(
        modern("100", Sum, &[]),
        vec![
            Plant::Group("sample", modern("unbounded", PassFail, &[]), vec![Plant::Cases(1)]),
            Plant::Group("secret", rule, vec![Plant::Cases(cases)]),
        ],
    )
}

#[test]
fn groups_give_points_by_their_aggregation() {
    let tests = three_groups(&[]);
    for (outcomes, expected) in [
        (
            "AC  AC AC  AC AC  AC AC AC",
            "100 AC | sample 0 AC | secret/1 20 AC | secret/2 30 AC | secret/3 50 AC",
        ),
        (
            "AC  AC WA  AC AC  AC AC AC",
            "80 WA | sample 0 AC | secret/1 0 WA | secret/2 30 AC | secret/3 50 AC",
        ),
        (
            "AC  AC AC  TLE AC  AC RTE AC",
            "53.33 TLE | sample 0 AC | secret/1 20 AC | secret/2 0 TLE | secret/3 33.33 RTE",
        ),
        (
            "WA  AC AC  AC AC  AC AC AC",
            "100 AC | sample 0 WA | secret/1 20 AC | secret/2 30 AC | secret/3 50 AC",
        ),
        (
            "WA  AC AC  AC AC  AC AC TLE",
            "83.33 WA | sample 0 WA | secret/1 20 AC | secret/2 30 AC | secret/3 33.33 TLE",
        ),
        (
            "AC  AC AC  AC*0.5 AC*0.25  AC*0.5 AC AC*0.1",
            "54.17 AC | sample 0 AC | secret/1 20 AC | secret/2 7.5 AC | secret/3 26.67 AC",
        ),
    ] {
        let card = card_of(&rules(&tests), &marks(outcomes));
        assert_eq!(summary(&card), expected, "{outcomes}");
        assert!(card.judge_errors.is_empty(), "{:?}", card.judge_errors);
        assert_eq!(card.max, Some(points("100")));
    }
}

#[test]
fn a_case_has_its_share_of_the_points_of_its_group() {
    let tests = three_groups(&["secret/1"]);
    let half = Score::Multiplier(points("0.5"));
    let of = |case: usize, score: &Score| case_points(&tests, case, score);
    assert_eq!(of(0, &half), None, "samples give no points");
    // The smallest of a group counts: each case is worth all of it.
    assert_eq!(of(3, &half), Some(CasePoints { points: points("15"), max: Some(points("30")) }));
    let third = points("50") / 3;
    let shared = CasePoints { points: third.clone() * points("0.5"), max: Some(third.clone()) };
    assert_eq!(of(5, &half), Some(shared));
    let four = Score::Points(points("4"));
    assert_eq!(of(7, &four), Some(CasePoints { points: points("4"), max: Some(third) }));
}

#[test]
fn the_unknown_is_never_a_pass() {
    let tests = three_groups(&["secret/1"]);
    for (outcomes, expected) in [
        (
            "?  ? ?  ? ?  ? ? ?",
            "? unknown 8 | sample ? unknown 1 | secret/1 ? unknown 2 | secret/2 ? unknown 2 | secret/3 ? unknown 3",
        ),
        (
            "AC  AC ?  AC AC  AC AC AC",
            "? unknown 2 | sample 0 AC | secret/1 ? unknown 1 | secret/2 ? unknown 1 | secret/3 50 AC",
        ),
        (
            "AC  ? WA  ? ?  AC AC AC",
            "50 WA | sample 0 AC | secret/1 0 WA | secret/2 0 requires secret/1 | secret/3 50 AC",
        ),
        (
            "AC  AC AC  ? TLE  AC ? WA",
            "? unknown 1 | sample 0 AC | secret/1 20 AC | secret/2 0 TLE | secret/3 ? unknown 1",
        ),
    ] {
        assert_eq!(summary(&card_of(&rules(&tests), &marks(outcomes))), expected, "{outcomes}");
    }
}

#[test]
fn groups_that_require_a_lost_group_give_nothing_even_if_they_were_run() {
    let tests = three_groups(&["secret/1"]);
    let card = card_of(&rules(&tests), &marks("AC  WA AC  AC AC  AC AC AC"));
    let expected = "50 WA | sample 0 AC | secret/1 0 WA | secret/2 0 requires secret/1 | secret/3 50 AC";
    assert_eq!(summary(&card), expected);
    let tests = three_groups(&["sample"]);
    let card = card_of(&rules(&tests), &marks("TLE  AC AC  AC AC  AC AC AC"));
    assert_eq!(card.points, Some(points("70")));
    assert_eq!(card.groups[2].state, State::Requires("sample".to_owned()));
}

#[test]
fn requirements_are_transitive_and_those_of_secret_hold_for_its_groups() {
    let group =
        |name, requires: &[&str]| Plant::Group(name, modern("10", PassFail, requires), vec![Plant::Cases(1)]);
    let tree = |secret: &[&str]| {
        plant(
            modern("100", Sum, &[]),
            vec![
                Plant::Group("sample", modern("unbounded", PassFail, &[]), vec![Plant::Cases(1)]),
                Plant::Group(
                    "secret",
                    modern("100", Sum, secret),
                    vec![
                        group("a", &[]),
                        group("b", &["secret/a"]),
                        group("c", &["secret/b"]),
                        group("d", &[]),
                    ],
                ),
            ],
        )
    };
    let card = card_of(&rules(&tree(&[])), &marks("AC  WA AC AC AC"));
    assert_eq!(card.points, Some(points("10")));
    assert_eq!(card.groups[3].state, State::Requires("secret/b".to_owned()));
    let card = card_of(&rules(&tree(&["sample"])), &marks("WA  AC AC AC AC"));
    assert_eq!(card.points, Some(points("0")));
    assert!(card.groups[1..].iter().all(|group| group.state == State::Requires("sample".to_owned())));
}

#[test]
fn secret_without_groups_is_scored_itself() {
    for (rule, outcomes, expected) in [
        (modern("100", Sum, &[]), "AC  AC AC WA", "66.67 WA | sample 0 AC | secret 66.67 WA"),
        (modern("100", Min, &[]), "AC  AC AC*0.5 AC", "50 AC | sample 0 AC | secret 50 AC"),
        (modern("100", PassFail, &[]), "AC  AC AC WA", "0 WA | sample 0 AC | secret 0 WA"),
        (modern("unbounded", Sum, &[]), "AC  AC=1.5 AC=200 WA", "201.5 WA | sample 0 AC | secret 201.5 WA"),
        (modern("unbounded", Min, &[]), "AC  AC=1.5 AC=200 AC=7", "1.5 AC | sample 0 AC | secret 1.5 AC"),
        (modern("60", Sum, &[]), "AC  AC=5.5 AC=20 AC", "45.5 AC | sample 0 AC | secret 45.5 AC"),
    ] {
        let tests = plain_secret(rule, 3);
        let card = card_of(&rules(&tests), &marks(outcomes));
        assert_eq!((summary(&card).as_str(), card.judge_errors), (expected, vec![]), "{outcomes}");
    }
}

#[test]
fn secret_that_is_pass_fail_or_min_over_groups() {
    let tree = |aggregation| {
        let group = |name, max| Plant::Group(name, modern(max, PassFail, &[]), vec![Plant::Cases(1)]);
        let secret =
            Plant::Group("secret", modern("40", aggregation, &[]), vec![group("a", "10"), group("b", "30")]);
        plant(modern("100", Sum, &[]), vec![secret])
    };
    for (aggregation, outcomes, worth) in [
        (PassFail, "AC AC", Some("40")),
        (PassFail, "? WA", Some("0")),
        (PassFail, "AC ?", None),
        (Min, "AC AC", Some("10")),
        (Min, "AC WA", Some("0")),
        (Min, "? WA", Some("0")),
        (Sum, "AC AC", Some("40")),
        (Sum, "? WA", None),
    ] {
        let tests = tree(aggregation);
        assert_eq!(
            card_of(&rules(&tests), &marks(outcomes)).points,
            worth.map(points),
            "{aggregation:?} {outcomes}"
        );
    }
}

#[test]
fn misused_score_files_are_judge_errors_and_no_points() {
    for (rule, outcomes, message) in [
        (modern("unbounded", Sum, &[]), "AC  AC=1 AC", "secret/2: accepted without score.txt"),
        (modern("100", Sum, &[]), "AC  AC=1 WA=1", "not accepted"),
        (modern("100", Sum, &[]), "AC  AC WA*0", "not accepted"),
        (modern("unbounded", Sum, &[]), "AC  AC=1 AC*1", "score_multiplier.txt in a group without max_score"),
        (modern("100", PassFail, &[]), "AC  AC AC=1", "pass-fail group"),
        (modern("100", PassFail, &[]), "AC  AC AC*1", "pass-fail group"),
        (modern("100", Sum, &[]), "AC  AC=51 AC=1", "above the maximum score 50"),
        (modern("100", Min, &[]), "AC  AC=101 AC=1", "above the maximum score 100"),
        (modern("100", Sum, &[]), "AC  AC*1.01 AC", "above 1"),
        (modern("100", Sum, &[]), "AC  AC*-0.1 AC", "below 0"),
        (modern("unbounded", Sum, &[]), "AC  AC=-1 AC=1", "below 0"),
    ] {
        let tests = plain_secret(rule, 2);
        let card = card_of(&rules(&tests), &marks(outcomes));
        assert_eq!((&card.points, &card.state), (&None, &State::Unknown(1)), "{outcomes}");
        assert!(card.judge_errors[0].contains(message), "{outcomes}: {:?}", card.judge_errors);
    }
}

#[test]
fn one_kind_of_score_file_is_used_throughout() {
    let tests = plain_secret(modern("100", Sum, &[]), 2);
    let card = card_of(&rules(&tests), &marks("AC  AC=1 AC*1"));
    assert!(card.judge_errors[0].contains("both score.txt and score_multiplier.txt"));
}

#[test]
fn score_files_of_samples_mean_nothing() {
    let tests = plain_secret(modern("100", Sum, &[]), 1);
    let card = card_of(&rules(&tests), &marks("WA=7  AC"));
    assert_eq!((card.points, card.judge_errors), (Some(points("100")), vec![]));
}

#[test]
fn no_group_may_exceed_its_max_score() {
    let group = |name, max| Plant::Group(name, modern(max, PassFail, &[]), vec![Plant::Cases(1)]);
    let secret = Plant::Group("secret", modern("40", Sum, &[]), vec![group("a", "30"), group("b", "30")]);
    let tests = plant(modern("100", Sum, &[]), vec![secret]);
    let card = card_of(&rules(&tests), &marks("AC AC"));
    assert_eq!(card.points, None);
    assert!(card.judge_errors[0].contains("secret: 60 points are more than the maximum score 40"));
}

#[test]
fn a_static_validation_case_takes_its_share_of_a_sum() {
    let mut rule = modern("100", Sum, &[]);
    if let Rule::Modern { static_validation, .. } = &mut rule {
        *static_validation = Some(kopek::package::StaticScore::Points(points("40")));
    }
    let tests = plain_secret(rule, 3);
    let outcomes = marks("AC  AC WA AC");
    for (validation, worth, verdict) in [
        (Some(mark(Verdict::Accepted)), Some("80"), Some("secret/2")),
        (Some(scored(Verdict::Accepted, Score::Multiplier(points("0.5")))), Some("60"), Some("secret/2")),
        (Some(mark(Verdict::WrongAnswer)), Some("40"), Some("static validation of secret")),
        (None, None, Some("secret/2")),
    ] {
        let statics = validation.into_iter().map(|mark| ("secret".to_owned(), mark)).collect();
        let card = score(
            "x",
            &rules(&tests),
            &ScoringFacts { marks: &outcomes, statics: &statics, grader: &|_| None },
        );
        assert_eq!(card.points, worth.map(points));
        assert_eq!(card.groups[1].culprit.as_deref(), verdict);
    }
}

#[test]
fn pass_fail_problems_are_passed_whole_or_not() {
    let tests = three_groups(&[]);
    let rules = ScoringRules { scoring: false, ..rules(&tests) };
    for (outcomes, expected) in [
        ("AC  AC AC  AC AC  AC AC AC", "1 AC | sample 0 AC | secret/1 0 AC | secret/2 0 AC | secret/3 0 AC"),
        (
            "WA  ? ?  ? ?  ? ? ?",
            "0 WA | sample 0 WA | secret/1 0 requires sample | secret/2 0 requires sample | secret/3 0 requires sample",
        ),
        ("AC  AC AC  AC TLE  ? WA ?", "0 TLE | sample 0 AC | secret/1 0 AC | secret/2 0 TLE | secret/3 0 WA"),
        (
            "AC  AC AC  AC ?  AC AC AC",
            "? unknown 1 | sample 0 AC | secret/1 0 AC | secret/2 ? unknown 1 | secret/3 0 AC",
        ),
    ] {
        let card = card_of(&rules, &marks(outcomes));
        assert_eq!(summary(&card), expected, "{outcomes}");
        assert_eq!(card.max, Some(Points::one()));
    }
}

#[test]
fn cases_of_the_author_are_a_group_without_points() {
    let mut tests = plain_secret(modern("100", PassFail, &[]), 1);
    let mine = plant(
        Rule::clone(&tests.root.rule),
        vec![Plant::Group("own", modern("5", Sum, &[]), vec![Plant::Cases(2)])],
    );
    let Some(Member::Group(own)) = mine.root.members.first() else { panic!("{mine:?}") };
    tests.own = Some(Group { members: vec![Member::Case(2), Member::Case(3)], ..own.clone() });
    tests.cases.extend(mine.cases);
    for (outcomes, expected) in [
        ("AC AC AC AC", "100 AC | own 0 AC | sample 0 AC | secret 100 AC"),
        ("AC AC AC WA", "100 WA | own 0 WA | sample 0 AC | secret 100 AC"),
        ("AC AC ? AC", "100 unknown 1 | own ? unknown 1 | sample 0 AC | secret 100 AC"),
        ("AC TLE WA ?", "0 TLE | own 0 WA | sample 0 AC | secret 0 TLE"),
    ] {
        for scoring in [true, false] {
            let card = card_of(&ScoringRules { scoring, ..rules(&tests) }, &marks(outcomes));
            assert_eq!(card.groups[0].max, Some(Points::zero()));
            if scoring {
                assert_eq!(summary(&card), expected, "{outcomes}");
            }
        }
    }
    let mut progress = kopek::score::Progress::new(&ScoringRules { scoring: false, ..rules(&tests) });
    progress.record(0, &mark(Verdict::WrongAnswer));
    assert!(!progress.is_needed(1) && progress.is_needed(2), "a lost package has own cases to run");
    progress.record(2, &mark(Verdict::WrongAnswer));
    assert!(!progress.is_needed(3));
}

#[test]
fn nothing_at_all_is_worth_nothing() {
    let tests = plant(modern("100", Sum, &[]), vec![]);
    assert_eq!(card_of(&rules(&tests), &[]).points, None);
    assert_eq!(card_of(&ScoringRules { scoring: false, ..rules(&tests) }, &[]).points, None);
    let tests = plain_secret(modern("100", PassFail, &[]), 0);
    assert_eq!(card_of(&rules(&tests), &marks("AC")).points, None);
}

#[test]
fn a_submission_that_cannot_be_built_has_no_points_anywhere() {
    let tests = three_groups(&["secret/1"]);
    let card = kopek::score::refused_scorecard("x", &rules(&tests), Verdict::CompileError);
    assert_eq!(summary(&card), "0 CE | sample 0 CE | secret/1 0 CE | secret/2 0 CE | secret/3 0 CE");
    assert_eq!(card.max, Some(points("100")));
}

#[test]
fn the_slowest_trial_is_named() {
    let tests = three_groups(&[]);
    let mut outcomes = marks("AC  AC AC  AC ?  AC AC AC");
    outcomes[3].as_mut().unwrap().cpu = Duration::from_secs(2);
    let card = card_of(&rules(&tests), &outcomes);
    assert_eq!(card.slowest, Some(("secret/2/1".to_owned(), Duration::from_secs(2))));
    assert_eq!(card.groups[1].slowest, Some(("secret/1/1".to_owned(), Duration::from_millis(5))));
}
