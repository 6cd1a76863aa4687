//! `kopek grade --counterexamples`: small inputs on which the failing programs of a class fail.

use super::{named_packages::LoadedPackage, progress_bars::HuntProgress, terminal_output::print_message};
use crate::{
    base::wording::shortened,
    class::NameRemoval,
    exec::Engine,
    package::Participant,
    results::{Counterexamples, PackageReport, RowReport, Unexplained, UnexplainedProgram},
    score::State,
    stress::{ClassHunt, FailingProgram, check_huntable},
    verdict::Verdict,
};
use anyhow::Result;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Whether to hunt.
#[derive(clap::Args)]
pub(super) struct CounterexampleOption {
    /// Find small inputs on which programs fail, 10 s of CPU time for each
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true,
        default_missing_value = "10", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(super) counterexamples: Option<u64>,
}

/// The rows of a package by whether they are hunted.
#[derive(Default)]
struct FailingRows {
    hunted: Vec<FailingProgram>,
    /// The program of each hunted one.
    digests: Vec<String>,
    only_limits: Vec<Vec<String>>,
    only_limits_digests: Vec<String>,
}

impl CounterexampleOption {
    pub(super) fn is_on(&self) -> bool {
        self.counterexamples.is_some()
    }

    /// Fails before anything is judged if a package lacks something for the hunt.
    pub(super) fn check(&self, loaded: &[LoadedPackage]) -> Result<()> {
        if self.counterexamples.is_none() {
            return Ok(());
        }
        loaded.iter().try_for_each(|loaded| check_huntable(&loaded.package))
    }

    /// Hunts for the failing programs of a judged class. Ctrl-C ends the hunt, but not the grading.
    pub(super) fn hunt(
        &self,
        engine: &Engine,
        stop: &AtomicBool,
        loaded: &LoadedPackage,
        class: &JudgedClass,
    ) -> Result<Option<Counterexamples>> {
        let Some(seconds) = self.counterexamples else { return Ok(None) };
        if engine.is_stopped() {
            return Ok(None);
        }
        let failing = failing_rows(class);
        let budget = Duration::from_secs(seconds);
        let LoadedPackage { package, tests, .. } = loaded;
        let mut progress = HuntProgress::new(&package.name, failing.hunted.len());
        let hunt = ClassHunt { engine, package, tests, seed: 1, budget };
        let found = hunt.run(&failing.hunted, &mut |step| progress.show_step(&step));
        progress.close();
        // Even if the hunt failed: all grades are known.
        let is_interrupted = stop.swap(false, Ordering::Relaxed);
        if is_interrupted {
            print_message!("{}: stopped the hunt; the inputs found so far are shown", package.name);
        }
        let mut found = found?;
        found.interrupted |= is_interrupted;
        let only_limits = failing.only_limits.into_iter();
        found.unexplained.extend(
            only_limits.map(|participants| UnexplainedProgram { participants, why: Unexplained::OnlyLimits }),
        );
        for text in found.texts_of_programs() {
            for removal in class.names {
                *text = removal.in_text(text);
            }
        }
        Ok(Some(found))
    }
}

/// A warning if some accepted submissions could not run.
pub(super) fn not_compared_text(found: &Counterexamples) -> Option<String> {
    let Counterexamples { package, accepted_not_run, .. } = found;
    let names = shortened(accepted_not_run, 3, ", ");
    let text = || {
        format!(
            "{package}: expected outputs of counterexamples are not compared with {names}, which cannot run here"
        )
    };
    (!accepted_not_run.is_empty()).then(text)
}

/// A class with its results for a package.
pub(super) struct JudgedClass<'a> {
    pub(super) members: &'a [Participant],
    pub(super) results: &'a PackageReport,
    /// Names to remove from texts.
    pub(super) names: &'a [NameRemoval],
}

/// The distinct programs that fail.
fn failing_rows(class: &JudgedClass) -> FailingRows {
    let mut rows = FailingRows::default();
    for row in &class.results.rows {
        let Some(digest) = row.program.clone() else { continue };
        let name = row.card.name.clone();
        if let Some(at) = rows.digests.iter().position(|known| *known == digest) {
            rows.hunted[at].participants.push(name);
            continue;
        }
        if let Some(at) = rows.only_limits_digests.iter().position(|known| *known == digest) {
            rows.only_limits[at].push(name);
            continue;
        }
        let is_own = |member: &&Participant| member.name == name && member.hand_in == row.hand_in;
        let Some(member) = class.members.iter().find(is_own) else { continue };
        let failed = failed_cases(row);
        if !failed.is_empty() {
            rows.digests.push(digest);
            rows.hunted.push(FailingProgram { participants: vec![name], member: member.clone(), failed });
        } else if exceeds_limits(row) {
            rows.only_limits_digests.push(digest);
            rows.only_limits.push(vec![name]);
        }
    }
    rows
}

/// The cases with a wrong answer or a run-time error; none if something is open.
fn failed_cases(row: &RowReport) -> Vec<(String, Verdict)> {
    if matches!(row.card.state, State::Unknown(_)) {
        return Vec::new();
    }
    let trials = row.cases.iter().filter_map(|case| Some((case, case.trial.as_ref()?)));
    let wrong = trials.filter(|(_, trial)| match trial.verdict {
        Verdict::WrongAnswer | Verdict::RunTimeError | Verdict::OutputLimit => true,
        Verdict::Accepted
        | Verdict::TimeLimit
        | Verdict::IdleLimit
        | Verdict::MemoryLimit
        | Verdict::CompileError
        | Verdict::NoProgram => false,
    });
    wrong.map(|(case, trial)| (case.name.clone(), trial.verdict)).collect()
}

fn exceeds_limits(row: &RowReport) -> bool {
    row.cases.iter().filter_map(|case| case.trial.as_ref()).any(|trial| match trial.verdict {
        Verdict::TimeLimit | Verdict::IdleLimit | Verdict::MemoryLimit => true,
        Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::OutputLimit
        | Verdict::RunTimeError
        | Verdict::CompileError
        | Verdict::NoProgram => false,
    })
}
