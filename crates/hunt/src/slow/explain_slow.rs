//! Why programs of a class exceed their limits: how they grow, and inputs on which they are too slow. Each program is built
//! once.

use super::{
    growth_runs::{ExceededLimit, MeasuredGrowth, SlowProgram, exceeded_limit, measure_growth},
    package_search::{SlowLimits, TimedPrograms, check_searchable, search_slow, timed_programs},
};
use crate::stress::OnHuntStep;
use anyhow::Result;
use kopek_engine::exec::Engine;
use kopek_package::{
    package::{Package, Participant, TestSet},
    verdict::{Class, Verdict},
};
use kopek_results::{NoGrowth, RowReport, SlowInput};
use std::collections::{BTreeMap, BTreeSet};

/// A class whose slow programs are explained.
#[derive(Clone, Copy)]
pub struct SlowRequest<'a> {
    pub engine: &'a Engine<'a>,
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub members: &'a [Participant],
    /// Programs of the class with all points: they show which inputs are fair where the package has no solution.
    pub right: &'a [Participant],
    /// How long inputs are searched for those that only exceed limits; `None`: not at all.
    pub search: Option<SlowLimits>,
}

/// What is not known, by the names of rows.
#[derive(Debug, Default)]
pub struct SlowUnknown {
    /// Why programs have no growth; nothing was measured for those that are not there.
    pub growth: BTreeMap<String, NoGrowth>,
    /// Those without an input, though one was searched.
    pub searched: BTreeSet<String>,
}

impl SlowRequest<'_> {
    /// Adds growth and inputs to the rows that exceed a limit.
    pub fn explain(&self, rows: &mut [RowReport], on_step: &mut OnHuntStep) -> Result<SlowUnknown> {
        let mut unknown = SlowUnknown::default();
        let mut programs: Vec<SlowProgram> = Vec::new();
        let mut rows_of: Vec<Vec<usize>> = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let equal = |other: &usize| row.program.is_some() && rows[*other].program == row.program;
            if let Some(same) = rows_of.iter_mut().find(|same| same.iter().any(equal)) {
                same.push(at);
            } else if let Some(program) = self.slow_program(row) {
                programs.push(program);
                rows_of.push(vec![at]);
            }
        }
        if programs.is_empty() || check_searchable(self.package).is_err() {
            return Ok(unknown);
        }
        let members: Vec<Participant> = programs.iter().map(|program| program.member.clone()).collect();
        // A package without an accepted submission that can run here has no growth, and that is no error.
        let Ok(mut timed) = timed_programs(self.engine, self.package, self.tests, &members, self.right)
        else {
            let names = rows_of.iter().flatten().map(|&at| rows[at].card.name.clone());
            unknown.growth = names.map(|name| (name, NoGrowth::NotMeasured)).collect();
            return Ok(unknown);
        };
        for (same, found) in rows_of.iter().zip(measure_growth(self.engine, &timed, &programs)?) {
            match found {
                MeasuredGrowth::Shown(growth) => {
                    same.iter().for_each(|&at| rows[at].growth = Some(growth.clone()))
                }
                MeasuredGrowth::Unknown(why) => {
                    unknown.growth.extend(same.iter().map(|&at| (rows[at].card.name.clone(), why)));
                }
            }
        }
        let Some(limits) = self.search else { return Ok(unknown) };
        let is_searched = |name: &str| {
            let at = programs.iter().position(|program| program.member.name == name);
            at.is_some_and(|at| rows_of[at].iter().any(|&row| is_only_slow(&rows[row])))
        };
        timed.subjects.retain(|subject| is_searched(&subject.name));
        if timed.subjects.is_empty() || timed.ground.valid_by().is_err() || self.engine.is_stopped() {
            return Ok(unknown);
        }
        unknown.searched = self.add_inputs(&timed, limits, &programs, &rows_of, rows, on_step)?;
        Ok(unknown)
    }

    fn slow_program(&self, row: &RowReport) -> Option<SlowProgram> {
        let ExceededLimit { case, kind } = exceeded_limit(row)?;
        let is_own = |member: &&Participant| member.name == row.card.name && member.hand_in == row.hand_in;
        let member = self.members.iter().find(is_own)?.clone();
        Some(SlowProgram { member, case: case.to_owned(), kind })
    }

    /// Returns the names of the programs without an input.
    fn add_inputs(
        &self,
        timed: &TimedPrograms,
        limits: SlowLimits,
        programs: &[SlowProgram],
        rows_of: &[Vec<usize>],
        rows: &mut [RowReport],
        on_step: &mut OnHuntStep,
    ) -> Result<BTreeSet<String>> {
        let report = search_slow(self.engine, self.package, timed, limits, on_step)?;
        for found in &report.findings {
            let Some(name) = report.program_of(found).map(|program| &program.name) else { continue };
            let Some(at) = programs.iter().position(|program| program.member.name == *name) else { continue };
            // An unchanged case is a test, which is known.
            let input: Option<SlowInput> = found.slow.clone().filter(|input| !input.changes.is_empty());
            for &row in &rows_of[at] {
                rows[row].slow_input = input.clone().filter(|_| has_usual_limit(&rows[row]));
            }
        }
        Ok(report.not_found.into_iter().map(|one| one.name).collect())
    }
}

/// A search knows the time limit of the package only.
fn has_usual_limit(row: &RowReport) -> bool {
    row.hand_in.time_factor.is_none()
}

/// Whether a program exceeds the usual time limit, and fails in no other way than by its limits.
fn is_only_slow(row: &RowReport) -> bool {
    let verdicts = || row.cases.iter().filter_map(|case| Some(case.trial.as_ref()?.verdict));
    let is_limit = |verdict: Verdict| match verdict.class() {
        Some(Class::Ac | Class::Tle) | None => true,
        Some(Class::Wa | Class::Rte) => verdict == Verdict::MemoryLimit,
    };
    has_usual_limit(row) && verdicts().all(is_limit) && verdicts().any(|one| one == Verdict::TimeLimit)
}
