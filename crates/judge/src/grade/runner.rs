//! A program that is being tried: its cases that are left, their order, and the results that make others unnecessary.

use super::{
    request::{GradeRequest, Thoroughness},
    suspects::note_known_witness,
};
use anyhow::Result;
use kopek_package::verdict::{Class, Verdict};
use kopek_plan::{
    plan::{Key, Outcome, Plan, Program, Trial, decision_key},
    score::{Mark, Progress},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    sync::Arc,
    time::Instant,
};

/// A program that is being tried.
pub(super) struct Runner {
    pub(super) index: usize,
    pub(super) program: Arc<Program>,
    source: Cases,
    /// First twins of the cases that are running now, with their start times.
    pub(super) under_way: HashMap<usize, Instant>,
    /// Cases that have no fact and have not been started.
    pub(super) left: usize,
    /// Cases whose first run was above the limit and that are undecided.
    pub(super) suspects: usize,
}

/// The source of a runner's next case.
enum Cases {
    /// Cases that can still change the score.
    Needed(Progress),
    /// All cases without a fact.
    All(VecDeque<usize>),
    /// All cases without a fact, by groups, except groups lost by time or memory.
    Sparing(BTreeMap<usize, VecDeque<usize>>, HashSet<usize>),
}

/// Whether a trial loses its group by time or memory. One is enough: more cost as much and add nothing.
fn loses_group(trial: &Trial) -> bool {
    trial.verdict.class() == Some(Class::Tle) || trial.verdict == Verdict::MemoryLimit
}

/// The groups of cases: `secret/1` for `secret/1/small`, `secret` for `secret/small`. Groups are numbered in the
/// order of their cases.
pub(super) struct CaseGroups(Vec<usize>);

impl CaseGroups {
    pub(super) fn of(plan: &Plan) -> CaseGroups {
        let mut numbers = HashMap::new();
        let group = |case: &str| {
            let parts: Vec<&str> = case.split('/').collect();
            parts[..parts.len().saturating_sub(1).min(2)].join("/")
        };
        let number = |name: String| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        };
        CaseGroups(plan.cases.iter().map(|case| group(&case.name)).map(number).collect())
    }

    pub(super) fn of_case(&self, case: usize) -> usize {
        self.0[case]
    }
}

/// The order of trials between independent cases: the order of the test set, but for `Sparing` the largest first in
/// each group, since a program that is too slow or too large fails on those.
pub(super) fn order(grading: &GradeRequest, groups: &CaseGroups) -> Vec<usize> {
    let mut order: Vec<usize> = (0..grading.plan.cases.len()).collect();
    if grading.thoroughness == Thoroughness::Sparing {
        let size = |case: usize| grading.rules.tests.cases[case].ids.input.stamp.size();
        for group in order.chunk_by_mut(|&a, &b| groups.of_case(a) == groups.of_case(b)) {
            group.sort_by_cached_key(|&case| Reverse(size(case)));
        }
    }
    order
}

/// Cases in the order of their trials, and their groups.
#[derive(Clone, Copy)]
pub(super) struct OrderedCases<'a> {
    pub(super) groups: &'a CaseGroups,
    pub(super) order: &'a [usize],
}

/// A runner, and known runs above the limit, by the first twin of their cases.
pub(super) struct PreparedRunner {
    pub(super) runner: Runner,
    pub(super) suspects: BTreeMap<usize, Trial>,
}

/// Whether pairs must decide a known trial: it is a first run above the limit.
fn is_undecided(grading: &GradeRequest, trial: &Trial) -> bool {
    trial.pairs.is_empty() && grading.timing.doubts(trial)
}

/// Replaces known first runs above the limit by the verdicts that pairs gave them.
fn recall_decisions(grading: &GradeRequest, keys: &[Key], facts: &mut [Option<Outcome>]) -> Result<()> {
    let is_doubted =
        |at: &usize| matches!(&facts[*at], Some(Outcome::Trial(trial)) if grading.timing.doubts(trial));
    let doubted: Vec<usize> = (0..facts.len()).filter(is_doubted).collect();
    let decisions: Vec<Key> = doubted.iter().map(|&at| decision_key(&keys[at])).collect();
    for (at, decision) in doubted.into_iter().zip(grading.jobs.known_facts(&decisions)?) {
        if let Some(Outcome::Trial(trial)) = decision {
            note_known_witness(grading, &trial);
            facts[at] = Some(Outcome::Trial(trial));
        }
    }
    Ok(())
}

impl Runner {
    pub(super) fn prepare(
        grading: &GradeRequest,
        OrderedCases { groups, order }: OrderedCases,
        index: usize,
        program: Arc<Program>,
        mut progress: Progress,
        trials: &mut BTreeMap<usize, Trial>,
    ) -> Result<PreparedRunner> {
        let keys: Vec<Key> = order.iter().map(|&case| grading.plan.trial_key(index, case)).collect();
        let mut unknown = VecDeque::new();
        let mut lost = HashSet::new();
        let mut suspects = BTreeMap::new();
        let mut facts = grading.jobs.known_facts(&keys)?;
        grading.jobs.add_known_failures(&mut facts, |at| grading.plan.failure_key(index, order[at]))?;
        recall_decisions(grading, &keys, &mut facts)?;
        for (&case, fact) in order.iter().zip(facts) {
            match fact {
                Some(Outcome::Trial(trial)) if is_undecided(grading, &trial) => {
                    progress.hand_out(case);
                    suspects.entry(grading.plan.twins(case)[0]).or_insert(trial);
                }
                Some(Outcome::Trial(trial)) => {
                    progress.record(case, &Mark::from(&trial));
                    if loses_group(&trial) {
                        lost.insert(groups.of_case(case));
                    }
                    trials.insert(case, trial);
                }
                _ => unknown.push_back(case),
            }
        }
        let left = unknown.len();
        let source = match grading.thoroughness {
            Thoroughness::Needed => Cases::Needed(progress),
            Thoroughness::All => Cases::All(unknown),
            Thoroughness::Sparing => {
                let mut queues: BTreeMap<usize, VecDeque<usize>> = BTreeMap::new();
                for case in unknown.into_iter().filter(|&case| !lost.contains(&groups.of_case(case))) {
                    queues.entry(groups.of_case(case)).or_default().push_back(case);
                }
                Cases::Sparing(queues, lost)
            }
        };
        let under_way = suspects.keys().map(|&case| (case, grading.clock.now())).collect();
        let runner = Runner { index, program, source, under_way, left, suspects: suspects.len() };
        Ok(PreparedRunner { runner, suspects })
    }

    /// The next case of any group, or of those that may be tried now.
    pub(super) fn candidate(&mut self, may_be_tried: impl Fn(usize) -> bool) -> Option<usize> {
        match &mut self.source {
            Cases::Needed(progress) => progress.take_where(may_be_tried),
            Cases::All(unknown) => unknown.pop_front(),
            Cases::Sparing(queues, _) => {
                queues.retain(|_, cases| !cases.is_empty());
                queues.values_mut().find(|cases| may_be_tried(cases[0]))?.pop_front()
            }
        }
    }

    pub(super) fn record(&mut self, groups: &CaseGroups, case: usize, trial: &Trial) {
        match &mut self.source {
            Cases::Needed(progress) => progress.record(case, &Mark::from(trial)),
            Cases::All(_) => {}
            Cases::Sparing(queues, lost) if loses_group(trial) => {
                queues.remove(&groups.of_case(case));
                lost.insert(groups.of_case(case));
            }
            Cases::Sparing(..) => {}
        }
    }

    /// Whether a case takes so long that it will probably fail and make others unnecessary.
    pub(super) fn is_slow(&self, now: Instant) -> bool {
        let may_spare = !matches!(self.source, Cases::All(_));
        let is_long = |since: &Instant| now.duration_since(*since) > self.program.limits.cpu / 2;
        may_spare && (self.suspects > 0 || self.under_way.values().any(is_long))
    }

    /// Whether more runs of a case that was tried still matter.
    pub(super) fn wants(&self, groups: &CaseGroups, case: usize) -> bool {
        match &self.source {
            Cases::Needed(progress) => progress.may_cost_points(case),
            Cases::All(_) => true,
            Cases::Sparing(_, lost) => !lost.contains(&groups.of_case(case)),
        }
    }
}
