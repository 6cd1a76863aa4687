//! Does the jobs of trials: runs with their retries and, if a time is above the limit, with the witness right after it.

use super::{job_worker::Worker, retry::run_unspoilt, run_trial::run_trial};
use kopek_package::verdict::Verdict;
use kopek_plan::{
    plan::{Program, Trial, TrialTask, Witness, WitnessTime},
    timing::{MAX_SLOWNESS, Suspect, SuspectStep},
};
use kopek_sandbox::{Exit, Fault, FaultSource};
use std::{sync::Arc, time::Duration};

/// Shorter witnesses are repeated for this long: below that, most of the time is the start of the program.
const WITNESS_TIME: Duration = Duration::from_millis(100);

/// The largest number of repetitions.
const MAX_WITNESS_RUNS: u32 = 50;

/// Does the job of a trial.
pub(super) fn do_trial(worker: &mut Worker, task: &TrialTask) -> Result<Trial, Fault> {
    if task.settles { settle_trial(worker, task) } else { run_witnessed_trial(worker, task) }
}

/// Runs a program on a case. Pairs with a spin decide about a time above the limit.
pub(super) fn settle_trial(worker: &mut Worker, task: &TrialTask) -> Result<Trial, Fault> {
    let machine = worker.machine;
    let mut run = |repetition, stop| -> Result<Trial, Fault> {
        let trial = run_witnessed_trial(worker, &task.pair(&Witness::Spin, repetition, stop))?;
        trial.witness.iter().for_each(|time| machine.least_times.note(&machine.store, time));
        Ok(trial)
    };
    let first = run(0, task.setting.stop)?;
    if first.verdict != Verdict::TimeLimit {
        return Ok(first);
    }
    let min = |time: &WitnessTime| machine.least_times.min(&machine.store, time);
    let mut suspect = Suspect::new(task.setting.limits.cpu, first);
    loop {
        match suspect.step(&min) {
            SuspectStep::Decided(trial) => return Ok(*trial),
            SuspectStep::Undecided => return Err(Fault::undecided(suspect.times(&min).to_string())),
            SuspectStep::RunPair { repetition, stop } => suspect.add(run(repetition, stop)?),
        }
    }
}

/// Runs a program on a case; runs the witness right after it if the time is above the limit.
fn run_witnessed_trial(worker: &mut Worker, task: &TrialTask) -> Result<Trial, Fault> {
    let mut trial = run_unspoilt(|| run_trial(worker, task))?;
    // Transcripts help to find mistakes; those of accepted trials would fill the store.
    if trial.verdict == Verdict::Accepted {
        trial.transcript.clear();
    }
    if let (Verdict::TimeLimit, Some(witness)) = (trial.verdict, &task.witness) {
        trial.witness = Some(time_witness(worker, task, witness)?);
    }
    Ok(trial)
}

/// Times a witness in the slot of the suspect, whose box is empty now. A submission that fails is no witness,
/// and a spin replaces it.
fn time_witness(worker: &mut Worker, suspect: &TrialTask, witness: &Witness) -> Result<WitnessTime, Fault> {
    let name = witness.name().to_owned();
    let Witness::Submission { program, case } = witness else {
        return Ok(spin_in_place(worker, suspect, name));
    };
    let mut program = Program::clone(program);
    program.limits.cpu = suspect.setting.limits.cpu.mul_f64(MAX_SLOWNESS);
    program.limits.wall += program.limits.cpu;
    let task = TrialTask::new(Arc::new(program), case.clone(), suspect.setting.clone());
    let Some(time) = mean_time(worker, &task)? else {
        let name = format!("a spin, as {name} failed on {}", case.name);
        return Ok(spin_in_place(worker, suspect, name));
    };
    let is_alike = task.program.build.language.code == suspect.program.build.language.code;
    let witness = witness.key(&suspect.setting);
    let machine = worker.machine.name.clone();
    Ok(WitnessTime { witness, name, machine, is_alike, time })
}

/// Times a spin in the slot of the suspect.
fn spin_in_place(worker: &mut Worker, suspect: &TrialTask, name: String) -> WitnessTime {
    let witness = Witness::Spin.key(&suspect.setting);
    let machine = worker.machine.name.clone();
    WitnessTime { witness, name, machine, is_alike: false, time: worker.slots.submission.time_spin() }
}

/// The mean of as many runs as fit into [`WITNESS_TIME`]; none if one fails.
fn mean_time(worker: &mut Worker, witness: &TrialTask) -> Result<Option<Duration>, Fault> {
    let mut total = Duration::ZERO;
    let mut runs = 0;
    while total < WITNESS_TIME && runs < MAX_WITNESS_RUNS {
        match run_trial(worker, witness) {
            Ok(ran) if ran.exit == Exit::Code(0) => total += ran.usage.cpu,
            Ok(_) => return Ok(None),
            Err(fault) if fault.source == FaultSource::TrustedProgram => return Ok(None),
            Err(fault) => return Err(fault),
        }
        runs += 1;
    }
    Ok(Some(total / runs))
}
