//! While a package is written: `--watch`, and builds that look for mistakes.

use super::{WHOLE, kopek, package};
use crate::scratch;
use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    sync::mpsc::channel,
    thread,
    time::Duration,
};

/// Right on every case, and adds beyond the range of its type on the way.
const OVERFLOWS: &str = "#include <cstdio>\nint main() {\n  int n, sum = 0, x;\n  std::scanf(\"%d\", &n);\n  \
                         volatile int top = 2147483647;\n  for (int i = 0; i < n; i++) std::scanf(\"%d\", &x), sum \
                         += x;\n  top = top + n;\n  std::printf(\"%d\\n\", sum);\n}\n";

#[test]
fn undefined_behaviour_of_an_accepted_submission_is_an_error_at_its_line() {
    let home = package(&[("submissions/accepted/over.cpp", Some(OVERFLOWS))]);
    assert_eq!(kopek(&home, &[]).status.code(), Some(0), "it is accepted");
    let output = kopek(&home, &["--sanitize", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let remarks = all[0]["remarks"].as_array().unwrap();
    assert_eq!((output.status.code(), remarks.len()), (Some(1), 1), "{remarks:?}");
    assert_eq!(remarks[0]["at"], "submissions/accepted/over.cpp:7");
    assert!(remarks[0]["what"].as_str().unwrap().contains("signed integer overflow"), "{remarks:?}");
    let mended = OVERFLOWS.replace("  top = top + n;\n", "");
    fs::write(home.path().join("sum/submissions/accepted/over.cpp"), mended).unwrap();
    let output = kopek(&home, &["--sanitize"]);
    let words = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("1 accepted submission clean under sanitizers on 4 small cases"), "{words}");
}

#[test]
fn a_package_is_verified_again_on_every_save() {
    let home = package(&[]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.args(["verify", "--watch"]).arg(home.path().join("sum")).arg("--store").arg(scratch::store());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let (sender, lines) = channel();
    let output = BufReader::new(child.stdout.take().unwrap());
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let wait_for = |text: &str| {
        // Generous: the machine may be busy with the other tests.
        while !lines.recv_timeout(Duration::from_secs(60)).expect("a result").contains(text) {}
    };
    wait_for("sound");
    let save = |path: &str, text: &str| fs::write(home.path().join("sum").join(path), text).unwrap();
    save("data/secret/2/c.ans", "7\n");
    wait_for("UNSOUND");
    save("data/secret/2/c.ans", "6\n");
    wait_for("sound");
    save("problem.yaml", "name: [\n");
    wait_for("error");
    save("problem.yaml", WHOLE[0].1);
    wait_for("sound");
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn watching_is_for_people() {
    let output = kopek(&package(&[]), &["--watch", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
}
