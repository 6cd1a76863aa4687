//! The format's own rule for a time limit. Pure.

use kopek_engine::package::ProblemLimits;
use std::time::Duration;

/// The least multiple of the resolution that leaves enough room for a run.
pub(super) fn rounded_limit(limits: &ProblemLimits, slowest: Duration) -> Duration {
    let steps =
        (slowest.as_secs_f64() * limits.ac_to_time_limit / limits.time_resolution.as_secs_f64()).ceil();
    // At least one step: a run too short to measure still needs a limit.
    limits.time_resolution.mul_f64(steps.max(1.0))
}
