//! What a driver hears while it grades.

use kopek_engine::{score::Scorecard, verdict::Verdict};
use kopek_sandbox::Fault;

/// Progress of grading.
#[derive(Debug)]
pub enum GradeEvent<'a> {
    /// A wave begins.
    Wave {
        /// `build`, `static validation` or `trials`.
        what: &'static str,
        /// Jobs at most.
        jobs: usize,
        /// Number of facts known already.
        known: usize,
    },
    /// A build ended.
    Built {
        /// The submission.
        name: &'a str,
        /// Whether it was refused.
        refused: bool,
    },
    /// A trial ended.
    Tried {
        /// The submission.
        name: &'a str,
        /// Its verdict.
        verdict: Verdict,
    },
    /// This number of rows needs no more trials.
    Finished(usize),
    /// This number of jobs turned out to be unnecessary.
    Spared(usize),
    /// We failed at a job.
    Failed(&'a Fault),
    /// The standing of some rows changed.
    Standing(StandingCards<'a>),
}

/// Receives the progress; must be quick.
pub type OnGradeEvent<'a> = dyn FnMut(GradeEvent) + Send + 'a;

/// The scorecards of the changed rows, by their number in the plan; computed only on demand.
pub struct StandingCards<'a>(pub(super) &'a dyn Fn() -> Vec<(usize, Scorecard)>);

impl StandingCards<'_> {
    /// Folds the facts.
    pub fn fold(&self) -> Vec<(usize, Scorecard)> {
        (self.0)()
    }
}

impl std::fmt::Debug for StandingCards<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("StandingCards")
    }
}
