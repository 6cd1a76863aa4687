//! Starts a program: between clone and exec nothing allocates, locks or unwinds.
//!
//! A vfork, not a fork: 53 against 115 microseconds with a small parent, and the cost of a fork grows with
//! the parent. In return, the child shares our memory until it executes.

use super::raw::check;
use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    io,
    os::fd::{FromRawFd, OwnedFd, RawFd},
    ptr::null,
};

/// Strings for `execve`: a null-terminated list of pointers.
pub(crate) struct CStringArray {
    pointers: Vec<*const c_char>,
    _owned: Vec<CString>,
}

impl CStringArray {
    /// Keeps the strings alive with their pointers.
    pub(crate) fn new(owned: Vec<CString>) -> CStringArray {
        let pointers = owned.iter().map(|s| s.as_ptr()).chain([null()]).collect();
        CStringArray { pointers, _owned: owned }
    }
}

/// All data that the child of [`start_program`] uses before `execve`; prepared in advance, because nothing
/// allocates between clone and exec.
pub(crate) struct Launch<'a> {
    /// Candidates for the program, tried in order.
    pub(crate) programs: &'a CStringArray,
    pub(crate) argv: &'a CStringArray,
    pub(crate) envp: &'a CStringArray,
    /// `None` keeps ours.
    pub(crate) cwd: Option<&'a CStr>,
    /// Its descriptors 0, 1 and 2.
    pub(crate) stdio: [RawFd; 3],
    pub(crate) limits: &'a [ResourceLimit],
    /// The user that it becomes.
    pub(crate) user: Option<u32>,
    /// A Landlock ruleset to enter, so that it cannot signal us.
    pub(crate) domain: Option<RawFd>,
    /// Whether to create a descriptor for it: that takes the kernel longer than the fork.
    pub(crate) wants_pidfd: bool,
    /// Written by the child into our memory.
    pub(crate) failure: Option<LaunchFailure>,
}

/// A limit of a process, soft and hard.
pub(crate) struct ResourceLimit {
    pub(crate) resource: u32,
    pub(crate) value: u64,
}

/// A failure of the child before it executed the program.
#[derive(Clone, Copy)]
pub(crate) struct LaunchFailure {
    pub(crate) step: LaunchStep,
    pub(crate) errno: c_int,
}

/// A step of the child.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum LaunchStep {
    Streams,
    Domain,
    CloseDescriptors,
    Limits,
    User,
    Directory,
    Execute,
}

/// The stack of the child between clone and exec.
pub(crate) struct ChildStack(Vec<u128>);

impl ChildStack {
    pub(crate) fn new() -> ChildStack {
        // 64 KiB: a signal cannot arrive, and no call goes deep.
        ChildStack(vec![0; 4096])
    }
}

extern "C" fn run_child(launch: *mut c_void) -> c_int {
    // SAFETY: `start_program` passes its own exclusive Launch and is suspended until we exec or exit.
    // Only raw system calls and reads of prepared memory follow: no allocation, no lock, no unwinding.
    unsafe {
        let launch = &mut *launch.cast::<Launch>();
        let step = launch_steps(launch);
        launch.failure = Some(LaunchFailure { step, errno: *libc::__errno_location() });
        libc::_exit(127)
    }
}

/// Does all steps; returns only if one failed, and which.
///
/// # Safety
/// Only in the child of [`start_program`].
unsafe fn launch_steps(launch: &mut Launch) -> LaunchStep {
    // SAFETY: plain system calls on values prepared by the parent; the pointers outlive us.
    unsafe {
        for (target, fd) in launch.stdio.iter().enumerate() {
            // They are mostly in place already: the worker has closed its own 0, 1 and 2.
            if *fd != target as c_int && libc::dup2(*fd, target as c_int) < 0 {
                return LaunchStep::Streams;
            }
        }
        if let Some(domain) = launch.domain
            && libc::syscall(libc::SYS_landlock_restrict_self, domain, 0) < 0
        {
            return LaunchStep::Domain;
        }
        // Marked, not closed: one call for all open descriptors.
        if libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) < 0 {
            return LaunchStep::CloseDescriptors;
        }
        for ResourceLimit { resource, value } in launch.limits {
            let limit = libc::rlimit64 { rlim_cur: *value, rlim_max: *value };
            if libc::syscall(libc::SYS_setrlimit, *resource, &raw const limit) < 0 {
                return LaunchStep::Limits;
            }
        }
        // The raw call: the C library's would signal its other threads. The group was already ours.
        if let Some(id) = launch.user
            && libc::syscall(libc::SYS_setresuid, id, id, id) < 0
        {
            return LaunchStep::User;
        }
        if let Some(cwd) = launch.cwd
            && libc::chdir(cwd.as_ptr()) < 0
        {
            return LaunchStep::Directory;
        }
        // The worker blocks all signals; a program starts with none blocked.
        let none = 0u64;
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const none, 0, 8);
        // A candidate that does not exist is no reason; an existing one that cannot run is.
        let mut reason = libc::ENOENT;
        for program in launch.programs.pointers.iter().take_while(|p| !p.is_null()) {
            execute_when_written(*program, launch);
            if *libc::__errno_location() != libc::ENOENT {
                reason = *libc::__errno_location();
            }
        }
        *libc::__errno_location() = reason;
        LaunchStep::Execute
    }
}

/// Executes a program; returns only if that failed. The kernel refuses to execute a file that is open for
/// writing: a process that the judge started while it wrote the program may keep it open for a moment.
///
/// # Safety
/// Only in the child of [`start_program`].
unsafe fn execute_when_written(program: *const c_char, launch: &Launch) {
    const TRIES: u32 = 1000;
    let pause = libc::timespec { tv_sec: 0, tv_nsec: 1_000_000 };
    // SAFETY: plain system calls on values prepared by the parent; the pointers outlive us.
    unsafe {
        for attempt in 1..=TRIES {
            libc::execve(program, launch.argv.pointers.as_ptr(), launch.envp.pointers.as_ptr());
            if *libc::__errno_location() != libc::ETXTBSY || attempt == TRIES {
                return;
            }
            libc::syscall(libc::SYS_nanosleep, &raw const pause, null::<libc::timespec>());
        }
    }
}

/// Starts a program by vfork and exec; the child shares our memory until then. All signals must be blocked
/// and have their default actions. Returns its number, and its descriptor if requested; without a
/// `launch.failure` it executed the program.
pub(crate) fn start_program(
    stack: &mut ChildStack,
    launch: &mut Launch,
) -> io::Result<(u32, Option<OwnedFd>)> {
    let mut pidfd: c_int = -1;
    let pidfd_flag = if launch.wants_pidfd { libc::CLONE_PIDFD } else { 0 };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | pidfd_flag | libc::SIGCHLD;
    launch.failure = None;
    // SAFETY: the stack is ours, aligned and large enough for `run_child`, which neither returns into Rust
    // nor unwinds; CLONE_VFORK suspends us until it has left our memory.
    let pid = unsafe {
        let top = stack.0.as_mut_ptr().add(stack.0.len()).cast::<c_void>();
        let launch = (&raw mut *launch).cast::<c_void>();
        libc::clone(run_child, top, flags, launch, &raw mut pidfd)
    };
    check(pid.into())?;
    // SAFETY: the kernel just made this descriptor for us alone, if it made one.
    let pidfd = if pidfd >= 0 { Some(unsafe { OwnedFd::from_raw_fd(pidfd) }) } else { None };
    Ok((pid as u32, pidfd))
}
