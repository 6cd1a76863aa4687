//! Runs programs on new inputs for their times only: what they print is not checked.

use super::batches::Bench;
use anyhow::{Context, Result, bail};
use kopek_base::{Digest, FileId};
use kopek_engine::exec::KnownFacts;
use kopek_package::{
    package::Format,
    verdict::{Class, Verdict},
};
use kopek_plan::plan::{
    Checker, InputTask, Job, Outcome, ProbeGround, Program, Setting, Task, Trial, TrialMode, TrialTask,
};
use std::{cell::Cell, fs, path::PathBuf, sync::Arc, time::Duration};
use tempfile::TempDir;

/// Milliseconds of CPU time of a short run: of a native program, and of an interpreter or a virtual machine.
const FAST_START: u64 = 5;
const SLOW_START: u64 = 40;

pub(crate) fn usual_milliseconds(program: &Program) -> u64 {
    if program.entry.is_empty() { FAST_START } else { SLOW_START }
}

/// Bytes that a validator reads in the time of its start: Python reads 3 MB a second.
const VALIDATED: u64 = 128 << 10;

/// Inputs of a search. They are lent to the store while they are used, because most are useless, and large.
pub(crate) struct TimedRuns<'a> {
    bench: Bench<'a>,
    folder: TempDir,
    /// CPU time of the programs so far.
    pub cpu: Duration,
    /// CPU time of the validators so far, by what runs usually take: their outcomes have no times.
    validated: Cell<Duration>,
    pub runs: u32,
}

impl<'a> TimedRuns<'a> {
    pub fn new(bench: Bench<'a>) -> Result<TimedRuns<'a>> {
        let folder = tempfile::tempdir().context("make a folder for inputs")?;
        Ok(TimedRuns { bench, folder, cpu: Duration::ZERO, validated: Cell::default(), runs: 0 })
    }

    pub fn is_stopped(&self) -> bool {
        self.bench.engine.is_stopped()
    }

    /// CPU time of programs and validators so far.
    pub fn spent(&self) -> Duration {
        self.cpu + self.validated.get()
    }

    /// Whether each of these inputs is valid: all input validators accept it, or it has the form of the cases where there
    /// are none.
    pub fn are_valid(&self, ground: &ProbeGround, inputs: &[&[u8]]) -> Result<Vec<bool>> {
        if ground.input_validators.is_empty() {
            return Ok(inputs.iter().map(|input| self.bench.ground.has_form(input)).collect());
        }
        let mut jobs = Vec::new();
        for input in inputs {
            for ruling in &ground.input_validators {
                let cost = usual_milliseconds(&ruling.validator) * (1 + input.len() as u64 / VALIDATED);
                self.validated.set(self.validated.get() + Duration::from_millis(cost));
            }
            let input = self.lend(input)?;
            jobs.extend(ground.input_validators.iter().map(|ruling| {
                let (validator, args) = (ruling.validator.clone(), ruling.args.clone());
                Job::new(Task::CheckInput(InputTask { validator, input, files: None, args }))
            }));
        }
        let replies = self.bench.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?;
        self.remove(inputs)?;
        let is_accepted = |reply: &_| matches!(reply, Some(Ok(Outcome::Validation(reply))) if reply.accepted);
        let per_input = ground.input_validators.len();
        Ok(replies.chunks(per_input).map(|replies| replies.iter().all(is_accepted)).collect())
    }

    pub fn is_valid(&self, ground: &ProbeGround, input: &[u8]) -> Result<bool> {
        Ok(self.are_valid(ground, &[input])? == [true])
    }

    /// The runs of a program on inputs, in their order, known ones or only new ones; `None`: not run, or undecided.
    pub fn run(
        &mut self,
        ground: &ProbeGround,
        program: &Arc<Program>,
        inputs: &[&[u8]],
        known: KnownFacts,
    ) -> Result<Vec<Option<Trial>>> {
        let tasks = self.tasks(ground, program, inputs)?;
        self.run_tasks(tasks, inputs, known)
    }

    pub fn run_one(
        &mut self,
        ground: &ProbeGround,
        program: &Arc<Program>,
        input: &[u8],
    ) -> Result<Option<Trial>> {
        Ok(self.run(ground, program, &[input], KnownFacts::Use)?.pop().flatten())
    }

    /// The same with times above the limit settled by pairs.
    pub fn settle(
        &mut self,
        ground: &ProbeGround,
        program: &Arc<Program>,
        input: &[u8],
    ) -> Result<Option<Trial>> {
        let tasks = self.tasks(ground, program, &[input])?;
        let settled = tasks.into_iter().map(TrialTask::settled).collect();
        Ok(self.run_tasks(settled, &[input], KnownFacts::Use)?.pop().flatten())
    }

    fn tasks(
        &self,
        ground: &ProbeGround,
        program: &Arc<Program>,
        inputs: &[&[u8]],
    ) -> Result<Vec<TrialTask>> {
        let checker = Arc::new(Checker::Default(Format::V2025_09));
        let mode = TrialMode::Alone { passes: 1 };
        let setting = Arc::new(Setting { checker, mode, ..(*ground.setting).clone() });
        let task = |input: &&[u8]| {
            self.lend(input)?;
            Ok(TrialTask::new(program.clone(), Arc::new(ground.case_of(input, b"")), setting.clone()))
        };
        self.bench.engine.store().hold(&Arc::from(&b""[..]))?;
        inputs.iter().map(task).collect()
    }

    /// The inputs are those of the tasks.
    fn run_tasks(
        &mut self,
        tasks: Vec<TrialTask>,
        inputs: &[&[u8]],
        known: KnownFacts,
    ) -> Result<Vec<Option<Trial>>> {
        let jobs = tasks.into_iter().map(|task| Job::new(Task::Trial(task))).collect();
        let mut trials = Vec::new();
        for result in self.bench.engine.run_all(jobs, known, &mut |_, _| Ok(()))? {
            trials.push(match result {
                Some(Ok(Outcome::Trial(trial))) => Some(trial),
                Some(Ok(other)) => bail!("a trial has the outcome of one, not {other:?}"),
                Some(Err(_)) | None => None,
            });
        }
        let times = trials.iter().flatten().map(|trial| trial.usage.cpu);
        self.cpu += times.sum::<Duration>();
        self.runs += trials.len() as u32;
        self.remove(inputs)?;
        Ok(trials)
    }

    fn remove(&self, inputs: &[&[u8]]) -> Result<()> {
        for input in inputs {
            let path = self.path(&Digest::of(input));
            // Of equal inputs, the first one removed the file.
            if path.exists() {
                fs::remove_file(&path).with_context(|| format!("remove {}", path.display()))?;
            }
        }
        Ok(())
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.folder.path().join(digest.to_string())
    }

    fn lend(&self, input: &[u8]) -> Result<Digest> {
        let digest = Digest::of(input);
        let path = self.path(&digest);
        if !path.exists() {
            fs::write(&path, input).with_context(|| format!("write {}", path.display()))?;
            self.bench.engine.store().lend_file(&path, FileId::read(&path)?);
        }
        Ok(digest)
    }
}

/// Whether a run exceeded the time limit.
pub(crate) fn is_too_slow(trial: &Trial) -> bool {
    trial.verdict != Verdict::MemoryLimit && trial.verdict.class() == Some(Class::Tle)
}
