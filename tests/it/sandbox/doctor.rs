//! `kopek doctor` says what applies, within 80 columns, and its exit code means what its help says.

use super::*;
use std::{fs, process::Command};

#[test]
fn the_doctor_names_the_mode_and_grades_the_machine() {
    let done = Command::new(worker()).arg("doctor").output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    assert!(text.starts_with(&format!("Isolation: {}\n", open_sandbox().mode_name())), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for thing in ["governor", "turbo", "hyperthreads", "swap", "load", "spread", "10 equal runs"] {
        assert!(text.contains(thing), "{thing} is missing: {text}");
    }
    let failed = text.lines().any(|line| line.starts_with("  FAIL"));
    assert_eq!(done.status.code(), Some(i32::from(failed)), "{text}");
}

#[test]
fn a_machine_whose_isolation_has_gaps_is_refused_on_request() {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in [("one.py", "print(1)\n"), ("1.in", ""), ("1.ans", "1\n")] {
        fs::write(home.path().join(name), text).unwrap();
    }
    let mut command = Command::new(worker());
    command.args(["test", "one.py", "--store", "store"]).current_dir(home.path()).env("KOPEK_STRICT", "1");
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    if open_sandbox().warnings().is_empty() {
        assert_eq!(done.status.code(), Some(0), "{said}");
    } else {
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains("KOPEK_STRICT is set, and isolation has gaps"), "{said}");
        assert!(!home.path().join("store").exists());
    }
}
