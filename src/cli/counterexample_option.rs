//! `kopek grade --counterexamples`: how long to hunt for small inputs on which the failing programs of a class fail.

/// Whether to hunt.
#[derive(clap::Args)]
pub(super) struct CounterexampleOption {
    /// Find small failing inputs, 10 s for each program
    #[arg(long, value_name = "S", num_args = 0..=1, require_equals = true,
        default_missing_value = "10", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(super) counterexamples: Option<u64>,
}
