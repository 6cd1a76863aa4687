//! A sentence for mistakes that nearly every class makes. It quotes only what the reader of the row sees.

use crate::source_mistakes::{
    has_blanks, main_in_capitals, may_nest_too_deep, mistake_in_source, mistake_with_blanks,
    scanf_without_address,
};
use kopek_base::wording::{cut_text, one_line};
use kopek_package::{
    check::Difference,
    package::{Audience, Subject},
    verdict::Verdict,
};
use kopek_plan::plan::Trial;
use kopek_results::{Boundary, CaseReport, Note, RowReport, trial_remarks};
use kopek_sentences::Said;

/// What standard error says, and what it means.
const SIGNS: [(&str, Said); 3] = [
    ("RecursionError", Said::NestedCalls),
    ("EOFError", Said::ReadsMoreLines),
    ("NoSuchElementException", Said::ReadsMoreThanInput),
];

/// Texts that open a file instead of standard input.
const INPUT_FILES: [&str; 4] = ["input.txt\"", "input.txt'", ".in\"", ".in'"];

/// Messages about a text that is no number, before the text and after it.
const NO_NUMBER: [(&str, &str); 3] = [
    ("invalid literal for int() with base 10: '", "'"),
    ("could not convert string to float: '", "'"),
    ("For input string: \"", "\""),
];

/// Headers that only compilers for Windows have.
const WINDOWS_HEADERS: [&str; 3] = ["conio.h", "windows.h", "graphics.h"];

/// All remarks on the trials of a row, with a hint for the author of the program.
pub fn author_remarks(row: &RowReport, audience: Audience) -> Vec<Note> {
    let mut all = trial_remarks(row, audience);
    let hint = (mistake_of_address(row).or_else(|| memory_hint(row, audience)))
        .or_else(|| mistake_before_the_run(row))
        .or_else(|| classic_mistake(row))
        .or_else(|| mistake_of_wrong_answer(row));
    all.extend(hint.map(|hint| Note::new(Subject::Whole, Said::Hint { reason: hint.into() })));
    all
}

/// What other builds of the program say. Which line of the program fails on a hidden case could carry its input out.
fn memory_hint(row: &RowReport, audience: Audience) -> Option<Said> {
    let mut mistake = row.memory_mistake.clone()?;
    let sees = |case: &CaseReport| case.name == mistake.case && case.full_feedback;
    if audience == Audience::Everyone && !row.cases.iter().any(sees) && mistake.place.take().is_some() {
        return Some(Said::SanitizeToSee { reason: mistake.said().into() });
    }
    Some(mistake.said())
}

/// The first hint that one of its files gives.
fn of_files(row: &RowReport, hint: impl Fn(&str, &str) -> Option<Said>) -> Option<Said> {
    let language = row.language.as_deref()?;
    row.source.values().find_map(|file| hint(language, &String::from_utf8_lossy(&file.bytes)))
}

/// A compiler warns of it, and a sanitizer sees a null pointer only.
fn mistake_of_address(row: &RowReport) -> Option<Said> {
    let fails = row.cases.iter().any(|case| has_verdict(case, Verdict::RunTimeError));
    if fails { of_files(row, scanf_without_address) } else { None }
}

fn mistake_before_the_run(row: &RowReport) -> Option<Said> {
    let is_without_cases = row.cases.iter().all(|case| case.trial.is_none());
    windows_header(row).or_else(|| if is_without_cases { of_files(row, main_in_capitals) } else { None })
}

/// Whatever the output is: a mistake of reading may show anywhere.
fn mistake_of_wrong_answer(row: &RowReport) -> Option<Said> {
    let fails = |case: &&CaseReport| {
        has_verdict(case, Verdict::WrongAnswer) || has_verdict(case, Verdict::RunTimeError)
    };
    let mut failed = row.cases.iter().filter(fails).peekable();
    failed.peek()?;
    let sees_blanks = failed.any(|case| case.full_feedback && case.input.as_deref().is_some_and(has_blanks));
    let of_blanks = || if sees_blanks { of_files(row, mistake_with_blanks) } else { None };
    of_files(row, mistake_in_source).or_else(of_blanks)
}

fn windows_header(row: &RowReport) -> Option<Said> {
    let message = row.compile_message.to_lowercase();
    let is_missing = |header: &&&str| {
        message.contains(&format!("{header}: no such file"))
            || message.contains(&format!("'{header}' file not"))
    };
    let header = WINDOWS_HEADERS.iter().find(is_missing)?;
    Some(Said::WindowsHeader { header: (*header).to_owned() })
}

/// A hint for the author of a program that fails; `None`: it is no classic mistake.
fn classic_mistake(row: &RowReport) -> Option<Said> {
    let visible = row.cases.iter().filter(|case| case.full_feedback && case.decided.is_none());
    let of_trial = |case: &CaseReport| case.trial.as_ref().and_then(|trial| mistake_in_run(trial, row));
    let seen = visible.clone().find_map(of_trial);
    seen.or_else(|| {
        let crashed = |case: &CaseReport| has_verdict(case, Verdict::RunTimeError);
        let only_hidden = row.cases.iter().any(crashed) && !visible.clone().any(crashed);
        let may_nest = |language: &str, text: &str| {
            may_nest_too_deep(language, text).then(|| Said::MayBeThis { reason: Said::NestedCalls.into() })
        };
        if only_hidden { of_files(row, may_nest) } else { None }
    })
}

fn has_verdict(case: &CaseReport, verdict: Verdict) -> bool {
    case.trial.as_ref().is_some_and(|trial| trial.verdict == verdict)
}

fn mistake_in_run(trial: &Trial, row: &RowReport) -> Option<Said> {
    let printed_nothing =
        trial.difference.as_ref().is_some_and(|difference| words(&difference.output_lines).is_empty());
    match trial.verdict {
        Verdict::RunTimeError if trial.notes.contains(&Said::RightOutput) => Some(mistake_at_end(trial, row)),
        Verdict::RunTimeError if has_line_of_numbers(&trial.stderr) => Some(Said::LineAsNumber),
        Verdict::RunTimeError | Verdict::WrongAnswer
            if (printed_nothing || trial.verdict == Verdict::RunTimeError) && opens_a_file(row) =>
        {
            Some(Said::OpensFile)
        }
        Verdict::WrongAnswer => mistake_in_output(trial.difference.as_ref()?),
        Verdict::RunTimeError => {
            let (_, meaning) = SIGNS.iter().find(|(sign, _)| trial.stderr.contains(sign))?;
            Some(meaning.clone())
        }
        Verdict::IdleLimit => Some(Said::MustFlush),
        _ => None,
    }
}

/// The mistake at the end of a program that printed its answer.
fn mistake_at_end(trial: &Trial, row: &RowReport) -> Said {
    match row.language.as_deref() {
        _ if trial.stderr.contains("EOFError") => Said::RemoveLastInput,
        _ if !trial.stderr.is_empty() => Said::RemoveLastRead,
        Some("c" | "cpp") => Said::WriteIntMain,
        _ => Said::RemoveExit,
    }
}

/// Whether a message quotes a line of several numbers, read as one.
fn has_line_of_numbers(stderr: &str) -> bool {
    NO_NUMBER.iter().any(|(before, after)| {
        let quoted = stderr.split_once(before).and_then(|(_, rest)| rest.split_once(after));
        let words: Vec<&str> = quoted.map_or(Vec::new(), |(line, _)| line.split_whitespace().collect());
        words.len() > 1 && words.iter().all(|word| word.parse::<f64>().is_ok())
    })
}

fn words(lines: &str) -> Vec<String> {
    lines.replace(['·', '↵'], " ").split_whitespace().map(str::to_owned).collect()
}

/// Compares whole texts: samples are short. A text that was cut shows no mistake.
fn mistake_in_output(difference: &Difference) -> Option<Said> {
    let Difference { answer_lines, output_lines, .. } = difference;
    if answer_lines.contains('…') || output_lines.contains('…') {
        return None;
    }
    let answer = words(answer_lines);
    let output = words(output_lines);
    if output.is_empty() {
        return Some(Said::PrintsNothing);
    }
    // Of many short lines, the difference has the first few only.
    let runs_on = output.len() < answer.len() && output.concat().starts_with(&answer.concat());
    if answer.concat() == output.concat() || runs_on {
        return Some(Said::OnlyBlanks);
    }
    if answer.join(" ").eq_ignore_ascii_case(&output.join(" ")) {
        return Some(Said::OnlyCapitals);
    }
    if output.len() > answer.len() && output.starts_with(&answer) {
        return Some(Said::OutputGoesOn);
    }
    if let Some(hint) = number_in_another_form(&answer, &output) {
        return Some(hint);
    }
    let extra = words_beside(&answer, &output)?;
    Some(Said::WordsBesideAnswer { word: cut_text(&one_line(&extra.join(" ")), 60) })
}

/// `1100.0` or `1.39457e+08`, where the answer is an integer.
fn number_in_another_form(answer: &[String], output: &[String]) -> Option<Said> {
    let (right, printed) = answer.iter().zip(output).find(|(right, printed)| right != printed)?;
    let integer = right.parse::<i64>().ok()? as f64;
    let is_decimal = printed.contains(['.', 'e', 'E']);
    let value = printed.parse::<f64>().ok().filter(|value| value.is_finite() && is_decimal)?;
    if value == integer && printed.contains('.') && !printed.contains(['e', 'E']) {
        return Some(Said::DecimalForInteger { text: printed.clone() });
    }
    // C++ prints six digits.
    let is_rounded = printed.contains(['e', 'E']) && (value - integer).abs() <= integer.abs() * 1e-5;
    is_rounded.then(|| Said::LostDigits { text: printed.clone() })
}

/// The first words of the output beside those of the answer, if all of these are there in order and the others are
/// no numbers.
fn words_beside(answer: &[String], output: &[String]) -> Option<Vec<String>> {
    let mut left = answer.iter().peekable();
    let mut extra = Vec::new();
    for word in output {
        if left.next_if_eq(&word).is_some() {
            continue;
        }
        if !word.chars().any(char::is_alphabetic) {
            return None;
        }
        extra.push(word.clone());
    }
    extra.dedup();
    extra.truncate(3);
    (left.peek().is_none() && !extra.is_empty()).then_some(extra)
}

/// Whether the program opens a file, other than in a comment or for the author's own machine only.
fn opens_a_file(row: &RowReport) -> bool {
    let opens = |line: &str| {
        let line = line.trim_start();
        !line.starts_with("//")
            && !line.starts_with('#')
            && INPUT_FILES.iter().any(|name| line.contains(name))
    };
    let mut texts = row.source.values().map(|file| String::from_utf8_lossy(&file.bytes));
    texts.any(|text| !text.contains("#if") && text.lines().any(opens))
}

/// A number in the program where its failure begins: often the size of an array, with up to five items to spare.
pub fn number_at_boundary(row: &RowReport, boundary: Boundary) -> Option<u64> {
    let mut texts = row.source.values().map(|file| String::from_utf8_lossy(&file.bytes).into_owned());
    texts.find_map(|text| {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
        let mut numbers = words.filter_map(|word| word.parse::<u64>().ok());
        numbers.find(|&number| number > 10 && (boundary.passes..boundary.fails + 5).contains(&number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::{
        language::SourceFile,
        package::{HandIn, NoSubmission, Participant},
    };
    use kopek_results::MemoryMistake;
    use kopek_sandbox::Exit;
    use kopek_sentences::Said;

    fn row(language: &str, source: &str, cases: Vec<CaseReport>) -> RowReport {
        let [name, file] = ["ada", "ada"].map(String::from);
        let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
        let participant = Participant { name, file, hand_in: HandIn::default(), submission };
        let source = [("a".into(), SourceFile::new(source.as_bytes()))].into();
        RowReport { language: Some(language.into()), source, cases, ..RowReport::unjudged(&participant) }
    }

    #[expect(clippy::fn_params_excessive_bools, reason = "a value of a field")]
    fn case(verdict: Verdict, full_feedback: bool) -> CaseReport {
        CaseReport {
            group: "sample".into(),
            trial: Some(Trial::ended(verdict, Exit::Code(0))),
            full_feedback,
            ..CaseReport::named("sample/1".into())
        }
    }

    fn wrong(answer: &str, output: &str) -> CaseReport {
        let mut case = case(Verdict::WrongAnswer, true);
        let trial = case.trial.as_mut().unwrap();
        let [answer_lines, output_lines] = [answer, output].map(String::from);
        trial.difference = Some(Difference { answer_lines, output_lines, ..Difference::default() });
        case
    }

    #[test]
    fn outputs_that_hold_the_answer_get_a_hint_and_others_get_none() {
        for (answer, output, part) in [
            ("4\n", "Answer: 4\n", "words beside the answer, such as `Answer:`"),
            ("4\n7\n", "Case #1: 4\nCase #2: 7\n", ""),
            ("1 7\n", "Enter n: 1 7\n", "such as `Enter n:`"),
            ("1 2 3\n", "123\n", "only blanks"),
            ("4\n41\n1\n", "441117\n", "only blanks"),
            ("4\n7\n", "n= 4\nn= 7\n", "such as `n=`:"),
            ("a·b↵\n", "a··b↵\n", "only blanks"),
            ("YES\n", "Yes\n", "only capital letters"),
            ("4\n", "4\ndebug 17\n", "then the output goes on"),
            ("4\n", "", "it prints nothing"),
            ("4\n", "5\n", ""),
            ("4\n", "the answer is 5\n", ""),
            ("1 2\n", "1 17 2\n", ""),
            ("4\n", "Answer: 4…\n", ""),
            ("1100\n", "1100.0\n", "`1100.0` where the answer is an integer"),
            ("139457123\n", "1.39457e+08\n", "has lost digits"),
            ("1100\n", "1100.5\n", ""),
            ("139457123\n", "1.4e+08\n", ""),
            ("1394571.5\n", "1.39457e+06\n", ""),
            ("11.5\n", "11.50\n", ""),
        ] {
            let hint = classic_mistake(&row("c", "", vec![wrong(answer, output)]));
            match part {
                "" => assert_eq!(hint, None, "{output}"),
                part => assert!(
                    hint.as_ref().is_some_and(|hint| hint.to_string().contains(part)),
                    "{output}: {hint:?}"
                ),
            }
        }
    }

    #[test]
    fn a_line_that_fails_on_a_hidden_case_is_for_the_teacher() {
        let what = Said::WritesOutside;
        let mistake = MemoryMistake {
            what,
            place: Some("a.c:2".into()),
            case: "sample/1".into(),
            is_unset_variable: false,
        };
        for (seen, words) in
            [(true, "hint: a.c:2: writes"), (false, "hint: it writes outside an array: compile with -g")]
        {
            let hidden = RowReport {
                memory_mistake: Some(mistake.clone()),
                ..row("c", "", vec![case(Verdict::IdleLimit, seen)])
            };
            let hints = [Audience::Teacher, Audience::Everyone]
                .map(|audience| author_remarks(&hidden, audience).pop().unwrap().said.to_string());
            assert!(
                hints[0] == "hint: a.c:2: writes outside an array" && hints[1].starts_with(words),
                "{hints:?}"
            );
        }
    }

    #[test]
    fn a_line_is_trimmed_where_a_seen_input_has_blanks() {
        let program = "int n = Integer.parseInt(sc.nextLine());";
        for (input, full_feedback, is_told) in
            [("5 \r\n", true, true), ("5 \n", false, false), ("5\r\n1 2\n4 ", true, false)]
        {
            let failed =
                CaseReport { input: Some(input.into()), ..case(Verdict::RunTimeError, full_feedback) };
            let hint = mistake_of_wrong_answer(&row("java", program, vec![failed]));
            assert_eq!(hint.is_some(), is_told, "{input}");
        }
    }

    #[test]
    fn a_number_of_the_program_at_the_boundary_is_named() {
        let number = |source: &str| {
            number_at_boundary(&row("c", source, Vec::new()), Boundary { fails: 1002, passes: 1000 })
        };
        assert_eq!(number("int n; int a[1005];"), Some(1005));
        assert_eq!(number("const int max_1000 = 1001;"), Some(1001));
        assert_eq!(number("int a[1100], b = 1000.5;"), None);
    }

    #[test]
    fn signs_of_a_run_and_of_the_program_get_a_hint() {
        let nested = "def f(n):\n    if n == 0:\n        return 0\n    return 1 + f(n - 1)\nprint(f(9))\n";
        let plain = "def f(n):\n    return g.f(n) + xf(n)\nprint(f(9))\n";
        let mut deep = case(Verdict::RunTimeError, true);
        deep.trial.as_mut().unwrap().stderr = "RecursionError: maximum recursion depth exceeded".into();
        let stopped = |stderr: &str| {
            let mut stopped = case(Verdict::RunTimeError, true);
            stopped.trial.as_mut().unwrap().stderr = stderr.into();
            vec![stopped]
        };
        let ended = |stderr| {
            let mut ended = stopped(stderr);
            ended[0].trial.as_mut().unwrap().notes.push(Said::RightOutput);
            ended
        };
        let crash = |seen| vec![case(Verdict::RunTimeError, seen)];
        for (language, source, cases, part) in [
            ("python3", "", vec![deep], "nested calls"),
            ("python3", nested, crash(false), "it may be this: Python stops"),
            ("python3", plain, crash(false), ""),
            ("python3", &format!("sys.setrecursionlimit(9**9)\n{nested}"), crash(false), ""),
            ("ruby", nested, crash(false), ""),
            ("cpp", "freopen(\"input.txt\", \"r\", stdin);", vec![wrong("4\n", "")], "opens a file"),
            ("cpp", "// freopen(\"input.txt\", \"r\", stdin);", vec![wrong("4\n", "")], "prints nothing"),
            ("python3", "open('sums.in')", crash(true), "opens a file"),
            ("python3", "open('sums.in')", vec![wrong("4\n", "5\n")], ""),
            ("c", "", ended(""), "the output is right, but the exit code is not 0: write `int main`"),
            ("python3", "", ended("EOFError"), "remove the last `input()`"),
            (
                "python3",
                "",
                stopped("ValueError: invalid literal for int() with base 10: '1 -2'"),
                "split the line first",
            ),
            ("java", "", stopped("NumberFormatException: For input string: \"1 2\""), "split the line first"),
            ("python3", "", stopped("ValueError: invalid literal for int() with base 10: 'one 2'"), ""),
            ("python3", "", stopped("ValueError: invalid literal for int() with base 10: ''"), ""),
            ("c", "", vec![case(Verdict::IdleLimit, true)], "must flush each line"),
            ("c", "", vec![case(Verdict::IdleLimit, false)], ""),
        ] {
            let hint = classic_mistake(&row(language, source, cases));
            match part {
                "" => assert_eq!(hint, None, "{source}"),
                part => assert!(
                    hint.as_ref().is_some_and(|hint| hint.to_string().contains(part)),
                    "{source}: {hint:?}"
                ),
            }
        }
    }
}
