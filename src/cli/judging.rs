//! Judges a cohort for `kopek grade` and `kopek run`, with progress.

use super::{
    interrupt::InterruptedEarly, limits_choice::LimitsChoice, named_packages::LoadedPackage,
    progress_bars::JudgingProgress, timing_option::TimingOption,
};
use crate::{
    base::message::Message,
    exec::Engine,
    grade::{FailedValidator, GradeSession, JudgedCohort, Thoroughness, package_report},
    package::{Package, Participant},
    results::{Noticed, Notices, PackageReport},
    score::LegacyReading,
};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::collections::BTreeSet;

/// Options for judging.
#[derive(clap::Args)]
pub(super) struct JudgingOptions {
    /// Run cases that cannot change the result, too
    #[arg(long, hide_short_help = true)]
    all: bool,
    /// Time limit: `declared`, or `calibrated` here first
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "WHICH", value_enum, default_value_t = LimitsChoice::Declared)]
    pub(super) limits: LimitsChoice,
    #[command(flatten)]
    pub(super) timing: TimingOption,
    /// Rules for legacy packages: `kattis` or `domjudge`
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "WHOSE", default_value = "kattis", value_parser = reading_parser())]
    scoring: LegacyReading,
    /// Outputs that crash a validator: `undecided` or `wrong-answer`
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "HOW", default_value = "undecided", value_parser = failure_parser())]
    failed_validator: FailedValidator,
}

fn failure_parser() -> impl TypedValueParser<Value = FailedValidator> {
    PossibleValuesParser::new(["undecided", "wrong-answer"]).map(|what| match what.as_str() {
        "wrong-answer" => FailedValidator::WrongAnswer,
        _ => FailedValidator::Undecided,
    })
}

fn reading_parser() -> impl TypedValueParser<Value = LegacyReading> {
    PossibleValuesParser::new(["kattis", "domjudge"]).map(|name| match name.as_str() {
        "domjudge" => LegacyReading::Domjudge,
        _ => LegacyReading::Kattis,
    })
}

impl JudgingOptions {
    pub(super) fn thoroughness(&self) -> Thoroughness {
        if self.all { Thoroughness::All } else { Thoroughness::Needed }
    }

    /// A session with these options.
    pub(super) fn session<'a>(&self, engine: Engine<'a>) -> GradeSession<'a> {
        let thoroughness = self.thoroughness();
        let Self { scoring: reading, failed_validator, .. } = *self;
        GradeSession {
            engine,
            thoroughness,
            reading,
            failed_validator,
            timing: self.timing.policy,
            standard_library: &[],
        }
    }
}

/// Judges a cohort, with a progress bar.
pub(super) fn judge_cohort(
    session: &GradeSession,
    loaded: &LoadedPackage,
    cohort: &[Participant],
) -> Result<Noticed<JudgedCohort>> {
    let LoadedPackage { package, tests, .. } = loaded;
    if cohort.is_empty() {
        bail!("no hand-ins for {}", package.name);
    }
    let mut progress = JudgingProgress::of_class(&package.name, cohort.len());
    let judged = session.judge(package, tests, cohort, &mut |event| progress.show_event(&event));
    // Closed before the error is printed: the bar would overwrite it.
    progress.close();
    let judged = judged?;
    // This line is clearer than a table of question marks.
    if judged.graded.interrupted {
        return Err(InterruptedEarly.into());
    }
    let notices = judging_notices(session, package, &judged);
    Ok(Noticed { value: judged, notices })
}

/// The results of a package without participants. Nothing is run.
pub(super) fn report_without_rows(session: &GradeSession, loaded: &LoadedPackage) -> Result<PackageReport> {
    let LoadedPackage { package, tests, .. } = loaded;
    Ok(package_report(package, tests, &session.judge(package, tests, &[], &mut |_| ())?))
}

/// Judges without a bar; calls `on_event` on progress.
pub(super) fn judge_silently(
    session: &GradeSession,
    loaded: &LoadedPackage,
    cohort: &[Participant],
    on_event: &mut (dyn FnMut() + Send),
) -> Result<Noticed<JudgedCohort>> {
    let LoadedPackage { package, tests, .. } = loaded;
    let judged = session.judge(package, tests, cohort, &mut |_| on_event())?;
    let notices = judging_notices(session, package, &judged);
    Ok(Noticed { value: judged, notices })
}

fn judging_notices(session: &GradeSession, package: &Package, judged: &JudgedCohort) -> Notices {
    let machine = session.engine.machine;
    let name = &package.name;
    let mut warnings = machine.slow_builds();
    // If the machines differ, a verdict near the limit depends on the machine.
    for uneven in judged.uneven_machines(machine) {
        warnings.push(Message::package_warning(name, uneven.to_string()));
    }
    if !judged.changed_toolchains.is_empty() {
        let changed = judged.changed_toolchains.join(", ");
        let what = "changed during this run; the programs that depend on it were judged again";
        warnings.push(Message::package_warning(name, format!("{changed} {what}")));
    }
    warnings.extend(judged.validator_warnings(name));
    let mut toolchains = BTreeSet::new();
    for program in &judged.plan.programs {
        toolchains.insert(format!("{}: {}", program.language.name, program.toolchain.version));
    }
    Notices {
        warnings,
        faults: judged.open_cases(name),
        undecided: judged.undecided(name),
        rules: session.timing.remark().map(str::to_owned).into_iter().collect(),
        toolchains,
        ran: judged.graded.done,
        reused: judged.graded.reused,
    }
}
