//! What travels: jobs, results and what workers say of themselves, as JSON with a version.

use anyhow::{Context, Result, ensure};
use kopek_base::Digest;
use kopek_engine::{
    machine::MachineKind,
    plan::{Job, Key, MEANINGS, Outcome, Task},
};
use kopek_sandbox::Fault;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The form of everything that travels. A machine leaves messages of another form to others.
pub(super) const FORM: u32 = 5;

/// A job under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobMessage {
    pub form: u32,
    /// What jobs mean to who planned this one: who means something else must not do it.
    pub meanings: Digest,
    /// How often it was handed back and queued anew before.
    pub attempt: u32,
    /// Whether it is the only one under suspicion of ending its workers: nothing else runs beside it.
    pub alone: bool,
    pub job: Job,
}

/// What of a job's message every version can read.
#[derive(Debug, Deserialize)]
pub(super) struct JobHeader {
    pub form: u32,
    pub meanings: Digest,
}

/// What a worker answers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ResultMessage {
    pub form: u32,
    pub key: Key,
    /// Who did it.
    pub worker: String,
    pub kind: MachineKind,
    /// The worker's class, as its owner named it.
    pub class: String,
    /// How often the job had been given to a worker by then.
    pub deliveries: u64,
    pub reply: Reply,
}

/// What became of a job in a worker.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    Done(Outcome),
    Failed(Fault),
    /// It cannot be done there, for this reason; perhaps elsewhere.
    Declined {
        attempt: u32,
        why: String,
    },
    /// Contents that it names arrive damaged there.
    Damaged {
        attempt: u32,
        contents: Digest,
    },
}

/// Something that may be too long for a message: then it is in the object store.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Envelope {
    Long(Digest),
}

/// What all jobs mean to this version.
pub(super) fn meanings() -> Digest {
    let text: String = MEANINGS.iter().map(|(_, name, number)| format!("{name} {number}\n")).collect();
    Digest::of(text.as_bytes())
}

pub(super) fn to_bytes(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("plain data without maps of odd keys becomes JSON")
}

/// A message of this version; its form is looked at by who asks.
pub(super) fn from_bytes<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T> {
    serde_json::from_slice(bytes).with_context(|| format!("read {what} as this kopek writes it"))
}

impl JobMessage {
    /// A job as it was planned; refuses what does not mean the same here.
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

/// What a job is called when people hear of it.
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

/// What a job came to that ended its workers again and again.
pub(super) const GIVEN_UP: &str = "every worker that took it ended before it was done, four times; see what their \
                                   machines logged";
