//! The interface to the kernel: the only unsafe files of the sandbox. Each function is a system call, or a
//! few related ones, without an equivalent in a safe library; nothing here makes decisions.
#![allow(unsafe_code, reason = "clone, waitid with rusage and similar calls have no safe form")]

mod children;
mod launch;
mod mount_attributes;
mod raw;
mod waiting_calls;

pub(crate) use children::{
    ProcessEnd, has_no_children, kill_all, kill_child, kill_group, poll_any, poll_child, wait_for_any,
    wait_for_child, watch_children,
};
pub(crate) use launch::{
    CStringArray, ChildStack, Launch, LaunchFailure, LaunchStep, ResourceLimit, start_program,
};
pub(crate) use mount_attributes::{DeviceFiles, make_read_only, make_top_read_only};
pub(crate) use waiting_calls::{WaitingCall, install_listening, next_waiting_call, pretend_success};

use raw::{check, duration_of};
use rustix::process::Signal;
use std::{
    ffi::c_int,
    io,
    mem::MaybeUninit,
    os::fd::{BorrowedFd, FromRawFd, OwnedFd},
    time::Duration,
};

/// The side of [`fork_into`] on which this process is.
pub(crate) enum Forked {
    Child,
    /// The parent, with the child's number and descriptor.
    Parent(u32, OwnedFd),
}

/// Forks the calling process into new namespaces (`CLONE_NEW*` flags). The caller must have only one thread,
/// like a supervisor. Does not use `clone3`, which filters of containers refuse because they cannot inspect
/// its arguments.
pub(crate) fn fork_into(flags: i32) -> io::Result<Forked> {
    let mut pidfd: c_int = -1;
    let flags = (flags | libc::CLONE_PIDFD | libc::SIGCHLD) as u32;
    // SAFETY: without a stack of its own the child goes on with a copy of ours, as after fork; the kernel
    // writes `pidfd` only. Without CLONE_VM the child has its own copy of this memory, and with one thread
    // no lock can be held.
    let pid = unsafe { check(libc::syscall(libc::SYS_clone, u64::from(flags), 0, &raw mut pidfd, 0, 0))? };
    if pid == 0 {
        return Ok(Forked::Child);
    }
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(Forked::Parent(pid as u32, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Closes our standard streams, to make room for those of programs.
pub(crate) fn close_standard_streams() {
    // SAFETY: no memory involved. The owners of these descriptors are in stack frames to which a worker never
    // returns.
    unsafe { libc::syscall(libc::SYS_close_range, 0, 2, 0) };
}

/// The CPU time of this process.
pub(crate) fn own_cpu_time() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: a valid structure for the kernel to write; zero is a valid state of it.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    duration_of(usage.ru_utime) + duration_of(usage.ru_stime)
}

/// The CPU time of a living process with all its threads. A worker's filter refuses this call.
pub(crate) fn cpu_time_of(pid: u32) -> Option<Duration> {
    // The kernel's MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED).
    let clock = (!(pid as libc::clockid_t)) << 3 | 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid structure for the kernel to write.
    let done = unsafe { libc::clock_gettime(clock, &raw mut time) };
    if done == 0 { Some(Duration::new(time.tv_sec as u64, time.tv_nsec as u32)) } else { None }
}

/// While it exists, files that this thread creates belong to another user.
pub(crate) struct FileOwner {
    user_before: u32,
    group_before: u32,
}

impl FileOwner {
    pub(crate) fn become_id(id: u32) -> FileOwner {
        // SAFETY: no memory involved; both calls concern the calling thread only.
        unsafe {
            // The group first: as another user we could not change it.
            let group_before = libc::syscall(libc::SYS_setfsgid, id) as u32;
            FileOwner { user_before: libc::syscall(libc::SYS_setfsuid, id) as u32, group_before }
        }
    }
}

impl Drop for FileOwner {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe {
            libc::syscall(libc::SYS_setfsuid, self.user_before);
            libc::syscall(libc::SYS_setfsgid, self.group_before);
        }
    }
}

/// Sets every signal to its default and blocks it, as [`start_program`] requires.
pub(crate) fn block_signals() {
    // SAFETY: SIG_DFL is a valid disposition; a full mask is a valid mask.
    unsafe {
        for signal in 1..=64 {
            libc::signal(signal, libc::SIG_DFL);
        }
        let all = u64::MAX;
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const all, 0, 8);
    }
}

/// Removes every capability from the bounding set.
pub(crate) fn empty_bounding_set() {
    for capability in 0..64 {
        // SAFETY: no memory involved; unknown numbers are refused by the kernel, which is fine.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Takes over descriptor 0, which our parent made a socket.
pub(crate) fn socket_on_stdin() -> OwnedFd {
    // SAFETY: a worker's descriptor 0 is its control socket and nothing else uses it.
    unsafe { OwnedFd::from_raw_fd(0) }
}

/// Kills a child that was not waited for yet, by descriptor, or by number if a container's filter refuses
/// descriptors.
pub(crate) fn kill_by_descriptor(pidfd: BorrowedFd, pid: u32) {
    match rustix::process::pidfd_send_signal(pidfd, Signal::KILL) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => {}
        Err(_) => kill_child(pid),
    }
}
