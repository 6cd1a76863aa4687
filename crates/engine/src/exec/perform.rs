//! Does any job: each kind in its own file.

use super::{
    Local, Machine, Perform, build, drawing, grader, input_check, make_case, output_check, probe,
    retry::run_unspoilt,
    worker::{JobSlots, Worker, fault},
};
use crate::{
    plan::{Job, Outcome, Program, Task, Trial, TrialTask, Witness, WitnessTime},
    sandbox::{Exit, Fault, FaultSource},
    timing::MOST_SLOWNESS,
    verdict::Verdict,
};
use std::{sync::Arc, time::Duration};

impl Machine {
    /// The executor that does jobs on this machine.
    pub fn executor(&self) -> Local<'_> {
        let slots = self.cpus.iter().map(|&cpu| self.performer(cpu)).collect();
        Local::new(slots).with_foresight(Box::new(|jobs| self.headers.foresee(&self.store, jobs)))
    }

    /// Does jobs, one at a time, on a CPU.
    pub fn performer(&self, cpu: usize) -> Perform<'_> {
        let slots = JobSlots { submission: self.open_slot(Some(cpu)), judge: self.open_slot(Some(cpu)) };
        let mut worker = Worker::new(self, slots, cpu);
        Box::new(move |job| worker.perform(job))
    }
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
