//! Who does the jobs. An executor owns the concurrency, the driver owns the
//! meaning: jobs are asked for and told done from one thread only.

mod answers;
mod build;
mod crew;
mod fairness;
pub mod fake;
mod filled;
mod grader;
mod local;
mod machine;
mod passes;
mod pictures;
mod scripts;
mod statics;
mod talk;
mod trial;
mod validate;
mod workshop;

pub use crew::side_by_side;
pub use fairness::stop_at;
pub use grader::grade;
pub use local::{Local, Perform};
pub use machine::{cpus, machine};
pub use pictures::Drawn;
pub use workshop::{Role, Rules, Workshop};

use crate::{
    plan::{Job, Key, Outcome},
    sandbox::Fault,
};

/// Asked and told from one thread only: drivers need no locks.
pub trait Work {
    /// The next job, if any can be given now. `warm` names the build whose
    /// program the asking place ran last: another of its trials is cheapest there.
    fn next(&mut self, warm: Option<&Key>) -> Option<Job>;

    /// A job that was taken is done. An error stops the run.
    fn done(&mut self, job: Job, result: Result<Outcome, Fault>) -> anyhow::Result<()>;
}

/// Does all the work. Every job that was taken is told done exactly once.
pub trait Executor {
    /// Works until there is no job to be given and none under way.
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()>;
}
