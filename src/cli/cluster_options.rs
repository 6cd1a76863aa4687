//! Address and credentials of a cluster.

use super::progress_bars::print_above_bar;
use crate::{
    cluster::{
        CLASS_NAME_RULE, ClusterAddress, ClusterEvent, Connection, Coordinator, Secret, WorkerClass,
        is_class_name,
    },
    exec::{Executor, StoppedEarly},
    machine::{Machine, MachineKind},
};
use anyhow::{Result, bail, ensure};
use std::{path::PathBuf, sync::atomic::AtomicBool};

/// Options for connecting.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct LoginOptions {
    /// File with a token, NAME:PASSWORD or nkey seed [default: $KOPEK_CLUSTER_TOKEN]
    #[arg(long, hide_short_help = true, value_name = "FILE", global = true)]
    token_file: Option<PathBuf>,
    /// CA certificate of the server; requires TLS
    #[arg(long, hide_short_help = true, value_name = "FILE", global = true)]
    ca: Option<PathBuf>,
}

impl LoginOptions {
    /// Connects, or fails at once with the reason.
    pub(super) fn connect(&self, url: &str, name: &str) -> Result<Connection> {
        Connection::open(&self.address(url)?, name)
    }

    /// The address of the server and the credentials.
    fn address(&self, url: &str) -> Result<ClusterAddress> {
        let mut address = ClusterAddress::parse(url)?;
        address.ca.clone_from(&self.ca);
        // Not a clap option, because help would show the value of the variable.
        let variable = std::env::var("KOPEK_CLUSTER_TOKEN").ok();
        address.secret = match (&self.token_file, variable) {
            (Some(file), _) => Some(Secret::read(file)?),
            (None, Some(text)) => Some(Secret::new(&text)?),
            (None, None) => None,
        };
        Ok(address)
    }
}

/// Options of the commands that distribute jobs.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct CoordinatorOptions {
    /// Run the jobs on the workers of a cluster: nats://HOST[:PORT]
    #[arg(long, hide_short_help = true, value_name = "URL", env = "KOPEK_CLUSTER", hide_env_values = true)]
    cluster: Option<String>,
    /// Class of workers to use
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "default", requires = "cluster", value_parser = parse_class)]
    class: String,
    #[command(flatten)]
    login: LoginOptions,
}

pub(super) struct ClusterPlace {
    connection: Connection,
    class: String,
    kind: MachineKind,
}

/// Parses the name of a class of machines.
pub(super) fn parse_class(name: &str) -> Result<String, String> {
    if is_class_name(name) {
        Ok(name.to_owned())
    } else {
        Err(format!("a class is called by {CLASS_NAME_RULE}"))
    }
}

impl CoordinatorOptions {
    /// Refuses an invalid address, an unreadable secret, and one without the other.
    pub(super) fn check(&self) -> Result<()> {
        let LoginOptions { token_file, ca } = &self.login;
        match &self.cluster {
            Some(url) => self.login.address(url).map(drop),
            None if token_file.is_some() || ca.is_some() => {
                bail!("--token-file and --ca need a cluster; name it with --cluster or KOPEK_CLUSTER")
            }
            None => Ok(()),
        }
    }

    /// Refuses a cluster for work that always runs on this machine.
    pub(super) fn check_is_here(&self, what: &str) -> Result<()> {
        ensure!(
            self.cluster.is_none(),
            "{what} runs on this machine only; remove --cluster and unset KOPEK_CLUSTER"
        );
        self.check()
    }

    /// Connects and waits for a worker, if a cluster is given; then plans jobs for its machines.
    pub(super) fn open(&self, machine: &mut Machine, stop: &AtomicBool) -> Result<Option<ClusterPlace>> {
        let Some(url) = &self.cluster else { return Ok(None) };
        let connection = self.login.connect(url, "kopek")?;
        let kind = connection.await_kind(&self.class, &machine.sandbox, stop, &print_event)?;
        let Some(kind) = kind else { return Err(StoppedEarly.into()) };
        machine.kind = kind.clone();
        Ok(Some(ClusterPlace { connection, class: self.class.clone(), kind }))
    }
}

impl ClusterPlace {
    /// The executor that distributes jobs.
    pub(super) fn executor<'a>(&'a self, machine: &'a Machine) -> Result<Box<dyn Executor + 'a>> {
        Ok(Box::new(Coordinator::start(
            &self.connection,
            &machine.store,
            WorkerClass { name: &self.class, kind: self.kind.clone() },
            Box::new(print_event),
        )?))
    }
}

fn print_event(event: &ClusterEvent) {
    print_above_bar(&format!("cluster: {event}"));
}
