//! Chapter: verify. A package that is broken in one way is reported in one way, with what to do.

mod editing;
mod hard_questions;
mod limits;
mod misuse;
mod numbers;
mod shown_files;
mod time_limits;

use crate::{
    fake_machine::{USUAL_WISHES, fake_machine, verify_package, with_engine},
    scratch::{self, memory_dir},
};
use kopek::{
    generate::{self, GenerationMode, lock},
    package::{Level, Message, Place, Subject, read},
    render::{Page, verified_document},
    results::{Section, Verified},
    verify::Wishes,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// A small package that verifies cleanly: the sum of n numbers.
const WHOLE: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n\
         type: scoring\nlimits: {time_limit: 2.0}\n",
    ),
    ("statement/problem.en.md", "Print the sum.\n"),
    (
        "input_validators/strict.py",
        "import re, sys\nmost = 9\nfor word in sys.argv[1:]:\n    name, value = word.split('=')\n\
         \x20   most = int(value) if name == '--max-n' else most\n\
         text = sys.stdin.buffer.read().decode('latin-1')\n\
         ok = re.fullmatch(r'[1-9]\\n(0|[1-9][0-9]{0,2})( (0|[1-9][0-9]{0,2}))*\\n', text)\n\
         ok = ok and len(text.split()) == int(text.split()[0]) + 1 and int(text.split()[0]) <= most\n\
         sys.exit(42 if ok else 43)\n",
    ),
    ("data/sample/1.in", "2\n3 4\n"),
    ("data/sample/1.ans", "7\n"),
    ("data/secret/test_group.yaml", "max_score: 100\n"),
    ("data/secret/1/test_group.yaml", "max_score: 40\ninput_validator_args: [--max-n=2]\n"),
    ("data/secret/1/a.in", "2\n3 0\n"),
    ("data/secret/1/a.ans", "3\n"),
    ("data/secret/1/b.in", "1\n5\n"),
    ("data/secret/1/b.ans", "5\n"),
    ("data/secret/2/test_group.yaml", "max_score: 60\n"),
    ("data/secret/2/c.in", "3\n3 1 2\n"),
    ("data/secret/2/c.ans", "6\n"),
    ("data/invalid_input/many.in", "3\n1 2\n"),
    ("data/invalid_output/wrong.in", "1\n5\n"),
    ("data/invalid_output/wrong.ans", "5\n"),
    ("data/invalid_output/wrong.out", "6\n"),
    ("data/valid_output/spaces.in", "1\n5\n"),
    ("data/valid_output/spaces.ans", "5\n"),
    ("data/valid_output/spaces.out", "  5"),
    ("submissions/accepted/sum.py", "input()\nprint(sum(map(int, input().split())))\n"),
    ("submissions/wrong_answer/first_two.py", "input()\nprint(sum(list(map(int, input().split()))[:2]))\n"),
    (
        "submissions/submissions.yaml",
        "wrong_answer/first_two.py:\n  score: 40\n  secret/1: {permitted: [AC], score: 40}\n  \
         secret/2: {required: [WA], score: 0}\n",
    ),
];

/// The programs of the package for a machine that runs none: see `fake_machine`.
const FAKES: &[(&str, &str)] = &[
    (
        "input_validators/strict.py",
        "if len(input) < 2: refuse\nif text != lines(input[0], input[1..]): refuse\n\
         if len(input) - 1 != input[0] or len(input) - 1 > option(\"--max-n\", 9): refuse\n\
         if max(input[1..]) > 999 or min(input[1..]) < 0: refuse\naccept\n",
    ),
    ("submissions/accepted/sum.py", FAKE_SUM),
    ("submissions/wrong_answer/first_two.py", FAKE_FIRST_TWO),
];
const FAKE_SUM: &str = "print sum(input[1..])\n";
const FAKE_FIRST_TWO: &str = "print sum(input[1..3])\n";

/// The package with some files replaced, added, or (without text) removed.
fn package(changes: &[(&str, Option<&str>)]) -> TempDir {
    package_of(tempfile::tempdir().unwrap(), &[], changes)
}

/// The same for a fake machine.
fn fake_package(changes: &[(&str, Option<&str>)]) -> TempDir {
    package_of(memory_dir(), FAKES, changes)
}

fn package_of(home: TempDir, programs: &[(&str, &str)], changes: &[(&str, Option<&str>)]) -> TempDir {
    let write = |path: &str, text: &str| {
        let path = home.path().join("sum").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    WHOLE.iter().chain(programs).for_each(|(path, text)| write(path, text));
    for (path, text) in changes {
        match text {
            Some(text) => write(path, text),
            None => fs::remove_file(home.path().join("sum").join(path)).unwrap(),
        }
    }
    home
}

fn kopek(home: &TempDir, args: &[&str]) -> Output {
    kopek_with(&scratch::store(), home, args)
}

fn kopek_with(store: &Path, home: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.arg("verify").arg(home.path().join("sum")).args(args).arg("--store").arg(store);
    command.output().unwrap()
}

/// Verifies the package in this directory on a fake machine.
fn verified_fake(home: &TempDir, wishes: Wishes) -> Verified {
    verify_package(&home.path().join("sum"), &fake_machine(home.path()), wishes)
}

/// What people see of the fake package, on 80 columns; all spaces alike.
fn fake_text(changes: &[(&str, Option<&str>)], wishes: Wishes) -> String {
    let text = verified_document(&verified_fake(&fake_package(changes), wishes)).to_text(Page::default());
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    text
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Exit code of `kopek verify`, and the remarks as `level at: what → what to do`.
fn code_and_remarks(verified: &Verified) -> (i32, Vec<String>) {
    let remarks = verified.remarks.iter().map(|remark| {
        let Message { level, what, todo, .. } = &remark.finding;
        let place = remark.finding.place();
        let place = place.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{level} {place}: {what} → {}", todo.as_deref().unwrap_or_default())
    });
    let faults = verified.faults.iter().map(|fault| format!("fault {fault}"));
    let code = match verified.remarks.iter().any(|remark| remark.finding.level == Level::Error) {
        true => 1,
        false if verified.faults.is_empty() => 0,
        false => 3,
    };
    (code, remarks.chain(faults).collect())
}

/// Exit code and remarks of the fake package.
fn verify_with(changes: &[(&str, Option<&str>)]) -> (i32, Vec<String>) {
    code_and_remarks(&verified_fake(&fake_package(changes), USUAL_WISHES))
}

/// Exit code and remarks of the real package, as the command prints them.
fn verify_really(changes: &[(&str, Option<&str>)]) -> (i32, Vec<String>) {
    let home = package(changes);
    let output = kopek(&home, &["--format", "json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let all: serde_json::Value = serde_json::from_str(&text)
        .unwrap_or_else(|e| panic!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr)));
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("").to_owned();
    let remarks = all[0]["remarks"].as_array().unwrap().iter().map(|remark| {
        let level = word(&remark["level"]);
        format!("{level} {}: {} → {}", word(&remark["at"]), word(&remark["what"]), word(&remark["todo"]))
    });
    let faults = all[0]["faults"].as_array().unwrap().iter().map(|fault| format!("fault {}", word(fault)));
    (output.status.code().unwrap(), remarks.chain(faults).collect())
}

#[track_caller]
fn reports_only(changes: &[(&str, Option<&str>)], code: i32, expected: &str) {
    assert_eq!(verify_with(changes), (code, vec![expected.to_owned()]));
}

#[test]
fn a_package_that_keeps_its_claims_is_sound() {
    assert_eq!(verify_really(&[]), (0, vec![]));
    assert_eq!(verify_with(&[]), (0, vec![]));
    let home = package(&[]);
    let output = kopek(&home, &[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in [
        "4 inputs accepted by `strict`",
        "1 invalid input refused",
        "12 of 12 kinds of junk rejected",
        "5 answers accepted by the output validator",
        "1 invalid output rejected by it",
        "2 submissions judged on 4 cases",
        "verdict      sound",
    ] {
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(&part), "{part}:\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn submissions_are_looked_at_though_the_test_set_cannot_be_made() {
    let recipe =
        "solution: /submissions/accepted/sum.py\ndata: {secret: {data: {'3': {data: {d: gen.py}}}}}\n";
    let (code, remarks) = verify_with(&[
        ("generators/generators.yaml", Some(recipe)),
        ("generators/gen.py", Some("exit 1\n")),
        ("submissions/accepted/broken.py", Some("print(\n")),
        ("submissions/accepted/zero.py", Some("print(0)\n")),
        ("submissions/wrong_answer/right.py", Some(FAKE_SUM)),
    ]);
    let has = |part: &str| remarks.iter().any(|remark| remark.contains(part));
    assert_eq!(code, 1, "{remarks:?}");
    assert!(has("generators.yaml") && has("secret/3/d"), "{remarks:?}");
    assert!(has("error submissions/accepted/broken.py: does not compile"), "{remarks:?}");
    assert!(has("`accepted/zero.py` may only be AC, but is WA on sample/1"), "{remarks:?}");
    assert!(!has("right.py"), "it may still fail on what is missing: {remarks:?}");
}

#[test]
fn an_input_outside_the_bounds_of_its_group_is_reported() {
    let (input, answer) = (("data/secret/1/b.in", Some("3\n5 0 0\n")), ("data/secret/1/b.ans", Some("5\n")));
    reports_only(
        &[input, answer],
        1,
        "error data/secret/1/b.in: input validator `strict --max-n=2` rejects it: exited with 43 → fix the input, the validator or the arguments of its group",
    );
}

#[test]
fn one_cause_on_many_cases_is_one_remark() {
    let stubborn = "exit 0\n";
    let (code, remarks) = verify_with(&[("input_validators/strict.py", Some(stubborn))]);
    let errors: Vec<&String> = remarks.iter().filter(|one| one.starts_with("error")).collect();
    assert_eq!((code, errors.len()), (1, 2), "{remarks:?}");
    assert!(remarks.iter().all(|one| !one.contains("reaches the bound")), "a consequence: {remarks:?}");
    assert!(errors[0].contains("exited with 0 instead of 42 (accepted) or 43 (refused)"), "{errors:?}");
    let text = fake_text(&[("input_validators/strict.py", Some(stubborn))], USUAL_WISHES);
    assert!(text.contains("more case"), "{text}");
}

#[test]
fn an_invalid_input_that_is_accepted_is_reported() {
    reports_only(
        &[("data/invalid_input/many.in", Some("2\n1 2\n"))],
        1,
        "error data/invalid_input/many.in: every input validator accepts it, but it must be rejected → make a validator reject it, or move it out of invalid_input/",
    );
}

#[test]
fn junk_that_is_accepted_is_reported_and_breaks_nothing() {
    let lenient = "if len(words(text)) != len(input) or len(input) < 1: refuse\n\
                   if input[0] != len(input) - 1 or input[0] > option(\"--max-n\", 9): refuse\n\
                   if max(input) > 999: refuse\naccept\n";
    let (code, remarks) = verify_with(&[("input_validators/strict.py", Some(lenient))]);
    let kinds =
        ["no newline at its end", "a trailing space", "an extra blank line at its end", "CRLF line ends"];
    let kinds =
        kinds.into_iter().chain(["a leading zero in its first number", "a leading zero in its last number"]);
    let expected = kinds.map(|kind| {
        format!(
            "warning input_validators: every input validator accepts data/sample/1.in with {kind} → make a validator check the input to the byte, unless such inputs are valid"
        )
    });
    assert_eq!((code, remarks), (0, expected.collect()));
}

#[test]
fn an_invalid_output_that_is_accepted_is_reported() {
    reports_only(
        &[("data/invalid_output/wrong.out", Some("5\n"))],
        1,
        "error data/invalid_output/wrong.out: the output validator accepts it, but it must be rejected → \
         make the output validator reject it, or move it out of invalid_output/",
    );
}

#[test]
fn a_valid_output_that_is_refused_is_reported() {
    reports_only(
        &[("data/valid_output/spaces.out", Some("4\n"))],
        1,
        "error data/valid_output/spaces.out: the output validator rejects it: line 1: expected `5`, found \
         `4` → fix it, the output validator or its arguments",
    );
}

#[test]
fn a_shown_sample_output_must_be_accepted() {
    reports_only(
        &[("data/sample/1.out", Some("8\n"))],
        1,
        "error data/sample/1.out: the output validator rejects it: line 1: expected `7`, found `8` → fix it, the output validator or its arguments",
    );
}

#[test]
fn a_custom_validator_that_refuses_an_answer_is_reported() {
    let odd = "if words(text) == words(\"3\"): write \"feedback/judgemessage.txt\", \"no threes\"\n\
               if words(text) == words(\"3\"): refuse\n\
               if words(text) != words(file(args[1])): refuse\naccept\n";
    let (code, remarks) = verify_with(&[("output_validator/check.py", Some(odd))]);
    let expected = "error data/secret/1/a.ans: the output validator rejects it: no threes → fix it, the output validator or its arguments";
    assert_eq!((code, remarks[0].as_str()), (1, expected));
}

#[test]
fn a_wrong_submission_among_the_accepted_is_reported_with_the_case() {
    reports_only(
        &[("submissions/accepted/one.py", Some("print input[1]\n"))],
        1,
        "error submissions/accepted/one.py: `accepted/one.py` may only be AC, but is WA on sample/1 (line 1: expected \
         `7`, found `3`) and so on 1 more case (as its directory claims) → fix the submission or \
         the data, or claim its behaviour in submissions/submissions.yaml",
    );
}

#[test]
fn a_claim_about_a_group_names_its_line() {
    let yaml = "wrong_answer/first_two.py:\n  secret/1:\n    required: [WA]\n";
    reports_only(
        &[("submissions/submissions.yaml", Some(yaml))],
        1,
        "error submissions/submissions.yaml:2: `wrong_answer/first_two.py` must be WA on some case in secret/1, \
         but is AC on 2 → add a case on which it fails like that, or change the claim",
    );
}

#[test]
fn a_score_that_is_not_claimed_is_reported() {
    let yaml = "wrong_answer/first_two.py:\n  score: [50, 60]\n";
    reports_only(
        &[("submissions/submissions.yaml", Some(yaml))],
        1,
        "error submissions/submissions.yaml:1: `wrong_answer/first_two.py` must score 50 to 60, but scores 40 → \
         fix the submission or the data, or change the claim",
    );
}

#[test]
fn a_message_that_nobody_says_is_reported() {
    let yaml = "wrong_answer/first_two.py:\n  message: too small\n";
    reports_only(
        &[("submissions/submissions.yaml", Some(yaml))],
        1,
        "error submissions/submissions.yaml:1: `wrong_answer/first_two.py` must make the output validator say \
         `too small`, but it never does → fix the submission, the data or the message, or change the claim",
    );
}

#[test]
fn a_pattern_that_matches_no_case_is_reported() {
    let yaml = "wrong_answer/first_two.py:\n  secret/3: {permitted: [AC, WA]}\n";
    reports_only(
        &[("submissions/submissions.yaml", Some(yaml))],
        0,
        "warning submissions/submissions.yaml:2: `secret/3` matches no group and no case → patterns are relative \
         to data/, as in `secret/1`",
    );
}

#[test]
fn tags_in_sources_are_claims_too() {
    let tagged = "# @EXPECTED_RESULTS@: TIMELIMIT\n# @EXPECTED_SCORE@: 41\n# @EXPECTED_GRADES@ AC AC\n\
                  print sum(input[1..3])\n";
    let (code, remarks) = verify_with(&[("submissions/wrong_answer/first_two.py", Some(tagged))]);
    let line = |line, what: &str| {
        format!(
            "error submissions/wrong_answer/first_two.py:{line}: {what} → fix the submission or the data, or \
             change the tag"
        )
    };
    let expected = vec![
        line(1, "`@EXPECTED_RESULTS@` says TIMELIMIT, but it is WA"),
        line(2, "`@EXPECTED_SCORE@` says 41, but it scores 40"),
        line(3, "`@EXPECTED_GRADES@` says AC for secret/2, but it is WA"),
    ];
    assert_eq!((code, remarks), (1, expected));
}

#[test]
fn a_submission_that_does_not_compile_is_reported_once() {
    let (code, remarks) = verify_really(&[("submissions/accepted/broken.c", Some("int main( {}\n"))]);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
    let start = "error submissions/accepted/broken.c:1:11: does not compile: ";
    assert!(remarks[0].starts_with(start), "{remarks:?}");
}

#[test]
fn a_submission_of_which_nothing_is_claimed_need_not_compile() {
    let broken = ("submissions/mixed/broken.c", Some("int main( {}\n"));
    let (code, remarks) = verify_with(&[broken]);
    assert_eq!((code, remarks.len()), (0, 2), "{remarks:?}");
    assert!(remarks[0].starts_with("warning submissions/mixed: makes no claim "), "{remarks:?}");
    assert!(remarks[1].starts_with("warning submissions/mixed/broken.c: does not compile: "), "{remarks:?}");
    let claims = ("submissions/submissions.yaml", Some("mixed/*: {permitted: [AC, WA]}\n"));
    let (code, remarks) = verify_with(&[broken, claims, ("submissions/wrong_answer/first_two.py", None)]);
    assert!(code == 1 && remarks[0].starts_with("error submissions/mixed/broken.c: "), "{remarks:?}");
    // Importers write this where nothing is claimed.
    let all = ("submissions/submissions.yaml", Some("mixed/*: {permitted: [AC, WA, TLE, RTE]}\n"));
    let (code, remarks) = verify_with(&[broken, all, ("submissions/wrong_answer/first_two.py", None)]);
    assert_eq!((code, remarks.len()), (0, 1), "{remarks:?}");
    let tagged = ("submissions/mixed/broken.c", Some("// @EXPECTED_RESULTS@: CORRECT\nint main( {}\n"));
    assert_eq!(verify_with(&[tagged]).0, 1);
}

#[test]
fn an_example_in_a_language_that_nobody_knows_is_not_judged_and_the_rest_is() {
    reports_only(
        &[("submissions/accepted/sum.zig", Some("pub fn main() void {}\n"))],
        0,
        "warning submissions/accepted/sum.zig: not judged: no known language: sum.zig has no ending of \
         the table (see `kopek languages`) → write it in a language of `kopek languages`, or remove it",
    );
    let tagged = "// @EXPECTED_RESULTS@: COMPILER-ERROR\n";
    assert_eq!(verify_with(&[("submissions/accepted/sum.zig", Some(tagged))]), (0, vec![]));
}

#[test]
fn an_example_that_asks_for_another_interpreter_is_not_judged_where_it_does_not_compile() {
    reports_only(
        &[("submissions/accepted/old.py", Some("#!/usr/bin/env python2\nprint(\n"))],
        0,
        "warning submissions/accepted/old.py: not judged: the first line of old.py asks for `python2`; change \
         that line if it is a program in Python 3 → write it in a language of `kopek languages`, or remove it",
    );
    let (code, remarks) =
        verify_with(&[("submissions/accepted/new.py", Some("#!/usr/bin/env python3\nprint(\n"))]);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
}

#[test]
fn without_secret_cases_the_samples_are_judged_by() {
    let secret = [
        "1/test_group.yaml",
        "1/a.in",
        "1/a.ans",
        "1/b.in",
        "1/b.ans",
        "2/test_group.yaml",
        "2/c.in",
        "2/c.ans",
    ];
    let secret: Vec<String> = secret.iter().map(|name| format!("data/secret/{name}")).collect();
    let mut changes: Vec<(&str, Option<&str>)> = secret.iter().map(|path| (path.as_str(), None)).collect();
    changes.push(("submissions/submissions.yaml", None));
    changes.push(("submissions/wrong_answer/first_two.py", None));
    changes.push(("submissions/accepted/five.py", Some("print(5)\n")));
    let (code, remarks) = verify_with(&changes);
    let starts = |start: &str| remarks.iter().any(|remark| remark.starts_with(start));
    assert_eq!(code, 1);
    assert!(starts("error data/secret: no cases, so only the samples are judged"), "{remarks:?}");
    assert!(
        starts(
            "error submissions/accepted/five.py: `accepted/five.py` may only be AC, but is WA on sample/1"
        ),
        "{remarks:?}"
    );
}

#[test]
fn cases_in_a_directory_beside_groups_are_judged() {
    let (code, remarks) = verify_with(&[
        (
            "problem.yaml",
            Some(
                "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n\
                               limits: {time_limit: 2.0}\n",
            ),
        ),
        ("data/secret/test_group.yaml", None),
        ("data/secret/1/test_group.yaml", Some("input_validator_args: [--max-n=2]\n")),
        ("data/secret/2/test_group.yaml", None),
        ("submissions/submissions.yaml", None),
        ("submissions/wrong_answer/first_two.py", None),
        ("submissions/accepted/first_two.py", Some(FAKE_FIRST_TWO)),
    ]);
    assert_eq!((code, remarks.len()), (1, 2), "{remarks:?}");
    assert!(
        remarks[0].starts_with("warning data/secret/2: a directory without test_group.yaml"),
        "{remarks:?}"
    );
    assert!(remarks[1].contains("may only be AC, but is WA on secret/2/c"), "{remarks:?}");
}

#[test]
fn a_case_that_is_there_twice_is_reported() {
    let twin = [("data/secret/2/d.in", Some("3\n3 1 2\n")), ("data/secret/2/d.ans", Some("6\n"))];
    reports_only(&twin, 0, "warning data/secret/2/c.in: is the same case as secret/2/d → keep one of them");
}

#[test]
fn a_case_that_a_later_group_contains_is_noted() {
    let twin = [("data/secret/2/d.in", Some("1\n5\n")), ("data/secret/2/d.ans", Some("5\n"))];
    reports_only(
        &twin,
        0,
        "note data/secret/1: 1 of 2 cases is also in secret/2 → make other cases there, unless the later group is meant to include it",
    );
}

/// Two groups made by a recipe, the second of which includes the first.
const INCLUDING: &str = "solution: /submissions/accepted/sum.py
data:
  sample: {data: {one: {in: \"2\\n3 4\\n\"}}}
  secret:
    test_group.yaml: {max_score: 100}
    data:
      '1':
        test_group.yaml: {max_score: 40, input_validator_args: [--max-n=2]}
        data: {a: {in: \"2\\n3 0\\n\"}, b: {in: \"1\\n5\\n\"}}
      '2':
        test_group.yaml: {max_score: 60}
        include: ['1']
        data: {c: {in: \"3\\n3 1 2\\n\"}}
";

/// The package as a recipe makes it, its invalid data left out.
fn made_by_recipe(recipe: &str) -> Vec<(&'static str, Option<&str>)> {
    let data = WHOLE.iter().map(|(path, _)| *path).filter(|path| path.starts_with("data/"));
    data.map(|path| (path, None)).chain([("generators/generators.yaml", Some(recipe))]).collect()
}

/// The package of two groups made by a recipe, for a fake machine.
pub fn fake_groups() -> (TempDir, PathBuf) {
    let home = fake_package(&made_by_recipe(INCLUDING));
    let dir = home.path().join("sum");
    (home, dir)
}

#[test]
fn a_case_that_the_recipe_includes_in_a_later_group_is_not_noted() {
    assert_eq!(verify_with(&made_by_recipe(INCLUDING)), (0, vec![]));
}

#[test]
fn files_that_differ_from_a_lock_are_one_remark_until_git_tracks_it() {
    let home = fake_package(&made_by_recipe(INCLUDING));
    let path = |name: &str| home.path().join("sum").join(name);
    let remarks = || {
        let findings = verified_fake(&home, USUAL_WISHES).remarks.into_iter().map(|remark| remark.finding);
        let lock = Subject::Place(Place::new("generators/lock.toml", None));
        findings.filter(|finding| finding.about == lock).map(|finding| finding.what).collect::<Vec<_>>()
    };
    let machine = fake_machine(home.path());
    let made = with_engine(&machine, |engine| {
        let package = read(&path("")).unwrap().package.unwrap();
        generate::generate(&package, &engine, GenerationMode::Stale, &mut |_| ()).unwrap()
    });
    lock::write(&path(""), &made.files).unwrap();
    drop(machine);
    let changed = INCLUDING.replace("1\\n5", "1\\n6").replace("{c: ", "{d: ");
    fs::write(path("generators/generators.yaml"), changed).unwrap();
    // b in both groups, d instead of c; each has an answer.
    assert_eq!(remarks(), ["data and lock differ: 8 files"]);
    fs::create_dir(path(".git")).unwrap();
    fs::write(path(".git/index"), "DIRC generators/lock.toml\0").unwrap();
    assert_eq!(
        remarks(),
        [
            "differs from the generated data/secret/1/b.ans, data/secret/1/b.in, data/secret/2/b.ans and 1 \
             more",
            "does not name data/secret/2/d.ans, data/secret/2/d.in",
            "names files that were not made: data/secret/2/c.ans, data/secret/2/c.in",
        ]
    );
}

#[test]
fn a_package_without_samples_is_reported() {
    reports_only(
        &[("data/sample/1.in", None), ("data/sample/1.ans", None)],
        0,
        "warning data/sample: there are no samples → add a case that contestants see",
    );
}

#[test]
fn points_in_a_table_of_the_statement_are_compared() {
    let text = "Print the sum.\n\n| Group | Points |\n|-|-|\n| 1 | 40 |\n| 2 | 50 |\n";
    reports_only(
        &[("statement/problem.en.md", Some(text))],
        0,
        "warning statement/problem.en.md:6: says 50 points for secret/2, which is worth 60 → fix the statement, or the points of the group",
    );
}

#[test]
fn windows_line_ends_in_an_input_that_is_refused_are_named() {
    let (code, remarks) = verify_with(&[("data/secret/2/c.in", Some("3\r\n3 1 2\r\n"))]);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
    assert!(
        remarks[0].starts_with(
            "error data/secret/2/c.in: input validator `strict` rejects it: exited with 43; byte 2 is \\r (Windows line end)"
        ),
        "{remarks:?}"
    );
}

#[test]
fn a_bound_that_no_case_reaches_is_reported() {
    let yaml = "max_score: 60\ninput_validator_args: [--max-n=4]\n";
    reports_only(
        &[("data/secret/2/test_group.yaml", Some(yaml))],
        0,
        "warning data/secret/2: no case of secret/2 reaches the bound `--max-n=4` → add a case that does, or \
         tighten the bound",
    );
}

#[test]
fn findings_of_the_reader_are_reported_with_their_line() {
    let yaml = format!("{}nmae: Sum\n", WHOLE[0].1);
    let (code, remarks) = verify_with(&[("problem.yaml", Some(&yaml))]);
    assert_eq!(code, 1);
    assert!(remarks[0].starts_with("error problem.yaml:6: unknown key `nmae`"), "{remarks:?}");
}

#[test]
fn strength_shows_who_is_killed_by_whom() {
    let text = fake_text(&[], Wishes { strength: true, ..USUAL_WISHES });
    assert!(text.contains("1 wrong submission on 4 cases"), "{text}");
    assert!(text.contains("NO SUBMISSION FAILS IN sample, secret/1"), "{text}");
    let row = |name: &str| text.lines().rfind(|line| line.trim_start().starts_with(name)).unwrap_or_default();
    assert_eq!(
        row("wrong_answer/first_two.py").split_whitespace().collect::<Vec<_>>()[1..],
        ["1", "2/c"],
        "{text}"
    );
    let alone = row("secret/2/c").split_whitespace().collect::<Vec<_>>();
    assert_eq!(alone[1..], ["1", "wrong_answer/first_two.py"], "{text}");
}

/// A small legacy package: two groups, half of the points each.
const LEGACY: &[(&str, &str)] = &[
    ("problem.yaml", "name: Sum\ntype: scoring\nlicense: cc by-sa\nrights_owner: nobody\n"),
    (".timelimit", "1\n"),
    ("problem_statement/problem.en.tex", "Print the sum.\n"),
    ("input_validators/any.py", "accept\n"),
    ("data/secret/testdata.yaml", "range: 0 2\n"),
    ("data/secret/1/testdata.yaml", "range: 0 1\ngrader_flags: min\n"),
    ("data/secret/2/testdata.yaml", "range: 0 1\ngrader_flags: min\n"),
    ("data/secret/1/a.in", "3 4\n"),
    ("data/secret/1/a.ans", "7\n"),
    ("data/secret/2/b.in", "1 1 1\n"),
    ("data/secret/2/b.ans", "3\n"),
    ("submissions/accepted/sum.py", "print sum(input)\n"),
];

fn legacy(directory: &str, source: &str) -> (i32, Vec<String>) {
    let home = memory_dir();
    let submission = format!("submissions/{directory}/x.py");
    for (path, text) in LEGACY.iter().copied().chain([(submission.as_str(), source)]) {
        let path = home.path().join("sum").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut verified = verified_fake(&home, USUAL_WISHES);
    verified.remarks.retain(|remark| remark.section == Section::Submissions);
    let (code, _) = code_and_remarks(&verified);
    let findings = verified.remarks.iter().map(|remark| &remark.finding);
    (code, findings.map(|finding| format!("{} {}", finding.level, finding.what)).collect())
}

#[test]
fn legacy_directories_are_claims() {
    let wrong = "print input[0] + input[1] + 5\n";
    assert_eq!(legacy("wrong_answer", wrong), (0, vec![]));
    let (code, remarks) = legacy("run_time_error", wrong);
    assert_eq!(code, 1);
    let expected =
        "error `run_time_error/x.py` must be RTE on some case, but is WA on 2 (as its directory claims)";
    assert_eq!(remarks, [expected]);
}

#[test]
fn in_legacy_packages_the_final_verdict_excuses_the_rest() {
    let crash = "if len(input) != 2: exit 1\nprint 9\n";
    let (code, remarks) = legacy("wrong_answer", crash);
    assert_eq!((code, remarks.len()), (0, 1), "{remarks:?}");
    let start = "warning `wrong_answer/x.py` may only be AC or WA, but is RTE on secret/2/b";
    assert!(remarks[0].starts_with(start), "{remarks:?}");
}

#[test]
fn partially_accepted_means_less_than_the_best_score() {
    let right = "print sum(input)\n";
    let (code, remarks) = legacy("partially_accepted", right);
    let expected = "error `partially_accepted/x.py` must not have the maximum score, but scores 2 (as its directory claims)";
    assert_eq!((code, remarks), (1, vec![expected.to_owned()]));
}

#[test]
fn a_request_that_cannot_be_done_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let output = kopek(&home, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("read package"));
    fs::write(home.path().join("sum"), "PK").unwrap();
    let output = kopek(&home, &[]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("sum: not a directory; unpack the package, or name its directory"), "{message}");
}

/// A fake Checktestdata: accepts inputs that begin with 2, and prints its arguments.
const CHECKTESTDATA: &str = "#!/bin/sh
[ \"$1\" != --version ] || { echo checktestdata 1; exit 0; }
echo \"$@\" >&2
for description; do :; done
grep -q NEWLINE \"$description\" || exit 2
read first
[ \"$first\" = 2 ]
";

#[test]
fn a_description_of_inputs_is_asked_where_checktestdata_is_installed() {
    let home = package(&[("input_validators/sum.ctd", Some("INT(1,9) NEWLINE\n"))]);
    for program in ["checktestdata", "pyctd"] {
        // Programs cannot see the temporary directory.
        let bin = scratch::path(&format!("{program}/bin"));
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join(program), CHECKTESTDATA).unwrap();
        fs::set_permissions(bin.join(program), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
        command
            .arg("verify")
            .arg(home.path().join("sum"))
            .args(["--format", "json", "--store"])
            .arg(scratch::store());
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        let text = String::from_utf8(command.env("PATH", path).output().unwrap().stdout).unwrap();
        let refused = "input validator `sum --max-n=2` rejects it: exited with 43: --max-n=2 /exe/main.ctd";
        assert!(text.contains(refused) && text.contains("data/secret/1/b.in"), "{program}: {text}");
        assert!(!text.contains("SKIPPED"), "{program}: {text}");
    }
}

#[test]
fn visualizers_draw_for_whoever_asks() {
    let draw = "import sys\nopen('bar.svg', 'w').write('<svg>' + open(sys.argv[1]).read() + '</svg>')\n";
    let paint =
        "import sys\nopen(sys.argv[3] + 'teamimage.svg', 'w').write('<svg>' + sys.stdin.read() + '</svg>')\n";
    let drawn = [("input_visualizer/draw.py", Some(draw)), ("output_visualizer/paint.py", Some(paint))];
    let home = package(&drawn);
    let pictures = home.path().join("pictures");
    let output = kopek(&home, &["--pictures", pictures.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let picture = |name: &str| image_in(&pictures.join("sum").join(name));
    assert_eq!(picture("secret/1/a.svg"), "<svg>2\n3 0\n</svg>");
    assert_eq!(picture("secret/2/c.teamimage.svg"), "<svg>6\n</svg>");
    let (sum, class) = (home.path().join("sum"), home.path().join("sum/submissions/accepted"));
    let drawn = home.path().join("drawn");
    let mut run = Command::new(env!("CARGO_BIN_EXE_kopek"));
    run.arg("run").args([&sum, &class]).args(["--only", "sum", "--pictures"]).arg(&drawn);
    assert!(run.arg("--store").arg(scratch::store()).output().unwrap().status.success());
    assert_eq!(image_in(&drawn.join("secret/2/c.teamimage.svg")), "<svg>6\n</svg>");
}

/// The only image of an SVG. Nothing of it runs when a browser opens the file.
fn image_in(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let svg = roxmltree::Document::parse(&text).unwrap();
    let names: Vec<&str> =
        svg.descendants().filter(|node| node.is_element()).map(|node| node.tag_name().name()).collect();
    assert_eq!(names, ["svg", "image"], "{text}");
    let image = svg.descendants().find_map(|node| node.attribute("href")).unwrap();
    let bytes = image.strip_prefix("data:image/svg+xml;base64,").unwrap();
    String::from_utf8(base64::Engine::decode(&base64::prelude::BASE64_STANDARD, bytes).unwrap()).unwrap()
}

#[test]
fn mistakes_of_visualizers_are_reported() {
    let draw = "write \"bar.svg\", \"<svg>\" + file(args[0]) + \"</svg>\"\n";
    let paint = "write \"feedback/teamimage.svg\", \"<svg>\" + text + \"</svg>\"\n";
    let drawn = [("input_visualizer/draw.py", Some(draw)), ("output_visualizer/paint.py", Some(paint))];
    assert_eq!(verify_with(&drawn), (0, vec![]));
    let broken = |program: &str, text: &str, part: &str| {
        let (code, remarks) = verify_with(&[&drawn[..], &[(program, Some(text))]].concat());
        assert_eq!(code, 1, "{remarks:?}");
        assert!(remarks.iter().any(|remark| remark.contains(part)), "{remarks:?}");
    };
    broken("input_visualizer/draw.py", "say \"oh dear\"\nexit 1\n", "exited with 1 and drew nothing: ");
    broken(
        "input_visualizer/draw.py",
        "write \"a.png\", \"<svg/>\"\n",
        "wrote a.png, which is not a PNG file",
    );
    broken("input_visualizer/draw.py", "exit 0\n", "wrote no png, jpg, jpeg or svg");
    let other = "write \"feedback/score.txt\", 1\n";
    broken(
        "output_visualizer/paint.py",
        other,
        "wrote score.txt; it may only write judgeimage and teamimage",
    );
    let (code, remarks) = verify_with(&[("output_visualizer/paint.c", Some("int main(void) { return\n"))]);
    assert!(code == 1 && remarks.iter().any(|one| one.contains("does not compile")), "{remarks:?}");
}
