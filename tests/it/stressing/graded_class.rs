//! `kopek grade --counterexamples` with real programs; each input is checked by brute force.

use super::{RECIPE, RIGHT, command, kopek, package, report, text_of, write_file};
use crate::scratch;
use kopek::{
    start::create,
    start_template::{PackageTemplate, TemplateKind},
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The maximum sum of neighbours, by trying all.
fn answer(input: &str) -> i64 {
    let numbers: Vec<i64> = input.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let (count, values) = numbers.split_first().unwrap();
    assert_eq!(*count, values.len() as i64, "{input}");
    let parts = (0..values.len()).flat_map(|from| (from..values.len()).map(move |to| from..=to));
    parts.map(|part| values[part].iter().sum()).max().unwrap()
}

fn names_of(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(text_of).collect()
}

#[test]
fn without_enough_right_programs_nothing_is_hunted_and_the_report_says_why() {
    let (home, dir) = package();
    let class = home.path().join("class");
    write_file(&class.join("right/sums.c"), RIGHT);
    write_file(&class.join("wrong/sums.c"), "int main(void) { return 0; }\n");
    fs::remove_dir_all(dir.join("input_validators")).unwrap();
    let args = ["grade", dir.to_str().unwrap(), class.to_str().unwrap(), "--counterexamples"];
    let output = kopek(&scratch::store(), &args);
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&said).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(output.status.success(), "{text}");
    assert!(text.contains("expected outputs need 5 different programs with all points"), "{text}");
}

/// A package of `testdata/courses/largest`, whose tests have neither validator nor solution.
fn largest(home: &Path) -> (PathBuf, PathBuf) {
    let course = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/courses/largest");
    let dir = home.join("largest");
    let tests = course.join("tests");
    let args = ["import", tests.to_str().unwrap(), dir.to_str().unwrap(), "--time-limit", "1"];
    assert!(kopek(&scratch::store(), &args).status.success());
    (dir, course.join("hand-ins"))
}

#[test]
fn a_folder_of_tests_is_enough_for_reasons() {
    let home = tempfile::tempdir().unwrap();
    let (dir, class) = largest(home.path());
    let (dir, class) = (dir.to_str().unwrap(), class.to_str().unwrap());
    let output = kopek(&scratch::store(), &["grade", dir, class, "--counterexamples", "--format", "json"]);
    let found = report(&output)["counterexamples"].take();
    assert_eq!((&found["failing"], &found["explained"]), (&1.into(), &1.into()), "{found}");
    assert_eq!(found["valid_by"]["form"]["description"], "three integers, −5 to 10");
    let largest_of = |text: &Value| {
        text_of(&text["text"]).split_whitespace().map(|word| word.parse::<i64>().unwrap()).max().unwrap()
    };
    let shown = |list: &str| found[list].as_array().unwrap().clone();
    for one in [shown("inputs"), shown("missed")].concat() {
        assert_eq!(largest_of(&one["input"]), largest_of(&one["expected"]), "{one}");
    }
    let missed = shown("missed");
    let names = |one: &Value| names_of(&one["failures"][0]["programs"][0]["participants"]).join(" ");
    assert_eq!(missed.iter().map(names).collect::<Vec<_>>(), ["fermat"], "it is wrong if two are largest");
}

#[test]
fn a_small_class_in_which_nobody_fails_shows_what_the_tests_miss() {
    let home = tempfile::tempdir().unwrap();
    let (dir, whole) = largest(home.path());
    let class = home.path().join("class");
    fs::create_dir(&class).unwrap();
    for name in ["ada", "boole", "curie", "dirac", "euler", "fermat"] {
        let file = format!("{name}.py");
        fs::copy(whole.join(&file), class.join(file)).unwrap();
    }
    let (dir, class) = (dir.to_str().unwrap(), class.to_str().unwrap());
    let output = kopek(&scratch::store(), &["grade", dir, class, "--counterexamples", "--format", "json"]);
    let found = report(&output)["counterexamples"].take();
    assert_eq!(found["failing"], 0, "{found}");
    let [missed] = &found["missed"].as_array().unwrap()[..] else { panic!("{found}") };
    let [failure] = &missed["failures"].as_array().unwrap()[..] else { panic!("{missed}") };
    assert_eq!(names_of(&failure["programs"][0]["participants"]), ["fermat"], "five others agree");
}

#[test]
fn a_program_with_some_of_the_points_is_not_among_the_right_ones() {
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| write_file(&home.path().join(name), text);
    file("sum/problem.yaml", "name: Sum\ntype: scoring\nlimits: {time_limit: 1}\n");
    let all = "on_reject: continue\nrange: 0 100\ngrader_flags: ignore_sample\n";
    file("sum/data/testdata.yaml", all);
    let some = "on_reject: continue\nrange: 0 100\ngrader_flags: first_error accept_if_any_accepted\n";
    file("sum/data/secret/testdata.yaml", some);
    for (group, cases) in [("1", [(1, 2), (40, 3), (7, 7)]), ("2", [(500, 2), (7, 900), (300, 300)])] {
        let rules = "on_reject: break\naccept_score: 50\nrange: 0 50\ngrader_flags: min\n";
        file(&format!("sum/data/secret/{group}/testdata.yaml"), rules);
        for (at, (a, b)) in cases.into_iter().enumerate() {
            file(&format!("sum/data/secret/{group}/{at}.in"), &format!("{a} {b}\n"));
            file(&format!("sum/data/secret/{group}/{at}.ans"), &format!("{}\n", a + b));
        }
    }
    let right = "a, b = map(int, input().split())\nprint(a + b)\n";
    file("sum/submissions/accepted/one.py", right);
    file("sum/submissions/accepted/other.py", "print(sum(map(int, input().split())))\n");
    file("class/half.py", &right.replace("a + b", "a + b if a < 100 and b < 100 else 0"));
    let path = |name: &str| home.path().join(name).display().to_string();
    let args = ["grade", &path("sum"), &path("class"), "--counterexamples", "--format", "json"];
    let all = report(&kopek(&scratch::store(), &args));
    let found = &all["counterexamples"];
    let half = &all["participants"][0];
    assert_eq!((&half["points"], &half["verdict"]), (&50.into(), &"AC".into()), "{half}");
    assert_eq!((&found["failing"], &found["explained"]), (&1.into(), &1.into()), "{found}");
}

#[test]
fn the_form_of_tests_becomes_a_validator_that_accepts_them() {
    let home = tempfile::tempdir().unwrap();
    let (dir, _) = largest(home.path());
    let dir = dir.to_str().unwrap();
    let verified = |wanted: &str| {
        let output = kopek(&scratch::store(), &["verify", dir]);
        let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(wanted), "{text}");
    };
    verified("inputs have the form of the 5 cases: three integers, −5 to 10");
    let args = ["init", "--validator", dir];
    assert!(kopek(&scratch::store(), &args).status.success());
    verified("5 inputs accepted by `form` · 12 of 12 kinds of junk rejected");
    assert_eq!(kopek(&scratch::store(), &args).status.code(), Some(2), "it has a validator");
}

#[test]
fn a_written_validator_rejects_what_no_test_has() {
    let large = format!("3\n1 1 {}\n1 2 5\n2 1 9\n", "7".repeat(40));
    let points =
        ["2\n1 2 9\n2 1 8\n", &large, "4\n1 1 6\n2 2 7\n2 1 90\n1 2 5\n", "4\n2 1 8\n1 1 8\n2 2 8\n1 2 8\n"];
    let grids = ["1 2\n.S\n", "3 3\n.#.\n##.\nS#.\n", "2 2\n.S\n#.\n", "1 4\n.#S#\n", "3 1\n.\nS\n#\n"];
    let grids = [&grids[..], &["4 4\n.###\n##.#\n####\nS..#\n", "2 3\n..S\n#..\n", "1 3\n.S#\n"]].concat();
    let trees = ["5\n1 2 2 4\n", "2\n1\n", "7\n1 1 1 3 5 6\n", "9\n1 2 3 4 5 6 6 1\n", "4\n1 2 1\n"];
    let lengths = ["1 2 3\nabc\n2\n", "7 2\nab\n1\n", "1\nx\n1\n", "1 5 2 2 1\nhello\n5\n"];
    for (cases, wrong) in [
        (
            &points[..],
            [("2\n1 2 9\n1 2 8\n", "a line is there twice"), ("2\n1 2 08\n2 2 9\n", "08 is no integer")],
        ),
        (
            &grids,
            [("1 3\n.SS\n", "too few or too many letters"), ("1 2\nS.\n", "a corner has another letter")],
        ),
        (&trees, [("3\n2 1\n", "a number is above its position"), ("4\n1 2\n", "a line is too short")]),
        (&lengths, [("1 2\nabc\n1\n", "abc has not 2 letters"), ("1 2\nab\n3\n", "3 is not <= 2")]),
    ] {
        let home = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| write_file(&home.path().join(name), text);
        file("form/problem.yaml", "problem_format_version: 2025-09\nname: Form\nlimits: {time_limit: 1}\n");
        let case = |name: String, input: &str| {
            file(&format!("form/data/secret/{name}.in"), input);
            file(&format!("form/data/secret/{name}.ans"), "0\n");
        };
        for (at, input) in cases.iter().enumerate() {
            case(format!("right{at}"), input);
        }
        let dir = home.path().join("form");
        let dir = dir.to_str().unwrap();
        assert!(kopek(&scratch::store(), &["init", "--validator", dir]).status.success());
        for (at, (input, _)) in wrong.iter().enumerate() {
            case(format!("wrong{at}"), input);
        }
        let output = kopek(&scratch::store(), &["verify", dir]);
        let text = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(&format!("{} inputs accepted", cases.len())), "{text}");
        for (_, why) in wrong {
            assert!(text.contains(why), "{why}: {text}");
        }
    }
}

#[test]
fn a_class_gets_small_inputs_that_are_no_cases() {
    let (home, dir) = package();
    write_file(
        &dir.join("generators/generators.yaml"),
        &format!("{RECIPE}      negative: {{in: \"2\\n-5 -3\\n\"}}\n"),
    );
    // It has no compiler, so the others decide.
    write_file(&dir.join("submissions/accepted/other.go"), "package main\nfunc main() {}\n");
    let languages = home.path().join("languages.toml");
    write_file(&languages, "[[language]]\ncode = 'go'\ntools = { go = ['no-such-go'] }\n");
    let starts = RIGHT.replace("scanf(\"%ld\", &n);", "scanf(\"%ld\", &n); AT_START");
    for (name, text) in [
        ("right", RIGHT.to_owned()),
        ("positive", RIGHT.replace("best = -1e9", "best = 0")),
        ("also-positive", RIGHT.replace("best = -1e9", "best = 0 * 1")),
        ("single", RIGHT.replace("(sum > 0 ? sum : 0) + x", "x")),
        ("crash", starts.replace("AT_START", "if (n > 7) __builtin_trap();")),
        ("slow", starts.replace("AT_START", "volatile int busy = n == 30; while (busy);")),
    ] {
        write_file(&home.path().join("class").join(name).join("sums.c"), &text);
    }
    let grade = || {
        let class = home.path().join("class");
        let [dir, class] = [&dir, &class].map(|path| path.to_str().unwrap());
        let mut command =
            command(&scratch::store(), &["grade", dir, class, "--counterexamples", "--format", "json"]);
        report(&command.env("KOPEK_LANGUAGES", &languages).output().unwrap())["counterexamples"].clone()
    };
    let found = grade();
    assert_eq!((&found["failing"], &found["explained"]), (&4.into(), &4.into()), "{found:#}");
    assert_eq!(names_of(&found["accepted_not_run"]), ["accepted/other.go"]);
    assert_eq!(names_of(&found["unexplained"][0]["participants"]), ["slow"]);
    // An input made of a hidden case is for the teacher only.
    let slow = serde_json::json!({"slow": {"growth": null, "example": null}});
    assert_eq!(found["unexplained"][0]["why"], slow);
    let cases = ["3 1 -2 3", "2 1 2", "2 -5 -3"];
    let mut explained = Vec::new();
    for example in found["inputs"].as_array().unwrap() {
        let input = text_of(&example["input"]["text"]);
        let tokens = input.split_whitespace().collect::<Vec<_>>();
        assert!(!cases.contains(&tokens.join(" ").as_str()) && tokens.len() < 10, "{example:#}");
        let expected = answer(input).to_string();
        assert_eq!(text_of(&example["expected"]["text"]).trim(), expected, "{example:#}");
        for failure in example["failures"].as_array().unwrap() {
            let printed = text_of(&failure["printed"]["text"]).trim();
            assert!(failure["verdict"] == "RTE" || printed.parse::<i64>().is_ok(), "{failure:#}");
            assert_ne!(printed, expected);
            let programs = failure["programs"].as_array().unwrap().iter();
            explained.extend(programs.flat_map(|program| names_of(&program["participants"])));
        }
    }
    explained.sort_unstable();
    explained.dedup();
    assert_eq!(explained, ["also-positive", "crash", "positive", "single"], "{found:#}");
    assert_eq!(found["same_mistake"][0], serde_json::json!(["also-positive", "positive"]));
    assert_eq!(grade(), found, "with everything known");
}

#[test]
fn the_teacher_reads_of_a_right_program_that_uses_a_variable_before_it_has_a_value() {
    let (home, dir) = package();
    let program = |declared: &str| {
        // So deep that nothing was there before.
        let own = format!(
            "__attribute__((noinline)) long own(void) {{ volatile long x[9000]{declared}; return x[9]; }}"
        );
        format!("{own}\n{}", RIGHT.replace(", best);", ", best + own());"))
    };
    for (name, declared) in [("lucky", ""), ("set", " = {0}")] {
        write_file(&home.path().join("class").join(name).join("sums.c"), &program(declared));
    }
    let [class, out] = ["class", "out"].map(|name| home.path().join(name));
    let [dir, class, place] = [&dir, &class, &out].map(|path| path.to_str().unwrap());
    let output = kopek(&scratch::store(), &["grade", dir, class, "--counterexamples", "--out", place]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("the tests miss mistakes of lucky; see the page of the class"), "{text}");
    let read = |file: &str| fs::read_to_string(out.join(file)).unwrap();
    let found = serde_json::from_str::<Value>(&read("report.json")).unwrap()["counterexamples"].take();
    let [unset] = &found["unset"].as_array().unwrap()[..] else { panic!("{found:#}") };
    assert_eq!(names_of(&unset["participants"]), ["lucky"]);
    let what = text_of(&unset["what"]);
    assert_eq!(
        what,
        "uses `x` before it has a value (sums.c:1): it is right only where memory happens to be zero"
    );
    let case = text_of(&unset["case"]);
    let told =
        format!("<a href=\"pages/lucky.html\">lucky</a>: the program {what}; else it fails on {case}.");
    let page = read("index.html");
    let missed = page.split("<h3>What the tests miss</h3>").nth(1).unwrap();
    assert!(missed.contains(&told), "{missed}");
    let own = read("pages/lucky.html");
    assert!(!own.contains("before it has a value") && own.contains("sums.c"), "{own}");
}

#[test]
fn a_class_of_an_interactive_problem_gets_conversations() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("guess");
    create(&dir, PackageTemplate::usual(TemplateKind::Interactive)).unwrap();
    let recipe = dir.join("generators/generators.yaml");
    let text = fs::read_to_string(&recipe).unwrap();
    write_file(&recipe, &text.replace("      first:\n", "      two: {in: \"1000 2\\n\"}\n      first:\n"));
    fs::remove_file(dir.join("generators/lock.toml")).unwrap();
    let halves = fs::read_to_string(dir.join("submissions/accepted/halves.py")).unwrap();
    for (name, text) in [
        ("right", halves.clone()),
        ("crash", format!("{halves}\nraise SystemExit(3)\n")),
        ("silent", "print('nothing', flush=True)\n".to_owned()),
        ("mute", "print('nothing', flush=True)  # again\n".to_owned()),
        (
            "never-two",
            halves.replace("(low + high) // 2", "(low + high) // 2\n    guess = 1 if guess == 2 else guess"),
        ),
    ] {
        write_file(&home.path().join("class").join(name).join("guess.py"), &text);
    }
    let [package, class] = [dir, home.path().join("class")];
    let args = ["grade", package.to_str().unwrap(), class.to_str().unwrap()];
    let options = ["--counterexamples=5", "--format", "json"];
    let found = report(&kopek(&scratch::store(), &[&args[..], &options].concat()))["counterexamples"].clone();
    assert_eq!((&found["failing"], &found["explained"]), (&4.into(), &4.into()), "{found:#}");
    let inputs = found["inputs"].as_array().unwrap();
    let texts: Vec<&str> = inputs.iter().map(|one| text_of(&one["input"]["text"])).collect();
    assert_eq!(texts, ["2 2\n", "9 7\n"], "{found:#}");
    assert!(inputs.iter().all(|one| one["expected"].is_null()), "{found:#}");
    let talk = |name: &str| {
        let failures = inputs.iter().flat_map(|one| one["failures"].as_array().unwrap());
        let mut own = failures.filter(|one| one["programs"].to_string().contains(name));
        text_of(&own.next().unwrap()["conversation"]["text"]).to_owned()
    };
    assert_eq!(talk("crash"), "< 2\n> 1\n< higher\n> 2\n< right\n");
    assert!(talk("never-two").starts_with("< 2\n> 1\n< higher\n> 1\n"), "{found:#}");
    assert!(talk("silent").contains("> nothing\n"), "{found:#}");
    assert_eq!(found["same_mistake"], serde_json::json!([["mute", "silent"]]), "{found:#}");
}
