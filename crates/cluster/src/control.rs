//! Requests of people to a cluster: its status, ending workers, cancelling runs.

use super::{
    connection::Connection,
    messages::FORM,
    roster::{RunReport, WorkerStatus, all_reports, now},
    streams::{JOBS, consumer_name},
};
use anyhow::{Context, Result, anyhow, ensure};
use futures_util::StreamExt;
use serde::Serialize;
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The status of a cluster.
#[derive(Debug, Serialize)]
pub struct ClusterStatus {
    /// Workers that reported lately.
    pub workers: Vec<WorkerStatus>,
    /// Runs that reported lately.
    pub runs: Vec<RunStatus>,
    /// The queue of each class.
    pub classes: Vec<ClassStatus>,
}

/// The queue of a class.
#[derive(Debug, Serialize)]
pub struct ClassStatus {
    pub class: String,
    /// Jobs that no worker has taken.
    pub waiting: u64,
    /// Jobs that a worker is doing.
    pub under_way: usize,
    /// Jobs being done that another worker had before.
    pub given_again: usize,
    /// Jobs per second of its workers, on average since they started.
    pub rate: f64,
}

/// The status of a run.
#[derive(Debug, Serialize)]
pub struct RunStatus {
    pub run: String,
    /// The class of its workers.
    pub class: String,
    pub done: u64,
    /// Jobs that were queued and have not ended.
    pub outstanding: usize,
    /// Jobs of this stage that have not ended, if known.
    pub left: Option<usize>,
    /// Jobs that ended per second, lately.
    pub rate: f64,
    /// Seconds left of this stage at that rate.
    pub seconds_left: Option<u64>,
    /// Seconds since it began.
    pub seconds: u64,
}

/// The name that addresses all workers or runs.
const EVERYBODY: &str = "all";

impl Connection {
    /// Reads the status of the cluster.
    pub fn status(&self) -> Result<ClusterStatus> {
        self.allowed(self.wait(self.read_status()))
    }

    async fn read_status(&self) -> Result<ClusterStatus> {
        let all: Vec<WorkerStatus> = all_reports(self, "worker.>").await?;
        let workers: Vec<_> =
            all.into_iter().filter(|worker| worker.form == FORM && !worker.leaving).collect();
        let said: Vec<RunReport> = all_reports(self, "run.>").await?;
        let said = said.into_iter().filter(|run| run.form == FORM && !run.ended);
        let runs: Vec<_> = said.map(run_status).collect();
        let names = workers.iter().map(|worker| &worker.class).chain(runs.iter().map(|run| &run.class));
        let mut classes = Vec::new();
        for class in names.collect::<BTreeSet<_>>() {
            classes.push(self.class_status(class, &workers).await?);
        }
        Ok(ClusterStatus { workers, runs, classes })
    }

    async fn class_status(&self, class: &str, workers: &[WorkerStatus]) -> Result<ClassStatus> {
        let jobs = self.stream(JOBS).await?;
        let name = consumer_name(class);
        let info =
            jobs.consumer_info(&name).await.map_err(|error| anyhow!("find the consumer {name}: {error}"))?;
        let rate =
            |worker: &WorkerStatus| worker.done as f64 / now().saturating_sub(worker.since).max(1) as f64;
        Ok(ClassStatus {
            class: class.to_owned(),
            waiting: info.num_pending,
            under_way: info.num_ack_pending,
            given_again: info.num_redelivered,
            rate: workers.iter().filter(|worker| worker.class == class).map(rate).sum(),
        })
    }

    /// Asks workers to end after their present jobs; returns their names. `name`: only this worker.
    pub fn drain(&self, name: Option<&str>) -> Result<Vec<String>> {
        self.allowed(self.wait(async {
            let all: Vec<WorkerStatus> = all_reports(self, "worker.>").await?;
            let there = all.into_iter().filter(|worker| !worker.leaving).map(|worker| worker.name);
            let asked: Vec<String> = there.filter(|worker| name.is_none_or(|name| worker == name)).collect();
            ensure!(!asked.is_empty() || name.is_none(), "no worker is called {}", name.unwrap_or_default());
            self.ask("worker", name.unwrap_or(EVERYBODY)).await?;
            Ok(asked)
        }))
    }

    /// Cancels runs and takes their jobs off the queue; returns their names. `name`: only this run.
    pub fn cancel(&self, name: Option<&str>) -> Result<Vec<String>> {
        self.allowed(self.wait(async {
            let said: Vec<RunReport> = all_reports(self, "run.>").await?;
            let there = said.into_iter().filter(|run| !run.ended).map(|run| run.run);
            let ended: Vec<String> = there.filter(|run| name.is_none_or(|name| run == name)).collect();
            ensure!(!ended.is_empty() || name.is_none(), "no run is called {}", name.unwrap_or_default());
            if ended.is_empty() {
                return Ok(ended);
            }
            // First stop the runs that would queue the jobs again.
            self.ask("run", name.unwrap_or(EVERYBODY)).await?;
            let removed = self.remove_messages(JOBS, format!("job.*.{}.>", name.unwrap_or("*"))).await;
            removed.context("take jobs off the queue")?;
            Ok(ended)
        }))
    }

    async fn ask(&self, whom: &str, name: &str) -> Result<()> {
        self.client.publish(format!("control.{whom}.{name}"), "end".into()).await?;
        tokio::time::timeout(Duration::from_secs(5), self.client.flush()).await??;
        Ok(())
    }
}

fn run_status(said: RunReport) -> RunStatus {
    let RunReport { run, class, since, done, outstanding, left, rate, .. } = said;
    let seconds_left = left.filter(|_| rate > 0.0).map(|left| (left as f64 / rate).ceil() as u64);
    let seconds = now().saturating_sub(since);
    RunStatus { run, class, done, outstanding, left, rate, seconds_left, seconds }
}

/// Sets a flag when this subject, or all of its kind, are asked to end.
pub(super) async fn listen(connection: &Connection, subject: String, flag: Arc<AtomicBool>) -> Result<()> {
    let everybody =
        subject.rsplit_once('.').map_or(subject.clone(), |(kind, _)| format!("{kind}.{EVERYBODY}"));
    for subject in [subject, everybody] {
        let mut asked = connection.client.subscribe(subject).await?;
        let flag = flag.clone();
        connection.runtime().spawn(async move {
            while asked.next().await.is_some() {
                flag.store(true, Ordering::Relaxed);
            }
        });
    }
    Ok(())
}
