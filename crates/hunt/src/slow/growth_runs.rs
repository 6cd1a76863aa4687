//! Measures how the cost of a program grows: from facts about the cases, otherwise on prefixes of the case that showed
//! the limit, so that nothing but the size differs.

use super::{case_sizes::CaseSizes, input_parts::InputParts, package_search::TimedPrograms};
use crate::{
    bench::{Bench, KnownTest, TimedRuns},
    form::{InputLayout, InputText, LaidInput},
    fruitless::FruitlessSearch,
};
use anyhow::Result;
use kopek_engine::exec::{Engine, KnownFacts};
use kopek_package::{
    package::{Participant, TestSet},
    verdict::Verdict,
};
use kopek_plan::{
    growth::{CostKind, Growth, InputSizes, MIN_SIZES, SizeMeasure, SizedRun, growth, growth_by},
    plan::{Job, Outcome, ProbeGround, Program, Task, Trial, TrialTask},
    score::State,
};
use kopek_results::{
    AcceptedGrowth, CaseReport, ChartPoint, GrowthChart, NoGrowth, ProgramGrowth, RowReport,
};
use kopek_sandbox::Exit;
use std::{sync::Arc, time::Duration};

/// A program that exceeds a limit.
pub(super) struct SlowProgram {
    pub member: Participant,
    /// The case with which it does.
    pub case: String,
    pub kind: CostKind,
}

/// Shares of the items of a case. The smallest shows the time of the start.
const SHARES: [f64; 9] = [0.7, 0.5, 0.35, 0.25, 0.18, 0.125, 0.09, 0.06, 0.01];
/// CPU time of the runs for one program.
const BUDGET: Duration = Duration::from_secs(5);
/// More accepted submissions add nothing to the comparison.
const ACCEPTED: usize = 3;

/// How the cost of a program grows.
pub(super) enum MeasuredGrowth {
    Shown(ProgramGrowth),
    Unknown(NoGrowth),
}

/// The growth of each of these programs, or why it is not known.
pub(super) fn measure_growth(
    engine: &Engine,
    timed: &TimedPrograms,
    programs: &[SlowProgram],
) -> Result<Vec<MeasuredGrowth>> {
    let TimedPrograms { ground, accepted, subjects } = timed;
    let mut sizes = CaseSizes::default();
    let mut found = Vec::new();
    for SlowProgram { member, case, kind } in programs {
        let subject = subjects.iter().find(|subject| subject.name == member.name);
        let test = ground.tests.iter().find(|test| test.name == *case);
        let (Some(subject), Some(test)) = (subject, test) else {
            found.push(MeasuredGrowth::Unknown(NoGrowth::NotMeasured));
            continue;
        };
        let bench = Bench { engine, ground };
        let runs = GrowthRuns { bench, kind: *kind, program: &subject.program, accepted };
        let of_facts = runs.growth_by_facts(&mut sizes)?;
        let is_one_test = sizes.of(&test.paths[0], &test.paths[1])?.is_some();
        found.push(match of_facts {
            Some(growth) => MeasuredGrowth::Shown(growth),
            None if is_one_test => runs.growth_by_prefixes(test)?,
            // A part of several tests is fewer tests.
            None => MeasuredGrowth::Unknown(NoGrowth::NotMeasured),
        });
    }
    Ok(found)
}

/// Adds the growth that the runs of the rows show: nothing is run, and nothing is compared.
pub fn add_known_growth(tests: &TestSet, rows: &mut [RowReport]) -> Result<()> {
    let mut sizes = CaseSizes::default();
    for row in rows {
        let Some(ExceededLimit { kind, .. }) = exceeded_limit(row) else { continue };
        let mut runs = Vec::new();
        for case in &row.cases {
            let file = tests.cases.iter().find(|other| other.name == case.name);
            if let (Some(trial), Some(file)) = (&case.trial, file)
                && let Some(sizes) = sizes.of(&file.input, &file.answer)?
            {
                runs.extend(sized_run(kind, sizes, trial));
            }
        }
        row.growth = growth(&runs, kind).map(|growth| {
            let chart = GrowthChart { own: chart_points(growth.measure, &runs), accepted: Vec::new() };
            ProgramGrowth { kind, growth, accepted: AcceptedGrowth::Unknown, chart: Some(chart) }
        });
    }
    Ok(())
}

/// A case with which a row exceeds a limit.
pub(super) struct ExceededLimit<'r> {
    pub case: &'r str,
    pub kind: CostKind,
}

/// The first case with which a decided row exceeds the limit of time or memory.
pub(super) fn exceeded_limit(row: &RowReport) -> Option<ExceededLimit<'_>> {
    let State::Decided(_) = row.card.state else { return None };
    let exceeded = |case: &'_ CaseReport| match case.trial.as_ref()?.verdict {
        Verdict::TimeLimit => Some(CostKind::Time),
        Verdict::MemoryLimit => Some(CostKind::Memory),
        _ => None,
    };
    row.cases.iter().find_map(|case| Some(ExceededLimit { case: &case.name, kind: exceeded(case)? }))
}

struct GrowthRuns<'a> {
    bench: Bench<'a>,
    kind: CostKind,
    program: &'a Arc<Program>,
    accepted: &'a [Arc<Program>],
}

impl GrowthRuns<'_> {
    /// From the runs of the grading. If single disturbed ones may hide a growth, the least of repeated times counts.
    fn growth_by_facts(&self, sizes: &mut CaseSizes) -> Result<Option<ProgramGrowth>> {
        let Bench { engine, ground } = self.bench;
        let mut runs =
            SizedTrials { accepted: vec![Vec::new(); self.compared().len()], ..SizedTrials::default() };
        let mut tests: Vec<&KnownTest> = Vec::new();
        for test in &ground.tests {
            let setting = &ground.grounds[test.ground].setting;
            let task = |program: &Arc<Program>| {
                Job::new(Task::Trial(TrialTask::new(program.clone(), test.files.clone(), setting.clone())))
            };
            let jobs: Vec<Job> = std::iter::once(self.program).chain(self.compared()).map(task).collect();
            let mut known = engine.jobs.known_outcomes(&jobs)?.into_iter();
            let Some(Some(Outcome::Trial(trial))) = known.next() else { continue };
            let Some(sizes) = sizes.of(&test.paths[0], &test.paths[1])? else { continue };
            runs.sizes.push(sizes.clone());
            runs.trials.push(Some(trial));
            tests.push(test);
            for (trials, outcome) in runs.accepted.iter_mut().zip(known) {
                trials.push(match outcome {
                    Some(Outcome::Trial(trial)) => Some(trial),
                    Some(_) | None => None,
                });
            }
        }
        let growth = self.growth_of(&runs);
        if growth.is_some() || sized_runs(self.kind, &runs.sizes, &runs.trials).len() < MIN_SIZES {
            return Ok(growth);
        }
        let mut again = TimedRuns::new(self.bench)?;
        for (test, trial) in tests.into_iter().zip(&mut runs.trials) {
            if again.cpu > BUDGET || engine.is_stopped() {
                break;
            }
            if trial.as_ref().is_some_and(has_ended) {
                let input = test.contents()?.input;
                let other = again.run_one(&ground.grounds[test.ground], self.program, &input)?;
                *trial = self.cheaper(trial, &other);
            }
        }
        Ok(self.growth_of(&runs))
    }

    /// The accepted submissions that it is compared with.
    fn compared(&self) -> &[Arc<Program>] {
        &self.accepted[..self.accepted.len().min(ACCEPTED)]
    }

    fn growth_by_prefixes(&self, test: &KnownTest) -> Result<MeasuredGrowth> {
        let engine = self.bench.engine;
        let ground = &*self.bench.ground.grounds[test.ground];
        let setting = ground.setting.clone();
        let trial = TrialTask::new(self.program.clone(), test.files.clone(), setting);
        let fruitless = FruitlessSearch::new("growth", &[Job::new(Task::Trial(trial)).key], "");
        if fruitless.is_known(engine.store())? {
            return Ok(MeasuredGrowth::Unknown(NoGrowth::NotShown));
        }
        let mut runs = TimedRuns::new(self.bench)?;
        let prefixes = self.valid_prefixes(&runs, test)?;
        let inputs: Vec<&[u8]> = prefixes.iter().map(Vec::as_slice).collect();
        let trials = self.run_until_stopped(&mut runs, ground, &inputs)?;
        let inputs = &inputs[..trials.len()];
        let mut accepted = Vec::new();
        for program in self.compared() {
            accepted.push(runs.run(ground, program, inputs, KnownFacts::Use)?);
        }
        // Some of the runs would show another growth than all of them.
        if engine.is_stopped() || inputs.is_empty() {
            return Ok(MeasuredGrowth::Unknown(NoGrowth::NotMeasured));
        }
        let sizes = inputs.iter().map(|input| InputSizes::of(input)).collect();
        let mut sized = SizedTrials { sizes, trials, accepted };
        if let Some(growth) = self.growth_of(&sized) {
            return Ok(MeasuredGrowth::Shown(growth));
        }
        let ended = sized_runs(self.kind, &sized.sizes, &sized.trials).len();
        if ended < MIN_SIZES && sized.trials.iter().all(Option::is_some) {
            return Ok(MeasuredGrowth::Unknown(NoGrowth::NotShown));
        }
        // A busy machine hides a growth. The same runs again tell whether it was busy.
        let again = runs.run(ground, self.program, inputs, KnownFacts::Ignore)?;
        if engine.is_stopped() {
            return Ok(MeasuredGrowth::Unknown(NoGrowth::NotMeasured));
        }
        let pairs = sized.trials.iter().zip(&again);
        let is_disturbed = sized.sizes.iter().zip(pairs).any(|(sizes, pair)| match pair {
            (Some(one), Some(other)) => self.are_far(sizes, one, other),
            // An undecided run.
            _ => true,
        });
        for (trial, other) in sized.trials.iter_mut().zip(&again) {
            *trial = self.cheaper(trial, other);
        }
        if let Some(growth) = self.growth_of(&sized) {
            return Ok(MeasuredGrowth::Shown(growth));
        }
        if is_disturbed {
            return Ok(MeasuredGrowth::Unknown(NoGrowth::Busy));
        }
        fruitless.keep(engine.store())?;
        Ok(MeasuredGrowth::Unknown(NoGrowth::NotShown))
    }

    /// Valid parts of the input of a case, the smallest first.
    fn valid_prefixes(&self, runs: &TimedRuns, test: &KnownTest) -> Result<Vec<Vec<u8>>> {
        let text = InputText::read(&test.contents()?.input);
        let layout = InputLayout::of(self.bench.ground.form.as_deref().ok(), &text);
        let input = LaidInput::read(&layout, text);
        let Some(size) = InputParts::read(&input).sizes.first().copied() else { return Ok(Vec::new()) };
        let prefix = |share: f64| {
            let fewer = ((size.of(&input) as f64 * share) as usize).max(1);
            Some(size.resized(&input, fewer)?.bytes())
        };
        let mut prefixes: Vec<Vec<u8>> = SHARES.into_iter().rev().filter_map(prefix).collect();
        let inputs: Vec<&[u8]> = prefixes.iter().map(Vec::as_slice).collect();
        let mut valid = runs.are_valid(&self.bench.ground.grounds[test.ground], &inputs)?.into_iter();
        prefixes.retain(|_| valid.next().unwrap_or(false));
        Ok(prefixes)
    }

    /// The runs on these inputs until one of them does not end by itself.
    fn run_until_stopped(
        &self,
        runs: &mut TimedRuns,
        ground: &ProbeGround,
        inputs: &[&[u8]],
    ) -> Result<Vec<Option<Trial>>> {
        let mut trials = Vec::new();
        for input in inputs {
            if runs.cpu > BUDGET || runs.is_stopped() {
                break;
            }
            let trial = runs.run_one(ground, self.program, input)?;
            let is_stopped = trial.as_ref().is_some_and(|trial| !has_ended(trial));
            trials.push(trial);
            if is_stopped {
                break;
            }
        }
        Ok(trials)
    }

    fn cheaper(&self, one: &Option<Trial>, other: &Option<Trial>) -> Option<Trial> {
        let (Some(first), Some(again)) = (one, other) else { return one.clone().or(other.clone()) };
        let is_cheaper = match self.kind {
            CostKind::Time => again.usage.cpu < first.usage.cpu,
            CostKind::Memory => again.usage.memory < first.usage.memory,
        };
        Some(if is_cheaper { again.clone() } else { first.clone() })
    }

    fn are_far(&self, sizes: &InputSizes, one: &Trial, other: &Trial) -> bool {
        let [first, again] = [one, other].map(|trial| sized_run(self.kind, sizes, trial));
        match (first, again) {
            (Some(first), Some(again)) => first.is_far_from(&again, self.kind),
            // One of them was stopped.
            (first, again) => first.is_some() != again.is_some(),
        }
    }

    /// Runs that waited for a CPU take longer: they count only if the others show nothing.
    fn growth_of(&self, runs: &SizedTrials) -> Option<ProgramGrowth> {
        let is_quiet = |trial: &&Option<Trial>| trial.as_ref().is_some_and(is_undisturbed);
        let quiet: Vec<Option<Trial>> =
            runs.trials.iter().map(|trial| Some(trial).filter(is_quiet).cloned().flatten()).collect();
        let quiet = sized_runs(self.kind, &runs.sizes, &quiet);
        let all = sized_runs(self.kind, &runs.sizes, &runs.trials);
        let (found, own) = match growth(&quiet, self.kind) {
            Some(found) => (found, quiet),
            None => (growth(&all, self.kind)?, all),
        };
        let others: Vec<Vec<SizedRun>> =
            runs.accepted.iter().map(|trials| sized_runs(self.kind, &runs.sizes, trials)).collect();
        let chart = GrowthChart {
            own: chart_points(found.measure, &own),
            accepted: chart_points(found.measure, others.iter().flatten()),
        };
        Some(ProgramGrowth {
            kind: self.kind,
            accepted: accepted_growth(&found, &others, self.kind),
            growth: found,
            chart: Some(chart),
        })
    }
}

/// Runs of a program and of accepted ones, by input.
#[derive(Default)]
struct SizedTrials {
    sizes: Vec<InputSizes>,
    trials: Vec<Option<Trial>>,
    accepted: Vec<Vec<Option<Trial>>>,
}

/// A run that had its CPU for nearly all of its time. A program that starts takes some milliseconds of wall time more.
fn is_undisturbed(trial: &Trial) -> bool {
    trial.usage.wall <= trial.usage.cpu.mul_f64(1.25) + Duration::from_millis(20)
}

fn chart_points<'r>(measure: SizeMeasure, runs: impl IntoIterator<Item = &'r SizedRun>) -> Vec<ChartPoint> {
    let point = |run: &SizedRun| Some(ChartPoint { size: run.sizes.by(measure)? as f64, cost: run.cost });
    runs.into_iter().filter_map(point).collect()
}

fn sized_runs(kind: CostKind, inputs: &[InputSizes], trials: &[Option<Trial>]) -> Vec<SizedRun> {
    let run = |(sizes, trial): (&InputSizes, &Option<Trial>)| sized_run(kind, sizes, trial.as_ref()?);
    inputs.iter().zip(trials).filter_map(run).collect()
}

/// By the least of its times, if it was repeated; `None`: the run was stopped.
fn sized_run(kind: CostKind, sizes: &InputSizes, trial: &Trial) -> Option<SizedRun> {
    let sizes = sizes.clone();
    has_ended(trial).then(|| match kind {
        CostKind::Time => {
            let least = trial.tries.iter().copied().min().unwrap_or(trial.usage.cpu);
            SizedRun::timed(sizes, least.min(trial.usage.cpu))
        }
        CostKind::Memory => SizedRun { sizes, cost: trial.usage.memory.0 as f64 / f64::from(1 << 20) },
    })
}

fn has_ended(trial: &Trial) -> bool {
    !matches!(trial.exit, Exit::Exceeded(_)) && trial.verdict != Verdict::RunTimeError
}

fn accepted_growth(found: &Growth, others: &[Vec<SizedRun>], kind: CostKind) -> AcceptedGrowth {
    let factors: Vec<f64> = others
        .iter()
        .filter_map(|runs| growth_by(found.measure, runs, kind))
        .map(|growth| growth.factor)
        .collect();
    let bound = |pick: fn(f64, f64) -> f64| factors.iter().copied().reduce(pick);
    if let (Some(least), Some(largest)) = (bound(f64::min), bound(f64::max)) {
        return AcceptedGrowth::Factors(least, largest);
    }
    let slowest = others.iter().flatten().map(|run| run.cost).reduce(f64::max);
    match (kind, slowest) {
        (CostKind::Time, Some(slowest)) => AcceptedGrowth::AtMost(Duration::from_secs_f64(slowest / 1e3)),
        (CostKind::Time | CostKind::Memory, _) => AcceptedGrowth::Unknown,
    }
}
