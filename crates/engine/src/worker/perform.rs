//! Does any job: each kind in its own file.

use super::{
    build, drawing, grader, input_check,
    job_worker::{JobSlots, Worker, fault},
    make_case, output_check, probe,
    retry::{retry_faults, run_unspoilt},
};
use crate::{
    machine::Machine,
    plan::{Job, Outcome, Program, Task, Trial, TrialTask, Witness, WitnessTime},
    sandbox::{Exit, Fault, FaultSource},
    timing::MOST_SLOWNESS,
    verdict::Verdict,
};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

/// Does one job in a slot. Each slot has its own.
pub type Perform<'a> = Box<dyn FnMut(&Job) -> Result<Outcome, Fault> + Send + 'a>;

/// Does jobs of a machine, one at a time, on a CPU.
pub fn performer(machine: &Machine, cpu: usize) -> Perform<'_> {
    let slots = JobSlots { submission: machine.open_slot(Some(cpu)), judge: machine.open_slot(Some(cpu)) };
    let mut worker = Worker::new(machine, slots, cpu);
    Box::new(move |job| worker.perform(job))
}

/// Does a job, and again what failed through our fault. A panic is a fault.
pub fn perform_patiently(perform: &mut Perform, job: &Job) -> Result<Outcome, Fault> {
    retry_faults(|| {
        // A dead thread would leave its slot busy forever, and the run would never end.
        catch_unwind(AssertUnwindSafe(|| perform(job)))
            .unwrap_or_else(|_| Err(Fault::new("a bug of kopek: a job panicked; the message is above")))
    })
}

impl Worker<'_> {
    /// Does a job. What it names must still be as it was when all is over, or the outcome would be a
    /// fact about something else.
    fn perform(&mut self, job: &Job) -> Result<Outcome, Fault> {
        // Here, not where the slot is made: that happens on another thread than the one that does the jobs.
        self.slots.submission.pin_thread()?;
        self.forget_toolchains();
        let outcome = self.perform_task(job)?;
        self.check_toolchains()?;
        self.machine.store.check_untouched(&job.task.blobs()).map_err(fault)?;
        Ok(outcome)
    }

    fn perform_task(&mut self, job: &Job) -> Result<Outcome, Fault> {
        match &job.task {
            Task::Build(task) => {
                build::build(self.machine, &mut *self.slots.submission, task).map(Outcome::Build)
            }
            Task::MakeCase(task) => make_case::make_case(self, task).map(Outcome::Case),
            Task::CheckInput(task) => input_check::check_input(self, task).map(Outcome::Validation),
            Task::CheckOutput(task) => output_check::check_output(self, task).map(Outcome::Validation),
            Task::Trial(task) => {
                // Cases are made before trials: what made them would stay in memory for all of the class.
                self.programs.end_idle();
                self.trial(task).map(Outcome::Trial)
            }
            Task::CheckSource(task) => self.check_source(task).map(Outcome::Trial),
            Task::Grade(task) => grader::grade(self, task).map(Outcome::Grade),
            Task::Draw(task) => drawing::draw(self, task).map(Outcome::Drawing),
            Task::Probe(task) => probe::probe_inputs(self, task).map(Outcome::Probe),
        }
    }

    /// Runs a program on a case; right after it the witness, if its time is above the limit.
    pub(super) fn trial(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let mut trial = run_unspoilt(|writes_talk_down| {
            self.writes_talks_down = writes_talk_down;
            let trial = self.run_trial(task, &mut |_, _, _| Ok(()));
            self.writes_talks_down = false;
            trial
        })?;
        // A conversation is read only to find a mistake; those that went well would fill the store.
        if trial.verdict == Verdict::Accepted {
            trial.transcript.clear();
        }
        if let (Verdict::TimeLimit, Some(witness)) = (trial.verdict, &task.witness) {
            trial.witness = Some(self.time_witness(task, witness)?);
        }
        Ok(trial)
    }

    /// Times a witness, in the slot of the suspect whose box is empty now. A submission that fails is no witness: a spin
    /// takes its place.
    fn time_witness(&mut self, suspect: &TrialTask, witness: &Witness) -> Result<WitnessTime, Fault> {
        let name = witness.name().to_owned();
        let Witness::Submission { program, case } = witness else {
            return Ok(self.spin_in_place(suspect, name));
        };
        let mut program = Program::clone(program);
        program.limits.cpu = suspect.setting.limits.cpu.mul_f64(MOST_SLOWNESS);
        program.limits.wall += program.limits.cpu;
        let task = TrialTask::new(Arc::new(program), case.clone(), suspect.setting.clone());
        let Some(time) = self.mean_time(&task)? else {
            let name = format!("a spin, as {name} failed on {}", case.name);
            return Ok(self.spin_in_place(suspect, name));
        };
        let machine = self.machine.name.clone();
        Ok(WitnessTime { witness: witness.key(&suspect.setting), name, machine, time })
    }

    /// Times a spin where the suspect ran.
    fn spin_in_place(&mut self, suspect: &TrialTask, name: String) -> WitnessTime {
        let (witness, machine) = (Witness::Spin.key(&suspect.setting), self.machine.name.clone());
        WitnessTime { witness, name, machine, time: self.slots.submission.time_spin() }
    }

    /// The mean of as many runs as take [`WITNESS_TIME`]; none if one fails.
    fn mean_time(&mut self, witness: &TrialTask) -> Result<Option<Duration>, Fault> {
        let (mut total, mut runs) = (Duration::ZERO, 0);
        while total < WITNESS_TIME && runs < MOST_WITNESS_RUNS {
            match self.run_trial(witness, &mut |_, _, _| Ok(())) {
                Ok(ran) if ran.exit == Exit::Code(0) => total += ran.usage.cpu,
                Ok(_) => return Ok(None),
                Err(fault) if fault.source == FaultSource::TrustedProgram => return Ok(None),
                Err(fault) => return Err(fault),
            }
            runs += 1;
        }
        Ok(Some(total / runs))
    }
}

/// Shorter witnesses are repeated for this long: of less, starting a program is the greater part.
const WITNESS_TIME: Duration = Duration::from_millis(100);

/// But no more often than this.
const MOST_WITNESS_RUNS: u32 = 50;
