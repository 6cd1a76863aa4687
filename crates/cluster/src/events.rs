//! Events of a run on a cluster.

use std::fmt;

/// An event worth a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterEvent {
    /// No worker of the class takes jobs.
    NoWorker { class: String },
    /// Workers take jobs again.
    Workers {
        workers: usize,
        /// The number of jobs that they do at the same time.
        slots: usize,
    },
    /// The server cannot be reached, or stores nothing.
    ServerTrouble(String),
    /// The server works again.
    ServerBack,
    /// The server lost this number of jobs, which are queued again.
    Lost(usize),
    /// A job ended its workers; it is retried with no other job beside it.
    Suspect(String),
    /// No worker can do some jobs, for these reasons.
    Declined(String),
    /// Contents on the server do not have their digest, and are sent again.
    Damaged(String),
    /// This number of results of interrupted runs was taken over.
    TakenOver(usize),
    /// How often a job was delivered to another worker, because the first did not end it.
    GivenAgain(u64),
}

impl fmt::Display for ClusterEvent {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ClusterEvent::NoWorker { class } => {
                write!(f, "no worker of class `{class}`; waiting for one")
            }
            ClusterEvent::Workers { workers, slots } => write!(f, "{workers} workers, {slots} slots"),
            ClusterEvent::ServerTrouble(what) => write!(f, "{what}; retrying"),
            ClusterEvent::ServerBack => write!(f, "the server works again"),
            ClusterEvent::Lost(jobs) => write!(f, "the server lost {jobs} jobs; they are queued again"),
            ClusterEvent::Suspect(job) => {
                write!(f, "{job} ended its workers; retrying it with no other job beside it")
            }
            ClusterEvent::Declined(why) => write!(f, "no worker can do some jobs: {why}"),
            ClusterEvent::Damaged(contents) => {
                write!(f, "contents {contents} on the server are damaged; sending them again")
            }
            ClusterEvent::TakenOver(results) => {
                write!(f, "took over {results} results of interrupted runs")
            }
            ClusterEvent::GivenAgain(times) => {
                let times = if *times == 1 { "once".into() } else { format!("{times} times") };
                write!(
                    f,
                    "{times} another worker repeated a job, because the first died or hung; each job counts once"
                )
            }
        }
    }
}
