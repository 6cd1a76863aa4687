//! What people should hear of.

use std::fmt;

/// What people should hear of while jobs are dealt out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterEvent {
    /// Nobody of the class takes jobs.
    NoWorker {
        /// The class.
        class: String,
    },
    /// Jobs are done again.
    Workers {
        /// How many workers there are.
        workers: usize,
        /// How many jobs they do at the same time.
        slots: usize,
    },
    /// The server cannot be reached, or keeps nothing.
    ServerTrouble(String),
    /// The server is there again.
    ServerBack,
    /// The server had lost so many jobs; they were queued again.
    Lost(usize),
    /// A job ended its workers; it is tried with nothing beside it.
    Suspect(String),
    /// Nobody can do some jobs: who lacks what.
    Declined(String),
    /// Contents on the server are not those of their digest, and are sent again.
    Damaged(String),
    /// So many results of runs that were cut off were taken over.
    TakenOver(usize),
    /// So often a job was given to another worker, because the first did not end it.
    GivenAgain(u64),
}

impl fmt::Display for ClusterEvent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ClusterEvent::NoWorker { class } => {
                write!(f, "no worker of class `{class}` is there; waiting for one")
            }
            ClusterEvent::Workers { workers, slots } => write!(f, "{workers} workers, {slots} slots"),
            ClusterEvent::ServerTrouble(what) => write!(f, "{what}; trying on"),
            ClusterEvent::ServerBack => write!(f, "the server is there again"),
            ClusterEvent::Lost(jobs) => write!(f, "the server had lost {jobs} jobs; they are queued again"),
            ClusterEvent::Suspect(job) => {
                write!(f, "{job} ended its workers; it is tried once more, with nothing beside it")
            }
            ClusterEvent::Declined(why) => write!(f, "no worker can do some jobs: {why}"),
            ClusterEvent::Damaged(contents) => {
                write!(f, "contents {contents} on the server are not what was sent; they are sent again")
            }
            ClusterEvent::TakenOver(results) => {
                write!(f, "{results} results of runs that were cut off were taken over")
            }
            ClusterEvent::GivenAgain(times) => {
                let times = if *times == 1 { "once".into() } else { format!("{times} times") };
                write!(
                    f,
                    "{times} a job was done again, because its worker died or stood still; each job counts once"
                )
            }
        }
    }
}
