//! Chapter: stressing. Counterexamples are found, made small under the validators, and the same
//! every time.

#[path = "stressing/class.rs"]
mod class;
#[path = "stressing/graded_class.rs"]
mod graded_class;
#[path = "stressing/graphs.rs"]
mod graphs;
#[path = "stressing/hidden_tests.rs"]
mod hidden_tests;
#[path = "stressing/planted.rs"]
mod planted;
#[path = "stressing/shipped.rs"]
mod shipped;
#[path = "stressing/slow.rs"]
pub mod slow;
#[path = "stressing/slow_programs.rs"]
mod slow_programs;
#[path = "stressing/unhunted.rs"]
mod unhunted;

use crate::{
    fake_machine::{fake_machine, with_engine},
    home::{Desk, ended},
    scratch::{self, memory_dir},
};
use kopek::{
    base::Bytes,
    exec::{Engine, Local},
    form::NoForm,
    generate,
    hunt::{StressRequest, ground_of_package},
    language::SourceFiles,
    mutate::{MutationRequest, mutate},
    package::{Package, Participant, Submission, TestSet, read, read_tests},
    render::{Page, mutation_document, stress_document},
    results::{MutationReport, StressReport},
    start_template::{PackageTemplate, TemplateKind},
    stress::{
        CampaignLimits, HuntLimits, HuntUntil, LooseRequest, ground_of_files, run_campaign, test_examples,
    },
};
use kopek_fakes as fake;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::AtomicBool,
    time::Duration,
};
use tempfile::TempDir;

/// The maximum sum of neighbours: a right solution, and one that forgets that all may be negative.
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

/// The JSON of a report.
fn json_of(report: &impl serde::Serialize) -> Value {
    serde_json::to_value(report).unwrap()
}

/// The programs of [`write_package`] for a machine that runs none. The maximum number is easier to say in their
/// language than the maximum sum, and has the same mistakes.
const FAKES: &[(&str, &str)] = &[
    ("generators/gen.c", "print args[0]\nprint random(args[2], args[0], -args[1], args[1])\n"),
    ("input_validators/validate.c", FAKE_VALIDATOR),
    ("submissions/accepted/right.c", FAKE_RIGHT),
    ("submissions/wrong_answer/positive.c", FAKE_POSITIVE),
    ("submissions/run_time_error/table.c", "if input[0] > 7: signal 11\nprint max(input[1..])\n"),
];
const FAKE_VALIDATOR: &str = "if len(input) < 2: refuse\nif text != lines(input[0], input[1..]): refuse\n\
                              if input[0] != len(input) - 1 or input[0] > 50: refuse\n\
                              if max(input[1..]) > 1000 or min(input[1..]) < -1000: refuse\naccept\n";
/// Longer than it must be, so that it has many mutants.
const FAKE_RIGHT: &str = "n = input[0]\nbest = input[1]\nif n > 1: best = max(input[1..])\n\
                          if best < 0: best = 0 - (0 - best)\nprint best * 1 + 0\n";
const FAKE_POSITIVE: &str = "best = max(input[1..])\nif best < 0: best = 0\nprint best\n";

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
        ("statement/problem.en.md", "The maximum sum of neighbours.\n"),
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
    package_in(tempfile::tempdir().unwrap())
}

fn package_in(home: TempDir) -> (TempDir, PathBuf) {
    let dir = home.path().join("sums");
    write_package(&dir);
    (home, dir)
}

/// The package for a fake machine.
pub fn fake_package() -> (TempDir, PathBuf) {
    let (home, dir) = package_in(memory_dir());
    FAKES.iter().for_each(|(path, text)| write_file(&dir.join(path), text));
    (home, dir)
}

fn participant(file: &Path) -> Participant {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let source =
        SourceFiles { root: file.parent().unwrap().to_owned(), files: vec![PathBuf::from(name.clone())] };
    let submission = Submission { name, source, contents: None, language: None, entry: None, tags: vec![] };
    Participant::from(&submission)
}

/// Does something with a package whose test set is made, as the command line does, on a fake machine.
fn with_package<T>(home: &TempDir, dir: &Path, act: impl FnOnce(&Engine, &Package, &TestSet) -> T) -> T {
    with_engine(&fake_machine(home.path()), |engine| {
        let (package, tests) = made_package(&engine, dir);
        act(&engine, &package, &tests)
    })
}

fn made_package(engine: &Engine, dir: &Path) -> (Package, TestSet) {
    let package = read(dir).unwrap().package.unwrap();
    assert!(generate::ensure(&package, engine, &mut |_| ()).unwrap().is_sound());
    let (tests, _) = read_tests(&package).unwrap();
    (package, tests)
}

const MINUTES: Duration = Duration::from_secs(300);

fn campaign_limits(until: HuntUntil, time: Duration) -> CampaignLimits {
    let hunt = if until == HuntUntil::All { time / 2 } else { time };
    CampaignLimits { hunt: HuntLimits { seed: 1, time: hunt, until }, time }
}

/// `kopek stress` of these submissions on a fake machine.
fn stress_fake(
    (home, dir): (&TempDir, &Path),
    files: &[&str],
    commands: &[&str],
    limits: CampaignLimits,
) -> StressReport {
    with_package(home, dir, |engine, package, tests| {
        let files = files.iter().map(|file| participant(&dir.join("submissions").join(file))).collect();
        let commands = commands.iter().map(|&command| command.to_owned()).collect();
        let request = StressRequest { files, commands, ..StressRequest::default() };
        let ground = ground_of_package(engine, package, tests, &request).unwrap();
        run_campaign(engine, &ground, limits, &mut |_| ()).unwrap()
    })
}

fn kopek(store: &Path, args: &[&str]) -> Output {
    command(store, args).output().unwrap()
}

fn command(store: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.args(args).env("KOPEK_STORE", store);
    command
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
    let (home, dir) = fake_package();
    let hunt = |until| {
        let files = ["wrong_answer/positive.c", "run_time_error/table.c"];
        json_of(&stress_fake((&home, &dir), &files, &[], campaign_limits(until, MINUTES)))
    };
    let wanted = [("positive.c", "1\n-1\n"), ("table.c", "8\n0 0 0 0 0 0 0 0\n")];
    assert_eq!(inputs_of(&hunt(HuntUntil::All)), wanted);
    let first = hunt(HuntUntil::First);
    assert_eq!(inputs_of(&first), wanted[1..], "it fails on a case of the package");
    assert_eq!(first["not_found"][0]["name"], "positive.c");
}

#[test]
fn cases_of_the_package_are_tried_before_anything_new() {
    let (home, dir) = fake_package();
    let limits = campaign_limits(HuntUntil::First, MINUTES);
    let files = ["accepted/right.c", "wrong_answer/positive.c", "run_time_error/table.c"];
    let found = json_of(&stress_fake((&home, &dir), &files, &[], limits));
    assert_eq!(inputs_of(&found), [("table.c", "8\n0 0 0 0 0 0 0 0\n")]);
    assert_eq!(found["findings"][0]["origin"], "secret/random");
    assert_eq!(found["counts"]["valid"], 0, "no new input was needed: {found}");
}

#[test]
fn examples_that_the_tests_catch_are_not_tried() {
    let (home, dir) = fake_package();
    let examples = with_package(&home, &dir, |engine, package, tests| {
        test_examples(engine, package, tests, &mut |_| ()).unwrap()
    });
    let names = |members: &[Participant]| members.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&examples.right), ["accepted/right.c"]);
    assert_eq!(names(&examples.uncaught), ["wrong_answer/positive.c"]);
    assert_eq!((examples.caught, examples.open), (vec!["run_time_error/table.c".to_owned()], vec![]));
}

#[test]
fn a_large_case_counts_only_if_no_small_input_is_found_and_is_not_shrunk() {
    let (home, dir) = fake_package();
    let validator = "if len(input) < 2: refuse\nif text != lines(input[0], input[1..]): refuse\n\
                     if input[0] != len(input) - 1: refuse\naccept\n";
    write_file(&dir.join("input_validators/validate.c"), validator);
    let number = "-100000000000000000000000000000";
    let large = format!("2200\n{}{number}\n", format!("{number} ").repeat(2199));
    let recipe = format!("{RECIPE}      large: {{in: \"{}\"}}\n", large.replace('\n', "\\n"));
    write_file(&dir.join("generators/generators.yaml"), &recipe);
    write_file(
        &dir.join("submissions/wrong_answer/long.c"),
        "if input[0] > 2000: print 0\nprint max(input[1..])\n",
    );
    let hunt = |file: &str, time| {
        json_of(&stress_fake((&home, &dir), &[file], &[], campaign_limits(HuntUntil::First, time)))
    };
    assert_eq!(inputs_of(&hunt("wrong_answer/positive.c", MINUTES)), [("positive.c", "1\n-1\n")]);
    let found = hunt("wrong_answer/long.c", Duration::from_secs(1));
    assert_eq!(inputs_of(&found), [("long.c", large.as_str())]);
    assert_eq!(found["findings"][0]["shrinking"], "too_large");
}

#[test]
fn the_output_of_a_hunt_depends_on_the_seed_alone() {
    let (home, dir) = fake_package();
    let hunt = |store: &str, slots: usize| {
        let machine = fake_machine(&home.path().join(store));
        let executor = Local::new((0..slots).map(|_| fake::performer(&machine)).collect());
        let stop = AtomicBool::new(false);
        let engine = Engine::new(&machine, &executor, &stop);
        let (package, tests) = made_package(&engine, &dir);
        let files = vec![participant(&dir.join("submissions/wrong_answer/positive.c"))];
        let request = StressRequest { files, ..StressRequest::default() };
        let ground = ground_of_package(&engine, &package, &tests, &request).unwrap();
        let limits = campaign_limits(HuntUntil::First, MINUTES);
        let report = run_campaign(&engine, &ground, limits, &mut |_| ()).unwrap();
        assert_eq!(report.findings.len(), 1, "{report:?}");
        stress_document(&report).to_text(Page::default())
    };
    let first = hunt("one", 1);
    assert_eq!(first, hunt("two", 2));
    assert_eq!(first, hunt("one", 2), "with everything known");
}

#[test]
fn a_right_submission_is_hunted_until_time_is_up() {
    let (home, dir) = fake_package();
    let time = Duration::from_secs(1);
    let limits = campaign_limits(HuntUntil::First, time);
    let report = stress_fake((&home, &dir), &["accepted/right.c"], &[], limits);
    assert_eq!(report.not_found[0].name, "right.c", "{report:?}");
    assert!(report.findings.is_empty() && report.faults.is_empty(), "{report:?}");
    assert!(report.took >= time, "{report:?}");
}

/// `kopek stress` without a package, on a fake machine.
fn stress_files(home: &TempDir, request: &LooseRequest, time: Duration) -> StressReport {
    with_engine(&fake_machine(home.path()), |engine| {
        let ground = ground_of_files(&engine, request, &|file| Ok(participant(Path::new(file)))).unwrap();
        run_campaign(&engine, &ground, campaign_limits(HuntUntil::First, time), &mut |_| ()).unwrap()
    })
}

fn loose_request(solution: &Path, brute: &Path, command: String, validators: &[&Path]) -> LooseRequest {
    LooseRequest {
        solutions: vec![participant(solution)],
        brute: participant(brute),
        commands: vec![command],
        form: Err(NoForm::TooFew(0)),
        checker: None,
        validators: validators.iter().map(|file| participant(file)).collect(),
        time_limit: Duration::from_secs(2),
        memory: Bytes::mib(1024),
    }
}

#[test]
fn loose_files_are_tried_and_shrunk_where_a_validator_says_what_is_valid() {
    let home = memory_dir();
    let path = |name: &str| home.path().join(name);
    write_file(&path("brute.c"), FAKE_RIGHT);
    write_file(&path("mine.c"), FAKE_POSITIVE);
    write_file(&path("gen.c"), FAKES[0].1);
    write_file(&path("valid.c"), FAKE_VALIDATOR);
    let find = |validators: &[&Path]| {
        let command = format!("{} {{1..10}} {{5..50}} {{seed}}", path("gen.c").display());
        let request = loose_request(&path("mine.c"), &path("brute.c"), command, validators);
        json_of(&stress_files(&home, &request, MINUTES))
    };
    let found = find(&[]);
    assert_eq!(found["findings"][0]["shrinking"], "no_validator");
    assert_eq!(found["findings"][0]["failure"]["verdict"], "wrong_answer");
    assert_eq!(inputs_of(&find(&[&path("valid.c")])), [("mine.c", "1\n-1\n")]);
}

#[test]
fn without_a_command_inputs_have_the_form_of_the_samples() {
    let desk = Desk::new();
    desk.write("slow.py", "input()\nprint(max(map(int, input().split())))\n");
    desk.write("mine.py", "input()\nprint(max([0, *map(int, input().split())]))\n");
    let args = ["stress", "mine.py", "--brute", "slow.py"];
    let (code, _, err) = ended(&desk.kopek(&args));
    assert!(code == 2 && err.contains("no samples here") && err.contains("or give --gen"), "{err}");
    for (name, input, answer) in
        [("1", "3\n4 -2 9\n", "9\n"), ("2", "1\n-7\n", "-7\n"), ("3", "2\n5 0\n", "5\n")]
    {
        desk.write(&format!("{name}.in"), input);
        desk.write(&format!("{name}.out"), answer);
    }
    let (code, out, err) = ended(&desk.kopek(&args));
    assert!(code == 1 && err.contains("inputs have the form of the samples"), "{out}{err}");
    assert!(out.contains("mine.py: wrong answer") && out.contains("found `0`"), "{out}");
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

/// The programs of the template of several passes for a fake machine: a number is sent as two, the second of which
/// the wrong solution forgets.
const FAKE_PASSES: &[(&str, &str)] = &[
    (
        "input_validators/validate.py",
        "w = words(text)\nif len(w) != 2: refuse\nif text != lines(w[0], w[1]) or w[0] != \"encode\": refuse\n\
         n = numbers(w[1])\nif len(n) != 1: refuse\nif lines(n) != lines(w[1]): refuse\n\
         if n[0] < 1 or n[0] > 1000000000: refuse\naccept\n",
    ),
    (
        "output_validator/check.py",
        "first = has(file(args[0]), \"encode\")\nif first: write \"feedback/number\", words(file(args[0]))[1]\n\
         if first: write \"feedback/nextpass.in\", column(words(\"decode \" + text))\nif first: accept\n\
         if words(text) != words(file(\"feedback/number\")): refuse\naccept\n",
    ),
    ("generators/number.py", "print \"encode\"\nprint random(args[1], 1, 1, args[0])\n"),
    (
        "submissions/accepted/letters.py",
        "w = words(text)\nn = numbers(column(w[1..]))\nif w[0] == \"encode\": print n[0] % 456976, n[0] / 456976\n\
         if w[0] == \"decode\": print n[0] + 456976 * n[1]\n",
    ),
    (
        "submissions/wrong_answer/four_letters.py",
        "w = words(text)\nn = numbers(column(w[1..]))\nif w[0] == \"encode\": print n[0] % 456976, 0\n\
         if w[0] == \"decode\": print n[0] + 456976 * n[1]\n",
    ),
];

/// The template of several passes for a fake machine.
pub fn fake_passes() -> (TempDir, PathBuf) {
    let home = memory_dir();
    let dir = home.path().join("letters");
    kopek::start::create(&dir, PackageTemplate::usual(TemplateKind::MultiPass)).unwrap();
    FAKE_PASSES.iter().for_each(|(path, text)| write_file(&dir.join(path), text));
    // It holds what the real generator makes.
    fs::remove_file(dir.join("generators/lock.toml")).unwrap();
    (home, dir)
}

#[test]
fn submissions_of_several_passes_are_found_and_their_inputs_are_minimal() {
    let (home, dir) = fake_passes();
    let limits = campaign_limits(HuntUntil::First, 2 * MINUTES);
    let report = stress_fake((&home, &dir), &["wrong_answer/four_letters.py"], &[], limits);
    let report = json_of(&report);
    // The least number that four digits of base 26 do not hold.
    assert_eq!(inputs_of(&report), [("four_letters.py", "encode\n456976\n")], "{report}");
    assert_eq!(report["findings"][0]["shrinking"], "minimal");
}

#[test]
fn mistakes_of_the_package_are_found() {
    let (home, dir) = fake_package();
    write_file(&dir.join("output_validator/check.py"), "if numbers(text)[0] < -5: exit 1\naccept\n");
    let limits = campaign_limits(HuntUntil::First, MINUTES);
    let report = stress_fake((&home, &dir), &["accepted/right.c"], &[], limits);
    let found = json_of(&report)["findings"].take();
    assert_eq!(
        (&found[0]["submission"], &found[0]["failure"]),
        (&Value::Null, &"validator_failed_on_answer".into())
    );
    assert_eq!(found[0]["input"], "1\n-6\n");
}

#[test]
fn packages_that_cannot_be_hunted_are_refused_with_the_reason() {
    let (home, dir) = package();
    let table = submission(&dir, "run_time_error/table.c");
    let right = submission(&dir, "accepted/right.c");
    let dir = dir.to_str().unwrap();
    let nothing = home.path().join("nothing.c");
    for (args, why) in [
        (vec!["stress", "/nowhere"], "no problem.yaml here; without a package, give --brute"),
        (vec!["stress", dir, nothing.to_str().unwrap()], "nothing.c"),
        (vec!["stress", dir, "--gen", "other.c 1 {seed}"], "other.c"),
        (vec!["stress", dir, "--time", "soon"], "30s, 10m or 1h"),
        (vec!["mutate", dir, &table], "is not accepted on secret/random"),
    ] {
        let output = kopek(&scratch::store(), &args);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(why), "{args:?}: {message}");
    }
    let args = ["stress", dir, &right, "--gen", "gen.c 99 5 {seed}", "--time", "1s", "--format", "json"];
    let incomplete = kopek(&scratch::store(), &args);
    assert_eq!(incomplete.status.code(), Some(3), "{}", String::from_utf8_lossy(&incomplete.stderr));
}

#[test]
fn a_hunt_without_a_new_input_is_incomplete() {
    let (home, dir) = fake_package();
    let limits = campaign_limits(HuntUntil::First, Duration::from_secs(1));
    let report = stress_fake((&home, &dir), &["accepted/right.c"], &["gen.c 99 5 {seed}"], limits);
    assert!(report.findings.is_empty(), "{report:?}");
    assert!(report.faults[0].starts_with("no new input was tried: "), "{report:?}");
}

#[test]
fn a_written_input_is_a_case_when_its_line_is_pasted_into_the_recipe() {
    let (home, dir) = package();
    let at = dir.to_str().unwrap();
    let out = home.path().join("found");
    let args = ["stress", at, "--all", "--time", "300s", "--out", out.to_str().unwrap()];
    let positive = submission(&dir, "wrong_answer/positive.c");
    let output = kopek(&scratch::store(), &[&args[..], &[&positive]].concat());
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}{}", String::from_utf8_lossy(&output.stdout));
    let line = "\"01-positive-c\": {in: \"1\\n-1\\n\"}\n";
    assert!(message.contains(line), "{message}");
    assert_eq!(fs::read_to_string(out.join("01-positive-c.in")).unwrap(), "1\n-1\n");
    write_file(&dir.join("generators/generators.yaml"), &format!("{RECIPE}      {line}"));
    assert!(kopek(&scratch::store(), &["generate", at]).status.success());
    assert_eq!(fs::read_to_string(dir.join("data/secret/01-positive-c.in")).unwrap(), "1\n-1\n");
}

/// `kopek mutate --max 20` on a fake machine.
fn mutate_fake(
    home: &TempDir,
    dir: &Path,
    submissions: Vec<Submission>,
    hunt: Duration,
) -> anyhow::Result<MutationReport> {
    with_package(home, dir, |engine, package, tests| {
        let request = MutationRequest { submissions, most: 20, budget: MINUTES, hunt };
        mutate(engine, package, tests, &request, &mut |_| ())
    })
}

#[test]
fn a_mutant_that_the_tests_miss_is_proven_by_an_input_and_one_that_they_kill_is_not_hunted() {
    let (home, dir) = fake_package();
    let mutated = || mutate_fake(&home, &dir, vec![], Duration::from_secs(2)).unwrap();
    let first = mutated();
    let report = json_of(&first);
    let mutants = report["mutants"].as_array().unwrap();
    let fate = |wanted: &str| mutants.iter().filter(|one| one["fate"] == wanted).count();
    assert!(fate("killed") > 5 && fate("unknown") == 0, "{report:#}");
    assert_eq!(report["killed"], fate("killed"));
    let killed = mutants.iter().find(|one| one["fate"] == "killed").unwrap();
    assert!(!killed["killers"].as_object().unwrap().is_empty(), "{killed}");
    // Every missed one has an input that the validator accepts.
    assert_eq!(report["missed"], fate("missed"));
    let text = mutation_document(&first).to_text(Page::default());
    assert!(text.contains("group") && text.contains("secret"), "{text}");
    assert!(first.trials > 0, "{text}");
    // Everything is known now.
    let text = mutation_document(&mutated()).to_text(Page::default());
    assert!(text.contains(" 0 new runs"), "{text}");
}

#[test]
fn a_real_mutant_is_killed() {
    let (_home, dir) = package();
    let args = ["mutate", dir.to_str().unwrap(), "--format", "json", "--budget", "20s"];
    let output = kopek(&scratch::store(), &args);
    let report = report(&output);
    let missed = report["missed"].as_u64().unwrap();
    assert_eq!(output.status.code(), Some(if missed > 0 { 1 } else { 0 }), "{report:#}");
    let mutants = report["mutants"].as_array().unwrap();
    assert!(mutants.iter().any(|one| one["fate"] == "killed"), "{report:#}");
}

#[test]
fn mutants_of_a_wrong_submission_are_refused() {
    let (home, dir) = fake_package();
    let Ok(wrong) = participant(&dir.join("submissions/run_time_error/table.c")).submission else {
        panic!("a file is a submission")
    };
    let error = mutate_fake(&home, &dir, vec![wrong], Duration::ZERO).unwrap_err();
    assert!(format!("{error:#}").contains("is not accepted on secret/random"), "{error:#}");
}

#[test]
fn calls_that_a_generator_refuses_become_rarer_and_are_counted() {
    let home = memory_dir();
    let path = |name: &str| home.path().join(name);
    write_file(
        &path("between.c"),
        "if args[0] > args[1]: exit 1\nprint random(args[2], 1, args[0], args[1])\n",
    );
    write_file(&path("echo.c"), "print input[0]\n");
    let hunt = |seconds: u64| {
        let command = format!("{} {{0..999}} {{0..999}} {{seed}}", path("between.c").display());
        let request = loose_request(&path("echo.c"), &path("echo.c"), command, &[]);
        stress_files(&home, &request, Duration::from_secs(seconds))
    };
    let report = hunt(2);
    let counts = &json_of(&report)["counts"];
    let [valid, failed] = ["valid", "failed_calls"].map(|count| counts[count].as_u64().unwrap());
    assert!(failed > 0 && valid > 2 * failed, "{counts}");
    let text = stress_document(&report).to_text(Page::default());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("of generators failed, such as: generator `between.c"), "{text}");
}
