//! Trials of several passes: when another pass begins, its input, and which results count.

use super::scripted_worker::{ScriptedWorker, in_short};
use kopek_package::check::Score;
use kopek_plan::plan::{TrialMode, TrialTask};
use kopek_sentences::PageLanguage;
use std::path::PathBuf;

/// A validator that accepts and asks for another pass.
const NEXT_2: &str = "code 42, write feedback/nextpass.in=2\\n";
const NEXT_3: &str = "code 42, write feedback/nextpass.in=3\\n";

fn passes_task(worker: &ScriptedWorker, mode: TrialMode, validator: &[&str], submission: &str) -> TrialTask {
    worker.trial_task(submission, worker.setting(mode, worker.validators(&[&validator.join("\n")])))
}

/// The validator's lines, the submission's, the result, the number of runs of each, and the notes.
type PassRow = (&'static [&'static str], &'static str, &'static str, [usize; 2], &'static str);

/// With a limit of three passes.
const ROWS: [PassRow; 15] = [
    (&["code 42"], "", "AC", [1, 1], ""),
    (&[NEXT_2, "code 42"], "", "AC", [2, 2], ""),
    (&[NEXT_2, NEXT_3, "code 42"], "", "AC", [3, 3], ""),
    (
        &[NEXT_2, NEXT_3, NEXT_2],
        "",
        "validator: the output validator wrote nextpass.in on secret/1 after pass 3, the last: raise \
         `validation_passes` in problem.yaml, or let the validator end earlier",
        [3, 3],
        "",
    ),
    // A failure in a later pass names the pass.
    (&["code 43"], "", "WA", [1, 1], ""),
    (&[NEXT_2, "code 43"], "", "WA", [2, 2], "in pass 2"),
    (&[NEXT_2, NEXT_3, "code 43"], "", "WA", [3, 3], "in pass 3"),
    (&[NEXT_2, NEXT_3], "out x\ncode 1", "RTE", [2, 1], "in pass 2"),
    (&[NEXT_2, NEXT_3], "out x\nsignal 11", "RTE", [2, 1], "in pass 2"),
    (&[NEXT_2, NEXT_3], "out x\ncpu 1001", "TLE", [2, 2], "in pass 2"),
    (&[NEXT_2, NEXT_3], "cpu 1001", "TLE", [1, 1], ""),
    // The limits apply to each pass.
    (&[NEXT_2, NEXT_3, "code 42"], "cpu 1000", "AC", [3, 3], ""),
    // Faults of the validator in a later pass.
    (
        &[NEXT_2, "code 43, write feedback/nextpass.in=3"],
        "",
        "validator: the output validator wrote nextpass.in and exited with 43",
        [2, 2],
        "",
    ),
    (
        &[NEXT_2, "code 1"],
        "",
        "validator: the output validator exited with 1 instead of 42 or 43",
        [2, 2],
        "",
    ),
    (&[NEXT_2, "disturbed busy"], "", "undecided: busy", [2, 2], ""),
];

#[test]
fn another_pass_needs_a_validator_that_accepts_and_writes_its_input() {
    let worker = ScriptedWorker::new();
    for (validator, submission, want, runs, notes) in ROWS {
        for mode in [TrialMode::Alone { passes: 3 }, TrialMode::Talk { passes: 3 }] {
            worker.sandbox.forget();
            let result = worker.trial(passes_task(&worker, mode, validator, submission));
            let case = format!("{mode:?} {validator:?} | {submission}");
            assert_eq!(in_short(&result), want, "{case}");
            let [of_submission, of_validator] = runs;
            assert_eq!(worker.sandbox.renewals(), of_submission - 1, "{case}: before every further pass");
            // In a conversation both run in every pass.
            let of_validator =
                if matches!(mode, TrialMode::Alone { .. }) { of_validator } else { of_submission };
            let counted = ["submission", "validator0"].map(|name| worker.sandbox.count(name));
            assert_eq!(counted, [of_submission, of_validator], "{case}");
            let said = result.map(|trial| PageLanguage::English.say_all(&trial.notes));
            assert_eq!(said.unwrap_or_default(), notes, "{case}");
        }
    }
}

#[test]
fn a_problem_of_one_pass_has_no_other() {
    let worker = ScriptedWorker::new();
    for mode in [TrialMode::Alone { passes: 1 }, TrialMode::Talk { passes: 1 }] {
        let short = in_short(&worker.trial(passes_task(&worker, mode, &[NEXT_2], "")));
        assert!(short.contains("after pass 1, the last: the problem is not multi-pass; add"), "{short}");
    }
}

#[test]
fn each_pass_has_the_input_that_the_validator_wrote_and_the_feedback_so_far() {
    let worker = ScriptedWorker::new();
    let write = "write feedback/seen=1, write feedback/nextpass.in=2\\n";
    let validator = ["code 42, ".to_owned() + write, "code 42".to_owned()].join("\n");
    let task =
        passes_task(&worker, TrialMode::Alone { passes: 2 }, &[&validator], "for 1: out a\nfor 2: out b");
    // Nothing of one trial remains for the next.
    for _ in 0..2 {
        worker.sandbox.forget();
        worker.trial(task.clone()).unwrap();
        let asked = worker.sandbox.asked();
        let inputs: Vec<&str> = asked.iter().map(|run| run.stdin.as_str()).collect();
        assert_eq!(inputs, ["1\n", "a", "2\n", "b"]);
        let paths: Vec<&str> = [1, 3].iter().map(|at: &usize| asked[*at].exec.argv[1].as_str()).collect();
        assert_eq!(paths, ["/data/secret/1.in", "/files/input"]);
        assert_eq!([&asked[1].shown, &asked[3].shown], [&["1\n", "one\n"], &["2\n", "one\n"]]);
        let files: Vec<Vec<PathBuf>> =
            [1, 3].iter().map(|at| asked[*at].files.keys().cloned().collect()).collect();
        assert_eq!(files, [vec![], vec![PathBuf::from("feedback/seen")]], "the old input is gone");
    }
}

#[test]
fn the_slowest_pass_counts_and_the_last_word_of_the_validator() {
    let worker = ScriptedWorker::new();
    let validator = [
        "code 42, write feedback/score.txt=3, write feedback/judgemessage.txt=early, \
         write feedback/teammessage.txt=go on, write feedback/nextpass.in=2",
        NEXT_3,
        "code 43, write feedback/score.txt=7, write feedback/judgemessage.txt=late",
    ];
    let submission = "out a long line, cpu 300, wall 400, memory 5\nout short, cpu 200, wall 900, memory 9\n\
                      out short, cpu 100, wall 200, memory 2";
    let task = passes_task(&worker, TrialMode::Alone { passes: 3 }, &validator, submission);
    let trial = worker.trial(task).unwrap();
    let usage = (trial.usage.cpu.as_millis(), trial.usage.wall.as_millis(), trial.usage.memory.0 >> 20);
    assert_eq!((usage, trial.output.0), ((300, 900, 9), 11));
    assert_eq!(trial.score, Some(Score::Points("7".parse().unwrap())));
    assert_eq!((trial.judge_message.as_str(), trial.team_message.as_str()), ("late", "go on"));
}

#[test]
fn a_trial_that_idles_in_a_later_pass_is_retried_from_its_first() {
    let worker = ScriptedWorker::new();
    let validator = [&format!("for /data/secret/1.in: {NEXT_2}"), "for /files/input: code 42"];
    let task = |submission| passes_task(&worker, TrialMode::Alone { passes: 2 }, &validator, submission);
    for (submission, want, runs) in [
        ("for 1: out a\nfor 2: exceeded wall\nfor 2: out b", "AC", 4),
        ("for 1: out a\nfor 2: exceeded wall", "ILE", 6),
        ("for 1: out a\nfor 2: exceeded memory", "MLE", 4),
        ("for 1: out a\nfor 2: signal 9\nfor 2: out b", "AC", 4),
    ] {
        worker.sandbox.forget();
        let result = worker.trial(task(submission));
        assert_eq!(
            (in_short(&result), worker.sandbox.count("submission")),
            (want.into(), runs),
            "{submission}"
        );
    }
}
