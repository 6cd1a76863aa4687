//! The search for the programs of a package.

use super::{
    bases::{Bases, SlowStart},
    search::{FoundSlow, SlowSearch},
};
use crate::{
    bench::{Bench, HuntingGround, StressRequest, StressSubject, ground_of_package, is_claimed_right},
    fruitless::FruitlessSearch,
    stress::{HuntStep, OnHuntStep, unhunted_kind},
};
use anyhow::{Result, bail};
use kopek_engine::exec::Engine;
use kopek_package::package::{Package, Participant, TestSet};
use kopek_plan::plan::{ProbeFailure, Program, Trial};
use kopek_results::{
    Found, FoundFailure, InputOrigin, NotFound, ShrinkEnd, Shrinking, SlowInput, StressGoal, StressReport,
};
use std::{sync::Arc, time::Duration};

/// The bounds of a search for one program.
#[derive(Debug, Clone, Copy)]
pub struct SlowLimits {
    /// CPU time of the program and the validators. Measuring the largest inputs, once for all programs, may take as long.
    pub budget: Duration,
    pub seed: u64,
    pub start: SlowStart,
}

/// Programs of a class that show which inputs are fair: each runs on every input that is slow.
const MAX_OF_CLASS: usize = 5;
/// More tries than this find little.
const MAX_TRIES: u32 = 1000;

/// Fails for kinds of problems whose submissions are not timed on new inputs.
pub fn check_searchable(package: &Package) -> Result<()> {
    let interactive = package.kind.interactive.then_some("interactive");
    if let Some(kind) = unhunted_kind(package).or(interactive) {
        bail!("{}: the search for slow inputs does not support {kind} problems", package.name);
    }
    Ok(())
}

/// Programs that can be timed.
pub(super) struct TimedPrograms {
    pub ground: HuntingGround,
    pub accepted: Vec<Arc<Program>>,
    /// Not those that are accepted.
    pub subjects: Vec<StressSubject>,
}

/// Builds these programs and the accepted submissions, or those of a class with all points where the package has none.
pub(super) fn timed_programs(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
    of_class: &[Participant],
) -> Result<TimedPrograms> {
    let right = package.submissions.iter().filter(|one| is_claimed_right(package, &one.name));
    let mut right: Vec<Participant> = right.map(Participant::from).collect();
    if right.is_empty() {
        right.extend(of_class.iter().take(MAX_OF_CLASS).cloned());
    }
    let others = right.iter().filter(|one| members.iter().all(|member| member.name != one.name));
    let files = members.iter().chain(others).cloned().collect();
    let request = StressRequest { files, only_times: true, ..StressRequest::default() };
    let mut ground = ground_of_package(engine, package, tests, &request)?;
    let is_right = |subject: &&StressSubject| right.iter().any(|one| one.name == subject.name);
    let accepted: Vec<Arc<Program>> =
        ground.subjects.iter().filter(is_right).map(|subject| subject.program.clone()).collect();
    let is_member = |subject: &StressSubject| members.iter().any(|member| member.name == subject.name);
    let mut subjects = std::mem::take(&mut ground.subjects);
    subjects.retain(is_member);
    Ok(TimedPrograms { ground, accepted, subjects })
}

/// Searches an input for each of these programs.
pub fn run_slow_campaign(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    members: &[Participant],
    limits: SlowLimits,
    on_step: &mut OnHuntStep,
) -> Result<StressReport> {
    check_searchable(package)?;
    let timed = timed_programs(engine, package, tests, members, &[])?;
    search_slow(engine, package, &timed, limits, on_step)
}

pub(super) fn search_slow(
    engine: &Engine,
    package: &Package,
    timed: &TimedPrograms,
    limits: SlowLimits,
    on_step: &mut OnHuntStep,
) -> Result<StressReport> {
    let TimedPrograms { ground, accepted, subjects } = timed;
    if accepted.is_empty() {
        bail!(
            "{}: no accepted submission can run, so nothing shows which inputs are fair; add one to \
             submissions/accepted/",
            package.name
        );
    }
    ground.valid_by()?;
    let title = package.name.clone();
    let mut report = StressReport {
        title,
        goal: StressGoal::SlowRuns,
        programs: subjects.iter().map(StressSubject::tried).collect(),
        seed: limits.seed,
        skipped: ground.skipped.clone(),
        ..StressReport::default()
    };
    let SlowLimits { budget, seed, start } = limits;
    let bench = Bench { engine, ground };
    let mut bases = Bases::read(bench, start, budget)?;
    for (at, subject) in subjects.iter().enumerate() {
        if engine.is_stopped() {
            break;
        }
        let StressSubject { name, program, .. } = subject;
        let others: Vec<Arc<Program>> =
            accepted.iter().filter(|one| one.build.key() != program.build.key()).cloned().collect();
        let programs = [std::slice::from_ref(program), &others].concat();
        let more = format!("{} ms, seed {seed}", budget.as_millis());
        let fruitless = FruitlessSearch::new("slow input", &ground.keys_of(&programs), &more);
        // Setters also read the slowest input that was tried.
        if start == SlowStart::Samples && fruitless.is_known(engine.store())? {
            let (name, claimed_right) = (name.clone(), subject.claimed_right);
            report.not_found.push(NotFound { name, claimed_right, slowest: None });
            continue;
        }
        let (accepted, tries) = (&others[..], MAX_TRIES);
        let search = SlowSearch { bench, name, program, accepted, budget, tries, seed };
        let searched = search.run(&mut bases, on_step)?;
        if start == SlowStart::Samples && searched.is_fruitless && !engine.is_stopped() {
            fruitless.keep(engine.store())?;
        }
        if searched.found.is_some() {
            on_step(HuntStep::Found(name));
        }
        add_found(&mut report, at, subject, searched);
        on_step(HuntStep::Round(&report.counts));
    }
    Ok(report)
}

fn add_found(report: &mut StressReport, at: usize, subject: &StressSubject, searched: FoundSlow) {
    let FoundSlow { found, slowest, unfair, tries, runs, cpu, .. } = searched;
    report.counts.valid += u64::from(tries);
    report.counts.trials += u64::from(runs);
    report.took += cpu;
    match found {
        Some((input, trial, bytes)) => {
            report.findings.push(slow_finding(at, input, trial, bytes, tries));
        }
        None => {
            let fault = |origin| format!("an accepted submission exceeds the limit, too, on {origin}");
            report.faults.extend(unfair.map(fault));
            let (name, claimed_right) = (subject.name.clone(), subject.claimed_right);
            report.not_found.push(NotFound { name, claimed_right, slowest });
        }
    }
}

fn slow_finding(at: usize, slow: SlowInput, trial: Trial, found_bytes: usize, tried: u32) -> Found {
    let failure = FoundFailure {
        program: Some(at),
        failure: ProbeFailure::Verdict(trial.verdict),
        message: slow.to_string(),
        trial: Some(trial),
        printed: None,
    };
    let (steps, tried) = (Vec::new(), tried as usize);
    let shrinking = Shrinking { found_bytes, steps, tried, end: ShrinkEnd::FewestItems };
    let input = Found::new(slow.input.clone(), 0, InputOrigin::ChangedCase(slow.origin()));
    Found { failures: vec![failure], slow: Some(slow), shrinking, ..input }
}
