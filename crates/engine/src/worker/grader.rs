//! Runs the custom grader of a legacy package for one group. A grader that fails is a fault, never a verdict.

use super::job_worker::Worker;
use kopek_plan::{plan::GradeTask, score::read_grade};
use kopek_sandbox::{Exit, Fault, Input};

/// The longest output that is read from a grader.
const MAX_ANSWER: usize = 4 << 10;

/// The output of the grader, checked to be a grade.
pub(super) fn grade(worker: &mut Worker, task: &GradeTask) -> Result<String, Fault> {
    let mut exec = worker.exec_in_empty_box(&task.grader, &task.flags)?;
    exec.stdin = Input::Bytes(task.input.clone().into_bytes());
    let ran = worker.slots.judge.run(&exec)?;
    if ran.exit != Exit::Code(0) {
        return Err(failed(task, &format!("it {}", ran.end_in_words(&task.grader.limits))));
    }
    let answer = ran.stdout.head(MAX_ANSWER);
    let answer = answer.map_err(|e| Fault::new(format!("read the output of the grader: {e}")))?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    read_grade(&answer).map_err(|what| failed(task, &what))?;
    Ok(answer)
}

fn failed(task: &GradeTask, what: &str) -> Fault {
    let group = if task.group.is_empty() { "data" } else { &task.group };
    Fault::of_trusted_program(format!("{} failed on {group}: {what}", task.grader.name))
}
