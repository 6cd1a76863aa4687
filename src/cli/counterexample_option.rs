//! `kopek grade --counterexamples`: small inputs on which the failing programs of a class fail.

use super::{named_packages::LoadedPackage, progress_bars::HuntProgress, terminal_output::print_message};
use crate::{
    base::wording::shortened,
    class::NameRemoval,
    exec::Engine,
    package::{Message, Participant},
    results::{Counterexamples, PackageReport, RowReport, Unexplained, UnexplainedProgram},
    score::State,
    stress::{ClassHunt, FailingProgram},
    verdict::{Class, Verdict},
};
use anyhow::Result;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Whether to hunt.
#[derive(clap::Args)]
pub(super) struct CounterexampleOption {
    /// Find small failing inputs, 10 s for each program
    #[arg(long, value_name = "S", num_args = 0..=1, require_equals = true,
        default_missing_value = "10", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(super) counterexamples: Option<u64>,
}

/// A distinct program that is not accepted.
struct RejectedProgram {
    digest: String,
    program: FailingProgram,
}

/// Hunts for the failing programs of a judged class, some `seconds` for each. Ctrl-C ends the hunt, not the grading.
pub(super) fn hunt(
    seconds: u64,
    engine: &Engine,
    stop: &AtomicBool,
    loaded: &LoadedPackage,
    class: &JudgedClass,
) -> Result<Option<Counterexamples>> {
    if engine.is_stopped() {
        return Ok(None);
    }
    let (failing, only_limits): (Vec<_>, Vec<_>) =
        rejected_programs(class).into_iter().partition(|program| !program.failed.is_empty());
    let budget = Duration::from_secs(seconds);
    let LoadedPackage { package, tests, .. } = loaded;
    let mut progress = HuntProgress::new(&package.name, failing.len());
    let hunt = ClassHunt { engine, package, tests, seed: 1, budget };
    let found = hunt.run(&failing, &mut |step| progress.show_step(&step));
    progress.close();
    // Even if the hunt failed: all grades are known.
    let is_interrupted = stop.swap(false, Ordering::Relaxed);
    if is_interrupted {
        print_message!("{}: stopped the hunt; the inputs found so far are shown", package.name);
    }
    let mut found = found?;
    found.interrupted |= is_interrupted;
    found.unexplained.extend(only_limits.into_iter().map(|program| UnexplainedProgram {
        participants: program.participants,
        why: Unexplained::OnlyLimits,
    }));
    for text in found.texts_of_programs() {
        for removal in class.names {
            *text = removal.in_text(text);
        }
    }
    Ok(Some(found))
}

/// A warning if some accepted submissions could not run.
pub(super) fn not_compared_warning(found: &Counterexamples) -> Option<Message> {
    let Counterexamples { package, accepted_not_run, .. } = found;
    let names = shortened(accepted_not_run, 3, ", ");
    let text = || {
        format!("expected outputs of counterexamples are not compared with {names}, which cannot run here")
    };
    let warning = || Message::package_warning(package, text());
    (!accepted_not_run.is_empty()).then(warning)
}

/// A class with its results for a package.
pub(super) struct JudgedClass<'a> {
    pub(super) members: &'a [Participant],
    pub(super) results: &'a PackageReport,
    /// Names to remove from texts.
    pub(super) names: &'a [NameRemoval],
}

/// The distinct programs that fail. Those that only exceed limits have no failed cases.
fn rejected_programs(class: &JudgedClass) -> Vec<FailingProgram> {
    let mut found: Vec<RejectedProgram> = Vec::new();
    for row in &class.results.rows {
        let Some(digest) = row.program.clone() else { continue };
        let name = row.card.name.clone();
        if let Some(same) = found.iter_mut().find(|known| known.digest == digest) {
            same.program.participants.push(name);
            continue;
        }
        let is_own = |member: &&Participant| member.name == name && member.hand_in == row.hand_in;
        let Some(member) = class.members.iter().find(is_own).cloned() else { continue };
        let failed = failed_cases(row);
        if !failed.is_empty() || exceeds_limits(row) {
            let program = FailingProgram { participants: vec![name], member, failed };
            found.push(RejectedProgram { digest, program });
        }
    }
    found.into_iter().map(|rejected| rejected.program).collect()
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
