//! `kopek doctor` says what applies, within 80 columns, and its exit code means what its help says.

use super::*;
use std::process::Command;

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
fn a_strict_doctor_accepts_only_a_mode_without_warnings() {
    let done = Command::new(worker()).args(["doctor", "--strict"]).output().unwrap();
    if open_sandbox().warnings().is_empty() {
        assert_ne!(done.status.code(), Some(2));
    } else {
        assert_eq!(done.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&done.stderr).contains("remedy: "));
    }
}
