//! The inputs on which the programs of a class fail, in every format.

use super::{page_of, report};
use kopek::{
    growth::{CostKind, Growth, SizeMeasure},
    render::{Page, ReportFormat, render, report_files},
    results::{
        AcceptedGrowth, AlikeFailure, Boundary, Counterexample, Counterexamples, FailedProgram,
        FeedbackLevel, MemoryMistake, NoGrowth, ProgramGrowth, Report, SlowInput, TextExcerpt, Unexplained,
        UnexplainedProgram, public_report,
    },
    sandbox::Exit,
    sentences::{Decimal, Said},
    verdict::Verdict,
};
use std::time::Duration;

const HOSTILE: &str = "<script>alert(1)</script>\u{1b}[31m\0\u{fffd}\u{202e}";
const MAX: &str = "maximilian-alexander-von-und-zu-hohenstein";

fn whole(text: &str) -> TextExcerpt {
    TextExcerpt { text: text.into(), cut: false, bytes: Some(text.len()) }
}

fn wrong(printed: &str, names: &[&str]) -> AlikeFailure {
    let program =
        |name: &&str| FailedProgram { participants: vec![(*name).to_owned()], stderr: String::new() };
    AlikeFailure {
        verdict: Verdict::WrongAnswer,
        exit: Exit::Code(0),
        printed: Some(whole(printed)),
        conversation: None,
        programs: names.iter().map(program).collect(),
        boundary: None,
    }
}

/// A small input for three, a large one for Max, and two programs without any.
fn found() -> Counterexamples {
    let small = Counterexample {
        input: whole("\n2 1 0\n1 1\n"),
        expected: Some(whole("3\n")),
        sample: None,
        failures: vec![wrong("40\n", &["boris", "zoë"]), wrong(HOSTILE, &["=HYPERLINK(\"http://x\")"])],
    };
    let program =
        FailedProgram { participants: vec![MAX.into()], stderr: format!("IndexError: {HOSTILE}\n") };
    let crash = AlikeFailure {
        verdict: Verdict::RunTimeError,
        exit: Exit::Signal(11),
        printed: None,
        conversation: None,
        programs: vec![program],
        boundary: Some(Boundary { fails: 1001, passes: 1000 }),
    };
    let large = Counterexample {
        input: TextExcerpt { text: format!("1001\n{}", "0 ".repeat(2000)), cut: true, bytes: Some(12_345) },
        expected: Some(whole("")),
        sample: None,
        failures: vec![crash],
    };
    let without = |name: &str, why| UnexplainedProgram { participants: vec![name.into()], why };
    let not_slow = Unexplained::OnlyLimits { growth: NoGrowth::NotShown, searched: true };
    Counterexamples {
        package: "from-russia-with-love".into(),
        inputs: vec![small, large],
        unexplained: vec![without("clara", Unexplained::NoneFound), without("nina", not_slow)],
        same_mistake: vec![vec!["boris".into(), "zoë".into()]],
        failing: 5,
        explained: 4,
        seconds: 10,
        ..Counterexamples::default()
    }
}

pub fn report_with_inputs() -> Report {
    Report { counterexamples: vec![found()], ..report() }
}

fn file_of(report: &Report, name: &str) -> String {
    report_files(report).into_iter().find(|(path, _)| path.ends_with(name)).unwrap().1
}

/// What Gradescope shows to a participant.
fn gradescope_output(report: &Report, name: &str) -> String {
    let text = render(report, ReportFormat::Gradescope, Page::default());
    let results: serde_json::Value = serde_json::from_str(&text).unwrap();
    results[name]["output"].as_str().unwrap().to_owned()
}

#[test]
fn participants_see_their_own_failing_input_unless_feedback_is_brief() {
    use FeedbackLevel::{AsDeclared, Brief, Full, Names};
    let mut report = report_with_inputs();
    for level in [AsDeclared, Names, Full, Brief] {
        report.feedback = level;
        let texts = [page_of(&report, "boris"), render(&report, ReportFormat::Gradescope, Page::default())];
        for text in texts {
            assert_eq!(text.contains("2 1 0"), level != Brief, "{level:?}: {text}");
            assert_eq!(text.contains("A failing input"), level != Brief, "{level:?}: {text}");
        }
    }
    report.feedback = Names;
    let page = page_of(&report, "boris");
    for part in [
        "Your program fails on this input, which is not one of the tests.",
        "<p class=\"soft\">input</p><pre class=\"copy\" tabindex=\"0\">\n\n2 1 0\n1 1\n</pre>",
        "<p class=\"soft\">your output</p><pre class=\"copy\" tabindex=\"0\">\n40\n</pre>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("alert(1)") && !page.contains("Mistakes of the class"), "others: {page}");
    let without = page_of(&report, "clara");
    assert!(!without.contains("A failing input") && !without.contains("2 1 0"), "{without}");
}

#[test]
fn brief_feedback_shows_nothing_that_runs_on_hidden_cases_found_out() {
    let growth = Growth { measure: SizeMeasure::Tokens, factor: 4.0, spread: 1.0, from: 9, to: 99 };
    let growth =
        ProgramGrowth { kind: CostKind::Time, growth, accepted: AcceptedGrowth::Unknown, chart: None };
    let mistake = MemoryMistake {
        what: Said::WritesOutside,
        place: None,
        case: "sample/1".into(),
        is_unset_variable: false,
    };
    let slow = SlowInput {
        case: "sample/1".into(),
        changes: vec![Said::NumberIs {
            number: Said::Name { name: "n".into() }.into(),
            value: Decimal::new(9),
        }],
        input: Vec::new(),
        time: Duration::from_secs(3),
        limit: Duration::from_secs(1),
        accepted: Duration::ZERO,
    };
    let mut report = report();
    for row in &mut report.packages[0].rows {
        (row.growth, row.memory_mistake, row.slow_input) =
            (Some(growth.clone()), Some(mistake.clone()), Some(slow.clone()));
    }
    for level in [FeedbackLevel::Names, FeedbackLevel::Brief] {
        report.feedback = level;
        for row in &public_report(&report).packages[0].rows {
            let shown = [row.growth.is_some(), row.memory_mistake.is_some(), row.slow_input.is_some()];
            assert_eq!(shown, [level != FeedbackLevel::Brief; 3], "{level:?}: {}", row.card.name);
        }
        let page = page_of(&report, "boris");
        assert_eq!(
            page.contains("exceeds the time limit with n = 9"),
            level != FeedbackLevel::Brief,
            "{page}"
        );
    }
}

#[test]
fn the_output_on_gradescope_ends_with_the_failing_input() {
    let text = gradescope_output(&report_with_inputs(), "boris");
    let end = text.split("\nA failing input\n").nth(1).unwrap();
    assert_eq!(
        end,
        "Your program fails on this input, which is not one of the tests.
  input:

    2 1 0
    1 1
  expected output:
    3
  your output:
    40
"
    );
}

#[test]
fn a_conversation_is_shown_where_there_is_no_expected_output() {
    let mut report = report_with_inputs();
    let example = &mut report.counterexamples[0].inputs[0];
    example.expected = None;
    let talk = whole(&format!("< 5\n> {HOSTILE}\n< wrong\n"));
    example.failures[0] =
        AlikeFailure { printed: None, conversation: Some(talk), ..example.failures[0].clone() };
    let text = gradescope_output(&report, "boris");
    let end = text.split("\nA failing input\n").nth(1).unwrap();
    let wanted = "    1 1\n  conversation (< judge, > submission):\n    < 5\n    > <script>";
    assert!(end.contains(wanted) && end.ends_with("    < wrong\n"), "{end}");
    let page = page_of(&report, "boris");
    assert!(page.contains("conversation (&lt; judge, &gt; submission)</p>"), "{page}");
    let class = file_of(&report, "index.html");
    assert!(class.contains(">conversation (&lt; judge, &gt; submission)</th>"), "{class}");
    assert!(class.contains("<td><pre>\n&lt; 5\n&gt; &lt;script&gt;"), "{class}");
    let [first, _] = &report.counterexamples[0].inputs[..] else { panic!() };
    assert!(!class.contains(&format!(">expected output</p><pre>\n{}", first.input.text)), "{class}");
}

#[test]
fn a_sample_is_named_as_one() {
    let mut report = report_with_inputs();
    report.counterexamples[0].inputs[0].sample = Some("sample/02".into());
    let page = page_of(&report, "boris");
    assert!(page.contains("Your program fails on this sample, sample/02.</p>"), "{page}");
    // The results show the first one.
    report.counterexamples[0].inputs[0].sample = Some("sample/01".into());
    assert!(!page_of(&report, "boris").contains("A failing input"));
}

#[test]
fn of_a_large_input_the_first_lines_the_size_and_the_boundary_are_shown() {
    let report = report_with_inputs();
    let text = gradescope_output(&report, MAX);
    for part in [
        "It fails with 1001 as the first number, passes with 1000.\n  input, the first lines of 12345 bytes:\n    1001\n    0 0 ",
        " more\n  expected output: nothing\n  your program: run-time error, killed by SIGSEGV",
        "  your standard error:\n    IndexError: <script>alert(1)</script>\u{fffd}[31m",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("kopek "), "no command of the teacher's: {text}");
    assert!(text.lines().all(|line| console::measure_text_width(line) <= 80), "{text}");
    let class = render(&report, ReportFormat::Html, Page::default());
    assert!(class.contains(">fails with 1001 as the first number, passes with 1000<"), "{class}");
    assert!(class.contains(">12345 bytes<") && !class.contains(&"0 ".repeat(100)), "{class}");
}

#[test]
fn a_class_page_shows_who_makes_which_mistake_largest_first() {
    let report = report_with_inputs();
    let page = file_of(&report, "index.html");
    let part = page.split("<h3>Mistakes of the class</h3>").nth(1).unwrap();
    let mut rest = part.split("<h3>").next().unwrap();
    let link = |name: &str| format!("<a href=\"pages/{name}.html\">{name}</a>");
    for expected in [
        "2 inputs explain 4 of 5 failing programs</span></summary>".to_owned(),
        ">input</p><pre>\n\n2 1 0\n1 1</pre>".into(),
        "<td><pre>\n40</pre></td>".into(),
        format!("<strong>2</strong>: {}, {}</td>", link("boris"), link("zoë")),
        "<pre>\n&lt;script&gt;alert(1)&lt;/script&gt;\u{fffd}[31m".into(),
        "run-time error, killed by SIGSEGV".into(),
        format!("Perhaps the same mistake: {}, {}.", link("boris"), link("zoë")),
        format!("{}: none found in 10 s.", link("clara")),
        format!(
            "{}: exceeds the time or memory limit; its runs show no growth, and no change of a sample makes it slow.",
            link("nina")
        ),
    ] {
        let at = rest.find(&expected).unwrap_or_else(|| panic!("{expected}: {rest}"));
        rest = &rest[at + expected.len()..];
    }
    assert!(!file_of(&super::report(), "index.html").contains("Mistakes"), "not asked for");
}

#[test]
fn failing_inputs_change_no_table_and_no_control_character_is_shown() {
    let report = report_with_inputs();
    for format in [ReportFormat::Csv, ReportFormat::Classroom50] {
        let plain = render(&super::report(), format, Page::default());
        assert_eq!(render(&report, format, Page::default()), plain, "{format:?}");
    }
    for (path, text) in report_files(&report) {
        let is_control = |c: char| c.is_control() && !"\n\r\t".contains(c);
        assert!(!text.contains(is_control), "{}", path.display());
        assert!(path.ends_with("report.json") || !text.contains('\u{202e}'), "{}", path.display());
        assert!(!text.contains("<script>alert") || path.extension().is_some_and(|end| end != "html"));
    }
}
