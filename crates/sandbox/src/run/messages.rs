//! The messages between judge, supervisor and worker: plain data and its encoding.

use super::wire::{MessageReader, MessageWriter};
use crate::{
    exec::{Limits, ReadOnlyMount, SandboxView},
    meters::cgroup::CgroupParents,
};
use kopek_base::Bytes;
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// What isolates a program from the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Isolation {
    /// Namespaces, Landlock and the filter.
    Namespaces,
    /// Landlock and the filter only.
    Landlock,
}

/// Which processes `/proc` shows to programs that need it, in namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ProcOrigin {
    /// Only those of the run.
    Own,
    /// Those of the machine or of the container around us, where the kernel refuses a new one.
    Host,
}

/// The name under which `kopek` is executed again as a supervisor: `main` recognises it.
pub(crate) const SUPERVISOR_NAME: &str = "kopek: supervisor";

/// To the supervisor: kill the worker and all its processes, then confirm.
pub(crate) const END_RUN: &[u8] = b"end";

/// To the worker: stop the program. Distinguished from a [`RunRequest`] by its length.
pub(crate) const STOP_RUN: &[u8] = b"x";

/// To the supervisor: start a worker with this setup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorkerSetup {
    pub(crate) isolation: Isolation,
    /// Two unused host ids for worker and program (`ids`, `ids + 1`), if we are root.
    pub(crate) ids: Option<u32>,
    pub(crate) cgroups: CgroupParents,
    /// The CPU it is pinned to.
    pub(crate) cpu: Option<usize>,
    pub(crate) view: SandboxView,
    pub(crate) box_size: Bytes,
    /// The largest number of files and directories in the box.
    pub(crate) inodes: u64,
    /// The box on the host, if there is no mount namespace for it.
    pub(crate) host_box: PathBuf,
}

fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

impl WorkerSetup {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = MessageWriter::default();
        writer.put_number(u64::from(self.isolation == Isolation::Namespaces));
        writer.put_number(self.ids.map_or(0, u64::from));
        self.cgroups.write_to(&mut writer);
        writer.put_number(self.cpu.map_or(0, |cpu| cpu as u64 + 1));
        writer.put_number(u64::from(self.view.proc)).put_number(u64::from(self.view.writable));
        writer.put_strings(self.view.mounts.iter().map(|s| path_bytes(&s.host)));
        writer.put_strings(self.view.mounts.iter().map(|s| path_bytes(&s.inside)));
        writer.put_number(self.box_size.0).put_number(self.inodes).put_bytes(path_bytes(&self.host_box));
        writer.0
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> io::Result<WorkerSetup> {
        let mut reader = MessageReader(bytes);
        let isolation = if reader.read_number()? == 1 { Isolation::Namespaces } else { Isolation::Landlock };
        let ids = Some(reader.read_number()? as u32).filter(|id| *id > 0);
        let cgroups = CgroupParents::read_from(&mut reader)?;
        let cpu = reader.read_number()?.checked_sub(1).map(|cpu| cpu as usize);
        let (proc, writable) = (reader.read_number()? == 1, reader.read_number()? == 1);
        let (hosts, insides) = (reader.read_strings()?, reader.read_strings()?);
        let shown = hosts
            .into_iter()
            .zip(insides)
            .map(|(h, i)| ReadOnlyMount { host: path_of(h), inside: path_of(i) })
            .collect();
        let (box_size, inodes) = (Bytes(reader.read_number()?), reader.read_number()?);
        let host_box = path_of(reader.read_bytes()?);
        let view = SandboxView { mounts: shown, proc, writable };
        Ok(WorkerSetup { isolation, ids, cgroups, cpu, view, box_size, inodes, host_box })
    }
}

/// To the worker: run this program.
#[derive(Debug, Clone)]
pub(crate) struct RunRequest {
    pub(crate) argv: Vec<String>,
    /// The whole environment, `NAME=value`.
    pub(crate) env: Vec<String>,
    pub(crate) cwd: String,
    pub(crate) limits: Limits,
    /// Whether the judge wants the program's descriptor, to see its end itself.
    pub(crate) wants_pidfd: bool,
    /// Whether it maps far more memory than it uses.
    pub(crate) reserves: bool,
    /// How far a busy machine may extend its wall limit.
    pub(crate) extension: Duration,
}

impl RunRequest {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut writer = MessageWriter::default();
        writer.put_strings(self.argv.iter()).put_strings(self.env.iter()).put_bytes(self.cwd.as_bytes());
        let l = &self.limits;
        for time in [l.cpu, l.wall, self.extension] {
            writer.put_number(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        }
        for n in [l.memory.0, l.output.0, l.files.0, l.processes.into()] {
            writer.put_number(n);
        }
        writer.put_number(self.wants_pidfd.into()).put_number(self.reserves.into());
        writer.0
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> io::Result<RunRequest> {
        let mut reader = MessageReader(bytes);
        let text =
            |list: Vec<&[u8]>| list.into_iter().map(|b| String::from_utf8_lossy(b).into_owned()).collect();
        let (argv, env, cwd) =
            (text(reader.read_strings()?), text(reader.read_strings()?), reader.read_text()?);
        let [cpu, wall, extension] = [reader.read_number()?, reader.read_number()?, reader.read_number()?];
        let limits = Limits {
            cpu: Duration::from_nanos(cpu),
            wall: Duration::from_nanos(wall),
            memory: Bytes(reader.read_number()?),
            output: Bytes(reader.read_number()?),
            files: Bytes(reader.read_number()?),
            processes: reader.read_number()? as u32,
        };
        let (wants_pidfd, reserves) = (reader.read_number()? == 1, reader.read_number()? == 1);
        let extension = Duration::from_nanos(extension);
        Ok(RunRequest { argv, env, cwd, limits, wants_pidfd, reserves, extension })
    }
}

/// Why the worker stopped the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum StopReason {
    /// It did not: the program ended by itself.
    #[default]
    NotStopped,
    Cpu,
    Wall,
    /// Memory, measured by the worker if no cgroup limits it.
    Memory,
    /// More processes at once than allowed, counted by the worker if the kernel does not.
    Processes,
    /// At the judge's request.
    Judge,
}

const STOP_REASONS: [StopReason; 6] = [
    StopReason::NotStopped,
    StopReason::Cpu,
    StopReason::Wall,
    StopReason::Memory,
    StopReason::Processes,
    StopReason::Judge,
];

/// From the worker: the run has ended. Raw figures; the judge interprets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RunReply {
    /// Exit code or signal of the main process.
    pub(crate) status: i32,
    /// Whether a signal ended it.
    pub(crate) killed: bool,
    /// Why the worker stopped it.
    pub(crate) stopped: StopReason,
    /// CPU time of all processes.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// Further CPU time that they may have used unseen.
    pub(crate) unseen: Duration,
    /// Peak of the cgroup during the run, or the largest resident set.
    pub(crate) peak: u64,
    /// The largest resident set of one process.
    pub(crate) resident: u64,
    /// The sum of the peak resident sets of all processes, if it is known.
    pub(crate) resident_sum: Option<u64>,
    /// The cgroup's charge before the run.
    pub(crate) before: u64,
    /// The cgroup's charge after it: files and page cache that remain.
    pub(crate) after: u64,
    /// The number of processes that the kernel killed for lack of memory.
    pub(crate) oom: u64,
    /// The decrease of the charge after all processes had ended; measured only after an `oom`.
    pub(crate) released_late: u64,
    /// The number of processes and threads that were started, if known; counted only after an `oom` or a
    /// charge above the memory limit.
    pub(crate) started: u64,
    /// Forks refused at the process limit.
    pub(crate) refused_forks: u64,
    /// Processes still alive when the main one ended.
    pub(crate) left: u64,
    /// Whether it was stopped as idle although others had the CPU, or the machine stood still.
    pub(crate) starved: bool,
    /// A lower bound of the bytes that its processes passed to the kernel, to any file; `None` if that is not
    /// counted, or was not requested. Bytes that the kernel alone moves from a file to a pipe are not
    /// included.
    pub(crate) written: Option<u64>,
}

impl RunReply {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut writer = MessageWriter::default();
        let stopped = STOP_REASONS.iter().position(|s| *s == self.stopped).unwrap_or(0) as u64;
        writer.put_number(self.status as u32 as u64).put_number(self.killed.into()).put_number(stopped);
        for time in [self.cpu, self.wall, self.unseen] {
            writer.put_number(time.as_nanos() as u64);
        }
        let memory = [self.peak, self.resident, self.before, self.after, self.oom, self.released_late];
        let counts = [self.started, self.refused_forks, self.left, self.starved.into()];
        for n in memory.into_iter().chain(counts) {
            writer.put_number(n);
        }
        for n in [self.written, self.resident_sum] {
            writer.put_number(n.map_or(0, |n| n.saturating_add(1)));
        }
        writer.0
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> io::Result<RunReply> {
        let mut reader = MessageReader(bytes);
        Ok(RunReply {
            status: reader.read_number()? as u32 as i32,
            killed: reader.read_number()? == 1,
            stopped: STOP_REASONS.get(reader.read_number()? as usize).copied().unwrap_or_default(),
            cpu: Duration::from_nanos(reader.read_number()?),
            wall: Duration::from_nanos(reader.read_number()?),
            unseen: Duration::from_nanos(reader.read_number()?),
            peak: reader.read_number()?,
            resident: reader.read_number()?,
            before: reader.read_number()?,
            after: reader.read_number()?,
            oom: reader.read_number()?,
            released_late: reader.read_number()?,
            started: reader.read_number()?,
            refused_forks: reader.read_number()?,
            left: reader.read_number()?,
            starved: reader.read_number()? == 1,
            written: reader.read_number()?.checked_sub(1),
            resident_sum: reader.read_number()?.checked_sub(1),
        })
    }
}

/// The first byte of every message from supervisor or worker: its kind.
pub(crate) mod tag {
    /// A [`super::RunReply`].
    pub(crate) const REPLY: u8 = b'r';
    /// A text: a fault of ours.
    pub(crate) const FAULT: u8 = b'f';
    /// The worker is ready. Comes with the box, a byte that is 1 if its `/proc` is its own, and one that is 1
    /// if it can count the bytes that its programs write.
    pub(crate) const READY: u8 = b'g';
    /// The program has started; comes with its descriptor.
    pub(crate) const STARTED: u8 = b's';
    /// From the supervisor: the worker and all its processes are dead.
    pub(crate) const ENDED: u8 = b'e';
    /// From the supervisor: a [`crate::meters::cgroup_meters::PeakSupport`].
    pub(crate) const PEAKS: u8 = b'p';
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setup_and_reply_survive_the_wire() {
        let shown = vec![ReadOnlyMount { host: "/a b".into(), inside: "/exe".into() }];
        let setup = WorkerSetup {
            isolation: Isolation::Namespaces,
            ids: Some(7),
            cgroups: CgroupParents::None,
            cpu: Some(0),
            view: SandboxView { mounts: shown, proc: true, writable: false },
            box_size: Bytes(5),
            inodes: 6,
            host_box: "/tmp/x".into(),
        };
        assert_eq!(WorkerSetup::from_bytes(&setup.to_bytes()).unwrap(), setup);
        let reply = RunReply {
            status: -1,
            killed: true,
            stopped: StopReason::Memory,
            unseen: Duration::from_millis(6),
            released_late: 4,
            started: 5,
            left: 3,
            starved: true,
            written: Some(0),
            resident_sum: Some(9),
            ..RunReply::default()
        };
        assert_eq!(RunReply::from_bytes(&reply.to_bytes()).unwrap(), reply);
        assert!(RunReply::from_bytes(b"short").is_err());
    }
}
