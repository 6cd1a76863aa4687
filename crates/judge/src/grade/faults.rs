//! Parts of a cohort that were not judged, or not reliably, through no fault of the participants.

use super::{
    facts::{OpenTrial, owner, owners},
    judged_cohort::JudgedCohort,
};
use kopek_base::wording::{counted, shortened};
use kopek_engine::plan::Unplanned;
use kopek_results::{Evidence, OpenCase, OpenReason, UndecidedCase};
use kopek_sandbox::{Fault, FaultSource};
use std::collections::BTreeSet;

impl JudgedCohort {
    /// Everything without a verdict, except undecided cases.
    pub fn open_cases(&self, package: &str) -> Vec<OpenCase> {
        let validators = self.validator_failures().into_iter();
        let validators = validators.map(|(what, fault)| (what, OpenReason::Settle(fault.to_string())));
        let settle = |(name, why)| (name, OpenReason::Settle(why));
        let all = validators
            .chain(self.failed_jobs())
            .chain(self.other_versions())
            .chain(self.judge_errors().map(settle));
        all.map(|(what, why)| OpenCase { package: package.to_owned(), what, why }).collect()
    }

    /// Cases that no run decided, because the machine was too busy.
    pub fn undecided(&self, package: &str) -> Vec<UndecidedCase> {
        let of = |(&(program, case), open): (&(usize, usize), &OpenTrial)| UndecidedCase {
            package: package.to_owned(),
            participants: owners(&self.plan, program).map(str::to_owned).collect(),
            case: self.plan.cases[case].name.clone(),
            evidence: match &open.times {
                Some(times) => Evidence::Times(times.clone()),
                None => Evidence::Doubt(open.fault.what.clone()),
            },
        };
        self.graded.open.iter().filter(|(_, open)| is_undecided(&open.fault)).map(of).collect()
    }

    /// The cases of a program that were tried without a verdict.
    pub fn open_cases_of(&self, program: usize) -> BTreeSet<usize> {
        let open = self.graded.open.keys().filter(|(of, _)| *of == program);
        open.flat_map(|&(_, case)| self.plan.twins(case)).copied().collect()
    }

    /// Submissions for another version of their interpreter. Each belongs to one participant of a class, so it must
    /// be settled.
    fn other_versions(&self) -> impl Iterator<Item = (String, OpenReason)> {
        self.plan.rows.iter().filter_map(|row| match &row.program {
            Err(Unplanned::OtherVersion(why)) => {
                Some((row.participant.name.clone(), OpenReason::Settle(why.clone())))
            }
            _ => None,
        })
    }

    /// All faults and undecided cases, without those where a validator failed.
    pub fn machine_faults(&self) -> Vec<String> {
        let failed = self.failed_jobs().into_iter().map(|(what, why)| format!("{what}: {why}"));
        failed.chain(self.undecided("").iter().map(UndecidedCase::to_string)).collect()
    }

    fn failed_jobs(&self) -> Vec<(String, OpenReason)> {
        let jobs = self.failures_where(|fault| !is_undecided(fault)).into_iter();
        let jobs = jobs.filter(|(_, fault)| fault.source != FaultSource::TrustedProgram);
        let jobs = jobs.map(|(what, fault)| (what, OpenReason::Fault(fault.to_string())));
        let rows = self.plan.rows.iter().filter_map(|row| {
            let why = match &row.program {
                Err(Unplanned::Ours(why)) => OpenReason::Fault(why.clone()),
                Err(Unplanned::Undecided(why)) => OpenReason::Settle(why.clone()),
                Err(Unplanned::NoToolchain(missing)) => OpenReason::Toolchain(missing.clone()),
                Err(Unplanned::Refused(_) | Unplanned::Foreign(_) | Unplanned::OtherVersion(_)) | Ok(_) => {
                    return None;
                }
            };
            Some((row.participant.name.clone(), why))
        });
        jobs.chain(rows).collect()
    }

    /// The outputs on which validators failed: the thing, and the fault.
    pub fn validator_failures(&self) -> Vec<(String, &Fault)> {
        let mut failures = self.failures();
        failures.retain(|(_, fault)| fault.source == FaultSource::TrustedProgram);
        failures
    }

    /// All our failures, including open cases: the thing, and the fault.
    pub fn failures(&self) -> Vec<(String, &Fault)> {
        self.failures_where(|_| true)
    }

    /// The same, with only those open cases that match a predicate.
    fn failures_where(&self, is_wanted: impl Fn(&Fault) -> bool) -> Vec<(String, &Fault)> {
        let jobs = self.graded.faults.iter().map(|(what, fault)| (what.clone(), fault));
        let open = self.graded.open.iter().map(|(place, open)| (place, &open.fault));
        let open = open.filter(|(_, fault)| is_wanted(fault)).map(|((program, case), fault)| {
            (format!("{} on {}", owner(&self.plan, *program), self.plan.cases[*case].name), fault)
        });
        jobs.chain(open).collect()
    }

    /// Advice about failed validators, once for all outputs on which they failed.
    pub fn validator_warnings(&self) -> Vec<String> {
        let failed = self.validator_failures().len();
        let advice = format!(
            "a validator failed on {}, which are not judged. It must exit with 43 for any output it \
                rejects; `kopek verify` helps to fix it, and `--failed-validator wrong-answer` counts such outputs as wrong",
            counted(failed, "output")
        );
        let wrong: Vec<String> =
            self.graded.counted_wrong.iter().map(|(what, fault)| format!("{what}: {fault}")).collect();
        let counted_wrong = format!(
            "{} counted as wrong because a validator failed on {}, as --failed-validator says: {}",
            counted(wrong.len(), "output"),
            if wrong.len() == 1 { "it" } else { "them" },
            shortened(&wrong, 3, "; ")
        );
        let both = [(failed, advice), (wrong.len(), counted_wrong)];
        both.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text).collect()
    }

    /// Violations of the format by the package's own programs: the participant, and what happened. The cases count as
    /// unknown; another run would show the same.
    pub fn judge_errors(&self) -> impl Iterator<Item = (String, String)> {
        let of_card = |card: &kopek_engine::score::Scorecard| {
            let name = card.name.clone();
            card.judge_errors.clone().into_iter().map(move |error| (name.clone(), error))
        };
        self.cards.iter().flat_map(of_card)
    }
}

fn is_undecided(fault: &Fault) -> bool {
    fault.source.is_undecided()
}
