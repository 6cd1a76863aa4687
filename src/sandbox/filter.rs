//! The table of system calls: which are answered, how, and why. A library turns
//! it into filters. Whatever the table does not name does not exist (`ENOSYS`):
//! a kernel learns new calls faster than a list of forbidden ones could.

use libc::{EPERM, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("the table of system calls is written for x86_64");

/// How a call is answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    /// By the kernel.
    Allow,
    /// With this error. Zero: "done", though nothing is.
    Refuse(i32),
    /// With this error when all tests of one of the rows hold; otherwise by the kernel.
    RefuseWhen(i32, &'static [&'static [Test]]),
}

/// A test of the low half of an argument: its index, how, and against what.
pub type Test = (u8, Op, u32);

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Equal.
    Is,
    /// Not equal.
    Not,
    /// Has all these bits.
    Has,
}

/// A row of the table.
pub struct Row {
    /// The calls: number and name (`SYS_read`).
    pub calls: &'static [(c_long, &'static str)],
    /// How they are answered.
    pub answer: Answer,
    /// Why.
    pub why: &'static str,
}

macro_rules! calls {
    ($($number:ident)*) => { &[$((libc::$number, stringify!($number))),*] };
}

use Answer::{Allow, Refuse, RefuseWhen};
use Op::{Has, Is, Not};

/// The table.
pub const TABLE: &[Row] = &[
    Row {
        calls: calls![
            SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_pwrite64 SYS_preadv SYS_pwritev
            SYS_pwritev2 SYS_lseek SYS_close SYS_close_range SYS_open SYS_openat SYS_creat
            SYS_dup SYS_dup2 SYS_dup3 SYS_pipe SYS_pipe2 SYS_stat SYS_fstat SYS_lstat SYS_newfstatat
            SYS_statx SYS_statfs SYS_fstatfs SYS_access SYS_faccessat SYS_faccessat2 SYS_readlink
            SYS_readlinkat SYS_getdents SYS_getdents64 SYS_getcwd SYS_chdir SYS_fchdir SYS_umask
            SYS_sendfile SYS_copy_file_range SYS_splice SYS_readahead
        ],
        answer: Allow,
        why: "reading and writing what the mounts and Landlock let it open",
    },
    Row {
        calls: calls![
            SYS_rename SYS_renameat SYS_renameat2 SYS_mkdir SYS_mkdirat SYS_rmdir SYS_unlink SYS_unlinkat
            SYS_link SYS_linkat SYS_symlink SYS_symlinkat SYS_chmod SYS_fchmod SYS_fchmodat SYS_fchmodat2
            SYS_chown SYS_fchown SYS_lchown SYS_fchownat SYS_utime SYS_utimes SYS_futimesat SYS_utimensat
            SYS_truncate SYS_ftruncate SYS_fallocate
        ],
        answer: Allow,
        why: "only the box is writable, it is emptied after the run, and owners cannot be given away",
    },
    Row {
        calls: calls![
            SYS_mmap SYS_mprotect SYS_munmap SYS_brk SYS_mremap SYS_msync SYS_mincore SYS_madvise
            SYS_mlock SYS_munlock SYS_mlock2 SYS_memfd_create SYS_pkey_mprotect SYS_pkey_alloc
            SYS_pkey_free SYS_membarrier SYS_get_mempolicy
        ],
        answer: Allow,
        why: "memory: bounded by the memory limit and the limit on locked memory",
    },
    Row {
        calls: calls![
            SYS_poll SYS_ppoll SYS_select SYS_pselect6 SYS_epoll_create SYS_epoll_create1 SYS_epoll_ctl
            SYS_epoll_wait SYS_epoll_pwait SYS_epoll_pwait2 SYS_eventfd SYS_eventfd2 SYS_signalfd
            SYS_signalfd4 SYS_timerfd_create SYS_timerfd_settime SYS_timerfd_gettime SYS_futex
            SYS_futex_waitv SYS_set_robust_list SYS_get_robust_list SYS_rseq SYS_set_tid_address
        ],
        answer: Allow,
        why: "waiting, on its own descriptors and memory",
    },
    Row {
        calls: calls![
            SYS_nanosleep SYS_clock_nanosleep SYS_clock_gettime SYS_clock_getres SYS_gettimeofday
            SYS_time SYS_times SYS_alarm SYS_getitimer SYS_setitimer SYS_timer_create SYS_timer_settime
            SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete
        ],
        answer: Allow,
        why: "clocks and timers of its own",
    },
    Row {
        calls: calls![
            SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigtimedwait
            SYS_rt_sigsuspend SYS_sigaltstack SYS_pause SYS_restart_syscall
        ],
        answer: Allow,
        why: "signals of its own",
    },
    Row {
        calls: calls![
            SYS_fork SYS_vfork SYS_execve SYS_execveat SYS_exit SYS_exit_group SYS_wait4 SYS_waitid
            SYS_getpid SYS_getppid SYS_gettid SYS_getpgrp SYS_getpgid SYS_setpgid SYS_getsid SYS_setsid
            SYS_getuid SYS_geteuid SYS_getgid SYS_getegid SYS_getresuid SYS_getresgid SYS_getgroups
            SYS_capget SYS_setuid SYS_setgid SYS_setreuid SYS_setregid SYS_setresuid SYS_setresgid
            SYS_arch_prctl SYS_getrlimit SYS_setrlimit SYS_getrusage
        ],
        answer: Allow,
        why: "processes are counted and die with the run; without capabilities no identity can be gained. \
              The worker itself needs some of them",
    },
    Row {
        calls: calls![
            SYS_uname SYS_sysinfo SYS_getcpu SYS_getrandom SYS_sched_yield SYS_sched_getaffinity
            SYS_sched_getscheduler SYS_sched_getparam SYS_sched_get_priority_max
            SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_sched_getattr SYS_getpriority
        ],
        answer: Allow,
        why: "harmless questions that runtimes ask when they start",
    },
    Row {
        calls: calls![
            SYS_sendto SYS_recvfrom SYS_sendmsg SYS_recvmsg SYS_sendmmsg SYS_recvmmsg SYS_shutdown
            SYS_getsockopt SYS_setsockopt SYS_getsockname SYS_getpeername
        ],
        answer: Allow,
        why: "only on a pair of connected sockets of its own: there are no others",
    },
    Row {
        calls: calls![SYS_socketpair],
        answer: RefuseWhen(EPERM, &[&[(0, Not, libc::AF_UNIX as u32)]]),
        why: "runtimes talk to their children through pairs",
    },
    Row {
        calls: calls![SYS_socket SYS_bind SYS_listen SYS_connect SYS_accept SYS_accept4],
        answer: Refuse(EPERM),
        why: "no network; a network namespace does not stop AF_VSOCK",
    },
    Row {
        calls: calls![SYS_clone],
        answer: RefuseWhen(
            EPERM,
            &[
                &[(0, Has, libc::CLONE_NEWUSER as u32)],
                &[(0, Has, libc::CLONE_NEWNS as u32)],
                &[(0, Has, libc::CLONE_NEWPID as u32)],
                &[(0, Has, libc::CLONE_NEWNET as u32)],
                &[(0, Has, libc::CLONE_NEWIPC as u32)],
                &[(0, Has, libc::CLONE_NEWUTS as u32)],
                &[(0, Has, libc::CLONE_NEWCGROUP as u32)],
            ],
        ),
        why: "threads and processes, but no namespaces: inside one it would have capabilities",
    },
    Row {
        calls: calls![SYS_clone3],
        answer: Refuse(libc::ENOSYS),
        why: "its flags lie in memory where no filter sees them; libraries fall back to clone",
    },
    Row { calls: calls![SYS_unshare SYS_setns], answer: Refuse(EPERM), why: "no other namespaces" },
    Row {
        calls: calls![SYS_kill SYS_tkill SYS_rt_sigqueueinfo],
        answer: RefuseWhen(EPERM, &[&[(0, Is, 1)]]),
        why: "the worker is process 1 and, for an ordinary user, of the same user",
    },
    Row {
        calls: calls![SYS_tgkill SYS_rt_tgsigqueueinfo],
        answer: RefuseWhen(EPERM, &[&[(0, Is, 1)], &[(1, Is, 1)]]),
        why: "as kill",
    },
    Row {
        calls: calls![SYS_pidfd_open SYS_pidfd_send_signal],
        answer: Refuse(libc::ENOSYS),
        why: "a way to process 1 around the row above; libraries fall back to numbers",
    },
    Row {
        calls: calls![SYS_prlimit64],
        answer: RefuseWhen(EPERM, &[&[(0, Not, 0)]]),
        why: "limits of itself only: process 1 may be of the same user",
    },
    Row {
        calls: calls![
            SYS_sched_setaffinity SYS_sched_setparam SYS_sched_setattr
            SYS_setpriority SYS_ioprio_set
        ],
        answer: Refuse(EPERM),
        why: "it stays on its CPU at its priority: others measure beside it",
    },
    Row {
        calls: calls![SYS_sched_setscheduler],
        answer: RefuseWhen(EPERM, &[&[(1, Not, libc::SCHED_OTHER as u32)]]),
        why: "as above; mono asks for the ordinary policy, which it has, and prints a complaint otherwise",
    },
    Row {
        calls: calls![SYS_flock],
        answer: Refuse(0),
        why: "a lock on a shared file is a note to another run; nobody inside needs it to hold",
    },
    Row {
        calls: calls![SYS_fcntl],
        answer: RefuseWhen(
            0,
            &[
                &[(1, Is, libc::F_SETLK as u32)],
                &[(1, Is, libc::F_SETLKW as u32)],
                &[(1, Is, libc::F_OFD_SETLK as u32)],
                &[(1, Is, libc::F_OFD_SETLKW as u32)],
            ],
        ),
        why: "as flock",
    },
    Row {
        calls: calls![SYS_fcntl],
        answer: RefuseWhen(
            EPERM,
            &[
                &[(1, Is, libc::F_SETLEASE as u32)],
                &[(1, Is, libc::F_NOTIFY as u32)],
                &[(1, Is, libc::F_SETPIPE_SZ as u32)],
                &[(1, Is, libc::F_SETOWN as u32)],
                &[(1, Is, 10)],
                &[(1, Is, 15)],
                &[(1, Is, 1036)],
            ],
        ),
        why: "leases, notes, write hints (1036) and who gets which signal (10, 15) on shared files are seen by \
              other runs; pipes hold kernel memory",
    },
    Row {
        calls: calls![SYS_preadv2],
        answer: RefuseWhen(libc::ENOSYS, &[&[(5, Has, libc::RWF_NOWAIT as u32)]]),
        why: "whether a page of a shared file is cached tells what others have read",
    },
    Row {
        calls: calls![SYS_fadvise64],
        answer: Refuse(0),
        why: "as above: it could throw pages of shared files out; advice may always be ignored",
    },
    Row {
        calls: calls![SYS_fsync SYS_fdatasync SYS_sync SYS_syncfs SYS_sync_file_range],
        answer: Refuse(0),
        why: "the box is memory; syncing anything else would make the machine's disks work for others to wait",
    },
    Row {
        calls: calls![SYS_ioctl],
        answer: RefuseWhen(
            libc::ENOTTY,
            &[&[
                (1, Not, libc::TCGETS as u32),
                (1, Not, libc::TIOCGWINSZ as u32),
                (1, Not, libc::FIONREAD as u32),
                (1, Not, libc::FIONBIO as u32),
                (1, Not, libc::FIOCLEX as u32),
                (1, Not, libc::FIONCLEX as u32),
            ]],
        ),
        why: "whether it is a terminal, how much there is to read, and modes of descriptors; nothing else",
    },
    Row {
        calls: calls![SYS_prctl],
        answer: RefuseWhen(
            libc::EINVAL,
            &[&[
                (0, Not, libc::PR_SET_NAME as u32),
                (0, Not, libc::PR_GET_NAME as u32),
                (0, Not, libc::PR_SET_PDEATHSIG as u32),
                (0, Not, libc::PR_GET_PDEATHSIG as u32),
                (0, Not, libc::PR_GET_DUMPABLE as u32),
                (0, Not, libc::PR_SET_DUMPABLE as u32),
                (0, Not, libc::PR_SET_VMA as u32),
                (0, Not, libc::PR_CAPBSET_READ as u32),
                (0, Not, libc::PR_GET_NO_NEW_PRIVS as u32),
                (0, Not, libc::PR_SET_NO_NEW_PRIVS as u32),
                (0, Not, libc::PR_SET_TIMERSLACK as u32),
                (0, Not, libc::PR_SET_THP_DISABLE as u32),
            ]],
        ),
        why: "names of threads and memory, and harmless questions",
    },
    Row {
        calls: calls![SYS_landlock_restrict_self],
        answer: Allow,
        why: "the worker puts programs into domains of their own; it can only take rights away",
    },
    Row {
        calls: calls![SYS_personality],
        answer: RefuseWhen(EPERM, &[&[(0, Not, u32::MAX)]]),
        why: "it may ask, not change",
    },
    Row {
        calls: calls![
            SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise
            SYS_process_mrelease SYS_pidfd_getfd SYS_kcmp
        ],
        answer: Refuse(EPERM),
        why: "no hands on other processes",
    },
    Row {
        calls: calls![
            SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_move_mount SYS_open_tree SYS_fsopen
            SYS_fsconfig SYS_fsmount SYS_fspick SYS_mount_setattr SYS_swapon SYS_swapoff SYS_quotactl
            SYS_quotactl_fd SYS_fanotify_init SYS_fanotify_mark SYS_inotify_init SYS_inotify_init1
            SYS_inotify_add_watch SYS_inotify_rm_watch SYS_name_to_handle_at SYS_open_by_handle_at
            SYS_mknod SYS_mknodat
        ],
        answer: Refuse(EPERM),
        why: "no mounts, no devices, no watching of files that others open",
    },
    Row {
        calls: calls![
            SYS_shmget SYS_shmat SYS_shmctl SYS_shmdt SYS_semget SYS_semop SYS_semctl SYS_semtimedop
            SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_mq_open SYS_mq_unlink SYS_mq_timedsend
            SYS_mq_timedreceive SYS_mq_notify SYS_mq_getsetattr
        ],
        answer: Refuse(EPERM),
        why: "they outlive the process: a note to the next run",
    },
    Row {
        calls: calls![SYS_add_key SYS_request_key SYS_keyctl],
        answer: Refuse(EPERM),
        why: "keyrings outlive the process",
    },
    Row {
        calls: calls![
            SYS_bpf SYS_perf_event_open SYS_userfaultfd SYS_io_setup SYS_io_destroy SYS_io_submit
            SYS_io_cancel SYS_io_getevents SYS_seccomp SYS_memfd_secret SYS_vmsplice
        ],
        answer: Refuse(EPERM),
        why: "large and often broken parts of the kernel that no solution needs",
    },
    Row {
        calls: calls![SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register],
        answer: Refuse(libc::ENOSYS),
        why: "does its work where filters do not see it; libraries fall back to epoll",
    },
    Row {
        calls: calls![
            SYS_settimeofday SYS_clock_settime SYS_adjtimex SYS_clock_adjtime SYS_sethostname
            SYS_setdomainname SYS_reboot SYS_kexec_load SYS_kexec_file_load SYS_init_module
            SYS_finit_module SYS_delete_module SYS_iopl SYS_ioperm SYS_modify_ldt SYS_syslog SYS_acct
            SYS_vhangup SYS_setgroups SYS_setfsuid SYS_setfsgid SYS_capset SYS_mlockall SYS_munlockall
            SYS_mbind SYS_set_mempolicy SYS_migrate_pages SYS_move_pages
        ],
        answer: Refuse(EPERM),
        why: "the machine is not its own",
    },
];

/// Besides, where only its process group tells who belongs to a run.
pub const GROUPED: &[Row] = &[Row {
    calls: calls![SYS_setsid SYS_setpgid],
    answer: Refuse(EPERM),
    why: "nobody leaves the group of his run",
}];

/// Besides, where no cgroup counts memory: what can be held without being mapped cannot be counted by looking.
pub const UNCOUNTED: &[Row] = &[
    Row { calls: calls![SYS_memfd_create], answer: Refuse(EPERM), why: "held by a descriptor alone" },
    Row {
        calls: calls![SYS_mmap],
        answer: RefuseWhen(EPERM, &[&[(3, Has, (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32)]]),
        why: "lives on whole while a single page of it is mapped",
    },
];

/// One call of the table, for those who list it or try it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The call's number.
    pub number: i64,
    /// The call's name.
    pub name: &'static str,
    /// The error it is answered with; none: the kernel answers. Zero: "done", though nothing is.
    pub error: Option<i32>,
    /// Refused only if all of these hold; empty: always.
    pub tests: &'static [Test],
    /// Why.
    pub why: &'static str,
}

impl Rule {
    /// A call that it refuses: the number and six arguments.
    pub fn example(&self) -> [i64; 7] {
        let mut call = [self.number, 0, 0, 0, 0, 0, 0];
        for (index, op, value) in self.tests {
            let free = (0..).find(|n| !self.tests.contains(&(*index, Op::Not, *n))).unwrap_or(0);
            call[1 + usize::from(*index)] = i64::from(if *op == Op::Not { free } else { *value });
        }
        call
    }
}

/// The whole table, one rule after the other.
pub fn calls() -> Vec<Rule> {
    let mut all = Vec::new();
    for row in TABLE {
        for (number, name) in row.calls {
            let (number, name) = (*number, name.trim_start_matches("SYS_"));
            let mut add = |error, tests| all.push(Rule { number, name, error, tests, why: row.why });
            match row.answer {
                Answer::Allow => add(None, &[]),
                Answer::Refuse(error) => add(Some(error), &[]),
                Answer::RefuseWhen(error, rules) => rules.iter().for_each(|tests| add(Some(error), tests)),
            }
        }
    }
    all
}

fn condition(test: &Test) -> SeccompCondition {
    let (index, op, value) = *test;
    let op = match op {
        Op::Is => SeccompCmpOp::Eq,
        Op::Not => SeccompCmpOp::Ne,
        Op::Has => SeccompCmpOp::MaskedEq(value.into()),
    };
    SeccompCondition::new(index, Dword, op, value.into()).expect("the table names arguments 0 to 5")
}

fn rules(answer: Answer) -> Vec<SeccompRule> {
    let tests = match answer {
        Answer::RefuseWhen(_, rows) => rows,
        Answer::Allow | Answer::Refuse(_) => &[],
    };
    let rule =
        |row: &&[Test]| SeccompRule::new(row.iter().map(condition).collect()).expect("no row is empty");
    tests.iter().map(rule).collect()
}

fn program(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    otherwise: SeccompAction,
    then: SeccompAction,
) -> BpfProgram {
    let filter = SeccompFilter::new(rules, otherwise, then, TargetArch::x86_64).expect("the actions differ");
    filter.try_into().expect("the table fits into a filter")
}

/// The filters, to be installed in this order: one that knows every call of the
/// table and one per error. The strictest answer holds. `besides`: further rows.
pub fn filters(besides: &[&[Row]]) -> Vec<BpfProgram> {
    let named = TABLE.iter().flat_map(|row| row.calls).map(|(number, _)| (*number, vec![])).collect();
    let first = program(named, SeccompAction::Errno(libc::ENOSYS as u32), SeccompAction::Allow);
    let mut refusals: BTreeMap<i32, BTreeMap<i64, Vec<SeccompRule>>> = BTreeMap::new();
    for row in TABLE.iter().chain(besides.iter().copied().flatten()) {
        if let Answer::Refuse(error) | Answer::RefuseWhen(error, _) = row.answer {
            for (number, _) in row.calls {
                refusals.entry(error).or_default().entry(*number).or_default().extend(rules(row.answer));
            }
        }
    }
    let one = |(error, rules)| program(rules, SeccompAction::Allow, SeccompAction::Errno(error as u32));
    // The one that refuses the installing of filters comes last.
    let mut refusals: Vec<_> = refusals.into_iter().collect();
    refusals.sort_by_key(|(error, _)| *error == EPERM);
    std::iter::once(first).chain(refusals.into_iter().map(one)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_says_why_and_no_call_is_both_answered_and_refused() {
        let mut plain = BTreeSet::new();
        for row in TABLE {
            assert!(!row.why.is_empty() && !row.calls.is_empty());
            for (number, name) in row.calls {
                let once = matches!(row.answer, Answer::RefuseWhen(..)) || plain.insert(*number);
                assert!(once, "{name} stands in two rows");
            }
        }
    }

    #[test]
    fn the_table_becomes_filters_and_the_one_that_forbids_filters_comes_last() {
        let filters = filters(&[GROUPED, UNCOUNTED]);
        assert_eq!(filters.len(), 6, "the names, and one for each of five errors");
        assert!(filters.iter().all(|filter| filter.len() < 4096));
    }
}
