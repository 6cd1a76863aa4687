//! What people read: one fixed cohort in every format.

pub mod counterexamples;
pub mod languages;

use kopek::{
    base::Bytes,
    check::Difference,
    course::{ClassExtent, EarlierReport, changes_since},
    language::{FileBytes, MissingToolchain, SourceFile},
    package::{CaseDecision, HandIn, Lateness, Level, Message, Place, RowPlace, Subject, TimeFactor},
    plan::Trial,
    points::Points,
    render::{
        Colour, Page, ReportFormat, RunWords, github_summary, moodle_answer, participant_pages, render,
        render_case_table, render_run, render_run_json, report_files,
    },
    results::{
        CaseReport, Deduction, Evidence, FeedbackLevel, GroupHead, LateSteps, Noise, Note, Notices, OpenCase,
        OpenReason, PackageReport, Report, ResultKind, RowReport, SlowInput, Slowness, StoredPackage,
        UndecidedCase, public_report,
    },
    sandbox::{Exit, Fault, Limit, Usage},
    score::{CasePoints, GroupScore, Scorecard, State},
    sentences::{Decimal, PageLanguage, Said, Span},
    verdict::Verdict,
};
use serde_json::Value;
use std::{path::PathBuf, time::Duration};

const HEADS: [(&str, Option<u64>); 4] =
    [("sample", None), ("secret/small", Some(20)), ("secret/last", Some(40)), ("secret/general", Some(40))];

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn group(at: usize, points: &str, state: State) -> GroupScore {
    let (name, max) = HEADS[at];
    let points = points.parse().ok();
    let slowest = matches!(state, State::Decided(_)).then(|| (format!("{name}/01"), ms(10 * at as u64 + 4)));
    GroupScore { name: name.into(), points, max: max.map(Points::from), state, culprit: None, slowest }
}

/// A row whose groups have these points (`""`: unknown) and states.
fn row(name: &str, file: &str, total: &str, state: State, groups: [(&str, State); 4]) -> RowReport {
    let groups: Vec<_> =
        groups.into_iter().enumerate().map(|(at, (points, state))| group(at, points, state)).collect();
    let slowest = groups.iter().filter_map(|group| group.slowest.clone()).max_by_key(|(_, time)| *time);
    let card = Scorecard {
        name: name.into(),
        points: total.parse().ok(),
        max: Some(Points::from(100)),
        state,
        groups,
        slowest,
        judge_errors: Vec::new(),
    };
    RowReport {
        card,
        program: None,
        file: file.into(),
        source: FileBytes::new(),
        hand_in: HandIn { entry: Some(file.into()), ..HandIn::default() },
        by_hand: None,
        late_steps: None,
        deduction: None,
        language: file.rsplit_once('.').map(|(_, ending)| ending.to_owned()),
        notes: Vec::new(),
        same_as: None,
        compile_message: String::new(),
        memory_mistake: None,
        growth: None,
        slow_input: None,
        cases: Vec::new(),
    }
}

fn trial(verdict: Verdict, exit: Exit, cpu: u64) -> Trial {
    Trial {
        usage: Usage { cpu: ms(cpu), wall: ms(cpu + 5), memory: Bytes::mib(12), ..Usage::default() },
        output: Bytes(10),
        ..Trial::ended(verdict, exit)
    }
}

fn case(group: &str, number: u32, trial: Option<Trial>) -> CaseReport {
    CaseReport {
        group: group.into(),
        trial,
        full_feedback: group == "sample",
        ..CaseReport::named(format!("{group}/{number:02}"))
    }
}

fn wrong(secret: &str) -> Trial {
    let difference = Difference {
        line: 3,
        column: 5,
        expected: Some(secret.into()),
        found: Some("8".into()),
        error: Some(Said::AbsoluteError {
            error: Said::Number { number: Decimal::new("1.000000e0") }.into(),
            allowed: Decimal::new("1e-6"),
        }),
        answer_lines: format!("1 2\n3 4 {secret}\n"),
        output_lines: "1 2\n3 4 8\n".into(),
    };
    let note = Said::foreign(format!("standard error ends: the input was {secret}"));
    let trial = trial(Verdict::WrongAnswer, Exit::Code(0), 310);
    Trial {
        difference: Some(difference),
        judge_message: format!("wanted {secret}"),
        notes: vec![note],
        ..trial
    }
}

#[test]
fn points_of_single_cases_are_shown_where_the_validator_gives_them() {
    let mut report = report();
    let package = &mut report.packages[0];
    let own = CasePoints { points: "6.4".parse().unwrap(), max: Some(Points::from(8)) };
    let case = package.rows[2]
        .cases
        .iter_mut()
        .find(|case| case.trial.as_ref().is_some_and(|trial| trial.verdict == Verdict::Accepted));
    let case = case.unwrap();
    (case.points, case.full_feedback) = (Some(own), true);
    let (package, row) = (&report.packages[0], &report.packages[0].rows[2]);
    let text = render_run(package, row, RunWords::default(), Page::default());
    assert!(text.contains("points of the cases: ") && text.contains(" 6.4/8"), "{text}");
    let table = render_case_table(package, row, Page::default());
    assert!(table.contains("points") && table.contains("6.4/8"), "{table}");
    let page = participant_pages(&report).into_iter().find(|(name, _)| *name == row.card.name).unwrap().1;
    assert!(page.contains("6.4 of 8 points. Right"), "{page}");
}

/// Loses two groups: wrong, slow, crashing; and one case near the limit.
fn boris() -> RowReport {
    use Verdict::{Accepted, RunTimeError, TimeLimit, WrongAnswer};
    let lost = |verdict| State::Decided(verdict);
    let groups =
        [("", lost(WrongAnswer)), ("20", lost(Accepted)), ("0", lost(TimeLimit)), ("0", lost(RunTimeError))];
    let mut boris = row("boris", "boris.py", "20", lost(TimeLimit), groups);
    let mut near = trial(Accepted, Exit::Code(0), 990);
    near.tries = vec![ms(1030), ms(990)];
    let mut torn = trial(TimeLimit, Exit::Exceeded(Limit::Cpu), 1010);
    torn.tries = vec![ms(1010), ms(1001), ms(999)];
    torn.try_verdicts = vec![TimeLimit, TimeLimit, Accepted];
    let crash = || trial(RunTimeError, Exit::Signal(11), 40);
    boris.cases = vec![
        case("sample", 1, Some(wrong("SEEN"))),
        case("secret/small", 1, Some(trial(Accepted, Exit::Code(0), 40))),
        case("secret/small", 2, Some(near)),
        case("secret/last", 1, Some(torn)),
        case("secret/last", 2, Some(wrong("HIDDEN"))),
        case("secret/last", 3, None),
    ];
    boris.cases.extend((1..=6).map(|n| case("secret/general", n, Some(crash()))));
    boris.cases[0].input = Some("5\nSEEN INPUT\n".into());
    boris.cases[6].hint = Some("what if there are no coins?".into());
    boris
}

fn cohort() -> PackageReport {
    use Verdict::{Accepted, CompileError, WrongAnswer};
    let is = State::Decided;
    let right = || is(Accepted);
    let mut same = row(
        "zoë",
        "zoë.cpp",
        "100",
        right(),
        [("", right()), ("20", right()), ("40", right()), ("40", right())],
    );
    (same.same_as, same.program) = (Some("ada".into()), Some("17".into()));
    let mut broken = row(
        "clara",
        "clara.rs",
        "0",
        is(CompileError),
        [("", is(CompileError)), ("0", is(CompileError)), ("0", is(CompileError)), ("0", is(CompileError))],
    );
    broken.compile_message =
        "warning: unused\nerror[E0308]: mismatched \x1b[31mtypes\n --> clara.rs:1\n".into();
    let needs = || State::Requires("secret/small".into());
    let groups = [("", right()), ("20", right()), ("40", right()), ("40", right())];
    let mut ada = row("ada", "ada.cpp", "100", right(), groups);
    (ada.same_as, ada.program, ada.hand_in.other_files) = (Some("zoë".into()), Some("17".into()), 2);
    let rows = vec![
        same,
        ada,
        boris(),
        broken,
        row(
            "=HYPERLINK(\"http://x\")",
            "=HYPERLINK(\"http://x\").c",
            "0",
            is(WrongAnswer),
            [("", right()), ("0", is(WrongAnswer)), ("0", needs()), ("0", needs())],
        ),
        row(
            "maximilian-alexander-von-und-zu-hohenstein",
            "max.java",
            "33.333333",
            is(WrongAnswer),
            [("", right()), ("20", right()), ("13.333333", is(WrongAnswer)), ("0", is(WrongAnswer))],
        ),
        row(
            "nina",
            "nina.go",
            "",
            State::Unknown(7),
            [("", right()), ("20", right()), ("", State::Unknown(7)), ("", State::Unknown(0))],
        ),
    ];
    PackageReport {
        name: "from-russia-with-love".into(),
        title: "From Russia with Love".into(),
        kind: ResultKind::Scoring,
        groups: HEADS.map(|(name, max)| GroupHead { name: name.into(), max: max.map(Points::from) }).into(),
        uuid: None,
        time_limit: ms(1000),
        memory_limit: Bytes::mib(256),
        data: None,
        excluded: Vec::new(),
        noise: Noise { slowness: Some(Slowness { worst: 1.31, median: 1.02 }), repeated: 2, undecided: 0 },
        rows,
    }
}

const NO_SPACE: &str = "no space left on the device while the box was being filled";

fn open(what: &str, why: &str) -> OpenCase {
    let package = "from-russia-with-love".into();
    OpenCase { package, what: what.into(), why: OpenReason::Fault(why.into()) }
}

fn needs_go(what: &str) -> OpenCase {
    let missing = MissingToolchain {
        code: "go".into(),
        name: "Go".into(),
        what: "`go` not found".into(),
        absent: true,
        remedy: "apt install golang-go".into(),
    };
    OpenCase { why: OpenReason::Toolchain(missing), ..open(what, "") }
}

pub fn report() -> Report {
    Report {
        packages: vec![cohort()],
        isolation: "namespaces, seccomp".into(),
        machine: "2 CPUs, Test 1000".into(),
        notices: Notices {
            warnings: vec![Message::new(
                Level::Warning,
                "the machine is busy: other programs use 40 % of the CPUs, so times may be larger than they are",
            )],
            faults: vec![open("nina on secret/last/03", NO_SPACE)],
            ran: 40,
            reused: 12,
            ..Notices::default()
        },
        elapsed: ms(3210),
        ..Report::default()
    }
}

/// Two cases of boris are decided by a person.
fn decided_report() -> Report {
    let mut report = report();
    let boris = report.packages[0].rows.iter_mut().find(|row| row.card.name == "boris").unwrap();
    for (at, verdict) in [(1, Verdict::Accepted), (3, Verdict::TimeLimit)] {
        let case = &mut boris.cases[at];
        let (reason, by) = ("slow on <four> machines".to_owned(), "Emmy Noether".to_owned());
        case.decided =
            Some(CaseDecision { case: case.name.clone(), verdict, reason, by, place: RowPlace::default() });
        case.trial = Some(Trial::ended(verdict, Exit::Code(0)));
    }
    report
}

#[test]
fn every_report_shows_what_a_person_decided() {
    let report = decided_report();
    let (slow, right) = (
        "secret/last/01: time limit, decided by Emmy Noether: slow on <four> machines",
        "secret/small/01: accepted, decided by Emmy Noether: slow on <four> machines",
    );
    let wide = Page { width: 200, ..Page::default() };
    for format in [ReportFormat::Text, ReportFormat::Csv, ReportFormat::Github, ReportFormat::Gradescope] {
        let text = render(&report, format, wide);
        assert!(text.contains(slow) && text.contains(right), "{format:?}: {text}");
    }
    let escaped = |text: &str| text.replace('<', "&lt;").replace('>', "&gt;");
    let page = render(&report, ReportFormat::Html, wide);
    assert!(page.contains(&escaped(slow)) && page.contains(&escaped(right)), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&render(&report, ReportFormat::Json, Page::default())).unwrap();
    let boris = json["participants"].as_array().unwrap().iter().find(|row| row["name"] == "boris").unwrap();
    let entry = |case: &str, verdict: &str| {
        serde_json::json!({
            "case": case, "verdict": verdict, "reason": "slow on <four> machines", "by": "Emmy Noether"
        })
    };
    assert_eq!(
        boris["decided"],
        serde_json::json!([entry("secret/small/01", "AC"), entry("secret/last/01", "TLE")])
    );
    let (package, row) =
        (&report.packages[0], report.packages[0].rows.iter().find(|row| row.card.name == "boris").unwrap());
    let details = render_run(package, row, RunWords::default(), wide);
    assert!(
        details.contains("secret/last/01: time limit\n    decided by Emmy Noether: slow on"),
        "{details}"
    );
    let table = render_case_table(package, row, wide);
    assert!(table.contains("–  decided by Emmy Noether: slow on"), "{table}");
    let run: serde_json::Value = serde_json::from_str(&render_run_json(&report, package, row, &[])).unwrap();
    assert_eq!(run["cases"][3]["decided"]["by"], "Emmy Noether");
    assert!(run["cases"][3]["seconds"].is_null() && run["cases"][2]["decided"].is_null());
}

#[test]
fn participants_see_who_decided_but_no_hidden_name() {
    let mut report = decided_report();
    for (level, name) in [
        (FeedbackLevel::AsDeclared, "Decided by Emmy Noether"),
        (FeedbackLevel::Brief, "a case was decided by Emmy Noether"),
    ] {
        report.feedback = level;
        let text = page_of(&report, "boris");
        assert!(text.contains(name), "{level:?}: {text}");
        assert_eq!(text.contains("Decided by"), level == FeedbackLevel::AsDeclared, "{text}");
    }
}

/// The page of a participant.
fn page_of(report: &Report, name: &str) -> String {
    participant_pages(report).into_iter().find(|(own, _)| own == name).unwrap().1
}

#[test]
fn a_page_explains_every_case_to_its_participant() {
    let mut report = report();
    let page = page_of(&report, "boris");
    for text in [
        "Your program printed <code>8</code> where <code>SEEN</code> was expected (line 3: absolute error 1.000000e0, allowed 1e-6).",
        "<span class=\"badge bad\">wrong answer</span>",
        "<strong>01</strong> Right.",
        "Your program took longer than the limit of 1 s.",
        "Hint: what if there are no coins?",
        "2 more cases skipped: the group gets no points any more",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert_eq!(page.matches("Your program crashed.").count(), 6, "a sentence for each case");
    report.feedback = FeedbackLevel::Brief;
    let brief = page_of(&report, "boris");
    assert!(!brief.contains("Your program crashed") && brief.contains("0 of 40 points"), "{brief}");
    report.feedback = FeedbackLevel::Full;
    let full = page_of(&report, "boris");
    for text in [
        "Right, in 0.99 s.",
        "Your program took longer than the limit of 1 s: it was stopped after 1.01 s.",
        "Your program crashed: killed by SIGSEGV (invalid memory access, or stack overflow).",
    ] {
        assert!(full.contains(text), "{text}: {full}");
    }
}

#[test]
fn a_page_shows_the_program_and_no_folder_of_the_platform() {
    let mut report = report();
    let boris = &mut report.packages[0].rows[2];
    boris.file = "Boris_17_assignsubmission_file_".into();
    boris.source = [("boris.py", "if a < b:\n    print('\u{202e}')\n"), ("table.bin", "\0")]
        .map(|(name, text)| (PathBuf::from(name), SourceFile::new(text.as_bytes())))
        .into();
    let page = page_of(&report, "boris");
    let lines = "<span class=\"l\">if a &lt; b:</span>\n<span class=\"l\">    print('\u{fffd}')</span>\n";
    assert!(page.contains(lines) && page.contains("boris.py"), "{page}");
    assert!(page.contains("This file is not text."), "{page}");
    let files = report_files(&report);
    for (path, text) in files.iter().filter(|(path, _)| path.starts_with("pages")) {
        assert!(!text.contains("assignsubmission"), "{}: {text}", path.display());
        assert_eq!(text.contains("if a &lt; b"), path.ends_with("pages/boris.html"), "{}", path.display());
    }
}

#[test]
fn only_late_participants_read_about_the_late_penalty() {
    let mut report = report();
    report.notices.rules = vec![Said::foreign("a case does not count")];
    report.late_rule = Some(Said::foreign("late: 10 % a day"));
    report.packages[0].rows[2].hand_in.late = Some(Lateness::By(ms(1000)));
    for (path, text) in report_files(&report) {
        let path = path.display().to_string();
        if path.starts_with("pages/") {
            assert!(text.contains("a case does not count"), "{path}");
            assert_eq!(text.contains("late: 10 % a day"), path.contains("boris"), "{path}: {text}");
        } else {
            assert!(text.contains("late: 10 % a day"), "{path}: the teacher reads all rules: {text}");
        }
    }
}

#[test]
fn only_the_teacher_reads_that_runs_were_repeated() {
    let report = report();
    let wide = Page { width: 200, ..Page::default() };
    let text = render(&report, ReportFormat::Text, wide);
    assert!(text.contains("secret/last/01 (TLE 1.010 s, TLE 1.001 s, AC 0.999 s)"), "{text}");
    for page in [page_of(&report, "boris"), render(&report, ReportFormat::Gradescope, wide)] {
        assert!(!page.contains("UNSTABLE") && !page.contains("repeated: "), "{page}");
    }
}

#[test]
fn the_page_of_a_class_names_what_is_open_once() {
    let mut report = report();
    report.notices.undecided = vec![undecided("nina", "secret/last/03")];
    report.notices.faults = vec![open("ada", "no program `gcc`")];
    let ada = &mut report.packages[0].rows[1];
    (ada.card.state, ada.notes) =
        (State::Unknown(3), vec![Note::for_teacher("not judged: no program `gcc`")]);
    ada.program = None;
    let page = render(&report, ReportFormat::Html, Page::default());
    for (text, times) in [
        ("nina, max on secret/last/03", 1),
        ("no program `gcc`", 1),
        ("in [time] of course.toml", 1),
        ("run the same command again", 2),
        ("trials missing", 1),
    ] {
        assert_eq!(page.matches(text).count(), times, "{text}: {page}");
    }
}

#[test]
fn participants_read_why_they_have_no_result_and_no_command() {
    let mut report = report();
    report.notices.undecided = vec![undecided("nina", "secret/last/03")];
    let [_, ada, boris, ..] = &mut report.packages[0].rows[..] else { panic!() };
    (ada.card.state, ada.program) = (State::Unknown(3), None);
    let why = "not judged: several programs. Say which one counts: a row `ada,a.py`";
    ada.notes = vec![Note::for_teacher(why)];
    ada.hand_in.left_out = vec!["a.py".into(), "b.py".into()];
    (boris.program, boris.hand_in.left_out) = (Some("17".into()), vec!["pairs2.py".into()]);
    for (name, text) in [
        ("nina", "a run could not be measured exactly, so its result is open. Your teacher will decide."),
        ("ada", "Your teacher will decide which of these files counts: a.py, b.py"),
        ("boris", "Your program is boris.py. Not judged: pairs2.py"),
    ] {
        let page = page_of(&report, name);
        assert!(page.contains(text) && !page.contains("ada,a.py") && !page.contains("missing"), "{page}");
    }
}

#[test]
fn participants_read_their_language_and_the_teacher_english() {
    let mut report = decided_report();
    report.language = PageLanguage::German;
    report.feedback = FeedbackLevel::Full;
    report.notices.rules = vec![Said::foreign("a rule that no file has")];
    let files = report_files(&report);
    let of = |end: &str| &files.iter().find(|(path, _)| path.ends_with(end)).unwrap().1;
    for (file, texts) in [
        (
            "pages/boris.html",
            &["<html lang=\"de\">", "Dein Programm", ">Zeitlimit<", "a rule that no file has"][..],
        ),
        ("index.html", &["<html lang=\"en\">", "With all points", "secret/last/01: time limit, decided by"]),
    ] {
        texts.iter().for_each(|text| assert!(of(file).contains(text), "{text}: {}", of(file)));
    }
    let english = ["Your program", "points", "wrong answer", "time limit", "more case", "skipped", "Right"];
    // Style and script have English comments.
    let text = of("pages/boris.html").split("<main").last().unwrap().split("<script").next().unwrap();
    let left: Vec<&&str> = english.iter().filter(|word| text.contains(**word)).collect();
    assert!(left.is_empty(), "{left:?}: {text}");
}

pub fn undecided(name: &str, case: &str) -> UndecidedCase {
    UndecidedCase {
        package: "from-russia-with-love".into(),
        participants: vec![name.into(), "max".into()],
        case: case.into(),
        evidence: Evidence::Doubt(Fault::undecided("3.2 to 3.5 s of 2 s in 4 runs, 2.1 s adjusted")),
    }
}

#[test]
fn undecided_cases_are_listed_with_the_ways_to_close_them() {
    let mut report = report();
    report.notices.undecided =
        vec![undecided("nina", "secret/last/03"), undecided("O'Neill, \"Pat\"", "secret/last/04")];
    let text = render(&report, ReportFormat::Text, Page { width: 120, ..Page::default() });
    let end = text.split("Test 1000\n\n").nth(1).unwrap();
    assert_eq!(
        end.trim_end(),
        "3 open cases
  1. nina on secret/last/03: no space left on the device while the box was being filled; run again
  2. nina, max on secret/last/03: undecided: 3.2 to 3.5 s of 2 s in 4 runs, 2.1 s adjusted; run again when the machine
     is idle
  3. O'Neill, \"Pat\"; max on secret/last/04: undecided: 3.2 to 3.5 s of 2 s in 4 runs, 2.1 s adjusted; run again when the
     machine is idle
To close a case:
  - run the same command again when the machine is idle
  - give the participant more time: `participants = { NAME = 1.5 }` in [time] of course.toml
  - decide: add a row to the file of --decisions (participant,package,case,verdict,reason,by); `*` means all open cases:
    nina,from-russia-with-love,*,TLE,REASON,NAME"
    );
    let page = render(&report, ReportFormat::Html, Page::default());
    assert_eq!(page.matches("in [time] of course.toml").count(), 1);
    assert!(page.contains("nina, max on secret/last/03: undecided: 3.2 to 3.5 s of 2 s in 4 runs"), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&render(&report, ReportFormat::Json, Page::default())).unwrap();
    assert_eq!(
        json["undecided"][0],
        serde_json::json!({
            "participants": ["nina", "max"], "case": "secret/last/03",
            "found": "3.2 to 3.5 s of 2 s in 4 runs, 2.1 s adjusted"
        })
    );
    assert_eq!(json["ways_to_close"].as_array().unwrap().len(), 3);
    assert_eq!(json["faults"].as_array().unwrap().len(), 3, "they are not judged, too");
    report.notices.undecided.push(undecided("nina", "secret/last/05"));
    let text = render(&report, ReportFormat::Text, Page { width: 120, ..Page::default() });
    assert!(
        text.contains("4 open cases")
            && text.contains("  2. nina, max on 2 cases, such as secret/last/03: undecided")
    );
    assert!(!text.contains("secret/last/05"), "one line for a program: {text}");
    report.notices.undecided.remove(0);
    let text = render(&report, ReportFormat::Text, Page { width: 120, ..Page::default() });
    assert!(text.contains("3 open cases") && text.contains("\"\"Pat\"\"\",from-russia"), "{text}");
    let page = page_of(&report, "nina");
    assert!(!page.contains("adjusted"), "{page}");
}

#[test]
fn open_cases_with_the_same_cause_are_one_line() {
    let mut report = report();
    let cases = ["a on 1", "a on 2", "b on 1", "b on 2", "b on 3"];
    report.notices.faults = cases.map(|case| open(case, NO_SPACE)).into();
    report.notices.faults.push(open("c on 1", "the supervisor ended"));
    report.notices.faults.extend(["gauss", "hopper"].map(needs_go));
    let text = render(&report, ReportFormat::Text, Page { width: 120, ..Page::default() });
    assert_eq!(
        text.split("6 of 7 participants graded in 3.21 s · 40 jobs done, 12 cached · 2 CPUs, Test 1000").nth(1).unwrap(),
        "

2 participants need Go: apt install golang-go, then run again

6 open cases
  1. 5 cases (a on 1, a on 2, b on 1 and 2 more): no space left on the device while the box was being filled; run again
  2. c on 1: the supervisor ended; run again
A second run keeps all results so far. If a case stays open, `kopek doctor` shows what this machine lacks.
"
    );
    let why = OpenReason::Settle("the output validator exited with 1 instead of 42 or 43".into());
    report.notices.faults = vec![OpenCase { why, ..open("a on 1", "") }];
    let text = render(&report, ReportFormat::Text, Page::default());
    let end = "  1. a on 1: the output validator exited with 1 instead of 42 or 43\nA second run keeps all results so far.\n";
    assert!(text.ends_with(end), "this machine lacks nothing: {text}");
    report.notices.faults = vec![needs_go("gauss")];
    let text = render(&report, ReportFormat::Text, Page::default());
    assert!(text.ends_with("\n\ngauss needs Go: apt install golang-go, then run again\n"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&render(&report, ReportFormat::Json, Page::default())).unwrap();
    assert_eq!(
        json["faults"][0],
        "from-russia-with-love: gauss: needs Go: apt install golang-go, then run again"
    );
}

/// The names of the formats in which a report says this; `pages` are those of participants.
fn formats_saying(report: &Report, what: &str) -> Vec<&'static str> {
    let wide = Page { width: 300, ..Page::default() };
    let files = report_files(report);
    let pages = files.iter().filter(|(path, _)| path.starts_with("pages")).map(|(_, text)| &**text);
    let mut all = ReportFormat::NAMES
        .map(|name| (name, render(report, ReportFormat::parse(name).unwrap(), wide)))
        .to_vec();
    all.push(("summary", github_summary(report)));
    all.push(("pages", pages.collect()));
    let rows = |package: &PackageReport| {
        package
            .rows
            .iter()
            .map(|row| moodle_answer(package, row, &Said::AboveIsRepeated, None, PageLanguage::English))
            .collect()
    };
    all.push((
        "moodle",
        public_report(report).packages.iter().map(|package| -> String { rows(package) }).collect(),
    ));
    all.retain(|(_, text)| text.contains(what));
    all.into_iter().map(|(name, _)| name).collect()
}

#[test]
fn participants_read_no_message_for_the_teacher_in_any_format() {
    let subjects = [
        Subject::Whole,
        Subject::Place(Place::new("data/secret/2/07.in", 3)),
        Subject::Package("from-russia-with-love".into()),
        Subject::Package("/home/teacher/from-russia-with-love".into()),
        Subject::Validators,
        Subject::Open,
        Subject::Decision,
        Subject::Points,
    ];
    for about in subjects {
        let mut report = report();
        let message = Message::new(Level::Warning, "the word is xyzzy").about(about.clone());
        report.notices.warnings = vec![message.clone(), message.clone()];
        assert_eq!(formats_saying(&report, "xyzzy"), ["text", "json", "html"], "{about:?}");
        let public = public_report(&report);
        assert_eq!(formats_saying(&public, "xyzzy"), [] as [&str; 0], "{about:?}");
        assert_eq!(formats_saying(&public, "secret/2/07"), [] as [&str; 0], "{about:?}");
        let explained = if about == Subject::Validators { 1 } else { 0 };
        assert_eq!(github_summary(&report).matches("a validator failed").count(), explained, "{about:?}");
        report.notices.warnings = vec![message.for_everyone()];
        let everyones = ["text", "json", "html", "summary"];
        assert_eq!(formats_saying(&report, "xyzzy"), everyones, "{about:?}");
        assert_eq!(formats_saying(&public_report(&report), "xyzzy"), everyones, "{about:?}");
    }
}

#[test]
fn participants_read_no_remark_for_the_teacher_in_any_format() {
    let word = || "xyzzy".to_owned();
    let changes: [fn(&mut Report, String); 4] = [
        |report, word| report.packages[0].rows[0].same_as = Some(word),
        |report, word| report.packages[0].rows[0].card.judge_errors = vec![word],
        |report, word| report.notices.faults = vec![open(&word, "a")],
        |report, word| report.notices.faults = vec![open("a", &word)],
    ];
    for (at, change) in changes.iter().enumerate() {
        let mut report = report();
        change(&mut report, word());
        assert!(formats_saying(&report, "xyzzy").contains(&"html"), "{at}");
        assert_eq!(formats_saying(&public_report(&report), "xyzzy"), [] as [&str; 0], "{at}");
        for format in ["gradescope", "github", "classroom50", "summary", "pages", "moodle"] {
            assert!(!formats_saying(&report, "xyzzy").contains(&format), "{at}: {format}");
        }
    }
}

#[test]
fn every_report_says_by_which_rules_it_was_judged() {
    let rule = "time limits were decided by one run";
    let mut ruled = report();
    ruled.notices.rules = vec![Said::OneRunDecided];
    // Its schema has no place for rules.
    for name in ReportFormat::NAMES.into_iter().filter(|name| *name != "classroom50") {
        let says = |report: &Report| {
            let wide = Page { width: 120, ..Page::default() };
            render(report, ReportFormat::parse(name).unwrap(), wide).contains(rule)
        };
        assert!(says(&ruled) && !says(&report()), "{name}");
    }
}

#[test]
fn every_report_says_how_noisy_the_machine_was() {
    let mut report = report();
    let wide = Page { width: 200, ..Page::default() };
    let both = |report: &Report| {
        let json: serde_json::Value =
            serde_json::from_str(&render(report, ReportFormat::Json, wide)).unwrap();
        let texts = [ReportFormat::Text, ReportFormat::Html].map(|format| render(report, format, wide));
        (texts, json["slowdown"]["worst"].as_f64(), json["repeated_runs"].as_u64())
    };
    let (texts, worst, repeated) = both(&report);
    let line = "machine up to 1.31x slower than idle (median 1.02x); 2 runs above the limit were repeated";
    assert!(texts.iter().all(|text| text.contains(line)), "{texts:?}");
    assert_eq!((worst, repeated), (Some(1.31), Some(2)));
    report.packages[0].noise = Noise::default();
    let (texts, worst, repeated) = both(&report);
    assert!(texts.iter().all(|text| !text.contains("machine up to")), "{texts:?}");
    assert_eq!((worst, repeated), (None, Some(0)));
}

fn two_packages() -> Report {
    let mut nim = cohort();
    (nim.name, nim.title, nim.kind) = ("nim".into(), String::new(), ResultKind::PassFail);
    nim.groups = vec![GroupHead { name: "secret".into(), max: None }];
    nim.rows.truncate(3);
    for row in &mut nim.rows {
        (row.card.max, row.card.points) = (Some(Points::one()), Some(Points::zero()));
        row.card.groups.truncate(1);
        row.card.groups[0].name = "secret".into();
    }
    let mut report = report();
    (report.packages, report.notices.warnings, report.notices.faults) =
        (vec![cohort(), nim], Vec::new(), Vec::new());
    report
}

#[test]
fn a_table_is_read_without_colour() {
    insta::assert_snapshot!("table", render(&report(), ReportFormat::Text, Page::default()));
}

#[test]
fn several_packages_end_in_a_grand_total() {
    insta::assert_snapshot!("packages", render(&two_packages(), ReportFormat::Text, Page::default()));
    insta::assert_snapshot!("packages_csv", render(&two_packages(), ReportFormat::Csv, Page::default()));
}

#[test]
fn the_json_schema_is_stable() {
    let json = render(&report(), ReportFormat::Json, Page::default());
    insta::assert_snapshot!("json", json);
    let two: serde_json::Value =
        serde_json::from_str(&render(&two_packages(), ReportFormat::Json, Page::default())).unwrap();
    assert_eq!(two.as_array().unwrap().len(), 2);
    assert_eq!(two[0], {
        let mut one: serde_json::Value = serde_json::from_str(&json).unwrap();
        (one["warnings"], one["faults"]) = (serde_json::json!([]), serde_json::json!([]));
        one
    });
}

#[test]
fn a_report_that_is_read_and_written_again_is_the_same() {
    let mut report = decided_report();
    let row = &mut report.packages[0].rows[0];
    row.hand_in.late = Some(Lateness::By(Duration::from_secs(90)));
    row.hand_in.time_factor = "1.125".parse::<TimeFactor>().ok().map(|factor| factor.times(factor));
    row.slow_input = Some(SlowInput {
        case: "sample/01".into(),
        changes: vec![Said::WholeLine { line: 2 }],
        input: Vec::new(),
        time: ms(2345),
        limit: ms(1000),
        accepted: Duration::from_micros(1234),
    });
    row.late_steps = Some(LateSteps { grace: Duration::from_secs(30), ..LateSteps::default() });
    row.take_off(Deduction { points: Points::from(10) / 3, reason: Said::LateBy { span: Span(86_400) } });
    let json = render(&report, ReportFormat::Json, Page::default());
    let read: StoredPackage = serde_json::from_str(&json).unwrap();
    let zoe = read.package.rows.last().unwrap();
    assert_eq!((zoe.reached(), zoe.worth()), (Some(Points::from(100)), Some(Points::from(290) / 3)));
    let [written, again] = [serde_json::to_value(&read).unwrap(), serde_json::from_str(&json).unwrap()];
    let (mut written, again): (Value, Value) = (written, again);
    // Remarks on the runs of cases, which are not read.
    written["participants"] = again["participants"].clone();
    for (key, value) in written.as_object().unwrap() {
        assert_eq!(value, &again[key], "{key}");
    }
    let text = |package: &PackageReport| {
        let rows = package.rows.iter().map(|row| RowReport { growth: None, ..row.clone() });
        let mut rows: Vec<Value> = rows.map(|row| serde_json::to_value(row).unwrap()).collect();
        rows.sort_by_key(|row| row["name"].to_string());
        rows
    };
    assert_eq!(text(&read.package), text(&report.packages[0]));
}

#[test]
fn points_keep_their_exact_value_in_json() {
    let mut report = report();
    let large = format!("\"1{}\"", "0".repeat(400));
    for (points, text) in [
        (Points::from(7), "7"),
        ("12.5".parse().unwrap(), "12.5"),
        ("0.1".parse().unwrap(), "0.1"),
        ("49.99999999999999999999".parse().unwrap(), "\"49.99999999999999999999\""),
        ("1e400".parse().unwrap(), &*large),
        (Points::from(140) / 3, "\"140/3\""),
        ("-3".parse().unwrap(), "-3"),
    ] {
        report.packages[0].rows[0].card.points = Some(points.clone());
        let json = render(&report, ReportFormat::Json, Page::default());
        assert!(json.contains(&format!("\"points\": {text},")), "{text}: {json}");
        let earlier = EarlierReport::parse("before", &json).unwrap();
        assert_eq!(changes_since(&earlier, &report, ClassExtent::Whole).changes, []);
        let more = points.clone() + "1e-20".parse().unwrap();
        report.packages[0].rows[0].card.points = Some(more.clone());
        let changes = changes_since(&earlier, &report, ClassExtent::Whole).changes;
        assert_eq!((&changes[0].before, &changes[0].after), (&Some(points), &Some(more)));
    }
}

#[test]
fn a_page_marks_the_characters_that_differ() {
    let pages = participant_pages(&report());
    let page = &pages.iter().find(|(name, _)| name == "boris").unwrap().1;
    let lines = "  1 2\n  <span class=\"minus\">− 3 4 <mark>SEEN</mark></span>\n  \
                 <span class=\"plus\">+ 3 4 <mark>8</mark></span>\n";
    assert!(page.contains(&lines.replacen("  1 2", "  <span>  1 2</span>", 1)), "{page}");
}

#[test]
fn a_spreadsheet_gets_rows_and_no_formulas() {
    let csv = render(&report(), ReportFormat::Csv, Page::default());
    insta::assert_snapshot!("csv", csv);
    assert_eq!(csv.matches("\r\n").count(), csv.matches('\n').count(), "RFC 4180 ends lines with CRLF");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.records().map(Result::unwrap).count(), 7);
    let mut report = report();
    for evil in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "\r=1"] {
        report.packages[0].rows[0].card.name = evil.into();
        let csv = render(&report, ReportFormat::Csv, Page::default());
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let names: Vec<String> = reader.records().map(|row| row.unwrap()[0].to_owned()).collect();
        let shown = evil.replace('\r', "\u{fffd}");
        assert!(names.contains(&format!("'{shown}")), "{names:?}");
    }
}

#[test]
fn no_format_passes_a_name_that_controls_the_terminal() {
    let mut report = report();
    let evil = "\u{1b}[2J\u{9b}31m\u{202e}ada\u{7}";
    let row = &mut report.packages[0].rows[0];
    (row.card.name, row.file) = (evil.into(), evil.into());
    row.hand_in.email = Some(evil.into());
    for name in ReportFormat::NAMES {
        let text = render(&report, ReportFormat::parse(name).unwrap(), Page::default());
        let is_control = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
        let found: Vec<char> = text.chars().filter(|c| is_control(*c)).collect();
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

#[test]
fn a_judge_sees_the_first_difference_of_every_failing_case() {
    let package = cohort();
    insta::assert_snapshot!(
        "details",
        render_run(&package, &package.rows[2], RunWords::default(), Page::default())
    );
    insta::assert_snapshot!(
        "details_broken",
        render_run(&package, &package.rows[3], RunWords::default(), Page::default())
    );
}

#[test]
fn a_participant_sees_contents_only_of_cases_with_full_feedback() {
    let files = report_files(&report());
    let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    insta::assert_snapshot!("files", names.join("\n"));
    let page = |name: &str| &files.iter().find(|(path, _)| path.ends_with(name)).unwrap().1;
    let boris = page("pages/boris.html");
    assert!(boris.contains("SEEN INPUT") && boris.contains("where <code>SEEN</code>"), "{boris}");
    assert!(!boris.contains("HIDDEN"), "{boris}");
    let copied = page("pages/zoë.html");
    assert!(!copied.contains("ada"), "who else handed it in is not for participants: {copied}");
}

#[test]
fn names_of_participants_cannot_leave_the_folder_or_meet() {
    let mut report = report();
    let names = ["../../etc/passwd", "..", "a/b", "a_b", "A_B", "", "\u{202e}x\n"];
    for (row, name) in report.packages[0].rows.iter_mut().zip(names) {
        row.card.name = name.into();
    }
    let files = report_files(&report);
    let mut paths: Vec<String> =
        files.iter().map(|(path, _)| path.display().to_string().to_lowercase()).collect();
    for path in paths.iter().filter(|path| path.contains('/')) {
        let name = path.strip_prefix("pages/").unwrap();
        assert!(!name.contains('/') && !name.starts_with('.'), "{path}");
    }
    paths.sort();
    paths.dedup();
    assert_eq!(paths.len(), 4 + 7);
}

#[test]
fn every_line_fits_the_page_and_nothing_moves_the_cursor() {
    let narrow = render(&report(), ReportFormat::Text, Page { width: 0, ..Page::default() });
    assert!(narrow.contains("33.33/100"));
    for width in [40, 60, 80, 120] {
        let text = render(&two_packages(), ReportFormat::Text, Page { width, ..Page::default() });
        for line in text.lines() {
            let long = console::measure_text_width(line);
            assert!(long <= width, "{long} columns on a page of {width}: {line}");
        }
        assert!(!text.contains('\x1b'));
    }
}

#[test]
fn many_groups_continue_below_with_the_names_again() {
    let mut report = report();
    let package = &mut report.packages[0];
    package.groups =
        (1..=20).map(|n| GroupHead { name: format!("secret/{n}"), max: Some(Points::from(5)) }).collect();
    for row in &mut package.rows {
        let one = |head: &GroupHead| GroupScore {
            name: head.name.clone(),
            ..group(1, "5", State::Decided(Verdict::Accepted))
        };
        row.card.groups = package.groups.iter().map(one).collect();
    }
    let text = render(&report, ReportFormat::Text, Page::default());
    assert!(text.lines().all(|line| console::measure_text_width(line) <= 80), "{text}");
    let names = text.lines().filter(|line| line.starts_with("ada")).count();
    assert_eq!(names, 3, "{text}");
    assert_eq!(text.matches("5 AC").count(), 20 * 7, "{text}");
}

#[test]
fn colour_changes_no_letter() {
    let plain = render(&report(), ReportFormat::Text, Page::default());
    let coloured =
        render(&report(), ReportFormat::Text, Page { colour: Colour::Coloured, ..Page::default() });
    assert!(coloured.contains("\x1b[32m"));
    let stripped: Vec<String> =
        coloured.lines().map(|line| console::strip_ansi_codes(line).trim_end().to_owned()).collect();
    assert_eq!(stripped.join("\n"), plain.trim_end());
}

#[test]
fn a_format_is_known_by_its_name() {
    for (name, format) in ReportFormat::NAMES.iter().zip([
        ReportFormat::Text,
        ReportFormat::Json,
        ReportFormat::Csv,
        ReportFormat::Gradescope,
        ReportFormat::Github,
        ReportFormat::Classroom50,
        ReportFormat::Html,
    ]) {
        assert_eq!(ReportFormat::parse(name), Ok(format));
    }
    assert_eq!(
        ReportFormat::parse("xml").unwrap_err().to_string(),
        "`xml` is not a report format; there are text, json, csv, gradescope, github, classroom50, html"
    );
}
