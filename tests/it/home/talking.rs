//! `kopek talk`: the solution's side of a conversation by hand.

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
fn an_impossible_talk_is_refused() {
    let desk = guessing();
    desk.write("alone/problem.yaml", "problem_format_version: 2025-09\nname: Alone\nuuid: 2\n");
    desk.write("alone/data/sample/1.in", "1\n");
    desk.write("alone/data/sample/1.ans", "1\n");
    for (args, said) in [
        (&["talk", "q"][..], "read package q"),
        (&["talk", "alone"], "--input -"),
        (&["talk", "p", "--case", "*"], "matches 2 cases"),
    ] {
        let (code, out, err) = piped(&desk, args, "");
        assert!(code == 2 && out.is_empty() && err.contains(said), "{args:?}: {out}{err}");
    }
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

    let mut typist = Typist::start(&desk, (60, "talk p"));
    typist.wait_for("< guess");
    // Ctrl-D: nothing more to say.
    typist.say("\x04");
    let screen = typist.end();
    assert!(screen.contains("the judge: wrong answer") && screen.ends_with("exit code 1\n"), "{screen}");

    let mut typist = Typist::start(&desk, (60, "talk p"));
    typist.wait_for("< guess");
    // Ctrl-C.
    typist.say("\x03");
    let screen = typist.end();
    assert!(screen.ends_with("exit code 130\n"), "{screen}");
    assert!(!screen.contains("Traceback") && !screen.contains("error"), "{screen}");
}
