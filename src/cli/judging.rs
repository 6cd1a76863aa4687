//! Options for judging.

use super::timing_option::TimingOption;
use crate::{
    exec::Engine,
    grade::{GradeSession, Thoroughness},
    score::LegacyReading,
};
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// Options for judging.
#[derive(clap::Args)]
pub(super) struct JudgingOptions {
    /// Run cases that cannot change the result, too
    #[arg(long, hide_short_help = true)]
    all: bool,
    #[command(flatten)]
    pub(super) timing: TimingOption,
    /// Rules for legacy packages: `kattis` or `domjudge`
    #[arg(long, hide_short_help = true, hide_possible_values = true, value_name = "WHOSE", default_value = "kattis", value_parser = reading_parser())]
    scoring: LegacyReading,
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
        GradeSession {
            reading: self.scoring,
            timing: self.timing.policy,
            ..GradeSession::usual(engine, self.thoroughness())
        }
    }
}
