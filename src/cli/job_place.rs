//! Where jobs run: on this machine, or on a cluster if kopek was built with that feature.

use crate::{
    exec::{Executor, local_executor},
    machine::Machine,
};
use anyhow::Result;
#[cfg(not(feature = "cluster"))]
use anyhow::ensure;
use std::sync::atomic::AtomicBool;

/// Options of the commands whose jobs can run on a cluster.
#[derive(clap::Args, Debug, Clone)]
pub(super) struct JobPlaceOptions {
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: super::cluster_options::CoordinatorOptions,
}

pub(super) struct JobPlace {
    #[cfg(feature = "cluster")]
    cluster: Option<super::cluster_options::ClusterPlace>,
}

impl JobPlaceOptions {
    /// Refuses impossible options before anything starts.
    #[cfg(feature = "cluster")]
    pub(super) fn check(&self) -> Result<()> {
        self.cluster.check()
    }

    #[expect(clippy::disallowed_methods, reason = "a setting of the user")]
    #[cfg(not(feature = "cluster"))]
    #[allow(clippy::unused_self, reason = "as with the cluster")]
    pub(super) fn check(&self) -> Result<()> {
        // Judging here instead could take days, for no visible reason.
        ensure!(
            std::env::var_os("KOPEK_CLUSTER").is_none(),
            "KOPEK_CLUSTER is set, but {}; to judge on this machine, unset it",
            super::unknown_option::WITHOUT_CLUSTER
        );
        Ok(())
    }

    /// Like [`JobPlaceOptions::check`], for `what`, which always runs here.
    #[cfg(feature = "cluster")]
    pub(super) fn check_is_here(&self, what: &str) -> Result<()> {
        self.cluster.check_is_here(what)
    }

    #[cfg(not(feature = "cluster"))]
    pub(super) fn check_is_here(&self, _: &str) -> Result<()> {
        self.check()
    }

    /// Connects to the cluster, if one is given. Jobs are planned for the machines that run them.
    #[cfg(feature = "cluster")]
    pub(super) fn open(&self, machine: &mut Machine, stop: &AtomicBool) -> Result<JobPlace> {
        Ok(JobPlace { cluster: self.cluster.open(machine, stop)? })
    }

    #[cfg(not(feature = "cluster"))]
    pub(super) fn open(&self, _: &mut Machine, _: &AtomicBool) -> Result<JobPlace> {
        self.check().map(|()| JobPlace {})
    }
}

impl JobPlace {
    /// The executor of the jobs.
    #[cfg(feature = "cluster")]
    pub(super) fn executor<'a>(&'a self, machine: &'a Machine) -> Result<Box<dyn Executor + 'a>> {
        match &self.cluster {
            Some(cluster) => cluster.executor(machine),
            None => Ok(Box::new(local_executor(machine))),
        }
    }

    #[cfg(not(feature = "cluster"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "as with the cluster")]
    pub(super) fn executor<'a>(&'a self, machine: &'a Machine) -> Result<Box<dyn Executor + 'a>> {
        Ok(Box::new(local_executor(machine)))
    }
}
