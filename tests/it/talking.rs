//! Problems where the submission talks with the validator, runs in several
//! passes, or is the output itself: with real programs in a real sandbox.

mod failing_validators;

use crate::{ordinary_user, scratch, skip};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    fs,
    process::{Command, Output},
};
use tempfile::TempDir;

/// A package in a directory of its own, with a folder of hand-ins beside it.
struct TalkPackage(TempDir);

impl TalkPackage {
    fn new(types: &str, limits: &str, validator: Option<&str>) -> TalkPackage {
        let package = TalkPackage(tempfile::tempdir().unwrap());
        let yaml = format!(
            "problem_format_version: 2025-09\ntype: {types}\nname: A Talk\n\
             uuid: 7e1f32ca-8a92-4f1f-9c1e-0123456789ab\nlicense: cc0\nlimits:\n\
             \x20 time_limit: 0.5\n  time_resolution: 0.5\n{limits}"
        );
        package.write("talk/problem.yaml", &yaml);
        package.write("talk/statement/problem.en.md", "Say it.\n");
        package.write("talk/input_validators/any.py", "import sys\nsys.exit(42)\n");
        package.write("talk/submissions/accepted/none.py", "pass\n");
        package.write("talk/data/sample/.keep", "");
        if let Some(text) = validator {
            package.write("talk/output_validator/judge.py", text);
        }
        package
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn case(&self, name: &str, input: &str, answer: &str) {
        self.write(&format!("talk/data/secret/{name}.in"), input);
        self.write(&format!("talk/data/secret/{name}.ans"), answer);
    }

    fn kopek(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
        command.current_dir(self.0.path()).args(args).env("KOPEK_STORE", scratch::store());
        command
    }

    fn grade(&self) -> Value {
        let output = self.kopek(&["grade", "talk", "class", "--all", "--format", "json"]);
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"))
    }

    /// Whose verdict is what, and the faults.
    fn verdicts(&self) -> (BTreeMap<String, String>, Vec<String>) {
        let graded = self.grade();
        let row = |row: &Value| {
            (row["name"].as_str().unwrap().to_owned(), row["verdict"].as_str().unwrap_or("none").to_owned())
        };
        let faults = graded["faults"].as_array().unwrap().iter();
        let faults = faults.map(|fault| fault.as_str().unwrap().to_owned()).collect();
        (graded["participants"].as_array().unwrap().iter().map(row).collect(), faults)
    }

    fn run(&self, file: &str) -> String {
        let output = self.kopek(&["run", "talk", file]);
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    }

    fn holds(&self, claims: &[(&str, &str, &str)]) {
        for (name, _, text) in claims {
            self.write(&format!("class/{name}.py"), text);
        }
        let (verdicts, faults) = self.verdicts();
        assert_eq!(faults, Vec::<String>::new());
        let expected: BTreeMap<String, String> =
            claims.iter().map(|(name, verdict, _)| (name.to_string(), verdict.to_string())).collect();
        assert_eq!(verdicts, expected);
    }
}

/// Says numbers and wants them doubled.
const DOUBLES: &str = r#"
import sys
for n in open(sys.argv[1]).read().split():
    print(n, flush=True)
    if sys.stdin.readline().strip() != str(2 * int(n)):
        open(sys.argv[3] + "judgemessage.txt", "w").write("not the double of " + n)
        sys.exit(43)
print(0, flush=True)
sys.exit(42)
"#;

/// The right way to talk, and then something else.
fn and_then(more: &str) -> String {
    format!("import sys\nwhile (n := int(input())) != 0:\n    print(2 * n, flush=True)\n{more}\n")
}

#[test]
fn the_verdict_of_a_talk_depends_on_who_ended_first_and_how() {
    let package = TalkPackage::new("interactive", "", Some(DOUBLES));
    package.case("1", "3 4 5\n", "");
    // Until the validator has ended.
    let late = "sys.stdin.read()\n";
    package.holds(&[
        ("right", "AC", &and_then("")),
        ("chatters_after_the_end", "AC", &and_then(&format!("{late}print('x' * 200000, flush=True)"))),
        ("crashes_after_the_end", "RTE", &and_then(&format!("{late}sys.exit(3)"))),
        ("spins_after_the_end", "TLE", &and_then(&format!("{late}while True: pass"))),
        ("wrong", "WA", "input()\nprint(7, flush=True)\ninput()\n"),
        ("wrong_and_spins", "WA", "input()\nprint(7, flush=True)\nwhile True: pass\n"),
        (
            "wrong_and_crashes",
            "WA",
            "import sys\ninput()\nprint(7, flush=True)\nsys.stdin.read()\nsys.exit(1)\n",
        ),
        ("crashes", "RTE", "import sys\nsys.exit(1)\n"),
        ("leaves", "WA", "pass\n"),
        ("leaves_in_the_middle", "WA", "print(2 * int(input()), flush=True)\n"),
        ("spins", "TLE", "while True: pass\n"),
    ]);
}

#[test]
#[ignore = "waits for idleness limits, which a busy machine blurs: run it alone, as .ci/nightly does"]
fn nothing_that_a_submission_does_hangs_the_judge() {
    let package = TalkPackage::new("interactive", "  output: 1\n", Some(DOUBLES));
    package.case("1", "3 4 5\n", "");
    package.holds(&[
        ("never_flushes", "ILE", "import sys\nsys.stdin.readline()\nprint(6)\nsys.stdin.readline()\n"),
        ("sleeps", "ILE", "import time\ntime.sleep(100)\n"),
        ("closes_its_ear_and_sleeps", "ILE", "import os, time\nos.close(0)\ntime.sleep(100)\n"),
        ("closes_its_mouth_and_sleeps", "ILE", "import os, time\nos.close(1)\ntime.sleep(100)\n"),
        ("floods_one_line", "OLE", "import sys\nwhile True: sys.stdout.write('6' * 9999)\n"),
        ("floods_lines", "WA", "import sys\nwhile True: sys.stdout.write('7\\n' * 9999)\n"),
    ]);
    let package = TalkPackage::new("interactive", "", Some(FLOOD));
    package.case("1", "1\n", "");
    package.holds(&[("deaf", "ILE", "import time\ntime.sleep(100)\n")]);
}

/// Writes more than a pipe holds.
const FLOOD: &str = "import sys\nfor _ in range(200): print('x' * 9999, flush=True)\nsys.exit(43)\n";

#[test]
fn a_validator_that_floods_a_submission_that_leaves_is_not_stopped_by_it() {
    let package = TalkPackage::new("interactive", "", Some(FLOOD));
    package.case("1", "1\n", "");
    package.holds(&[("leaves", "WA", "pass\n")]);
}

#[test]
fn a_failed_talk_is_shown_with_arrows_and_times() {
    let package = TalkPackage::new("interactive", "", Some(DOUBLES));
    package.case("1", "3 4\n", "");
    package.write("wrong.py", "print(2 * int(input()), flush=True)\ninput()\nprint(9, flush=True)\n");
    let report = package.run("wrong.py");
    assert!(report.contains("not the double of 4"), "{report}");
    let talk: Vec<String> = report
        .lines()
        .filter(|line| line.contains(" s < ") || line.contains(" s > "))
        .map(|line| line.trim().split_once(' ').unwrap().1.to_owned())
        .collect();
    assert_eq!(talk, ["s < 3", "s > 6", "s < 4", "s > 9"], "{report}");
}

#[test]
fn only_what_is_said_counts_as_output() {
    let listens = "import sys\nwhile (line := sys.stdin.readline()) != 'end\\n':\n    if not line: sys.exit(43)\nsys.exit(42)\n";
    let package = TalkPackage::new("interactive", "  output: 1\n", Some(listens));
    package.case("1", "3\n", "");
    let scribbles = |more: &str| format!("open('/dev/null', 'w').write('7' * 3_000_000)\n{more}");
    package.holds(&[
        ("says_little", "AC", "print('end')\n"),
        ("chatters", "OLE", "print('hm\\n' * 999_999 + 'end')\n"),
        ("scribbles", "AC", &scribbles("print('end')\n")),
        ("scribbles_and_leaves", "WA", &scribbles("print('no')\n")),
        ("scribbles_and_crashes", "RTE", &scribbles("raise ValueError\n")),
    ]);
}

/// Wants the number of its input, then that of the next pass, one less, down to 1.
const DOWN: &str = r#"
import os, sys
text, feedback = open(sys.argv[1]).read(), sys.argv[3]
assert not os.path.exists(feedback + "nextpass.in"), "the old input is still there"
n = int(text)
open(feedback + "judgemessage.txt", "a").write("pass with %d\n" % n)
if n < 0:
    open(feedback + "nextpass.in", "w").write("1\n")
    sys.exit(43)
if sys.stdin.read().strip() != str(n): sys.exit(43)
if n > 1: open(feedback + "nextpass.in", "w").write("%d\n" % (n - 1))
sys.exit(42)
"#;

#[test]
fn passes_go_on_until_the_validator_asks_for_no_more() {
    let package = TalkPackage::new("multi-pass", "  validation_passes: 3\n", Some(DOWN));
    package.case("1", "1\n", "");
    package.case("3", "3\n", "");
    package.holds(&[
        ("right", "AC", "print(input())\n"),
        ("wrong_in_the_last_pass", "WA", "n = input()\nprint(n if n == '3' else 7)\n"),
        ("too_slow_in_the_second", "TLE", "n = input()\nwhile n == '2': pass\nprint(n)\n"),
        ("says_nothing", "WA", "pass\n"),
        ("says_nothing_in_the_second", "WA", "n = input()\nif n != '2': print(n)\n"),
        ("crashes_in_the_second", "RTE", "n = input()\nprint(n if n != '2' else 1 / 0)\n"),
    ]);
    package.write("two.py", "n = input()\nprint(n if n != '1' else 7)\n");
    fs::remove_file(package.0.path().join("talk/data/secret/1.in")).unwrap();
    fs::remove_file(package.0.path().join("talk/data/secret/1.ans")).unwrap();
    let report = package.run("two.py");
    let passes: Vec<&str> = report.lines().map(str::trim).filter(|line| line.contains("pass with")).collect();
    assert_eq!(passes, ["pass with 3", "pass with 2", "pass with 1"], "{report}");
    assert!(report.contains("in pass 3"), "{report}");
}

/// Accepts when three passes printed the same.
const SAME: &str = r#"
import sys
n, feedback = int(open(sys.argv[1]).read()), sys.argv[3]
with open(feedback + "seen", "a") as seen: seen.write(sys.stdin.read())
if n > 1:
    open(feedback + "nextpass.in", "w").write(str(n - 1))
    sys.exit(42)
seen = list(open(feedback + "seen"))
open(feedback + "judgemessage.txt", "w").write(str(seen))
sys.exit(42 if len(seen) == 3 and len(set(seen)) == 1 else 43)
"#;

#[test]
fn each_pass_has_a_box_of_its_own() {
    if !ordinary_user::open_sandbox().mode_name().contains("namespaces") {
        return skip::report("without namespaces the box is a directory of the machine");
    }
    let limits = "  validation_passes: 3\nallow_file_writing: true\n";
    let package = TalkPackage::new("multi-pass", limits, Some(SAME));
    package.case("1", "3\n", "");
    // The file system of a box counts its files.
    let files =
        "import os\nfor n in range(9): open(str(n), 'w').close()\nprint(os.stat('8').st_ino, os.getpid())\n";
    package.holds(&[("counts_files", "AC", files)]);
}

#[test]
fn a_talk_can_have_passes() {
    let validator = r#"
import sys
n, feedback = int(open(sys.argv[1]).read()), sys.argv[3]
print(n, flush=True)
if sys.stdin.readline().strip() != str(2 * n): sys.exit(43)
if n > 1: open(feedback + "nextpass.in", "w").write(str(n - 1))
sys.exit(42)
"#;
    let package = TalkPackage::new("[interactive, multi-pass]", "", Some(validator));
    package.case("1", "2\n", "");
    package.holds(&[
        ("right", "AC", "print(2 * int(input()))\n"),
        ("wrong_in_the_second", "WA", "n = int(input())\nprint(2 * n if n == 2 else 7)\n"),
        (
            "crashes_in_the_second",
            "RTE",
            "import sys\nn = int(input())\nif n == 1: sys.exit(1)\nprint(2 * n)\n",
        ),
    ]);
    let report = package.run("class/wrong_in_the_second.py");
    let place = |what: &str| report.find(what).unwrap_or_else(|| panic!("{what}: {report}"));
    assert!(place(" s > 4") < place("--- pass 2") && place("--- pass 2") < place(" s > 7"), "{report}");
}

#[test]
fn outputs_can_be_handed_in_instead_of_a_program() {
    let package = TalkPackage::new("submit-answer", "  output: 1\n", None);
    package.case("one", "1\n", "10\n");
    package.case("two", "2\n", "20\n");
    for (file, text) in [
        ("all/one.out", "10\n"),
        ("all/two.out", "20\n"),
        ("not_all/one.out", "10\n"),
        ("not_all/readme.txt", "two was too hard\n"),
        ("other/secret/one.txt", "10\n"),
        ("other/secret/two.txt", "21\n"),
        ("alone.txt", "10\n"),
    ] {
        package.write(&format!("class/{file}"), text);
    }
    package.write("class/too_much.out", &"10 ".repeat(800_000));
    let (verdicts, faults) = package.verdicts();
    assert_eq!(faults, Vec::<String>::new());
    let verdicts: Vec<(&str, &str)> = verdicts.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let expected = [("all", "AC"), ("alone", "WA"), ("not_all", "WA"), ("other", "WA"), ("too_much", "NP")];
    assert_eq!(verdicts, expected);
    let report = package.run("class/not_all");
    assert!(report.contains("no file was handed in for secret/two"), "{report}");
}

#[test]
fn the_static_validator_gives_its_points_without_a_run() {
    let package = TalkPackage::new("scoring", "", None);
    package.case("1/a", "1\n", "1\n");
    package.case("1/b", "2\n", "2\n");
    let group = "max_score: 100\nscore_aggregation: sum\nstatic_validation_score: 40\nstatic_validator_args: [\"import\"]\n";
    package.write("talk/data/secret/1/test_group.yaml", group);
    let validator = r#"
import os, sys
language, entry, feedback, word = sys.argv[1:]
assert language == "python3" and feedback.endswith("/")
found = word in open(entry).read()
open(feedback + "judgemessage.txt", "w").write("uses " + word if found else "")
sys.exit(43 if found else 42)
"#;
    package.write("talk/static_validator/words.py", validator);
    package.write("class/plain.py", "print(input())\n");
    package.write("class/importing.py", "import sys\nprint(input())\n");
    package.write("class/half.py", "input()\nprint(1)\n");
    let graded = package.grade();
    assert_eq!(graded["faults"].as_array().unwrap().len(), 0, "{graded:#}");
    let points: BTreeMap<&str, u64> = graded["participants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row["points"].as_u64().unwrap_or(999)))
        .collect();
    assert_eq!(points, [("half", 70), ("importing", 60), ("plain", 100)].into(), "{graded:#}");
    let report = package.run("class/importing.py");
    assert!(report.contains("static validation of secret/1: wrong answer; uses import"), "{report}");
}

#[test]
fn an_interactive_problem_without_a_validator_is_refused() {
    let package = TalkPackage::new("interactive", "", None);
    package.case("1", "1\n", "");
    package.write("any.py", "pass\n");
    let report = package.run("any.py");
    assert!(report.contains("needs an output validator"), "{report}");
}

#[test]
fn a_compiler_that_refuses_everything_is_no_compile_error() {
    let package = TalkPackage::new("pass-fail", "", None);
    package.case("1", "1\n", "1\n");
    let table = include_str!("../../crates/package/src/language/table.toml");
    let start = table.find("code = \"c\"").expect("a row for C");
    let start = table[..start].rfind("[[").unwrap();
    let row =
        &table[start..start + table[start + 2..].find("\n[[").map_or(table.len() - start, |end| end + 2)];
    let broken: Vec<String> = row
        .lines()
        .map(|line| match line.starts_with("build = [") {
            true => line.replacen("build = [\"{cc}\"", "build = [\"{cc}\", \"-include\", \"nowhere.h\"", 1),
            false => line.to_owned(),
        })
        .collect();
    assert_ne!(broken.join("\n"), row.trim_end(), "the row's build command looks different now");
    package.write("languages.toml", &(broken.join("\n") + "\n"));
    package.write("right.c", "int main(void) { return 0; }\n");
    let mut run = package.command(&["run", "talk", "right.c"]);
    let output = run.env("KOPEK_LANGUAGES", "languages.toml").output().unwrap();
    let report =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{report}");
    assert!(report.contains("the toolchain does not work"), "{report}");
    assert!(!report.contains("compile error"), "{report}");
}
