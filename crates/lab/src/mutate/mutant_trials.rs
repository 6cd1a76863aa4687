//! Mutants on the test set: in each group the case with the most kills goes first, and the first kill ends the group.

use kopek_engine::exec::{Engine, JobResult, Work};
use kopek_hunt::stress::trial_result;
use kopek_plan::plan::{Job, Key, Plan, ProbeFailure, Program, Task};
use std::{cmp::Reverse, collections::HashMap, sync::Arc, time::Instant};

/// A mutant in a group.
pub(super) struct GroupTrials {
    program: Arc<Program>,
    build: Key,
    /// Cases that have not been tried yet.
    left: Vec<usize>,
    is_busy: bool,
    /// The case that kills it.
    pub killer: Option<usize>,
    /// Whether a case could not be tried.
    has_fault: bool,
}

impl GroupTrials {
    pub fn new(program: &Arc<Program>, cases: &[usize]) -> GroupTrials {
        let (program, build) = (program.clone(), program.build.key());
        GroupTrials { program, build, left: cases.to_vec(), is_busy: false, killer: None, has_fault: false }
    }

    /// Whether every case was tried and none kills.
    pub fn is_survived(&self) -> bool {
        self.killer.is_none() && self.left.is_empty() && !self.is_busy && !self.has_fault
    }

    fn is_open(&self) -> bool {
        self.killer.is_none() && !self.is_busy && !self.left.is_empty()
    }
}

/// An active trial: the index of a mutant in a group, and the case.
#[derive(Debug, Clone, Copy)]
struct TrialPlace {
    at: usize,
    case: usize,
}

/// All trials of some mutants.
pub(super) struct MutantTrials<'a> {
    plan: &'a Plan,
    engine: &'a Engine<'a>,
    /// By mutant, then by group.
    pub groups: Vec<GroupTrials>,
    /// How many mutants each case has killed.
    kills: Vec<usize>,
    until: Instant,
    pub faults: Vec<String>,
    pub trials: usize,
    under_way: HashMap<Key, Vec<TrialPlace>>,
}

impl<'a> MutantTrials<'a> {
    /// Tries all mutants within the time.
    pub fn run(
        plan: &'a Plan,
        engine: &'a Engine<'a>,
        groups: Vec<GroupTrials>,
        until: Instant,
    ) -> anyhow::Result<MutantTrials<'a>> {
        let (kills, under_way) = (vec![0; plan.cases.len()], HashMap::new());
        let mut all =
            MutantTrials { plan, engine, groups, kills, until, faults: vec![], trials: 0, under_way };
        engine.jobs.run(&mut all)?;
        Ok(all)
    }

    /// The next case of a mutant in a group; cases that killed other mutants go first.
    fn take_case(&mut self, at: usize) -> Option<TrialPlace> {
        let trials = &mut self.groups[at];
        let best = (0..trials.left.len()).max_by_key(|&one| (self.kills[trials.left[one]], Reverse(one)))?;
        trials.is_busy = true;
        Some(TrialPlace { at, case: trials.left.remove(best) })
    }

    fn fold(&mut self, place: TrialPlace, result: JobResult) {
        let trials = &mut self.groups[place.at];
        trials.is_busy = false;
        let problem = match trial_result(result) {
            Ok(tried) if tried.hits.iter().any(|hit| matches!(hit.failure, ProbeFailure::Verdict(_))) => {
                trials.killer = Some(place.case);
                self.kills[place.case] += 1;
                None
            }
            Ok(tried) => {
                let undecided = tried.undecided.into_iter().map(|why| format!("undecided: {why}"));
                tried.hits.into_iter().map(|hit| hit.message).chain(undecided).next()
            }
            Err(fault) => Some(fault.to_string()),
        };
        if let Some(why) = problem {
            trials.has_fault = true;
            self.faults.push(format!("{}: {why}", self.plan.cases[place.case].name));
        }
    }

    /// The job of a place; `None`: its outcome is known, or another place has started the same job.
    fn job_of(&mut self, place: TrialPlace) -> Option<Job> {
        // Noise must not kill a mutant.
        let task = self.plan.trial(&self.groups[place.at].program, place.case).settled();
        let job = Job::new(Task::Trial(task));
        if let Some(waiting) = self.under_way.get_mut(&job.key) {
            waiting.push(place);
            return None;
        }
        // If the lookup fails, the job runs again.
        let known = self.engine.jobs.known_outcomes(std::slice::from_ref(&job));
        if let Some(outcome) = known.ok().and_then(|mut facts| facts.pop().flatten()) {
            self.fold(place, Ok(outcome));
            return None;
        }
        self.under_way.insert(job.key, vec![place]);
        Some(job)
    }
}

impl Work for MutantTrials<'_> {
    fn next(&mut self, warm: Option<&Key>) -> Option<Job> {
        while self.engine.machine.clock.now() < self.until {
            let open = || (0..self.groups.len()).filter(|&at| self.groups[at].is_open());
            let at = open().find(|&at| Some(&self.groups[at].build) == warm).or_else(|| open().next())?;
            let place = self.take_case(at)?;
            if let Some(job) = self.job_of(place) {
                return Some(job);
            }
        }
        None
    }

    fn done(&mut self, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.trials += 1;
        for place in self.under_way.remove(&job.key).unwrap_or_default() {
            self.fold(place, result.clone());
        }
        Ok(())
    }
}
