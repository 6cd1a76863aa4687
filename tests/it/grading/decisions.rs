//! Cases that a person decides: with the executor that believes what submissions say of themselves.

use super::fake::{FakeGrading, points};
use kopek::{
    check::Score,
    exec::Local,
    grade::GradeFacts,
    package::{CaseDecision, Group, Member, RowPlace, Rule},
    plan::{Outcome, Plan, Task},
    score::{Scorecard, State},
    verdict::Verdict,
    worker::Perform,
};
use kopek_fakes as fake;
use std::sync::atomic::AtomicBool;

/// The faults of a hand-in that cannot be judged on these cases.
fn faults(cases: &[&str]) -> String {
    cases.iter().map(|case| format!("{case} fault\n")).collect::<String>() + "* AC"
}

fn place(line: u64) -> RowPlace {
    RowPlace { file: "by-hand.csv".into(), line }
}

fn decided(case: &str, verdict: Verdict) -> CaseDecision {
    let (reason, by) = ("slow on four machines".to_owned(), "Noether".to_owned());
    CaseDecision { case: case.into(), verdict, reason, by, place: place(2) }
}

fn run(world: &FakeGrading, plan: &Plan) -> Result<(GradeFacts, Vec<Scorecard>), String> {
    let executor = fake::line_executor(&world.store);
    world.try_grade(plan, &executor, &AtomicBool::new(false)).map_err(|error| format!("{error:#}"))
}

fn plan_with(world: &FakeGrading, hand_ins: &[(&str, &str)], decisions: &[(&str, CaseDecision)]) -> Plan {
    let mut plan = world.plan(hand_ins);
    for (name, decision) in decisions {
        let mut rows = plan.rows.iter_mut().filter(|row| row.participant.name == *name).peekable();
        assert!(rows.peek().is_some(), "{name}");
        rows.for_each(|row| row.participant.hand_in.decisions.push(decision.clone()));
    }
    plan
}

#[test]
fn a_decision_closes_an_open_case_and_takes_part_in_the_score() {
    for (verdict, total, state) in
        [(Verdict::Accepted, "100", Verdict::Accepted), (Verdict::TimeLimit, "70", Verdict::TimeLimit)]
    {
        let world = FakeGrading::new();
        let hand_in = faults(&["secret/2/2"]);
        let plan = plan_with(&world, &[("ada", &hand_in)], &[("ada", decided("secret/2/2", verdict))]);
        let (graded, cards) = run(&world, &plan).unwrap();
        assert_eq!((points(&cards[0]).as_str(), &cards[0].state), (total, &State::Decided(state)));
        assert_eq!((graded.open.len(), graded.decided.len()), (0, 1));
        let (without, cards) = run(&world, &world.plan(&[("ada", &hand_in)])).unwrap();
        assert_eq!((without.open.len(), points(&cards[0]).as_str()), (1, "?"), "it is no fact");
    }
}

#[test]
fn an_accepted_case_opens_the_groups_that_need_it() {
    let world = FakeGrading::new();
    let hand_in = faults(&["secret/1/3"]);
    let decision = decided("secret/1/3", Verdict::Accepted);
    let plan = plan_with(&world, &[("ada", &hand_in)], &[("ada", decision)]);
    let (graded, cards) = run(&world, &plan).unwrap();
    assert_eq!(points(&cards[0]), "100", "the third group requires the first");
    assert_eq!(graded.trials[0].len(), 10);
}

#[test]
fn equal_programs_get_equal_verdicts() {
    let world = FakeGrading::new();
    let hand_in = faults(&["secret/2/2"]);
    let class = [("ada", hand_in.as_str()), ("eve", hand_in.as_str())];
    let slow = || decided("secret/2/2", Verdict::TimeLimit);
    let (_, cards) = run(&world, &plan_with(&world, &class, &[("ada", slow())])).unwrap();
    assert_eq!((points(&cards[0]), points(&cards[1])), ("70".into(), "70".into()));
    let other = CaseDecision { place: place(3), ..decided("secret/2/2", Verdict::Accepted) };
    let error = run(&world, &plan_with(&world, &class, &[("ada", slow()), ("eve", other)])).unwrap_err();
    assert!(error.contains("line 3") && error.contains("same program as ada"), "{error}");
}

#[test]
fn a_row_that_is_not_needed_any_more_may_stay() {
    let world = FakeGrading::new();
    let hand_in = faults(&["secret/2/1", "secret/2/2"]);
    let rows = ["secret/2/1", "secret/2/2"].map(|case| ("ada", decided(case, Verdict::TimeLimit)));
    let (graded, cards) = run(&world, &plan_with(&world, &[("ada", &hand_in)], &rows)).unwrap();
    assert_eq!(points(&cards[0]), "70");
    assert_eq!(graded.decided.len(), 1, "the group is lost by the first");
}

#[test]
fn a_star_closes_all_open_cases_of_a_program_without_a_row_of_their_own() {
    let world = FakeGrading::new();
    let hand_in = faults(&["secret/1/3", "secret/2/2"]);
    let all = decided(CaseDecision::ALL, Verdict::Accepted);
    let own = CaseDecision { place: place(3), ..decided("secret/2/2", Verdict::TimeLimit) };
    for (rows, total) in
        [(vec![("ada", all.clone())], "100"), (vec![("ada", all.clone()), ("ada", own)], "70")]
    {
        let (graded, cards) = run(&world, &plan_with(&world, &[("ada", &hand_in)], &rows)).unwrap();
        assert_eq!((points(&cards[0]).as_str(), graded.open.len()), (total, 0));
        let cases: Vec<&str> = graded.decided.values().map(|one| one.case.as_str()).collect();
        assert_eq!(cases, ["secret/1/3", "secret/2/2"]);
    }
    let error = run(&world, &plan_with(&world, &[("ada", "* AC")], &[("ada", all)])).unwrap_err();
    assert!(
        error.contains("line 2: * of ada is not open: every case has a verdict; remove the row"),
        "{error}"
    );
}

#[test]
fn a_row_that_matches_no_open_case_is_an_error() {
    let world = FakeGrading::new();
    let hand_in = faults(&["secret/2/2"]);
    let class = [("ada", hand_in.as_str()), ("bob", "* AC"), ("eve", "build refused")];
    for (name, case, words) in [
        ("bob", "secret/2/2", ["line 2", "a run came to `accepted`", "Open cases: ada on secret/2/2"]),
        ("ada", "secret/2/1", ["line 2", "a run came to `accepted`", "Open cases: ada on secret/2/2"]),
        ("eve", "secret/2/2", ["line 2", "it does not compile", "Open cases: ada on secret/2/2"]),
        ("ada", "secret/2/22", ["line 2", "no case `secret/2/22` counts", "`secret/2/2`?"]),
    ] {
        let decision = (name, decided(case, Verdict::Accepted));
        let error = run(&world, &plan_with(&world, &class, &[decision])).unwrap_err();
        assert!(words.iter().all(|word| error.contains(word)), "{error}");
    }
}

#[test]
fn a_decision_is_on_one_of_several_attempts() {
    let world = FakeGrading::new();
    let (first, second) = (faults(&["secret/2/2"]), faults(&["secret/2/2"]) + "\n");
    let attempts = [("ada", first.as_str()), ("ada", "* AC")];
    let row = || [("ada", decided("secret/2/2", Verdict::TimeLimit))];
    let (graded, _) = run(&world, &plan_with(&world, &attempts, &row())).unwrap();
    assert_eq!(graded.decided.len(), 1);
    let attempts = [("ada", first.as_str()), ("ada", second.as_str())];
    let error = run(&world, &plan_with(&world, &attempts, &row())).unwrap_err();
    assert!(error.contains("several attempts of ada"), "{error}");
}

fn forget_max_scores(group: &mut Group) {
    if let Rule::Modern { max_score, .. } = &mut group.rule {
        *max_score = None;
    }
    for member in &mut group.members {
        match member {
            Member::Group(below) => forget_max_scores(below),
            Member::Case(_) => {}
        }
    }
}

#[test]
fn points_that_are_not_known_are_not_decided() {
    let world = FakeGrading::new();
    let hand_in = faults(&["secret/2/2"]);
    let plan = |verdict| plan_with(&world, &[("ada", &hand_in)], &[("ada", decided("secret/2/2", verdict))]);
    // A validator that writes score files.
    let perform = || -> Perform {
        Box::new(|job| match (&job.task, fake::perform(&world.store, job)) {
            (Task::Trial(task), Ok(Outcome::Trial(mut trial))) if task.case.name == "secret/3/1" => {
                trial.score = Some(Score::Multiplier("0.5".parse().unwrap()));
                Ok(Outcome::Trial(trial))
            }
            (_, outcome) => outcome,
        })
    };
    let stop = AtomicBool::new(false);
    let grade = |verdict| world.try_grade(&plan(verdict), &Local::new(vec![perform()]), &stop);
    let error = grade(Verdict::Accepted).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("cannot count as accepted"), "{error}");
    grade(Verdict::TimeLimit).unwrap();

    let mut world = FakeGrading::new();
    forget_max_scores(&mut world.tests.root);
    let decision = decided("secret/2/2", Verdict::Accepted);
    let error = run(&world, &plan_with(&world, &[("ada", &hand_in)], &[("ada", decision)])).unwrap_err();
    assert!(error.contains("cannot count as accepted"), "{error}");
}
