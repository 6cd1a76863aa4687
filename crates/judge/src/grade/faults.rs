//! Parts of a cohort that were not judged, or not reliably, through no fault of the participants.

use super::facts::{JudgedCohort, OpenTrial, owner, owners};
use kopek_base::wording::counted;
use kopek_package::package::{Level, Message, Subject};
use kopek_plan::plan::Unplanned;
use kopek_results::{Evidence, OpenCase, OpenReason, UndecidedCase};
use kopek_sandbox::{Fault, FaultSource};
use std::collections::BTreeSet;

/// A failure of ours, and what it is about.
#[derive(Debug, PartialEq)]
pub struct NamedFault<'a> {
    pub what: String,
    pub fault: &'a Fault,
}

impl JudgedCohort {
    /// Everything without a verdict, except undecided cases.
    pub fn open_cases(&self, package: &str) -> Vec<OpenCase> {
        let settle = |what, why| OpenCase { package: package.to_owned(), what, why: OpenReason::Settle(why) };
        let validators = self.validator_failures().into_iter();
        let mut open: Vec<OpenCase> =
            validators.map(|failed| settle(failed.what, failed.fault.to_string())).collect();
        open.extend(self.failed_jobs(package));
        for row in &self.plan.rows {
            // Each belongs to one participant of a class, so it must be settled.
            if let Err(Unplanned::OtherVersion(why)) = &row.program {
                open.push(settle(row.participant.name.clone(), why.clone()));
            }
        }
        open.extend(self.judge_errors().map(|(name, why)| settle(name, why)));
        open
    }

    /// Cases that no run decided, because the machine was too busy.
    pub fn undecided(&self, package: &str) -> Vec<UndecidedCase> {
        let of = |(&(program, case), open): (&(usize, usize), &OpenTrial)| UndecidedCase {
            package: package.to_owned(),
            participants: owners(&self.plan, program).map(str::to_owned).collect(),
            case: self.plan.cases[case].name.clone(),
            evidence: match &open.times {
                Some(times) => Evidence::Times(times.clone()),
                None => Evidence::Doubt(open.fault.clone()),
            },
        };
        self.graded.open.iter().filter(|(_, open)| is_undecided(&open.fault)).map(of).collect()
    }

    /// The cases of a program that were tried without a verdict.
    pub fn open_cases_of(&self, program: usize) -> BTreeSet<usize> {
        let open = self.graded.open.keys().filter(|(of, _)| *of == program);
        open.flat_map(|&(_, case)| self.plan.twins(case)).copied().collect()
    }

    /// All faults and undecided cases, without those where a validator failed.
    pub fn machine_faults(&self) -> Vec<String> {
        let failed = self.failed_jobs("").into_iter().map(|one| format!("{}: {}", one.what, one.why));
        failed.chain(self.undecided("").iter().map(UndecidedCase::to_string)).collect()
    }

    fn failed_jobs(&self, package: &str) -> Vec<OpenCase> {
        let package = package.to_owned();
        let mut failed = Vec::new();
        for NamedFault { what, fault } in self.failures_where(|fault| !is_undecided(fault)) {
            if fault.source != FaultSource::TrustedProgram {
                let why = OpenReason::Fault(fault.to_string());
                failed.push(OpenCase { package: package.clone(), what, why });
            }
        }
        for row in &self.plan.rows {
            let why = match &row.program {
                Err(Unplanned::Ours(why)) => OpenReason::Fault(why.clone()),
                Err(Unplanned::Undecided(why)) => OpenReason::Settle(why.clone()),
                Err(Unplanned::NoToolchain(missing)) => OpenReason::Toolchain(missing.clone()),
                Err(Unplanned::Refused(_) | Unplanned::Foreign(_) | Unplanned::OtherVersion(_)) | Ok(_) => {
                    continue;
                }
            };
            failed.push(OpenCase { package: package.clone(), what: row.participant.name.clone(), why });
        }
        failed
    }

    /// The outputs on which validators failed.
    pub fn validator_failures(&self) -> Vec<NamedFault<'_>> {
        let mut failures = self.failures();
        failures.retain(|failed| failed.fault.source == FaultSource::TrustedProgram);
        failures
    }

    /// All our failures, including open cases.
    pub fn failures(&self) -> Vec<NamedFault<'_>> {
        self.failures_where(|_| true)
    }

    /// The same, with only those open cases that match a predicate.
    fn failures_where(&self, is_wanted: impl Fn(&Fault) -> bool) -> Vec<NamedFault<'_>> {
        let jobs = self.graded.faults.iter().map(|(what, fault)| NamedFault { what: what.clone(), fault });
        let mut all: Vec<NamedFault> = jobs.collect();
        for ((program, case), open) in &self.graded.open {
            if is_wanted(&open.fault) {
                let what = format!("{} on {}", owner(&self.plan, *program), self.plan.cases[*case].name);
                all.push(NamedFault { what, fault: &open.fault });
            }
        }
        all
    }

    /// Advice about failed validators, once for all outputs on which they failed.
    pub fn validator_warning(&self, package: &str) -> Option<Message> {
        let failed = self.validator_failures().len();
        let advice = format!(
            "{package}: a validator failed on {}, which are not judged. It must exit with 43 for any output it \
                rejects; `kopek verify` helps to fix it, and --decisions decides single cases",
            counted(failed, "output")
        );
        (failed > 0).then(|| Message::new(Level::Warning, advice).about(Subject::Validators))
    }

    /// Violations of the format by the package's own programs: the participant, and what happened. The cases count as
    /// unknown; another run would show the same.
    pub fn judge_errors(&self) -> impl Iterator<Item = (String, String)> {
        let of_card = |card: &kopek_plan::score::Scorecard| {
            let name = card.name.clone();
            card.judge_errors.clone().into_iter().map(move |error| (name.clone(), error))
        };
        self.cards.iter().flat_map(of_card)
    }
}

fn is_undecided(fault: &Fault) -> bool {
    fault.source.is_undecided()
}
