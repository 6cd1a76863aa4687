//! The loop with an executor that believes what submissions say of themselves.

use crate::scratch::memory_dir;
use anyhow::Result;
use kopek::{
    base::{Bytes, Clock, Digest},
    exec::{Executor, JobRunner, Local, Work},
    grade::{
        AcceptedSubmission, GradeEvent, GradeFacts, GradeRequest, Thoroughness, TimePolicy, WitnessSource,
        grade, rules, scorecards,
    },
    language::LanguageTable,
    machine::LeastTimes,
    package::{self, HandIn, NoCases, NoSubmission, Package, Participant, TestSet},
    plan::{
        BuildTask, Candidate, Checker, Job, LaidFile, Plan, Setting, Task, ToolchainId, TrialMode, Unplanned,
        plan,
    },
    sandbox::{Fault, FaultSource, Limits},
    score::{LegacyReading, Scorecard, State},
    sentences::Said,
    store::{Store, take_over},
    timing::TimesOfRuns,
    verdict::Verdict,
    worker::Perform,
};
use kopek_fakes as fake;
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    sync::{Arc, Mutex, atomic::AtomicBool},
    time::{Duration, Instant},
};

const PROBLEM: &str = "\
problem_format_version: 2025-09
type: scoring
name: Test
uuid: 5ca6ba5b-676c-4eef-8474-26a63f4c6a37
limits: {time_limit: 1}
";

/// Groups worth 20, 30 and 50 with three cases each; the third requires the first.
fn problem(dir: &Path) -> (Package, TestSet) {
    problem_of(dir, 3)
}

fn problem_of(dir: &Path, cases: usize) -> (Package, TestSet) {
    let write = |path: &str, text: &str| {
        let path = dir.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("problem.yaml", PROBLEM);
    write("statement/problem.en.md", "Test.\n");
    write("submissions/accepted/a.py", "print(1)\n");
    write("input_validators/v.py", "exit(42)\n");
    write("data/sample/1.in", "0\n");
    write("data/sample/1.ans", "0\n");
    write("data/secret/test_group.yaml", "max_score: 100\nscore_aggregation: sum\n");
    for (group, score, more) in [(1, 20, ""), (2, 30, ""), (3, 50, "require_pass: secret/1\n")] {
        let rule = format!("max_score: {score}\nscore_aggregation: pass-fail\n{more}");
        write(&format!("data/secret/{group}/test_group.yaml"), &rule);
        for case in 1..=cases {
            write(&format!("data/secret/{group}/{case}.in"), &format!("{group} {case}\n"));
            write(&format!("data/secret/{group}/{case}.ans"), "1\n");
        }
    }
    let reading = package::read(dir).unwrap();
    let package = reading.package.unwrap();
    let (tests, findings) = package::read_tests(&package).unwrap();
    assert_eq!((reading.findings, findings), (vec![], vec![]));
    (package, tests)
}

fn problem_without_cases(dir: &Path) -> (Package, TestSet) {
    let (package, _) = problem(dir);
    fs::remove_dir_all(dir.join("data")).unwrap();
    let error = package::read_tests(&package).unwrap_err();
    (package, *error.downcast::<NoCases>().unwrap().tests)
}

fn limits() -> Limits {
    let (second, size) = (Duration::from_secs(1), Bytes::mib(1));
    Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 }
}

fn candidate(store: &Store, name: &str, text: &str) -> Candidate {
    let digest = store.hold(&text.as_bytes().into()).unwrap();
    let size = Bytes(text.len() as u64);
    let task = BuildTask {
        files: vec![LaidFile { path: "main.sh".into(), digest, executable: false, size }],
        digest,
        entry: "main.sh".into(),
        language: LanguageTable::embedded().get("bash").unwrap().clone(),
        toolchain: ToolchainId {
            code: "bash".into(),
            version: "1".into(),
            digest: Digest::of(b"1"),
            guards: vec![],
        },
        limits: limits(),
        isolation: "none".into(),
        cached: Default::default(),
    };
    // The plan takes the task as it is: no files are read.
    let submission = Err(NoSubmission::Refused(Said::foreign("a fake")));
    let hand_in = HandIn::default();
    Candidate {
        participant: Participant { name: name.into(), file: name.into(), hand_in, submission },
        task: Ok(task),
    }
}

pub struct FakeGrading {
    _dir: tempfile::TempDir,
    pub store: Store,
    package: Package,
    pub tests: TestSet,
    thoroughness: Thoroughness,
    timing: TimePolicy,
    least_times: LeastTimes,
    /// The texts of accepted submissions; without any, the witness is a spin.
    accepted: &'static [&'static str],
    clock: Clock,
}

impl FakeGrading {
    pub fn new() -> FakeGrading {
        FakeGrading::with(problem)
    }

    fn with(problem: impl Fn(&Path) -> (Package, TestSet)) -> FakeGrading {
        let dir = memory_dir();
        let (package, tests) = problem(&dir.path().join("test"));
        let store = Store::open(&dir.path().join("store")).unwrap();
        FakeGrading {
            _dir: dir,
            store,
            package,
            tests,
            thoroughness: Thoroughness::Needed,
            timing: TimePolicy::Witness,
            least_times: LeastTimes::default(),
            accepted: &[],
            clock: Clock::stopped(),
        }
    }

    pub fn plan(&self, hand_ins: &[(&str, &str)]) -> Plan {
        let setting = Setting {
            mode: TrialMode::Alone { passes: 1 },
            limits: limits(),
            stop: limits().cpu,
            checker: Checker::Default(self.package.format).into(),
            writable: false,
            named_files: None,
            isolation: "none".into(),
            machine: "paper".into(),
        };
        let candidates = hand_ins.iter().map(|(name, text)| candidate(&self.store, name, text));
        plan(candidates.collect(), &self.tests.cases, setting, vec![])
    }

    fn grade(&self, plan: &Plan, executor: &dyn Executor, stop: &AtomicBool) -> (GradeFacts, Vec<Scorecard>) {
        self.try_grade(plan, executor, stop).unwrap()
    }

    pub fn try_grade(
        &self,
        plan: &Plan,
        executor: &dyn Executor,
        stop: &AtomicBool,
    ) -> Result<(GradeFacts, Vec<Scorecard>)> {
        let accepted = |languages: Option<&BTreeSet<&str>>| self.plan_accepted(languages);
        let grading = GradeRequest {
            rules: rules(&self.package, &self.tests, LegacyReading::Kattis),
            plan,
            jobs: JobRunner { store: &self.store, executor, machine: None, stop, is_going: None },
            thoroughness: self.thoroughness,
            timing: self.timing,
            witnesses: WitnessSource { least_times: &self.least_times, accepted: &accepted },
            clock: self.clock.clone(),
        };
        let (mut expected, mut happened, mut finished) = (0i64, 0i64, 0);
        let graded = grade(&grading, &mut |event| match event {
            GradeEvent::Wave { jobs, .. } => expected += jobs as i64,
            GradeEvent::Built { .. } | GradeEvent::Tried { .. } | GradeEvent::Failed(_) => happened += 1,
            GradeEvent::Spared(jobs) => expected -= jobs as i64,
            GradeEvent::Finished(rows) => finished += rows,
            GradeEvent::Waiting { .. } => unreachable!("no toolchain changes here"),
        });
        let graded = graded?;
        if !graded.interrupted {
            assert_eq!(expected, happened, "progress must reach its end");
            assert_eq!(finished, plan.rows.len(), "every hand-in is done at the end");
        }
        let cards = scorecards(&grading.rules, grading.plan, &graded);
        Ok((graded, cards))
    }

    fn plan_accepted(&self, languages: Option<&BTreeSet<&str>>) -> Vec<AcceptedSubmission> {
        if languages.is_some_and(|codes| !codes.contains("bash")) {
            return vec![];
        }
        let plan = |text| Arc::new(candidate(&self.store, "accepted", text).task.unwrap());
        self.accepted
            .iter()
            .map(|text| AcceptedSubmission { name: "accepted".into(), build: plan(text) })
            .collect()
    }

    fn run(&self, hand_ins: &[(&str, &str)]) -> (GradeFacts, Vec<Scorecard>) {
        self.grade(&self.plan(hand_ins), &fake::line_executor(&self.store), &AtomicBool::new(false))
    }
}

pub fn points(card: &Scorecard) -> String {
    card.points.as_ref().map_or("?".into(), ToString::to_string)
}

const CLASS: [(&str, &str); 5] = [
    ("right", "* AC"),
    ("partial", "secret/2/1 WA\n* AC"),
    ("slow", "secret/1/3 TLE 1900\n* AC"),
    ("broken", "build refused"),
    ("copy", "* AC"),
];

#[test]
fn points_are_those_that_the_outcomes_deserve() {
    let (_, cards) = FakeGrading::new().run(&CLASS);
    let got: Vec<String> = cards.iter().map(points).collect();
    assert_eq!(got, ["100", "70", "30", "0", "100"]);
    let verdicts = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::TimeLimit,
        Verdict::CompileError,
        Verdict::Accepted,
    ];
    for (card, verdict) in cards.iter().zip(verdicts) {
        assert_eq!(card.state, State::Decided(verdict), "{}", card.name);
    }
}

#[test]
fn equal_submissions_are_judged_once() {
    let (graded, cards) = FakeGrading::new().run(&[("ada", "* AC"), ("eve", "* AC")]);
    assert_eq!(graded.done, 1 + 10, "one build, ten trials, for two participants");
    assert_eq!(cards[0].points, cards[1].points);
}

#[test]
fn a_lost_group_stops_early_and_what_requires_it_is_not_run() {
    let lost = [("lost", "secret/1/1 WA\n* AC")];
    let (graded, cards) = FakeGrading::new().run(&lost);
    assert_eq!(graded.done, 1 + 1 + 1 + 3, "build, sample, the losing case, the second group");
    assert_eq!(points(&cards[0]), "30");
    let third = cards[0].groups.iter().find(|group| group.name == "secret/3").unwrap();
    assert!(matches!(third.state, State::Requires(_)), "{:?}", third.state);

    let thorough = FakeGrading { thoroughness: Thoroughness::All, ..FakeGrading::new() };
    let (graded, all) = thorough.run(&lost);
    assert_eq!(graded.done, 1 + 10);
    assert_eq!(points(&all[0]), "30", "running more cases changes no points");
}

#[test]
fn a_group_that_was_lost_by_time_or_memory_is_spared_and_one_with_a_wrong_answer_is_not() {
    let sparing = || FakeGrading { thoroughness: Thoroughness::Sparing, ..FakeGrading::new() };
    for (verdict, trials) in [("TLE 1900", 8), ("MLE", 8), ("WA", 10), ("RTE", 10)] {
        let (graded, cards) = sparing().run(&[("lost", &format!("secret/1/1 {verdict}\n* AC"))]);
        assert_eq!((graded.trials[0].len(), points(&cards[0]).as_str()), (trials, "30"), "{verdict}");
    }
}

/// Two slots in which jobs take as long as the test says, by a clock that nothing else advances.
struct TwoSlots<'a> {
    grading: &'a FakeGrading,
    /// Of the first run on a case, in milliseconds.
    time_of: fn(&str) -> u64,
    /// The cases in the order in which they were given out first.
    given: Mutex<Vec<String>>,
}

impl TwoSlots<'_> {
    fn take(&self, work: &mut dyn Work) -> Option<(Instant, Job)> {
        let job = work.next(None)?;
        let mut end = self.grading.clock.now();
        if let Task::Trial(task) = &job.task
            && task.repetition == 0
        {
            end += Duration::from_millis((self.time_of)(&task.case.name));
            self.given.lock().unwrap().push(task.case.name.to_string());
        }
        Some((end, job))
    }
}

impl Executor for TwoSlots<'_> {
    fn run(&self, work: &mut dyn Work) -> Result<()> {
        let mut under_way = Vec::new();
        loop {
            while under_way.len() < 2
                && let Some(taken) = self.take(work)
            {
                under_way.push(taken);
            }
            let Some(first) = (0..under_way.len()).min_by_key(|at| under_way[*at].0) else { return Ok(()) };
            let (end, job) = under_way.remove(first);
            let clock = &self.grading.clock;
            clock.advance(end - clock.now());
            let result = fake::perform(&self.grading.store, &job);
            work.done(job, result)?;
        }
    }
}

#[test]
fn two_slots_do_not_lose_the_same_group_side_by_side() {
    let all_slow = |_: &str| 700;
    let only_the_first = |case: &str| if case == "secret/1/1" { 1900 } else { 200 };
    let (slow, one_slow) = ("sample/1 AC\n* TLE 1900", "secret/1/1 TLE 1900\n* AC");
    // (thoroughness, what the program does, how long its runs take, first runs)
    type Row = (Thoroughness, &'static str, fn(&str) -> u64, &'static [&'static str]);
    let rows: [Row; 3] = [
        (Thoroughness::Needed, slow, all_slow, &["sample/1", "secret/1/1", "secret/2/1"]),
        (Thoroughness::Sparing, slow, all_slow, &["sample/1", "secret/1/1", "secret/2/1", "secret/3/1"]),
        // At 0.8 s the other slot has nothing left but the group in which the first run is under way.
        (
            Thoroughness::Needed,
            one_slow,
            only_the_first,
            &["sample/1", "secret/1/1", "secret/2/1", "secret/2/2", "secret/2/3"],
        ),
    ];
    for (thoroughness, text, time_of, expected) in rows {
        let grading = FakeGrading { thoroughness, ..FakeGrading::new() };
        let slots = TwoSlots { grading: &grading, time_of, given: Mutex::default() };
        grading.grade(&grading.plan(&[("slow", text)]), &slots, &AtomicBool::new(false));
        assert_eq!(slots.given.into_inner().unwrap(), expected, "{thoroughness:?}: {text}");
    }
}

#[test]
fn a_second_run_does_nothing() {
    let world = FakeGrading::new();
    let (first, cards) = world.run(&CLASS);
    let (second, again) = world.run(&CLASS);
    // The verdict of the slow program is known, so its pair is not looked up.
    assert_eq!((second.done, second.reused), (0, first.done - 1));
    assert_eq!(cards, again);
}

#[test]
fn an_interrupted_run_is_never_a_pass_and_goes_on_where_it_stopped() {
    let world = FakeGrading::new();
    let plan = world.plan(&CLASS);
    let whole = FakeGrading::new().run(&CLASS).1;
    let mut done = 0;
    for after in [1, 3, 2, 7] {
        let stop = AtomicBool::new(false);
        let left = std::sync::atomic::AtomicUsize::new(after);
        let perform: Perform = Box::new(|job| {
            if left.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 1 {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            fake::perform(&world.store, job)
        });
        let (graded, cards) = world.grade(&plan, &Local::new(vec![perform]), &stop);
        assert!(graded.interrupted);
        done += graded.done;
        for (card, end) in cards.iter().zip(&whole) {
            let reached = card.points.clone().unwrap_or_else(kopek::points::Points::zero);
            assert!(reached <= end.points.clone().unwrap(), "{} has more than in the end", card.name);
        }
    }
    let (rest, cards) = world.grade(&plan, &fake::line_executor(&world.store), &AtomicBool::new(false));
    assert_eq!(rest.reused, done, "nothing is judged twice");
    assert_eq!(cards, whole);
}

#[test]
fn our_fault_leaves_the_group_unknown_and_is_tried_in_the_next_run() {
    let world = FakeGrading::new();
    let (graded, cards) = world.run(&[("unlucky", "secret/2/2 fault\n* AC")]);
    assert_eq!(graded.open.len(), 1);
    assert_eq!(cards[0].points, None, "the unknown is never a pass");
    let second = cards[0].groups.iter().find(|group| group.name == "secret/2").unwrap();
    assert_eq!(second.state, State::Unknown(1));
    let (again, _) = world.run(&[("unlucky", "secret/2/2 fault\n* AC")]);
    assert_eq!((again.done, again.open.len()), (0, 1), "only the fault is tried again");
}

#[test]
fn a_fault_of_whatever_source_is_no_verdict_and_no_fact() {
    for source in [FaultSource::Machine, FaultSource::TrustedProgram, FaultSource::Undecided] {
        let world = FakeGrading::new();
        let plan = world.plan(&[("unlucky", "* AC")]);
        let perform: Perform = Box::new(|job| match &job.task {
            Task::Trial(task) if task.case.name == "secret/2/2" => {
                Err(Fault { what: "something else".into(), source })
            }
            _ => fake::perform(&world.store, job),
        });
        let (graded, cards) = world.grade(&plan, &Local::new(vec![perform]), &AtomicBool::new(false));
        assert_eq!(graded.open.len(), 1, "{source:?}");
        assert_eq!(cards[0].points, None, "{source:?}");
        assert!(matches!(cards[0].state, State::Unknown(_)), "{source:?}: {:?}", cards[0].state);
        let (again, cards) = world.run(&[("unlucky", "* AC")]);
        assert_eq!(
            (again.done, points(&cards[0]).as_str()),
            (1, "100"),
            "{source:?}: only that is judged anew"
        );
    }
}

#[test]
fn failures_of_the_judge_are_no_verdicts() {
    let world = FakeGrading::new();
    let mut plan = world.plan(&[("ada", "* AC")]);
    plan.rows[0].program = Err(Unplanned::Ours("kotlin: `kotlinc` not found".into()));
    let (_, cards) = world.grade(&plan, &fake::line_executor(&world.store), &AtomicBool::new(false));
    assert_eq!(cards[0].points, None);
    plan.rows[0].program = Err(Unplanned::Refused(Said::NoFiles));
    let (_, cards) = world.grade(&plan, &fake::line_executor(&world.store), &AtomicBool::new(false));
    assert_eq!((points(&cards[0]).as_str(), &cards[0].state), ("0", &State::Decided(Verdict::NoProgram)));
}

#[test]
fn every_executor_comes_to_the_same_scorecards() {
    let whole = FakeGrading::new().run(&CLASS).1;
    for places in 1..=4 {
        let world = FakeGrading::new();
        let executor = Local::new(
            (0..places).map(|_| -> Perform { Box::new(|job| fake::perform(&world.store, job)) }).collect(),
        );
        let (_, cards) = world.grade(&world.plan(&CLASS), &executor, &AtomicBool::new(false));
        let strip = |cards: &[Scorecard]| {
            cards.iter().map(|c| (c.points.clone(), c.state.clone())).collect::<Vec<_>>()
        };
        assert_eq!(strip(&cards), strip(&whole), "{places} places");
    }
}

/// What this process held at most, in MiB.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}

#[test]
#[ignore = "140 000 facts and a figure of memory: run it alone"]
fn a_course_of_two_thousand_is_judged_in_little_memory() {
    let grading =
        FakeGrading { thoroughness: Thoroughness::All, ..FakeGrading::with(|dir| problem_of(dir, 23)) };
    let texts: Vec<(String, String)> =
        (0..2000).map(|n| (format!("participant {n:04}"), format!("nothing/{n} WA\n* AC"))).collect();
    let hand_ins: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let start = Instant::now();
    let before = peak_memory();
    let (graded, cards) = grading.run(&hand_ins);
    let (time, after) = (start.elapsed(), peak_memory());
    assert_eq!(graded.done, 2000 + 2000 * 70);
    assert!(cards.iter().all(|card| points(card) == "100"));
    crate::skip::note(&format!(
        "2000 hand-ins x 70 cases, fake executor: {:.1} s, peak memory {before} MiB before, {after} MiB after",
        time.as_secs_f64()
    ));
    assert!(after - before < 1024, "{before} MiB, then {after} MiB");
}

/// What the cards say of a participant's groups.
fn points_of(cards: &[Scorecard], row: usize) -> Option<String> {
    cards[row].points.as_ref().map(ToString::to_string)
}

#[test]
fn a_slow_moment_is_no_time_limit() {
    let grading = FakeGrading::new();
    // The first run and the first pair are above the limit while the witness takes three times as long.
    let noisy = "secret/1/1 TLE 1900\nsecret/1/1 TLE 1900 300\nsecret/1/1 AC 900\n* AC";
    let (graded, cards) = grading.run(&[("noisy", noisy), ("slow", "secret/1/1 TLE 1900 100\n* AC")]);
    assert!(graded.open.is_empty(), "{:?}", graded.open);
    assert_eq!((points_of(&cards, 0), points_of(&cards, 1)), (Some("100".into()), Some("30".into())));
    let case = grading.tests.cases.iter().position(|case| case.name == "secret/1/1").unwrap();
    let trial = &graded.trials[0][&case];
    assert_eq!((trial.verdict, trial.tries.len()), (Verdict::Accepted, 3));
    assert_eq!(graded.trials[1][&case].verdict, Verdict::TimeLimit);
}

/// Builds, and the witnesses of one program on one case, in their order.
fn steps_of(grading: &FakeGrading, hand_ins: &[(&str, &str)]) -> (Vec<String>, Vec<Scorecard>) {
    let steps = Mutex::new(Vec::new());
    let perform: Perform = Box::new(|job| {
        match &job.task {
            Task::Build(_) => steps.lock().unwrap().push("build".to_owned()),
            Task::Trial(task) if task.case.name == "secret/1/3" && task.program.name == "slow" => {
                let witness = task.witness.as_ref().map_or("none", |witness| witness.name());
                steps.lock().unwrap().push(witness.to_owned());
            }
            _ => {}
        }
        fake::perform(&grading.store, job)
    });
    let (_, cards) =
        grading.grade(&grading.plan(hand_ins), &Local::new(vec![perform]), &AtomicBool::new(false));
    (steps.into_inner().unwrap(), cards)
}

#[test]
fn a_witness_is_built_with_new_programs_and_runs_after_the_first_run_above_the_limit() {
    const SLOW: &str = "secret/1/3 TLE 1900\n* AC";
    let class = [("slow", SLOW), ("quick", "* AC")];
    // (timing, accepted submissions, builds and the witnesses of runs above the limit)
    type Row = (TimePolicy, &'static [&'static str], &'static [&'static str]);
    let rows: [Row; 6] = [
        (TimePolicy::Witness, &["a\n* AC", "b\n* AC"], &["build", "build", "build", "accepted"]),
        // It was handed in.
        (TimePolicy::Witness, &["* AC"], &["build", "build", "accepted"]),
        // No program is its own witness.
        (TimePolicy::Witness, &[SLOW], &["build", "build", "none", "a spin"]),
        (TimePolicy::Witness, &["build refused"], &["build", "build", "build", "none", "a spin"]),
        (TimePolicy::Home, &["a\n* AC"], &["build", "build", "none", "build", "accepted"]),
        (TimePolicy::Single, &["a\n* AC"], &["build", "build", "none"]),
    ];
    for (timing, accepted, expected) in rows {
        let grading = FakeGrading { timing, accepted, ..FakeGrading::new() };
        let (steps, cards) = steps_of(&grading, &class);
        assert_eq!(steps, expected, "{timing:?} {accepted:?}");
        assert_eq!((points_of(&cards, 0), points_of(&cards, 1)), (Some("30".into()), Some("100".into())));
        assert_eq!(steps_of(&grading, &class).0, [] as [&str; 0], "{timing:?} {accepted:?}");
    }
    let accepted: &[&str] = &["a\n* AC"];
    // It is built once; later runs use that build.
    let grading = FakeGrading { accepted, ..FakeGrading::new() };
    steps_of(&grading, &class[1..]);
    assert_eq!(steps_of(&grading, &class).0, ["build", "accepted"]);
    // Without cases nothing is above a limit.
    let grading = FakeGrading { accepted, ..FakeGrading::with(problem_without_cases) };
    assert_eq!(steps_of(&grading, &class).0, ["build", "build"]);
}

#[test]
fn runs_that_may_be_noise_stay_undecided_with_their_measurements() {
    let grading = FakeGrading::new();
    let near = "secret/2/2 TLE 1300 130\n* AC";
    let quick = "secret/2/2 TLE 1900 100\n* AC";
    let (graded, cards) = grading.run(&[("near", near), ("quick", quick)]);
    assert_eq!(cards[0].state, State::Unknown(1));
    assert_eq!(points_of(&cards, 1), Some("70".into()));
    let (_, open) = graded.open.first_key_value().unwrap();
    assert_eq!((graded.open.len(), open.fault.source), (1, FaultSource::Undecided));
    let times = open.times.as_ref().unwrap();
    assert_eq!((times.runs, times.limit.as_secs()), (5, 1));
    assert!(times.load.is_some());
    assert_eq!(
        TimesOfRuns { load: None, ..times.clone() }.to_string(),
        "1.30 s of 1 s in each of 5 runs, 1.00 s adjusted by a spin: probably fast enough; machine up to 1.30x slower than idle"
    );
}

#[test]
fn each_run_adds_four_pairs_to_those_of_an_undecided_case() {
    let grading = FakeGrading::new();
    // Measures how long the spin takes in quiet.
    let quick = ("quick", "secret/2/2 TLE 1900 100\n* AC");
    grading.run(&[quick]);
    for (runs, jobs) in [(5, 15), (9, 4), (13, 4)] {
        let (graded, cards) = grading.run(&[("near", "secret/2/2 TLE 1300 130\n* AC")]);
        assert_eq!((graded.done, &cards[0].state), (jobs, &State::Unknown(1)), "{runs} runs");
        let (_, open) = graded.open.first_key_value().unwrap();
        let times = open.times.as_ref().unwrap();
        assert_eq!(times.runs, runs);
    }
    // Its runs by number, the last one for all that follow: the seventh pair is within the limit.
    let grading = FakeGrading::new();
    grading.run(&[quick]);
    let slow = "secret/2/2 TLE 1300 130\n";
    let text = format!("{}secret/2/2 AC 900\n* AC", slow.repeat(7));
    assert_eq!(grading.run(&[("late", text.as_str())]).1[0].state, State::Unknown(1));
    let (graded, cards) = grading.run(&[("late", text.as_str())]);
    assert_eq!((graded.done, points_of(&cards, 0)), (3, Some("100".into())));
}

#[test]
fn a_verdict_that_was_given_stays_when_the_witness_is_quicker_later() {
    let grading = FakeGrading::new();
    let slow = [("slow", "secret/2/2 TLE 1300 100\n* AC")];
    let late = [("late", "secret/2/2 TLE 1300 100\nsecret/2/2 TLE 1300 100\nsecret/2/2 AC 900\n* AC")];
    let given = [&slow, &late].map(|class| grading.run(class).1[0].points.clone());
    // With this least time, slow programs would be near the limit.
    grading.run(&[("quick", "secret/2/2 TLE 1900 80\n* AC")]);
    for (class, given) in [&slow, &late].into_iter().zip(given) {
        let (graded, cards) = grading.run(class);
        assert_eq!((graded.done, graded.open.len(), &cards[0].points), (0, 0, &given));
        let case = grading.tests.cases.iter().position(|case| case.name == "secret/2/2").unwrap();
        let trial = &graded.trials[0][&case];
        assert!(trial.pairs.iter().all(|pair| pair.adjusted == pair.measured), "{trial:?}");
    }
}

#[test]
fn at_home_a_time_limit_is_a_verdict() {
    let grading = FakeGrading { timing: TimePolicy::Home, ..FakeGrading::new() };
    let (graded, cards) = grading.run(&[("near", "secret/2/2 TLE 1300 130\n* AC")]);
    assert_eq!((graded.open.len(), points_of(&cards, 0)), (0, Some("70".into())));
    let case = grading.tests.cases.iter().position(|case| case.name == "secret/2/2").unwrap();
    assert_eq!(graded.trials[0][&case].tries.len(), 5);
}

#[test]
fn facts_come_to_the_same_where_no_least_time_is_remembered() {
    let (grading, other) = (FakeGrading::new(), FakeGrading::new());
    let class = [("near", "secret/2/2 TLE 1300 130\n* AC"), ("quick", "secret/2/2 TLE 1900 100\n* AC")];
    let (graded, cards) = grading.run(&class);
    // Builds of the fake executor have no contents, and are done again.
    let merged = take_over(&other.store, &grading.store).unwrap();
    let (again, cards_again) = other.run(&class);
    // The undecided case gets four more pairs.
    assert_eq!((again.done, cards_again), (merged.lost + 4, cards));
    assert_eq!((again.open.len(), graded.open.len()), (1, 1));
}

#[test]
fn the_first_run_decides_if_the_user_says_so() {
    let grading = FakeGrading { timing: TimePolicy::Single, ..FakeGrading::new() };
    let (graded, cards) = grading.run(&[("near", "secret/2/2 TLE 1300 130\n* AC")]);
    assert_eq!((graded.open.len(), points_of(&cards, 0)), (0, Some("70".into())));
}

#[test]
fn a_lost_group_is_not_measured_further() {
    let grading = FakeGrading::new();
    let lost = "secret/2/1 WA\nsecret/2/2 TLE 1300 130\n* AC";
    let fake = fake::line_executor(&grading.store);
    let (graded, cards) = grading.grade(&grading.plan(&[("lost", lost)]), &fake, &AtomicBool::new(false));
    assert_eq!((graded.open.len(), points_of(&cards, 0)), (0, Some("70".into())));
    let pairs = graded.trials[0].values().filter(|trial| !trial.pairs.is_empty()).count();
    assert_eq!(pairs, 0);
}

#[test]
fn a_later_case_that_fails_closes_an_earlier_one_near_the_limit() {
    let grading = FakeGrading::new();
    let class = [("near", "secret/2/1 TLE 1300 130\nsecret/2/2 WA\n* AC")];
    let (graded, cards) = grading.run(&class);
    assert_eq!((graded.open.len(), points_of(&cards, 0)), (0, Some("70".into())));
    // The next run, which knows both, makes no pair.
    let (again, cards_again) = grading.run(&class);
    assert_eq!((again.done, again.open.len(), cards_again), (0, 0, cards));
}

#[test]
fn a_busy_machine_compares_one_case_of_a_program_near_its_limit() {
    let quick = ("quick", "secret/2/2 TLE 1900 100\n* AC");
    // Slightly above its limit while the witness is slow: one of six cases has four pairs, the others one, in each run.
    let grading = FakeGrading::new();
    grading.run(&[quick]);
    for jobs in [1 + 1 + 5 + 5, 4 + 5] {
        let (graded, _) = grading.run(&[("near", "sample/1 AC\n* TLE 1300 115")]);
        assert_eq!((graded.done, graded.open.len()), (jobs, 6));
    }
    // A time limit on another case of the group closes the first one, and the second group stays open.
    let grading = FakeGrading::new();
    grading.run(&[quick]);
    let late = "secret/2/1 TLE 1300 115\n".repeat(3);
    let text = format!("secret/1/1 TLE 1300 115\nsecret/1/2 TLE 1900 130\n{late}* AC");
    let (graded, cards) = grading.run(&[("near", &text)]);
    assert_eq!((graded.open.len(), points_of(&cards, 0)), (1, None));
}

#[test]
fn a_submission_without_pairs_is_tried_on_no_more_cases_of_an_undecided_group() {
    for thoroughness in [Thoroughness::Needed, Thoroughness::Sparing] {
        let grading = FakeGrading { thoroughness, ..FakeGrading::with(|dir| problem_of(dir, 40)) };
        let fake = fake::line_executor(&grading.store);
        let near = "sample/1 TLE 1900 100\n* TLE 1300 130";
        let (graded, cards) = grading.grade(&grading.plan(&[("near", near)]), &fake, &AtomicBool::new(false));
        let jobs = graded.done;
        // The build, twenty pairs, and first runs: of each case with pairs, and of one in each group after them.
        assert!(jobs <= 1 + 20 + 10, "{thoroughness:?}: {jobs} jobs");
        assert!((5..10).contains(&graded.open.len()), "{thoroughness:?}: {:?}", graded.open);
        assert_eq!(points(&cards[0]), "?", "{:?}", cards[0]);
    }
}

#[test]
fn a_submission_near_its_limit_everywhere_gets_a_bounded_number_of_pairs() {
    let grading =
        FakeGrading { thoroughness: Thoroughness::All, ..FakeGrading::with(|dir| problem_of(dir, 6)) };
    let fake = fake::line_executor(&grading.store);
    let near = "sample/1 TLE 1900 100\n* TLE 1300 130";
    let (graded, _) = grading.grade(&grading.plan(&[("near", near)]), &fake, &AtomicBool::new(false));
    let trials = grading.tests.cases.len();
    let jobs = graded.done;
    assert!(graded.open.len() >= trials - 2, "{:?}", graded.open);
    assert!(jobs <= 1 + trials + 20, "{jobs} jobs for {trials} cases");
    assert!(graded.open.values().any(|open| open.fault.what.ends_with("; no more after 20 pairs")));
}
