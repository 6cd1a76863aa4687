//! Which counterexamples are shrunk.

use super::hunting_ground::LARGE;
use kopek_package::verdict::{Class, Verdict};
use kopek_plan::plan::ProbeFailure;
use kopek_results::{CounterExample, InputOrigin};

/// Whether it is a case of the package that is too large to shrink.
pub(super) fn is_large_case(example: &CounterExample) -> bool {
    matches!(example.origin, InputOrigin::Case(_)) && example.input.len() as u64 > LARGE
}

/// Whether a small input may show the same mistake: time and memory run out on large ones.
pub(super) fn may_be_small(failure: ProbeFailure) -> bool {
    match failure {
        ProbeFailure::Verdict(verdict) => {
            verdict.class() != Some(Class::Tle) && verdict != Verdict::MemoryLimit
        }
        ProbeFailure::ValidatorFailed
        | ProbeFailure::SolutionFailed
        | ProbeFailure::AnswerRefused
        | ProbeFailure::ValidatorFailedOnAnswer => true,
    }
}
