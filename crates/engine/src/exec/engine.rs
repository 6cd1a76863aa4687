//! The only way to run jobs: looks up known facts, runs equal jobs once, gives missing ones to the executor,
//! and stores every new fact. Drivers plan jobs and fold outcomes; they have no threads, no cache and no
//! retries of their own.

use super::{
    executor::{Executor, JobResult, Work},
    recorded::RecordedWork,
};
use crate::{
    machine::{BuildRules, DeclaredSource, Machine, SourceRole, TOOL_BUILD_LIMITS, plan_build},
    store::Store,
};
use anyhow::Result;
use kopek_package::{language::SourceFiles, package::TOOL_CODE_LIMIT};
use kopek_plan::plan::{Build, BuildTask, Job, Key, Outcome, Program, Task, Unplanned};
use kopek_sandbox::{Fault, Limits};
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Called with each job's result and its index in the list.
pub type OnDone<'a> = dyn FnMut(usize, &JobResult) -> Result<()> + Send + 'a;

/// The tools of every driver: a machine for planning, and a runner for jobs.
#[derive(Clone, Copy)]
pub struct Engine<'a> {
    /// Plans with the resources of this machine.
    pub machine: &'a Machine,
    pub jobs: JobRunner<'a>,
}

/// Runs jobs and stores their outcomes.
#[derive(Clone, Copy)]
pub struct JobRunner<'a> {
    /// The known facts.
    pub store: &'a Store,
    pub executor: &'a dyn Executor,
    /// Checks that toolchains have not changed before facts are stored; `None` for fakes without any.
    pub machine: Option<&'a Machine>,
    /// Set by another thread to stop handing out jobs.
    pub stop: &'a AtomicBool,
    /// The same, asked before each job: for a driver with a clock of its own.
    pub is_going: Option<&'a (dyn Fn() -> bool + Sync)>,
}

/// Whether to use known facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownFacts {
    Use,
    /// Every job is done again.
    Ignore,
}

/// Jobs with their known outcomes.
pub struct RecalledJobs {
    jobs: Vec<Job>,
    facts: Vec<Option<Outcome>>,
}

impl RecalledJobs {
    /// For each job, in order, whether its outcome is known.
    pub fn are_known(&self) -> Vec<bool> {
        self.facts.iter().map(Option::is_some).collect()
    }

    /// Adds further jobs at the end.
    pub fn append(&mut self, mut others: RecalledJobs) {
        self.jobs.append(&mut others.jobs);
        self.facts.append(&mut others.facts);
    }

    /// The number of known jobs, and of the others.
    pub fn counts(&self) -> (usize, usize) {
        let known = self.facts.iter().flatten().count();
        (known, self.facts.len() - known)
    }
}

/// A program of a package to build.
#[derive(Debug, Clone)]
pub struct ProgramRequest {
    /// For messages.
    pub name: String,
    /// Its build, or why it cannot be built.
    pub build: Result<Arc<BuildTask>, Unplanned>,
    pub limits: Limits,
}

impl ProgramRequest {
    /// The program before it is built: enough for keys, but it cannot run.
    pub fn before_build(&self) -> Option<Arc<Program>> {
        let build = self.build.as_ref().ok()?.clone();
        let name = self.name.clone();
        let entry = build.entry.clone();
        let blob = kopek_base::Digest::of(b"not built yet");
        Some(Arc::new(Program { name, build, blob, entry, limits: self.limits }))
    }
}

/// Why there is no program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoProgram {
    /// A mistake in the source: no known language, or a compile error.
    #[error("{0}")]
    Refused(String),
    #[error("it does not compile:\n{0}")]
    DoesNotCompile(String),
    /// A fault of ours or of this machine.
    #[error("{0}")]
    Fault(Fault),
    /// The run was stopped before.
    #[error("interrupted before it was built")]
    Interrupted,
}

impl NoProgram {
    /// An error that names the program.
    pub fn of(&self, name: &str) -> anyhow::Error {
        anyhow::anyhow!("build {name}: {self}")
    }
}

/// A run was stopped before there was anything to report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("interrupted; the same command continues from here")]
pub struct StoppedEarly;

impl JobRunner<'_> {
    /// Whether handing out jobs has stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.is_going.is_some_and(|is_going| !is_going())
    }

    /// Known facts, in the order of the keys. A fact without its blobs is unknown.
    pub fn known_facts(&self, keys: &[Key]) -> Result<Vec<Option<Outcome>>> {
        let facts = self.store.get_many(keys)?;
        // Pruning removes blobs before facts, so a fact may name a program that no longer exists.
        let whole = |fact: Option<Outcome>| fact.filter(|outcome| self.store.has_all(&outcome.blobs()));
        Ok(facts.into_iter().map(whole).collect())
    }

    /// Known outcomes of jobs, in their order. A merged store may hold anything under a key: an
    /// outcome of the wrong kind is unknown.
    pub fn known_outcomes(&self, jobs: &[Job]) -> Result<Vec<Option<Outcome>>> {
        let keys: Vec<Key> = jobs.iter().map(|job| job.key).collect();
        let facts = jobs.iter().zip(self.known_facts(&keys)?);
        let mut facts: Vec<Option<Outcome>> =
            facts.map(|(job, fact)| fact.filter(|outcome| outcome.answers(&job.task))).collect();
        self.add_known_failures(&mut facts, |at| match &jobs[at].task {
            Task::Trial(task) => task.failure_key(),
            _ => None,
        })?;
        Ok(facts)
    }

    /// Adds facts about trials that failed by themselves under other output validators, where none is known.
    pub fn add_known_failures(
        &self,
        facts: &mut [Option<Outcome>],
        failure_key: impl Fn(usize) -> Option<Key>,
    ) -> Result<()> {
        let missing = (0..facts.len()).filter(|&at| facts[at].is_none());
        let (places, keys): (Vec<usize>, Vec<Key>) =
            missing.filter_map(|at| Some((at, failure_key(at)?))).unzip();
        for (at, fact) in places.into_iter().zip(self.store.get_many(&keys)?) {
            facts[at] = fact.filter(Outcome::is_failure_by_itself);
        }
        Ok(())
    }

    /// Runs work that hands out its jobs itself. New facts are stored before the work sees them, and nothing
    /// is handed out after an interrupt.
    pub fn run(&self, work: &mut dyn Work) -> Result<()> {
        let is_stopped = || self.is_stopped();
        let mut recorded = RecordedWork::new(*self, &is_stopped, work);
        self.executor.run(&mut recorded)?;
        recorded.keep()
    }

    /// Looks up the known outcomes of jobs.
    pub fn recall(&self, jobs: Vec<Job>, known: KnownFacts) -> Result<RecalledJobs> {
        let facts = match known {
            KnownFacts::Use => self.known_outcomes(&jobs)?,
            KnownFacts::Ignore => vec![None; jobs.len()],
        };
        Ok(RecalledJobs { jobs, facts })
    }

    /// Runs jobs without a known outcome, and calls `on_done` for each job as it ends. Results in the order of the
    /// jobs; `None` if interrupted before.
    pub fn run_rest(&self, recalled: RecalledJobs, on_done: &mut OnDone) -> Result<Vec<Option<JobResult>>> {
        let mut results: Vec<Option<JobResult>> = vec![None; recalled.jobs.len()];
        let mut waiting: HashMap<Key, Vec<usize>> = HashMap::new();
        let mut missing = Vec::new();
        for (at, (job, fact)) in recalled.jobs.into_iter().zip(recalled.facts).enumerate() {
            if let Some(outcome) = fact {
                let result = Ok(outcome);
                on_done(at, &result)?;
                results[at] = Some(result);
                continue;
            }
            let equal = waiting.entry(job.key).or_default();
            equal.push(at);
            // Equal submissions cost one job and get the same verdict.
            if equal.len() == 1 {
                missing.push(job);
            }
        }
        let queue = self.executor.sort(missing).into();
        self.run(&mut List { queue, waiting, results: &mut results, on_done })?;
        Ok(results)
    }
}

impl<'a> Engine<'a> {
    /// Plans with a machine, and runs jobs with an executor.
    pub fn new(machine: &'a Machine, executor: &'a dyn Executor, stop: &'a AtomicBool) -> Engine<'a> {
        let (store, known) = (&machine.store, Some(machine));
        Engine { machine, jobs: JobRunner { store, executor, machine: known, stop, is_going: None } }
    }

    /// The store of the machine.
    pub fn store(&self) -> &'a Store {
        self.jobs.store
    }

    /// Whether handing out jobs has stopped.
    pub fn is_stopped(&self) -> bool {
        self.jobs.is_stopped()
    }

    /// As [`JobRunner::run_rest`], known facts first.
    pub fn run_all(
        &self,
        jobs: Vec<Job>,
        known: KnownFacts,
        on_done: &mut OnDone,
    ) -> Result<Vec<Option<JobResult>>> {
        self.jobs.run_rest(self.jobs.recall(jobs, known)?, on_done)
    }

    /// Builds programs of a package in parallel; results in the order of the requests.
    pub fn build_programs(
        &self,
        requests: &[ProgramRequest],
    ) -> Result<Vec<Result<Arc<Program>, NoProgram>>> {
        let planned = requests.iter().filter_map(|request| request.build.as_ref().ok());
        let jobs: Vec<Job> = planned.map(|task| Job::new(Task::Build(task.clone()))).collect();
        let mut results = self.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))?.into_iter();
        let built = |request: &ProgramRequest| match &request.build {
            Err(Unplanned::Refused(why) | Unplanned::Foreign(why)) => {
                Err(NoProgram::Refused(why.to_string()))
            }
            Err(Unplanned::NoToolchain(missing)) => Err(NoProgram::Fault(Fault::new(missing.to_string()))),
            Err(Unplanned::Ours(why) | Unplanned::Undecided(why) | Unplanned::OtherVersion(why)) => {
                Err(NoProgram::Fault(Fault::new(why.clone())))
            }
            Ok(task) => program_of(request, task, results.next().flatten()),
        };
        Ok(requests.iter().map(built).collect())
    }

    /// Builds one program that something needs.
    pub fn build_program(&self, request: ProgramRequest) -> Result<Arc<Program>> {
        let requests = [request];
        let built = self.build_programs(&requests)?.pop().expect("one request has one result");
        built.map_err(|why| why.of(&requests[0].name))
    }

    /// The request to build a tool of a package: without a declared language, and without included files.
    pub fn tool_request(
        &self,
        name: &str,
        source: &SourceFiles,
        constants: &BTreeMap<String, String>,
        limits: Limits,
    ) -> ProgramRequest {
        let rules = BuildRules {
            role: SourceRole::Tool,
            constants,
            allowed: None,
            include: &BTreeMap::new(),
            limits: TOOL_BUILD_LIMITS,
            code: TOOL_CODE_LIMIT,
        };
        let build = plan_build(self.machine, DeclaredSource::undeclared(source), &rules).map(Arc::new);
        ProgramRequest { name: name.to_owned(), build, limits }
    }
}

fn program_of(
    request: &ProgramRequest,
    task: &Arc<BuildTask>,
    result: Option<JobResult>,
) -> Result<Arc<Program>, NoProgram> {
    match result {
        None => Err(NoProgram::Interrupted),
        Some(Err(fault)) => Err(NoProgram::Fault(fault)),
        Some(Ok(Outcome::Build(Build::Refused { message }))) => Err(NoProgram::DoesNotCompile(message)),
        Some(Ok(Outcome::Build(Build::Program { blob, entry, .. }))) => Ok(Arc::new(Program {
            name: request.name.clone(),
            build: task.clone(),
            blob,
            entry,
            limits: request.limits,
        })),
        Some(Ok(other)) => unreachable!("a build has the outcome of a build, not {other:?}"),
    }
}

/// A list of jobs; equal jobs are done once.
struct List<'a, 'd> {
    queue: VecDeque<Job>,
    waiting: HashMap<Key, Vec<usize>>,
    results: &'a mut Vec<Option<JobResult>>,
    on_done: &'a mut OnDone<'d>,
}

impl Work for List<'_, '_> {
    fn next(&mut self, _warm: Option<&Key>) -> Option<Job> {
        self.queue.pop_front()
    }

    fn done(&mut self, job: Job, result: JobResult) -> Result<()> {
        for at in self.waiting.remove(&job.key).unwrap_or_default() {
            (self.on_done)(at, &result)?;
            self.results[at] = Some(result.clone());
        }
        Ok(())
    }
}
