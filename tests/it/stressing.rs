//! Chapter: stressing. Counterexamples are found, made small under the validators, and the same
//! every time.

#[path = "stressing/graphs.rs"]
mod graphs;
#[path = "stressing/planted.rs"]
mod planted;
#[path = "stressing/shipped.rs"]
mod shipped;
#[path = "stressing/unhunted.rs"]
mod unhunted;

use crate::scratch;
use kopek::start_template::{PackageTemplate, TemplateKind};
use serde_json::Value;
use std::{
    fs, iter,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// The greatest sum of neighbours: a right solution, and one that forgets that all may be negative.
const RIGHT: &str = "#include <stdio.h>
int main(void) { long n, x, best = -1e9, sum = 0; scanf(\"%ld\", &n);
while (n--) { scanf(\"%ld\", &x); sum = (sum > 0 ? sum : 0) + x; if (sum > best) best = sum; }
printf(\"%ld\\n\", best); }
";

const GENERATOR: &str = "#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int n = atoi(v[1]), m = atoi(v[2]); unsigned long s = strtoul(v[3], 0, 10) * 2654435761u + 1;
printf(\"%d\\n\", n);
for (int i = 0; i < n; i++) { s = s * 6364136223846793005u + 1442695040888963407u;
  printf(\"%d%c\", (int)((s >> 33) % (2 * m + 1)) - m, i + 1 < n ? ' ' : '\\n'); } }
";

const VALIDATOR: &str = "#include <stdio.h>
#include <stdlib.h>
static long number(int end) { char s[20]; int i = 0, c;
  while ((c = getchar()) != end) { if (c == EOF || i > 8 || !(c == '-' || (c >= '0' && c <= '9'))) exit(43); s[i++] = c; }
  s[i] = 0; char t[20]; sprintf(t, \"%ld\", atol(s)); for (int j = 0; j <= i; j++) if (s[j] != t[j]) exit(43);
  return atol(s); }
int main(void) { long n = number('\\n'); if (n < 1 || n > 50) return 43;
while (n--) { long x = number(n ? ' ' : '\\n'); if (x < -1000 || x > 1000) return 43; }
return getchar() == EOF ? 42 : 43; }
";

const RECIPE: &str = "# How the data is made.
solution: /submissions/accepted/right.c
data:
  sample:
    data:
      one:
        in: |
          3
          1 -2 3
        ans: |
          3
  secret:
    data:
      # Only positive ones so far.
      small:
        in: |
          2
          1 2
      random: gen.c 30 100 {seed}  # with a comment
";

fn write_file(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn write_package(dir: &Path) {
    let problem = "problem_format_version: 2025-09\nname: Sums\nuuid: 5a6bd2a1-9a6d-4b4c-8f4c-2d6a3c1b0e11\nlimits: {time_limit: 1}\n";
    let wrong = RIGHT.replace("best = -1e9", "best = 0");
    let table = RIGHT
        .replace("long n,", "long a[64] = {0}; long n,")
        .replace("while (n--) {", "if (n > 7) { a[n] = n; volatile int *p = 0; *p = 1; } while (n--) {");
    for (path, text) in [
        ("problem.yaml", problem),
        ("statement/problem.en.md", "The greatest sum of neighbours.\n"),
        ("generators/generators.yaml", RECIPE),
        ("generators/gen.c", GENERATOR),
        ("input_validators/validate.c", VALIDATOR),
        ("submissions/accepted/right.c", RIGHT),
        ("submissions/wrong_answer/positive.c", &wrong),
        ("submissions/run_time_error/table.c", &table),
    ] {
        write_file(&dir.join(path), text);
    }
}

fn package() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("sums");
    write_package(&dir);
    (home, dir)
}

fn kopek(store: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.args(args).env("KOPEK_STORE", store).output().unwrap()
}

fn report(output: &Output) -> Value {
    let message = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {message}"))
}

fn inputs_of(report: &Value) -> Vec<(&str, &str)> {
    let findings = report["findings"].as_array().unwrap().iter();
    findings.map(|one| (text_of(&one["submission"]), text_of(&one["input"]))).collect()
}

fn text_of(value: &Value) -> &str {
    value.as_str().unwrap_or("?")
}

fn submission(dir: &Path, name: &str) -> String {
    dir.join("submissions").join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_hunt_for_all_finds_every_wrong_submission_and_a_usual_one_ends_at_the_first() {
    let (_home, dir) = package();
    let [positive, table] =
        ["wrong_answer/positive.c", "run_time_error/table.c"].map(|one| submission(&dir, one));
    let args = ["stress", dir.to_str().unwrap(), &positive, &table, "--format", "json", "--time", "300s"];
    let output = kopek(&scratch::store(), &[&args[..], &["--all"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted = [("positive.c", "1\n-1\n"), ("table.c", "8\n0 0 0 0 0 0 0 0\n")];
    assert_eq!(inputs_of(&report(&output)), wanted);
    let output = kopek(&scratch::store(), &args);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let first = report(&output);
    assert_eq!(inputs_of(&first), wanted[1..], "it fails on a case of the package");
    assert_eq!(first["not_found"][0]["name"], "positive.c");
}

#[test]
fn cases_of_the_package_are_tried_before_anything_new() {
    let (_home, dir) = package();
    let args = ["stress", dir.to_str().unwrap(), "--format", "json", "--time", "300s"];
    let found = report(&kopek(&scratch::store(), &args));
    assert_eq!(inputs_of(&found), [("run_time_error/table.c", "8\n0 0 0 0 0 0 0 0\n")]);
    assert_eq!(found["findings"][0]["origin"], "secret/random");
    assert_eq!(found["counts"]["valid"], 0, "no new input was needed: {found}");
}

#[test]
fn what_a_hunt_prints_depends_on_the_seed_alone() {
    let (home, dir) = package();
    let positive = submission(&dir, "wrong_answer/positive.c");
    let hunt = |store: &str, jobs: &str| {
        let args = ["stress", dir.to_str().unwrap(), &positive, "--time", "300s", "--jobs", jobs];
        let output = kopek(&home.path().join(store), &args);
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let first = hunt("one", "1");
    assert_eq!(first, hunt("two", "2"));
    assert_eq!(first, hunt("one", "2"), "with everything known");
}

#[test]
fn a_right_submission_is_hunted_until_time_is_up() {
    let (_home, dir) = package();
    let right = submission(&dir, "accepted/right.c");
    let args = ["stress", dir.to_str().unwrap(), &right, "--format", "json"];
    // A slow machine may need more time for the first input.
    let hunt = |time: &&str| {
        let output = kopek(&scratch::store(), &[&args[..], &["--time", time]].concat());
        let report = report(&output);
        assert_eq!(report["not_found"][0]["name"], "right.c", "{report}");
        output.status.code() == Some(0)
    };
    assert!(["1s", "10s", "60s"].iter().any(hunt));
}

#[test]
fn loose_files_are_tried_and_shrunk_where_a_validator_says_what_is_valid() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    write_file(&home.path().join("brute.c"), RIGHT);
    write_file(&home.path().join("mine.c"), &RIGHT.replace("best = -1e9", "best = 0"));
    write_file(&home.path().join("gen.c"), GENERATOR);
    write_file(&home.path().join("valid.c"), VALIDATOR);
    let command = format!("{} {{1..10}} {{5..50}} {{seed}}", path("gen.c"));
    let (brute, mine, valid) = (path("brute.c"), path("mine.c"), path("valid.c"));
    let mut args =
        vec!["stress", &mine, "--brute", &brute, "--gen", &command, "--format", "json", "--time", "300s"];
    let found = report(&kopek(&scratch::store(), &args));
    assert_eq!(found["findings"][0]["shrinking"], "no_validator");
    assert_eq!(found["findings"][0]["failure"]["verdict"], "wrong_answer");
    args.extend(["--validator", &valid]);
    assert_eq!(inputs_of(&report(&kopek(&scratch::store(), &args))), [("mine.c", "1\n-1\n")]);
}

#[test]
fn talking_submissions_are_found_too() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("guess");
    kopek::start::create(&dir, PackageTemplate::usual(TemplateKind::Interactive)).unwrap();
    let talk = fs::read_to_string(dir.join("submissions/accepted/halves.py")).unwrap();
    // Finds every number, then crashes.
    write_file(&dir.join("submissions/wrong_answer/crash.py"), &format!("{talk}\nraise SystemExit(3)\n"));
    let hunt = |file: &str, time: &str| {
        let file = dir.join("submissions").join(file);
        let args = ["stress", dir.to_str().unwrap(), file.to_str().unwrap(), "--format", "json"];
        report(&kopek(&scratch::store(), &[&args[..], &["--time", time]].concat()))
    };
    assert_eq!(inputs_of(&hunt("wrong_answer/crash.py", "300s")), [("crash.py", "1 1\n")]);
    // The right one would be tried for as long as there is time.
    let right = hunt("accepted/halves.py", "2s");
    assert!(inputs_of(&right).is_empty() && right["counts"]["valid"].as_u64() > Some(0), "{right}");
}

#[test]
fn submissions_of_several_passes_are_found_and_their_inputs_are_minimal() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("letters");
    kopek::start::create(&dir, PackageTemplate::usual(TemplateKind::MultiPass)).unwrap();
    let wrong = dir.join("submissions/wrong_answer/four_letters.py");
    let args = ["stress", dir.to_str().unwrap(), wrong.to_str().unwrap(), "--format", "json"];
    let output = kopek(&scratch::store(), &[&args[..], &["--time", "600s"]].concat());
    let report = report(&output);
    // The least number that four digits of base 26 do not hold.
    assert_eq!(inputs_of(&report), [("four_letters.py", "encode\n456976\n")], "{report}");
    assert_eq!(report["findings"][0]["shrinking"], "minimal");
}

#[test]
fn mistakes_of_the_package_are_found() {
    let (_home, dir) = package();
    let checker = "import sys
if int(sys.stdin.read().split()[0]) < -5: raise ValueError
sys.exit(42)
";
    write_file(&dir.join("output_validator/check.py"), checker);
    let right = submission(&dir, "accepted/right.c");
    let args = ["stress", dir.to_str().unwrap(), &right, "--format", "json", "--time", "300s"];
    let found = report(&kopek(&scratch::store(), &args))["findings"].take();
    assert_eq!(
        (&found[0]["submission"], &found[0]["failure"]),
        (&Value::Null, &"validator_failed_on_answer".into())
    );
    assert_eq!(found[0]["input"], "1\n-6\n");
}

#[test]
fn what_cannot_be_hunted_is_refused_with_the_reason() {
    let (home, dir) = package();
    let dir = dir.to_str().unwrap();
    let nothing = home.path().join("nothing.c");
    for (args, why) in [
        (vec!["stress", "/nowhere"], "no problem.yaml here; without a package give --brute and --gen"),
        (vec!["stress", dir, nothing.to_str().unwrap()], "nothing.c"),
        (vec!["stress", dir, "--gen", "other.c 1 {seed}"], "other.c"),
        (
            vec!["stress", dir, "--gen", "gen.c 1 5 {seed}", "--group", "secret/9"],
            "no case in group secret/9",
        ),
        (vec!["stress", dir, "--time", "soon"], "30s, 10m or 1h"),
    ] {
        let output = kopek(&scratch::store(), &args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(why), "{args:?}: {message}");
    }
}

#[test]
fn a_hunt_without_a_new_input_is_incomplete() {
    let (_home, dir) = package();
    let right = submission(&dir, "accepted/right.c");
    let args = ["stress", dir.to_str().unwrap(), &right, "--gen", "gen.c 99 5 {seed}"];
    let output = kopek(&scratch::store(), &[&args[..], &["--time", "1s", "--format", "json"]].concat());
    let faults = report(&output)["faults"].take();
    assert_eq!(output.status.code(), Some(3), "{faults}");
    assert!(text_of(&faults[0]).starts_with("no new input was tried: "), "{faults}");
}

/// The lines of a text that another has more; all others are the same and in their order.
fn added_lines<'a>(before: &str, after: &'a str) -> Vec<&'a str> {
    let (mut old, mut added) = (before.lines().peekable(), Vec::new());
    for line in after.lines() {
        match old.peek() == Some(&line) {
            true => drop(old.next()),
            false => added.push(line),
        }
    }
    assert_eq!(old.next(), None, "{after}");
    added
}

#[test]
fn a_kept_counterexample_is_a_case_of_the_recipe_and_of_the_lock() {
    let (_home, dir) = package();
    let at = dir.to_str().unwrap();
    let recipe = dir.join("generators/generators.yaml");
    assert!(kopek(&scratch::store(), &["generate", at, "--update"]).status.success());
    // The random case catches the program with a table, only the other one is hunted.
    let keep = ["stress", at, "--time", "300s", "--keep", "found", "--group", "secret"];
    let output = kopek(&scratch::store(), &keep);
    let message = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{message}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        message.contains("kept data/secret/found.in (5 bytes): it newly catches wrong_answer/positive.c"),
        "{message}"
    );
    assert!(!message.contains("found-2"), "{message}");
    let after = fs::read_to_string(&recipe).unwrap();
    assert_eq!(added_lines(RECIPE, &after), ["      found:", "        in: |", "          1", "          -1"]);
    assert_eq!(fs::read_to_string(dir.join("data/secret/found.in")).unwrap(), "1\n-1\n");
    // From nothing it becomes the same again.
    for file in ["found.in", "found.ans"] {
        fs::remove_file(dir.join("data/secret").join(file)).unwrap();
    }
    assert!(kopek(&scratch::store(), &["generate", at]).status.success());
    assert_eq!(fs::read_to_string(dir.join("data/secret/found.in")).unwrap(), "1\n-1\n");
    assert_eq!(fs::read_to_string(dir.join("data/secret/found.ans")).unwrap(), "-1\n");
    let check = kopek(&scratch::store(), &["generate", at, "--check"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    // The tests catch both now.
    let again = kopek(&scratch::store(), &keep);
    let message = String::from_utf8_lossy(&again.stderr);
    assert!(again.status.success() && message.contains("nothing to keep"), "{message}");
    // The name is taken now: nothing changes.
    let table = submission(&dir, "run_time_error/table.c");
    let again = kopek(&scratch::store(), &["stress", at, &table, "--keep", "found", "--group", "secret"]);
    assert_eq!(again.status.code(), Some(2), "{}", String::from_utf8_lossy(&again.stdout));
    assert_eq!(fs::read_to_string(&recipe).unwrap(), after);
}

#[test]
fn a_mutant_that_the_tests_miss_is_proven_by_an_input_and_one_that_they_kill_is_not_hunted() {
    let (_home, dir) = package();
    let at = dir.to_str().unwrap();
    let args = ["mutate", at, "--format", "json", "--hunt", "2s", "--most", "20"];
    let output = kopek(&scratch::store(), &args);
    let report = report(&output);
    let mutants = report["mutants"].as_array().unwrap();
    let fate = |wanted: &str| mutants.iter().filter(|one| one["fate"] == wanted).count();
    assert!(fate("killed") > 5 && fate("unknown") == 0, "{report:#}");
    assert_eq!(report["killed"], fate("killed"));
    let killed = mutants.iter().find(|one| one["fate"] == "killed").unwrap();
    assert!(!killed["killers"].as_object().unwrap().is_empty(), "{killed}");
    // Every missed one has an input that the validator accepts.
    assert_eq!(report["missed"].as_u64().unwrap() as usize, fate("missed"));
    assert_eq!(output.status.code(), Some(if fate("missed") > 0 { 1 } else { 0 }));
    let page = dir.join("mutants.html");
    let file = page.to_str().unwrap();
    let again = || {
        let output =
            kopek(&scratch::store(), &["mutate", at, "--hunt", "2s", "--most", "20", "--html", file]);
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = again();
    let survivors = fate("missed") + fate("probably_equivalent");
    assert_eq!(fs::read_to_string(&page).unwrap().matches("<details").count(), survivors);
    assert!(text.contains("group") && text.contains("secret"), "{text}");
    // What others disturbed is no fact, and is tried again.
    let texts = iter::once(text).chain((0..3).map(|_| again()));
    let runs: Vec<String> = texts.take_while(|text| !text.contains(" 0 new runs")).collect();
    assert!(runs.len() < 4, "{runs:#?}");
}

#[test]
fn mutants_of_a_wrong_submission_are_refused() {
    let (_home, dir) = package();
    let wrong = dir.join("submissions/run_time_error/table.c");
    let output =
        kopek(&scratch::store(), &["mutate", dir.to_str().unwrap(), wrong.to_str().unwrap(), "--most", "1"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && message.contains("is not accepted on secret/random"),
        "{message}"
    );
}

#[test]
fn calls_that_a_generator_refuses_become_rarer_and_are_counted() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let between = "#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) { long low = atol(v[1]), high = \
                   atol(v[2]), seed = atol(v[3]);\nif (low > high) return 1;\nprintf(\"%ld\\n\", low + seed % (high - low + 1)); \
                   return 0; }\n";
    let echo = "#include <stdio.h>\nint main(void) { long n; scanf(\"%ld\", &n); printf(\"%ld\\n\", n); }\n";
    write_file(&home.path().join("between.c"), between);
    write_file(&home.path().join("echo.c"), echo);
    let (echo, command) = (path("echo.c"), format!("{} {{0..999}} {{0..999}} {{seed}}", path("between.c")));
    let hunt = |options: &[&str]| {
        let args = ["stress", &echo, "--brute", &echo, "--gen", &command];
        kopek(&scratch::store(), &[&args[..], options].concat())
    };
    // A slow machine needs more time for as many rounds.
    let are_rare = |time: &&str| {
        let report = report(&hunt(&["--format", "json", "--time", time]));
        let [valid, failed] =
            ["valid", "failed_calls"].map(|count| report["counts"][count].as_u64().unwrap());
        failed > 0 && valid > 2 * failed
    };
    assert!(["2s", "10s", "60s"].iter().any(are_rare), "not even after a minute");
    let text = hunt(&["--time", "1s"]);
    let text = String::from_utf8_lossy(&text.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("of generators came to nothing, such as: generator `between.c"), "{text}");
}
