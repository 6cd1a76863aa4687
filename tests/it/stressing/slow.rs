//! Inputs on which programs exceed the time limit, and how their time grows.

use super::{fake_machine, made_package, memory_dir, participant, with_package, write_file};
use crate::fake_machine::USUAL_WISHES;
use kopek::{
    exec::{Engine, Local},
    grade::{GradeSession, Thoroughness, package_report},
    machine::Machine,
    package::{Audience, Package, Participant, TestSet},
    plan::{Key, Outcome, Task},
    render::{Page, limits_document},
    results::{NoGrowth, RowReport, StressReport, SurveyedSubmission},
    slow::{SlowLimits, SlowRequest, SlowStart, SlowUnknown, add_known_growth, run_slow_campaign},
    verify::{self, LimitRequest, Wishes, survey_limits},
    worker::Perform,
};
use kopek_fakes as fake;
use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};
use tempfile::TempDir;

const VALIDATOR: &str = "n = input[0]\nif n < 1 or n > 1000 or len(input) != n + 1: refuse\n\
                         if text != lines(n, input[1..]): refuse\n\
                         if min(input[1..]) < 1 or max(input[1..]) > 1000000: refuse\naccept\n";

/// Adds growth only.
fn explain_slow(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
    rows: &mut [RowReport],
) -> SlowUnknown {
    SlowRequest { engine, package, tests, members, right: &[], search: None }
        .explain(rows, &mut |_| ())
        .unwrap()
}

/// Quadratic only if the list goes up.
const QUICKSORT: &str = "n = input[0]\nif input[1] < input[n / 2 + 1] and input[n / 2 + 1] < input[n]: time n * n / 200\nprint sum(input[1..])\n";

const PROGRAMS: &[(&str, &str)] = &[
    ("accepted/linear.c", "time input[0] / 100\nprint sum(input[1..])\n"),
    ("time_limit_exceeded/quicksort.c", QUICKSORT),
    ("time_limit_exceeded/square.c", "time input[0] * input[0] / 200\nprint sum(input[1..])\n"),
    ("mixed/cubic.c", "n = input[0]\ntime n * n * n / 5000\nprint sum(input[1..])\n"),
    ("mixed/fine.c", "time input[0] / 2\nprint sum(input[1..])\n"),
];

/// With these numbers of values in its cases.
pub fn write_package(dir: &Path, sizes: &[usize]) {
    let problem = "problem_format_version: 2025-09\nname: Total\nuuid: 5a6bd2a1-9a6d-4b4c-8f4c-2d6a3c1b0e21\nlimits: {time_limit: 1}\n";
    write_file(&dir.join("problem.yaml"), problem);
    write_file(&dir.join("statement/problem.en.md"), "The sum.\n");
    write_file(&dir.join("input_validators/validate.c"), VALIDATOR);
    for (path, text) in PROGRAMS {
        write_file(&dir.join("submissions").join(path), text);
    }
    for (number, &size) in sizes.iter().enumerate() {
        let group = if number == 0 { "sample" } else { "secret" };
        let values: Vec<String> = (0..size).map(|at| (1000 - at * 7 % 1000).to_string()).collect();
        let sum: usize = (0..size).map(|at| 1000 - at * 7 % 1000).sum();
        write_file(
            &dir.join(format!("data/{group}/{number}.in")),
            &format!("{size}\n{}\n", values.join(" ")),
        );
        write_file(&dir.join(format!("data/{group}/{number}.ans")), &format!("{sum}\n"));
    }
}

fn search(programs: &[&str]) -> StressReport {
    let home = memory_dir();
    write_package(&home.path().join("total"), &[3, 5, 9]);
    search_in(&home, programs)
}

fn search_in(home: &TempDir, programs: &[&str]) -> StressReport {
    let dir = home.path().join("total");
    with_package(home, &dir, |engine, package, tests| {
        let members: Vec<_> =
            programs.iter().map(|file| participant(&dir.join("submissions").join(file))).collect();
        let limits = SlowLimits { budget: Duration::from_secs(30), seed: 1, start: SlowStart::Largest };
        run_slow_campaign(engine, package, tests, &members, limits, &mut |_| ()).unwrap()
    })
}

#[test]
fn small_cases_lead_to_an_input_on_which_a_program_is_too_slow() {
    let report = search(&["time_limit_exceeded/quicksort.c", "time_limit_exceeded/square.c", "mixed/fine.c"]);
    let names: Vec<&str> =
        report.findings.iter().filter_map(|one| Some(&*report.program_of(one)?.name)).collect();
    assert_eq!(names, ["quicksort.c", "square.c"]);
    for finding in &report.findings {
        let input = String::from_utf8_lossy(&finding.input).into_owned();
        let count: u64 = input.lines().next().unwrap().parse().unwrap();
        // 1 s needs 448 values.
        assert!((448..1000).contains(&count), "{count} values");
        assert!(finding.failures[0].message.contains("of 1 s; accepted submissions: at most"), "{finding:?}");
    }
    let [fine] = &report.not_found[..] else { panic!("{report:?}") };
    let slowest = fine.slowest.as_ref().unwrap();
    assert_eq!((slowest.time, slowest.accepted), (Duration::from_millis(500), Duration::from_millis(10)));
    assert!(slowest.origin().contains("(n = 1000"), "{slowest:?}");
}

#[test]
fn without_a_validator_slow_inputs_have_the_form_of_the_cases() {
    let home = memory_dir();
    let dir = home.path().join("total");
    write_package(&dir, &[3, 5, 9, 700]);
    fs::remove_dir_all(dir.join("input_validators")).unwrap();
    let report = search_in(&home, &["time_limit_exceeded/quicksort.c", "mixed/fine.c"]);
    let [found] = &report.findings[..] else { panic!("{report:?}") };
    let input = String::from_utf8_lossy(&found.input).into_owned();
    let numbers: Vec<u64> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!((448..=700).contains(&numbers[0]), "more values than a case has: {input}");
    assert_eq!(numbers.len() as u64, 1 + numbers[0]);
    assert!(numbers[1..].iter().all(|value| (1..=1000).contains(value)), "{input}");
    assert_eq!(report.not_found.len(), 1);
}

#[test]
fn an_input_on_which_an_accepted_submission_is_too_slow_does_not_count() {
    let home = memory_dir();
    let dir = home.path().join("total");
    write_package(&dir, &[3, 5, 9]);
    write_file(&dir.join("submissions/accepted/linear.c"), PROGRAMS[2].1);
    let report = search_in(&home, &["time_limit_exceeded/quicksort.c"]);
    assert!(report.findings.is_empty(), "{report:?}");
    let fault = "an accepted submission exceeds the limit, too, on secret/";
    assert!(report.faults[0].starts_with(fault), "{:?}", report.faults);
    assert!(report.faults[0].contains("(n = 1000"), "{:?}", report.faults);
}

#[test]
fn the_same_seed_finds_the_same_inputs() {
    let inputs = || {
        let report = search(&["time_limit_exceeded/quicksort.c"]);
        report.findings.into_iter().map(|one| one.input).collect::<Vec<_>>()
    };
    assert_eq!(inputs(), inputs());
}

fn growth_of(home: &TempDir, program: &str) -> Option<[String; 2]> {
    write_package(&home.path().join("total"), &[3, 1000]);
    growth_in(home, program)
}

fn growth_in(home: &TempDir, program: &str) -> Option<[String; 2]> {
    let dir = home.path().join("total");
    with_package(home, &dir, |engine, package, tests| {
        let members = [participant(&dir.join("submissions").join(program))];
        let session = GradeSession::usual(*engine, Thoroughness::Needed);
        let judged = session.judge(package, tests, &members, &mut |_| ()).unwrap();
        let mut report = package_report(package, tests, &judged);
        explain_slow(engine, package, tests, &members, &mut report.rows);
        let growth = report.rows[0].growth.as_ref()?;
        Some([Audience::Teacher, Audience::Everyone].map(|audience| growth.sentence(audience).to_string()))
    })
}

#[test]
fn parts_of_the_failing_case_show_how_the_time_of_a_program_grows() {
    let home = memory_dir();
    let [teacher, everyone] = growth_of(&home, "time_limit_exceeded/square.c").unwrap();
    let accepted = "; accepted solutions take at most 0.007 s on these inputs";
    assert_eq!(teacher, format!("takes about 4.0 times as long when n doubles (90 to 500){accepted}"));
    assert_eq!(everyone, format!("takes about 4 times as long when n doubles{accepted}"));
    let [cubic, _] = growth_of(&home, "mixed/cubic.c").unwrap();
    assert!(cubic.starts_with("takes about 8.0 times as long when n doubles (60 to 180)"), "{cubic}");
    assert_eq!(growth_of(&home, "mixed/fine.c"), None, "it is not too slow");
}

/// As if each item of a case were a test of its own.
fn answer_each_item(dir: &Path) {
    for file in fs::read_dir(dir.join("data/secret")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "in") {
            let input = fs::read_to_string(&path).unwrap();
            let items = input.lines().nth(1).unwrap().replace(' ', "\n");
            fs::write(path.with_extension("ans"), items).unwrap();
        }
    }
}

#[test]
fn twice_as_many_tests_in_an_input_are_no_growth() {
    let home = memory_dir();
    let dir = home.path().join("total");
    for sizes in [&[3, 1000][..], &[3, 100, 200, 300, 400, 600]] {
        write_package(&dir, sizes);
        assert!(growth_in(&home, "time_limit_exceeded/square.c").is_some());
        answer_each_item(&dir);
        assert_eq!(growth_in(&home, "time_limit_exceeded/square.c"), None, "{sizes:?}");
        fs::remove_dir_all(&dir).unwrap();
    }
}

/// Does jobs as the fake machine; while it is busy, every second new input takes three times as long, and half as much
/// again the second time.
fn noisy_performer<'a>(machine: &'a Machine, is_busy: &'a AtomicBool) -> Perform<'a> {
    let mut perform = fake::performer(machine);
    let mut seen: HashMap<Key, f64> = HashMap::new();
    Box::new(move |job| {
        let mut outcome = perform(job)?;
        if let (Task::Trial(task), Outcome::Trial(trial)) = (&job.task, &mut outcome)
            && task.case.name == "stress/input"
            && is_busy.load(Ordering::Relaxed)
        {
            let times = seen.entry(job.key).and_modify(|times| *times += 1.0).or_insert(0.0);
            let is_second = (trial.usage.cpu.as_secs_f64() * 1e3).log2() as i64 % 2 == 0;
            trial.usage.cpu =
                trial.usage.cpu.mul_f64(if is_second { 3.0 } else { 1.0 } * (1.0 + *times / 2.0));
        }
        Ok(outcome)
    })
}

#[test]
fn a_growth_that_a_busy_machine_hides_is_measured_by_the_next_run() {
    let home = memory_dir();
    let dir = home.path().join("total");
    write_package(&dir, &[3, 1000]);
    let machine = fake_machine(home.path());
    let is_busy = AtomicBool::new(true);
    let executor = Local::new(vec![noisy_performer(&machine, &is_busy)]);
    let stop = AtomicBool::new(false);
    let engine = Engine::new(&machine, &executor, &stop);
    let (package, tests) = made_package(&engine, &dir);
    let members = [participant(&dir.join("submissions/time_limit_exceeded/square.c"))];
    let session = GradeSession::usual(engine, Thoroughness::Needed);
    let judged = session.judge(&package, &tests, &members, &mut |_| ()).unwrap();
    let mut rows = package_report(&package, &tests, &judged).rows;
    let why = explain_slow(&engine, &package, &tests, &members, &mut rows).growth;
    assert_eq!((why.values().collect::<Vec<_>>(), &rows[0].growth), (vec![&NoGrowth::Busy], &None));
    is_busy.store(false, Ordering::Relaxed);
    let why = explain_slow(&engine, &package, &tests, &members, &mut rows).growth;
    let sentence = rows[0].growth.as_ref().unwrap().sentence(Audience::Teacher).to_string();
    assert!(sentence.starts_with("takes about 4.0 times as long when n doubles (90 to 500)"), "{sentence}");
    assert!(why.is_empty(), "{why:?}");
}

#[test]
fn without_an_accepted_submission_growth_is_compared_with_nothing() {
    let home = memory_dir();
    let dir = home.path().join("total");
    write_package(&dir, &[3, 1000]);
    fs::remove_dir_all(dir.join("submissions/accepted")).unwrap();
    let [teacher, _] = growth_in(&home, "time_limit_exceeded/square.c").unwrap();
    assert_eq!(teacher, "takes about 4.0 times as long when n doubles (90 to 500)");
}

#[test]
fn the_runs_of_a_grading_show_growth_if_they_are_enough() {
    let known = |sizes: &[usize]| {
        let programs = [PROGRAMS[0], PROGRAMS[2]];
        with_programs(sizes, &programs, |session, package, tests| {
            let members = [participant(&package.dir.join("submissions").join(programs[1].0))];
            let judged = session.judge(package, tests, &members, &mut |_| ()).unwrap();
            let mut rows = package_report(package, tests, &judged).rows;
            add_known_growth(tests, &mut rows).unwrap();
            rows.remove(0).growth.map(|growth| growth.sentence(Audience::Teacher).to_string())
        })
    };
    let sentence = "takes about 4.0 times as long when n doubles (100 to 600)";
    assert_eq!(known(&[3, 100, 200, 300, 400, 600]).as_deref(), Some(sentence));
    assert_eq!(known(&[3, 200, 300, 600]), None, "three sizes can lie on a line by chance");
}

/// Does something with a package that has these submissions only.
fn with_programs<T>(
    sizes: &[usize],
    programs: &[(&str, &str)],
    act: impl FnOnce(&GradeSession, &Package, &TestSet) -> T,
) -> T {
    let home = memory_dir();
    let dir = home.path().join("total");
    write_package(&dir, sizes);
    fs::remove_dir_all(dir.join("submissions")).unwrap();
    for (path, text) in programs {
        write_file(&dir.join("submissions").join(path), text);
    }
    with_package(&home, &dir, |engine, package, tests| {
        act(&GradeSession::usual(*engine, Thoroughness::All), package, tests)
    })
}

/// The inputs that `kopek verify` names.
fn named_inputs(programs: &[(&str, &str)], wishes: Wishes) -> Vec<String> {
    with_programs(&[3, 5, 9], programs, |session, package, _| {
        let verified = verify::verify(&package.dir, session, wishes, &mut |_| ()).unwrap();
        let remarks = verified.remarks.into_iter().map(|remark| remark.finding.what);
        remarks.filter(|what| what.contains("which is no case")).collect()
    })
}

#[test]
fn verify_names_inputs_that_its_cases_lack() {
    let slow = Wishes { slow: true, ..USUAL_WISHES };
    let programs = [PROGRAMS[0], PROGRAMS[1], ("accepted/square.c", PROGRAMS[2].1)];
    assert_eq!(named_inputs(&programs, USUAL_WISHES), [""; 0]);
    // An accepted program is too slow, so no input is fair to the others.
    for (programs, name) in
        [(&programs[..], "accepted/square.c"), (&programs[..2], "time_limit_exceeded/quicksort.c")]
    {
        let named = named_inputs(programs, slow);
        assert_eq!(named.len(), 1, "{named:?}");
        assert!(
            named[0].starts_with(&format!("`{name}` exceeds the time limit on secret/2 (n = ")),
            "{named:?}"
        );
    }
}

#[test]
fn limits_show_growth_and_name_what_is_slower_by_a_constant() {
    let programs = [
        ("accepted/half.c", "time input[0] / 2\nprint sum(input[1..])\n"),
        ("time_limit_exceeded/constant.c", "time input[0] * 3\nprint sum(input[1..])\n"),
        ("time_limit_exceeded/square.c", PROGRAMS[2].1),
    ];
    let report = with_programs(&[3, 100, 200, 300, 400, 600, 800], &programs, |session, package, tests| {
        survey_limits(&LimitRequest { package, tests, session }, &mut |_| ()).unwrap()
    });
    let factor = |one: &SurveyedSubmission| {
        format!("{} {:.1}", one.submission, one.growth.map_or(0.0, |growth| growth.factor))
    };
    let factors: Vec<String> = report.survey.submissions.iter().map(factor).collect();
    let expected =
        ["accepted/half.c 2.0", "time_limit_exceeded/constant.c 2.0", "time_limit_exceeded/square.c 4.0"];
    assert_eq!(factors, expected);
    let constant = "`time_limit_exceeded/constant.c` is slower than `accepted/half.c` by a constant (at least 5.0 times), \
                    not by growth (2.0 times when n doubles)";
    let remarks: Vec<&str> = report.remarks.iter().map(|remark| remark.finding.what.as_str()).collect();
    assert_eq!(remarks, [constant]);
    let text = limits_document(&report).to_text(Page::default());
    assert!(text.lines().any(|line| line.contains("square.c") && line.contains("×4.0")), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}
