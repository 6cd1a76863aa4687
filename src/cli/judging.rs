//! Options for judging.

use super::{limits_choice::LimitsChoice, timing_option::TimingOption};
use crate::{
    exec::Engine,
    grade::{FailedValidator, GradeSession, Thoroughness},
    score::LegacyReading,
};
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
            time_limit: None,
            timing: self.timing.policy,
            standard_library: &[],
        }
    }
}
