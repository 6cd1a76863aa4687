//! A part of a class, in its job: the results are on the node's disk, and copied into the folder that all nodes see.

use super::{exit_status::ExitStatus, terminal_output::print_message};
use crate::{
    class::Shard,
    machine::Machine,
    slurm::{PartFolder, PartNode, PartRecord},
};
use anyhow::Result;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// A node that dies loses at most the work of this time.
const KEEP_EVERY: Duration = Duration::from_secs(180);

/// Copies the results of a running part.
pub(super) struct PartKeeper<'a> {
    folder: PartFolder,
    part: u64,
    node: String,
    machine: &'a Machine,
    scratch: &'a Path,
    kept: Instant,
}

/// The name of this node.
#[expect(clippy::disallowed_methods, reason = "Slurm names its nodes")]
pub(super) fn node_name() -> String {
    let of_host = || rustix::system::uname().nodename().to_string_lossy().into_owned();
    std::env::var("SLURMD_NODENAME").unwrap_or_else(|_| of_host())
}

impl<'a> PartKeeper<'a> {
    /// Takes over what earlier attempts at this part have judged.
    pub(super) fn begin(
        folder: &Path,
        shard: Shard,
        machine: &'a Machine,
        scratch: &'a Path,
    ) -> Result<PartKeeper<'a>> {
        let node = node_name();
        let folder = PartFolder::open(folder, &node)?;
        folder.join(shard.number(), &machine.store, scratch)?;
        Ok(PartKeeper { folder, part: shard.number(), node, machine, scratch, kept: Instant::now() })
    }

    /// Copies the results now and then.
    pub(super) fn keep_sometimes(&mut self) {
        if self.kept.elapsed() < KEEP_EVERY {
            return;
        }
        if let Err(error) = self.keep(None) {
            print_message!("warning: {error:#}");
        }
        self.kept = Instant::now();
    }

    pub(super) fn end(mut self, status: ExitStatus) -> Result<()> {
        self.keep(Some(status as u8))
    }

    fn keep(&mut self, code: Option<u8>) -> Result<()> {
        let record = |code| PartRecord { node: PartNode::of(self.machine, self.node.clone()), code };
        // Its version is known before the results are there.
        self.folder.write_record(self.part, &record(None))?;
        self.folder.keep(self.part, &self.machine.store, self.scratch)?;
        self.folder.write_record(self.part, &record(code))
    }
}
