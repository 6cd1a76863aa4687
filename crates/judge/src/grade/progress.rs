//! What a driver hears while it grades.

use kopek_engine::verdict::Verdict;
use kopek_sandbox::Fault;

#[derive(Debug)]
pub enum GradeEvent<'a> {
    Wave {
        /// `build`, `static validation` or `trials`.
        what: &'static str,
        /// Jobs at most.
        jobs: usize,
        /// Number of facts known already.
        known: usize,
    },
    Built {
        name: &'a str,
        /// Whether it was refused.
        refused: bool,
    },
    Tried {
        name: &'a str,
        verdict: Verdict,
    },
    /// This number of rows needs no more trials.
    Finished(usize),
    /// This number of jobs turned out to be unnecessary.
    Spared(usize),
    /// We failed at a job.
    Failed(&'a Fault),
}

/// Receives the progress; must be quick.
pub type OnGradeEvent<'a> = dyn FnMut(GradeEvent) + Send + 'a;
