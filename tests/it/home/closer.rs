//! A closer look: an input of one's own, builds that find mistakes.

use super::{ended, run::sums};
use std::{io::Write, process::Stdio};

#[test]
fn an_input_of_ones_own_is_run_and_its_output_is_all_that_is_printed() {
    let desk = sums();
    desk.write("mine.txt", "1 40\n");
    let (code, out, err) = ended(&desk.kopek(&["run", "sums", "wrong.py", "--input", "mine.txt"]));
    assert_eq!((code, out.as_str()), (0, "41\n"), "{err}");
    assert!(err.starts_with("read 1 40\nended well, ") && err.contains("not checked"), "{err}");
    for pipe in ["-", "/dev/stdin"] {
        let mut command = desk.command(&["run", "sums", "wrong.py", "--input", pipe]);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"1 6\n").unwrap();
        assert_eq!(ended(&child.wait_with_output().unwrap()).1, "7\n", "{pipe}");
    }
    let (code, _, err) = ended(&desk.kopek(&["run", "sums", "wrong.py", "--input", "mime.txt"]));
    assert!(code == 2 && err.contains("did you mean `mine.txt`?"), "{err}");
}

#[test]
fn a_debug_build_names_the_line_of_the_mistake() {
    let desk = sums();
    desk.write(
        "over.c",
        "#include <stdio.h>\nint main(void) {\n  int a[2] = {1, 2}, x;\n  scanf(\"%d\", &x);\n  \
                          printf(\"%d\\n\", a[x + 2]);\n}\n",
    );
    let (code, out, err) = ended(&desk.kopek(&["run", "sums", "over.c", "--samples", "--debug"]));
    assert!(code == 1 && out.contains("run-time error") && out.contains("over.c:5"), "{out}{err}");
    assert!(out.contains("of 20 s"), "ten times the limit: {out}");
    // So does a failed assertion of the library, which is said first.
    desk.write("at.cpp", "#include <vector>\nint main() {\n  std::vector<int> v(2);\n  return v[9];\n}\n");
    let at = ["run", "sums", "at.cpp", "--samples", "--debug"];
    let (_, out, _) = ended(&desk.kopek(&at));
    assert!(out.starts_with("at.cpp:4: index 9 of 2\n\nat.cpp (cpp)"), "{out}");
    let (_, out, _) = ended(&desk.kopek(&[&at[..], &["--format", "lines"]].concat()));
    assert_eq!(out, "at.cpp:4:1: error: index 9 of 2 (on sample/1)\n");
    // The same program without it is another one: they share no facts.
    let (_, out, _) = ended(&desk.kopek(&["run", "sums", "over.c", "--samples"]));
    assert!(!out.contains("runtime error"), "{out}");
    let (_, out, _) = ended(&desk.kopek(&["run", "sums", "wrong.py", "--samples", "--debug"]));
    assert!(out.contains("--debug has no effect for python3"), "{out}");
}

#[test]
fn a_program_that_is_right_with_zeros_only_uses_a_variable_without_a_value() {
    let desk = sums();
    let program = |declared: &str| {
        format!(
            "#include <stdio.h>\n#define OWN __attribute__((noinline))\n\
             OWN void fill(void) {{ volatile int x[64]; for (int i = 0; i < 64; i++) x[i] = 7; }}\n\
             OWN int add(int a, int b) {{ volatile int x[64]{declared}; x[60] += a + b; return x[60]; }}\n\
             int main(void) {{ int a, b; scanf(\"%d %d\", &a, &b); fill(); printf(\"%d\\n\", add(a, b)); }}\n"
        )
    };
    for (file, declared, is_told) in [("unset.c", "", true), ("set.c", " = {[60] = 7}", false)] {
        desk.write(file, &program(declared));
        let (code, out, err) = ended(&desk.kopek(&["run", "sums", file, "--samples"]));
        let told = out.contains("before it has a value") && out.contains("it is right only where");
        assert_eq!((code, told), (1, is_told), "{out}{err}");
    }
}

#[test]
fn a_program_that_crashes_or_hangs_is_run_once_more_with_sanitizers() {
    let desk = sums();
    for (file, program, hint) in [
        (
            "far.c",
            "int a[2];\nint main(int n, char **v) { return a[n << 28]; }\n",
            "far.c:2: uses an index outside an array",
        ),
        (
            "endless.c",
            "int a[2];\nint main(int n, char **v) {\n  for (;; n++) a[n & 3] = n;\n}\n",
            "endless.c:3: uses an index outside an array",
        ),
        ("abort.c", "#include <stdlib.h>\nint main(void) { abort(); }\n", ""),
    ] {
        desk.write(file, program);
        let (_, out, err) = ended(&desk.kopek(&["run", "sums", file, "--samples"]));
        match hint {
            "" => assert!(!out.contains("hint:"), "{out}"),
            hint => assert!(out.contains(&format!("hint: {hint}")), "{out}{err}"),
        }
    }
}
