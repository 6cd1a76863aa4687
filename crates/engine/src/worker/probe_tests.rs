//! Batches of new inputs: which inputs are used, which subjects fail on them, and when a batch ends.

use super::scripted_worker::{ALONE, ScriptedWorker, source_of};
use kopek_base::Clock;
use kopek_package::{package::Format, verdict::Verdict};
use kopek_plan::plan::{
    Checker, InputRuling, Outcome, ProbeFailure, ProbeGround, ProbeHit, ProbeInputs, ProbeResult, ProbeTask,
    ProbeUntil, Task, UnusedInput,
};
use kopek_sandbox::Fault;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// A batch whose generator prints its argument and whose programs print their input, unless it says otherwise.
#[derive(Clone, Copy)]
struct Batch<'a> {
    calls: &'a [&'a str],
    /// Whether the calls are the inputs themselves.
    are_given: bool,
    generator: &'a str,
    input_validator: &'a str,
    solution: &'a str,
    output_validator: Option<&'a str>,
    subjects: &'a [&'a str],
    until: ProbeUntil,
    deadline: Option<Instant>,
}

const USUAL: Batch = Batch {
    calls: &["1", "2", "3"],
    are_given: false,
    generator: "out {arg}",
    input_validator: "code 42",
    solution: "out {input}",
    output_validator: None,
    subjects: &["out {input}"],
    until: ProbeUntil::FirstHit,
    deadline: None,
};

impl Batch<'_> {
    fn task(&self, worker: &ScriptedWorker) -> ProbeTask {
        let shared = |name: &str, text: &str| Arc::new(worker.program(name, text));
        let checker = match self.output_validator {
            None => Checker::Default(Format::V2025_09),
            Some(text) => worker.validators(&[text]),
        };
        let inputs = match self.are_given {
            true => ProbeInputs::Given(self.calls.iter().map(|call| call.as_bytes().into()).collect()),
            false => ProbeInputs::Generated {
                program: shared("generator", self.generator),
                calls: self.calls.iter().map(|call| vec![(*call).to_owned()]).collect(),
            },
        };
        let validator = shared("input validator", self.input_validator);
        let subject = |(at, text): (usize, &&str)| shared(&format!("subject{at}"), text);
        ProbeTask {
            inputs,
            subjects: self.subjects.iter().enumerate().map(subject).collect(),
            ground: Arc::new(ProbeGround {
                input_validators: vec![InputRuling { validator, args: Vec::new() }],
                solution: Some(shared("solution", self.solution)),
                case: worker.case("", ""),
                setting: Arc::new(worker.setting(ALONE, checker)),
            }),
            until: self.until,
            deadline: self.deadline,
        }
    }

    fn probe(&self, worker: &ScriptedWorker) -> Result<ProbeResult, Fault> {
        worker.sandbox.forget();
        match worker.perform(Task::Probe(Arc::new(self.task(worker))))? {
            Outcome::Probe(result) => Ok(result),
            other => panic!("{other:?}"),
        }
    }
}

/// The counts above zero, and the hits: call, subject and failure.
fn in_short(result: &ProbeResult) -> String {
    let counts = [
        ("valid", result.valid),
        ("refused", result.refused),
        ("failed", result.failed_calls),
        ("repeated", result.repeated),
        ("trials", result.trials),
        ("undecided", result.undecided.len() as u32),
    ];
    let mut parts: Vec<String> = counts
        .iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    parts.extend((!result.unused.is_empty()).then(|| format!("unused {:?}", result.unused)));
    parts.extend(result.hung.map(|call| format!("hung {call}")));
    parts.extend(result.cut.then(|| "cut".to_owned()));
    parts.extend(result.hits.iter().map(hit_in_short));
    parts.join(", ")
}

fn hit_in_short(hit: &ProbeHit) -> String {
    let subject = hit.subject.map_or("package".into(), |subject| format!("subject{subject}"));
    match hit.failure {
        ProbeFailure::Verdict(verdict) => format!("{}: {subject} {}", hit.input, verdict.short()),
        failure => format!("{}: {subject} {failure:?}", hit.input),
    }
}

#[track_caller]
fn assert_batches(worker: &ScriptedWorker, batches: &[(Batch, &str)]) {
    for (at, (batch, want)) in batches.iter().enumerate() {
        assert_eq!(in_short(&batch.probe(worker).unwrap()), *want, "batch {at}");
    }
}

#[test]
fn inputs_that_cannot_be_used_are_counted() {
    let worker = ScriptedWorker::new();
    let generator = |generator| Batch { generator, ..USUAL };
    let validator = |input_validator| Batch { input_validator, ..USUAL };
    let all = "valid 3, trials 3";
    assert_batches(
        &worker,
        &[
            (USUAL, all),
            (Batch { calls: &["1", "2", "1", "1"], ..USUAL }, "valid 2, repeated 2, trials 2"),
            (generator("write testcase.in={arg}"), all),
            (generator("out no, write testcase.in={arg}"), all),
            (generator("for 2: code 1\nout {arg}"), "valid 2, failed 1, trials 2, unused [1]"),
            (generator("for 2: code 1, out 7\nout {arg}"), "valid 2, failed 1, trials 2, unused [1]"),
            (generator("for 2: signal 11\nout {arg}"), "valid 2, failed 1, trials 2, unused [1]"),
            (generator("for 2: code 0\nout {arg}"), "valid 2, failed 1, trials 2, unused [1]"),
            // A call that hangs ends the batch.
            (generator("for 2: exceeded cpu\nout {arg}"), "valid 1, failed 1, trials 1, unused [1], hung 1"),
            (
                generator("for 2: exceeded output\nout {arg}"),
                "valid 1, failed 1, trials 1, unused [1], hung 1",
            ),
            // Any end but code 42 is a refusal.
            (validator("for 2: code 43\ncode 42"), "valid 2, refused 1, trials 2, unused [1]"),
            (validator("for 2: code 1\ncode 42"), "valid 2, refused 1, trials 2, unused [1]"),
            (validator("for 2: signal 11\ncode 42"), "valid 2, refused 1, trials 2, unused [1]"),
            (validator("for 2: exceeded cpu\ncode 42"), "valid 2, refused 1, trials 2, unused [1]"),
            (validator("code 0"), "refused 3, unused [0, 1, 2]"),
            // Inputs that were given come from no call.
            (Batch { are_given: true, ..USUAL }, all),
            (
                Batch { are_given: true, ..validator("for 2: code 43\ncode 42") },
                "valid 2, refused 1, trials 2",
            ),
            (
                Batch { are_given: true, solution: "for 2: exceeded cpu\nout {input}", ..USUAL },
                "valid 3, trials 2",
            ),
        ],
    );
}

#[test]
fn the_first_unused_input_is_explained() {
    let worker = ScriptedWorker::new();
    let complaint = |batch: Batch| batch.probe(&worker).unwrap().complaint;
    let not_made = |why: &str| Some(UnusedInput::NotMade(why.to_owned()));
    let unusable = |why: &str| Some(UnusedInput::Unusable(why.to_owned()));
    for (batch, want) in [
        (USUAL, None),
        (
            Batch { generator: "for 2: code 7, err oh\\nno\nfor 3: code 8\nout {arg}", ..USUAL },
            not_made("generator `generator 2` exited with 7: oh | no"),
        ),
        (
            Batch { generator: "for 2: exceeded cpu\nout {arg}", ..USUAL },
            not_made("generator `generator 2` used more than 2 s of CPU time"),
        ),
        (
            Batch { input_validator: "for 2: code 43, err odd\nfor 3: code 1\ncode 42", ..USUAL },
            unusable("input validator `input validator` exited with 43: odd"),
        ),
        (
            Batch { solution: "for 2: exceeded cpu\nout {input}", ..USUAL },
            unusable("`solution` used more than 2 s of CPU time"),
        ),
    ] {
        assert_eq!(complaint(batch), want);
    }
}

#[test]
fn a_solution_that_fails_or_whose_answer_is_refused_is_a_hit_of_the_package() {
    let worker = ScriptedWorker::new();
    let solution = |solution| Batch { solution, ..USUAL };
    let validator = |text| Batch { output_validator: Some(text), ..USUAL };
    assert_batches(
        &worker,
        &[
            (solution("for 2: code 1\nout {input}"), "valid 2, trials 1, 1: package SolutionFailed"),
            (solution("for 2: signal 11\nout {input}"), "valid 2, trials 1, 1: package SolutionFailed"),
            (solution("for 2: exceeded memory\nout {input}"), "valid 2, trials 1, 1: package SolutionFailed"),
            // Taking too long for a hunt is not a mistake.
            (solution("for 2: exceeded cpu\nout {input}"), "valid 2, trials 1, hung 1"),
            (validator("code 42"), "valid 3, trials 3"),
            (validator("for 2: code 43\ncode 42"), "valid 2, trials 1, 1: package AnswerRefused"),
            (validator("for 2: code 1\ncode 42"), "valid 2, trials 1, 1: package ValidatorFailedOnAnswer"),
            (
                Batch { until: ProbeUntil::End, ..validator("for 2: code 43\ncode 42") },
                "valid 3, trials 2, 1: package AnswerRefused",
            ),
            // The validator fails on the subject's output.
            (
                Batch { subjects: &["for 2: out 9\nout {input}"], ..validator("for 9: code 43\ncode 42") },
                "valid 2, trials 2, 1: subject0 WA",
            ),
            (
                Batch { subjects: &["for 2: out 9\nout {input}"], ..validator("for 9: code 1\ncode 42") },
                "valid 2, trials 2, 1: subject0 ValidatorFailed",
            ),
        ],
    );
    let hits = validator("for 2: code 43, write feedback/judgemessage.txt=too\\nlow\ncode 42").probe(&worker);
    let hit = hits.unwrap().hits.remove(0);
    assert_eq!((hit.message.as_str(), hit.answer.as_str(), hit.trial), ("too low", "2", None));
}

#[test]
fn a_batch_ends_at_its_first_hit_its_failure_or_its_last_input() {
    let worker = ScriptedWorker::new();
    let (first, second) = ("for 1: out 9\nfor 3: code 1\nout {input}", "for 3: out 9\nout {input}");
    let calls = &["1", "2", "3", "4"];
    let ended = |until, subjects| Batch { until, subjects, calls, ..USUAL };
    let (both, wrong) =
        (&[first, second][..], &["for 1: out 9\nout {input}", "for 1: code 1\nout {input}"][..]);
    let failure = |verdict| ProbeUntil::Failure(ProbeFailure::Verdict(verdict));
    assert_batches(
        &worker,
        &[
            (ended(ProbeUntil::FirstHit, &[second]), "valid 3, trials 3, 2: subject0 WA"),
            // The other subjects still run on that input.
            (ended(ProbeUntil::FirstHit, wrong), "valid 1, trials 2, 0: subject0 WA, 0: subject1 RTE"),
            (ended(ProbeUntil::EachFailed, wrong), "valid 1, trials 2, 0: subject0 WA, 0: subject1 RTE"),
            // A subject that failed is not run again.
            (ended(ProbeUntil::EachFailed, both), "valid 3, trials 4, 0: subject0 WA, 2: subject1 WA"),
            (
                ended(ProbeUntil::End, both),
                "valid 4, trials 8, 0: subject0 WA, 2: subject0 RTE, 2: subject1 WA",
            ),
            (ended(failure(Verdict::WrongAnswer), both), "valid 1, trials 2, 0: subject0 WA"),
            (
                ended(failure(Verdict::RunTimeError), both),
                "valid 3, trials 6, 0: subject0 WA, 2: subject0 RTE, 2: subject1 WA",
            ),
            (
                ended(failure(Verdict::IdleLimit), both),
                "valid 4, trials 8, 0: subject0 WA, 2: subject0 RTE, 2: subject1 WA",
            ),
            (
                Batch {
                    until: ProbeUntil::Failure(ProbeFailure::SolutionFailed),
                    ..ended(ProbeUntil::End, &[first])
                },
                "valid 4, trials 4, 0: subject0 WA, 2: subject0 RTE",
            ),
        ],
    );
}

#[test]
fn a_batch_whose_time_is_up_tries_nothing_and_is_no_fact() {
    let mut worker = ScriptedWorker::new();
    worker.machine.clock = Clock::stopped();
    let now = worker.machine.clock.now();
    let late = Batch { deadline: Some(now), ..USUAL };
    let result = late.probe(&worker).unwrap();
    assert_eq!((in_short(&result).as_str(), worker.sandbox.names().len()), ("cut", 0));
    assert!(!Outcome::Probe(result).is_lasting());
    let in_time = Batch { deadline: Some(now + Duration::from_millis(1)), ..USUAL };
    assert!(Outcome::Probe(in_time.probe(&worker).unwrap()).is_lasting());
    assert_eq!(late.task(&worker).key(), USUAL.task(&worker).key(), "the deadline is no part of the key");
}

#[test]
fn a_hit_names_its_input_where_a_generator_wrote_it() {
    let worker = ScriptedWorker::new();
    let wrong = Batch { subjects: &["for 2: out 9\nout {input}"], ..USUAL };
    let hit = wrong.probe(&worker).unwrap().hits.remove(0);
    let kept = worker.machine.store.bytes(&hit.contents.unwrap().digest).unwrap();
    assert_eq!((kept.as_deref(), hit.answer.as_str()), (Some(&b"2"[..]), "2"));
    assert_eq!(hit.trial.unwrap().verdict, Verdict::WrongAnswer);
    let given = Batch { are_given: true, ..wrong }.probe(&worker).unwrap();
    assert!(given.hits[0].contents.is_none());
}

#[test]
fn every_program_of_a_batch_reads_the_input_of_its_turn() {
    let worker = ScriptedWorker::new();
    let batch = Batch { output_validator: Some("code 42"), solution: "out <{input}>", ..USUAL };
    Batch { calls: &["1", "2"], ..batch }.probe(&worker).unwrap();
    let asked = worker.sandbox.asked();
    // The stdin of each program, and the input and answer that validators see.
    let turn = |n: u32| {
        let shown = format!("{n} <{n}>");
        [
            "generator  ".to_owned(),
            format!("input validator {n} "),
            format!("solution {n} "),
            format!("validator0 <{n}> {shown}"),
            format!("subject0 {n} "),
            format!("validator0 {n} {shown}"),
        ]
    };
    let read: Vec<String> =
        asked.iter().map(|run| format!("{} {} {}", run.program, run.stdin, run.shown.join(" "))).collect();
    assert_eq!(read, [turn(1), turn(2)].concat());
}

/// The CPU limits of the first subject's runs, in seconds.
fn stops(worker: &ScriptedWorker) -> Vec<f64> {
    let runs = worker.sandbox.asked().into_iter().filter(|run| run.program == "subject0");
    runs.map(|run| run.exec.limits.cpu.as_secs_f64()).collect()
}

#[test]
fn a_time_above_the_limit_is_settled_by_pairs_with_a_spin() {
    let one = Batch { calls: &["2"], ..USUAL };
    // The spins, the subject's runs, the result, and the CPU limits of the subject's runs.
    for (spins, subject, want, stopped_at) in [
        ("cpu 100", "cpu 1000, out 2", "valid 1, trials 1", &[2.0][..]),
        ("cpu 100", "cpu 1800, out 2", "valid 1, trials 1, 0: subject0 TLE", &[2.0]),
        ("cpu 100", "exceeded cpu, cpu 2000", "valid 1, trials 1, 0: subject0 TLE", &[2.0]),
        ("cpu 100", "cpu 1300, out 2", "valid 1, trials 1, 0: subject0 TLE", &[2.0, 3.0, 3.0, 3.0]),
        ("cpu 100", "cpu 1200, out 2", "valid 1, trials 1, undecided 1", &[2.0, 3.0, 3.0, 3.0]),
        ("cpu 100", "cpu 1300, out 2\ncpu 900, out 2", "valid 1, trials 1", &[2.0, 3.0]),
        ("cpu 100", "cpu 1300, out 2\ncpu 900, out 9", "valid 1, trials 1, 0: subject0 WA", &[2.0, 3.0]),
        (
            "cpu 100",
            "cpu 1300, out 2\ncpu 1300, out 2\ncode 1",
            "valid 1, trials 1, 0: subject0 RTE",
            &[2.0, 3.0, 3.0],
        ),
        // A wrong output above the limit is final.
        ("cpu 100", "cpu 1300, out 9\ncpu 900, out 2", "valid 1, trials 1, 0: subject0 WA", &[2.0]),
        // The machine is slow only at times.
        (
            "cpu 200\ncpu 100\ncpu 200",
            "cpu 1400, out 2",
            "valid 1, trials 1, undecided 1",
            &[2.0, 3.0, 6.0, 6.0],
        ),
        ("cpu 200\ncpu 100\ncpu 100", "cpu 1900, out 2", "valid 1, trials 1, 0: subject0 TLE", &[2.0]),
        ("cpu 100", "cpu 1300, out 2\ndisturbed busy", "valid 1, trials 1, undecided 1", &[2.0, 3.0]),
        ("cpu 100", "cpu 600, unseen 500", "valid 1, trials 1, undecided 1", &[2.0]),
    ] {
        let worker = ScriptedWorker::with_spins(spins);
        let result = Batch { subjects: &[subject], ..one }.probe(&worker).unwrap();
        assert_eq!(in_short(&result), want, "{spins} | {subject}");
        assert_eq!(stops(&worker), stopped_at, "{spins} | {subject}");
    }
    let worker = ScriptedWorker::new();
    let result = Batch { subjects: &["cpu 1200, out 2"], ..one }.probe(&worker).unwrap();
    let words = "1.20 s of 1 s in each of 4 runs, 1.20 s adjusted by a spin: probably too slow";
    assert_eq!(result.undecided, [words]);
    assert!(!Outcome::Probe(result).is_lasting(), "a quiet machine may tell");
}

#[test]
fn a_disturbed_trial_leaves_the_rest_of_the_batch_and_other_faults_end_it() {
    let worker = ScriptedWorker::new();
    let two = &["for 1: disturbed busy\nout {input}", "for 3: out 9\nout {input}"];
    let result = Batch { subjects: two, ..USUAL }.probe(&worker).unwrap();
    assert_eq!(in_short(&result), "valid 3, trials 6, undecided 1, 2: subject1 WA");
    assert_eq!(result.undecided, ["busy"]);
    let generator = |generator| Batch { generator, ..USUAL };
    let input_validator = |input_validator| Batch { input_validator, ..USUAL };
    let solution = |solution| Batch { solution, ..USUAL };
    let judged = |text| Batch { output_validator: Some(text), ..USUAL };
    for (batch, source) in [
        (generator("for 2: fault over it\nout {arg}"), "machine"),
        (generator("for 2: disturbed over it\nout {arg}"), "undecided"),
        (input_validator("for 2: fault over it\ncode 42"), "machine"),
        (input_validator("for 2: disturbed over it\ncode 42"), "undecided"),
        (solution("for 2: fault over it\nout {input}"), "machine"),
        (solution("for 2: disturbed over it\nout {input}"), "undecided"),
        (judged("for 2: fault over it\ncode 42"), "machine"),
        (judged("for 2: disturbed over it\ncode 42"), "undecided"),
        (Batch { subjects: &["for 2: fault over it\nout {input}"], ..USUAL }, "machine"),
    ] {
        let fault = batch.probe(&worker).unwrap_err();
        assert_eq!((source_of(&fault), fault.what.as_str()), (source, "over it"));
    }
    // A machine that stood still looks the same.
    for batch in [
        generator("for 2: exceeded wall\nout {arg}"),
        input_validator("for 2: exceeded wall\ncode 42"),
        solution("for 2: exceeded wall\nout {input}"),
    ] {
        assert_eq!(source_of(&batch.probe(&worker).unwrap_err()), "undecided");
    }
}
