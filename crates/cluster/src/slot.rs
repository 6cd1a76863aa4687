//! One slot of a worker: takes a job, does it, publishes the result, then acknowledges the job. One job at a time: jobs
//! waiting behind one that ends its worker would be blamed for it.

use super::{
    contents::NotHere,
    messages::{FORM, GIVEN_UP, JobMessage, Reply, ResultMessage, short_name, to_bytes},
    packed::DamagedContents,
    streams::{SentOnce, publish_once},
    worker_state::{SharedWorker, WorkerEvent},
};
use anyhow::{Result, anyhow};
use async_nats::jetstream::{AckKind, Message, message::Acker};
use futures_util::StreamExt;
use kopek_base::Clock;
use kopek_engine::{
    exec::JobResult,
    worker::{Perform, perform_patiently},
};
use kopek_plan::plan::{Job, Key};
use kopek_sandbox::Fault;
use std::{
    sync::{
        Arc, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{task::JoinHandle, time::sleep};

pub(super) struct SlotLoop<'w> {
    worker: &'w SharedWorker<'w>,
    index: usize,
    perform: Perform<'w>,
}

/// Duration of one request for a job. An idle worker takes up to this long to end.
const REQUEST: Duration = Duration::from_secs(2);

/// How long to retry publishing a result or fetching contents while the server is away.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// As [`PATIENCE`], after the worker was asked to end: its user waits, and other workers get its jobs.
const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// A job that this worker took.
struct TakenJob {
    /// `result.RUN.KEY`
    subject: String,
    delivered: i64,
    payload: Vec<u8>,
    lease: Lease,
}

impl<'w> SlotLoop<'w> {
    pub(super) fn new(worker: &'w SharedWorker<'w>, index: usize, perform: Perform<'w>) -> SlotLoop<'w> {
        SlotLoop { worker, index, perform }
    }

    pub(super) fn run(mut self) {
        while self.worker.end().is_none() {
            match self.worker.place.connection.wait(self.take()) {
                Ok(None) => {}
                Ok(Some(taken)) => self.serve(taken),
                Err(_) => self.worker.place.connection.pause(Duration::from_millis(500)),
            }
        }
    }

    /// The next job, if one comes soon. Never cancels the request: a job that arrives afterwards would be lost until
    /// its lease ends.
    async fn take(&self) -> Result<Option<TakenJob>> {
        let batch = self.worker.consumer.batch().max_messages(1).expires(REQUEST).messages().await?;
        let mut batch = Box::pin(batch);
        let mut taken = None;
        while let Some(message) = batch.next().await {
            taken = Some(self.hold(message.map_err(|error| anyhow!("{error}"))?)?);
        }
        Ok(taken)
    }

    fn hold(&self, message: Message) -> Result<TakenJob> {
        let delivered = message.info().map_err(|error| anyhow!("{error}"))?.delivered;
        let subject: Vec<&str> = message.subject.split('.').collect();
        let [_, _, run, key] = subject[..] else { return Err(anyhow!("not the subject of a job")) };
        let subject = format!("result.{run}.{key}");
        let (message, acker) = message.split();
        let lease = Lease::start(acker, self.worker.lease, self.worker.place.connection.runtime());
        Ok(TakenJob { subject, delivered, payload: message.payload.to_vec(), lease })
    }

    fn serve(&mut self, taken: TakenJob) {
        self.worker.begin(self.index, "fetches what a job names".into());
        let answered = match self.read(&taken.payload) {
            Ok(message) => self.serve_message(&taken, &message),
            // A job of another version: its plan cannot be read, but its subject names the run to answer.
            Err(why) => {
                let number = attempt_of(&taken.payload);
                let attempt = key_of(&taken.subject).map(|key| JobAttempt { key, number });
                self.hand_back(&taken, attempt, format!("{why:#}"))
            }
        };
        if let Err(error) = &answered {
            (self.worker.on_event)(&WorkerEvent::LeftBehind(format!("{error:#}")));
        }
        self.worker.finish(self.index, &answered);
    }

    fn read(&self, payload: &[u8]) -> Result<JobMessage> {
        JobMessage::read(&self.worker.place.connection.wait(self.worker.contents.disclose(payload))?)
    }

    fn serve_message(&mut self, taken: &TakenJob, message: &JobMessage) -> Result<()> {
        let job = &message.job;
        let attempt = JobAttempt { key: job.key, number: message.attempt };
        if let Some(why) = (self.worker.refusal)(job) {
            return self.hand_back(taken, Some(attempt), why);
        }
        if message.alone && taken.delivered > 1 {
            return self.answer(taken, job, Reply::Failed(Fault::new(GIVEN_UP)));
        }
        self.worker.begin(self.index, short_name(job));
        if message.attempt > 0 {
            // The job may come back because contents that seemed to be on the server are not.
            self.worker.contents.doubt_all();
        }
        let performed = if message.alone {
            let _alone = self.worker.alone.write().unwrap_or_else(PoisonError::into_inner);
            self.perform(job)
        } else {
            let _shared = self.worker.alone.read().unwrap_or_else(PoisonError::into_inner);
            self.perform(job)
        };
        let reply = match performed.map_err(|error| error.downcast()) {
            Err(Ok(DamagedContents(contents))) => {
                let reply = Reply::Damaged { attempt: message.attempt, contents };
                return self.send_back(taken, attempt, reply);
            }
            Err(Err(error)) => return Err(error),
            Ok(Ok(outcome)) => Reply::Done(outcome),
            Ok(Err(fault)) => {
                (self.worker.on_event)(&WorkerEvent::Failed(format!("{}: {fault}", short_name(job))));
                Reply::Failed(fault)
            }
        };
        self.answer(taken, job, reply)
    }

    /// `Err`: it did not begin, and is left to another worker.
    fn perform(&mut self, job: &Job) -> Result<JobResult> {
        let fetched = self
            .patiently(|| self.worker.place.connection.wait(self.worker.contents.fetch(job.task.blobs())));
        match fetched {
            Ok(()) => {}
            Err(error) if self.worker.is_to_end() || error.is::<DamagedContents>() => return Err(error),
            Err(error) => return Ok(Err(Fault::new(format!("{error:#}")))),
        }
        Ok(perform_patiently(&mut self.perform, job))
    }

    /// Sends the contents of the outcome, publishes the result, then acknowledges the job.
    fn answer(&self, taken: &TakenJob, job: &Job, reply: Reply) -> Result<()> {
        if taken.lease.is_lost() {
            (self.worker.on_event)(&WorkerEvent::Late(short_name(job)));
            return Ok(());
        }
        let reply = match reply {
            Reply::Done(outcome) => {
                let offer = || self.worker.place.connection.wait(self.worker.contents.offer(outcome.blobs()));
                match self.patiently(offer) {
                    Ok(()) => Reply::Done(outcome),
                    Err(error) if self.worker.is_to_end() => return Err(error),
                    Err(error) => Reply::Failed(Fault::new(format!("{error:#}"))),
                }
            }
            reply => reply,
        };
        let payload = self.result_bytes(job.key, taken.delivered, reply)?;
        self.patiently(|| self.worker.place.connection.wait(self.publish(taken, &payload, job)))?;
        self.take_off(taken);
        Ok(())
    }

    fn hand_back(&self, taken: &TakenJob, attempt: Option<JobAttempt>, why: String) -> Result<()> {
        if self.worker.note_lack(&why) {
            (self.worker.on_event)(&WorkerEvent::Declined(why.clone()));
        }
        let attempt = attempt.ok_or_else(|| anyhow!("a job without a key"))?;
        self.send_back(taken, attempt, Reply::Declined { attempt: attempt.number, why })
    }

    /// Sends a reply that is no result. The coordinator queues the job again, or ends it.
    fn send_back(&self, taken: &TakenJob, attempt: JobAttempt, reply: Reply) -> Result<()> {
        let payload = self.result_bytes(attempt.key, 1, reply)?;
        let subject = format!("{}.{}.{}", taken.subject, attempt.number, self.worker.place.name);
        let send = || publish_once(&self.worker.place.connection.jetstream, subject.clone(), payload.clone());
        self.patiently(|| self.worker.place.connection.wait(send()))?;
        self.take_off(taken);
        Ok(())
    }

    fn result_bytes(&self, key: Key, delivered: i64, reply: Reply) -> Result<Vec<u8>> {
        let place = &self.worker.place;
        let worker = place.name.to_owned();
        let kind = place.machine.kind.clone();
        let class = place.class.to_owned();
        let deliveries = delivered.max(1) as u64;
        let payload = to_bytes(&ResultMessage { form: FORM, key, worker, kind, class, deliveries, reply });
        self.patiently(|| place.connection.wait(self.worker.contents.enclose(payload.clone())))
    }

    async fn publish(&self, taken: &TakenJob, payload: &[u8], job: &Job) -> Result<()> {
        let jetstream = &self.worker.place.connection.jetstream;
        let sent = publish_once(jetstream, taken.subject.clone(), payload.to_vec()).await?;
        // Another worker was faster, or our result arrived without an acknowledgement. There is one result.
        if sent == SentOnce::Late {
            (self.worker.on_event)(&WorkerEvent::Late(short_name(job)));
        }
        Ok(())
    }

    /// Acknowledges a job. If that fails, another worker gets it, and its result is refused.
    fn take_off(&self, taken: &TakenJob) {
        let _ = self.worker.place.connection.wait(taken.lease.acker.double_ack());
    }

    /// Retries while the server is away.
    fn patiently<T>(&self, mut attempt: impl FnMut() -> Result<T>) -> Result<T> {
        let since = Instant::now();
        let connection = self.worker.place.connection;
        loop {
            match attempt() {
                Err(error)
                    if !error.is::<NotHere>()
                        && !error.is::<DamagedContents>()
                        && since.elapsed() < PATIENCE
                        && self.worker.ending_for() < LAST_PATIENCE
                        && connection.check_known().is_ok() =>
                {
                    let why = connection.explain(&error).why;
                    if self.worker.note_trouble(self.index, Some(why.clone())) {
                        (self.worker.on_event)(&WorkerEvent::ServerTrouble(why));
                    }
                    connection.pause(Duration::from_millis(500));
                }
                done => {
                    self.worker.note_trouble(self.index, None);
                    return done;
                }
            }
        }
    }
}

/// A job, and how often it was queued again.
#[derive(Clone, Copy)]
struct JobAttempt {
    key: Key,
    number: u32,
}

/// The key in `result.RUN.KEY`.
fn key_of(subject: &str) -> Option<Key> {
    subject.rsplit('.').next()?.parse().ok()
}

/// How often a job was queued again, if a message of another version says so.
fn attempt_of(payload: &[u8]) -> u32 {
    #[derive(serde::Deserialize)]
    struct Attempt {
        attempt: u32,
    }
    serde_json::from_slice::<Attempt>(payload).map_or(0, |said| said.attempt)
}

/// A job is ours as long as we renew its lease.
struct Lease {
    acker: Arc<Acker>,
    lost: Arc<AtomicBool>,
    task: JoinHandle<()>,
}

impl Lease {
    fn start(acker: Acker, length: Duration, runtime: &tokio::runtime::Handle) -> Lease {
        let acker = Arc::new(acker);
        let lost = Arc::new(AtomicBool::new(false));
        let beat = acker.clone();
        let told = lost.clone();
        let mut time = LeaseTime::start(length, Clock::default());
        let task = runtime.spawn(async move {
            loop {
                sleep(length / 3).await;
                // A machine that was suspended for this long finds its job given to another.
                if time.renew() {
                    told.store(true, Ordering::Relaxed);
                }
                let _ = beat.ack_with(AckKind::Progress).await;
            }
        });
        Lease { acker, lost, task }
    }

    fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

/// When a lease was renewed last.
struct LeaseTime {
    length: Duration,
    renewed: Instant,
    clock: Clock,
}

impl LeaseTime {
    fn start(length: Duration, clock: Clock) -> LeaseTime {
        LeaseTime { length, renewed: clock.now(), clock }
    }

    /// Renews the lease; whether it had ended before.
    fn renew(&mut self) -> bool {
        let now = self.clock.now();
        now - std::mem::replace(&mut self.renewed, now) > self.length
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_that_is_renewed_in_time_is_kept_and_one_that_is_renewed_late_was_lost() {
        let (length, clock) = (Duration::from_secs(6), Clock::stopped());
        let mut time = LeaseTime::start(length, clock.clone());
        let mut renew_after = |pause| {
            clock.advance(pause);
            time.renew()
        };
        assert!(!renew_after(length / 3) && !renew_after(length));
        assert!(renew_after(length + Duration::from_millis(1)));
        assert!(!renew_after(length / 3), "another lease");
    }
}
