//! Does any job: each kind in its own file.

use super::{
    Local, Machine, Perform, build, drawing, grader, input_check, make_case, output_check,
    retry::remeasure_trial,
    worker::{JobSlots, Worker, fault},
};
use crate::{
    plan::{Job, Outcome, Task, Trial, TrialTask},
    sandbox::Fault,
    verdict::Verdict,
};

impl Machine {
    /// The executor that does jobs on this machine.
    pub fn executor(&self) -> Local<'_> {
        Local::new(self.cpus.iter().map(|&cpu| self.performer(cpu)).collect())
    }

    /// Does jobs, one at a time, on a CPU.
    pub fn performer(&self, cpu: usize) -> Perform<'_> {
        let slots =
            JobSlots { submission: self.sandbox.slot(Some(cpu)), judge: self.sandbox.slot(Some(cpu)) };
        let mut worker = Worker::new(self, slots);
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
        let outcome = self.perform_task(&job.task)?;
        self.check_toolchains()?;
        self.machine.store.check_untouched(&job.task.blobs()).map_err(fault)?;
        Ok(outcome)
    }

    fn perform_task(&mut self, task: &Task) -> Result<Outcome, Fault> {
        match task {
            Task::Build(task) => {
                build::build(self.machine, &mut self.slots.submission, task).map(Outcome::Build)
            }
            Task::MakeCase(task) => make_case::make_case(self, task).map(Outcome::Case),
            Task::CheckInput(task) => input_check::check_input(self, task).map(Outcome::Validation),
            Task::CheckOutput(task) => output_check::check_output(self, task).map(Outcome::Validation),
            Task::Trial(task) => self.trial(task).map(Outcome::Trial),
            Task::CheckSource(task) => self.check_source(task).map(Outcome::Trial),
            Task::Grade(task) => grader::grade(self, task).map(Outcome::Grade),
            Task::Draw(task) => drawing::draw(self, task).map(Outcome::Drawing),
        }
    }

    /// Tries a program on a case; near the time limit again, alone.
    fn trial(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let quiet = &self.machine.quiet;
        let first = {
            let _shared = quiet.read().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.trial_once(task)?
        };
        remeasure_trial(&task.setting, first, || {
            // Waits for the trials of all other slots to end: near the limit, neighbours decide the verdict.
            let _alone = quiet.write().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.trial_once(task)
        })
    }

    fn trial_once(&mut self, task: &TrialTask) -> Result<Trial, Fault> {
        let mut trial = self.run_trial(task, &mut |_, _, _| Ok(()))?;
        // A conversation is read only to find a mistake; those that went well would fill the store.
        if trial.verdict == Verdict::Accepted {
            trial.transcript.clear();
        }
        Ok(trial)
    }
}
