//! What judge, keeper and worker say to each other.

use super::{
    exec::{Limits, Shown, View},
    groups::Groups,
    wire::{Get, Put},
};
use crate::base::Bytes;
use std::{
    ffi::OsStr,
    io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// What keeps a program in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walls {
    /// Namespaces, Landlock and the filter.
    Namespaces,
    /// Landlock and the filter only.
    Landlock,
}

/// To the keeper: become, or renew, a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// What keeps the program in.
    pub walls: Walls,
    /// Two unused host ids for worker and program (`ids`, `ids + 1`), if we are root.
    pub ids: Option<u32>,
    /// Where its cgroups go.
    pub groups: Groups,
    /// The CPU it is pinned to.
    pub cpu: Option<usize>,
    /// What is seen.
    pub view: View,
    /// How large the box is.
    pub room: Bytes,
    /// How many files and directories the box holds.
    pub inodes: u64,
    /// The box on the host, where there is no mount namespace to make one in.
    pub host_box: PathBuf,
}

fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

impl Setup {
    /// As bytes.
    pub fn put(&self) -> Vec<u8> {
        let mut put = Put::default();
        put.number(u64::from(self.walls == Walls::Namespaces));
        put.number(self.ids.map_or(0, u64::from));
        self.groups.put(&mut put);
        put.number(self.cpu.map_or(0, |cpu| cpu as u64 + 1));
        put.number(u64::from(self.view.proc)).number(u64::from(self.view.writable));
        put.strings(self.view.shown.iter().map(|s| path_bytes(&s.host)));
        put.strings(self.view.shown.iter().map(|s| path_bytes(&s.inside)));
        put.number(self.room.0).number(self.inodes).bytes(path_bytes(&self.host_box));
        put.0
    }

    /// From bytes.
    pub fn get(bytes: &[u8]) -> io::Result<Setup> {
        let mut get = Get(bytes);
        let walls = if get.number()? == 1 { Walls::Namespaces } else { Walls::Landlock };
        let ids = Some(get.number()? as u32).filter(|id| *id > 0);
        let groups = Groups::get(&mut get)?;
        let cpu = get.number()?.checked_sub(1).map(|cpu| cpu as usize);
        let (proc, writable) = (get.number()? == 1, get.number()? == 1);
        let (hosts, insides) = (get.strings()?, get.strings()?);
        let shown =
            hosts.into_iter().zip(insides).map(|(h, i)| Shown { host: path(h), inside: path(i) }).collect();
        let (room, inodes) = (Bytes(get.number()?), get.number()?);
        let host_box = path(get.bytes()?);
        let view = View { shown, proc, writable };
        Ok(Setup { walls, ids, groups, cpu, view, room, inodes, host_box })
    }
}

/// To the worker: run this.
#[derive(Debug, Clone)]
pub struct Order {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The whole environment, `NAME=value`.
    pub env: Vec<String>,
    /// Working directory.
    pub cwd: String,
    /// Limits.
    pub limits: Limits,
    /// Whether the judge wants the program's descriptor, to see its end itself.
    pub watched: bool,
}

impl Order {
    /// As bytes.
    pub fn put(&self) -> Vec<u8> {
        let mut put = Put::default();
        put.strings(self.argv.iter()).strings(self.env.iter()).bytes(self.cwd.as_bytes());
        let l = &self.limits;
        for time in [l.cpu, l.wall] {
            put.number(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        }
        for n in [l.memory.0, l.output.0, l.files.0, l.processes.into(), self.watched.into()] {
            put.number(n);
        }
        put.0
    }

    /// From bytes.
    pub fn get(bytes: &[u8]) -> io::Result<Order> {
        let mut get = Get(bytes);
        let text =
            |list: Vec<&[u8]>| list.into_iter().map(|b| String::from_utf8_lossy(b).into_owned()).collect();
        let (argv, env, cwd) = (text(get.strings()?), text(get.strings()?), get.text()?);
        let limits = Limits {
            cpu: Duration::from_nanos(get.number()?),
            wall: Duration::from_nanos(get.number()?),
            memory: Bytes(get.number()?),
            output: Bytes(get.number()?),
            files: Bytes(get.number()?),
            processes: get.number()? as u32,
        };
        Ok(Order { argv, env, cwd, limits, watched: get.number()? == 1 })
    }
}

/// Which limit made the worker stop the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stopped {
    /// None: it ended by itself.
    #[default]
    No,
    /// CPU time.
    Cpu,
    /// Wall time.
    Wall,
    /// Memory, seen by looking (where no cgroup holds it).
    Memory,
    /// The judge said so.
    Told,
}

const STOPS: [Stopped; 5] = [Stopped::No, Stopped::Cpu, Stopped::Wall, Stopped::Memory, Stopped::Told];

/// From the worker: this is what came of it. Raw figures; the judge decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reply {
    /// Exit code or signal of the main process.
    pub status: i32,
    /// Whether a signal ended it.
    pub killed: bool,
    /// Why the worker stopped it.
    pub stopped: Stopped,
    /// CPU time of all processes.
    pub cpu: Duration,
    /// Wall time.
    pub wall: Duration,
    /// Peak of the memory group during the run, or the largest resident set.
    pub peak: u64,
    /// The largest resident set of one process.
    pub resident: u64,
    /// The group's charge before the run.
    pub before: u64,
    /// The group's charge after it: files and page cache that stay.
    pub after: u64,
    /// Processes the kernel killed for want of memory.
    pub oom: u64,
    /// Forks refused at the process limit.
    pub refused_forks: u64,
    /// Processes still alive when the main one ended.
    pub left: u64,
}

impl Reply {
    /// As bytes.
    pub fn put(&self) -> Vec<u8> {
        let mut put = Put::default();
        let stopped = STOPS.iter().position(|s| *s == self.stopped).unwrap_or(0) as u64;
        put.number(self.status as u32 as u64).number(self.killed.into()).number(stopped);
        for time in [self.cpu, self.wall] {
            put.number(time.as_nanos() as u64);
        }
        for n in [self.peak, self.resident, self.before, self.after, self.oom, self.refused_forks, self.left]
        {
            put.number(n);
        }
        put.0
    }

    /// From bytes.
    pub fn get(bytes: &[u8]) -> io::Result<Reply> {
        let mut get = Get(bytes);
        Ok(Reply {
            status: get.number()? as u32 as i32,
            killed: get.number()? == 1,
            stopped: STOPS.get(get.number()? as usize).copied().unwrap_or_default(),
            cpu: Duration::from_nanos(get.number()?),
            wall: Duration::from_nanos(get.number()?),
            peak: get.number()?,
            resident: get.number()?,
            before: get.number()?,
            after: get.number()?,
            oom: get.number()?,
            refused_forks: get.number()?,
            left: get.number()?,
        })
    }
}

/// First byte of every message from keeper or worker: what follows.
pub mod tag {
    /// A [`super::Reply`].
    pub const REPLY: u8 = b'r';
    /// A text: we failed.
    pub const FAULT: u8 = b'f';
    /// The worker is ready; the box comes along.
    pub const READY: u8 = b'g';
    /// The program has started; its descriptor comes along.
    pub const STARTED: u8 = b's';
    /// From the keeper: the worker and all that belonged to it is dead.
    pub const ENDED: u8 = b'e';
    /// From the keeper: of what runs peaks are known, and counters come along.
    pub const COUNTERS: u8 = b'c';
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setup_order_and_reply_survive_the_wire() {
        let shown = vec![Shown { host: "/a b".into(), inside: "/exe".into() }];
        let setup = Setup {
            walls: Walls::Namespaces,
            ids: Some(7),
            groups: Groups::None,
            cpu: Some(0),
            view: View { shown, proc: true, writable: false },
            room: Bytes(5),
            inodes: 6,
            host_box: "/tmp/x".into(),
        };
        assert_eq!(Setup::get(&setup.put()).unwrap(), setup);
        let reply = Reply { status: -1, killed: true, stopped: Stopped::Memory, left: 3, ..Reply::default() };
        assert_eq!(Reply::get(&reply.put()).unwrap(), reply);
        assert!(Reply::get(b"short").is_err());
    }
}
