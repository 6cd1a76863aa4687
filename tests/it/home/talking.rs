//! `kopek talk`: either side of a conversation by hand.

use super::{Desk, ended, typist::Typist};
use std::{
    io::Write,
    process::{Output, Stdio},
};

/// The judge thinks of the number in the input, and says less or more.
const JUDGE: &str = "\
import sys
secret = int(open(sys.argv[1]).read())
print('guess', flush=True)
for line in sys.stdin:
    guess = int(line)
    if guess == secret:
        open(sys.argv[3] + 'judgemessage.txt', 'w').write('found it\\n')
        sys.exit(42)
    print('less' if secret < guess else 'more', flush=True)
sys.exit(43)
";

const SOLUTION: &str = "\
import sys
input()
low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    reply = input()
    print('heard', reply, file=sys.stderr)
    if reply == 'found': break
    if reply == 'less': high = middle - 1
    else: low = middle + 1
";

fn guessing() -> Desk {
    let desk = Desk::new();
    desk.write(
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: Guess\ntype: interactive\nuuid: 1\n",
    );
    desk.write("p/output_validator/judge.py", JUDGE);
    for (case, secret) in [("sample/1", "37\n"), ("secret/2", "99\n")] {
        desk.write(&format!("p/data/{case}.in"), secret);
        desk.write(&format!("p/data/{case}.ans"), "");
    }
    desk.write("a.py", SOLUTION);
    desk
}

/// Runs it with these words at its standard input.
fn piped(desk: &Desk, args: &[&str], words: &str) -> (i32, String, String) {
    let mut command = desk.command(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A request that is refused does not wait for it.
    let _ = child.stdin.take().unwrap().write_all(words.as_bytes());
    let output: Output = child.wait_with_output().unwrap();
    ended(&output)
}

#[test]
fn a_person_plays_the_solution_and_reads_the_verdict() {
    let desk = guessing();
    let (code, out, err) = piped(&desk, &["talk", "p"], "50\n25\n37\n");
    assert_eq!(code, 0, "{err}");
    assert!(out.starts_with("< guess\n") || out.starts_with("> 50\n"), "{out}");
    for line in ["> 50", "< less", "> 25", "< more", "> 37"] {
        assert_eq!(out.lines().filter(|shown| *shown == line).count(), 1, "{line}: {out}");
    }
    assert!(err.contains("you are the solution on sample/1") && err.contains("the judge: accepted"), "{err}");
    assert!(err.contains("found it"), "{err}");
    let (code, out, err) = piped(&desk, &["talk", "p", "--case", "2"], "50\n");
    assert!(code == 1 && out.contains("< more") && err.contains("the judge: wrong answer"), "{out}{err}");
    let (code, _, err) = piped(&desk, &["talk", "p"], "fifty\n");
    assert!(code == 3 && err.contains("fault: "), "a judge that crashes decides nothing: {err}");
}

#[test]
fn a_person_plays_the_judge_of_a_solution_with_or_without_a_package() {
    let desk = guessing();
    for args in [&["talk", "p", "a.py"][..], &["talk", "a.py"]] {
        let (code, out, err) = piped(&desk, args, "go\nless\nfound\n");
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("> 50\n") && out.contains("< less\n") && out.contains("> 25\n"), "{out}");
        assert!(err.contains("heard less") && err.contains("ended well"), "{err}");
    }
    desk.write("p/submissions/accepted/a.py", SOLUTION);
    desk.write("p/submissions/accepted/b.py", "print(input())\n");
    let (_, out, err) = piped(&desk, &["talk", "p", "p/submissions/accepted/b.py"], "go\n");
    assert!(out.contains("> go\n"), "{out}{err}");
    let (code, _, err) = piped(&desk, &["talk", "a.py"], "go\n");
    assert!(code == 1 && err.contains("EOFError") && err.contains("\"a.py\""), "its own file name: {err}");
}

#[test]
fn two_programs_talk_and_a_person_reads() {
    let desk = guessing();
    desk.write(
        "right.py",
        &SOLUTION
            .replace("'found'", "''")
            .replace("reply = input()", "reply = input() if middle != 37 else ''"),
    );
    let (code, out, err) = piped(&desk, &["talk", "p", "right.py", "--play", "nobody"], "");
    assert!(code == 0 && err.contains("the judge: accepted"), "{err}");
    assert!(
        out.contains(" s < guess\n") && out.contains(" s > 50\n") && out.contains(" s < less\n"),
        "{out}"
    );
    desk.write("number", "37\n");
    let args = ["talk", "--interactor", "p/output_validator/judge.py", "right.py", "--input", "number"];
    let (code, again, err) = piped(&desk, &args, "");
    assert_eq!((code, again.lines().count()), (0, out.lines().count()), "{err}");
    let alone = ["talk", "--interactor", "p/output_validator/judge.py", "--input", "number"];
    let (code, _, err) = piped(&desk, &alone, "37\n");
    assert!(code == 0 && err.contains("you are the solution; lines"), "{err}");
}

#[test]
fn every_pass_of_a_talk_is_a_talk() {
    let desk = Desk::new();
    desk.write(
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: Passes\ntype: [interactive, multi-pass]\nuuid: 1\n",
    );
    desk.write(
        "p/output_validator/judge.py",
        "import os, sys\n\
         n = int(open(sys.argv[1]).read())\n\
         print('pass', n, flush=True)\n\
         word = sys.stdin.readline()\n\
         if word != f'{n}\\n': sys.exit(43)\n\
         if n == 1: open(sys.argv[3] + 'nextpass.in', 'w').write('2')\n\
         sys.exit(42)\n",
    );
    desk.write("p/data/sample/1.in", "1\n");
    desk.write("p/data/sample/1.ans", "");
    // The first judge reads one line; further lines wait for the second.
    let (code, out, err) = piped(&desk, &["talk", "p"], "2\n");
    assert!(code == 1 && !out.contains("pass 2"), "{out}{err}");
    let mut typist = Typist::start(&desk, (60, "talk p"));
    typist.wait_for("< pass 1");
    typist.say("1\n");
    typist.wait_for("< pass 2");
    typist.say("2\n");
    assert!(typist.end().ends_with("the judge: accepted\nexit code 0\n"));
}

#[test]
fn a_solution_that_does_not_compile_has_nothing_to_say() {
    let desk = guessing();
    desk.write("bad.py", "print(\n");
    let (code, out, _) = piped(&desk, &["talk", "p", "bad.py"], "");
    assert!(code == 1 && out.contains("does not compile"), "{out}");
    let (code, out, err) = piped(&desk, &["talk", "p", "b.py"], "");
    assert!(code == 2 && out.is_empty() && err.contains("read the solution b.py"), "{out}{err}");
}

#[test]
fn a_program_that_is_silent_after_all_was_said_is_stopped() {
    let desk = Desk::new();
    desk.write("a.py", "import time\nprint('\\x1b[2Jhello', flush=True)\ntime.sleep(1000)\n");
    let (code, out, err) = piped(&desk, &["talk", "a.py", "--time-limit", "0.1"], "");
    assert!(code == 1 && err.contains("stopped: it did not end within"), "{err}");
    assert!(out.contains("hello") && !out.contains('\x1b'), "nothing moves the cursor: {out:?}");
}

#[test]
fn a_talk_on_a_terminal_ends_as_either_wants() {
    let desk = guessing();
    for columns in [60, 80] {
        let mut typist = Typist::start(&desk, (columns, "talk p"));
        typist.wait_for("< guess");
        typist.say("50\n");
        typist.wait_for("< less");
        typist.say("37\n");
        insta::assert_snapshot!(format!("talk-solution-{columns}"), typist.end());
    }

    let mut typist = Typist::start(&desk, (60, "talk a.py"));
    typist.wait_for("you are the judge");
    typist.say("go\n");
    typist.wait_for("> 50");
    typist.say("more\n");
    typist.wait_for("> 75");
    // Ctrl-D: nothing more to say.
    typist.say("\x04");
    let screen = typist.end();
    assert!(screen.contains("EOFError") && screen.ends_with("exit code 1\n"), "{screen}");

    let mut typist = Typist::start(&desk, (60, "talk a.py"));
    typist.wait_for("you are the judge");
    typist.say("go\n");
    typist.wait_for("> 50");
    // Ctrl-C.
    typist.say("\x03");
    let screen = typist.end();
    assert!(screen.ends_with("exit code 130\n"), "{screen}");
    assert!(!screen.contains("Traceback") && !screen.contains("error"), "{screen}");
}
