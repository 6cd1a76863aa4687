//! One solution on a fake machine: its results, the choice of cases, and the output.

use super::run::write_test_set;
use crate::fake_machine::{fake_machine, with_engine};
use kopek::{
    class::{CohortRules, read_single},
    exec::Engine,
    grade::{CaseChoice, GradeSession, Thoroughness},
    loading::{LoadedPackage, load_package, locate_package},
    machine::Machine,
    package::{self, Participant},
    render::{self, Page, RunWords, SolutionFiles, WholeCases},
    results::{Noticed, Notices, Report},
    solution::{
        OwnTests, SolutionLimits, SolutionReport, SolutionRequest, SolutionTests, TestRules, judge_solution,
        output_of_input, run_of_input, save_failed_cases, tests_on_input,
    },
};
use std::{fs, path::Path, time::Duration};

const SUM: &str = "print sum(input)\n";

/// Right in the first group only.
const WRONG: &str = "say \"read\", input[0], input[1]\n\
                     if input[0] == 1: print sum(input)\nif input[0] == 2: print input[0] - input[1]\n";

/// A folder with the package of `run::sums`, and a machine.
pub(super) struct FakeDesk {
    pub(super) dir: tempfile::TempDir,
    machine: Machine,
}

impl FakeDesk {
    pub(super) fn new() -> FakeDesk {
        let dir = tempfile::tempdir().unwrap();
        let desk = FakeDesk { machine: fake_machine(dir.path()), dir };
        let problem = "problem_format_version: 2025-09\ntype: scoring\nname: Sums\nuuid: 1\n";
        desk.write("sums/problem.yaml", &format!("{problem}limits: {{time_limit: 2}}\n"));
        write_test_set(&|path, text| desk.write(path, text));
        desk
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn tests(&self) -> SolutionTests {
        let package = package::read(&self.dir.path().join("sums")).unwrap().package.unwrap();
        let (tests, _) = package::read_tests(&package).unwrap();
        SolutionTests { package, tests, about: None }
    }

    /// The tests with the chosen cases.
    fn chosen(&self, cases: &[&str]) -> Result<SolutionTests, String> {
        let mut tests = self.tests();
        choose(&mut tests, cases).map(|()| tests)
    }

    /// The tests, with those in `mine`.
    fn with_own(&self) -> SolutionTests {
        let mut tests = self.tests();
        let own = OwnTests { dirs: vec![self.dir.path().join("mine")], stem: "a".into() };
        own.add_to(&mut tests.tests, &tests.package).unwrap();
        tests
    }

    fn solution(&self, path: &str, tests: &SolutionTests) -> Participant {
        let rules = CohortRules::usual(&self.machine.table);
        read_single(&self.dir.path().join(path), &tests.package, &rules).unwrap()
    }

    fn judge(&self, text: &str, tests: &SolutionTests) -> SolutionReport {
        self.write("a.py", text);
        self.judge_file("a.py", tests)
    }

    pub(super) fn judge_file(&self, path: &str, tests: &SolutionTests) -> SolutionReport {
        let solution = &self.solution(path, tests);
        with_engine(&self.machine, |engine| {
            let session = &GradeSession::usual(engine, Thoroughness::All);
            let SolutionTests { package, tests, .. } = tests;
            let request = SolutionRequest { session, package, tests, solution, again: None };
            judge_solution(&request, &mut |_| ()).unwrap().unwrap()
        })
    }

    /// The text for a person, without the place of the folder.
    pub(super) fn shown(&self, report: &SolutionReport, whole: WholeCases, width: usize) -> String {
        let words = RunWords { whole, about: None, remarks: &[] };
        let page = Page { width, ..Page::default() };
        let folder = format!("{}/", self.dir.path().display());
        render::render_run(&report.results, report.row(), words, page).replace(&folder, "")
    }
}

fn choose(tests: &mut SolutionTests, cases: &[&str]) -> Result<(), String> {
    let choice = CaseChoice { cases: cases.iter().map(|&name| name.to_owned()).collect() };
    tests.choose(&choice).map_err(|error| format!("{error:#}"))
}

/// Each case with its verdict, in order.
fn cases(report: &SolutionReport) -> Vec<String> {
    let verdict = |case: &kopek::results::CaseReport| match &case.trial {
        Some(trial) => format!("{} {}", case.name, trial.verdict.short()),
        None => format!("{} -", case.name),
    };
    report.row().cases.iter().map(verdict).collect()
}

/// Points, and whether it is accepted.
fn result(report: &SolutionReport) -> (String, bool) {
    let points = report.row().card.points.as_ref().map_or("-".into(), ToString::to_string);
    (points, report.is_accepted())
}

/// The report of a run on an input, what it printed, and how it ended.
fn run_on_input(desk: &FakeDesk, program: &str) -> (SolutionReport, String, String) {
    desk.write("mine.txt", "1 40\n");
    let input = desk.dir.path().join("mine.txt");
    let report = desk.judge(program, &tests_on_input(desk.tests(), &input, desk.dir.path()).unwrap());
    let output = with_engine(&desk.machine, |engine| output_of_input(&engine, &report).unwrap());
    let end = run_of_input(&report).map(render::end_of_run).unwrap_or_default();
    (report, String::from_utf8(output).unwrap(), end)
}

#[test]
fn the_first_failure_of_a_group_is_explained_once() {
    let desk = FakeDesk::new();
    let report = desk.judge(WRONG, &desk.tests());
    insta::assert_snapshot!("run_80", desk.shown(&report, WholeCases::First, 80));
    let page = Page { width: 60, ..Page::default() };
    let table = render::render_case_table(&report.results, report.row(), page);
    insta::assert_snapshot!("run_60", desk.shown(&report, WholeCases::All, 60) + "\n" + &table);
}

#[test]
fn samples_alone_and_zips_are_packages_too() {
    let desk = FakeDesk::new();
    let (zip, sums) = (desk.dir.path().join("sums.zip"), desk.dir.path().join("sums"));
    let mut writer = zip::ZipWriter::new(fs::File::create(&zip).unwrap());
    for entry in walkdir::WalkDir::new(&sums).into_iter().map(Result::unwrap).filter(|e| e.path().is_file()) {
        let name = entry.path().strip_prefix(desk.dir.path()).unwrap().to_str().unwrap();
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut writer, &fs::read(entry.path()).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    let run = |path: &Path| {
        let place = locate_package(path).unwrap();
        let loaded =
            with_engine(&desk.machine, |engine| load_package(place.dir(), &engine, &mut |_| ()).unwrap());
        let LoadedPackage { package, tests, .. } = loaded.value;
        let report = desk.judge(WRONG, &SolutionTests { package, tests, about: None });
        (report, format!("{:?}", loaded.notices))
    };
    let (report, notices) = run(&zip);
    assert_eq!((report.results.name.as_str(), result(&report)), ("sums", ("50".into(), false)));
    assert!(!notices.contains("no secret cases"), "{notices}");
    fs::remove_dir_all(sums.join("data/secret")).unwrap();
    let (report, notices) = run(&sums);
    assert!(report.is_accepted());
    let json = render::render_run_json(&Report::default(), &report.results, report.row(), &[]);
    assert!(json.contains("\"points\": null"), "{json}");
    assert!(notices.contains("no secret cases, so only the samples are judged"), "{notices}");
}

#[test]
fn an_example_of_the_package_is_run_with_its_constants() {
    let desk = FakeDesk::new();
    let problem = fs::read_to_string(desk.dir.path().join("sums/problem.yaml")).unwrap();
    desk.write("sums/problem.yaml", &(problem + "constants: {base: 0}\n"));
    let example = "sums/submissions/accepted/a.py";
    desk.write(example, "print {{base}} + sum(input)\n");
    assert_eq!(result(&desk.judge_file(example, &desk.tests())), ("100".into(), true));
}

#[test]
fn limits_of_the_user_come_before_those_of_the_package() {
    let desk = FakeDesk::new();
    let SolutionTests { package, tests, .. } = desk.tests();
    let limits = SolutionLimits { time: Some(Duration::from_millis(200)), ..SolutionLimits::default() };
    let rules = TestRules { choice: CaseChoice::default(), limits, own: None };
    let loaded = Noticed { value: LoadedPackage::new(package, tests), notices: Notices::default() };
    let tests = SolutionTests::of_package(loaded, &rules).unwrap().value;
    let report = desk.judge("time 1000\nprint sum(input)\n", &tests);
    assert_eq!(cases(&report)[0], "sample/1 TLE");
    let json = render::render_run_json(&Report::default(), &report.results, report.row(), &[]);
    assert!(json.contains("\"time_limit_seconds\": 0.2"), "{json}");
}

#[test]
fn known_results_are_counted() {
    let desk = FakeDesk::new();
    assert_eq!(desk.judge(WRONG, &desk.tests()).judged.graded.known_trials, 0);
    assert_eq!(desk.judge(WRONG, &desk.tests()).judged.graded.known_trials, 7);
}

#[test]
fn a_part_of_the_cases_is_judged_by_itself_and_without_points() {
    let desk = FakeDesk::new();
    for (names, wanted) in [
        (&["2/ten"][..], &["secret/2/ten WA"][..]),
        (
            &["secret/1", "sample/*"],
            &["sample/1 AC", "secret/1/one AC", "secret/1/ten AC", "secret/1/two AC"],
        ),
        (&["sums/data/secret/1/two.in"], &["secret/1/two AC"]),
        (&["*/t*"], &["secret/1/ten AC", "secret/1/two AC", "secret/2/ten WA", "secret/2/two WA"]),
    ] {
        let report = desk.judge(WRONG, &desk.chosen(names).unwrap());
        assert_eq!(cases(&report), wanted);
        assert_eq!(report.row().card.max, Some(kopek::points::Points::one()), "it has no points");
        let json = render::render_run_json(&Report::default(), &report.results, report.row(), &[]);
        assert!(json.contains("\"points\": null"), "{json}");
    }
    for (names, error) in [
        (&["one"][..], "`one` matches several cases: secret/1/one, secret/2/one"),
        (&["2/tenn"], "no case `2/tenn`; did you mean `secret/2/ten`?"),
        (&["secret/9"], "no case `secret/9`"),
    ] {
        let refused = desk.chosen(names).unwrap_err();
        assert!(refused.contains(error), "{refused}");
    }
}

#[test]
fn a_wrong_answer_and_a_stop_are_lines_and_a_right_program_has_none() {
    let desk = FakeDesk::new();
    let lines = |text: &str| {
        let report = desk.judge(text, &desk.tests());
        let files = SolutionFiles { names: &["a.py".to_owned()], path: &|name| format!("here/{name}") };
        render::render_run_lines(report.row(), &files)
    };
    let start = "here/a.py:1:1: error: wrong answer on secret/2/one: line 1: expected 3";
    assert!(lines(WRONG).starts_with(start), "{}", lines(WRONG));
    let stop = "say \"  File \\\"a.py\\\", line 2, in f\"\nsay \"ZeroDivisionError: by zero\"\nexit 1\n";
    assert!(lines(stop).starts_with("here/a.py:"), "{}", lines(stop));
    assert_eq!(lines(SUM), "");
}

#[test]
fn own_tests_count_beside_those_of_the_package_and_give_no_points() {
    let desk = FakeDesk::new();
    desk.write("mine/a.txt", "");
    assert!(desk.with_own().tests.own.is_none(), "there are none");
    desk.write("mine/3.in", "3 4\n");
    desk.write("mine/3.out", "7\n");
    desk.write("mine/4.in", "3 4\n");
    let own = || desk.with_own();
    assert_eq!(own().tests.cases.len(), 8);
    let only_own = desk.judge("print 7\n", &own());
    assert_eq!(result(&only_own), ("0".into(), false));
    assert!(desk.shown(&only_own, WholeCases::First, 80).contains("own: accepted"));
    assert_eq!(result(&desk.judge(SUM, &own())), ("100".into(), true));
    desk.write("mine/3.out", "8\n");
    let all_but_own = desk.judge(SUM, &own());
    assert_eq!(result(&all_but_own), ("100".into(), false));
    assert_eq!(cases(&all_but_own)[..2], ["own/3 WA", "sample/1 AC"]);
    let text = desk.shown(&all_but_own, WholeCases::First, 80);
    assert!(
        text.contains("\n100 of 100 points, wrong answer\n") && text.contains("own: wrong answer"),
        "{text}"
    );
    desk.write("mine/5.in", "3 4\n");
    desk.write("mine/5.out", "7\n");
    for (name, wanted) in [
        ("own/3", &["own/3 WA"][..]),
        ("own/5", &["own/5 AC"]),
        ("1/one", &["secret/1/one AC"]),
        ("*/t*", &["secret/1/ten AC"]),
    ] {
        let mut tests = own();
        choose(&mut tests, &[name]).unwrap();
        let judged = desk.judge(SUM, &tests);
        assert_eq!(cases(&judged)[..1], *wanted);
        assert_eq!(judged.is_accepted(), wanted[0].ends_with("AC"));
    }
    assert!(choose(&mut own(), &["6"]).is_err());
}

#[test]
fn tests_of_the_package_are_no_own_tests() {
    let desk = FakeDesk::new();
    let mut tests = desk.tests();
    let dirs = vec![desk.dir.path().join("sums/data/sample")];
    OwnTests { dirs, stem: "a".into() }.add_to(&mut tests.tests, &tests.package).unwrap();
    assert!(tests.tests.own.is_none());
    desk.write("mine/3.in", "3 4\n");
    desk.write("mine/3.out", "7\n");
    tests.package.kind.submit_answer = true;
    let own = OwnTests { dirs: vec![desk.dir.path().join("mine")], stem: "a".into() };
    let warnings = own.add_to(&mut tests.tests, &tests.package).unwrap();
    assert!(tests.tests.own.is_none());
    assert!(format!("{warnings:?}").contains("skipped your own tests"), "{warnings:?}");
}

#[test]
fn cases_that_failed_before_are_a_part_unless_all_failed() {
    let desk = FakeDesk::new();
    desk.write("mine/3.in", "3 4\n");
    desk.write("mine/3.out", "8\n");
    let tests = desk.with_own();
    let part = tests.part(&desk.judge(SUM, &tests).failed_cases()).unwrap();
    assert!(part.cases.len() == 1 && part.own_cases() == [0], "{part:?}");
    let tests = desk.tests();
    let failed = desk.judge(WRONG, &tests).failed_cases();
    let part = tests.part(&failed).unwrap();
    let names: Vec<&str> = part.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["secret/2/one", "secret/2/ten", "secret/2/two"]);
    assert!(!part.gives_points(&tests.package) && tests.tests.gives_points(&tests.package));
    assert!(tests.part(&desk.judge("print 9999\n", &tests).failed_cases()).is_none(), "all");
    assert!(tests.part(&desk.judge(SUM, &tests).failed_cases()).is_none(), "none");
}

#[test]
fn failed_cases_are_saved_whole() {
    let desk = FakeDesk::new();
    let tests = desk.tests();
    let report = desk.judge(WRONG, &tests);
    let place = desk.dir.path().join("failed");
    let saved =
        with_engine(&desk.machine, |engine| save_failed_cases(&place, &engine, &tests, &report).unwrap());
    let read = |path: &str| fs::read_to_string(place.join("secret").join(path)).unwrap();
    assert_eq!(saved, 3);
    let files = ["2/ten.in", "2/ten.ans", "2/ten.out", "2/ten.err"].map(read);
    assert_eq!(files, ["2 10\n", "12\n", "-8\n", "read 2 10\n"]);
    assert!(!place.join("secret/1").exists(), "a right case is not saved");
    let report = desk.judge("print \"so far\"\nexit 1\n", &tests);
    with_engine(&desk.machine, |engine| save_failed_cases(&place, &engine, &tests, &report).unwrap());
    assert_eq!(fs::read_to_string(place.join("sample/1.out")).unwrap(), "so far\n");
}

#[test]
fn an_input_is_run_without_an_answer() {
    let desk = FakeDesk::new();
    let (_, output, end) = run_on_input(&desk, WRONG);
    assert!(
        output == "41\n" && end.starts_with("read 1 40\nended well, ") && end.contains("not checked"),
        "{end}"
    );
    let (_, output, end) = run_on_input(&desk, "print \"so far\"\nexit 1\n");
    assert!(output == "so far\n" && end.contains("exit code 1"), "{end}");
    let (report, output, _) = run_on_input(&desk, "build refused\n");
    assert!(run_of_input(&report).is_none() && output.is_empty());
    let mut package = desk.tests().package;
    package.kind.interactive = true;
    let error = kopek::solution::check_input_kind(&package).unwrap_err();
    assert!(error.to_string().starts_with("--input does not work with interactive"), "{error}");
}

#[test]
fn an_interrupted_run_has_no_report() {
    let desk = FakeDesk::new();
    let tests = desk.tests();
    desk.write("a.py", SUM);
    let solution = desk.solution("a.py", &tests);
    let executor = kopek_fakes::executor(&desk.machine);
    let stop = std::sync::atomic::AtomicBool::new(true);
    let session = &GradeSession::usual(Engine::new(&desk.machine, &executor, &stop), Thoroughness::All);
    let SolutionTests { package, tests, .. } = &tests;
    let request = SolutionRequest { session, package, tests, solution: &solution, again: None };
    assert!(judge_solution(&request, &mut |_| ()).unwrap().is_none());
    assert!(Path::new(&desk.dir.path().join("fake-store")).exists());
}
