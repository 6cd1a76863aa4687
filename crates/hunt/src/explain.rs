//! Why the programs of some rows fail: inputs, and how the time of slow ones grows. The only way in for classes, single
//! solutions and answers in Moodle.

use crate::{
    slow::{SlowLimits, SlowRequest, SlowStart, SlowUnknown},
    stress::{Bank, ClassHunt, ClassProgram, HuntStep, OnHuntStep},
};
use anyhow::Result;
use kopek_engine::exec::Engine;
use kopek_judge::grade::JudgedCohort;
use kopek_package::{
    package::{Audience, Package, Participant, TestSet},
    verdict::{Class, Verdict},
};
use kopek_plan::score::State;
use kopek_results::{Counterexamples, NoGrowth, RowReport, Unexplained, UnexplainedProgram};
use std::time::Duration;

/// Rows of a package whose programs are explained.
#[derive(Clone, Copy)]
pub struct ExplainRequest<'a> {
    pub engine: &'a Engine<'a>,
    pub package: &'a Package,
    pub tests: &'a TestSet,
    pub members: &'a [Participant],
    pub from: InputsFrom<'a>,
}

/// Where the inputs come from that are shown.
#[derive(Clone, Copy)]
pub enum InputsFrom<'a> {
    /// A search with this CPU time for each program.
    Search(Duration),
    /// The bank, for the only row.
    Bank(&'a Bank, &'a JudgedCohort),
    Nowhere,
}

/// The seed of a search for a class: equal classes get equal inputs.
const SEED: u64 = 1;

/// Adds growth and slow inputs to the rows, and returns the inputs on which programs fail. An error of the search for
/// inputs comes after everything else is known.
pub fn explain(
    request: ExplainRequest,
    rows: &mut [RowReport],
    tell: &mut OnHuntStep,
) -> Result<Option<Counterexamples>> {
    match request.from {
        InputsFrom::Search(budget) => request.search(rows, budget, tell).map(Some),
        InputsFrom::Bank(bank, judged) => {
            request.explain_limits(rows, &[], None, tell)?;
            let is_right = rows.first().is_some_and(is_right);
            if is_right { Ok(None) } else { bank.failing_input(request.engine, judged, 0) }
        }
        InputsFrom::Nowhere => {
            request.explain_limits(rows, &[], None, tell)?;
            Ok(None)
        }
    }
}

impl ExplainRequest<'_> {
    fn search(
        &self,
        rows: &mut [RowReport],
        budget: Duration,
        tell: &mut OnHuntStep,
    ) -> Result<Counterexamples> {
        let ExplainRequest { engine, package, tests, .. } = *self;
        let (failing, only_limits): (Vec<_>, Vec<_>) =
            self.programs_of(rows, is_rejected).into_iter().partition(|program| !program.failed.is_empty());
        tell(HuntStep::Begins(failing.len() + only_limits.len()));
        let right = self.programs_of(rows, is_right);
        let hunt = ClassHunt { engine, package, tests, seed: SEED, budget, right: &right };
        let found = hunt.run(&failing, tell);
        let limits = SlowLimits { budget, seed: SEED, start: SlowStart::Samples };
        let members: Vec<Participant> = right.iter().map(|program| program.member.clone()).collect();
        let unknown = self.explain_limits(rows, &members, Some(limits), tell);
        let (mut found, unknown) = (found?, unknown?);
        found.interrupted |= engine.is_stopped();
        for program in only_limits {
            let why = why_too_slow(&program, rows, &unknown);
            found.unexplained.push(UnexplainedProgram { why, participants: program.participants });
        }
        Ok(found)
    }

    fn explain_limits(
        &self,
        rows: &mut [RowReport],
        right: &[Participant],
        search: Option<SlowLimits>,
        tell: &mut OnHuntStep,
    ) -> Result<SlowUnknown> {
        let ExplainRequest { engine, package, tests, members, .. } = *self;
        SlowRequest { engine, package, tests, members, right, search }.explain(rows, tell)
    }

    /// The distinct programs of these rows.
    fn programs_of(&self, rows: &[RowReport], is_meant: fn(&RowReport) -> bool) -> Vec<ClassProgram> {
        let mut found: Vec<DistinctProgram> = Vec::new();
        for row in rows {
            let Some(digest) = row.program.clone() else { continue };
            let name = row.card.name.clone();
            if let Some(same) = found.iter_mut().find(|known| known.digest == digest) {
                same.program.participants.push(name);
                continue;
            }
            let is_own = |member: &&Participant| member.name == name && member.hand_in == row.hand_in;
            let Some(member) = self.members.iter().find(is_own).cloned() else { continue };
            if is_meant(row) {
                let program = ClassProgram { participants: vec![name], member, failed: failed_cases(row) };
                found.push(DistinctProgram { digest, program });
            }
        }
        found.into_iter().map(|distinct| distinct.program).collect()
    }
}

/// A program that some participants handed in.
struct DistinctProgram {
    digest: String,
    program: ClassProgram,
}

fn why_too_slow(program: &ClassProgram, rows: &[RowReport], unknown: &SlowUnknown) -> Unexplained {
    let own = || rows.iter().filter(|row| program.participants.contains(&row.card.name));
    let growth = own().find_map(|row| Some(row.growth.as_ref()?.factor_said(Audience::Everyone).to_string()));
    let example = own().find_map(|row| Some(row.slow_input.as_ref()?.public()?.sentence().to_string()));
    if growth.is_some() || own().any(|row| row.slow_input.is_some()) {
        return Unexplained::Slow { growth, example };
    }
    let why = program.participants.iter().find_map(|name| unknown.growth.get(name));
    let growth = why.copied().unwrap_or(NoGrowth::NotMeasured);
    Unexplained::OnlyLimits { growth, searched: unknown.searched.contains(&program.member.name) }
}

/// A program that fails. Those that only exceed limits have no failed cases.
fn is_rejected(row: &RowReport) -> bool {
    !failed_cases(row).is_empty() || exceeds_limits(row)
}

/// Whether a program passes every case. One that is accepted may fail some where groups give points.
pub fn is_right(row: &RowReport) -> bool {
    let mut trials = row.cases.iter().filter_map(|case| case.trial.as_ref());
    row.card.state == State::Decided(Verdict::Accepted)
        && trials.all(|trial| trial.verdict == Verdict::Accepted)
}

/// The cases with a wrong answer or a run-time error; none if something is open.
fn failed_cases(row: &RowReport) -> Vec<(String, Verdict)> {
    if matches!(row.card.state, State::Unknown(_)) {
        return Vec::new();
    }
    let trials = row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)));
    let wrong = trials.filter(|(_, trial)| match trial.verdict.class() {
        Some(Class::Wa | Class::Rte) => trial.verdict != Verdict::MemoryLimit,
        Some(Class::Ac | Class::Tle) | None => false,
    });
    wrong.map(|(case, trial)| (case.name.clone(), trial.verdict)).collect()
}

fn exceeds_limits(row: &RowReport) -> bool {
    let mut trials = row.cases.iter().filter_map(|case| case.trial.as_ref());
    trials.any(|trial| trial.verdict == Verdict::MemoryLimit || trial.verdict.class() == Some(Class::Tle))
}
