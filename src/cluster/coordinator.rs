//! The executor that deals jobs out. Knows nothing of what they are for; who asks is the engine, which
//! stores each result before the driver hears of it.

use super::{
    connection::Connection,
    contents::{NotHere, SharedContents},
    events::ClusterEvent,
    messages::{
        Envelope, FORM, GIVEN_UP, JobMessage, Reply, ResultMessage, from_bytes, is_outcome_of, meanings,
        short_name, to_bytes,
    },
    outstanding::Outstanding,
    results::{ArrivedResult, ResultReader},
    roster::{Roster, RunReport, WorkerStatus, now, say},
    streams::{GAVE_UP, JOBS, RESULTS, consumer_of, publish_once},
};
use crate::{
    exec::{Executor, JobResult, MachineKind, Work},
    plan::{Job, Key, Outcome},
    sandbox::Fault,
    store::Store,
};
use anyhow::{Result, anyhow, bail, ensure};
use async_nats::jetstream;
use futures_util::{StreamExt, future::join_all};
use serde::Deserialize;
use std::{
    collections::HashSet,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::Mutex as WaitingMutex,
    time::{sleep, timeout},
};

/// Deals jobs out to the workers of a class.
pub struct Coordinator<'a> {
    connection: &'a Connection,
    contents: SharedContents<'a>,
    class: String,
    kind: MachineKind,
    lease: Duration,
    run: String,
    since: u64,
    roster: Roster,
    reader: WaitingMutex<ResultReader>,
    tell: EventListener<'a>,
    told: Mutex<HashSet<String>>,
    state: Mutex<State>,
    cancelled: std::sync::Arc<AtomicBool>,
    done: AtomicU64,
}

/// Hears of what happens.
pub(super) type EventListener<'a> = Box<dyn Fn(&ClusterEvent) + Sync + 'a>;

/// What was told last.
#[derive(Default)]
struct State {
    has_workers: Option<bool>,
    in_trouble: bool,
    /// The last of the jobs that the server gave up and that was looked at.
    gave_up: Option<u64>,
}

/// How often the coordinator looks around.
const LOOK: Duration = Duration::from_secs(2);

/// After so long without a result the server is asked whether it still has the job.
const DOUBT: Duration = Duration::from_secs(10);

/// So often a job may get lost on the server.
const MOST_LOST: u32 = 8;

/// So long the server may be away.
const SERVER_PATIENCE: Duration = Duration::from_secs(15 * 60);

impl<'a> Coordinator<'a> {
    /// Waits for a worker, makes what is not there, and takes over what other runs left behind.
    /// `kind`: what jobs are planned for, by [`Connection::await_kind`].
    pub fn start(
        connection: &'a Connection,
        store: &'a Store,
        (class, kind): (&str, MachineKind),
        tell: Box<dyn Fn(&ClusterEvent) + Sync + 'a>,
    ) -> Result<Coordinator<'a>> {
        let run = new_run_name();
        connection.wait(async {
            let roster = Roster::default();
            roster.follow(connection, class).await?;
            let cancelled = std::sync::Arc::new(AtomicBool::new(false));
            super::control::listen(connection, format!("control.run.{run}"), cancelled.clone()).await?;
            let reader = ResultReader::start(connection, format!("result.{run}.>"));
            let coordinator = Coordinator {
                connection,
                contents: SharedContents::new(connection, store),
                class: class.to_owned(),
                kind,
                lease: consumer_of(connection, class).await?.cached_info().config.ack_wait,
                since: now(),
                roster,
                reader: WaitingMutex::new(reader),
                tell,
                told: Mutex::default(),
                state: Mutex::default(),
                cancelled,
                done: AtomicU64::new(0),
                run,
            };
            coordinator.skip_old_advisories().await;
            coordinator.take_over(store).await?;
            Ok(coordinator)
        })
    }

    /// Bytes of contents that were sent and received so far.
    pub fn traffic(&self) -> (u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.contents.sent), read(&self.contents.received))
    }

    async fn deal_out(&self, first: Job, work: &mut dyn Work) -> Result<()> {
        let mut reader = self.reader.lock().await;
        let mut outstanding = Outstanding::default();
        outstanding.add(first);
        let mut looked = Instant::now();
        loop {
            let room = (2 * self.roster.slots()).max(4);
            while outstanding.jobs.len() < room {
                let Some(job) = work.next(None) else { break };
                outstanding.add(job);
            }
            self.queue_due(&mut outstanding, work).await?;
            if outstanding.jobs.is_empty() {
                return Ok(());
            }
            let pause = if outstanding.has_unqueued() { LOOK / 20 } else { LOOK };
            let mut ended = Vec::new();
            if let Ok(Some(arrived)) = timeout(pause, reader.arrived.recv()).await {
                ended.extend(self.take_in(&mut outstanding, arrived).await?);
                // All that is here already: jobs are queued together then.
                while let Ok(arrived) = reader.arrived.try_recv() {
                    ended.extend(self.take_in(&mut outstanding, arrived).await?);
                }
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                ended.extend(self.look_around(&mut outstanding, work.is_stopped()).await?);
            }
            for (job, result) in ended {
                self.done.fetch_add(1, Ordering::Relaxed);
                work.done(job, result)?;
            }
        }
    }

    /// Queues what is to be queued, as soon as the server can be reached. A job whose contents cannot be had
    /// ends as a fault.
    async fn queue_due(&self, outstanding: &mut Outstanding, work: &mut dyn Work) -> Result<()> {
        let since = Instant::now();
        for key in outstanding.due() {
            let blobs = outstanding.jobs[&key].job.task.blobs();
            while let Err(error) = self.contents.offer(blobs.clone()).await {
                if error.is::<NotHere>() {
                    let job = outstanding.end(&key).expect("it is outstanding");
                    work.done(job, Err(Fault::new(format!("{error:#}"))))?;
                    break;
                }
                self.wait_for_server(since, &format!("{error:#}"), work.is_stopped()).await?;
            }
        }
        loop {
            let due = outstanding.due();
            let sent =
                join_all(due.iter().map(|key| self.queue(outstanding.jobs[key].message(meanings())))).await;
            let mut trouble = None;
            for (key, sent) in due.iter().zip(sent) {
                match sent {
                    Ok(()) => {
                        outstanding.jobs.get_mut(key).expect("it is outstanding").queued =
                            Some(Instant::now())
                    }
                    Err(error) => trouble = Some(error),
                }
            }
            let Some(error) = trouble else { break };
            self.wait_for_server(since, &format!("{error:#}"), work.is_stopped()).await?;
        }
        self.server_is_there();
        Ok(())
    }

    async fn queue(&self, message: JobMessage) -> Result<()> {
        let subject = format!("job.{}.{}.{}", self.class, self.run, message.job.key);
        let mut payload = to_bytes(&message);
        if payload.len() > self.connection.client.server_info().max_payload / 2 {
            payload = to_bytes(&Envelope::Long(self.contents.offer_bytes(&payload).await?));
        }
        publish_once(&self.connection.jetstream, subject, payload).await
    }

    async fn wait_for_server(&self, since: Instant, why: &str, stopped: bool) -> Result<()> {
        self.connection.check_known()?;
        let patient = since.elapsed() < SERVER_PATIENCE && !stopped;
        ensure!(
            patient,
            "the cluster at {} cannot be reached: {why}; what was done is kept",
            self.connection.url
        );
        if !std::mem::replace(&mut self.state().in_trouble, true) {
            (self.tell)(&ClusterEvent::ServerTrouble(why.to_owned()));
        }
        self.contents.doubt_all();
        sleep(Duration::from_millis(500)).await;
        Ok(())
    }

    fn server_is_there(&self) {
        if std::mem::take(&mut self.state().in_trouble) {
            (self.tell)(&ClusterEvent::ServerBack);
        }
    }

    /// What a result means: the end of a job, or that it is queued again.
    async fn take_in(
        &self,
        outstanding: &mut Outstanding,
        arrived: ArrivedResult,
    ) -> Result<Option<(Job, JobResult)>> {
        let Some(key) = key_in(&arrived.subject) else { return Ok(None) };
        // Answered before, and the same answer read again.
        let Some(waiting) = outstanding.jobs.get(&key) else { return Ok(None) };
        let read = self.read_result(&arrived.payload, &key).await;
        let result = match read {
            Err(error) => Err(Fault::new(format!("{error:#}"))),
            Ok(message) => match message.reply {
                Reply::Failed(fault) => {
                    Err(Fault { what: format!("{} (on {})", fault.what, message.worker), ..fault })
                }
                Reply::Done(outcome) if !is_outcome_of(&waiting.job.task, &outcome) => {
                    Err(Fault::new(format!("{} answered with something else than was asked", message.worker)))
                }
                Reply::Done(outcome) => self.bring_home(outcome).await,
                Reply::Declined { attempt, why } => {
                    if attempt != waiting.attempt {
                        return Ok(None);
                    }
                    match self.decline(outstanding, &key, message.worker, why) {
                        None => return Ok(None),
                        Some(fault) => Err(fault),
                    }
                }
            },
        };
        Ok(outstanding.end(&key).map(|job| (job, result)))
    }

    async fn read_result(&self, payload: &[u8], key: &Key) -> Result<ResultMessage> {
        let message = open_result(&self.contents, payload).await?;
        ensure!(
            message.form == FORM && message.key == *key,
            "{} answered with something else than was asked",
            message.worker
        );
        ensure!(
            message.kind == self.kind && message.class == self.class,
            "{} is a machine of another kind than was asked for: {} with isolation {}",
            message.worker,
            message.kind.class,
            message.kind.isolation
        );
        Ok(message)
    }

    /// What an outcome names must be in the local store, too: it is the record.
    async fn bring_home(&self, outcome: Outcome) -> JobResult {
        let since = Instant::now();
        loop {
            match self.contents.fetch(outcome.blobs()).await {
                Ok(()) => return Ok(outcome),
                Err(error) if since.elapsed() > Duration::from_secs(60) => {
                    return Err(Fault::new(format!("{error:#}")));
                }
                Err(_) => sleep(Duration::from_millis(500)).await,
            }
        }
    }

    /// A job that somebody cannot do is queued again, until everybody said so.
    fn decline(
        &self,
        outstanding: &mut Outstanding,
        key: &Key,
        worker: String,
        why: String,
    ) -> Option<Fault> {
        let job = outstanding.jobs.get_mut(key)?;
        job.declined.insert(worker, why);
        let live = self.roster.live();
        if live.iter().any(|worker| !job.declined.contains_key(&worker.name)) {
            job.queue_again();
            return None;
        }
        let all: Vec<String> = job.declined.iter().map(|(worker, why)| format!("{worker}: {why}")).collect();
        let text = all.join("; ");
        if self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(text.clone()) {
            (self.tell)(&ClusterEvent::Declined(text.clone()));
        }
        Some(Fault::new(format!("no worker can do it: {text}")))
    }

    /// What arrives by no message: that nobody is there, that jobs were given up or lost.
    async fn look_around(
        &self,
        outstanding: &mut Outstanding,
        stopped: bool,
    ) -> Result<Vec<(Job, JobResult)>> {
        self.connection.check_known()?;
        if self.cancelled.load(Ordering::Relaxed) {
            bail!(
                "the run was cancelled by `kopek cluster cancel`; what was done is kept, and the same command goes on"
            );
        }
        self.say_how_it_goes(outstanding.jobs.len(), false).await;
        let live = self.roster.live();
        self.report_workers(&live);
        if live.is_empty() && stopped {
            self.purge_jobs().await;
            let keys: Vec<Key> = outstanding.jobs.keys().copied().collect();
            let interrupted = || Err(Fault::new("interrupted before a worker took it"));
            return Ok(keys.iter().filter_map(|key| Some((outstanding.end(key)?, interrupted()))).collect());
        }
        if self.stream(JOBS).await.is_err() {
            // It may have lost everything; if it is away, this comes to nothing.
            let _ = self.connection.make_streams(&self.class, self.lease).await;
        }
        // A server that does not answer now is asked again soon.
        let mut ended = self.check_abandoned(outstanding).await.unwrap_or_default();
        ended.extend(self.look_for_lost(outstanding).await.unwrap_or_default());
        Ok(ended)
    }

    fn report_workers(&self, live: &[WorkerStatus]) {
        let has_workers = !live.is_empty();
        let before = self.state().has_workers.replace(has_workers);
        if before == Some(has_workers) || (before.is_none() && has_workers) {
            return;
        }
        let slots = live.iter().map(|worker| worker.slots).sum();
        (self.tell)(&match has_workers {
            true => ClusterEvent::Workers { workers: live.len(), slots },
            false => ClusterEvent::NoWorker { class: self.class.clone() },
        });
    }

    async fn say_how_it_goes(&self, outstanding: usize, ended: bool) {
        let Coordinator { run, class, since, .. } = self;
        let done = self.done.load(Ordering::Relaxed);
        let said = RunReport {
            form: FORM,
            run: run.clone(),
            class: class.clone(),
            since: *since,
            done,
            outstanding,
            ended,
        };
        say(self.connection, format!("run.{run}"), &said).await;
    }

    /// Jobs that the server gave to workers too often: tried alone first, then a fault.
    async fn check_abandoned(&self, outstanding: &mut Outstanding) -> Result<Vec<(Job, JobResult)>> {
        let advisories = self.stream(GAVE_UP).await?;
        let last = advisories.get_info().await.map_err(|error| anyhow!("{error}"))?.state.last_sequence;
        let mut ended = Vec::new();
        // A server that lost everything counts from one again.
        let first = self.state().gave_up.map_or(last, |seen| if seen > last { 0 } else { seen }) + 1;
        for sequence in first..=last {
            if let Ok(message) = advisories.get_raw_message(sequence).await
                && let Ok(advisory) = serde_json::from_slice::<Advisory>(&message.payload)
                && let Some(key) = self.abandoned_key(advisory.stream_seq).await
            {
                ended.extend(self.give_up(outstanding, &key));
            }
        }
        self.state().gave_up = Some(last);
        Ok(ended)
    }

    /// The job of ours with this number; it is taken off the queue.
    async fn abandoned_key(&self, sequence: u64) -> Option<Key> {
        let jobs = self.stream(JOBS).await.ok()?;
        let message = jobs.get_raw_message(sequence).await.ok()?;
        let ours = message.subject.strip_prefix(&format!("job.{}.{}.", self.class, self.run))?;
        let key = ours.parse().ok()?;
        let _ = jobs.delete_message(sequence).await;
        Some(key)
    }

    fn give_up(&self, outstanding: &mut Outstanding, key: &Key) -> Option<(Job, JobResult)> {
        let job = outstanding.jobs.get(key)?;
        if !job.alone {
            (self.tell)(&ClusterEvent::Suspect(short_name(&job.job)));
            outstanding.suspect(key);
            return None;
        }
        outstanding.end(key).map(|job| (job, Err(Fault::new(GIVEN_UP))))
    }

    /// Jobs that neither wait nor are under way nor have an answer: queued again.
    async fn look_for_lost(&self, outstanding: &mut Outstanding) -> Result<Vec<(Job, JobResult)>> {
        let is_old = |at: Option<Instant>| at.is_some_and(|at| at.elapsed() > DOUBT);
        let doubted: Vec<Key> =
            outstanding.jobs.iter().filter(|(_, job)| is_old(job.queued)).map(|(key, _)| *key).collect();
        if doubted.is_empty() {
            return Ok(vec![]);
        }
        let queued = self.queued_keys().await?;
        let results = self.stream(RESULTS).await?;
        let (mut ended, mut lost) = (Vec::new(), 0);
        for key in doubted.iter().filter(|key| !queued.contains(key)) {
            let subject = format!("result.{}.{key}", self.run);
            if let Ok(found) = results.get_last_raw_message_by_subject(&subject).await {
                ended.extend(
                    self.take_in(outstanding, ArrivedResult { subject, payload: found.payload.to_vec() })
                        .await?,
                );
                continue;
            }
            let Some(job) = outstanding.jobs.get_mut(key) else { continue };
            job.lost += 1;
            if job.lost > MOST_LOST {
                let fault = Err(Fault::new("the server of the cluster lost it again and again; see its log"));
                ended.extend(outstanding.end(key).map(|job| (job, fault)));
                continue;
            }
            lost += 1;
            self.contents.doubt_all();
            job.queue_again();
        }
        if lost > 0 {
            (self.tell)(&ClusterEvent::Lost(lost));
        }
        Ok(ended)
    }

    /// Jobs of this run that the server has.
    async fn queued_keys(&self) -> Result<HashSet<Key>> {
        let jobs = self.stream(JOBS).await?;
        let subjects = format!("job.{}.{}.>", self.class, self.run);
        let mut all = jobs.info_with_subjects(subjects).await.map_err(|error| anyhow!("{error}"))?;
        let mut keys = HashSet::new();
        while let Some(subject) = all.next().await {
            let (subject, _) = subject.map_err(|error| anyhow!("{error}"))?;
            keys.extend(subject.rsplit('.').next().and_then(|key| key.parse::<Key>().ok()));
        }
        Ok(keys)
    }

    async fn stream(&self, name: &str) -> Result<jetstream::stream::Stream> {
        self.connection
            .jetstream
            .get_stream(name)
            .await
            .map_err(|error| anyhow!("open the stream {name}: {error}"))
    }

    async fn skip_old_advisories(&self) {
        if let Ok(stream) = self.stream(GAVE_UP).await {
            self.state().gave_up = Some(stream.cached_info().state.last_sequence);
        }
    }

    /// Facts that runs have left behind which were cut off before they read them.
    async fn take_over(&self, store: &Store) -> Result<()> {
        let mut left = ResultReader::start(self.connection, "result.>".into());
        let stream = self.stream(RESULTS).await?;
        let messages = stream.cached_info().state.messages;
        let (mut taken, mut read) = (0, 0);
        while read < messages {
            // Somebody may have removed some meanwhile.
            let Ok(Some(arrived)) = timeout(LOOK, left.arrived.recv()).await else { break };
            read += 1;
            let Ok(message) = open_result(&self.contents, &arrived.payload).await else { continue };
            let Reply::Done(outcome) = message.reply else { continue };
            let is_wanted = message.form == FORM && message.kind == self.kind && outcome.is_lasting();
            if is_wanted
                && store.get(&message.key)?.is_none()
                && self.contents.fetch(outcome.blobs()).await.is_ok()
            {
                store.put(&message.key, &outcome)?;
                taken += 1;
            }
        }
        if taken > 0 {
            (self.tell)(&ClusterEvent::TakenOver(taken));
        }
        Ok(())
    }

    async fn purge_jobs(&self) {
        if let Ok(stream) = self.stream(JOBS).await {
            let _ = stream.purge().filter(format!("job.{}.{}.>", self.class, self.run)).await;
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Executor for Coordinator<'_> {
    fn run(&self, work: &mut dyn Work) -> Result<()> {
        // Most calls find everything known.
        let Some(first) = work.next(None) else { return Ok(()) };
        self.connection.wait(async {
            let dealt = self.deal_out(first, work).await;
            if dealt.is_err() {
                self.purge_jobs().await;
            }
            dealt
        })
    }
}

impl Drop for Coordinator<'_> {
    /// What was read is in the store: the server need not keep it. Jobs that nobody waits for are not begun.
    fn drop(&mut self) {
        let ends = async {
            self.purge_jobs().await;
            if let Ok(stream) = self.stream(RESULTS).await {
                let _ = stream.purge().filter(format!("result.{}.>", self.run)).await;
            }
            self.say_how_it_goes(0, true).await;
            self.connection.flush().await;
        };
        // At the end of the world nobody waits for the server.
        self.connection.wait(async {
            let _ = timeout(Duration::from_secs(3), ends).await;
        });
    }
}

/// A result, wherever it lies.
async fn open_result(contents: &SharedContents<'_>, payload: &[u8]) -> Result<ResultMessage> {
    if let Ok(Envelope::Long(digest)) = serde_json::from_slice(payload) {
        return from_bytes(&contents.fetch_bytes(&digest).await?, "a result");
    }
    from_bytes(payload, "a result")
}

/// The key in `result.RUN.KEY` and `result.RUN.KEY.ATTEMPT`.
fn key_in(subject: &str) -> Option<Key> {
    subject.split('.').nth(2)?.parse().ok()
}

/// What the server says of a job that it gives to nobody any longer.
#[derive(Deserialize)]
struct Advisory {
    stream_seq: u64,
}

fn new_run_name() -> String {
    let name = crate::base::DigestFields::new("run")
        .with(
            "time",
            &std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |t| t.as_nanos())
                .to_le_bytes(),
        )
        .with("process", &std::process::id().to_le_bytes())
        .with(
            "machine",
            std::fs::read_to_string("/proc/sys/kernel/random/uuid").unwrap_or_default().as_bytes(),
        );
    name.digest().short()
}
