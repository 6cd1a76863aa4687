//! Legacy packages.

use super::*;
use kopek::score::GraderRun;

fn rule(on_reject: &str, flags: &str, accept: &str) -> Rule {
    Rule::Legacy(legacy_rule(on_reject, flags, accept))
}

fn ranged(on_reject: &str, flags: &str, accept: &str, max: &str) -> Rule {
    Rule::Legacy(LegacyRule {
        range: (Some(Points::zero()), Some(points(max))),
        ..legacy_rule(on_reject, flags, accept)
    })
}

/// The idiom of the Swedish olympiad: samples ignored, groups of `min`, any accepted group accepts.
fn swedish() -> TestSet {
    let secret = "first_error accept_if_any_accepted";
    let group = |name, worth| Plant::Group(name, ranged("break", "min", worth, worth), vec![Plant::Cases(2)]);
    plant(
        ranged("continue", "ignore_sample", "1", "100"),
        vec![
            Plant::Group("sample", ranged("break", "", "0", "0"), vec![Plant::Cases(2)]),
            Plant::Group(
                "secret",
                ranged("continue", secret, "1", "100"),
                vec![group("group1", "20"), group("group2", "30"), group("group3", "50")],
            ),
        ],
    )
}

#[test]
fn the_swedish_idiom_gives_the_points_of_its_accepted_groups() {
    let tests = swedish();
    for (outcomes, worth, state) in [
        ("AC AC  AC AC  AC AC  AC AC", Some("100"), State::Decided(Verdict::Accepted)),
        ("WA ?  AC AC  WA ?  AC AC", Some("70"), State::Decided(Verdict::Accepted)),
        ("AC AC  WA ?  AC TLE  RTE ?", Some("0"), State::Decided(Verdict::WrongAnswer)),
        ("AC AC  AC AC  ? WA  AC AC", None, State::Unknown(1)),
    ] {
        let card = card_of(&rules(&tests), &marks(outcomes));
        assert_eq!((&card.points, &card.state), (&worth.map(points), &state), "{outcomes}");
        assert_eq!((&card.max, &card.judge_errors), (&Some(points("100")), &vec![]), "{outcomes}");
        let max: Vec<_> = card.groups.iter().map(|group| group.max.clone().unwrap().to_string()).collect();
        assert_eq!(max, ["0", "20", "30", "50"]);
    }
}

#[test]
fn kattis_adds_up_cases_where_domjudge_counts_a_group_once() {
    let group = |name, worth| Plant::Group(name, rule("break", "", worth), vec![Plant::Cases(2)]);
    let tests = plant(
        rule("continue", "", "1"),
        vec![
            Plant::Group("sample", rule("break", "", "1"), vec![Plant::Cases(1)]),
            Plant::Group(
                "secret",
                rule("continue", "", "1"),
                vec![group("a", "10"), group("b", "20"), group("c", "30")],
            ),
        ],
    );
    let kattis = rules(&tests);
    let domjudge = ScoringRules { reading: LegacyReading::Domjudge, ..kattis };
    let all = marks("AC  AC AC  AC AC  AC AC");
    assert_eq!(card_of(&kattis, &all).points, Some(points("121")));
    assert_eq!(card_of(&domjudge, &all).points, Some(points("60")));
    let some = marks("AC  AC AC  AC WA  AC AC");
    assert_eq!(card_of(&kattis, &some).points, Some(points("0")), "not accepted in the end");
    assert_eq!(
        summary(&card_of(&domjudge, &some)),
        "40 WA | sample 0 AC | secret/a 10 AC | secret/b 0 WA | secret/c 30 AC"
    );
}

#[test]
fn a_rejection_ends_a_group_unless_it_says_continue() {
    let tree = |on_reject| {
        plant(
            rule(on_reject, "", "1"),
            vec![
                Plant::Group("sample", rule("break", "", "1"), vec![Plant::Cases(1)]),
                Plant::Group("secret", rule(on_reject, "", "1"), vec![Plant::Cases(2)]),
            ],
        )
    };
    let (stops, goes_on) = (tree("break"), tree("continue"));
    let card = card_of(&rules(&stops), &marks("WA  RTE AC"));
    assert_eq!(summary(&card), "0 WA | sample 0 WA | secret 0 requires sample");
    let card = card_of(&rules(&goes_on), &marks("WA  RTE AC"));
    assert_eq!(summary(&card), "0 RTE | sample 0 WA | secret 1 RTE");
    let card = card_of(&rules(&goes_on), &marks("WA  RTE ?"));
    assert_eq!(summary(&card), "? unknown 1 | sample 0 WA | secret ? unknown 1");
    let pass_fail = ScoringRules { scoring: false, ..rules(&stops) };
    assert_eq!(summary(&card_of(&pass_fail, &marks("AC  AC AC"))), "1 AC | sample 0 AC | secret 0 AC");
    assert_eq!(summary(&card_of(&pass_fail, &marks("AC  TLE ?"))), "0 TLE | sample 0 AC | secret 0 TLE");
}

#[test]
fn cases_and_groups_may_stand_mixed_at_any_depth() {
    let inner = Plant::Group("b", rule("continue", "max", "5"), vec![Plant::Cases(2)]);
    let middle = Plant::Group(
        "a",
        rule("continue", "avg always_accept", "2"),
        vec![Plant::Cases(1), inner, Plant::Cases(1)],
    );
    let secret = Plant::Group("secret", rule("continue", "", "3"), vec![Plant::Cases(1), middle]);
    let tests = plant(rule("continue", "", "1"), vec![secret]);
    let card = card_of(&rules(&tests), &marks("AC  AC WA AC WA"));
    // 3 + avg(2, max(0, 5), 0)
    assert_eq!(card.points, Some(points("3") + points("7") / 3));
    assert_eq!(card.max, Some(points("6")));
    assert_eq!(card.groups.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["secret", "secret/a"]);
}

#[test]
fn a_score_outside_of_its_range_is_a_judge_error() {
    let tests = plant(
        rule("break", "", "1"),
        vec![Plant::Group("secret", ranged("break", "", "7", "10"), vec![Plant::Cases(2)])],
    );
    let card = card_of(&rules(&tests), &marks("AC AC"));
    assert_eq!(card.points, Some(points("14")));
    assert!(card.judge_errors[0].contains("secret: the score 14 is outside of its range 0 to 10"));
}

#[test]
fn domjudge_counts_no_points_of_a_directory_that_is_no_group() {
    let undeclared = |rule: Rule| match rule {
        Rule::Legacy(rule) => Rule::Legacy(LegacyRule { declared: false, ..rule }),
        modern => modern,
    };
    let tests = plant(
        undeclared(rule("continue", "", "1")),
        vec![
            Plant::Group("sample", undeclared(rule("continue", "", "1")), vec![Plant::Cases(1)]),
            Plant::Group("secret", rule("continue", "", "1"), vec![Plant::Cases(2)]),
        ],
    );
    let domjudge = ScoringRules { reading: LegacyReading::Domjudge, score_files: true, ..rules(&tests) };
    for (outcomes, worth) in
        [("AC=100 AC=50 AC=50", "100"), ("AC=100 AC=50 WA=24.42", "74.42"), ("WA=9 AC=50 AC=50", "100")]
    {
        assert_eq!(card_of(&domjudge, &marks(outcomes)).points, Some(points(worth)), "{outcomes}");
    }
    let card = card_of(&domjudge, &marks("WA=9 AC=50 AC=50"));
    assert_eq!(card.state, State::Decided(Verdict::WrongAnswer), "a sample counts for the verdict");
}

#[test]
fn score_files_are_wanted_exactly_with_custom_score() {
    let tests = plant(
        rule("break", "", "1"),
        vec![Plant::Group("secret", rule("continue", "", "1"), vec![Plant::Cases(2)])],
    );
    let plain = rules(&tests);
    let custom = ScoringRules { score_files: true, ..plain };
    let domjudge = ScoringRules { reading: LegacyReading::Domjudge, ..plain };
    for (rules, outcomes, worth, error) in [
        (&custom, "AC=2.5 AC=4", Some("6.5"), ""),
        (&custom, "AC=2.5 AC", None, "demands"),
        (&custom, "AC=2.5 WA=1", None, "not accepted"),
        (&plain, "AC AC=4", None, "without `validation: custom score`"),
        (&plain, "AC AC*1", None, "does not exist in legacy"),
        (&domjudge, "AC=2.5 WA=1", Some("3.5"), ""),
    ] {
        let card = card_of(rules, &marks(outcomes));
        assert_eq!(card.points, worth.map(points), "{outcomes}");
        assert!(
            card.judge_errors.join("\n").contains(error) && card.judge_errors.is_empty() == error.is_empty()
        );
    }
    assert_eq!(card_of(&custom, &marks("? ?")).max, None);
}

#[test]
fn a_custom_grader_is_asked_and_waited_for() {
    let graded = LegacyRule { custom_grading: true, ..legacy_rule("continue", "steep 3", "10") };
    let tests = plant(
        rule("break", "", "1"),
        vec![Plant::Group("secret", Rule::Legacy(graded), vec![Plant::Cases(2)])],
    );
    let outcomes = marks("AC TLE");
    let statics = BTreeMap::new();
    let silent =
        score("x", &rules(&tests), &ScoringFacts { marks: &outcomes, statics: &statics, grader: &|_| None });
    assert_eq!((silent.points, silent.state), (None, State::Unknown(1)));
    let asked = GraderRun {
        group: "secret".into(),
        flags: vec!["steep".into(), "3".into()],
        input: "AC 10\nTLE 0\n".into(),
    };
    let grader = |run: &GraderRun| (*run == asked).then(|| (Verdict::Accepted, points("4")));
    let card =
        score("x", &rules(&tests), &ScoringFacts { marks: &outcomes, statics: &statics, grader: &grader });
    assert_eq!((card.points, card.state), (Some(points("4")), State::Decided(Verdict::Accepted)));
}
