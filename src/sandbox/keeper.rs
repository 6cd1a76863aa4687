//! The keeper: a small process between judge and worker, one per slot.
//!
//! It is `kopek` executed again, so it is small, and everything forked from it
//! is. It lives in the slot's cgroups, forks workers into new namespaces when
//! told to, and when the judge is gone, for whatever reason, it kills the worker
//! and removes the cgroups. It never touches what a program made.

use super::{
    filter,
    groups::{Group, Groups, Meters, Peaks},
    inside::Inside,
    mounts,
    order::{Setup, Walls, tag},
    sys::{self, Forked},
    wire::{self, MOST, Put},
    worker,
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    process::Signal,
};
use seccompiler::BpfProgram;
use std::{
    fs,
    io::{self, Write},
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::fs::PermissionsExt,
    },
    path::PathBuf,
};

/// To a keeper: end the worker and all that belongs to it, and say so.
pub const END: &[u8] = b"end";

/// The name under which a keeper is started.
pub const NAME: &str = "kopek: keeper";

const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// A keeper's whole life.
pub fn live() -> ! {
    let judge = sys::socket_on_stdin();
    let _ = rustix::thread::set_name(c"kopek-keeper");
    // Ctrl-C at the terminal is for the judge; we end when it does.
    let _ = rustix::process::setsid();
    sys::quiet_signals();
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let code = match serve(&judge) {
        Ok(()) => 0,
        Err(e) => {
            let _ = tell(&judge, tag::FAULT, e.to_string().as_bytes(), &[]);
            1
        }
    };
    // No destructors of what the standard library keeps; our own have run.
    std::process::exit(code)
}

/// Sends a tagged message.
pub fn tell(socket: impl AsFd, kind: u8, message: &[u8], fds: &[BorrowedFd]) -> io::Result<()> {
    let mut put = Put(vec![kind]);
    put.0.extend_from_slice(message);
    wire::send(socket, &put.0, fds)
}

/// A living worker.
struct Ward {
    pid: u32,
    pidfd: OwnedFd,
    /// Whether it is dead; its box stays until another worker comes.
    ended: bool,
    /// Its box on the host, if it has no file system of its own for that.
    host_box: Option<PathBuf>,
}

impl Ward {
    /// Ends the worker and with it everything in its process namespace, or else in its group.
    fn end(&mut self) {
        self.ended = true;
        sys::signal(self.pidfd.as_fd(), Signal::KILL);
        if self.host_box.is_some() {
            sys::kill_group(self.pid);
        }
        // Orphans are ours to bury.
        while sys::wait_any().is_ok() {}
    }
}

impl Drop for Ward {
    fn drop(&mut self) {
        self.end();
        if let Some(path) = &self.host_box {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// A box on the host: for the program's user alone.
fn make_host_box(setup: &Setup) -> io::Result<PathBuf> {
    let path = setup.host_box.clone();
    let named = |e: io::Error| io::Error::new(e.kind(), format!("make the box {}: {e}", path.display()));
    fs::create_dir(&path).map_err(named)?;
    for name in ["box", "tmp"] {
        let part = path.join(name);
        fs::create_dir(&part).map_err(named)?;
        fs::set_permissions(&part, fs::Permissions::from_mode(0o700)).map_err(named)?;
        if let Some(first) = setup.ids {
            std::os::unix::fs::chown(&part, Some(first + 1), Some(first + 1)).map_err(named)?;
        }
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o711)).map_err(named)?;
    Ok(path)
}

fn serve(judge: &OwnedFd) -> io::Result<()> {
    let mut buffer = vec![0; MOST];
    let mut filters = None;
    let mut group: Option<(Group, Option<Meters>)> = None;
    let mut ward: Option<Ward> = None;
    loop {
        wait_for_news(judge, ward.as_ref());
        let (n, mut fds) = match readable(judge) {
            true => wire::receive(judge, &mut buffer)?,
            // The worker has ended: its judge has seen its socket close.
            false => {
                ward.iter_mut().for_each(Ward::end);
                continue;
            }
        };
        if n == 0 {
            return Ok(());
        }
        if buffer[..n] == *END {
            ward.iter_mut().for_each(Ward::end);
            tell(judge, tag::ENDED, b"", &[])?;
            continue;
        }
        drop(ward.take());
        let setup = Setup::get(&buffer[..n])?;
        // A peak that only rises would hide those of programs yet to come.
        let spent = |meters: &Meters| meters.peaks() == Peaks::Rising;
        if group.as_ref().is_some_and(|(_, meters)| meters.as_ref().is_some_and(spent)) {
            drop(group.take());
        }
        if group.is_none() {
            let made = Group::make(&setup.groups)?;
            let meters = made.meters()?;
            group = Some((made, meters));
        }
        let filters = filters.get_or_insert_with(|| filters_for(&setup));
        let meters = group.as_ref().and_then(|(_, meters)| meters.as_ref());
        let line = fds.pop().ok_or_else(|| io::Error::other("a setup came without a socket"))?;
        match raise(judge, &setup, &line, meters, filters) {
            Ok(new) => ward = Some(new),
            Err(e) => drop(tell(&line, tag::FAULT, e.to_string().as_bytes(), &[])),
        }
    }
}

fn filters_for(setup: &Setup) -> Vec<BpfProgram> {
    let mut besides = Vec::new();
    if setup.walls == Walls::Landlock {
        besides.push(filter::GROUPED);
    }
    if setup.groups == Groups::None {
        besides.push(filter::UNCOUNTED);
    }
    filter::filters(&besides)
}

fn wait_for_news(judge: &OwnedFd, ward: Option<&Ward>) {
    let mut fds = vec![PollFd::new(judge, PollFlags::IN)];
    fds.extend(ward.filter(|w| !w.ended).map(|w| PollFd::new(&w.pidfd, PollFlags::IN)));
    let _ = poll(&mut fds, None);
}

fn readable(socket: &OwnedFd) -> bool {
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&now)).is_ok_and(|n| n > 0)
}

/// Forks a worker and lets it go once everything only we may do is done.
fn raise(
    judge: &OwnedFd,
    setup: &Setup,
    line: &OwnedFd,
    meters: Option<&Meters>,
    filters: &[BpfProgram],
) -> io::Result<Ward> {
    let shown = mounts::sources_for(setup)?;
    meters.map_or(Ok(()), Meters::unlimit)?;
    let host_box = match setup.walls {
        Walls::Landlock => Some(make_host_box(setup)?),
        Walls::Namespaces => None,
    };
    let (go, may_go) = io::pipe()?;
    let flags = if setup.walls == Walls::Namespaces { NAMESPACES } else { 0 };
    let named = |e: io::Error| io::Error::new(e.kind(), format!("make namespaces: {e}"));
    match sys::fork_into(flags).map_err(named)? {
        Forked::Child => {
            drop(may_go);
            let inside = Inside { setup, shown, filters, measured: meters.is_some(), go };
            worker::live(line, inside, meters)
        }
        Forked::Parent(pid, pidfd) => {
            let ward = Ward { pid, pidfd, ended: false, host_box };
            if setup.walls == Walls::Namespaces {
                map_ids(pid, setup.ids)?;
            }
            counters(judge, pid, meters.map_or(Peaks::None, Meters::peaks))?;
            { may_go }.write_all(b"g")?;
            Ok(ward)
        }
    }
}

/// Inside, 0 is the worker and 1000 the program; for an ordinary user both are 1000.
fn map_ids(pid: u32, ids: Option<u32>) -> io::Result<()> {
    let write = |file: &str, text: String| {
        let path = format!("/proc/{pid}/{file}");
        fs::write(&path, text).map_err(|e| io::Error::new(e.kind(), format!("write {path}: {e}")))
    };
    match ids {
        Some(first) => {
            let map = format!("0 {first} 1\n1000 {} 1\n", first + 1);
            write("uid_map", map.clone())?;
            write("gid_map", map)
        }
        None => {
            write("setgroups", "deny".into())?;
            write("uid_map", format!("1000 {} 1\n", rustix::process::geteuid().as_raw()))?;
            write("gid_map", format!("1000 {} 1\n", rustix::process::getegid().as_raw()))
        }
    }
}

/// Hands the judge counters of retired instructions, where the machine has them:
/// of the worker with all its children, and of the worker alone. And says what peaks are known.
fn counters(judge: &OwnedFd, pid: u32, peaks: Peaks) -> io::Result<()> {
    let peaks = [peaks.put()];
    match (sys::count_instructions(pid, true), sys::count_instructions(pid, false)) {
        (Ok(all), Ok(own)) => tell(judge, tag::COUNTERS, &peaks, &[all.as_fd(), own.as_fd()]),
        _ => tell(judge, tag::COUNTERS, &peaks, &[]),
    }
}
