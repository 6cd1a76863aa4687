//! The supervisor: a small process between judge and worker, one per slot and program.
//!
//! It is `kopek` executed again, so it is small, and so are all its children. A fork of a judge of 300 MiB
//! takes 7.7 ms, and the kernel reports for every program at least as much memory as the process that started
//! it had.
//!
//! It is in the slot's cgroups and forks workers into new namespaces on request. When the judge is gone, for
//! whatever reason, it kills the worker and removes the cgroups. It never touches files that a program made.
#![expect(clippy::disallowed_methods, reason = "a program of its own, with arguments and an exit code")]

use super::{
    confinement::Confinement,
    mount_root,
    seccomp::CallFilters,
    syscall_table_weak::{NO_CGROUP_ROWS, NO_NAMESPACE_ROWS},
    worker,
};
use crate::{
    boxes::host_boxes,
    errors::while_doing,
    meters::{
        cgroup::{Cgroup, CgroupParents},
        cgroup_meters::{CgroupMeters, PeakSupport},
    },
    run::{
        messages::{END_RUN, Isolation, WorkerSetup, tag},
        wire::{self, MAX_MESSAGE, send_tagged},
    },
    sys::{self, Forked},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    fs::Mode,
};
use std::{
    fs,
    io::{self, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::PermissionsExt,
    },
    path::PathBuf,
};

const NAMESPACES: i32 = libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP;

/// Runs a supervisor until its judge is gone.
pub(crate) fn run_supervisor() -> ! {
    let judge = sys::socket_on_stdin();
    let _ = rustix::thread::set_name(c"kopek-supervise");
    // Ctrl-C at the terminal is for the judge; we end when it ends.
    let _ = rustix::process::setsid();
    sys::block_signals();
    // Memory of a killed program that is not free yet, such as its page tables, would let the kernel kill us and the worker
    // next: all are in one cgroup. Only root may do this.
    let _ = fs::write("/proc/self/oom_score_adj", "-1000");
    // Our parent's could forbid us to enter our own directories; workers and programs inherit it.
    rustix::process::umask(Mode::from_raw_mode(0o022));
    // Programs of a dead worker become our children, so that they can be reaped.
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    let code = match serve_judge(&judge) {
        Ok(()) => 0,
        Err(e) => {
            let _ = send_tagged(&judge, tag::FAULT, e.to_string().as_bytes(), &[]);
            1
        }
    };
    // Without destructors of the standard library; our own have run.
    std::process::exit(code)
}

/// A worker that was started here.
struct SupervisedWorker {
    pid: u32,
    pidfd: OwnedFd,
    /// Whether it is dead; its box stays until another worker starts.
    ended: bool,
    /// Its box on the host, if it has no file system of its own for it.
    host_box: Option<PathBuf>,
}

impl SupervisedWorker {
    /// Kills the worker and with it everything in its process namespace or group.
    fn kill_and_reap(&mut self) {
        // After the wait, its number may belong to another process.
        if !std::mem::replace(&mut self.ended, true) {
            sys::kill_by_descriptor(self.pidfd.as_fd(), self.pid);
            if self.host_box.is_some() {
                sys::kill_group(self.pid);
            }
        }
        while sys::wait_for_any().is_ok() {}
    }
}

impl Drop for SupervisedWorker {
    fn drop(&mut self) {
        self.kill_and_reap();
        if let Some(path) = &self.host_box {
            host_boxes::remove_host_box(path);
        }
    }
}

/// Makes a box on the host that only the program's user can enter.
fn make_host_box(setup: &WorkerSetup) -> io::Result<PathBuf> {
    if let Some(first) = setup.ids {
        let shown = setup.view.mounts.iter().map(|mount| mount.host.as_path());
        shown
            .chain([setup.host_box.as_path()])
            .try_for_each(|path| host_boxes::check_passable(path, first + 1))?;
    }
    let path = setup.host_box.clone();
    let act = format!("make the box {}", path.display());
    fs::create_dir(&path).map_err(while_doing(&act))?;
    let make_parts = || -> io::Result<()> {
        for name in ["box", "tmp"] {
            let part = path.join(name);
            fs::create_dir(&part)?;
            fs::set_permissions(&part, fs::Permissions::from_mode(0o700))?;
            if let Some(first) = setup.ids {
                std::os::unix::fs::chown(&part, Some(first + 1), Some(first + 1))?;
            }
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o711))
    };
    // A half-made box would stay: only a worker's end removes one.
    let made = make_parts().inspect_err(|_| host_boxes::remove_host_box(&path));
    made.map_err(while_doing(&act)).map(|()| path)
}

/// A judge's request for a worker.
struct WorkerRequest<'a> {
    judge: &'a OwnedFd,
    setup: &'a WorkerSetup,
    socket: &'a OwnedFd,
}

#[derive(Default)]
struct SupervisorState {
    // Dropped in this order: a cgroup can be removed only when it is empty.
    worker: Option<SupervisedWorker>,
    meters: Option<CgroupMeters>,
    cgroup: Option<Cgroup>,
    filters: Option<CallFilters>,
}

fn serve_judge(judge: &OwnedFd) -> io::Result<()> {
    let mut buffer = vec![0; MAX_MESSAGE];
    let mut state = SupervisorState::default();
    loop {
        wait_for_event(judge, state.worker.as_ref());
        if !is_readable(judge) {
            // The worker has ended: the judge sees its socket close.
            state.worker.iter_mut().for_each(SupervisedWorker::kill_and_reap);
            continue;
        }
        let (length, mut fds) = wire::receive_message(judge, &mut buffer)?;
        if length == 0 {
            return Ok(());
        }
        if buffer[..length] == *END_RUN {
            state.worker.iter_mut().for_each(SupervisedWorker::kill_and_reap);
            send_tagged(judge, tag::ENDED, b"", &[])?;
            continue;
        }
        let setup: WorkerSetup = wire::decode(&buffer[..length])?;
        let socket = fds.pop().ok_or_else(|| io::Error::other("a setup came without a socket"))?;
        state.replace_worker(&WorkerRequest { judge, setup: &setup, socket: &socket })?;
    }
}

fn wait_for_event(judge: &OwnedFd, worker: Option<&SupervisedWorker>) {
    let mut fds = vec![PollFd::new(judge, PollFlags::IN)];
    fds.extend(worker.filter(|w| !w.ended).map(|w| PollFd::new(&w.pidfd, PollFlags::IN)));
    let _ = poll(&mut fds, None);
}

fn is_readable(socket: &OwnedFd) -> bool {
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&now)).is_ok_and(|n| n > 0)
}

impl SupervisorState {
    /// Ends the worker and starts another; reports a failure to the judge through `socket`.
    fn replace_worker(&mut self, request: &WorkerRequest) -> io::Result<()> {
        let WorkerRequest { setup, socket, .. } = *request;
        self.worker = None;
        // A peak that only rises would hide those of later programs.
        if self.meters.as_ref().is_some_and(|meters| meters.peak_support() == PeakSupport::Highest) {
            (self.meters, self.cgroup) = (None, None);
        }
        if self.cgroup.is_none() {
            let cgroup = Cgroup::create_and_enter(&setup.cgroups)?;
            self.meters = cgroup.open_meters()?;
            self.cgroup = Some(cgroup);
        }
        // Compiling the table takes longer than starting a worker; it is equal for a whole slot.
        if self.filters.is_none() {
            self.filters = Some(filters_for(setup)?);
        }
        let Some(filters) = &self.filters else { return Ok(()) };
        match start_worker(request, self.meters.as_ref(), filters) {
            Ok(worker) => self.worker = Some(worker),
            Err(e) => drop(send_tagged(socket, tag::FAULT, e.to_string().as_bytes(), &[])),
        }
        Ok(())
    }
}

fn filters_for(setup: &WorkerSetup) -> io::Result<CallFilters> {
    let mut further = Vec::new();
    if setup.isolation == Isolation::Landlock {
        further.push(NO_NAMESPACE_ROWS);
    }
    if setup.cgroups == CgroupParents::None {
        further.push(NO_CGROUP_ROWS);
    }
    let mut filters = CallFilters::build(&further);
    // Without namespaces we remove boxes ourselves, with calls that programs do not have.
    if setup.isolation == Isolation::Namespaces {
        filters.install_names()?;
    }
    Ok(filters)
}

/// Forks a worker, and lets it continue once we have done everything that only we may do.
fn start_worker(
    request: &WorkerRequest,
    meters: Option<&CgroupMeters>,
    filters: &CallFilters,
) -> io::Result<SupervisedWorker> {
    let WorkerRequest { judge, setup, socket } = *request;
    let sources = mount_root::open_sources_before_fork(setup)?;
    meters.map_or(Ok(()), CgroupMeters::remove_limits)?;
    let host_box = match setup.isolation {
        Isolation::Landlock => Some(make_host_box(setup)?),
        Isolation::Namespaces => None,
    };
    let (go, mut send_go) = io::pipe()?;
    let flags = if setup.isolation == Isolation::Namespaces { NAMESPACES } else { 0 };
    match sys::fork_into(flags).map_err(while_doing("make namespaces"))? {
        Forked::Child => {
            // With this end open, the worker would wait forever if we died now.
            drop(send_go);
            let confinement = Confinement { setup, sources, filters, has_meters: meters.is_some(), go };
            worker::run_worker(socket, confinement, meters)
        }
        Forked::Parent(pid, pidfd) => {
            let worker = SupervisedWorker { pid, pidfd, ended: false, host_box };
            if setup.isolation == Isolation::Namespaces {
                map_ids(pid, setup.ids)?;
            }
            let peaks = meters.map_or(PeakSupport::None, CgroupMeters::peak_support);
            send_tagged(judge, tag::PEAKS, &[peaks.to_byte()], &[])?;
            send_go.write_all(b"g")?;
            Ok(worker)
        }
    }
}

/// Maps ids: inside, 0 is the worker and 1000 the program; for an ordinary user both are 1000.
fn map_ids(pid: u32, ids: Option<u32>) -> io::Result<()> {
    let write = |file: &str, text: String| {
        let path = format!("/proc/{pid}/{file}");
        fs::write(&path, text).map_err(while_doing(format!("write {path}")))
    };
    match ids {
        Some(first) => {
            let map = format!("0 {first} 1\n1000 {} 1\n", first + 1);
            write("uid_map", map.clone())?;
            write("gid_map", map)
        }
        None => {
            // The kernel accepts a gid map from an ordinary user only after this.
            write("setgroups", "deny".into())?;
            write("uid_map", format!("1000 {} 1\n", rustix::process::geteuid().as_raw()))?;
            write("gid_map", format!("1000 {} 1\n", rustix::process::getegid().as_raw()))
        }
    }
}

/// `main` must call this first: a process that was started as a sandbox supervisor does that work and never
/// returns; any other returns at once.
pub fn run_if_supervisor() {
    if std::env::args_os().next().is_some_and(|name| name == crate::run::messages::SUPERVISOR_NAME) {
        run_supervisor()
    }
}
