//! `kopek run`: one failure explained once, and the choice of what runs.

use super::{Desk, ended};

/// A sample, and two groups of three cases, of the package `sums`.
pub(super) fn write_test_set(write: &dyn Fn(&str, &str)) {
    write("sums/data/sample/1.in", "1 2\n");
    write("sums/data/sample/1.ans", "3\n");
    write("sums/data/secret/test_group.yaml", "max_score: 100\nscore_aggregation: sum\n");
    for group in [1, 2] {
        let rule = "max_score: 50\nscore_aggregation: pass-fail\n";
        write(&format!("sums/data/secret/{group}/test_group.yaml"), rule);
        for (name, number) in [("one", 1), ("ten", 10), ("two", 2)] {
            let path = format!("sums/data/secret/{group}/{name}");
            write(&format!("{path}.in"), &format!("{group} {number}\n"));
            write(&format!("{path}.ans"), &format!("{}\n", group + number));
        }
    }
}

/// A package with two groups of three cases and a sample: print the sum.
pub fn sums() -> Desk {
    let desk = Desk::new();
    let problem = "problem_format_version: 2025-09\ntype: scoring\nname: Sums\n\
                   uuid: 5ca6ba5b-676c-4eef-8474-26a63f4c6a37\nlimits: {time_limit: 2}\n";
    desk.write("sums/problem.yaml", problem);
    desk.write("sums/statement/problem.en.md", "Print the sum.\n");
    desk.write("sums/submissions/accepted/a.py", "print(sum(map(int, input().split())))\n");
    desk.write("sums/input_validators/v.py", "exit(42)\n");
    write_test_set(&|path, text| desk.write(path, text));
    desk.write(
        "wrong.py",
        "import sys\na, b = map(int, input().split())\nprint('read', a, b, file=sys.stderr)\n\
         print(a + b if a == 1 else a - b)\n",
    );
    desk
}

#[test]
fn compilers_and_tracebacks_name_the_authors_own_file() {
    let desk = sums();
    desk.write("my sum.py", "import sys\nprint(1 / 0)\n");
    let (_, out, _) = ended(&desk.kopek(&["run", "sums", "my sum.py", "--samples"]));
    assert!(out.contains("File \"my sum.py\", line 2"), "{out}");
    desk.write("crash.py", "def f():\n    return 1 // 0\nf()\n");
    let (code, out, _) = ended(&desk.kopek(&["run", "sums", "crash.py", "--samples", "--format", "lines"]));
    let wanted = "crash.py:2:1: error: ZeroDivisionError: integer division or modulo by zero (on sample/1)\n";
    assert_eq!((code, out.as_str()), (1, wanted));
    desk.write("broken.c", "int main(void) { return x; }\n");
    let text = desk.terminal(80, "run sums broken.c");
    assert!(text.contains("broken.c:1:25: error:") && !text.contains("main.c"), "{text}");
    assert!(!text.contains("secret/1"), "what never ran has nothing to say: {text}");
}

#[test]
fn a_program_that_does_not_always_do_the_same_is_named() {
    let desk = sums();
    // Each run counts on in a clock: one of five in a row is another than the first.
    desk.write("moody.py", "import time\nn = time.time_ns() // 1000\nprint(3 if n % 2 else 4)\n");
    let args = ["run", "sums", "moody.py", "--samples", "--again", "40"];
    let (code, out, err) = ended(&desk.kopek(&args));
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("*  NOT THE SAME AT EACH RUN: sample/1 gave"), "{out}");
}

#[test]
fn a_missing_module_leaves_a_hand_in_open() {
    let desk = sums();
    let sum = "print(sum(map(int, input().split())))\n";
    let said =
        "Traceback (most recent call last):\\n  x\\nModuleNotFoundError: No module named 'kopek_absent'";
    for (name, text) in [
        ("ann", format!("import kopek_absent as k\n{sum}")),
        ("bob", format!("{sum}from kopek_absent.deep import f\n")),
        ("cid", format!("try:\n    import kopek_absent\nexcept ImportError:\n    pass\n{sum}")),
        ("dan", format!("import sys\nprint(\"{said}\", file=sys.stderr)\nexit(1)\n")),
        ("eve", format!("import kopek_absent.late\n{sum}")),
    ] {
        desk.write(&format!("class/{name}/a.py"), &text);
    }
    desk.write("class/eve/kopek_absent.py", "import math\n");
    let (code, out, err) = ended(&desk.kopek(&["grade", "sums", "class"]));
    assert_eq!(code, 3, "{out}{err}");
    let remedy = "2 participants need the Python 3 module kopek_absent: ";
    assert_eq!((out.clone() + &err).matches(remedy).count(), 1, "{out}{err}");
    let points = |name: &str| out.lines().find(|line| line.starts_with(name)).map(str::to_owned).unwrap();
    assert!(points("cid").contains("100"), "{out}");
    for name in ["dan", "eve"] {
        assert!(points(name).contains("RTE"), "{out}");
    }
    let course = "problems = [\"sums\"]\nhand-ins = \"class\"\n[languages]\npython3 = ";
    desk.write("course.toml", &format!("{course}\"numpy\"\n"));
    let (code, _, err) = ended(&desk.kopek(&["grade"]));
    assert!(code == 2 && err.contains("course.toml:4: write \"standard library\""), "{err}");
    desk.write("course.toml", &format!("{course}\"standard library\"\n"));
    let (code, out, err) = ended(&desk.kopek(&["grade"]));
    assert_eq!(code, 0, "{out}{err}");
    let row = out.lines().find(|line| line.starts_with("ann")).unwrap();
    assert!(
        row.contains("RTE") && out.contains("programs in python3 may use the standard library only"),
        "{out}"
    );
}
