//! Output validators and the default validator on outputs of scripted submissions.

use super::scripted_worker::{ALONE, ScriptedWorker, in_short};
use kopek_package::{
    check::Score,
    package::{Format, NamedFiles},
};
use kopek_plan::plan::{Checker, Outcome, OutputTask, Task};
use kopek_sentences::PageLanguage;
use std::{path::Path, sync::Arc};

#[test]
fn all_output_validators_must_accept_and_the_first_that_does_not_decides() {
    let worker = ScriptedWorker::new();
    let failed = |what: &str| format!("validator: the output validator {what}");
    // The validators, the result, and the number of validators that ran.
    for (validators, want, asked) in [
        (&["code 42"][..], "AC".to_owned(), 1),
        (&["code 43"], "WA".into(), 1),
        (&["code 42", "code 42", "code 42"], "AC".into(), 3),
        (&["code 42", "code 43", "code 42"], "WA".into(), 2),
        (&["code 43", "code 1"], "WA".into(), 1),
        (&["code 42", "code 1"], failed("exited with 1 instead of 42 or 43"), 2),
        (&["code 1", "code 43"], failed("exited with 1 instead of 42 or 43"), 1),
        (&["code 0"], failed("exited with 0 instead of 42 or 43"), 1),
        (&["code 0, err odd\\nvery odd"], failed("exited with 0 instead of 42 or 43: odd\nvery odd"), 1),
        (&["signal 11"], failed("was killed by signal 11"), 1),
        (
            &["exceeded cpu"],
            failed(
                "used more than 2 s of CPU time (raise `validation_time` below `limits` in problem.yaml, or let it need \
                 less)",
            ),
            1,
        ),
        (&[], "machine: the package has no output validator to ask".into(), 0),
    ] {
        worker.sandbox.forget();
        let task = worker.trial_task("out one", worker.setting(ALONE, worker.validators(validators)));
        assert_eq!(in_short(&worker.trial(task)), want, "{validators:?}");
        assert_eq!(worker.sandbox.names().len(), 1 + asked, "{validators:?}");
    }
}

#[test]
fn above_the_limit_only_a_right_output_is_a_matter_of_time() {
    let worker = ScriptedWorker::new();
    for (validator, want) in [
        ("code 42, write feedback/score.txt=7", "TLE"),
        ("code 43", "WA"),
        // If a validator fails, the time limit of the submission still counts.
        ("code 1", "TLE"),
        ("fault no disk", "machine: no disk"),
    ] {
        let setting = worker.setting(ALONE, worker.validators(&[validator]));
        let trial = worker.trial(worker.trial_task("out one, cpu 1500", setting));
        assert_eq!(in_short(&trial), want, "{validator}");
        assert!(trial.map_or(true, |trial| trial.score.is_none()), "{validator}");
    }
}

#[test]
fn a_validator_at_a_limit_or_with_bad_feedback_is_a_fault_of_the_package() {
    let worker = ScriptedWorker::new();
    for (validator, what) in [
        ("exceeded wall", "validation_time"),
        ("exceeded memory", "validation_memory"),
        ("exceeded output", "validation_output"),
        ("exceeded files", "validation_output"),
        ("exceeded processes", "processes"),
        ("code 42, write feedback/score.txt=many", "score.txt: `many`"),
        ("code 42, write feedback/score.txt=1, write feedback/score_multiplier.txt=1", "both score.txt"),
        ("code 42, write feedback/nextpass.in=2", "not multi-pass"),
        ("code 43, write feedback/nextpass.in=2", "exited with 43"),
    ] {
        let task = worker.trial_task("out one", worker.setting(ALONE, worker.validators(&[validator])));
        let short = in_short(&worker.trial(task));
        assert!(short.starts_with("validator: ") && short.contains(what), "{validator}: {short}");
    }
}

#[test]
fn validators_are_asked_only_about_programs_that_end_well() {
    let worker = ScriptedWorker::new();
    for (submission, want, asked) in [
        ("out one", "AC", 1),
        ("out one, code 1", "RTE", 0),
        ("out one, signal 11", "RTE", 0),
        ("out one, cpu 1001", "TLE", 1),
        ("out one, exceeded cpu, cpu 2000", "TLE", 0),
        ("out one, exceeded output", "OLE", 0),
        ("out one, exceeded memory", "MLE", 0),
        ("out one, exceeded wall", "ILE", 0),
        ("out one, cpu 900, unseen 101", "undecided", 0),
    ] {
        worker.sandbox.forget();
        let task = worker.trial_task(submission, worker.setting(ALONE, worker.validators(&["code 42"])));
        assert!(in_short(&worker.trial(task)).starts_with(want), "{submission}");
        assert_eq!(worker.sandbox.count("validator0"), asked, "{submission}");
    }
}

#[test]
fn the_last_score_and_all_messages_of_the_validators_count() {
    let worker = ScriptedWorker::new();
    let say = |code: u32, score: &str, message: &str| {
        let score =
            if score.is_empty() { String::new() } else { format!(", write feedback/score.txt={score}") };
        format!("code {code}{score}, write feedback/judgemessage.txt={message}")
    };
    for (first, second, want, points, message) in [
        (say(42, "3", "a"), say(42, "7", "b"), "AC", "7", "ab"),
        (say(42, "3", "a"), say(42, "", "b"), "AC", "3", "ab"),
        (say(42, "", "a"), say(43, "7", "b"), "WA", "7", "ab"),
        (say(43, "3", "a"), say(42, "7", "b"), "WA", "3", "a"),
        (say(42, "3", "a"), "code 42".into(), "AC", "3", "a"),
    ] {
        let task = worker.trial_task("out one", worker.setting(ALONE, worker.validators(&[&first, &second])));
        let trial = worker.trial(task).unwrap();
        let points = Some(Score::Points(points.parse().unwrap()));
        assert_eq!((trial.verdict.short(), trial.score), (want, points), "{first} {second}");
        assert_eq!(trial.judge_message, message, "{first} {second}");
    }
    let second = worker.sandbox.asked().into_iter().rfind(|run| run.program == "validator1").unwrap();
    assert!(second.files.is_empty(), "it cannot read what the first left: {:?}", second.files);
    assert_eq!(second.stdin, "one");
}

#[test]
fn an_output_alone_is_checked_and_a_validator_that_fails_is_an_answer() {
    let worker = ScriptedWorker::new();
    let failed = "the output validator exited with 1 instead of 42 or 43";
    for (validators, accepted, failed, scored_zero, message) in [
        (&["code 42"][..], true, false, false, ""),
        (&["code 42, write feedback/score.txt=0"], true, false, true, ""),
        (&["code 42, write feedback/score.txt=1"], true, false, false, ""),
        (&["code 43, write feedback/judgemessage.txt=no\\nno"], false, false, false, "no no"),
        (&["code 42", "code 43"], false, false, false, ""),
        (&["code 1", "code 42"], false, true, false, failed),
    ] {
        let (checker, case) = (worker.validators(validators), worker.case("1\n", "one\n"));
        let output = worker.lend("output", "two\n");
        let task = OutputTask { checker: Arc::new(checker), case: Arc::new(case), output };
        let Ok(Outcome::Validation(reply)) = worker.perform(Task::CheckOutput(task)) else {
            panic!("no reply")
        };
        assert_eq!((reply.accepted, reply.failed), (accepted, failed), "{validators:?}");
        assert_eq!((reply.scored_zero, reply.message.as_str()), (scored_zero, message), "{validators:?}");
    }
}

#[test]
fn the_default_validator_compares_with_the_answer() {
    let worker = ScriptedWorker::new();
    for (submission, want) in [
        ("out one", "AC"),
        ("out  one \\n\\n", "AC"),
        ("out two", "WA"),
        ("out one one", "WA"),
        ("", "WA"),
        ("out one, cpu 1000", "AC"),
        ("out one, cpu 1001", "TLE"),
        ("out one, cpu 1500, code 1", "RTE"),
        ("out one, exceeded cpu, cpu 2000", "TLE"),
    ] {
        assert_eq!(in_short(&worker.trial(worker.alone(submission))), want, "{submission}");
    }
}

#[test]
fn a_program_with_named_files_must_write_its_own() {
    let worker = ScriptedWorker::new();
    let names = NamedFiles { input: "in.txt".into(), output: "out.txt".into() };
    for (submission, want, note) in [
        ("write out.txt=one", "AC", ""),
        ("write out.txt=two, out one", "WA", ""),
        ("out one", "WA", "the output file was not written"),
        ("code 1", "RTE", ""),
    ] {
        let mut setting = worker.setting(ALONE, Checker::Default(Format::V2025_09));
        setting.named_files = Some(names.clone());
        let trial = worker.trial(worker.trial_task(submission, setting)).unwrap();
        let notes = PageLanguage::English.say_all(&trial.notes);
        assert_eq!((trial.verdict.short(), notes), (want, note.into()), "{submission}");
        let run = worker.sandbox.asked().pop().unwrap();
        assert_eq!((run.files[Path::new("in.txt")].as_slice(), run.stdin.as_str()), (&b"1\n"[..], ""));
    }
}
