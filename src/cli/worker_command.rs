//! `kopek worker`: runs jobs of a cluster on this machine.

use super::{
    cluster_options::{LoginOptions, parse_class},
    exit_status::ExitStatus,
    interrupt::stop_on_interrupt,
    machine_options::MachineOptions,
    terminal_output::print_message,
    user_directories::cache_named,
};
use crate::{
    base::Bytes,
    cluster::{Connection, WorkerEnd, WorkerHands, WorkerPlace, serve},
    store::Prune,
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

#[derive(clap::Args)]
#[command(after_help = "\
Ctrl-C, SIGTERM or `kopek cluster drain` stops the worker after its current jobs, a second Ctrl-C at once.\n\n\
Exit codes: 0 stopped; 2 error.")]
pub(super) struct Args {
    /// Address of the cluster: nats://HOST[:PORT]
    #[arg(long, value_name = "URL", env = "KOPEK_CLUSTER", hide_env_values = true)]
    cluster: String,
    /// Parallel jobs, one CPU each [default: all CPUs, minus one above two]
    #[arg(long, value_name = "N")]
    slots: Option<usize>,
    /// Class of this worker: machines of one kind share a class
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = parse_class)]
    class: String,
    /// Exit after SECONDS without a job
    #[arg(long, value_name = "SECONDS")]
    exit_when_idle: Option<u64>,
    /// Directory for programs and test data [default: ~/.cache/kopek-worker]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Maximum size of the cache, in GiB
    #[arg(long, value_name = "GIB", default_value = "20", value_parser = parse_cache_size)]
    cache_size: Bytes,
    #[command(flatten)]
    login: LoginOptions,
    /// Table of languages that extends or replaces the built-in rows
    #[arg(
        help_heading = "Machine",
        long,
        value_name = "FILE",
        env = "KOPEK_LANGUAGES",
        hide_env_values = true
    )]
    languages: Option<PathBuf>,
    /// Refuse weaker isolation than this machine can offer
    #[arg(help_heading = "Machine", long)]
    strict: bool,
}

pub(super) fn run(args: Args) -> Result<ExitStatus> {
    let name = worker_name();
    let connection = args.login.connect(&args.cluster, &format!("kopek worker {name}"))?;
    let stop = stop_on_interrupt()?;
    let cache = args.cache.clone().or_else(|| cache_named("kopek-worker"));
    let cache = cache
        .context("no place for the cache: neither HOME nor XDG_CACHE_HOME is set; choose one with --cache")?;
    // Continues after pruning the cache.
    while serve_once(&args, &connection, &name, &cache, &stop)? == WorkerEnd::CacheFull {}
    print_message!("{name}: ended");
    Ok(ExitStatus::Success)
}

fn serve_once(
    args: &Args,
    connection: &Connection,
    name: &str,
    cache: &Path,
    stop: &AtomicBool,
) -> Result<WorkerEnd> {
    let max = args.cache_size;
    prune_cache(cache, max, name);
    let options = MachineOptions::of_worker(args.slots, args.languages.clone(), args.strict);
    let machine = options.with_store(cache).open()?;
    machine.sandbox.make_ready()?;
    let place = WorkerPlace {
        connection,
        machine: &machine,
        class: &args.class,
        name,
        stop,
        exit_when_idle: args.exit_when_idle.map(Duration::from_secs),
        // The other half is the part that pruning keeps.
        most_fetched: Bytes(max.0 / 2),
    };
    serve(place, WorkerHands::of(&machine), &|event| print_message!("{name}: {event}"))
}

fn parse_cache_size(text: &str) -> Result<Bytes, String> {
    let gib: f64 = text.parse().map_err(|_| "write a number of GiB".to_owned())?;
    // A smaller cache could not hold the output of a compiler.
    if !(0.001..=1_000_000.0).contains(&gib) {
        return Err("write a size from 0.001 to 1000000 GiB".to_owned());
    }
    Ok(Bytes((gib * (1u64 << 30) as f64) as u64))
}

/// Prunes the cache to half of its maximum size.
fn prune_cache(cache: &Path, max: Bytes, name: &str) {
    if !cache.join("lock").is_file() {
        return;
    }
    let prune = Prune::Unneeded { older: None, max: Some(Bytes(max.0 / 2)) };
    if let Err(error) = prune.perform(cache) {
        print_message!("{name}: the cache stays as large as it is: {error:#}");
    }
}

/// A unique name from the machine and the process.
fn worker_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let host: String = host.trim().chars().take(40).map(word).collect();
    // Machines from the same image may share a name.
    let random = fs::read_to_string("/proc/sys/kernel/random/uuid").unwrap_or_default();
    format!("{host}-{}-{}", std::process::id(), random.get(..4).unwrap_or("0"))
}
