//! The executor that deals jobs out. Knows nothing of what they are for; who asks is the engine, which
//! stores each result before the driver hears of it.

use super::{
    connection::Connection,
    contents::{NotHere, SharedContents},
    events::ClusterEvent,
    messages::{JobMessage, to_bytes},
    outstanding::Outstanding,
    results::{ReadingTrouble, ResultReader},
    roster::{Roster, now},
    streams::{GAVE_UP, JOBS, RESULTS, SentOnce, consumer_of, publish_once},
    trouble::Trouble,
};
use anyhow::{Error, Result, ensure};
use futures_util::future::join_all;
use kopek_engine::{
    base::DigestFields,
    exec::{Executor, MachineKind, Work},
    plan::Job,
    sandbox::Fault,
    store::Store,
};
use std::{
    collections::{HashSet, VecDeque},
    fs,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant, SystemTime},
};
use tokio::{
    sync::Mutex as WaitingMutex,
    time::{sleep, timeout},
};

/// Deals jobs out to the workers of a class.
pub struct Coordinator<'a> {
    pub(super) connection: &'a Connection,
    pub(super) contents: SharedContents<'a>,
    pub(super) class: String,
    pub(super) kind: MachineKind,
    pub(super) lease: Duration,
    pub(super) run: String,
    pub(super) since: u64,
    pub(super) roster: Roster,
    pub(super) reader: WaitingMutex<ResultReader>,
    pub(super) reading: ReadingTrouble,
    pub(super) tell: EventListener<'a>,
    pub(super) told: Mutex<HashSet<String>>,
    pub(super) state: Mutex<State>,
    pub(super) cancelled: std::sync::Arc<AtomicBool>,
    pub(super) done: AtomicU64,
    /// How often a job was given to another worker.
    pub(super) given_again: AtomicU64,
}

/// Hears of what happens.
pub(super) type EventListener<'a> = Box<dyn Fn(&ClusterEvent) + Sync + 'a>;

/// What was seen and told last.
#[derive(Default)]
pub(super) struct State {
    pub(super) has_workers: Option<bool>,
    /// What is wrong with the server, and since when.
    pub(super) trouble: Option<(Trouble, Instant)>,
    /// How many jobs had ended at moments of the last minute.
    pub(super) recent: VecDeque<(Instant, u64)>,
    /// The last of the jobs that the server gave up and that was looked at.
    pub(super) gave_up: Option<u64>,
}

/// What the driver still wants.
#[derive(Clone, Copy)]
pub(super) struct WorkAhead {
    /// Nothing more is to be begun.
    pub is_stopped: bool,
    /// How many jobs are still to be given out, if that is known.
    pub left: Option<usize>,
}

/// How often the coordinator looks around.
const LOOK: Duration = Duration::from_secs(2);

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
                reading: reader.trouble.clone(),
                reader: WaitingMutex::new(reader),
                tell,
                told: Mutex::default(),
                state: Mutex::default(),
                cancelled,
                done: AtomicU64::new(0),
                given_again: AtomicU64::new(0),
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
                let ahead = WorkAhead { is_stopped: work.is_stopped(), left: work.remaining() };
                ended.extend(self.look_around(&mut outstanding, ahead).await?);
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
        for key in outstanding.due() {
            let blobs = outstanding.jobs[&key].job.task.blobs();
            while let Err(error) = self.contents.offer(blobs.clone()).await {
                if error.is::<NotHere>() {
                    let job = outstanding.end(&key).expect("it is outstanding");
                    work.done(job, Err(Fault::new(format!("{error:#}"))))?;
                    break;
                }
                self.wait_for_server(&error, work.is_stopped()).await?;
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
            self.wait_for_server(&error, work.is_stopped()).await?;
        }
    }

    async fn queue(&self, message: JobMessage) -> Result<SentOnce> {
        let subject = format!("job.{}.{}.{}", self.class, self.run, message.job.key);
        let payload = self.contents.enclose(to_bytes(&message)).await?;
        publish_once(&self.connection.jetstream, subject, payload).await
    }

    async fn wait_for_server(&self, error: &Error, is_stopped: bool) -> Result<()> {
        self.connection.check_known()?;
        self.note_trouble(self.connection.diagnose(error).await, is_stopped)?;
        self.contents.doubt_all();
        sleep(Duration::from_millis(500)).await;
        if self.connection.stream(JOBS).await.is_err() {
            // It may have lost everything; if it is away, this comes to nothing.
            let _ = self.connection.make_streams(&self.class, self.lease).await;
        }
        Ok(())
    }

    /// Tells what is wrong once, and fails when it lasts too long.
    pub(super) fn note_trouble(&self, (trouble, why): (Trouble, String), is_stopped: bool) -> Result<()> {
        let before = self.state().trouble;
        let since = before.map_or_else(Instant::now, |(_, since)| since);
        ensure!(
            since.elapsed() < SERVER_PATIENCE && !is_stopped,
            "the cluster at {} does not work: {why}; what was done is kept, and the same command goes on",
            self.connection.url
        );
        self.state().trouble = Some((trouble, since));
        if before.is_none_or(|(known, _)| known != trouble) {
            (self.tell)(&ClusterEvent::ServerTrouble(why));
        }
        Ok(())
    }

    pub(super) fn server_is_there(&self) {
        if self.state().trouble.take().is_some() {
            (self.tell)(&ClusterEvent::ServerBack);
        }
    }

    async fn skip_old_advisories(&self) {
        if let Ok(stream) = self.connection.stream(GAVE_UP).await {
            self.state().gave_up = Some(stream.cached_info().state.last_sequence);
        }
    }

    pub(super) async fn purge_jobs(&self) {
        if let Ok(stream) = self.connection.stream(JOBS).await {
            let _ = stream.purge().filter(format!("job.{}.{}.>", self.class, self.run)).await;
        }
    }

    pub(super) fn state(&self) -> std::sync::MutexGuard<'_, State> {
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
            if let Ok(stream) = self.connection.stream(RESULTS).await {
                let _ = stream.purge().filter(format!("result.{}.>", self.run)).await;
            }
            self.say_how_it_goes((0, None), true).await;
            self.connection.flush().await;
        };
        // At the end of the world nobody waits for the server.
        self.connection.wait(async {
            let _ = timeout(Duration::from_secs(3), ends).await;
        });
        let again = self.given_again.load(Ordering::Relaxed);
        if again > 0 {
            (self.tell)(&ClusterEvent::GivenAgain(again));
        }
    }
}

fn new_run_name() -> String {
    let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let random = fs::read("/proc/sys/kernel/random/uuid").unwrap_or_default();
    let name = DigestFields::new("run").with("time", &time.to_le_bytes());
    name.with("process", &std::process::id().to_le_bytes()).with("random", &random).digest().short()
}
