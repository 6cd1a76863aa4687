//! Mutants on the test set: in each group the case with the most kills goes first, and the first kill ends the group.

use kopek_engine::exec::{Engine, JobResult, Work};
use kopek_package::verdict::Verdict;
use kopek_plan::plan::{Job, Key, Outcome, Plan, Program, Task};
use std::{collections::HashMap, sync::Arc, time::Instant};

/// A mutant that was built.
pub(super) struct LiveMutant {
    pub program: Arc<Program>,
    pub groups: Vec<GroupTrials>,
}

/// The state of a mutant in a group.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupTrials {
    /// Cases that have not been tried yet.
    left: Vec<usize>,
    is_busy: bool,
    /// The case that kills it.
    pub killer: Option<usize>,
    /// Whether a case could not be tried.
    pub has_fault: bool,
}

impl GroupTrials {
    pub fn of_cases(cases: &[usize]) -> GroupTrials {
        GroupTrials { left: cases.to_vec(), ..GroupTrials::default() }
    }

    /// Whether every case was tried and none kills.
    pub fn is_survived(&self) -> bool {
        self.killer.is_none() && self.left.is_empty() && !self.is_busy && !self.has_fault
    }

    fn is_open(&self) -> bool {
        self.killer.is_none() && !self.is_busy && !self.left.is_empty()
    }
}

/// An active trial of a mutant in a group.
#[derive(Debug, Clone, Copy)]
struct TrialPlace {
    mutant: usize,
    group: usize,
    case: usize,
}

/// All trials of some mutants.
pub(super) struct MutantTrials<'a> {
    pub plan: &'a Plan,
    pub engine: &'a Engine<'a>,
    pub mutants: Vec<LiveMutant>,
    /// How many mutants each case has killed.
    pub kills: Vec<usize>,
    pub until: Instant,
    pub faults: Vec<String>,
    pub trials: usize,
    under_way: HashMap<Key, Vec<TrialPlace>>,
}

impl<'a> MutantTrials<'a> {
    pub fn new(
        plan: &'a Plan,
        engine: &'a Engine<'a>,
        mutants: Vec<LiveMutant>,
        until: Instant,
    ) -> MutantTrials<'a> {
        let kills = vec![0; plan.cases.len()];
        let under_way = HashMap::new();
        MutantTrials { plan, engine, mutants, kills, until, faults: vec![], trials: 0, under_way }
    }

    /// Tries all mutants within the time.
    pub fn try_all(&mut self) -> anyhow::Result<()> {
        let engine = self.engine;
        engine.jobs.run(self)
    }

    /// The next case of a mutant; cases that killed other mutants go first.
    fn take_case(&mut self, mutant: usize) -> Option<TrialPlace> {
        let groups = &mut self.mutants[mutant].groups;
        let (group, trials) = groups.iter_mut().enumerate().find(|(_, trials)| trials.is_open())?;
        let best =
            (0..trials.left.len()).max_by_key(|&at| (self.kills[trials.left[at]], std::cmp::Reverse(at)))?;
        let case = trials.left.remove(best);
        trials.is_busy = true;
        Some(TrialPlace { mutant, group, case })
    }

    fn fold(&mut self, place: TrialPlace, result: &JobResult) {
        let trials = &mut self.mutants[place.mutant].groups[place.group];
        trials.is_busy = false;
        match result {
            Ok(Outcome::Trial(trial)) if trial.verdict == Verdict::Accepted => {}
            Ok(Outcome::Trial(_)) => {
                trials.killer = Some(place.case);
                self.kills[place.case] += 1;
            }
            Ok(other) => unreachable!("a trial has the outcome of one, not {other:?}"),
            Err(fault) => {
                trials.has_fault = true;
                self.faults.push(format!("{}: {fault}", self.plan.cases[place.case].name));
            }
        }
    }

    /// The job of a place; `None`: its outcome is known, or another place has started the same job.
    fn job_of(&mut self, place: TrialPlace) -> Option<Job> {
        // Noise must not kill a mutant.
        let task = self.plan.trial(&self.mutants[place.mutant].program, place.case).settled();
        let job = Job::new(Task::Trial(task));
        if let Some(waiting) = self.under_way.get_mut(&job.key) {
            waiting.push(place);
            return None;
        }
        // If the lookup fails, the job runs again.
        let known = self.engine.jobs.known_outcomes(std::slice::from_ref(&job));
        if let Some(outcome) = known.ok().and_then(|mut facts| facts.pop().flatten()) {
            self.fold(place, &Ok(outcome));
            return None;
        }
        self.under_way.insert(job.key, vec![place]);
        Some(job)
    }
}

impl Work for MutantTrials<'_> {
    fn next(&mut self, warm: Option<&Key>) -> Option<Job> {
        if self.engine.machine.clock.now() >= self.until {
            return None;
        }
        let is_warm = |mutant: &LiveMutant| Some(&mutant.program.build.key()) == warm;
        let first = self.mutants.iter().position(is_warm).unwrap_or(0);
        let order: Vec<usize> = std::iter::once(first).chain(0..self.mutants.len()).collect();
        for mutant in order {
            while let Some(place) = self.take_case(mutant) {
                if let Some(job) = self.job_of(place) {
                    return Some(job);
                }
            }
        }
        None
    }

    fn done(&mut self, job: Job, result: JobResult) -> anyhow::Result<()> {
        self.trials += 1;
        for place in self.under_way.remove(&job.key).unwrap_or_default() {
            self.fold(place, &result);
        }
        Ok(())
    }
}
