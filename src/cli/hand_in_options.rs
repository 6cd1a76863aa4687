//! Options for reading hand-ins and choosing programs.

use crate::class::{AttemptPolicy, HandInLayout};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// Options for choosing programs among the files of a hand-in.
#[derive(clap::Args)]
pub(super) struct ChoiceOfProgram {
    /// Attempt that counts
    #[arg(long, value_name = "WHICH", default_value = "latest", value_parser = attempts_parser())]
    pub(super) attempts: AttemptPolicy,
    /// Decisions by hand: programs, verdicts, points, comments; repeatable
    #[arg(long, value_name = "CSV")]
    pub(super) decisions: Vec<PathBuf>,
}

fn attempts_parser() -> impl TypedValueParser<Value = AttemptPolicy> {
    PossibleValuesParser::new(["latest", "best", "first"]).map(|name| match name.as_str() {
        "first" => AttemptPolicy::First,
        "best" => AttemptPolicy::Best,
        _ => AttemptPolicy::Latest,
    })
}

/// Parses the name of a layout.
pub(super) fn layout_parser() -> impl TypedValueParser<Value = HandInLayout> {
    let names = HandInLayout::ALL.map(HandInLayout::name);
    PossibleValuesParser::new(names).map(|name| HandInLayout::parse(&name).expect("one of the names"))
}
