//! The whole run: makes mutants, builds them, tries them on the tests, and hunts the survivors.

use super::{
    mutant_trials::{GroupTrials, LiveMutant, MutantTrials},
    mutants::{MutantFiles, list_mutants, spread_over, syntax_of, write_mutants},
};
use crate::stress::{
    CampaignLimits, HuntLimits, HuntUntil, OnHuntStep, StressRequest, StressSubject, ground_of_package,
    is_claimed_right, run_campaign,
};
use anyhow::{Context, Result, bail};
use kopek_base::wording::counted;
use kopek_engine::exec::{Engine, KnownFacts};
use kopek_judge::grade::prepare;
use kopek_package::package::{Group, Member, Package, Participant, Submission, TestSet};
use kopek_plan::plan::{Build, Outcome, Plan};
use kopek_results::{Mutant, MutantFate, MutationReport};
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// Shrinking all inputs that kill survivors may take as long as the hunt, or at least this time.
const SHRINK_TIME: Duration = Duration::from_secs(10);

/// The options of a run.
#[derive(Debug, Clone)]
pub struct MutationRequest {
    /// The submissions to mutate; if empty, the first accepted submission in a language that has mutations.
    pub submissions: Vec<Submission>,
    /// The most mutants of each submission.
    pub most: usize,
    /// The time limit of the whole run.
    pub budget: Duration,
    /// The time limit of the hunt.
    pub hunt: Duration,
}

/// Makes mutants and reports those that the tests miss.
pub fn mutate(
    engine: &Engine,
    package: &Package,
    tests: &TestSet,
    request: &MutationRequest,
    tell: &mut OnHuntStep,
) -> Result<MutationReport> {
    let clock = &engine.machine.clock;
    let start = clock.now();
    let submissions = chosen_submissions(engine, package, request)?;
    let groups = test_groups(tests);
    let mut report = MutationReport {
        title: package.name.clone(),
        listed: 0,
        mutants: Vec::new(),
        groups: groups.iter().map(|group| group.name.clone()).collect(),
        hunt: None,
        trials: 0,
        took: Duration::ZERO,
        faults: Vec::new(),
    };
    let mut survivors = Vec::new();
    for submission in &submissions {
        let all = list_mutants(engine, package, submission)?;
        report.listed += all.len();
        let mutants = spread_over(all, request.most);
        let files = write_mutants(submission, package, &mutants)?;
        let run = MutationRun { engine, package, tests, groups: &groups, until: start + request.budget };
        survivors.extend(run.try_mutants(submission, mutants, &files, &mut report)?);
    }
    let left = request.budget.saturating_sub(clock.now() - start).min(request.hunt);
    // Without a hunt, survivors stay undecided.
    if !survivors.is_empty() && !engine.is_stopped() && !left.is_zero() {
        let hunt = SurvivorHunt { engine, package, tests, time: left };
        hunt_survivors(&hunt, &submissions, survivors, &mut report, tell)?;
    }
    report.took = clock.now() - start;
    Ok(report)
}

fn chosen_submissions(
    engine: &Engine,
    package: &Package,
    request: &MutationRequest,
) -> Result<Vec<Submission>> {
    if package.kind.submit_answer {
        bail!("{}: a submit-answer problem has no programs to mutate", package.name);
    }
    if !request.submissions.is_empty() {
        return Ok(request.submissions.clone());
    }
    for submission in package.submissions.iter().filter(|one| is_claimed_right(package, &one.name)) {
        if syntax_of(engine, submission)?.is_some() {
            return Ok(vec![submission.clone()]);
        }
    }
    bail!("{}: no accepted submission in C, C++, Java, Python or Rust to mutate", package.name)
}

/// A group with its own cases: those that are in no group below it.
struct OwnCases {
    name: String,
    cases: Vec<usize>,
}

/// The groups that have own cases.
fn test_groups(tests: &TestSet) -> Vec<OwnCases> {
    fn add(group: &Group, found: &mut Vec<OwnCases>) {
        let own = group.members.iter().filter_map(|member| match member {
            Member::Case(case) => Some(*case),
            Member::Group(_) => None,
        });
        let cases: Vec<usize> = own.collect();
        if !cases.is_empty() {
            found.push(OwnCases { name: group.name.clone(), cases });
        }
        group.groups().for_each(|below| add(below, found));
    }
    let mut found = Vec::new();
    add(&tests.root, &mut found);
    found
}

struct MutationRun<'a> {
    engine: &'a Engine<'a>,
    package: &'a Package,
    tests: &'a TestSet,
    groups: &'a [OwnCases],
    until: Instant,
}

/// A mutant that no case kills: its index in the report, and its program.
struct Survivor {
    mutant: usize,
    subject: StressSubject,
}

impl MutationRun<'_> {
    fn try_mutants(
        &self,
        original: &Submission,
        mutants: Vec<Mutant>,
        files: &MutantFiles,
        report: &mut MutationReport,
    ) -> Result<Vec<Survivor>> {
        let members: Vec<Participant> =
            std::iter::once(Participant::from(original)).chain(files.participants.iter().cloned()).collect();
        let plan = prepare(self.engine, self.package, self.tests, &members, Duration::ZERO)?;
        let builds = self.build_in_time(&plan, report)?;
        let mut fates = first_fates(&plan, &builds).with_context(|| format!("build {}", original.name))?;
        // The original runs as the first: a case that kills it is not a valid test of mutants.
        let mut live = vec![0];
        live.extend((1..=fates.len()).filter(|row| fates[row - 1].is_none()));
        let programs =
            live.iter().map(|&row| self.live_mutant(&plan, &builds, row)).collect::<Result<Vec<_>>>()?;
        let mut trials = MutantTrials::new(&plan, self.engine, programs, self.until);
        trials.try_all()?;
        self.check_original(original, &plan, &trials.mutants[0])?;
        report.trials += trials.trials;
        report.faults.append(&mut trials.faults);
        let mut survivors = Vec::new();
        for (row, mutant) in live.iter().zip(&trials.mutants).skip(1) {
            fates[row - 1] = Some(self.fate_of(&plan, mutant));
            if mutant.groups.iter().all(GroupTrials::is_survived) {
                let subject = StressSubject {
                    name: plan.rows[*row].participant.name.clone(),
                    program: mutant.program.clone(),
                    claimed_right: false,
                };
                survivors.push(Survivor { mutant: report.mutants.len() + row - 1, subject });
            }
        }
        let fates = fates.into_iter().map(|fate| fate.unwrap_or(MutantFate::Unknown));
        report.mutants.extend(mutants.into_iter().zip(fates));
        Ok(survivors)
    }

    /// Builds programs until time is up. An active build is finished.
    fn build_in_time(&self, plan: &Plan, report: &mut MutationReport) -> Result<Vec<Option<Build>>> {
        let mut builds = Vec::new();
        let programs: Vec<usize> = (0..plan.programs.len()).collect();
        for some in programs.chunks(16) {
            if self.engine.machine.clock.now() >= self.until {
                break;
            }
            let jobs = some.iter().map(|&program| plan.build_job(program)).collect();
            for result in self.engine.run_all(jobs, KnownFacts::Use, &mut |_, _| Ok(()))? {
                builds.push(match result {
                    Some(Ok(Outcome::Build(build))) => Some(build),
                    Some(Err(fault)) => {
                        report.faults.push(format!("build a mutant: {fault}"));
                        None
                    }
                    _ => None,
                });
            }
        }
        builds.resize(plan.programs.len(), None);
        Ok(builds)
    }

    fn live_mutant(&self, plan: &Plan, builds: &[Option<Build>], row: usize) -> Result<LiveMutant> {
        let name = &plan.rows[row].participant.name;
        let program = plan.rows[row].program.as_ref().map_err(|why| anyhow::anyhow!("{name}: {why}"))?;
        let Some(Build::Program { blob, entry, .. }) = &builds[*program] else {
            bail!("{name}: it was not built");
        };
        let program = Arc::new(plan.runnable(*program, name, *blob, entry));
        let groups = self.groups.iter().map(|group| GroupTrials::of_cases(&group.cases)).collect();
        Ok(LiveMutant { program, groups })
    }

    fn check_original(&self, original: &Submission, plan: &Plan, trials: &LiveMutant) -> Result<()> {
        match trials.groups.iter().find_map(|group| group.killer) {
            None => Ok(()),
            Some(case) => bail!(
                "{} is not accepted on {}; mutants need a correct submission",
                original.name,
                plan.cases[case].name
            ),
        }
    }

    fn fate_of(&self, plan: &Plan, mutant: &LiveMutant) -> MutantFate {
        let killer = |group: &GroupTrials| group.killer.map(|case| plan.cases[case].name.clone());
        let killers: Vec<Option<String>> = mutant.groups.iter().map(killer).collect();
        if killers.iter().any(Option::is_some) {
            return MutantFate::Killed(killers);
        }
        // A survivor is undecided until the hunt is over.
        MutantFate::Unknown
    }
}

/// By mutant, its result as far as it is known before any trial; the first row is the original.
fn first_fates(plan: &Plan, builds: &[Option<Build>]) -> Result<Vec<Option<MutantFate>>> {
    let blob = |program: usize| match &builds[program] {
        Some(Build::Program { blob, .. }) => Some(*blob),
        Some(Build::Refused { .. }) | None => None,
    };
    let original = plan.rows[0].program.as_ref().ok().and_then(|&program| blob(program));
    let original = original.context("it does not compile")?;
    let mut known = HashMap::new();
    let fate = |row: &kopek_plan::plan::Row| {
        let Ok(program) = row.program else { return Some(MutantFate::Unviable) };
        match &builds[program] {
            None => Some(MutantFate::Unknown),
            Some(Build::Refused { .. }) => Some(MutantFate::Unviable),
            Some(Build::Program { blob, .. }) if *blob == original => Some(MutantFate::SameProgram),
            Some(Build::Program { blob, .. }) => known.insert(*blob, ()).map(|()| MutantFate::Duplicate),
        }
    };
    Ok(plan.rows[1..].iter().map(fate).collect())
}

/// The input of a hunt for survivors.
struct SurvivorHunt<'a> {
    engine: &'a Engine<'a>,
    package: &'a Package,
    tests: &'a TestSet,
    time: Duration,
}

/// Hunts all survivors at once, on the same inputs.
fn hunt_survivors(
    hunt: &SurvivorHunt,
    submissions: &[Submission],
    survivors: Vec<Survivor>,
    report: &mut MutationReport,
    tell: &mut OnHuntStep,
) -> Result<()> {
    let &SurvivorHunt { engine, package, tests, time } = hunt;
    let files = submissions.iter().map(Participant::from).collect();
    let mut ground =
        ground_of_package(engine, package, tests, &StressRequest { files, ..StressRequest::default() })?;
    ground.subjects = survivors.iter().map(|survivor| survivor.subject.clone()).collect();
    let hunt = HuntLimits { seed: 1, time, until: HuntUntil::All };
    let limits = CampaignLimits { hunt, time: time + time.max(SHRINK_TIME) };
    let campaign = match run_campaign(engine, &ground, limits, tell) {
        Ok(campaign) => campaign,
        // The kills of the tests are known in any case.
        Err(error) => {
            report.faults.push(format!("hunt {}: {error:#}", counted(survivors.len(), "survivor")));
            return Ok(());
        }
    };
    if !engine.is_stopped() && campaign.counts.valid > 0 {
        for survivor in &survivors {
            report.mutants[survivor.mutant].1 = MutantFate::ProbablyEquivalent;
        }
    }
    for (number, finding) in campaign.findings.iter().enumerate() {
        if let Some(subject) = finding.example.subject {
            report.mutants[survivors[subject].mutant].1 = MutantFate::Proven(number);
        }
    }
    report.faults.extend(campaign.faults.iter().cloned());
    report.hunt = Some(campaign);
    Ok(())
}
