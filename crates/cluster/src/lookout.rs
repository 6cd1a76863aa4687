//! Watches for jobs without a result: no worker takes them, their workers died, or the server lost them.

use super::{
    arrivals::take_in,
    cluster_run::{ClusterRun, WorkAhead},
    events::ClusterEvent,
    messages::{FORM, GIVEN_UP, short_name},
    outstanding::{EndedJob, Outstanding, OutstandingJob},
    results::ArrivedResult,
    roster::{RunReport, WorkerStatus, say},
    streams::{GAVE_UP, JOBS, RESULTS, WORKERS, consumer_of, subjects_in},
    trouble::{ServerTrouble, Trouble},
};
use anyhow::{Result, anyhow, bail, ensure};
use async_nats::jetstream::stream::Stream;
use kopek_plan::plan::Key;
use kopek_sandbox::Fault;
use serde::Deserialize;
use std::{
    collections::HashSet,
    sync::{PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

/// Age without a result at which the server is asked whether it still has the job.
const DOUBT: Duration = Duration::from_secs(10);

/// The period that rates are averaged over.
const RECENT: Duration = Duration::from_secs(60);

/// How often the server may lose a job.
const MAX_LOST: u32 = 8;

/// A server that restarts its numbering takes jobs with numbers it used before for done.
const PASSED_OVER: &str = "the server of the cluster holds jobs that it delivers to no worker, as after its disk was full or \
                           lost: stop it, empty its `store_dir`, start it, and repeat the command; finished jobs are kept";

/// Looks for events that come without a message: no worker, jobs given up, jobs lost.
pub(super) async fn look_around(
    run: &ClusterRun<'_>,
    outstanding: &mut Outstanding,
    ahead: WorkAhead,
) -> Result<Vec<EndedJob>> {
    run.connection.check_known()?;
    if run.cancelled.load(Ordering::Relaxed) {
        bail!(
            "the run was cancelled by `kopek cluster cancel`; finished jobs are kept, and the same command continues"
        );
    }
    let progress = RunProgress { outstanding: outstanding.jobs.len(), left: ahead.left, ended: false };
    say_how_it_goes(run, progress).await;
    let live = run.roster.live();
    report_workers(run, &live);
    if live.is_empty() && ahead.is_stopped {
        run.remove_jobs().await;
        let keys: Vec<Key> = outstanding.jobs.keys().copied().collect();
        let interrupted = || Err(Fault::new("interrupted before a worker took it"));
        return Ok(keys.iter().filter_map(|key| outstanding.end_with(key, interrupted())).collect());
    }
    check_server(run, &live, ahead).await?;
    // If the server does not answer now, the next look asks again.
    let mut ended = check_abandoned(run, outstanding).await.unwrap_or_default();
    ended.extend(look_for_lost(run, outstanding).await.unwrap_or_default());
    // Seen once, the server may just have given it up.
    ensure!(outstanding.jobs.values().all(|job| job.passed_over < 2), PASSED_OVER);
    Ok(ended)
}

/// Creates streams again that the server lost. Only workers may know what is wrong with it, and they cannot answer
/// then.
async fn check_server(run: &ClusterRun<'_>, live: &[WorkerStatus], ahead: WorkAhead) -> Result<()> {
    let mut trouble = None;
    // Reports of workers are kept in the server's memory: their stream is missing after each restart.
    let is_there = async || {
        run.connection.stream(JOBS).await?;
        run.connection.stream(WORKERS).await
    };
    if let Err(error) = is_there().await {
        trouble = match run.connection.make_streams(&run.class, run.lease).await {
            Ok(()) => None,
            Err(_) => Some(run.connection.diagnose(&error).await),
        };
    }
    let of_reader = || {
        let why = run.reading.lock().unwrap_or_else(PoisonError::into_inner).clone();
        why.map(|why| run.connection.explain(&anyhow!(why)))
    };
    let of_workers = || {
        let named = live.iter().find_map(|worker| Some((&worker.name, worker.trouble.as_ref()?)));
        named.map(|(name, why)| ServerTrouble {
            kind: Trouble::Other,
            why: format!("{name} cannot answer: {why}"),
        })
    };
    match trouble.or_else(of_reader).or_else(of_workers) {
        Some(trouble) => run.note_trouble(trouble, ahead),
        None => {
            run.server_is_there();
            Ok(())
        }
    }
}

fn report_workers(run: &ClusterRun<'_>, live: &[WorkerStatus]) {
    let has_workers = !live.is_empty();
    let before = run.state().has_workers.replace(has_workers);
    if before == Some(has_workers) || (before.is_none() && has_workers) {
        return;
    }
    let slots = live.iter().map(|worker| worker.slots).sum();
    if has_workers {
        (run.on_event)(&ClusterEvent::Workers { workers: live.len(), slots });
    } else {
        (run.on_event)(&ClusterEvent::NoWorker { class: run.class.clone() });
    }
}

/// The progress of a run.
pub(super) struct RunProgress {
    pub(super) outstanding: usize,
    /// How many jobs are still to be queued, if known.
    pub(super) left: Option<usize>,
    pub(super) ended: bool,
}

pub(super) async fn say_how_it_goes(run: &ClusterRun<'_>, progress: RunProgress) {
    let RunProgress { outstanding, left, ended } = progress;
    let done = run.done.load(Ordering::Relaxed);
    let rate = rate(run, done);
    let said = RunReport {
        form: FORM,
        run: run.name.clone(),
        class: run.class.clone(),
        since: run.since,
        done,
        outstanding,
        left: left.map(|left| left + outstanding),
        rate,
        ended,
    };
    say(run.connection, format!("run.{}", run.name), &said).await;
}

/// Jobs that ended per second, over the last minute.
fn rate(run: &ClusterRun<'_>, done: u64) -> f64 {
    let recent = &mut run.state().recent;
    recent.push_back((Instant::now(), done));
    while recent.len() > 2 && recent[1].0.elapsed() > RECENT {
        recent.pop_front();
    }
    let (at, before) = recent[0];
    (done - before) as f64 / at.elapsed().as_secs_f64().max(1.0)
}

/// Handles jobs that the server delivered too often: first retried alone, then a fault.
async fn check_abandoned(run: &ClusterRun<'_>, outstanding: &mut Outstanding) -> Result<Vec<EndedJob>> {
    let advisories = run.connection.stream(GAVE_UP).await?;
    let last = advisories.get_info().await.map_err(|error| anyhow!("{error}"))?.state.last_sequence;
    let mut ended = Vec::new();
    // A server that lost everything numbers from one again.
    let first = run.state().gave_up.map_or(last, |seen| if seen > last { 0 } else { seen }) + 1;
    for sequence in first..=last {
        if let Ok(message) = advisories.get_raw_message(sequence).await
            && let Ok(advisory) = serde_json::from_slice::<Advisory>(&message.payload)
            && let Some(key) = abandoned_key(run, advisory.stream_seq).await
        {
            ended.extend(give_up(run, outstanding, &key));
        }
    }
    run.state().gave_up = Some(last);
    Ok(ended)
}

/// The job of this run with this number; takes it off the queue.
async fn abandoned_key(run: &ClusterRun<'_>, sequence: u64) -> Option<Key> {
    let jobs = run.connection.stream(JOBS).await.ok()?;
    let message = jobs.get_raw_message(sequence).await.ok()?;
    let ours = message.subject.strip_prefix(&format!("job.{}.{}.", run.class, run.name))?;
    let key = ours.parse().ok()?;
    let _ = jobs.delete_message(sequence).await;
    Some(key)
}

fn give_up(run: &ClusterRun<'_>, outstanding: &mut Outstanding, key: &Key) -> Option<EndedJob> {
    let job = outstanding.jobs.get(key)?;
    if !job.alone {
        (run.on_event)(&ClusterEvent::Suspect(short_name(&job.job)));
        outstanding.suspect(key);
        return None;
    }
    outstanding.end_with(key, Err(Fault::new(GIVEN_UP)))
}

/// Queues jobs again that neither wait nor run nor have a result.
async fn look_for_lost(run: &ClusterRun<'_>, outstanding: &mut Outstanding) -> Result<Vec<EndedJob>> {
    let is_old = |at: Option<Instant>| at.is_some_and(|at| at.elapsed() > DOUBT);
    let doubted: Vec<Key> =
        outstanding.jobs.iter().filter(|(_, job)| is_old(job.queued)).map(|(key, _)| *key).collect();
    if doubted.is_empty() {
        return Ok(vec![]);
    }
    // The order matters: jobs that are queued or removed meanwhile prove nothing. A worker answers before it
    // acknowledges.
    let queue = consumer_of(run.connection, &run.class).await?.cached_info().clone();
    let gives_none = queue.num_pending == 0 && queue.num_ack_pending == 0;
    let queued = queued_keys(run).await?;
    let results = run.connection.stream(RESULTS).await?;
    let mut ended = Vec::new();
    let mut lost = 0;
    for key in doubted.iter().filter(|key| gives_none || !queued.contains(key)) {
        let Some(job) = outstanding.jobs.get_mut(key) else { continue };
        if let Some(answer) = answer_to(run, &results, job).await {
            ended.extend(take_in(run, outstanding, answer).await?);
            continue;
        }
        if queued.contains(key) {
            job.passed_over += 1;
            job.queued = Some(Instant::now());
            continue;
        }
        job.lost += 1;
        if job.lost > MAX_LOST {
            let fault = Err(Fault::new("the server of the cluster lost it repeatedly; see its log"));
            ended.extend(outstanding.end_with(key, fault));
            continue;
        }
        lost += 1;
        run.contents.doubt_all();
        job.queue_again();
    }
    if lost > 0 {
        (run.on_event)(&ClusterEvent::Lost(lost));
    }
    Ok(ended)
}

/// The answer of a worker that was not read yet.
async fn answer_to(run: &ClusterRun<'_>, results: &Stream, job: &OutstandingJob) -> Option<ArrivedResult> {
    let result = format!("result.{}.{}", run.name, job.job.key);
    for subject in [format!("{result}.{}.*", job.attempt), result] {
        if let Ok(found) = results.get_last_raw_message_by_subject(&subject).await {
            return Some(ArrivedResult {
                subject: found.subject.to_string(),
                payload: found.payload.to_vec(),
            });
        }
    }
    None
}

/// Jobs of this run that the server has.
async fn queued_keys(run: &ClusterRun<'_>) -> Result<HashSet<Key>> {
    let jobs = run.connection.stream(JOBS).await?;
    let subjects = format!("job.{}.{}.>", run.class, run.name);
    let subjects = subjects_in(&jobs, subjects).await?;
    Ok(subjects.iter().filter_map(|subject| subject.rsplit('.').next()?.parse().ok()).collect())
}

/// The server's notice that it delivers a job to no more workers.
#[derive(Deserialize)]
struct Advisory {
    stream_seq: u64,
}
