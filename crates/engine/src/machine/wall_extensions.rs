//! Bounds how far a busy machine extends the idle limit of a submission, over all its runs.
//!
//! A run that waits for a CPU is not idle and may exceed the limit. On a busy machine, a program that
//! computes a little and sleeps looks the same, in every case and every retry. A run that ends by itself or
//! at its CPU limit has computed, and does not count.

use kopek_base::Digest;
use kopek_sandbox::{Exit, Limit, MAX_WALL_EXTENSION};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// The time beyond the idle limit of each program, by its blob.
#[derive(Default)]
pub(crate) struct WallExtensions(Mutex<HashMap<Digest, Duration>>);

/// The wall time of a run.
pub(crate) struct WallTime {
    pub limit: Duration,
    pub taken: Duration,
}

impl WallExtensions {
    /// How far the next run of a program with this idle limit may be extended.
    pub(crate) fn left(&self, program: &Digest, limit: Duration) -> Duration {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = taken.get(program).copied().unwrap_or_default();
        limit.saturating_mul(MAX_WALL_EXTENSION).saturating_sub(taken)
    }

    /// Records the wall time of a run and how it ended, if that is known.
    pub(crate) fn note(&self, program: &Digest, time: WallTime, end: Option<Exit>) {
        let may_have_idled = end.is_none_or(|exit| exit == Exit::Exceeded(Limit::Wall));
        if may_have_idled && time.taken > time.limit {
            let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *taken.entry(*program).or_default() += time.taken - time.limit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_runs_of_a_submission_together_are_prolonged_by_at_most_five_idle_limits() {
        let extensions = WallExtensions::default();
        let ([one, other], seconds) = ([b"one", b"two"].map(|name| Digest::of(name)), Duration::from_secs);
        let took = |taken| WallTime { limit: seconds(3), taken: seconds(taken) };
        let left = || [one, other].map(|program| extensions.left(&program, seconds(3)).as_secs());
        assert_eq!(left(), [15, 15]);
        // The time of each run, and the time that is left after it.
        for (taken, left_then) in [(2, 15), (3, 15), (14, 4), (4, 3), (8, 0), (99, 0)] {
            extensions.note(&one, took(taken), None);
            assert_eq!(left(), [left_then, 15], "{taken}");
        }
        for exit in [Exit::Exceeded(Limit::Cpu), Exit::Code(0)] {
            extensions.note(&other, took(14), Some(exit));
            assert_eq!(left(), [0, 15], "{exit:?}: it has computed");
        }
        extensions.note(&other, took(14), Some(Exit::Exceeded(Limit::Wall)));
        assert_eq!(left(), [0, 4]);
    }
}
