//! The trial wave: every built program on every case that can still change its score.

use super::{
    decided::{decided_trial, decision_on},
    facts::{GradeFacts, OpenTrial, owner, runnable_programs},
    request::{GradeEvent, GradeRequest, OnGradeEvent},
    runner::{CaseGroups, OrderedCases, Runner, order},
    suspects::{SuspectNews, SuspectPlace, Suspects, note_witness},
    witness::EarlyWitness,
};
use anyhow::Result;
use kopek_engine::exec::{JobResult, Work};
use kopek_package::package::CaseDecision;
use kopek_plan::{
    plan::{Job, Key, Outcome, Plan, Task, Trial},
    score::{Mark, Progress},
};
use kopek_sandbox::Fault;
use std::collections::{BTreeMap, HashMap};

/// The purpose of a job.
#[derive(Clone, Copy)]
enum JobPlace {
    /// The first run of a runner on a case.
    First(usize, usize),
    /// Another run of a suspect, with its witness.
    Pair(SuspectPlace),
    /// The build of a witness.
    Witness,
}

struct Trials<'a, 'b> {
    grading: &'a GradeRequest<'a>,
    groups: &'a CaseGroups,
    runners: Vec<Runner>,
    /// Runners that may still have jobs, in order.
    open: Vec<usize>,
    by_build: HashMap<Key, usize>,
    places: HashMap<Key, JobPlace>,
    suspects: Suspects<'a>,
    /// Jobs that were handed out and have not been reported.
    running: usize,
    /// The error of a failed access to the store.
    failure: Option<anyhow::Error>,
    on_event: &'a mut OnGradeEvent<'b>,
    graded: &'a mut GradeFacts,
}

pub(super) fn trial_wave(
    grading: &GradeRequest,
    early: Vec<EarlyWitness>,
    on_event: &mut OnGradeEvent,
    graded: &mut GradeFacts,
) -> Result<()> {
    graded.trials = vec![BTreeMap::new(); grading.plan.programs.len()];
    let groups = &CaseGroups::of(grading.plan);
    let mut runners = Vec::new();
    let mut suspects = Suspects::new(grading, early);
    let order = order(grading, groups);
    for (index, program) in runnable_programs(grading.plan, graded) {
        let mut progress = Progress::new(&grading.rules);
        for (group, trial) in &graded.statics[index] {
            progress.record_static(group, &Mark::from(trial));
        }
        let trials = &mut graded.trials[index];
        let cases = OrderedCases { groups, order: &order };
        let prepared = Runner::prepare(grading, cases, index, program, progress, trials)?;
        let number = runners.len();
        runners.push(prepared.runner);
        for (case, trial) in prepared.suspects {
            suspects.add_known(SuspectPlace { runner: number, case }, index, trial);
        }
    }
    let known = graded.trials.iter().map(BTreeMap::len).sum::<usize>() + suspects.waiting().len();
    graded.reused += known;
    graded.known_trials = known;
    let jobs = runners.iter().map(|runner| runner.left).sum::<usize>() + suspects.waiting().len();
    on_event(GradeEvent::Wave { what: "trials", jobs, known });
    let waiting: usize = runners.iter().map(|runner| rows_of(grading.plan, runner.index)).sum();
    on_event(GradeEvent::Finished(grading.plan.rows.len() - waiting));
    let key = |runner: &Runner| runner.program.build.key();
    let by_build = runners.iter().enumerate().map(|(index, runner)| (key(runner), index)).collect();
    let open = (0..runners.len()).collect();
    let mut trials = Trials {
        grading,
        groups,
        runners,
        open,
        by_build,
        places: HashMap::new(),
        suspects,
        running: 0,
        failure: None,
        on_event,
        graded,
    };
    let ran = grading.jobs.run(&mut trials);
    trials.forget_lost_cases();
    match trials.failure {
        Some(error) => Err(error),
        None => ran,
    }
}

/// How many participants submitted this program.
fn rows_of(plan: &Plan, program: usize) -> usize {
    plan.rows.iter().filter(|row| row.program == Ok(program)).count()
}

impl Trials<'_, '_> {
    /// The next case of a runner, preferably from a group without an active trial, because a failure there may end
    /// the group. Skips cases whose twin is running or done: they share the twin's fact.
    fn take(&mut self, runner: usize) -> Option<usize> {
        let groups = self.groups;
        let undecided = self.undecided_groups(runner);
        let busy: Vec<usize> =
            self.runners[runner].under_way.keys().map(|&case| groups.of_case(case)).collect();
        let may_be_tried = |case| !undecided.contains(&groups.of_case(case));
        let case =
            self.take_where(runner, |case| may_be_tried(case) && !busy.contains(&groups.of_case(case)));
        // Wait for a slow case: its result may make others unnecessary.
        if case.is_some() || self.runners[runner].is_slow(self.grading.clock.now()) {
            return case;
        }
        self.take_where(runner, may_be_tried)
    }

    /// The groups of a runner in which another case would probably be undecided, too.
    fn undecided_groups(&self, runner: usize) -> Vec<usize> {
        if !self.suspects.has_all_pairs(runner) {
            return Vec::new();
        }
        let program = self.runners[runner].index;
        let open = self.graded.open.iter().filter(|((of, _), open)| *of == program && open.times.is_some());
        open.map(|((_, case), _)| self.groups.of_case(*case)).collect()
    }

    fn take_where(&mut self, runner: usize, may_be_tried: impl Fn(usize) -> bool) -> Option<usize> {
        let runner = &mut self.runners[runner];
        let known = &self.graded.trials[runner.index];
        while let Some(case) = runner.candidate(&may_be_tried) {
            if !known.contains_key(&case) && !runner.under_way.contains_key(&self.grading.plan.twins(case)[0])
            {
                runner.left -= 1;
                return Some(case);
            }
        }
        None
    }

    /// First the program of the warm place; then one without active trials; then any.
    fn choose(&mut self, warm: Option<&Key>) -> Option<(usize, usize)> {
        let warm = warm.and_then(|key| self.by_build.get(key).copied());
        if let Some((runner, case)) = warm.and_then(|runner| Some((runner, self.take(runner)?))) {
            return Some((runner, case));
        }
        for busy in [false, true] {
            let mut at = 0;
            while let Some(&runner) = self.open.get(at) {
                if self.runners[runner].under_way.is_empty() == busy {
                    at += 1;
                } else if let Some(case) = self.take(runner) {
                    return Some((runner, case));
                } else if busy {
                    // An active trial may open a group that depends on it.
                    at += 1;
                } else {
                    self.close(at);
                }
            }
        }
        None
    }

    fn close(&mut self, at: usize) {
        let runner = self.open.remove(at);
        (self.on_event)(GradeEvent::Finished(rows_of(self.grading.plan, self.runners[runner].index)));
        if self.runners[runner].left > 0 {
            (self.on_event)(GradeEvent::Spared(self.runners[runner].left));
        }
    }

    fn job(&mut self, index: usize, case: usize) -> Job {
        let plan = self.grading.plan;
        let runner = &mut self.runners[index];
        // The first twin represents all twins, so that no two run in parallel.
        runner.under_way.insert(plan.twins(case)[0], self.grading.clock.now());
        let key = plan.trial_key(runner.index, case);
        // The plan keeps the parts of the key: there may be millions of trials.
        let mut task = plan.trial(&runner.program, case);
        // A witness that is ready saves the first pair another run of the suspect.
        task.witness = self.suspects.witness_at_hand(&task.program);
        self.give(JobPlace::First(index, case), Job { key, task: Task::Trial(task) })
    }

    fn give(&mut self, place: JobPlace, job: Job) -> Job {
        self.places.insert(job.key, place);
        self.running += 1;
        job
    }

    /// A job that adds evidence about a suspect, if one is available. Decides suspects with enough evidence.
    fn job_for_suspects(&mut self) -> Option<Job> {
        self.suspects.waiting().into_iter().find_map(|place| self.job_for_suspect(place))
    }

    fn job_for_suspect(&mut self, place: SuspectPlace) -> Option<Job> {
        let SuspectPlace { runner, case } = place;
        if !still_matters(self.grading.plan, self.groups, &self.runners[runner], case) {
            self.forget_suspect(place);
            (self.on_event)(GradeEvent::Spared(1));
            return None;
        }
        match self.suspects.next(place, &self.runners[runner].program, self.graded) {
            Ok(SuspectNews::Wait) => None,
            Ok(SuspectNews::Pair(job)) => Some(self.give(JobPlace::Pair(place), job)),
            Ok(SuspectNews::BuildWitness(job)) => Some(self.give(JobPlace::Witness, job)),
            Ok(SuspectNews::Decided(trial)) => {
                self.forget_suspect(place);
                self.tried(runner, case, &trial);
                None
            }
            Ok(SuspectNews::Undecided(times)) => {
                self.forget_suspect(place);
                let fault = Fault::undecided(times.to_string());
                self.leave_open(runner, case, OpenTrial { fault, times: Some(times) });
                None
            }
            Err(error) => {
                self.failure.get_or_insert(error);
                None
            }
        }
    }

    fn forget_suspect(&mut self, place: SuspectPlace) {
        self.suspects.remove(place);
        let runner = &mut self.runners[place.runner];
        runner.suspects -= 1;
        runner.under_way.remove(&self.grading.plan.twins(place.case)[0]);
    }

    /// Leaves a case without a verdict open, unless a person decided it.
    fn leave_open(&mut self, index: usize, case: usize, open: OpenTrial) {
        let plan = self.grading.plan;
        let program = self.runners[index].index;
        if let Some(decision) = decision_on(plan, program, case) {
            for &twin in plan.twins(case) {
                let decision = CaseDecision { case: plan.cases[twin].name.clone(), ..decision.clone() };
                self.graded.decided.insert((program, twin), decision);
            }
            self.tried(index, case, &decided_trial(decision));
        } else {
            self.report_open(program, case, &open);
            self.graded.open.insert((program, case), open);
        }
    }

    /// One message for a program near its limit: the report has all its cases.
    fn report_open(&mut self, program: usize, case: usize, open: &OpenTrial) {
        let plan = self.grading.plan;
        let mut others = self.graded.open.range((program, 0)..(program + 1, 0));
        match &open.times {
            None => (self.on_event)(GradeEvent::Failed(&open.fault)),
            Some(_) if others.any(|(_, other)| other.times.is_some()) => {
                (self.on_event)(GradeEvent::Spared(1));
            }
            Some(times) => {
                let what = format!("{} on {}: {times}", owner(plan, program), plan.cases[case].name);
                (self.on_event)(GradeEvent::Failed(&Fault::undecided(what)));
            }
        }
    }

    /// Forgets undecided times in groups that other cases decided.
    fn forget_lost_cases(&mut self) {
        let (plan, groups) = (self.grading.plan, self.groups);
        for runner in &self.runners {
            self.graded.open.retain(|&(program, case), open| {
                program != runner.index || open.times.is_none() || still_matters(plan, groups, runner, case)
            });
        }
    }

    fn first_run_done(&mut self, index: usize, case: usize, result: JobResult) {
        let plan = self.grading.plan;
        let first_twin = plan.twins(case)[0];
        match result {
            Ok(Outcome::Trial(trial)) if self.grading.timing.doubts(&trial) => {
                note_witness(self.grading, &trial);
                let place = SuspectPlace { runner: index, case: first_twin };
                self.suspects.add(place, self.runners[index].index, trial);
                self.runners[index].suspects += 1;
            }
            Ok(Outcome::Trial(trial)) => {
                self.runners[index].under_way.remove(&first_twin);
                self.tried(index, case, &trial);
            }
            Ok(other) => unreachable!("a trial job has a trial outcome, not {other:?}"),
            Err(fault) => {
                self.runners[index].under_way.remove(&first_twin);
                self.leave_open(index, case, OpenTrial { fault, times: None });
            }
        }
    }

    fn pair_done(&mut self, place: SuspectPlace, result: JobResult) {
        match result {
            Ok(Outcome::Trial(trial)) => self.suspects.add_pair(place, trial),
            Ok(other) => unreachable!("a trial job has a trial outcome, not {other:?}"),
            Err(fault) => {
                self.forget_suspect(place);
                self.leave_open(place.runner, place.case, OpenTrial { fault, times: None });
            }
        }
    }

    fn tried(&mut self, index: usize, case: usize, trial: &Trial) {
        let runner = &mut self.runners[index];
        let name = owner(self.grading.plan, runner.index);
        (self.on_event)(GradeEvent::Tried { name, verdict: trial.verdict });
        // Equal keys, equal outcomes: one run is the fact of all twins.
        for &twin in self.grading.plan.twins(case) {
            runner.record(self.groups, twin, trial);
            self.graded.trials[runner.index].insert(twin, trial.clone());
        }
    }
}

/// Whether more runs of a case matter, for itself or for an equal one.
fn still_matters(plan: &Plan, groups: &CaseGroups, runner: &Runner, case: usize) -> bool {
    plan.twins(case).iter().any(|&twin| runner.wants(groups, twin))
}

impl Work for Trials<'_, '_> {
    fn next(&mut self, warm: Option<&Key>) -> Option<Job> {
        loop {
            if let Some(job) = self.job_for_suspects() {
                return Some(job);
            }
            if let Some((runner, case)) = self.choose(warm) {
                self.suspects.is_ending = false;
                return Some(self.job(runner, case));
            }
            // Decisions at the end may open other cases.
            if self.running > 0 || self.suspects.is_empty() || self.suspects.is_ending {
                return None;
            }
            self.suspects.is_ending = true;
            if let Some(job) = self.job_for_suspects() {
                return Some(job);
            }
            self.suspects.is_ending = !self.suspects.is_empty();
        }
    }

    fn done(&mut self, job: Job, result: JobResult) -> Result<()> {
        self.running -= 1;
        self.graded.done += usize::from(result.is_ok());
        match self.places.remove(&job.key).expect("a job that was taken has its place") {
            JobPlace::First(runner, case) => self.first_run_done(runner, case, result),
            JobPlace::Pair(place) => self.pair_done(place, result),
            JobPlace::Witness => {
                let build = match &result {
                    Ok(Outcome::Build(build)) => Some(build),
                    Ok(_) | Err(_) => None,
                };
                self.suspects.note_build(&job.key, build);
            }
        }
        match self.failure.take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
