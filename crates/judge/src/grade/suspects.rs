//! Suspects of the trial wave: cases whose first run was above the time limit. Each is decided by pairs with a
//! witness, as [`kopek_plan::timing`] says. The wave hands out the jobs and reports their results.
//!
//! A settled trial ([`kopek_plan::plan::TrialTask::settled`]) asks the same policy in a loop of the worker. The two
//! cannot be one loop: there all pairs are one job and one fact, and the slot waits for each of them; here each pair is
//! a job and a fact of its own, other work runs while a witness is built, and a verdict waits for a least time that can
//! be trusted.

use super::{
    decided::decision_on,
    facts::GradeFacts,
    request::{GradeRequest, TimePolicy},
    witness::{EarlyWitness, WitnessAnswer, Witnesses},
};
use anyhow::Result;
use kopek_package::verdict::Verdict;
use kopek_plan::{
    plan::{Build, Job, Key, Outcome, Program, Task, Trial, Witness, WitnessTime, decision_key},
    timing::{Suspect, SuspectStep, TimesOfRuns},
};
use kopek_sandbox::load_text;
use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
    time::{Duration, Instant},
};

/// No submission gets more pairs than this in a run, nor then another case of a group with an undecided one: the other
/// submissions would wait for one that is near its limit everywhere.
const MAX_PAIRS_OF_SUBMISSION: u32 = 20;

/// This long after the busy machine left a case open, no program gets further pairs slightly above its limit. With eight
/// loops beside them on two CPUs, four pairs at a limit of 1 s took 16 s: that is enough for some programs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns a witness's least time on its machine.
type LeastTimeOf<'a> = dyn Fn(&WitnessTime) -> Duration + 'a;

/// The place of a suspect: a runner of the wave, and a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SuspectPlace {
    pub(super) runner: usize,
    pub(super) case: usize,
}

/// The next step for a suspect.
pub(super) enum SuspectNews {
    /// Nothing now: the job that it needs is running.
    Wait,
    /// Another run, with its witness.
    Pair(Job),
    /// Its witness is built first.
    BuildWitness(Job),
    Decided(Box<Trial>),
    /// No run decides it.
    Undecided(TimesOfRuns),
}

/// A case whose first run was above the limit.
struct SuspectCase {
    suspect: Suspect,
    is_running: bool,
    /// Whether this run of kopek made a pair.
    has_new_pair: bool,
    /// Whether a person decided the case, so that more pairs are not needed.
    is_closed: bool,
}

impl SuspectCase {
    /// Lets this run of kopek add pairs to those of earlier runs.
    fn allow_more_pairs(&mut self) {
        if !self.is_closed {
            self.suspect.allow_more_pairs();
        }
    }
}

pub(super) struct Suspects<'a> {
    grading: &'a GradeRequest<'a>,
    cases: BTreeMap<SuspectPlace, SuspectCase>,
    /// Pairs that were run now, by runner.
    pairs: HashMap<usize, u32>,
    /// Runners with a case that the busy machine left open, and when that was.
    busy: BTreeMap<usize, Instant>,
    /// `None`: the first run decides.
    witnesses: Option<Witnesses<'a>>,
    /// Whether no other work is left; the best least time known then decides.
    pub(super) is_ending: bool,
}

impl<'a> Suspects<'a> {
    pub(super) fn new(grading: &'a GradeRequest<'a>, early: Vec<EarlyWitness>) -> Suspects<'a> {
        let witnesses = grading.source().map(|source| Witnesses::new(source, grading, early));
        let (cases, pairs, busy) = (BTreeMap::new(), HashMap::new(), BTreeMap::new());
        Suspects { grading, cases, pairs, busy, witnesses, is_ending: false }
    }

    /// Adds a program whose first run exceeded the limit.
    pub(super) fn add(&mut self, place: SuspectPlace, program: usize, trial: Trial) {
        let plan = self.grading.plan;
        let has_new_pair = trial.witness.is_some();
        let suspect = Suspect::new(plan.setting.limits.cpu, trial);
        let is_closed = decision_on(plan, program, place.case).is_some();
        self.cases.insert(place, SuspectCase { suspect, is_running: false, has_new_pair, is_closed });
    }

    /// The same, if an earlier run of kopek made it.
    pub(super) fn add_known(&mut self, place: SuspectPlace, program: usize, trial: Trial) {
        note_known_witness(self.grading, &trial);
        self.add(place, program, trial);
        let case = self.cases.get_mut(&place).expect("it was just added");
        case.has_new_pair = false;
        case.allow_more_pairs();
    }

    /// The suspects without an active run.
    pub(super) fn waiting(&self) -> Vec<SuspectPlace> {
        let waiting = self.cases.iter().filter(|(_, case)| !case.is_running);
        waiting.map(|(place, _)| *place).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    pub(super) fn remove(&mut self, place: SuspectPlace) {
        self.cases.remove(&place);
    }

    /// Whether a runner's submission gets no more pairs in this run.
    pub(super) fn has_all_pairs(&self, runner: usize) -> bool {
        self.pairs_of(runner) >= MAX_PAIRS_OF_SUBMISSION
    }

    fn pairs_of(&self, runner: usize) -> u32 {
        self.pairs.get(&runner).copied().unwrap_or(0)
    }

    /// Whether further pairs of a case near its limit would probably leave it open, too: the machine is too busy for its
    /// program, or has been for a long time.
    fn gives_up(&self, place: SuspectPlace, entry: &SuspectCase, min: &LeastTimeOf) -> bool {
        if self.grading.timing.always_decides() {
            return false;
        }
        let waited = |since: &Instant| self.grading.clock.now().duration_since(*since) > PATIENCE;
        let is_too_busy = self.busy.contains_key(&place.runner) || self.busy.values().any(waited);
        is_too_busy && entry.has_new_pair && entry.suspect.is_slightly_above(min)
    }

    /// The witness of a program, if it is built already.
    pub(super) fn witness_at_hand(&self, program: &Program) -> Option<Witness> {
        self.witnesses.as_ref().and_then(|witnesses| witnesses.at_hand(&program.build))
    }

    /// The next step for a suspect. Fails if the store cannot be read.
    pub(super) fn next(
        &mut self,
        place: SuspectPlace,
        program: &Arc<Program>,
        graded: &mut GradeFacts,
    ) -> Result<SuspectNews> {
        loop {
            let entry = self.cases.get(&place).filter(|entry| !entry.is_running);
            let Some(entry) = entry else { return Ok(SuspectNews::Wait) };
            let Some(source) = self.grading.source() else { return Ok(SuspectNews::Wait) };
            let store = self.grading.jobs.store;
            let min = |time: &WitnessTime| source.least_times.min(store, time);
            let is_trusted =
                entry.suspect.witness_times().all(|time| source.least_times.is_trusted(store, time));
            let trust = if self.is_ending || is_trusted { Trust::Full } else { Trust::NotYet };
            let pairs = self.pairs_of(place.runner);
            let mut decision = decide(entry.suspect.step(&min), trust, self.grading.timing, pairs);
            if matches!(decision, Decision::RunPair { .. }) && self.gives_up(place, entry, &min) {
                decision = Decision::Undecided;
            }
            match decision {
                Decision::Wait => return Ok(SuspectNews::Wait),
                Decision::Decided(trial) => {
                    let first = self.grading.plan.trial(program, place.case).key();
                    // Later runs, which do not look at the pairs, know their least time from it.
                    let witness = entry.suspect.witness_times().min_by_key(|time| time.time).cloned();
                    let fact = Outcome::Trial(Trial { witness, ..Trial::clone(&trial) });
                    store.put(&decision_key(&first), &fact)?;
                    return Ok(SuspectNews::Decided(trial));
                }
                Decision::TooSlow => {
                    return Ok(SuspectNews::Decided(Box::new(entry.suspect.too_slow(&min))));
                }
                Decision::OutOfPairs => {
                    let pairs_of_submission = Some(MAX_PAIRS_OF_SUBMISSION);
                    let times = TimesOfRuns { pairs_of_submission, ..entry.suspect.times(&min) };
                    return Ok(SuspectNews::Undecided(times));
                }
                Decision::Undecided => {
                    let slowdowns = entry.suspect.adjusted_times(&min).into_iter().map(|pair| pair.slowdown);
                    graded.open_slowdowns.extend(slowdowns);
                    let mut times = entry.suspect.times(&min);
                    if times.busy.is_some() {
                        self.busy.entry(place.runner).or_insert(self.grading.clock.now());
                        times.load = Some(load_text());
                    }
                    return Ok(SuspectNews::Undecided(times));
                }
                Decision::RunPair { repetition, stop } => {
                    let witness = match self.next_witness(program)? {
                        NextWitness::Ready(witness) => witness,
                        NextWitness::Known => continue,
                        NextWitness::News(news) => return Ok(news),
                    };
                    let task = self.grading.plan.trial(program, place.case).pair(&witness, repetition, stop);
                    if let Some(job) = self.next_pair(place, Job::new(Task::Trial(task)), graded)? {
                        return Ok(SuspectNews::Pair(job));
                    }
                }
            }
        }
    }

    fn next_witness(&mut self, program: &Program) -> Result<NextWitness> {
        let Some(witnesses) = &mut self.witnesses else { return Ok(NextWitness::News(SuspectNews::Wait)) };
        match witnesses.witness_of(&program.build) {
            WitnessAnswer::Ready(witness) => Ok(NextWitness::Ready(witness)),
            WitnessAnswer::Wait => Ok(NextWitness::News(SuspectNews::Wait)),
            WitnessAnswer::Build(job) => match self.known_fact(&job)? {
                Some(Outcome::Build(build)) => {
                    self.note_build(&job.key, Some(&build));
                    Ok(NextWitness::Known)
                }
                _ => Ok(NextWitness::News(SuspectNews::BuildWitness(job))),
            },
        }
    }

    /// The pair as a job; a pair that is a known fact is recorded instead.
    fn next_pair(&mut self, place: SuspectPlace, job: Job, graded: &mut GradeFacts) -> Result<Option<Job>> {
        let known = self.known_fact(&job)?;
        let Some(entry) = self.cases.get_mut(&place) else { return Ok(None) };
        let Some(Outcome::Trial(trial)) = known else {
            *self.pairs.entry(place.runner).or_default() += 1;
            entry.is_running = true;
            return Ok(Some(job));
        };
        note_known_witness(self.grading, &trial);
        entry.suspect.add(trial);
        entry.allow_more_pairs();
        graded.reused += 1;
        Ok(None)
    }

    fn known_fact(&self, job: &Job) -> Result<Option<Outcome>> {
        Ok(self.grading.jobs.known_outcomes(std::slice::from_ref(job))?.pop().flatten())
    }

    /// Records the build of a witness.
    pub(super) fn note_build(&mut self, key: &Key, build: Option<&Build>) {
        if let Some(witnesses) = &mut self.witnesses {
            witnesses.note_build(key, build);
        }
    }

    /// Records the run of a pair.
    pub(super) fn add_pair(&mut self, place: SuspectPlace, trial: Trial) {
        note_witness(self.grading, &trial);
        if let Some(entry) = self.cases.get_mut(&place) {
            entry.suspect.add(trial);
            entry.is_running = false;
            entry.has_new_pair = true;
        }
    }
}

/// Whether the least times of a suspect's witnesses are good enough to decide by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// They are, or no better ones will be known. A suspect without any witness has no times to doubt.
    Full,
    NotYet,
}

/// What happens to a suspect that has no active run.
#[derive(Debug, PartialEq)]
enum Decision {
    /// It waits for a least time that can be trusted.
    Wait,
    RunPair {
        repetition: u32,
        stop: Duration,
    },
    Decided(Box<Trial>),
    /// The pairs do not settle it, and the policy leaves nothing undecided.
    TooSlow,
    /// Undecided, because its submission has had all pairs that it may have.
    OutOfPairs,
    Undecided,
}

/// `pairs`: those of the submission in this run, on all cases.
fn decide(step: SuspectStep, trust: Trust, policy: TimePolicy, pairs: u32) -> Decision {
    match step {
        SuspectStep::Decided(trial) if trust == Trust::Full || trial.verdict != Verdict::TimeLimit => {
            Decision::Decided(trial)
        }
        _ if trust == Trust::NotYet => Decision::Wait,
        SuspectStep::RunPair { repetition, stop } if pairs < MAX_PAIRS_OF_SUBMISSION => {
            Decision::RunPair { repetition, stop }
        }
        _ if policy.always_decides() => Decision::TooSlow,
        SuspectStep::RunPair { .. } => Decision::OutOfPairs,
        SuspectStep::Decided(_) | SuspectStep::Undecided => Decision::Undecided,
    }
}

/// The answer to a request for a witness.
enum NextWitness {
    Ready(Witness),
    /// A known fact answered it without a job.
    Known,
    News(SuspectNews),
}

/// A fact may come from another store or an interrupted run, so its witness may be unknown here.
pub(super) fn note_known_witness(grading: &GradeRequest, trial: &Trial) {
    if let (Some(source), Some(time)) = (grading.source(), &trial.witness) {
        source.least_times.note_fact(grading.jobs.store, time);
    }
}

/// Records the time of a witness.
pub(super) fn note_witness(grading: &GradeRequest, trial: &Trial) {
    if let (Some(source), Some(time)) = (grading.source(), &trial.witness) {
        source.least_times.note(grading.jobs.store, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_sandbox::{Exit, Limit};

    #[test]
    fn a_step_is_taken_when_times_can_be_trusted_and_pairs_are_left() {
        let ended = |verdict| Box::new(Trial::ended(verdict, Exit::Exceeded(Limit::Cpu)));
        let decided = |verdict| SuspectStep::Decided(ended(verdict));
        let (repetition, stop) = (3, Duration::from_secs(2));
        let pair = || SuspectStep::RunPair { repetition, stop };
        let (full, not_yet) = (Trust::Full, Trust::NotYet);
        let (class, home, platform) = (TimePolicy::Witness, TimePolicy::Home, TimePolicy::Platform);
        let (slow, wrong) = (Verdict::TimeLimit, Verdict::WrongAnswer);
        let last = MAX_PAIRS_OF_SUBMISSION - 1;
        for (step, trust, policy, pairs, expected) in [
            (decided(slow), full, class, 0, Decision::Decided(ended(slow))),
            (decided(slow), not_yet, class, 0, Decision::Wait),
            (decided(wrong), not_yet, class, 0, Decision::Decided(ended(wrong))),
            (pair(), full, class, last, Decision::RunPair { repetition, stop }),
            (pair(), not_yet, class, last, Decision::Wait),
            (pair(), full, home, last, Decision::RunPair { repetition, stop }),
            (pair(), full, class, last + 1, Decision::OutOfPairs),
            (pair(), full, home, last + 1, Decision::TooSlow),
            (SuspectStep::Undecided, full, class, 0, Decision::Undecided),
            (SuspectStep::Undecided, full, home, 0, Decision::TooSlow),
            (SuspectStep::Undecided, full, platform, 0, Decision::TooSlow),
            (pair(), full, platform, last + 1, Decision::TooSlow),
            (SuspectStep::Undecided, not_yet, home, 0, Decision::Wait),
        ] {
            assert_eq!(decide(step, trust, policy, pairs), expected);
        }
    }
}
