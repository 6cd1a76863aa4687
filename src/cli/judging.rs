//! Judges a cohort for `kopek grade` and `kopek run`, with progress.

use super::{
    interrupt::InterruptedEarly, limits_choice::LimitsChoice, named_packages::LoadedPackage,
    progress_bars::JudgingProgress, timing_option::TimingOption,
};
use crate::{
    exec::Engine,
    grade::{FailedValidator, GradeSession, JudgedCohort, Thoroughness},
    package::{Package, Participant},
    results::Report,
    score::LegacyReading,
};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Options for judging.
#[derive(clap::Args)]
pub(super) struct JudgingOptions {
    /// Run every case, even if it cannot change the score
    #[arg(long, hide_short_help = true)]
    all: bool,
    /// Time limit: as declared, or calibrated on this machine first
    #[arg(long, hide_short_help = true, value_name = "WHICH", value_enum, default_value_t = LimitsChoice::Declared)]
    pub(super) limits: LimitsChoice,
    #[command(flatten)]
    pub(super) timing: TimingOption,
    /// Scoring rules for legacy packages
    #[arg(long, hide_short_help = true, value_name = "WHOSE", default_value = "kattis", value_parser = reading_parser())]
    scoring: LegacyReading,
    /// Verdict of outputs that crash a validator
    #[arg(long, hide_short_help = true, value_name = "HOW", default_value = "undecided", value_parser = failure_parser())]
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
    /// How many cases run.
    pub(super) fn thoroughness(&self) -> Thoroughness {
        if self.all { Thoroughness::All } else { Thoroughness::Needed }
    }

    /// A session with these options.
    pub(super) fn session<'a>(&self, engine: Engine<'a>) -> GradeSession<'a> {
        let thoroughness = self.thoroughness();
        let Self { scoring: reading, failed_validator, .. } = *self;
        GradeSession { engine, thoroughness, reading, failed_validator, timing: self.timing.policy }
    }
}

/// Judges a cohort, and adds counts and faults to the report.
pub(super) fn judge_cohort(
    session: &GradeSession,
    loaded: &LoadedPackage,
    cohort: &[Participant],
    report: &mut Report,
) -> Result<JudgedCohort> {
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
    report_session(session, report);
    warn_of_uneven_machines(session, package, &judged, report);
    count_judged(judged, package, report)
}

/// Warns if the machines that judged this package differ, because a verdict near the limit then depends on the
/// machine.
fn warn_of_uneven_machines(
    session: &GradeSession,
    package: &Package,
    judged: &JudgedCohort,
    report: &mut Report,
) {
    let uneven = judged.uneven_machines(session.engine.machine);
    report.warnings.extend(uneven.iter().map(|uneven| format!("{}: {uneven}", package.name)));
}

/// Judges without a bar; calls `on_event` on progress.
pub(super) fn judge_silently(
    session: &GradeSession,
    loaded: &LoadedPackage,
    cohort: &[Participant],
    on_event: &mut (dyn FnMut() + Send),
    report: &mut Report,
) -> Result<JudgedCohort> {
    let LoadedPackage { package, tests, .. } = loaded;
    let judged = session.judge(package, tests, cohort, &mut |_| on_event())?;
    report_session(session, report);
    count_judged(judged, package, report)
}

/// Adds the remarks of the session once, even for several packages.
fn report_session(session: &GradeSession, report: &mut Report) {
    let rule = session.timing.remark().map(str::to_owned);
    report.rules.extend(rule.filter(|rule| !report.rules.contains(rule)));
    let warnings = session.engine.machine.slow_builds();
    let new: Vec<String> = warnings.into_iter().filter(|one| !report.warnings.contains(one)).collect();
    report.warnings.extend(new);
}

fn count_judged(judged: JudgedCohort, package: &Package, report: &mut Report) -> Result<JudgedCohort> {
    report.ran += judged.graded.done;
    report.reused += judged.graded.reused;
    report.faults.extend(judged.open_cases(&package.name));
    report.undecided.extend(judged.undecided(&package.name));
    if !judged.changed_toolchains.is_empty() {
        let changed = judged.changed_toolchains.join(", ");
        let what = "changed during this run; the programs that depend on it were judged again";
        report.warnings.push(format!("{}: {changed} {what}", package.name));
    }
    let warnings = judged.validator_warnings();
    report.warnings.extend(warnings.into_iter().map(|warning| format!("{}: {warning}", package.name)));
    Ok(judged)
}
