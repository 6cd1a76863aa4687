//! Checks that the example of the sandbox does what its head comment says.

use std::{
    env,
    path::PathBuf,
    process::{Command, Output},
};

/// `cargo test` builds examples beside the tests.
fn run_example(argv: &[&str]) -> Output {
    let test = env::current_exe().unwrap();
    let example: PathBuf = test.parent().unwrap().parent().unwrap().join("examples/limits");
    assert!(example.is_file(), "build the example first: cargo build -p kopek-sandbox --example limits");
    Command::new(example).args(argv).output().unwrap()
}

#[test]
fn the_example_prints_the_output_and_the_end_of_a_program() {
    let ends = [
        ("echo hello; exit 3", "hello\nthe program exited with 3\n"),
        ("while :; do :; done", "the program used more than 1 s of CPU time\n"),
        ("kill -11 $$", "the program was killed by signal 11\n"),
    ];
    for (script, expected) in ends {
        let output = run_example(&["sh", "-c", script]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with(expected), "{script}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains(" s of CPU time, "), "{text}");
    }
}

#[test]
fn the_example_without_a_program_says_what_is_missing() {
    let output = run_example(&[]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("name a program"));
}
