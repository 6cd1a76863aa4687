//! Child processes: noticing their end, reaping and killing them.

use super::raw::{check, duration_of};
use rustix::process::Signal;
use std::{
    ffi::c_int,
    io,
    mem::MaybeUninit,
    os::fd::{FromRawFd, OwnedFd, RawFd},
    time::Duration,
};

pub(crate) struct ProcessEnd {
    pub(crate) pid: u32,
    /// Exit code, or the number of the signal.
    pub(crate) status: i32,
    /// Whether a signal ended it.
    pub(crate) killed: bool,
    /// CPU time of the process and of the children it waited for.
    pub(crate) cpu: Duration,
    /// Its largest resident set, KiB.
    pub(crate) maxrss: u64,
}

/// Waits and reaps; `None` if `flags` forbid waiting and no child has ended.
fn wait_with_flags(kind: libc::idtype_t, id: u32, flags: c_int) -> io::Result<Option<ProcessEnd>> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // The raw call: only it returns the resource usage of the child that it reaps.
        // SAFETY: both structures are valid for the kernel to write; zero is a valid state of each.
        let done = check(unsafe {
            let flags = libc::WEXITED | flags;
            libc::syscall(libc::SYS_waitid, kind, id, info.as_mut_ptr(), flags, usage.as_mut_ptr())
        });
        match done {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        // SAFETY: initialised by the kernel or by zero; waitid filled in the child's part of the union.
        let (info, usage) = unsafe { (info.assume_init(), usage.assume_init()) };
        // SAFETY: as above.
        let (pid, status) = unsafe { (info.si_pid(), info.si_status()) };
        let cpu = duration_of(usage.ru_utime) + duration_of(usage.ru_stime);
        let killed = info.si_code != libc::CLD_EXITED;
        let pid = pid as u32;
        let maxrss = usage.ru_maxrss as u64;
        return Ok((pid != 0).then_some(ProcessEnd { pid, status, killed, cpu, maxrss }));
    }
}

pub(crate) fn wait_for_child(pid: u32) -> io::Result<ProcessEnd> {
    wait_with_flags(libc::P_PID, pid, 0)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
}

/// Reaps a child if it has ended.
pub(crate) fn poll_child(pid: u32) -> io::Result<Option<ProcessEnd>> {
    wait_with_flags(libc::P_PID, pid, libc::WNOHANG)
}

/// Reaps any child that has ended; `None` if there is none.
pub(crate) fn poll_any() -> Option<ProcessEnd> {
    wait_with_flags(libc::P_ALL, 0, libc::WNOHANG).ok().flatten()
}

/// Waits for any child; an error if there is none.
pub(crate) fn wait_for_any() -> io::Result<ProcessEnd> {
    wait_with_flags(libc::P_ALL, 0, 0)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
}

/// Readable when a child may have ended. Its signal must be blocked.
pub(crate) fn watch_children() -> io::Result<OwnedFd> {
    let signals = 1u64 << (libc::SIGCHLD - 1);
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: the set of signals is as large as it says.
    let fd = check(unsafe { libc::syscall(libc::SYS_signalfd4, -1, &raw const signals, 8, flags) })?;
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// Whether we have no children, dead or alive. For process 1 this means that its namespace is empty, because
/// orphans become its children.
pub(crate) fn has_no_children() -> bool {
    // SAFETY: a null pointer is allowed: nothing is written.
    let found = unsafe {
        libc::syscall(libc::SYS_waitid, libc::P_ALL, 0, 0, libc::WEXITED | libc::WNOHANG | libc::WNOWAIT, 0)
    };
    found < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD)
}

/// As process 1 of a namespace: kills everything else in it. Returns false if there was nothing, or if we are
/// not process 1: outside a namespace this would hit the whole machine.
pub(crate) fn kill_all() -> bool {
    // SAFETY: no memory involved.
    unsafe { libc::getpid() == 1 && libc::getppid() == 0 && libc::kill(-1, libc::SIGKILL) == 0 }
}

/// Kills a child that was not waited for yet, or a descendant: its number stays its own until its reaper has
/// reaped it.
pub(crate) fn kill_child(pid: u32) {
    if pid > 1
        && let Some(pid) = rustix::process::Pid::from_raw(pid as i32)
    {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Kills a whole process group at once.
pub(crate) fn kill_group(leader: u32) {
    if leader > 1
        && let Some(leader) = rustix::process::Pid::from_raw(leader as i32)
    {
        let _ = rustix::process::kill_process_group(leader, Signal::KILL);
    }
}
