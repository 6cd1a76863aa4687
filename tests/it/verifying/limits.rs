//! `kopek limits`, and limits measured by the rule of the format.

use super::{WHOLE, fake_package, package};
use crate::{
    fake_machine::{fake_machine, with_engine},
    scratch,
};
use kopek::{
    grade::{GradeSession, Thoroughness},
    package::{read, read_tests},
    render::{Page, limits_document},
    verify::{LimitRequest, survey_limits},
};
use std::{fs, process::Command};
use tempfile::TempDir;

const NO_LIMIT: &str = "limits: # all of them\n  # half a second is enough\n  time_resolution: 0.5\n";

/// The package with other limits.
fn with_limits(limits: &str) -> TempDir {
    let yaml = WHOLE[0].1.replace("limits: {time_limit: 2.0}\n", limits);
    package(&[("problem.yaml", Some(&yaml))])
}

/// Exit code, standard output, standard error.
fn kopek(home: &TempDir, command: &str, args: &[&str]) -> (i32, String, String) {
    let mut kopek = Command::new(env!("CARGO_BIN_EXE_kopek"));
    kopek.arg(command).arg(home.path().join("sum")).args(args).arg("--store").arg(scratch::store());
    let output = kopek.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_limit_is_measured_and_shown_as_the_line_to_write() {
    let home = with_limits(NO_LIMIT);
    let line = "`time_limit: 0.5` below `limits` in problem.yaml";
    let (code, text, _) = kopek(&home, "limits", &[]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("sum: no time limit") && text.contains("by the rule of the format: 0.5 s"),
        "{text}"
    );
    assert!(text.contains(&format!("  write: {line}\n")), "{text}");
    let (code, text, message) = kopek(&home, "limits", &["--format", "json"]);
    assert_eq!(code, 1, "{text}{message}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&json[0]["proposed_seconds"], &json[0]["to_write"]), (&0.5.into(), &line.into()), "{text}");
    let all = json[0]["submissions"].as_array().unwrap();
    let right = all.iter().find(|one| one["submission"] == "accepted/sum.py").unwrap();
    assert_eq!((&right["role"], &right["verdict"]), (&"must_fit".into(), &"AC".into()));
    assert!(right["run"]["seconds"].as_f64().is_some_and(|time| time > 0.0), "{right}");
    let home = with_limits(&NO_LIMIT.replace("0.5", "0.5\n  time_limit: 0.5"));
    let (code, text, _) = kopek(&home, "limits", &[]);
    assert!(code == 0 && !text.contains("write:"), "{code}: {text}");
}

#[test]
fn limits_that_cannot_be_measured_are_named_and_not_proposed() {
    let home = with_limits(NO_LIMIT);
    let broken = home.path().join("sum/submissions/accepted/broken.c");
    fs::write(&broken, "int main(void) { return }\n").unwrap();
    let (code, text, message) = kopek(&home, "limits", &[]);
    assert_eq!(code, 3, "{text}{message}");
    assert!(
        !text.contains("write:")
            && text.contains("`accepted/broken.c` must fit the limit, but does not compile"),
        "{text}"
    );
    let none = package(&[
        ("submissions/accepted/sum.py", None),
        ("submissions/wrong_answer/first_two.py", None),
        ("submissions/submissions.yaml", None),
    ]);
    let (code, text, _) = kopek(&none, "limits", &[]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("no submission gives the time limit a lower bound"), "{text}");
}

#[test]
fn a_program_that_must_fit_in_one_group_only_is_listed_on_both_sides() {
    let slow = "time 100\nif input[0] == 3: time 9000\nprint sum(input[1..])\n";
    let claims = "rejected/slow.py:\n  secret/1: {permitted: [AC]}\n  secret/2: {required: [TLE]}\n";
    let home = fake_package(&[
        ("submissions/rejected/slow.py", Some(slow)),
        ("submissions/submissions.yaml", Some(claims)),
    ]);
    let package = read(&home.path().join("sum")).unwrap().package.unwrap();
    let (tests, _) = read_tests(&package).unwrap();
    let survey = with_engine(&fake_machine(home.path()), |engine| {
        let session = GradeSession::usual(engine, Thoroughness::Sparing);
        let request = LimitRequest { package: &package, tests: &tests, session: &session };
        survey_limits(&request, &mut |_| ()).unwrap()
    });
    let json = serde_json::to_value(&survey).unwrap();
    let all =
        json["submissions"].as_array().unwrap().iter().filter(|one| one["submission"] == "rejected/slow.py");
    let shown: Vec<_> = all.map(|one| (&one["role"], &one["only"])).collect();
    let [fits, too_slow] = &shown[..] else { panic!("{json:#}") };
    assert_eq!(*fits, (&"must_fit".into(), &"secret/1".into()));
    assert_eq!(*too_slow, (&"must_not_fit".into(), &"secret/2".into()));
    assert!(survey.fits, "{json:#}");
    let text = limits_document(&survey).to_text(Page::default());
    let (before, after) = text.split_once("  must not fit\n").unwrap();
    assert!(
        before.contains("rejected/slow.py in secret/1") && after.contains("slow.py in secret/2"),
        "{text}"
    );
}
