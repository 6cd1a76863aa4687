//! Conversations of scripted programs: every order of ends, and the repetition of those that fail.

use super::scripted_worker::{LIMIT, ScriptedWorker, in_short};
use kopek_plan::plan::{Checker, TranscriptPiece, Trial, TrialMode, TrialTask};
use kopek_sandbox::Fault;
use kopek_sentences::Said;

const ONE_PASS: TrialMode = TrialMode::Talk { passes: 1 };

fn talk_task(worker: &ScriptedWorker, validator: &str, submission: &str) -> TrialTask {
    worker.trial_task(submission, worker.setting(ONE_PASS, worker.validators(&[validator])))
}

fn talk(worker: &ScriptedWorker, validator: &str, submission: &str) -> Result<Trial, Fault> {
    worker.trial(talk_task(worker, validator, submission))
}

/// Validator, submission and result. The validator ends first unless the submission says `first`.
const ENDS: [(&str, &str, &str); 40] = [
    // Both end well.
    ("code 42", "code 0", "AC"),
    ("code 42", "code 0, first", "AC"),
    ("code 43", "code 0", "WA"),
    ("code 43", "code 0, first", "WA"),
    // The validator refuses and leaves: the submission's end does not matter.
    ("code 43", "signal 9", "WA"),
    ("code 43", "signal 13", "WA"),
    ("code 43", "code 1", "WA"),
    ("code 43", "exceeded cpu, cpu 2000", "WA"),
    ("code 43", "exceeded wall", "WA"),
    ("code 43", "exceeded output", "WA"),
    // The validator accepts and leaves: the submission must still end well.
    ("code 42", "signal 13", "RTE"),
    ("code 42", "code 1", "RTE"),
    ("code 42", "exceeded cpu, cpu 2000", "TLE"),
    ("code 42", "cpu 1001", "TLE"),
    ("code 42", "cpu 1000", "AC"),
    ("code 42", "exceeded wall", "ILE"),
    ("code 42", "exceeded output", "OLE"),
    ("code 42", "exceeded memory", "MLE"),
    // The submission fails by itself: the validator's word does not matter.
    ("code 43", "signal 11, first", "RTE"),
    ("code 43", "cpu 1500, first", "WA"),
    ("code 42", "cpu 1500, first", "TLE"),
    ("code 1", "cpu 1500, first", "TLE"),
    ("code 42", "signal 11, first", "RTE"),
    ("code 43", "exceeded cpu, cpu 2000, first", "TLE"),
    ("code 43", "exceeded wall, first", "ILE"),
    ("code 43", "exceeded memory, first", "MLE"),
    ("code 1", "signal 11, first", "RTE"),
    ("signal 13", "code 3, first", "RTE"),
    ("exceeded wall", "exceeded cpu, cpu 2000, first", "TLE"),
    ("exceeded cpu", "exceeded wall, first", "ILE"),
    ("code 1", "exceeded wall, first", "ILE"),
    // A validator that fails decides nothing otherwise.
    ("code 1", "code 0", "validator: the output validator exited with 1 instead of 42 or 43"),
    ("code 0", "code 0, first", "validator: the output validator exited with 0 instead of 42 or 43"),
    ("code 1", "signal 13", "validator: the output validator exited with 1 instead of 42 or 43"),
    (
        "signal 13, err oh dear",
        "code 0, first",
        "validator: the output validator was killed by signal 13: oh dear",
    ),
    ("signal 6", "exceeded cpu, cpu 2000", "validator: the output validator was killed by signal 6"),
    // It may compute for at most half the idle limit while the submission waits.
    ("code 42, cpu 1500", "exceeded wall, first", "ILE"),
    (
        "code 42, cpu 1501",
        "exceeded wall, first",
        "machine: the output validator computed for 1.5 s while the submission waited; make it answer faster",
    ),
    // Unseen CPU time may exceed the limit.
    (
        "code 42",
        "cpu 600, unseen 500",
        "undecided: 0.60 s of CPU time, up to 1.10 s with child processes that ended, at a limit of 1 s; \
         only a cgroup counts these: `kopek doctor` says how to get one",
    ),
    ("code 42", "cpu 600, unseen 400", "AC"),
];

#[test]
fn the_order_of_ends_decides_whose_word_counts() {
    let worker = ScriptedWorker::new();
    for (validator, submission, want) in ENDS {
        assert_eq!(in_short(&talk(&worker, validator, submission)), want, "{validator} | {submission}");
    }
}

#[test]
fn a_validator_that_stumbles_over_a_failure_is_a_note() {
    let trial = talk(&ScriptedWorker::new(), "code 1, err EOF", "code 3, first").unwrap();
    let fault = "the output validator exited with 1 instead of 42 or 43: EOF".to_owned();
    assert_eq!(trial.notes, [Said::AfterThat { fault }]);
}

#[test]
fn a_wrong_answer_reports_no_time_beyond_the_limit() {
    let worker = ScriptedWorker::new();
    let cpu = |validator| talk(&worker, validator, "exceeded cpu, cpu 2000").unwrap().usage.cpu;
    assert_eq!(cpu("code 43"), LIMIT);
    assert_eq!(cpu("code 42"), 2 * LIMIT, "a time limit reports all of it");
}

#[test]
fn the_score_of_a_validator_that_accepted_is_void_if_the_submission_failed() {
    let worker = ScriptedWorker::new();
    for (code, submission, want) in [
        (42, "code 0", Some("7")),
        (43, "code 0", Some("7")),
        (43, "signal 9", Some("7")),
        (42, "signal 13", None),
        (42, "cpu 1200", None),
    ] {
        let validator = format!("code {code}, write feedback/score.txt=7, write feedback/teammessage.txt=hm");
        let trial = talk(&worker, &validator, submission).unwrap();
        let want = want.map(|points| kopek_package::check::Score::Points(points.parse().unwrap()));
        assert_eq!((trial.score, trial.team_message.as_str()), (want, "hm"), "{code} {submission}");
    }
}

#[test]
fn a_validator_that_breaks_the_rules_is_the_packages_fault() {
    let worker = ScriptedWorker::new();
    for (validator, want) in [
        ("code 42, write feedback/score.txt=many", "score.txt: `many` is not a decimal number"),
        ("code 42, write feedback/nextpass.in=2", "the problem is not multi-pass"),
        ("code 43, write feedback/nextpass.in=2", "nextpass.in and exited with 43"),
    ] {
        let short = in_short(&talk(&worker, validator, "code 0"));
        assert!(short.starts_with("validator: ") && short.contains(want), "{validator}: {short}");
    }
    let one = "machine: an interactive problem needs exactly one output validator";
    for (texts, scores, start, want) in [
        (&["code 42, write feedback/score.txt=7"][..], false, "validator: ", "must say `type: scoring`"),
        (&["code 42", "code 42"], true, one, ""),
        (&[], true, one, ""),
    ] {
        let Checker::Programs { programs, data, .. } = worker.validators(texts) else { unreachable!() };
        let checker = Checker::Programs { programs, scores, data };
        let task = worker.trial_task("code 0", worker.setting(ONE_PASS, checker));
        let short = in_short(&worker.trial(task));
        assert!(short.starts_with(start) && short.contains(want), "{texts:?}: {short}");
    }
}

#[test]
fn each_side_gets_its_own_input_and_time() {
    let worker = ScriptedWorker::new();
    worker.trial(talk_task(&worker, "code 42", "code 0")).unwrap();
    let [judge, submission] = worker.sandbox.asked().try_into().unwrap();
    assert_eq!(judge.exec.argv[1..], ["/data/secret/1.in", "/data/secret/1.ans", "/box/feedback/"]);
    assert_eq!(
        (judge.stdin.as_str(), submission.stdin.as_str()),
        ("", ""),
        "the case is for the validator only"
    );
    assert_eq!(submission.exec.argv.len(), 1);
    assert_eq!(
        judge.exec.limits.wall,
        2 * submission.exec.limits.wall,
        "waiting is not the validator's time"
    );
}

/// The transcript that a report shows.
fn shown(trial: &Trial) -> String {
    let piece = |piece: &TranscriptPiece| match piece {
        TranscriptPiece::Judge { text, .. } => format!("<{text}"),
        TranscriptPiece::Submission { text, .. } => format!(">{text}"),
        TranscriptPiece::Pass(number) => format!("[{number}]"),
        TranscriptPiece::Cut => "…".into(),
    };
    trial.transcript.iter().map(piece).collect::<String>().replace('\n', "")
}

#[test]
fn a_conversation_is_shown_if_it_was_not_accepted() {
    let worker = ScriptedWorker::new();
    // The validator's lines, the submission's, the result, the number of conversations, and whether the last one is shown.
    for (validator, submission, want, held, is_shown) in [
        ("code 42", "code 0", "AC", 1, false),
        ("code 43", "code 0", "WA", 1, true),
        ("code 42", "signal 11", "RTE", 1, true),
        ("code 42", "exceeded output", "OLE", 1, true),
        ("code 42", "cpu 1500", "TLE", 1, true),
        ("code 42", "exceeded wall", "ILE", 3, true),
        ("code 42", "exceeded memory", "MLE", 2, true),
        ("code 42", "exceeded wall\ncode 0", "AC", 2, false),
        ("code 42\ncode 43", "exceeded wall\ncode 0", "WA", 2, true),
    ] {
        let all = |lines: &str, says: &str| {
            lines.lines().map(|line| format!("{line}, {says}")).collect::<Vec<_>>().join("\n")
        };
        worker.sandbox.forget();
        let (judge, partner) =
            (all(validator, "says 3\\n, says 4\\n"), all(submission, "says 6\\n, says 9\\n"));
        let trial = worker.trial(talk_task(&worker, &judge, &partner)).unwrap();
        let case = format!("{validator} | {submission}");
        assert_eq!((trial.verdict.short(), worker.sandbox.count("submission")), (want, held), "{case}");
        assert_eq!(shown(&trial), if is_shown { "<3>6<4>9" } else { "" }, "{case}");
    }
}

#[test]
fn a_conversation_of_several_passes_is_written_down_from_the_first() {
    let worker = ScriptedWorker::new();
    let next = "code 42, says 2\\n, write feedback/nextpass.in=1\\n\ncode 43, says 1\\n";
    let mode = TrialMode::Talk { passes: 2 };
    let task = worker.trial_task("says 4\\n\nsays 7\\n", worker.setting(mode, worker.validators(&[next])));
    let trial = worker.trial(task).unwrap();
    assert_eq!((trial.verdict.short(), shown(&trial)), ("WA", "<2>4[2]<1>7".into()));
    assert_eq!(worker.sandbox.count("submission"), 2, "each pass is held once");
}
