//! Messages: jobs, results and the status of workers, as JSON with a version.

use anyhow::{Context, Result, ensure};
use kopek_base::Digest;
use kopek_engine::machine::MachineKind;
use kopek_plan::plan::{Job, Key, MEANINGS, Outcome, Task};
use kopek_sandbox::Fault;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The version of all messages. A machine leaves messages of other versions alone.
pub(super) const FORM: u32 = 5;

/// A job on its way to a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobMessage {
    pub form: u32,
    /// The meanings of the version that planned it; a worker with other meanings must decline it.
    pub meanings: Digest,
    /// How often it was queued again.
    pub attempt: u32,
    /// Whether it is suspected of ending its workers, and must run with no other job beside it.
    pub alone: bool,
    pub job: Job,
}

/// The part of a job's message that every version can read.
#[derive(Debug, Deserialize)]
pub(super) struct JobHeader {
    pub form: u32,
    pub meanings: Digest,
}

/// The answer of a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub form: u32,
    pub key: Key,
    /// The worker that did it.
    pub worker: String,
    pub kind: MachineKind,
    /// The worker's class, as given on its command line.
    pub class: String,
    /// How often the job had been delivered by then.
    pub deliveries: u64,
    pub reply: Reply,
}

/// How a job ended in a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    Done(Outcome),
    Failed(Fault),
    /// This worker cannot do it, for this reason; another may.
    Declined {
        attempt: u32,
        why: String,
    },
    /// Contents that the job names arrive damaged at this worker.
    Damaged {
        attempt: u32,
        contents: Digest,
    },
}

/// A message, or the name of its contents in the object store if it is long.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Envelope {
    Long(Digest),
}

/// The digest of all meanings of this version.
pub(super) fn meanings() -> Digest {
    let text: String = MEANINGS.iter().map(|(_, name, number)| format!("{name} {number}\n")).collect();
    Digest::of(text.as_bytes())
}

pub(super) fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("plain data without maps of odd keys becomes JSON")
}

/// Reads a message of this version; the caller checks the version.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T> {
    serde_json::from_slice(bytes).with_context(|| format!("read {what} as this kopek writes it"))
}

impl JobMessage {
    /// Reads a planned job; refuses one with other meanings.
    pub(super) fn read(bytes: &[u8]) -> Result<JobMessage> {
        let header: JobHeader = from_bytes(bytes, "a job")?;
        ensure!(
            header.form == FORM && header.meanings == meanings(),
            "it was planned by another version of kopek than {} here",
            env!("CARGO_PKG_VERSION")
        );
        let message: JobMessage = from_bytes(bytes, "a job")?;
        ensure!(message.job.task.key() == message.job.key, "its key is not that of its task");
        Ok(message)
    }
}

/// The name of a job in messages.
pub(super) fn short_name(job: &Job) -> String {
    let what = match &job.task {
        Task::Build(task) => {
            let file = task.files.first().map(|file| file.path.display().to_string()).unwrap_or_default();
            format!("build of {file}")
        }
        Task::MakeCase(task) => format!("case {}", task.name),
        Task::CheckInput(_) => "check of an input".into(),
        Task::CheckOutput(task) => format!("check of an output of {}", task.case.name),
        Task::Trial(task) => format!("{} on {}", task.program.name, task.case.name),
        Task::CheckSource(task) => format!("check of {}", task.program.name),
        Task::Grade(_) => "question to a grader".into(),
        Task::Draw(_) => "drawing".into(),
        Task::Probe(_) => "batch of inputs".into(),
    };
    format!("{what} [{}]", job.key.short())
}

/// The fault of a job that ended its workers repeatedly.
pub(super) const GIVEN_UP: &str = "every worker that took it ended before it was done, four times; see the logs of \
                                   their machines";
