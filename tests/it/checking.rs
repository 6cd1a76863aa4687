//! Chapter: checking. Validators as programs, in the real sandbox.

use kopek::{
    base::Bytes,
    check::{
        OutputCheck, Score,
        program::{ValidatorCall, output_of, read_validator_reply},
    },
    sandbox::*,
};
use std::{path::Path, time::Duration};

/// A directory with tests, a validator's feedback, and a slot to run it in.
struct Desk {
    slot: Slot,
    _sandbox: Sandbox,
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let sandbox = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).expect("a sandbox");
        let dir = tempfile::tempdir().unwrap();
        for sub in ["data/secret", "feedback", "elsewhere"] {
            std::fs::create_dir_all(dir.path().join(sub)).unwrap();
        }
        std::fs::write(dir.path().join("data/secret/1.in"), "3\n").unwrap();
        std::fs::write(dir.path().join("data/secret/1.ans"), "6\n").unwrap();
        Desk { slot: sandbox.slot(None), _sandbox: sandbox, dir }
    }

    fn exec(script: &str) -> Exec {
        let second = Duration::from_secs(5);
        let (memory, output, files) = (Bytes::mib(256), Bytes::mib(1), Bytes::mib(1));
        let limits = Limits { cpu: second, wall: second * 2, memory, output, files, processes: 16 };
        Exec::new(["sh", "-c", script, "validator"], limits)
    }

    /// Runs a shell script as the validator.
    fn validate(&mut self, script: &str, input: &str, output: Input) -> Result<OutputCheck, Fault> {
        let at = |path: &str| self.dir.path().join(path);
        let validation = ValidatorCall {
            program: Desk::exec(script),
            data: &at("data"),
            input: &at(input),
            answer: &at("data/secret/1.ans"),
            output,
            args: &["tolerance".to_owned(), "1e-6".to_owned()],
            feedback: &at("feedback"),
        };
        let exec = validation.exec()?;
        let ran = self.slot.run(&exec)?;
        read_validator_reply(&ran, &exec.limits, &at("feedback"))
    }
}

#[test]
fn a_validator_gets_input_answer_feedback_arguments_and_the_output() {
    let mut desk = Desk::new();
    let script = r#"
        read output; read input < "$1"; read answer < "$2"
        echo "$input $answer $output $4 $5" > "${3}judgemessage.txt"
        echo 2.5 > "${3}score.txt"
        [ "$output" = "$answer" ] && exit 42; exit 43"#;
    let checked = desk.validate(script, "data/secret/1.in", Input::Bytes(b"6\n".into())).unwrap();
    assert!(checked.accepted);
    assert_eq!(checked.judge_message, "3 6 6 tolerance 1e-6\n");
    assert_eq!(checked.score, Some(Score::Points("2.5".parse().unwrap())));
    assert!(!desk.validate(script, "data/secret/1.in", Input::Bytes(b"7\n".into())).unwrap().accepted);
}

#[test]
fn the_output_of_a_run_is_handed_to_the_validator_as_it_is() {
    let mut desk = Desk::new();
    let ran = desk.slot.run(&Desk::exec("echo 6")).unwrap();
    let checked =
        desk.validate(r#"cmp - "$2" && exit 42; exit 43"#, "data/secret/1.in", output_of(&ran.stdout));
    assert!(checked.unwrap().accepted);
}

#[test]
fn inputs_may_be_links_or_lie_elsewhere() {
    let mut desk = Desk::new();
    std::fs::write(desk.dir.path().join("elsewhere/x"), "3\n").unwrap();
    std::os::unix::fs::symlink("../../elsewhere/x", desk.dir.path().join("data/secret/2.in")).unwrap();
    std::os::unix::fs::symlink("1.in", desk.dir.path().join("data/secret/3.in")).unwrap();
    for input in ["elsewhere/x", "data/secret/2.in", "data/secret/3.in"] {
        let checked = desk.validate(r#"read n < "$1"; exit $((n + 39))"#, input, Input::Nothing);
        assert!(checked.unwrap().accepted, "{input}");
    }
}

#[test]
fn feedback_stays_from_pass_to_pass() {
    let mut desk = Desk::new();
    let script = r#"echo pass >> "${3}judgemessage.txt"; exit 42"#;
    desk.validate(script, "data/secret/1.in", Input::Nothing).unwrap();
    let checked = desk.validate(script, "data/secret/1.in", Input::Nothing).unwrap();
    assert_eq!(checked.judge_message, "pass\npass\n");
}

#[test]
fn a_validator_cannot_write_to_the_tests() {
    let mut desk = Desk::new();
    let script = r#"echo 9 > "$2"; rm "$1"; exit 42"#;
    desk.validate(script, "data/secret/1.in", Input::Nothing).unwrap();
    assert_eq!(std::fs::read(desk.dir.path().join("data/secret/1.ans")).unwrap(), b"6\n");
    assert!(desk.dir.path().join("data/secret/1.in").exists());
}
