//! Of time limits: the room on both sides, and runs that are spared because they only cost time.

use super::{WHOLE, fake_text, flat, reports_only, verify_with};
use crate::fake_machine::USUAL_WISHES;
use kopek::verify::Wishes;

/// A limit that programs exceed by far which need more than a second. Those that must be too slow need two.
const FAST: &str = "time_limit: 0.3, time_resolution: 0.1, time_multipliers: {time_limit_to_tle: 7}";

/// The manifest with other limits.
fn manifest(limits: &str) -> String {
    WHOLE[0].1.replace("time_limit: 2.0", limits)
}

/// Needs 1.25 s on the case of three numbers.
const BUSY: &str = "if input[0] == 3: time 1250\nprint sum(input[1..])\n";
const ENDLESS: &str = "time 999999\n";

#[test]
fn a_limit_that_leaves_too_little_room_is_reported() {
    let yaml = manifest("time_limit: 2.0, time_multipliers: {ac_to_time_limit: 10}");
    let busy = ("submissions/accepted/busy.py", Some(BUSY));
    let (code, remarks) = verify_with(&[("problem.yaml", Some(&yaml)), busy]);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
    let start = "error problem.yaml: `accepted/busy.py` takes 1.";
    assert!(remarks[0].starts_with(start), "{remarks:?}");
    let end = "→ set `time_limit: 13`, or make the submission faster";
    assert!(remarks[0].ends_with(end), "{remarks:?}");
}

#[test]
fn a_slow_submission_is_measured_beyond_the_limit() {
    let yaml = manifest(FAST);
    let slow = ("submissions/time_limit_exceeded/nearly.py", Some(BUSY));
    let (code, remarks) = verify_with(&[("problem.yaml", Some(&yaml)), slow]);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
    let start = "error problem.yaml: `time_limit_exceeded/nearly.py` takes at most 1.";
    assert!(remarks[0].starts_with(start), "{remarks:?}");
    assert!(remarks[0].contains("that must be 7 times the limit of 0.3 s"), "{remarks:?}");
    let endless = ("submissions/time_limit_exceeded/nearly.py", Some(ENDLESS));
    assert_eq!(verify_with(&[("problem.yaml", Some(&yaml)), endless]), (0, vec![]));
}

#[test]
fn a_package_without_a_time_limit_gets_a_proposal() {
    let yaml = manifest("time_resolution: 0.5");
    // Twice the slowest time, rounded up.
    for (millis, limit) in [(1, "0.5"), (250, "0.5"), (251, "1"), (1010, "2.5"), (1250, "2.5")] {
        let sum = format!("time {millis}\nprint sum(input[1..])\n");
        let expected = format!(
            "warning problem.yaml: no time limit; {limit} s fits → write `time_limit: {limit}` below `limits` in \
             problem.yaml"
        );
        let changes = [("problem.yaml", Some(yaml.as_str())), ("submissions/accepted/sum.py", Some(&sum))];
        reports_only(&changes, 0, &expected);
    }
}

/// Too slow on the first case of group 2; its last one decides what else it is.
const SLOW_THEN: &str = "if text == \"3\\n3 1 2\\n\": time 999999\nif text == \"3\\n9 9 9\\n\": THEN\n\
                         print sum(input[1..])\n";

/// More cases of group 2.
const MORE: &[(&str, Option<&str>)] = &[
    ("data/secret/2/d.in", Some("3\n0 0 1\n")),
    ("data/secret/2/d.ans", Some("1\n")),
    ("data/secret/2/e.in", Some("3\n9 9 9\n")),
    ("data/secret/2/e.ans", Some("27\n")),
];

#[test]
fn a_claim_that_hangs_on_spared_runs_is_decided_all_the_same() {
    let yaml = manifest("time_limit: 0.5, time_resolution: 0.5");
    let claim = "rejected/slow.py:\n  secret/2: {required: [RTE]}\n";
    let found = |then: &str| {
        let source = SLOW_THEN.replace("THEN", then);
        let slow = [("problem.yaml", Some(yaml.as_str())), ("submissions/rejected/slow.py", Some(&source))];
        verify_with(&[&slow, MORE, &[("submissions/submissions.yaml", Some(claim))]].concat())
    };
    assert_eq!(found("exit 1"), (0, vec![]));
    let broken = "error submissions/submissions.yaml:2: `rejected/slow.py` must be RTE on some case in secret/2, \
                  but is AC on 2, TLE on 1 → add a case on which it fails like that, or change the claim";
    assert_eq!(found("time 1"), (1, vec![broken.to_owned()]));
}

/// What people see of a package with an endless program.
fn endless(wishes: Wishes) -> String {
    let yaml = manifest("time_limit: 0.2, time_resolution: 0.1");
    let endless = ("submissions/time_limit_exceeded/endless.py", Some(ENDLESS));
    fake_text(&[&[("problem.yaml", Some(yaml.as_str())), endless], MORE].concat(), wishes)
}

#[test]
fn runs_that_are_spared_are_counted() {
    let text = endless(USUAL_WISHES);
    let flat = flat(&text);
    // How many depends on how many places there are.
    let (before, _) = flat.split_once(" skipped in groups that were lost by time or memory").expect(&text);
    assert!(before.ends_with(" run") || before.ends_with(" runs"), "{text}");
}

#[test]
fn the_table_of_strength_spares_no_run() {
    let text = endless(Wishes { strength: true, ..USUAL_WISHES });
    let row = text.lines().rfind(|line| line.trim_start().starts_with("time_limit_exceeded/endless.py "));
    let killers: Vec<&str> = row.expect(&text).split_whitespace().skip(1).collect();
    assert_eq!(killers[0], "6", "{text}");
    assert!(!text.contains("skipped"), "{text}");
}

/// Exceeds a limit of 0.3 s on both cases of three numbers: by far on the second, which is not the largest.
const UNEVEN: &str =
    "if len(text) > 7: time 1300\nif text == \"3\\n3 1 2\\n\": time 5000\nprint sum(input[1..])\n";

#[test]
fn a_submission_that_is_slow_enough_on_a_spared_case_is_slow_enough() {
    let yaml = manifest(FAST);
    let changes = [
        ("problem.yaml", Some(yaml.as_str())),
        ("data/secret/2/d.in", Some("3\n0 10 1\n")),
        ("data/secret/2/d.ans", Some("11\n")),
        ("submissions/time_limit_exceeded/uneven.py", Some(UNEVEN)),
    ];
    assert_eq!(verify_with(&changes), (0, vec![]));
}
