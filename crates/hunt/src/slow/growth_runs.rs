//! Measures how the cost of a program grows: from facts about the cases, otherwise on prefixes of the case that showed
//! the limit, so that nothing but the size differs.

use super::{
    case_sizes::CaseSizes,
    input_parts::InputParts,
    package_search::{TimedPrograms, check_searchable, timed_programs},
    timed_runs::TimedRuns,
};
use crate::{
    form::{InputForm, InputLayout, InputText, LaidInput},
    fruitless::FruitlessSearch,
    stress::{HuntingGround, KnownTest},
};
use anyhow::Result;
use kopek_engine::exec::Engine;
use kopek_package::{
    package::{Package, Participant, TestSet},
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
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// A program that exceeds a limit.
struct SlowProgram {
    member: Participant,
    /// The case with which it does.
    case: String,
    kind: CostKind,
}

/// Shares of the items of a case. The smallest shows the time of the start.
const SHARES: [f64; 9] = [0.7, 0.5, 0.35, 0.25, 0.18, 0.125, 0.09, 0.06, 0.01];
/// CPU time of the runs for one program.
const BUDGET: Duration = Duration::from_secs(5);
/// More accepted submissions add nothing to the comparison.
const ACCEPTED: usize = 3;

/// Adds their growth to the rows of these participants that exceed a limit. Returns why others have none, by name;
/// nothing was measured for those that are not there.
pub fn add_growth(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
    rows: &mut [RowReport],
) -> Result<BTreeMap<String, NoGrowth>> {
    let mut programs: Vec<SlowProgram> = Vec::new();
    let mut rows_of: Vec<Vec<usize>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let equal = |other: &usize| row.program.is_some() && rows[*other].program == row.program;
        if let Some(same) = rows_of.iter_mut().find(|same| same.iter().any(equal)) {
            same.push(at);
        } else if let Some(program) = slow_program(row, members) {
            programs.push(program);
            rows_of.push(vec![at]);
        }
    }
    if programs.is_empty() || check_searchable(package).is_err() {
        return Ok(BTreeMap::new());
    }
    let mut ungrown = BTreeMap::new();
    for (same, found) in rows_of.iter().zip(measure_growth(engine, package, tests, &programs)?) {
        match found {
            Ok(growth) => same.iter().for_each(|&at| rows[at].growth = Some(growth.clone())),
            Err(why) => ungrown.extend(same.iter().map(|&at| (rows[at].card.name.clone(), why))),
        }
    }
    Ok(ungrown)
}

/// The same from the runs of the rows alone: nothing is run, and nothing is compared.
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
struct ExceededLimit<'r> {
    case: &'r str,
    kind: CostKind,
}

/// The first case with which a decided row exceeds the limit of time or memory.
fn exceeded_limit(row: &RowReport) -> Option<ExceededLimit<'_>> {
    let State::Decided(_) = row.card.state else { return None };
    let exceeded = |case: &'_ CaseReport| match case.trial.as_ref()?.verdict {
        Verdict::TimeLimit => Some(CostKind::Time),
        Verdict::MemoryLimit => Some(CostKind::Memory),
        _ => None,
    };
    row.cases.iter().find_map(|case| Some(ExceededLimit { case: &case.name, kind: exceeded(case)? }))
}

fn slow_program(row: &RowReport, members: &[Participant]) -> Option<SlowProgram> {
    let ExceededLimit { case, kind } = exceeded_limit(row)?;
    let is_own = |member: &&Participant| member.name == row.card.name && member.hand_in == row.hand_in;
    let member = members.iter().find(is_own)?.clone();
    Some(SlowProgram { member, case: case.to_owned(), kind })
}

/// The growth of each program, or why it is not known.
fn measure_growth(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    programs: &[SlowProgram],
) -> Result<Vec<Result<ProgramGrowth, NoGrowth>>> {
    let members: Vec<Participant> = programs.iter().map(|program| program.member.clone()).collect();
    // A package without an accepted submission that can run here has no growth, and that is no error.
    let Ok(TimedPrograms { ground, accepted, subjects }) = timed_programs(engine, package, tests, &members)
    else {
        return Ok(vec![Err(NoGrowth::NotMeasured); programs.len()]);
    };
    let mut sizes = CaseSizes::default();
    let mut found = Vec::new();
    for SlowProgram { member, case, kind } in programs {
        let subject = subjects.iter().find(|subject| subject.name == member.name);
        let test = ground.tests.iter().find(|test| test.name == *case);
        let (Some(subject), Some(test)) = (subject, test) else {
            found.push(Err(NoGrowth::NotMeasured));
            continue;
        };
        let runs = GrowthRuns { engine, kind: *kind, program: &subject.program, accepted: &accepted };
        let of_facts = runs.growth_by_facts(&ground, &mut sizes)?;
        let is_one_test = sizes.of(&test.paths[0], &test.paths[1])?.is_some();
        found.push(match of_facts {
            Some(growth) => Ok(growth),
            None if is_one_test => {
                runs.growth_by_prefixes(test, &ground.grounds[test.ground], ground.form.as_deref().ok())?
            }
            // A part of several tests is fewer tests.
            None => Err(NoGrowth::NotMeasured),
        });
    }
    Ok(found)
}

struct GrowthRuns<'a> {
    engine: &'a Engine<'a>,
    kind: CostKind,
    program: &'a Arc<Program>,
    accepted: &'a [Arc<Program>],
}

impl GrowthRuns<'_> {
    fn growth_by_facts(
        &self,
        ground: &HuntingGround,
        sizes: &mut CaseSizes,
    ) -> Result<Option<ProgramGrowth>> {
        let mut inputs = Vec::new();
        let mut facts = Vec::new();
        let mut of_accepted = vec![Vec::new(); self.accepted.len().min(ACCEPTED)];
        for test in &ground.tests {
            let setting = &ground.grounds[test.ground].setting;
            let task = |program: &Arc<Program>| {
                Job::new(Task::Trial(TrialTask::new(program.clone(), test.files.clone(), setting.clone())))
            };
            let jobs: Vec<Job> =
                std::iter::once(self.program).chain(self.accepted.iter().take(ACCEPTED)).map(task).collect();
            let mut known = self.engine.jobs.known_outcomes(&jobs)?.into_iter();
            let Some(Some(Outcome::Trial(trial))) = known.next() else { continue };
            let Some(sizes) = sizes.of(&test.paths[0], &test.paths[1])? else { continue };
            inputs.push(sizes.clone());
            facts.push(Some(trial));
            for (trials, outcome) in of_accepted.iter_mut().zip(known) {
                trials.push(match outcome {
                    Some(Outcome::Trial(trial)) => Some(trial),
                    Some(_) | None => None,
                });
            }
        }
        Ok(self.growth_of(&inputs, &facts, &of_accepted))
    }

    fn growth_by_prefixes(
        &self,
        test: &KnownTest,
        ground: &ProbeGround,
        form: Option<&InputForm>,
    ) -> Result<Result<ProgramGrowth, NoGrowth>> {
        let setting = ground.setting.clone();
        let trial = TrialTask::new(self.program.clone(), test.files.clone(), setting);
        let fruitless = FruitlessSearch::new("growth", &[Job::new(Task::Trial(trial)).key], "");
        if fruitless.is_known(self.engine.store())? {
            return Ok(Err(NoGrowth::NotShown));
        }
        let mut runs = TimedRuns::new(self.engine)?;
        let prefixes = valid_prefixes(&runs, test, ground, form)?;
        let inputs: Vec<&[u8]> = prefixes.iter().map(Vec::as_slice).collect();
        let trials = self.run_until_stopped(&mut runs, ground, &inputs)?;
        let inputs = &inputs[..trials.len()];
        let mut of_accepted = Vec::new();
        for accepted in self.accepted.iter().take(ACCEPTED) {
            of_accepted.push(runs.run(ground, accepted, inputs)?);
        }
        // Some of the runs would show another growth than all of them.
        if self.engine.is_stopped() {
            return Ok(Err(NoGrowth::NotMeasured));
        }
        let sizes: Vec<InputSizes> = inputs.iter().map(|input| InputSizes::of(input)).collect();
        if let Some(growth) = self.growth_of(&sizes, &trials, &of_accepted) {
            return Ok(Ok(growth));
        }
        if inputs.is_empty() {
            return Ok(Err(NoGrowth::NotMeasured));
        }
        let ended = sized_runs(self.kind, &sizes, &trials).len();
        if ended < MIN_SIZES && trials.iter().all(Option::is_some) {
            return Ok(Err(NoGrowth::NotShown));
        }
        // A busy machine hides a growth. The same runs again tell whether it was busy.
        let again = runs.run_again(ground, self.program, inputs)?;
        if self.engine.is_stopped() {
            return Ok(Err(NoGrowth::NotMeasured));
        }
        let shorter: Vec<Option<Trial>> =
            trials.iter().zip(&again).map(|(one, other)| self.cheaper(one, other)).collect();
        if let Some(growth) = self.growth_of(&sizes, &shorter, &of_accepted) {
            return Ok(Ok(growth));
        }
        let is_disturbed =
            |(sizes, (one, other)): (&InputSizes, (&Option<Trial>, &Option<Trial>))| match (one, other) {
                (Some(one), Some(other)) => self.are_far(sizes, one, other),
                // An undecided run.
                _ => true,
            };
        if sizes.iter().zip(trials.iter().zip(&again)).any(is_disturbed) {
            return Ok(Err(NoGrowth::Busy));
        }
        fruitless.keep(self.engine.store())?;
        Ok(Err(NoGrowth::NotShown))
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
            if runs.cpu > BUDGET || self.engine.is_stopped() {
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

    fn growth_of(
        &self,
        inputs: &[InputSizes],
        trials: &[Option<Trial>],
        accepted: &[Vec<Option<Trial>>],
    ) -> Option<ProgramGrowth> {
        let runs = sized_runs(self.kind, inputs, trials);
        let found = growth(&runs, self.kind)?;
        let others: Vec<Vec<SizedRun>> =
            accepted.iter().map(|trials| sized_runs(self.kind, inputs, trials)).collect();
        let chart = GrowthChart {
            own: chart_points(found.measure, &runs),
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

/// Parts of the input that the validators accept, the smallest first.
fn valid_prefixes(
    runs: &TimedRuns,
    test: &KnownTest,
    ground: &ProbeGround,
    form: Option<&InputForm>,
) -> Result<Vec<Vec<u8>>> {
    let text = InputText::read(&test.contents()?.input);
    let layout = InputLayout::of(form, &text);
    let input = LaidInput::read(&layout, text);
    let Some(size) = InputParts::read(&input).sizes.first().copied() else { return Ok(Vec::new()) };
    let prefix = |share: f64| {
        let fewer = ((size.of(&input) as f64 * share) as usize).max(1);
        Some(size.resized(&input, fewer)?.bytes())
    };
    let mut prefixes: Vec<Vec<u8>> = SHARES.into_iter().rev().filter_map(prefix).collect();
    let inputs: Vec<&[u8]> = prefixes.iter().map(Vec::as_slice).collect();
    let mut valid = runs.are_valid(ground, &inputs)?.into_iter();
    prefixes.retain(|_| valid.next().unwrap_or(false));
    Ok(prefixes)
}

fn chart_points<'r>(measure: SizeMeasure, runs: impl IntoIterator<Item = &'r SizedRun>) -> Vec<ChartPoint> {
    let point = |run: &SizedRun| Some(ChartPoint { size: run.sizes.by(measure)? as f64, cost: run.cost });
    runs.into_iter().filter_map(point).collect()
}

fn sized_runs(kind: CostKind, inputs: &[InputSizes], trials: &[Option<Trial>]) -> Vec<SizedRun> {
    let run = |(sizes, trial): (&InputSizes, &Option<Trial>)| sized_run(kind, sizes, trial.as_ref()?);
    inputs.iter().zip(trials).filter_map(run).collect()
}

/// `None`: the run was stopped.
fn sized_run(kind: CostKind, sizes: &InputSizes, trial: &Trial) -> Option<SizedRun> {
    let sizes = sizes.clone();
    has_ended(trial).then(|| match kind {
        CostKind::Time => SizedRun::timed(sizes, trial.usage.cpu),
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
