//! Judges a cohort for `kopek grade` and `kopek run`, with progress.

use super::{
    interrupt::InterruptedEarly, limits_choice::LimitsChoice, named_packages::LoadedPackage,
    progress_bars::JudgingProgress, timing_option::TimingOption,
};
use crate::{
    exec::Engine,
    grade::{FailedValidator, GradeSession, JudgedCohort, Thoroughness},
    package::Participant,
    results::Noticed,
    score::LegacyReading,
};
use anyhow::{Result, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};

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
    let notices = session.notices(package, &judged);
    Ok(Noticed { value: judged, notices })
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
    let notices = session.notices(package, &judged);
    Ok(Noticed { value: judged, notices })
}
