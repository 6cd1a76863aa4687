//! Which runs are retried, how often, and which run counts.

use super::{
    perform::{perform_patiently, performer},
    scripted_worker::{ScriptedWorker, in_short, trial_of},
};
use kopek_plan::plan::{Job, Task, Trial};
use kopek_sandbox::Fault;

/// Runs a trial with the retries of the local executor.
fn try_patiently(worker: &ScriptedWorker, submission: &str) -> Result<Trial, Fault> {
    let job = Job::new(Task::Trial(worker.alone(submission)));
    perform_patiently(&mut performer(&worker.machine, 0), &job).map(trial_of)
}

#[test]
fn runs_that_other_programs_may_have_spoilt_are_retried() {
    let (idle, memory, fine) = ("exceeded wall", "exceeded memory", "out one");
    let (killed, ended) = ("signal 9", "signal 15");
    let worker = ScriptedWorker::new();
    // The ends of the runs, the verdict, the number of runs, and the reported verdicts.
    for (runs, verdict, made, tries) in [
        (&[fine][..], "AC", 1, ""),
        // Two repetitions for idle runs.
        (&[idle, fine], "AC", 2, "ILE AC"),
        (&[idle, idle, fine], "AC", 3, "ILE ILE AC"),
        (&[idle], "ILE", 3, "ILE ILE ILE"),
        (&[idle, "code 1"], "RTE", 2, "ILE RTE"),
        (&[idle, "out one, cpu 1500"], "TLE", 2, "ILE TLE"),
        (&[idle, "out two"], "WA", 2, "ILE WA"),
        // One repetition for a memory limit.
        (&[memory, fine], "AC", 2, "MLE AC"),
        (&[memory], "MLE", 2, "MLE MLE"),
        (&[memory, idle, fine], "ILE", 2, "MLE ILE"),
        (&[idle, memory, fine], "AC", 3, "ILE MLE AC"),
        // Three repetitions for programs that were killed; they are not reported.
        (&[killed, fine], "AC", 2, ""),
        (&[killed, killed, killed, fine], "AC", 4, ""),
        (&[killed], "RTE", 4, ""),
        (&[ended, fine], "AC", 2, ""),
        (&[ended, killed, "code 1"], "RTE", 3, ""),
        (&[idle, killed, fine], "AC", 3, "ILE RTE AC"),
        // No repetition.
        (&["signal 11", fine], "RTE", 1, ""),
        (&["code 1", fine], "RTE", 1, ""),
        (&["code 137", fine], "RTE", 1, ""),
        (&["exceeded cpu, cpu 2000", fine], "TLE", 1, ""),
        (&["signal 9, cpu 1500", "out one, cpu 1500"], "TLE", 2, ""),
        (&["exceeded output", fine], "OLE", 1, ""),
        (&["exceeded files", fine], "OLE", 1, ""),
        (&["exceeded processes", fine], "RTE", 1, ""),
        (&["out two", fine], "WA", 1, ""),
    ] {
        worker.sandbox.forget();
        let trial = worker.trial(worker.alone(&runs.join("\n"))).unwrap();
        let reported: Vec<&str> = trial.try_verdicts.iter().map(|verdict| verdict.short()).collect();
        let short = (trial.verdict.short(), worker.sandbox.count("submission"));
        assert_eq!((short, reported.join(" ").as_str()), ((verdict, made), tries), "{runs:?}");
        assert_eq!(trial.tries.len(), trial.try_verdicts.len(), "{runs:?}");
    }
}

#[test]
fn the_run_that_counts_is_the_last_and_all_times_are_kept() {
    let worker = ScriptedWorker::new();
    let trial =
        worker.trial(worker.alone("exceeded wall, cpu 5\nexceeded wall, cpu 7\nout one, cpu 3")).unwrap();
    let millis: Vec<u128> = trial.tries.iter().map(|time| time.as_millis()).collect();
    assert_eq!((trial.usage.cpu.as_millis(), millis), (3, vec![5, 7, 3]));
}

#[test]
fn jobs_with_a_fault_are_tried_three_times_unless_it_is_a_disturbance() {
    let worker = ScriptedWorker::new();
    for (runs, want, made) in [
        (&["fault no disk", "out one"][..], "AC", 2),
        (&["fault no disk", "fault no disk", "out two"], "WA", 3),
        (&["fault no disk"], "machine: no disk", 3),
        (&["fault no disk", "fault no memory", "fault no luck", "out one"], "machine: no luck", 3),
        (&["stumbled over it", "out one"], "AC", 2),
        (&["stumbled over it"], "validator: over it", 3),
        (&["disturbed busy", "out one"], "undecided: busy", 1),
        (&["fault no disk", "disturbed busy", "out one"], "undecided: busy", 2),
        (&["cpu 600, unseen 600, out one", "out one"], "undecided: 0.60 s", 1),
        // A fault in a retry restarts the trial.
        (&["exceeded wall", "fault no disk", "out one"], "AC", 3),
        (&["exceeded wall", "disturbed busy", "out one"], "undecided: busy", 2),
        (&["signal 9", "fault no disk", "exceeded memory", "out one"], "AC", 4),
    ] {
        worker.sandbox.forget();
        let short = in_short(&try_patiently(&worker, &runs.join("\n")));
        assert!(short.starts_with(want), "{runs:?}: {short}");
        assert_eq!(worker.sandbox.count("submission"), made, "{runs:?}");
    }
}
