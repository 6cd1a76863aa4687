//! Does any job; each kind has its own file.

use super::{
    build::build,
    drawing::draw,
    grader::grade,
    job_worker::{JobSlots, Worker, fault},
    make_case::make_case,
    probe_batch::probe_inputs,
    retry::retry_faults,
    validate_input::validate_input,
    validate_output::validate_output,
    validate_source::validate_source,
    witnessed_trial::do_trial,
};
use crate::machine::Machine;
use kopek_plan::plan::{Job, Outcome, Task};
use kopek_sandbox::Fault;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does one job in a slot. Each slot has its own function.
pub type Perform<'a> = Box<dyn FnMut(&Job) -> Result<Outcome, Fault> + Send + 'a>;

/// A function that does jobs of a machine, one at a time, on a CPU.
pub fn performer(machine: &Machine, cpu: usize) -> Perform<'_> {
    let slots = JobSlots { submission: machine.open_slot(Some(cpu)), judge: machine.open_slot(Some(cpu)) };
    let mut worker = Worker::new(machine, slots, cpu);
    Box::new(move |job| perform(&mut worker, job))
}

/// Does a job, and retries it after a fault. A panic is a fault.
pub fn perform_patiently(perform: &mut Perform, job: &Job) -> Result<Outcome, Fault> {
    retry_faults(|| {
        // A dead thread would keep its slot busy forever, and the run would never end.
        catch_unwind(AssertUnwindSafe(|| perform(job)))
            .unwrap_or_else(|_| Err(Fault::new("a bug of kopek: a job panicked; the message is above")))
    })
}

/// Does a job. Every blob that the job names must be unchanged at the end, or the outcome would be a fact
/// about something else. Toolchains are checked before outcomes are stored.
fn perform(worker: &mut Worker, job: &Job) -> Result<Outcome, Fault> {
    // Pinned here because another thread makes the slots.
    worker.slots.submission.pin_thread()?;
    let outcome = perform_task(worker, job)?;
    worker.machine.store.check_untouched(&job.task.blobs()).map_err(fault)?;
    Ok(outcome)
}

fn perform_task(worker: &mut Worker, job: &Job) -> Result<Outcome, Fault> {
    match &job.task {
        Task::Build(task) => build(worker.machine, &mut *worker.slots.submission, task).map(Outcome::Build),
        Task::MakeCase(task) => make_case(worker, task).map(Outcome::Case),
        Task::CheckInput(task) => validate_input(worker, task).map(Outcome::Validation),
        Task::CheckOutput(task) => validate_output(worker, task).map(Outcome::Validation),
        Task::Trial(task) => {
            // All cases are made before trials begin: idle programs would stay in memory for the whole class.
            worker.programs.end_idle();
            do_trial(worker, task).map(Outcome::Trial)
        }
        Task::CheckSource(task) => validate_source(worker, task).map(Outcome::Trial),
        Task::Grade(task) => grade(worker, task).map(Outcome::Grade),
        Task::Draw(task) => draw(worker, task).map(Outcome::Drawing),
        Task::Probe(task) => probe_inputs(worker, task).map(Outcome::Probe),
    }
}
