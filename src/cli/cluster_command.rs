//! `kopek cluster`: shows the status of a cluster, drains workers and cancels runs.

use super::{
    cluster_options::LoginOptions,
    exit_status::ExitStatus,
    terminal_output::{print_json, print_text},
};
use crate::{
    base::wording::counted,
    cluster::{ClusterStatus, RunStatus, WorkerStatus},
};
use anyhow::Result;
use indicatif::HumanDuration;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "Exit codes: 0 done; 2 error.")]
pub(super) struct Args {
    #[command(subcommand)]
    request: Request,
    /// Address of the cluster: nats://HOST[:PORT]
    #[arg(
        long,
        value_name = "URL",
        env = "KOPEK_CLUSTER",
        hide_env_values = true,
        global = true,
        default_value = "nats://127.0.0.1:4222"
    )]
    cluster: String,
    #[command(flatten)]
    login: LoginOptions,
}

#[derive(clap::Subcommand)]
enum Request {
    /// Show workers, runs and queues
    Status {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Stop workers after their current jobs
    Drain {
        /// Worker to stop, as named by `status` [default: all]
        worker: Option<String>,
    },
    /// Cancel runs; results of finished jobs are kept
    Cancel {
        /// Run to cancel, as named by `status` [default: all]
        run: Option<String>,
    },
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let connection = args.login.connect(&args.cluster, "kopek cluster")?;
    match args.request {
        Request::Status { json } => {
            let status = connection.status()?;
            if json { print_json(&status)? } else { print_text(&status_text(&status))? }
        }
        Request::Drain { worker } => {
            print_text(&request_text(
                &connection.drain(worker.as_deref())?,
                "worker",
                "ends when its jobs are done",
            ))?;
        }
        Request::Cancel { run } => {
            print_text(&request_text(&connection.cancel(run.as_deref())?, "run", "cancelled"))?;
        }
    }
    Ok(ExitStatus::Success)
}

fn request_text(names: &[String], what: &str, done: &str) -> String {
    if names.is_empty() {
        return format!("there is no {what}\n");
    }
    names.iter().map(|name| format!("{name}: {done}\n")).collect()
}

fn status_text(status: &ClusterStatus) -> String {
    if status.workers.is_empty() && status.runs.is_empty() {
        return "no workers, no runs\n".into();
    }
    let mut text = String::new();
    for class in &status.classes {
        let workers: Vec<&WorkerStatus> =
            status.workers.iter().filter(|one| one.class == class.class).collect();
        let slots: usize = workers.iter().map(|worker| worker.slots).sum();
        text += &format!(
            "class {}: {}, {}; {} waiting, {} under way ({} given again), {:.1} jobs a second\n",
            class.class,
            counted(workers.len(), "worker"),
            counted(slots, "slot"),
            class.waiting,
            class.under_way,
            class.given_again,
            class.rate,
        );
        text += &workers.iter().map(|worker| worker_text(worker)).collect::<String>();
    }
    for run in &status.runs {
        text += &run_text(run);
    }
    text
}

fn run_text(run: &RunStatus) -> String {
    let mut text = format!(
        "run {} (class {}): {} done in {}, {} given away",
        run.run,
        run.class,
        counted(run.done as usize, "job"),
        in_words(run.seconds),
        run.outstanding,
    );
    if let Some(left) = run.left {
        text += &format!(", {left} left of this stage");
    }
    if let Some(seconds) = run.seconds_left {
        text += &format!(": {:.1} a second, about {}", run.rate, in_words(seconds));
    }
    text + "\n"
}

fn in_words(seconds: u64) -> String {
    HumanDuration(Duration::from_secs(seconds)).to_string()
}

fn worker_text(worker: &WorkerStatus) -> String {
    let WorkerStatus { name, version, kind, slots, doing, done, lacks, .. } = worker;
    let trouble = worker.trouble.iter().map(|why| format!("    cannot answer: {why}\n"));
    let mut text = format!(
        "  {name}: {} of {} busy, {} done, kopek {version}\n    {}, {}\n",
        doing.len(),
        counted(*slots, "slot"),
        counted(*done as usize, "job"),
        kind.class,
        kind.isolation,
    );
    text += &doing.iter().map(|what| format!("    does {what}\n")).collect::<String>();
    text += &trouble.collect::<String>();
    text += &lacks.iter().map(|why| format!("    handed back: {why}\n")).collect::<String>();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_says_how_long_it_takes_as_soon_as_it_knows() {
        let begins = RunStatus {
            run: "abc".into(),
            class: "default".into(),
            done: 0,
            outstanding: 8,
            left: Some(700),
            rate: 0.0,
            seconds_left: None,
            seconds: 2,
        };
        assert_eq!(
            run_text(&begins),
            "run abc (class default): 0 jobs done in 2 seconds, 8 given away, 700 left of this stage\n"
        );
        let goes_on = RunStatus { done: 1, rate: 2.5, seconds_left: Some(280), ..begins };
        assert!(
            run_text(&goes_on)
                .ends_with("1 job done in 2 seconds, 8 given away, 700 left of this stage: 2.5 a second, about 5 minutes\n"),
            "{}",
            run_text(&goes_on)
        );
    }
}
