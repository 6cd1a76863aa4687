//! The executor that distributes jobs. It does not know their purpose: the engine stores each result before the driver
//! receives it.

use super::{
    arrivals::{take_in, take_over},
    class_kind::WorkerClass,
    cluster_run::{ClusterRun, WorkAhead},
    connection::Connection,
    contents::{NotHere, SharedContents},
    events::ClusterEvent,
    lookout::{RunProgress, look_around, say_how_it_goes},
    messages::{JobMessage, to_bytes},
    outstanding::{EndedJob, Outstanding},
    results::ResultReader,
    roster::{Roster, now},
    streams::{GAVE_UP, JOBS, RESULTS, SentOnce, consumer_of, publish_once},
};
use anyhow::{Error, Result};
use futures_util::future::join_all;
use kopek_base::DigestFields;
use kopek_engine::{
    exec::{Executor, Work},
    store::Store,
};
use kopek_plan::plan::Job;
use kopek_sandbox::Fault;
use std::{
    fs,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};
use tokio::{
    sync::Mutex as WaitingMutex,
    time::{sleep, timeout},
};

/// How often the coordinator checks workers and jobs.
const LOOK: Duration = Duration::from_secs(2);

/// Distributes jobs to the workers of a class.
pub struct Coordinator<'a> {
    run: ClusterRun<'a>,
    reader: WaitingMutex<ResultReader>,
}

impl<'a> Coordinator<'a> {
    /// Waits for a worker, creates missing streams, and takes over results of interrupted runs.
    pub fn start(
        connection: &'a Connection,
        store: &'a Store,
        class: WorkerClass,
        on_event: Box<dyn Fn(&ClusterEvent) + Sync + 'a>,
    ) -> Result<Coordinator<'a>> {
        let name = new_run_name();
        connection.wait(async {
            let roster = Roster::default();
            roster.follow(connection, class.name).await?;
            let cancelled = Arc::new(AtomicBool::new(false));
            super::control::listen(connection, format!("control.run.{name}"), cancelled.clone()).await?;
            let reader = ResultReader::start(connection, format!("result.{name}.>"));
            let run = ClusterRun {
                connection,
                contents: SharedContents::new(connection, store),
                class: class.name.to_owned(),
                kind: class.kind,
                lease: consumer_of(connection, class.name).await?.cached_info().config.ack_wait,
                name,
                since: now(),
                roster,
                reading: reader.trouble.clone(),
                on_event,
                told: Mutex::default(),
                state: Mutex::default(),
                cancelled,
                done: AtomicU64::new(0),
                given_again: AtomicU64::new(0),
            };
            let coordinator = Coordinator { run, reader: WaitingMutex::new(reader) };
            coordinator.skip_old_advisories().await;
            take_over(&coordinator.run, store).await?;
            Ok(coordinator)
        })
    }

    /// Bytes of contents sent and received so far.
    pub fn traffic(&self) -> (u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.run.contents.sent), read(&self.run.contents.received))
    }

    async fn deal_out(&self, first: Job, work: &mut dyn Work) -> Result<()> {
        let mut reader = self.reader.lock().await;
        let mut outstanding = Outstanding::default();
        outstanding.add(first);
        let mut looked = Instant::now();
        loop {
            let room = (2 * self.run.roster.slots()).max(4);
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
                ended.extend(take_in(&self.run, &mut outstanding, arrived).await?);
                // Handles everything that has arrived before it queues new jobs together.
                while let Ok(arrived) = reader.arrived.try_recv() {
                    ended.extend(take_in(&self.run, &mut outstanding, arrived).await?);
                }
            }
            if looked.elapsed() >= LOOK {
                looked = Instant::now();
                ended.extend(look_around(&self.run, &mut outstanding, WorkAhead::of(work)).await?);
            }
            for EndedJob { job, result } in ended {
                self.run.done.fetch_add(1, Ordering::Relaxed);
                work.done(job, result)?;
            }
        }
    }

    /// Queues the jobs that are due, as soon as the server can be reached. A job whose contents this machine cannot
    /// read ends as a fault.
    async fn queue_due(&self, outstanding: &mut Outstanding, work: &mut dyn Work) -> Result<()> {
        for key in outstanding.due() {
            let blobs = outstanding.jobs[&key].job.task.blobs();
            while let Err(error) = self.run.contents.offer(blobs.clone()).await {
                if error.is::<NotHere>() {
                    let job = outstanding.end(&key).expect("it is outstanding");
                    work.done(job, Err(Fault::new(format!("{error:#}"))))?;
                    break;
                }
                self.wait_for_server(&error, WorkAhead::of(work)).await?;
            }
        }
        loop {
            let due = outstanding.due();
            let sent = join_all(due.iter().map(|key| self.queue(outstanding.jobs[key].message()))).await;
            let mut trouble = None;
            for (key, sent) in due.iter().zip(sent) {
                match sent {
                    Ok(_) => {
                        let job = outstanding.jobs.get_mut(key).expect("it is outstanding");
                        job.queued = Some(Instant::now());
                    }
                    Err(error) => trouble = Some(error),
                }
            }
            let Some(error) = trouble else { return Ok(()) };
            self.wait_for_server(&error, WorkAhead::of(work)).await?;
        }
    }

    async fn queue(&self, message: JobMessage) -> Result<SentOnce> {
        let subject = format!("job.{}.{}.{}", self.run.class, self.run.name, message.job.key);
        if message.attempt > 0 {
            // Its worker may not have acknowledged the last attempt yet. The subject holds one message.
            self.run.connection.remove_messages(JOBS, subject.clone()).await?;
        }
        let payload = self.run.contents.enclose(to_bytes(&message)).await?;
        publish_once(&self.run.connection.jetstream, subject, payload).await
    }

    async fn wait_for_server(&self, error: &Error, ahead: WorkAhead) -> Result<()> {
        self.run.connection.check_known()?;
        self.run.note_trouble(self.run.connection.diagnose(error).await, ahead)?;
        self.run.contents.doubt_all();
        sleep(Duration::from_millis(500)).await;
        if self.run.connection.stream(JOBS).await.is_err() {
            // The server may have lost everything. If it is away, this fails without harm.
            let _ = self.run.connection.make_streams(&self.run.class, self.run.lease).await;
        }
        Ok(())
    }

    async fn skip_old_advisories(&self) {
        if let Ok(stream) = self.run.connection.stream(GAVE_UP).await {
            self.run.state().gave_up = Some(stream.cached_info().state.last_sequence);
        }
    }
}

impl Executor for Coordinator<'_> {
    fn run(&self, work: &mut dyn Work) -> Result<()> {
        // Usually no job is left.
        let Some(first) = work.next(None) else { return Ok(()) };
        self.run.connection.wait(async {
            let dealt = self.deal_out(first, work).await;
            if dealt.is_err() {
                self.run.remove_jobs().await;
            }
            dealt
        })
    }
}

impl Drop for Coordinator<'_> {
    /// Removes the run's jobs and results from the server: results are in the store, and nothing waits for the jobs.
    fn drop(&mut self) {
        let ends = async {
            self.run.remove_jobs().await;
            if let Ok(stream) = self.run.connection.stream(RESULTS).await {
                let _ = stream.purge().filter(format!("result.{}.>", self.run.name)).await;
            }
            say_how_it_goes(&self.run, RunProgress { outstanding: 0, left: None, ended: true }).await;
            self.run.connection.flush().await;
        };
        // Do not wait for the server while the process is ending.
        self.run.connection.wait(async {
            let _ = timeout(Duration::from_secs(3), ends).await;
        });
        let again = self.run.given_again.load(Ordering::Relaxed);
        if again > 0 {
            (self.run.on_event)(&ClusterEvent::GivenAgain(again));
        }
    }
}

fn new_run_name() -> String {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let random = fs::read("/proc/sys/kernel/random/uuid").unwrap_or_default();
    let name = DigestFields::new("run").with("time", &time.to_le_bytes());
    name.with("process", &std::process::id().to_le_bytes()).with("random", &random).digest().short()
}
