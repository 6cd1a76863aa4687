//! The policy for runs above the time limit.

use crate::grade::TimePolicy;
use clap::builder::{PossibleValuesParser, TypedValueParser};

/// `--timing`.
#[derive(clap::Args, Clone, Copy)]
pub(super) struct TimingOption {
    /// Confirm runs above the limit (`witness`), or not (`single`)
    #[arg(long = "timing", hide_short_help = true, hide_possible_values = true, value_name = "HOW", default_value = "witness", value_parser = policy_parser())]
    pub(super) policy: TimePolicy,
}

impl TimingOption {
    /// For a command that cannot decide a case.
    pub(super) fn at_home(self) -> TimingOption {
        match self.policy {
            TimePolicy::Witness | TimePolicy::Home | TimePolicy::Platform => {
                TimingOption { policy: TimePolicy::Home }
            }
            TimePolicy::Single => self,
        }
    }

    /// For a platform that takes no open case.
    pub(super) fn for_platform(self) -> TimePolicy {
        match self.policy {
            TimePolicy::Witness | TimePolicy::Home | TimePolicy::Platform => TimePolicy::Platform,
            TimePolicy::Single => TimePolicy::Single,
        }
    }
}

fn policy_parser() -> impl TypedValueParser<Value = TimePolicy> {
    PossibleValuesParser::new(["witness", "single"]).map(|how| match how.as_str() {
        "single" => TimePolicy::Single,
        _ => TimePolicy::Witness,
    })
}
