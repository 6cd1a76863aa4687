//! Does jobs by reading the wanted outcome from the submission's own text, so
//! that everything around the hands is tested in microseconds.
//!
//! The text has lines `CASE VERDICT [MILLISECONDS [WITNESS]]`, with `*` for any case. Of several lines for a case,
//! each is another run of it, in order; the last one stays. `WITNESS` is what its witness took then. `build refused`
//! makes the build fail, and the verdict `fault` is one of ours.

use super::executor::{Executor, JobResult, Work};
use crate::{
    base::Digest,
    plan::{Build, BuildTask, Job, Outcome, Task, Trial, WitnessTime},
    sandbox::{Exit, Fault, Usage},
    store::{Contents, Store},
    verdict::Verdict,
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// An executor that believes what submissions say of themselves.
pub struct Fake<'a> {
    /// Holds the submissions.
    pub store: &'a Store,
    /// Jobs done so far.
    pub jobs: AtomicUsize,
}

impl<'a> Fake<'a> {
    /// One that has done nothing yet.
    pub fn new(store: &'a Store) -> Fake<'a> {
        Fake { store, jobs: AtomicUsize::new(0) }
    }
}

impl Executor for Fake<'_> {
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        while let Some(job) = work.next(None) {
            self.jobs.fetch_add(1, Ordering::Relaxed);
            let result = perform(self.store, &job);
            work.done(job, result)?;
        }
        Ok(())
    }
}

/// Does one job as its submission's text says.
pub fn perform(store: &Store, job: &Job) -> JobResult {
    match &job.task {
        Task::Build(task) => build(store, task).map(Outcome::Build),
        Task::Trial(task) => {
            let (mut trial, line) =
                trial(store, &task.program.build, &task.case.name, task.repetition as usize)?;
            if let (Verdict::TimeLimit, Some(witness)) = (trial.verdict, &task.witness) {
                trial.witness = Some(WitnessTime {
                    witness: witness.key(&task.setting),
                    name: witness.name().to_owned(),
                    machine: "fake".into(),
                    time: Duration::from_millis(number(&line, 3).unwrap_or(100)),
                });
            }
            Ok(Outcome::Trial(trial))
        }
        Task::CheckSource(task) => {
            let case = format!("static {}", task.case.group);
            Ok(Outcome::Trial(trial(store, &task.program.build, &case, 0)?.0))
        }
        Task::MakeCase(_)
        | Task::CheckInput(_)
        | Task::CheckOutput(_)
        | Task::Grade(_)
        | Task::Draw(_)
        | Task::Probe(_) => {
            Err(Fault::new("the fake executor knows builds, trials and static validations only"))
        }
    }
}

fn build(store: &Store, task: &BuildTask) -> Result<Build, Fault> {
    let text = text_of(store, task)?;
    let message = String::from("as the text says");
    if text.lines().any(|line| line.trim() == "build refused") {
        return Ok(Build::Refused { message });
    }
    let blob = store.put_bytes(text.as_bytes()).map_err(|error| Fault::new(format!("{error:#}")))?;
    Ok(Build::Program { blob, entry: String::new(), message })
}

fn text_of(store: &Store, task: &BuildTask) -> Result<String, Fault> {
    let digest = task.files.first().map_or(Digest::of(b""), |file| file.digest);
    match store.contents(&digest).map_err(|error| Fault::new(format!("{error:#}")))? {
        Contents::Bytes(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Contents::File(path) => {
            std::fs::read_to_string(&path).map_err(|e| Fault::new(format!("read {}: {e}", path.display())))
        }
    }
}

/// The trial of a run, from 0, and the words of its line.
fn trial(store: &Store, program: &BuildTask, case: &str, run: usize) -> Result<(Trial, Vec<String>), Fault> {
    let text = text_of(store, program)?;
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
    let all: Vec<Vec<String>> = text.lines().map(words).filter(|words| words.len() >= 2).collect();
    let wanted = if all.iter().any(|words| words[0] == case) { case } else { "*" };
    let lines: Vec<&Vec<String>> = all.iter().filter(|words| words[0] == wanted).collect();
    let line = lines.get(run).or(lines.last()).map_or_else(|| words("* AC"), |&line| line.clone());
    match verdict(&line[1]) {
        Some(verdict) => {
            let millis = Duration::from_millis(number(&line, 2).unwrap_or(1));
            Ok((trial_with(verdict, millis), line))
        }
        None => Err(Fault::new(format!("{case} wants `{}`", line[1]))),
    }
}

fn number(line: &[String], at: usize) -> Option<u64> {
    line.get(at)?.parse().ok()
}

fn verdict(word: &str) -> Option<Verdict> {
    let all = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit, Verdict::RunTimeError];
    all.into_iter().find(|verdict| verdict.short() == word)
}

fn trial_with(verdict: Verdict, cpu: Duration) -> Trial {
    Trial { usage: Usage { cpu, wall: cpu, ..Usage::default() }, ..Trial::ended(verdict, Exit::Code(0)) }
}
