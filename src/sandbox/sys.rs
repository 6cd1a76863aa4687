//! The kernel's edge: the only unsafe room of the sandbox. Each function is one
//! system call, or one that cannot be had from a safe library; nothing here
//! decides anything.
#![allow(unsafe_code, reason = "clone, waitid with rusage and their kin have no safe form")]

use rustix::process::Signal;
use std::{
    ffi::{CStr, CString, c_char, c_int, c_void},
    io,
    mem::{MaybeUninit, size_of},
    os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
    ptr::null,
    time::Duration,
};

fn check(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// Both sides of [`fork_into`].
pub enum Forked {
    /// We are the new process.
    Child,
    /// We are the old one; this is the child, by number and by descriptor.
    Parent(u32, OwnedFd),
}

/// Forks the calling process into new namespaces (`CLONE_NEW*` flags). The caller
/// must have one thread only: keepers do.
pub fn fork_into(flags: i32) -> io::Result<Forked> {
    let mut pidfd: c_int = -1;
    // SAFETY: all-zero is a valid clone_args; the kernel reads it and writes `pidfd` only. Without
    // CLONE_VM the child has its own copy of this memory, and with one thread no lock can be held.
    let pid = unsafe {
        let mut args: libc::clone_args = std::mem::zeroed();
        args.flags = (flags as u32 as u64) | libc::CLONE_PIDFD as u64;
        args.pidfd = &raw mut pidfd as u64;
        args.exit_signal = libc::SIGCHLD as u64;
        check(libc::syscall(libc::SYS_clone3, &raw const args, size_of::<libc::clone_args>()))?
    };
    if pid == 0 {
        return Ok(Forked::Child);
    }
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(Forked::Parent(pid as u32, unsafe { OwnedFd::from_raw_fd(pidfd) }))
}

/// Strings as `execve` wants them: a null-terminated list of pointers.
pub struct Strings {
    pointers: Vec<*const c_char>,
    _owned: Vec<CString>,
}

impl Strings {
    /// Keeps the strings alive beside their pointers.
    pub fn new(owned: Vec<CString>) -> Strings {
        let pointers = owned.iter().map(|s| s.as_ptr()).chain([null()]).collect();
        Strings { pointers, _owned: owned }
    }
}

/// Everything the child of [`start`] does before `execve`; laid out beforehand
/// because between clone and exec nothing allocates.
pub struct Launch<'a> {
    /// Candidates for the program, tried in order.
    pub programs: &'a Strings,
    /// Its arguments.
    pub argv: &'a Strings,
    /// Its environment.
    pub envp: &'a Strings,
    /// Its working directory; none: ours.
    pub cwd: Option<&'a CStr>,
    /// Its descriptors 0, 1 and 2.
    pub stdio: [RawFd; 3],
    /// Resource limits: number and value, soft and hard.
    pub limits: &'a [(u32, u64, u64)],
    /// User it becomes.
    pub ids: Option<u32>,
    /// A Landlock ruleset to enter, so that it cannot signal us.
    pub domain: Option<RawFd>,
    /// Whether a descriptor of it is wanted: the kernel takes longer to make one than to fork.
    pub watched: bool,
    /// Which step failed and how; written by the child into our memory.
    pub failed: (u32, c_int),
}

/// Steps of the child, for [`Launch::failed`].
pub const STEPS: [&str; 8] = [
    "",
    "set up the standard streams",
    "close descriptors",
    "set a limit",
    "change the user",
    "enter the directory",
    "execute",
    "enter a domain of its own",
];

/// The stack of the child between clone and exec.
pub struct Stack(Vec<u128>);

impl Stack {
    /// 64 KiB.
    pub fn new() -> Stack {
        Stack(vec![0; 4096])
    }
}

extern "C" fn child(launch: *mut c_void) -> c_int {
    // SAFETY: `start` passes its own exclusive Launch and is suspended until we exec or exit.
    // Only raw system calls and reads of prepared memory follow: no allocation, no lock, no unwinding.
    unsafe {
        let launch = &mut *launch.cast::<Launch>();
        let step = launch_steps(launch);
        launch.failed = (step, *libc::__errno_location());
        libc::_exit(127)
    }
}

/// # Safety
/// Only in the child of [`start`].
unsafe fn launch_steps(launch: &mut Launch) -> u32 {
    // SAFETY: plain system calls on values prepared by the parent; the pointers outlive us.
    unsafe {
        for (want, have) in launch.stdio.iter().enumerate() {
            // They mostly arrive where they belong.
            if *have != want as c_int && libc::dup2(*have, want as c_int) < 0 {
                return 1;
            }
        }
        if let Some(domain) = launch.domain
            && libc::syscall(libc::SYS_landlock_restrict_self, domain, 0) < 0
        {
            return 7;
        }
        if libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) < 0 {
            return 2;
        }
        for (resource, soft, hard) in launch.limits {
            let limit = libc::rlimit64 { rlim_cur: *soft, rlim_max: *hard };
            // Not prlimit: with an argument to be looked at the filter would take longer than the call.
            if libc::syscall(libc::SYS_setrlimit, *resource, &raw const limit) < 0 {
                return 3;
            }
        }
        // The raw call: the C library's would signal its other threads. The group was ours before.
        if let Some(id) = launch.ids
            && libc::syscall(libc::SYS_setresuid, id, id, id) < 0
        {
            return 4;
        }
        if let Some(cwd) = launch.cwd
            && libc::chdir(cwd.as_ptr()) < 0
        {
            return 5;
        }
        let none = 0u64;
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const none, 0, 8);
        let mut worst = libc::ENOENT;
        for program in launch.programs.pointers.iter().take_while(|p| !p.is_null()) {
            libc::execve(*program, launch.argv.pointers.as_ptr(), launch.envp.pointers.as_ptr());
            if *libc::__errno_location() != libc::ENOENT {
                worst = *libc::__errno_location();
            }
        }
        *libc::__errno_location() = worst;
        6
    }
}

/// Starts a program by vfork and exec; the child shares our memory until then.
/// All signals must be blocked and at their defaults. Returns its number, and its
/// descriptor if that was wanted; `launch.failed` tells whether it got as far as the program.
pub fn start(stack: &mut Stack, launch: &mut Launch) -> io::Result<(u32, Option<OwnedFd>)> {
    let mut pidfd: c_int = -1;
    let watched = if launch.watched { libc::CLONE_PIDFD } else { 0 };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | watched | libc::SIGCHLD;
    launch.failed = (0, 0);
    // SAFETY: the stack is ours, aligned and large enough for `child`, which neither returns into Rust
    // nor unwinds; CLONE_VFORK suspends us until it has left our memory.
    let pid = unsafe {
        let top = stack.0.as_mut_ptr().add(stack.0.len()).cast::<c_void>();
        libc::clone(child, top, flags, (&raw mut *launch).cast::<c_void>(), &raw mut pidfd)
    };
    check(pid.into())?;
    // SAFETY: the kernel just made this descriptor for us alone, if it made one.
    let pidfd = (pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(pidfd) });
    Ok((pid as u32, pidfd))
}

/// A process that has ended.
pub struct Death {
    /// Exit code, or the number of the signal.
    pub status: i32,
    /// Whether a signal ended it.
    pub killed: bool,
    /// CPU time of it and of the children it waited for.
    pub cpu: Duration,
    /// Its largest resident set, KiB.
    pub maxrss: u64,
}

/// Waits; none when `flags` say not to and nobody has ended.
fn wait(kind: libc::idtype_t, id: u32, flags: c_int) -> io::Result<Option<Death>> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
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
        let cpu = timeval(usage.ru_utime) + timeval(usage.ru_stime);
        let killed = info.si_code != libc::CLD_EXITED;
        return Ok((pid != 0).then_some(Death { status, killed, cpu, maxrss: usage.ru_maxrss as u64 }));
    }
}

fn timeval(t: libc::timeval) -> Duration {
    Duration::new(t.tv_sec as u64, t.tv_usec as u32 * 1000)
}

/// Waits for a child.
pub fn wait_for(pid: u32) -> io::Result<Death> {
    wait(libc::P_PID, pid, 0)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
}

/// Whether a child has ended.
pub fn ended(pid: u32) -> io::Result<Option<Death>> {
    wait(libc::P_PID, pid, libc::WNOHANG)
}

/// Waits for any child; an error when there is none.
pub fn wait_any() -> io::Result<Death> {
    wait(libc::P_ALL, 0, 0)?.ok_or_else(|| io::ErrorKind::WouldBlock.into())
}

/// Readable when a child may have ended. The signal of that must be blocked.
pub fn news_of_children() -> io::Result<OwnedFd> {
    let signals = 1u64 << (libc::SIGCHLD - 1);
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: the set of signals is as large as it says.
    let fd = check(unsafe { libc::syscall(libc::SYS_signalfd4, -1, &raw const signals, 8, flags) })?;
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// Closes our standard streams: those of a program arrive in their places.
pub fn close_standard_streams() {
    // SAFETY: no memory involved. Who owns these descriptors stands in frames that a worker never returns to.
    unsafe { libc::syscall(libc::SYS_close_range, 0, 2, 0) };
}

/// Mappings of files in which nothing was changed, and nothing can be. `smaps` is our own.
fn clean_mappings(smaps: &str) -> Vec<(usize, usize)> {
    let hex = |text| usize::from_str_radix(text, 16).ok();
    let (mut all, mut mapping) = (Vec::new(), None);
    for line in smaps.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match &words[..] {
            [range, modes, _, _, inode, ..] if range.contains('-') => {
                let file = *inode != "0" && !modes.contains('w');
                mapping = range.split_once('-').filter(|_| file);
            }
            ["Anonymous:", "0", _] => {
                all.extend(mapping.and_then(|(start, end)| Some((hex(start)?, hex(end)?))));
            }
            _ => {}
        }
    }
    all
}

/// Lets go of all pages of our program and its libraries that are as they are in their files.
pub fn forget_clean_pages(smaps: &str) {
    for (start, end) in clean_mappings(smaps) {
        // SAFETY: nothing was changed in there; the kernel brings the pages back when they are used.
        unsafe { libc::madvise(start as *mut c_void, end - start, libc::MADV_DONTNEED) };
    }
}

/// From now on pages of our program and its libraries come one by one, not with all their neighbours,
/// while the descriptor lives. What is watched for with it never happens: that is how to ask.
pub fn fetch_pages_singly(smaps: &str) -> io::Result<OwnedFd> {
    const USER_MODE_ONLY: c_int = 1;
    // UFFDIO_API with UFFD_FEATURE_WP_ASYNC, UFFDIO_REGISTER with UFFDIO_REGISTER_MODE_WP.
    const API: (libc::c_ulong, [u64; 3]) = (0xc018_aa3f, [0xaa, 1 << 15, 0]);
    const REGISTER: (libc::c_ulong, u64) = (0xc020_aa00, 1 << 1);
    // SAFETY: no memory involved.
    let fd = check(unsafe { libc::syscall(libc::SYS_userfaultfd, USER_MODE_ONLY | libc::O_CLOEXEC) })?;
    // SAFETY: the kernel just made this descriptor for us alone.
    let fd = unsafe { OwnedFd::from_raw_fd(fd as RawFd) };
    let mut api = API.1;
    // SAFETY: a valid structure of that request for the kernel to read and write.
    check(unsafe { libc::ioctl(fd.as_raw_fd(), API.0, api.as_mut_ptr()) }.into())?;
    for (start, end) in clean_mappings(smaps) {
        let mut register = [start as u64, (end - start) as u64, REGISTER.1, 0];
        // SAFETY: as above; write protection in the asynchronous way never stops anybody.
        check(unsafe { libc::ioctl(fd.as_raw_fd(), REGISTER.0, register.as_mut_ptr()) }.into())?;
    }
    Ok(fd)
}

/// Whether we have no children, dead or alive. As process 1 of a namespace: whether it is empty.
pub fn childless() -> bool {
    // SAFETY: a null pointer is allowed: nothing is written.
    let found = unsafe {
        libc::syscall(libc::SYS_waitid, libc::P_ALL, 0, 0, libc::WEXITED | libc::WNOHANG | libc::WNOWAIT, 0)
    };
    found < 0 && io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD)
}

/// As process 1 of a namespace: kills everything else in it. False when there was nothing, or
/// when we are not process 1: outside a namespace this would be the whole machine.
pub fn kill_all() -> bool {
    // SAFETY: no memory involved.
    unsafe { libc::getpid() == 1 && libc::getppid() == 0 && libc::kill(-1, libc::SIGKILL) == 0 }
}

/// Kills a child that was not waited for yet: its number is still its own.
pub fn kill_child(pid: u32) {
    if let Some(pid) = rustix::process::Pid::from_raw(pid as i32).filter(|_| pid > 1) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
    }
}

/// Kills a whole process group, at once.
pub fn kill_group(leader: u32) {
    if let Some(leader) = rustix::process::Pid::from_raw(leader as i32).filter(|_| leader > 1) {
        let _ = rustix::process::kill_process_group(leader, Signal::KILL);
    }
}

/// CPU time this process itself has used.
pub fn own_cpu() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: a valid structure for the kernel to write; zero is a valid state of it.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    timeval(usage.ru_utime) + timeval(usage.ru_stime)
}

/// CPU time of a living process, all its threads together.
pub fn cpu_of(pid: u32) -> Option<Duration> {
    let clock = (!(pid as libc::clockid_t)) << 3 | 2;
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a valid structure for the kernel to write.
    let done = unsafe { libc::clock_gettime(clock, &raw mut time) };
    (done == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// Makes a mount and all below it read-only and without set-user-id; and without devices, unless
/// it is one.
pub fn make_read_only(mount: BorrowedFd, device: bool) -> io::Result<()> {
    let nodev = if device { 0 } else { libc::MOUNT_ATTR_NODEV };
    set_mount(mount, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | nodev, libc::AT_RECURSIVE)
}

/// Makes a mount read-only, but nothing mounted below it.
pub fn make_top_read_only(mount: BorrowedFd) -> io::Result<()> {
    set_mount(mount, libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV, 0)
}

fn set_mount(mount: BorrowedFd, attributes: u64, flags: c_int) -> io::Result<()> {
    let attr =
        libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: libc::MS_PRIVATE, userns_fd: 0 };
    let flags = flags | libc::AT_EMPTY_PATH;
    // SAFETY: the structure is valid for reading and its size is passed along.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attr,
            size_of::<libc::mount_attr>(),
        )
    };
    check(done).map(drop)
}

/// Files this thread makes belong to this user until dropped.
pub struct FileOwner(u32, u32);

impl FileOwner {
    /// Takes on the user and group.
    pub fn become_id(id: u32) -> FileOwner {
        // SAFETY: no memory involved; both calls concern the calling thread only.
        unsafe {
            let gid = libc::syscall(libc::SYS_setfsgid, id) as u32;
            FileOwner(libc::syscall(libc::SYS_setfsuid, id) as u32, gid)
        }
    }
}

impl Drop for FileOwner {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe {
            libc::syscall(libc::SYS_setfsuid, self.0);
            libc::syscall(libc::SYS_setfsgid, self.1);
        }
    }
}

/// Every signal at its default and blocked: what [`start`] wants of its caller.
pub fn quiet_signals() {
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
pub fn empty_bounding_set() {
    for capability in 0..64 {
        // SAFETY: no memory involved; unknown numbers are refused by the kernel, which is fine.
        unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) };
    }
}

/// Takes over descriptor 0, which whoever started us made a socket.
pub fn socket_on_stdin() -> OwnedFd {
    // SAFETY: a worker's descriptor 0 is its control socket and nothing else uses it.
    unsafe { OwnedFd::from_raw_fd(0) }
}

/// A counter of user instructions of a process, and of its future children if `inherit`.
pub fn count_instructions(pid: u32, inherit: bool) -> io::Result<OwnedFd> {
    // struct perf_event_attr, version 1: type, size, config, then the flag word at byte 40.
    let mut attr = [0u64; 14];
    attr[0] = 112 << 32; // PERF_TYPE_HARDWARE, size
    attr[1] = 1; // PERF_COUNT_HW_INSTRUCTIONS
    attr[5] = (u64::from(inherit) << 1) | (1 << 5) | (1 << 6); // inherit, exclude_kernel, exclude_hv
    // SAFETY: the attribute block is as large as it says.
    let fd = check(unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            attr.as_ptr(),
            pid,
            -1,
            -1,
            8u64, /* PERF_FLAG_FD_CLOEXEC */
        )
    })?;
    // SAFETY: the kernel just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as RawFd) })
}

/// Sends a signal to the process of this descriptor; a dead one is fine.
pub fn signal(pidfd: BorrowedFd, signal: Signal) {
    let _ = rustix::process::pidfd_send_signal(pidfd, signal);
}
