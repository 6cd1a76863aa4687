//! An executor that does every job with a store in another directory, which has only the blobs that the job names, and
//! carries the outcome back as bytes with the blobs that it names.

use kopek::{
    base::Digest,
    exec::{Executor, JobResult, Local, Work},
    plan::{BlobName, Job, Outcome},
    sandbox::Fault,
    store::{Contents, Store},
    worker::Perform,
};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

pub struct Carried<'a> {
    local: Local<'a>,
    jobs: Arc<AtomicUsize>,
}

impl<'a> Carried<'a> {
    /// `there`: one way to do a job for each place of the other machine.
    pub fn new(from: &'a Store, to: &'a Store, there: Vec<Perform<'a>>) -> Carried<'a> {
        let jobs = Arc::new(AtomicUsize::new(0));
        let carry = |mut perform: Perform<'a>| -> Perform<'a> {
            let jobs = jobs.clone();
            Box::new(move |job| {
                jobs.fetch_add(1, Ordering::Relaxed);
                carry_and_perform(from, to, &mut perform, job)
            })
        };
        Carried { local: Local::new(there.into_iter().map(carry).collect()), jobs }
    }

    /// How many were carried.
    pub fn jobs(&self) -> usize {
        self.jobs.load(Ordering::Relaxed)
    }
}

impl Executor for Carried<'_> {
    fn run(&self, work: &mut dyn Work) -> anyhow::Result<()> {
        self.local.run(work)
    }
}

fn carry_and_perform(from: &Store, to: &Store, perform: &mut Perform, job: &Job) -> JobResult {
    no_path_of(from, &format!("{job:?}"));
    carry(from, to, &job.task.blobs())?;
    let outcome = perform(job)?;
    let text = serde_json::to_string(&outcome).unwrap();
    no_path_of(to, &text);
    let returned: Outcome = serde_json::from_str(&text).unwrap();
    assert_eq!(returned, outcome);
    carry(to, from, &returned.blobs().into_iter().collect())?;
    Ok(returned)
}

/// Neither jobs nor outcomes name a path of the machine that they come from.
fn no_path_of(store: &Store, text: &str) {
    let home = store.dir().parent().unwrap().display().to_string();
    assert!(!text.contains(&home), "{home} is named in {text}");
}

fn carry(from: &Store, to: &Store, blobs: &BTreeSet<BlobName>) -> Result<(), Fault> {
    for blob in blobs {
        carry_blob(from, to, *blob).map_err(|error| Fault::new(format!("{error:#}")))?;
    }
    Ok(())
}

fn carry_blob(from: &Store, to: &Store, blob: BlobName) -> anyhow::Result<()> {
    match blob {
        BlobName::File(digest) => {
            let bytes: Vec<u8> = match from.contents(&digest)? {
                Contents::Bytes(bytes) => bytes.to_vec(),
                Contents::File(path) => std::fs::read(path)?,
            };
            assert_eq!(Digest::of(&bytes), digest);
            to.put_bytes(&bytes)?;
        }
        // The fake executor names its programs by their text.
        BlobName::Tree(digest) if from.bytes(&digest).is_ok_and(|bytes| bytes.is_some()) => {
            carry_blob(from, to, BlobName::File(digest))?;
        }
        BlobName::Tree(digest) => {
            let copy = tempfile::tempdir()?;
            from.export_tree(&digest, copy.path())?;
            assert_eq!(to.put_tree(copy.path())?, digest, "a tree arrives whole, and alone");
        }
    }
    Ok(())
}
