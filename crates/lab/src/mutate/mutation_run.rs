//! The whole run: makes mutants, builds them, tries them on the tests, and hunts the survivors.

use super::{
    mutant_trials::{GroupTrials, MutantTrials},
    mutants::{list_mutants, spread_over, syntax_of, write_mutants},
};
use anyhow::{Result, bail};
use kopek_base::wording::counted;
use kopek_engine::exec::{Engine, NoProgram};
use kopek_hunt::{
    StressRequest, StressSubject, build_rows, ground_of_package, is_claimed_right,
    stress::{CampaignLimits, HuntLimits, HuntUntil, OnHuntStep, run_campaign},
};
use kopek_judge::grade::prepare;
use kopek_package::package::{Group, Member, Package, Participant, Submission, TestSet};
use kopek_plan::plan::{Plan, Program};
use kopek_results::{Mutant, MutantFate, MutationReport};
use std::{collections::HashSet, sync::Arc, time::Duration, time::Instant};

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
    let groups = own_cases(&tests.root);
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
    let run = MutationRun { engine, package, tests, groups: &groups, until: start + request.budget };
    for submission in &submissions {
        let all = list_mutants(engine, package, submission)?;
        report.listed += all.len();
        survivors.extend(run.try_mutants(submission, spread_over(all, request.most), &mut report)?);
    }
    let left = request.budget.saturating_sub(clock.now() - start).min(request.hunt);
    // Without a hunt, survivors stay undecided.
    if !survivors.is_empty() && !engine.is_stopped() && !left.is_zero() {
        run.hunt_survivors(left, &submissions, survivors, &mut report, tell)?;
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
fn own_cases(group: &Group) -> Vec<OwnCases> {
    let own = group.members.iter().filter_map(|member| match member {
        Member::Case(case) => Some(*case),
        Member::Group(_) => None,
    });
    let mut found = vec![OwnCases { name: group.name.clone(), cases: own.collect() }];
    found.retain(|group| !group.cases.is_empty());
    found.extend(group.groups().flat_map(own_cases));
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

/// The program of a mutant, or its fate without one.
type Viable = Result<Arc<Program>, MutantFate>;

impl MutationRun<'_> {
    fn try_mutants(
        &self,
        original: &Submission,
        mutants: Vec<Mutant>,
        report: &mut MutationReport,
    ) -> Result<Vec<Survivor>> {
        let files = write_mutants(original, self.package, &mutants)?;
        let members: Vec<Participant> =
            std::iter::once(Participant::from(original)).chain(files.participants.iter().cloned()).collect();
        let plan = prepare(self.engine, self.package, self.tests, &members, Duration::ZERO)?;
        let mut built = self.build_in_time(&plan)?.into_iter();
        let program = match built.next() {
            Some(Ok(program)) => program,
            Some(Err(why)) => bail!("build {}: {why}", original.name),
            None => bail!("build {}: no time is left", original.name),
        };
        let programs = viable_programs(&program, built, report);
        // The original runs as the first: a case that kills it is not a valid test of mutants.
        let all = std::iter::once(&program).chain(programs.iter().flatten());
        let groups =
            all.flat_map(|program| self.groups.iter().map(|one| GroupTrials::new(program, &one.cases)));
        let mut trials = MutantTrials::run(&plan, self.engine, groups.collect(), self.until)?;
        report.trials += trials.trials;
        report.faults.append(&mut trials.faults);
        let case_name = |trials: &GroupTrials| Some(plan.cases[trials.killer?].name.clone());
        let mut tried = trials.groups.chunks(self.groups.len().max(1));
        if let Some(case) = tried.next().into_iter().flatten().find_map(case_name) {
            bail!("{} is not accepted on {case}; mutants need a correct submission", original.name);
        }
        let mut survivors = Vec::new();
        let mut programs = programs.into_iter();
        for mutant in mutants {
            let fate = match programs.next().unwrap_or(Err(MutantFate::Unknown)) {
                Err(fate) => fate,
                Ok(program) => {
                    let trials = tried.next().unwrap_or_default();
                    if trials.iter().all(GroupTrials::is_survived) {
                        let subject = StressSubject { name: mutant.name(), program, claimed_right: false };
                        survivors.push(Survivor { mutant: report.mutants.len(), subject });
                    }
                    let killers: Vec<Option<String>> = trials.iter().map(case_name).collect();
                    // A survivor is undecided until the hunt is over.
                    let is_killed = killers.iter().any(Option::is_some);
                    if is_killed { MutantFate::Killed(killers) } else { MutantFate::Unknown }
                }
            };
            report.mutants.push((mutant, fate));
        }
        Ok(survivors)
    }

    /// Builds programs of rows until time is up. An active build is finished.
    fn build_in_time(&self, plan: &Plan) -> Result<Vec<Result<Arc<Program>, NoProgram>>> {
        let mut built = Vec::new();
        for rows in plan.rows.chunks(16) {
            if self.engine.machine.clock.now() >= self.until {
                break;
            }
            built.extend(build_rows(self.engine, plan, rows)?);
        }
        Ok(built)
    }

    /// Hunts all survivors at once, on the same inputs.
    fn hunt_survivors(
        &self,
        time: Duration,
        submissions: &[Submission],
        survivors: Vec<Survivor>,
        report: &mut MutationReport,
        tell: &mut OnHuntStep,
    ) -> Result<()> {
        let files = submissions.iter().map(Participant::from).collect();
        let request = StressRequest { files, ..StressRequest::default() };
        let mut ground = ground_of_package(self.engine, self.package, self.tests, &request)?;
        ground.subjects = survivors.iter().map(|survivor| survivor.subject.clone()).collect();
        let hunt = HuntLimits { seed: 1, time, until: HuntUntil::All };
        let limits = CampaignLimits { hunt, time: time + time.max(SHRINK_TIME) };
        let campaign = match run_campaign(self.engine, &ground, limits, tell) {
            Ok(campaign) => campaign,
            // The kills of the tests are known in any case.
            Err(error) => {
                report.faults.push(format!("hunt {}: {error:#}", counted(survivors.len(), "survivor")));
                return Ok(());
            }
        };
        if !self.engine.is_stopped() && campaign.counts.valid > 0 {
            for survivor in &survivors {
                report.mutants[survivor.mutant].1 = MutantFate::ProbablyEquivalent;
            }
        }
        for (number, finding) in campaign.findings.iter().enumerate() {
            if let Some(subject) = finding.program() {
                report.mutants[survivors[subject].mutant].1 = MutantFate::Proven(number);
            }
        }
        report.faults.extend(campaign.faults.iter().cloned());
        report.hunt = Some(campaign);
        Ok(())
    }
}

/// Mutants that are other programs than the original and than each other.
fn viable_programs(
    original: &Program,
    built: impl Iterator<Item = Result<Arc<Program>, NoProgram>>,
    report: &mut MutationReport,
) -> Vec<Viable> {
    let mut known = HashSet::new();
    let viable = |built: Result<Arc<Program>, NoProgram>| match built {
        Ok(program) if program.blob == original.blob => Err(MutantFate::SameProgram),
        Ok(program) if !known.insert(program.blob) => Err(MutantFate::Duplicate),
        Ok(program) => Ok(program),
        Err(NoProgram::Refused(_) | NoProgram::DoesNotCompile(_)) => Err(MutantFate::Unviable),
        Err(NoProgram::Interrupted) => Err(MutantFate::Unknown),
        Err(NoProgram::Fault(fault)) => {
            report.faults.push(format!("build a mutant: {fault}"));
            Err(MutantFate::Unknown)
        }
    };
    built.map(viable).collect()
}
