//! Handles arriving results: decides what each means, and fetches the contents that it names.

use super::{
    cluster_run::ClusterRun,
    contents::SharedContents,
    events::ClusterEvent,
    messages::{FORM, Reply, ResultMessage, from_bytes},
    outstanding::{EndedJob, Outstanding, OutstandingJob},
    packed::DamagedContents,
    results::{ArrivedResult, ResultReader},
    streams::RESULTS,
};
use anyhow::{Result, ensure};
use kopek_base::Digest;
use kopek_engine::store::Store;
use kopek_plan::plan::{BlobName, Key, Outcome};
use kopek_sandbox::Fault;
use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};
use tokio::time::{sleep, timeout};

/// Time limit for the contents of an outcome.
const OUTCOME_PATIENCE: Duration = Duration::from_secs(60);

/// How often damaged contents of a job are replaced before the job is a fault.
const MAX_DAMAGED: u32 = 3;

/// Time limit for a result that an earlier run left behind.
const NEXT_RESULT: Duration = Duration::from_secs(2);

/// Takes in a result: it ends a job, or queues it again.
pub(super) async fn take_in(
    run: &ClusterRun<'_>,
    outstanding: &mut Outstanding,
    arrived: ArrivedResult,
) -> Result<Option<EndedJob>> {
    let Some(key) = key_in(&arrived.subject) else { return Ok(None) };
    // The job has ended, and its result was read a second time.
    let Some(waiting) = outstanding.jobs.get(&key) else { return Ok(None) };
    let read = read_result(run, &arrived.payload, &key).await;
    let again = read.as_ref().map_or(0, |message| message.deliveries.saturating_sub(1));
    run.given_again.fetch_add(again, Ordering::Relaxed);
    let result = match read {
        Err(error) => Err(Fault::new(format!("{error:#}"))),
        Ok(message) => match message.reply {
            Reply::Failed(fault) => {
                Err(Fault { what: format!("{} (on {})", fault.what, message.worker), ..fault })
            }
            Reply::Done(outcome) if !outcome.answers(&waiting.job.task) => {
                Err(Fault::new(format!("{} answered with a result of another kind", message.worker)))
            }
            Reply::Done(outcome) => match bring_home(run, &outcome).await.map_err(|error| error.downcast()) {
                Ok(()) => Ok(outcome),
                Err(Ok(DamagedContents(contents))) => {
                    match ask_again(run, outstanding, &key, contents).await {
                        None => return Ok(None),
                        Some(fault) => Err(fault),
                    }
                }
                Err(Err(error)) => Err(Fault::new(format!("{error:#}"))),
            },
            Reply::Damaged { attempt, contents } => {
                if attempt != waiting.attempt {
                    return Ok(None);
                }
                match send_again(run, outstanding, &key, contents).await {
                    None => return Ok(None),
                    Some(fault) => Err(fault),
                }
            }
            Reply::Declined { attempt, why } => {
                if attempt != waiting.attempt {
                    return Ok(None);
                }
                match decline(run, outstanding, &key, message.worker, why) {
                    None => return Ok(None),
                    Some(fault) => Err(fault),
                }
            }
        },
    };
    Ok(outstanding.end_with(&key, result))
}

async fn read_result(run: &ClusterRun<'_>, payload: &[u8], key: &Key) -> Result<ResultMessage> {
    let message = open_result(&run.contents, payload).await?;
    ensure!(
        message.form == FORM && message.key == *key,
        "{} answered with a result of another kind",
        message.worker
    );
    ensure!(
        message.kind == run.kind && message.class == run.class,
        "{} is a machine of another kind than the class: {} with isolation {}",
        message.worker,
        message.kind.class,
        message.kind.isolation
    );
    Ok(message)
}

/// Fetches everything that an outcome names into the local store, which is the record.
async fn bring_home(run: &ClusterRun<'_>, outcome: &Outcome) -> Result<()> {
    let since = Instant::now();
    loop {
        match run.contents.fetch(outcome.blobs()).await {
            Err(error) if !error.is::<DamagedContents>() && since.elapsed() < OUTCOME_PATIENCE => {
                sleep(Duration::from_millis(500)).await;
            }
            done => return done,
        }
    }
}

/// Sends contents again that arrived damaged at a worker, and queues their job again.
async fn send_again(
    run: &ClusterRun<'_>,
    outstanding: &mut Outstanding,
    key: &Key,
    contents: Digest,
) -> Option<Fault> {
    let job = outstanding.jobs.get_mut(key)?;
    if let Some(fault) = note_damaged(run, job, &contents) {
        return Some(fault);
    }
    let blobs = job.job.task.blobs();
    let is_meant =
        |blob: &&BlobName| matches!(blob, BlobName::File(own) | BlobName::Tree(own) if *own == contents);
    if let Some(blob) = blobs.iter().find(is_meant) {
        // If the server is away, the next attempt finds them damaged again.
        let _ = run.contents.replace_damaged(*blob).await;
    }
    job.queue_again();
    None
}

/// Removes contents of an outcome that arrived damaged here, and queues the job again: a worker does not send contents
/// that are on the server.
async fn ask_again(
    run: &ClusterRun<'_>,
    outstanding: &mut Outstanding,
    key: &Key,
    contents: Digest,
) -> Option<Fault> {
    let job = outstanding.jobs.get_mut(key)?;
    if let Some(fault) = note_damaged(run, job, &contents) {
        return Some(fault);
    }
    let _ = run.contents.remove_damaged(&contents).await;
    // The stream holds one result per job.
    let _ = run.connection.remove_messages(RESULTS, format!("result.{}.{key}", run.name)).await;
    job.queue_again();
    None
}

/// Reports damaged contents; a fault if they are damaged too often.
fn note_damaged(run: &ClusterRun<'_>, job: &mut OutstandingJob, contents: &Digest) -> Option<Fault> {
    job.damaged += 1;
    if job.damaged > MAX_DAMAGED {
        return Some(Fault::new(format!(
            "contents {} on the server are damaged repeatedly: check which accounts may write there",
            contents.short()
        )));
    }
    if run.is_news(&format!("damaged {contents}")) {
        (run.on_event)(&ClusterEvent::Damaged(contents.short()));
    }
    None
}

/// Queues a declined job again, until every worker has declined it.
fn decline(
    run: &ClusterRun<'_>,
    outstanding: &mut Outstanding,
    key: &Key,
    worker: String,
    why: String,
) -> Option<Fault> {
    let job = outstanding.jobs.get_mut(key)?;
    job.declined.insert(worker, why);
    let live = run.roster.live();
    if live.iter().any(|worker| !job.declined.contains_key(&worker.name)) {
        job.queue_again();
        return None;
    }
    let all: Vec<String> = job.declined.iter().map(|(worker, why)| format!("{worker}: {why}")).collect();
    let text = all.join("; ");
    if run.is_news(&text) {
        (run.on_event)(&ClusterEvent::Declined(text.clone()));
    }
    Some(Fault::new(format!("no worker can do it: {text}")))
}

/// Takes over results that interrupted runs left unread.
pub(super) async fn take_over(run: &ClusterRun<'_>, store: &Store) -> Result<()> {
    let mut left = ResultReader::start(run.connection, "result.>".into());
    let stream = run.connection.stream(RESULTS).await?;
    let messages = stream.cached_info().state.messages;
    let mut taken = 0;
    let mut read = 0;
    while read < messages {
        // Another run may have removed some of them.
        let Ok(Some(arrived)) = timeout(NEXT_RESULT, left.arrived.recv()).await else { break };
        read += 1;
        let Ok(message) = open_result(&run.contents, &arrived.payload).await else { continue };
        let Reply::Done(outcome) = message.reply else { continue };
        let is_alike = message.kind == run.kind && message.class == run.class;
        let is_wanted = message.form == FORM && is_alike && outcome.is_lasting();
        if is_wanted
            && store.get(&message.key)?.is_none()
            && run.contents.fetch(outcome.blobs()).await.is_ok()
        {
            store.put(&message.key, &outcome)?;
            taken += 1;
        }
    }
    if taken > 0 {
        (run.on_event)(&ClusterEvent::TakenOver(taken));
    }
    Ok(())
}
/// Opens a result, from the message or from the object store.
async fn open_result(contents: &SharedContents<'_>, payload: &[u8]) -> Result<ResultMessage> {
    from_bytes(&contents.disclose(payload).await?, "a result")
}

/// The key in `result.RUN.KEY` and `result.RUN.KEY.ATTEMPT`.
fn key_in(subject: &str) -> Option<Key> {
    subject.split('.').nth(2)?.parse().ok()
}
