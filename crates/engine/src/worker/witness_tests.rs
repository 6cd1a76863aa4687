//! Runs above the time limit, each followed by a witness, and unseen CPU time.

use super::scripted_worker::{STOP, ScriptedWorker, in_short};
use kopek_plan::plan::{TrialTask, Witness};
use std::{sync::Arc, time::Duration};

const SLOW: &str = "out one, cpu 1500";

fn with_witness(worker: &ScriptedWorker, suspect: &str, witness: &str) -> TrialTask {
    let program = Arc::new(worker.program("witness", witness));
    let witness = Witness::Submission { program, case: Arc::new(worker.case("1\n", "one\n")) };
    TrialTask { witness: Some(witness), ..worker.alone(suspect) }
}

#[test]
fn a_witness_runs_after_a_time_above_the_limit_only() {
    let worker = ScriptedWorker::new();
    for (suspect, want, has_witness) in [
        ("out one, cpu 1000", "AC", false),
        ("out one, cpu 1001", "TLE", true),
        ("exceeded cpu, cpu 2000", "TLE", true),
        ("code 1, cpu 1500", "RTE", false),
        ("out two, cpu 1500", "WA", false),
        ("out two, cpu 1500\nout one, cpu 900", "WA", false),
        ("code 1, cpu 900", "RTE", false),
        ("exceeded output, cpu 1500", "OLE", false),
        ("out two", "WA", false),
        ("exceeded wall", "ILE", false),
        ("exceeded wall\nout one, cpu 1500", "TLE", true),
        ("exceeded wall, cpu 1500", "TLE", true),
        ("exceeded memory", "MLE", false),
    ] {
        worker.sandbox.forget();
        let trial = worker.trial(with_witness(&worker, suspect, "cpu 400")).unwrap();
        assert_eq!((trial.verdict.short(), trial.witness.is_some()), (want, has_witness), "{suspect}");
        assert_eq!(worker.sandbox.count("witness"), usize::from(has_witness), "{suspect}");
        let last = worker.sandbox.names().pop().unwrap();
        assert_eq!(last == "witness", has_witness, "{suspect}: it is the last to run");
    }
}

#[test]
fn a_short_witness_is_repeated_and_one_that_fails_is_replaced_by_a_spin() {
    let worker = ScriptedWorker::with_spins("cpu 123");
    let spin = "a spin, as witness failed on secret/1";
    // The witness's runs, the reported witness and its time, and the number of runs.
    for (witness, name, millis, runs) in [
        ("cpu 400", "witness", 400, 1),
        ("cpu 100", "witness", 100, 1),
        ("cpu 99", "witness", 99, 2),
        ("cpu 30", "witness", 30, 4),
        ("cpu 60\ncpu 20\ncpu 40", "witness", 40, 3),
        ("cpu 1", "witness", 1, 50),
        ("cpu 0", "witness", 0, 50),
        ("cpu 1500", "witness", 1500, 1),
        ("cpu 400, out two", "witness", 400, 1),
        ("cpu 400, code 1", spin, 123, 1),
        ("cpu 60\nsignal 11", spin, 123, 2),
        ("exceeded cpu, cpu 16000", spin, 123, 1),
        ("exceeded wall", spin, 123, 1),
        ("signal 9", spin, 123, 1),
        ("stumbled over it", spin, 123, 1),
    ] {
        worker.sandbox.forget();
        let time = worker.trial(with_witness(&worker, SLOW, witness)).unwrap().witness.unwrap();
        assert_eq!((time.name.as_str(), time.time.as_millis()), (name, millis), "{witness}");
        assert_eq!((worker.sandbox.count("witness"), time.machine.as_str()), (runs, "here"), "{witness}");
    }
}

#[test]
fn the_key_of_a_witness_is_that_of_the_program_that_ran() {
    let worker = ScriptedWorker::new();
    let task = with_witness(&worker, SLOW, "cpu 400");
    let asked = task.witness.as_ref().unwrap().key(&task.setting);
    assert_eq!(worker.trial(task).unwrap().witness.unwrap().witness, asked);
    for witness in ["code 1", "stumbled over it"] {
        let task = with_witness(&worker, SLOW, witness);
        let spin = Witness::Spin.key(&task.setting);
        assert_eq!(worker.trial(task).unwrap().witness.unwrap().witness, spin, "{witness}");
    }
    let task = TrialTask { witness: Some(Witness::Spin), ..worker.alone(SLOW) };
    let time = worker.trial(task).unwrap().witness.unwrap();
    assert_eq!((time.name.as_str(), time.time.as_millis()), ("a spin", 100));
}

#[test]
fn a_fault_of_the_witness_is_a_fault_of_the_pair() {
    let worker = ScriptedWorker::new();
    for (witness, want) in [
        ("fault no disk", "machine: no disk"),
        ("disturbed busy", "undecided: busy"),
        ("cpu 60\ndisturbed busy", "undecided: busy"),
        ("cpu 600, unseen 500", "undecided: 0.60 s"),
    ] {
        let short = in_short(&worker.trial(with_witness(&worker, SLOW, witness)));
        assert!(short.starts_with(want), "{witness}: {short}");
    }
}

#[test]
fn a_suspect_is_stopped_at_the_time_of_its_pair_and_a_witness_far_beyond_the_limit() {
    let worker = ScriptedWorker::new();
    let first = with_witness(&worker, SLOW, "cpu 400");
    let seconds = Duration::from_secs;
    // The stop of the pair, and the limits of the suspect's run.
    for (stop, cpu, wall) in [(seconds(6), seconds(6), seconds(7)), (seconds(1), STOP, seconds(3))] {
        worker.sandbox.forget();
        worker.trial(first.pair(first.witness.as_ref().unwrap(), 1, stop)).unwrap();
        let [suspect, witness] = worker.sandbox.asked().try_into().unwrap();
        assert_eq!((suspect.exec.limits.cpu, suspect.exec.limits.wall), (cpu, wall));
        assert_eq!((witness.exec.limits.cpu, witness.exec.limits.wall), (seconds(16), seconds(19)));
        assert_eq!(suspect.exec.extension, Some(5 * wall), "a busy machine may prolong it by five limits");
    }
}

#[test]
fn unseen_cpu_time_that_may_exceed_the_limit_is_undecided() {
    let worker = ScriptedWorker::new();
    for (submission, want) in [
        ("out one, cpu 600, unseen 400", "AC"),
        ("out one, cpu 600, unseen 401", "undecided"),
        ("out one, cpu 1000, unseen 1", "undecided"),
        ("code 1, cpu 600, unseen 500", "undecided"),
        ("signal 11, cpu 600, unseen 500", "undecided"),
        // Above the limit in any case, or stopped at a limit.
        ("out one, cpu 1001, unseen 500", "TLE"),
        ("exceeded output, cpu 600, unseen 500", "OLE"),
        ("exceeded wall, cpu 600, unseen 500", "ILE"),
        ("exceeded memory, cpu 600, unseen 500", "MLE"),
    ] {
        let short = in_short(&worker.trial(worker.alone(submission)));
        assert!(short.starts_with(want), "{submission}: {short}");
    }
    let short = in_short(&worker.trial(worker.alone("cpu 600, unseen 500")));
    assert!(
        short.contains("0.60 s of CPU time, up to 1.10 s") && short.contains("a limit of 1 s"),
        "{short}"
    );
}

#[test]
fn a_settled_trial_is_decided_in_its_own_job_or_is_undecided() {
    let worker = ScriptedWorker::new();
    for (submission, want, runs) in [
        ("out one, cpu 1000", "AC", 1),
        ("out one, cpu 1600", "TLE", 1),
        ("out one, cpu 1300", "TLE", 4),
        ("out one, cpu 1300\nout one, cpu 900", "AC", 2),
        ("out one, cpu 1300\nfault no disk", "machine: no disk", 2),
        (
            "out one, cpu 1200",
            "undecided: 1.20 s of 1 s in each of 4 runs, 1.20 s adjusted by a spin: probably too slow",
            4,
        ),
    ] {
        worker.sandbox.forget();
        let task = worker.alone(submission).settled();
        assert_ne!(task.key(), worker.alone(submission).key(), "it is another fact");
        assert_eq!(in_short(&worker.trial(task)), want, "{submission}");
        assert_eq!(worker.sandbox.count("submission"), runs, "{submission}");
    }
}
