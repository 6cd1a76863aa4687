//! Jobs that no result tells of: nobody is there to do them, they ended who took them, or the server lost them.

use super::{
    coordinator::{Coordinator, WorkAhead},
    events::ClusterEvent,
    messages::{FORM, GIVEN_UP, short_name},
    outstanding::Outstanding,
    results::ArrivedResult,
    roster::{RunReport, WorkerStatus, say},
    streams::{GAVE_UP, JOBS, RESULTS, WORKERS, consumer_of},
    trouble::Trouble,
};
use anyhow::{Result, anyhow, bail, ensure};
use futures_util::StreamExt;
use kopek_engine::{
    exec::JobResult,
    plan::{Job, Key},
    sandbox::Fault,
};
use serde::Deserialize;
use std::{
    collections::HashSet,
    sync::{PoisonError, atomic::Ordering},
    time::{Duration, Instant},
};

/// After so long without a result the server is asked whether it still has the job.
const DOUBT: Duration = Duration::from_secs(10);

/// A rate is of so long.
const RECENT: Duration = Duration::from_secs(60);

/// So often a job may get lost on the server.
const MOST_LOST: u32 = 8;

/// A server that numbers jobs from one again takes those for done whose numbers it gave away before.
const PASSED_OVER: &str = "the server of the cluster holds jobs that it gives to no worker, as after its disk was full or \
                           lost: stop it, empty its `store_dir`, start it, and run the same command; what was done is kept";

impl Coordinator<'_> {
    /// What arrives by no message: that nobody is there, that jobs were given up or lost.
    pub(super) async fn look_around(
        &self,
        outstanding: &mut Outstanding,
        ahead: WorkAhead,
    ) -> Result<Vec<(Job, JobResult)>> {
        self.connection.check_known()?;
        if self.cancelled.load(Ordering::Relaxed) {
            bail!(
                "the run was cancelled by `kopek cluster cancel`; what was done is kept, and the same command goes on"
            );
        }
        self.say_how_it_goes((outstanding.jobs.len(), ahead.left), false).await;
        let live = self.roster.live();
        self.report_workers(&live);
        if live.is_empty() && ahead.is_stopped {
            self.purge_jobs().await;
            let keys: Vec<Key> = outstanding.jobs.keys().copied().collect();
            let interrupted = || Err(Fault::new("interrupted before a worker took it"));
            return Ok(keys.iter().filter_map(|key| Some((outstanding.end(key)?, interrupted()))).collect());
        }
        self.check_server(&live, ahead.is_stopped).await?;
        // A server that does not answer now is asked again soon.
        let mut ended = self.check_abandoned(outstanding).await.unwrap_or_default();
        ended.extend(self.look_for_lost(outstanding).await.unwrap_or_default());
        // Seen once, it may just have been given up.
        ensure!(outstanding.jobs.values().all(|job| job.passed_over < 2), PASSED_OVER);
        Ok(ended)
    }

    /// Makes again what a server lost that forgot everything. What keeps it from its work may be known to workers
    /// only, which cannot answer then.
    async fn check_server(&self, live: &[WorkerStatus], is_stopped: bool) -> Result<()> {
        let mut trouble = None;
        // What workers say lies in its memory alone: after each start it is to be made again.
        let is_there = async || {
            self.connection.stream(JOBS).await?;
            self.connection.stream(WORKERS).await
        };
        if let Err(error) = is_there().await {
            trouble = match self.connection.make_streams(&self.class, self.lease).await {
                Ok(()) => None,
                Err(_) => Some(self.connection.diagnose(&error).await),
            };
        }
        let of_reader = || {
            let why = self.reading.lock().unwrap_or_else(PoisonError::into_inner).clone();
            why.map(|why| self.connection.explain(&anyhow!(why)))
        };
        let of_workers = || {
            let named = live.iter().find_map(|worker| Some((&worker.name, worker.trouble.as_ref()?)));
            named.map(|(name, why)| (Trouble::Other, format!("{name} cannot answer: {why}")))
        };
        match trouble.or_else(of_reader).or_else(of_workers) {
            Some(trouble) => self.note_trouble(trouble, is_stopped),
            None => {
                self.server_is_there();
                Ok(())
            }
        }
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

    pub(super) async fn say_how_it_goes(&self, (outstanding, left): (usize, Option<usize>), ended: bool) {
        let Coordinator { run, class, since, .. } = self;
        let done = self.done.load(Ordering::Relaxed);
        let rate = self.rate(done);
        let said = RunReport {
            form: FORM,
            run: run.clone(),
            class: class.clone(),
            since: *since,
            done,
            outstanding,
            left: left.map(|left| left + outstanding),
            rate,
            ended,
        };
        say(self.connection, format!("run.{run}"), &said).await;
    }

    /// Jobs that ended in a second, over the last minute.
    fn rate(&self, done: u64) -> f64 {
        let recent = &mut self.state().recent;
        recent.push_back((Instant::now(), done));
        while recent.len() > 2 && recent[1].0.elapsed() > RECENT {
            recent.pop_front();
        }
        let (at, before) = recent[0];
        (done - before) as f64 / at.elapsed().as_secs_f64().max(1.0)
    }

    /// Jobs that the server gave to workers too often: tried alone first, then a fault.
    async fn check_abandoned(&self, outstanding: &mut Outstanding) -> Result<Vec<(Job, JobResult)>> {
        let advisories = self.connection.stream(GAVE_UP).await?;
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
        let jobs = self.connection.stream(JOBS).await.ok()?;
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
        // In this order: what is queued or taken off meanwhile is no sign of anything.
        let queue = consumer_of(self.connection, &self.class).await?.cached_info().clone();
        let gives_none = queue.num_pending == 0 && queue.num_ack_pending == 0;
        let queued = self.queued_keys().await?;
        let results = self.connection.stream(RESULTS).await?;
        let (mut ended, mut lost) = (Vec::new(), 0);
        for key in doubted.iter().filter(|key| gives_none || !queued.contains(key)) {
            let subject = format!("result.{}.{key}", self.run);
            if let Ok(found) = results.get_last_raw_message_by_subject(&subject).await {
                ended.extend(
                    self.take_in(outstanding, ArrivedResult { subject, payload: found.payload.to_vec() })
                        .await?,
                );
                continue;
            }
            let Some(job) = outstanding.jobs.get_mut(key) else { continue };
            if queued.contains(key) {
                job.passed_over += 1;
                job.queued = Some(Instant::now());
                continue;
            }
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
        let jobs = self.connection.stream(JOBS).await?;
        let subjects = format!("job.{}.{}.>", self.class, self.run);
        let mut all = jobs.info_with_subjects(subjects).await.map_err(|error| anyhow!("{error}"))?;
        let mut keys = HashSet::new();
        while let Some(subject) = all.next().await {
            let (subject, _) = subject.map_err(|error| anyhow!("{error}"))?;
            keys.extend(subject.rsplit('.').next().and_then(|key| key.parse::<Key>().ok()));
        }
        Ok(keys)
    }
}

/// What the server says of a job that it gives to nobody any longer.
#[derive(Deserialize)]
struct Advisory {
    stream_seq: u64,
}
