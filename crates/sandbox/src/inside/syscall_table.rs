//! The table of system calls: the answers and the reasons. `seccomp` compiles it, with `syscall_table_weak`,
//! into filters. A call that is not in the table does not exist (`ENOSYS`): kernels gain calls faster than a
//! list of forbidden ones could grow.

use super::syscall_row::{
    ArgOp::{Has, Is, Lacks, Not, Points},
    ArgTest, Syscall,
    SyscallAnswer::{Allow, Refuse, RefuseWhen},
    SyscallRow, calls,
};
use libc::EPERM;

/// The type of this number differs between C libraries.
#[allow(clippy::unnecessary_cast)]
const CORE_SIZE: u32 = libc::RLIMIT_CORE as u32;

/// The CPU clocks of processes by number, and clocks by descriptor. The three clocks of the process itself
/// (number 0) are excluded, and so are those of threads (bit 2), which the kernel shows only to their own
/// process.
const OTHERS_CLOCK: &[ArgTest] =
    &[(0, Not, !7), (0, Not, !7 | 1), (0, Not, !7 | 2), (0, Lacks, 4), (0, Has, 1 << 31)];

pub(crate) const TABLE: &[SyscallRow] = &[
    SyscallRow {
        calls: calls![
            SYS_read SYS_write SYS_readv SYS_writev SYS_pread64 SYS_pwrite64 SYS_preadv SYS_pwritev
            SYS_preadv2 SYS_pwritev2 SYS_lseek SYS_close SYS_close_range SYS_openat SYS_dup SYS_dup3
            SYS_pipe2 SYS_fstat SYS_newfstatat SYS_statx SYS_statfs SYS_fstatfs SYS_faccessat
            SYS_faccessat2 SYS_readlinkat SYS_getdents64 SYS_getcwd SYS_chdir SYS_fchdir SYS_umask
            SYS_sendfile SYS_copy_file_range SYS_splice SYS_readahead;
            x86_64: SYS_open SYS_creat SYS_dup2 SYS_pipe SYS_stat SYS_lstat SYS_access SYS_readlink
            SYS_getdents
        ],
        answer: Allow,
        why: "reading and writing the files that the mounts and Landlock allow",
    },
    SyscallRow {
        calls: calls![
            SYS_renameat SYS_renameat2 SYS_mkdirat SYS_unlinkat SYS_linkat SYS_symlinkat SYS_fchmod
            SYS_fchmodat SYS_fchown SYS_fchownat SYS_utimensat SYS_truncate SYS_ftruncate SYS_fallocate;
            x86_64: SYS_rename SYS_mkdir SYS_rmdir SYS_unlink SYS_link SYS_symlink SYS_chmod
            SYS_fchmodat2 SYS_chown SYS_lchown SYS_utime SYS_utimes SYS_futimesat
        ],
        answer: Allow,
        why: "only the box is writable, it is emptied after the run, and owners cannot be given away",
    },
    SyscallRow {
        calls: calls![
            SYS_mmap SYS_mprotect SYS_munmap SYS_brk SYS_mremap SYS_msync
            SYS_mlock SYS_munlock SYS_mlock2 SYS_memfd_create SYS_pkey_mprotect SYS_pkey_alloc
            SYS_pkey_free SYS_membarrier SYS_get_mempolicy
        ],
        answer: Allow,
        why: "memory: bounded by the memory limit and the limit on locked memory",
    },
    SyscallRow {
        calls: calls![
            SYS_ppoll SYS_pselect6 SYS_epoll_create1 SYS_epoll_ctl SYS_epoll_pwait SYS_epoll_pwait2
            SYS_eventfd2 SYS_signalfd4 SYS_timerfd_create SYS_timerfd_settime SYS_timerfd_gettime
            SYS_futex SYS_futex_waitv SYS_set_robust_list SYS_get_robust_list SYS_rseq
            SYS_set_tid_address;
            x86_64: SYS_poll SYS_select SYS_epoll_create SYS_epoll_wait SYS_eventfd SYS_signalfd
        ],
        answer: Allow,
        why: "waiting, on its own descriptors and memory",
    },
    SyscallRow {
        calls: calls![
            SYS_nanosleep SYS_gettimeofday SYS_times SYS_getitimer SYS_setitimer SYS_timer_settime
            SYS_timer_gettime SYS_timer_getoverrun SYS_timer_delete;
            x86_64: SYS_time SYS_alarm
        ],
        answer: Allow,
        why: "clocks and timers of its own",
    },
    SyscallRow {
        calls: calls![SYS_clock_gettime SYS_clock_nanosleep SYS_clock_getres SYS_timer_create],
        answer: RefuseWhen(libc::EINVAL, &[OTHERS_CLOCK]),
        why: "the CPU clocks of other processes show when the judge measures a run",
    },
    SyscallRow {
        calls: calls![
            SYS_rt_sigaction SYS_rt_sigprocmask SYS_rt_sigreturn SYS_rt_sigpending SYS_rt_sigtimedwait
            SYS_rt_sigsuspend SYS_sigaltstack SYS_restart_syscall;
            x86_64: SYS_pause
        ],
        answer: Allow,
        why: "signals of its own",
    },
    SyscallRow {
        calls: calls![
            SYS_execve SYS_execveat SYS_exit SYS_exit_group SYS_wait4 SYS_waitid SYS_getpid SYS_getppid
            SYS_gettid SYS_getpgid SYS_setpgid SYS_getsid SYS_setsid SYS_getuid SYS_geteuid SYS_getgid
            SYS_getegid SYS_getresuid SYS_getresgid SYS_getgroups SYS_capget SYS_setuid SYS_setgid
            SYS_setreuid SYS_setregid SYS_setresuid SYS_setresgid SYS_getrlimit SYS_getrusage;
            x86_64: SYS_fork SYS_vfork SYS_getpgrp SYS_arch_prctl
        ],
        answer: Allow,
        why: "processes are counted and die with the run; without capabilities no identity can be gained. \
              The worker itself needs some of them",
    },
    SyscallRow {
        calls: calls![
            SYS_uname SYS_sysinfo SYS_getcpu SYS_getrandom SYS_sched_yield SYS_sched_getaffinity
            SYS_sched_getscheduler SYS_sched_getparam SYS_sched_get_priority_max
            SYS_sched_get_priority_min SYS_sched_rr_get_interval SYS_sched_getattr SYS_getpriority
        ],
        answer: Allow,
        why: "harmless questions that runtimes ask when they start",
    },
    SyscallRow {
        calls: calls![
            SYS_sendto SYS_recvfrom SYS_sendmsg SYS_recvmsg SYS_sendmmsg SYS_recvmmsg SYS_shutdown
            SYS_getsockname SYS_getpeername SYS_getsockopt
        ],
        answer: Allow,
        why: "only on its own pairs of connected sockets: there are no others",
    },
    SyscallRow {
        calls: calls![SYS_setsockopt],
        answer: RefuseWhen(
            EPERM,
            &[
                &[(1, Is, libc::SOL_SOCKET as u32), (2, Is, libc::SO_ATTACH_FILTER as u32)],
                &[(1, Is, libc::SOL_SOCKET as u32), (2, Is, libc::SO_ATTACH_BPF as u32)],
                &[(1, Is, libc::SOL_SOCKET as u32), (2, Is, libc::SO_ATTACH_REUSEPORT_CBPF as u32)],
                &[(1, Is, libc::SOL_SOCKET as u32), (2, Is, libc::SO_ATTACH_REUSEPORT_EBPF as u32)],
            ],
        ),
        why: "filters of packets are compiled into the kernel; nothing inside needs them",
    },
    SyscallRow {
        calls: calls![SYS_madvise],
        answer: RefuseWhen(
            libc::EINVAL,
            &[&[(2, Is, libc::MADV_COLD as u32)], &[(2, Is, libc::MADV_PAGEOUT as u32)]],
        ),
        why: "it hides memory in swap, where a look at processes does not find it, and makes others read shared files \
              again; old kernels do not know these either",
    },
    SyscallRow {
        calls: calls![SYS_socketpair],
        answer: RefuseWhen(EPERM, &[&[(0, Not, libc::AF_UNIX as u32)], &[(1, Has, libc::SOCK_DGRAM as u32)]]),
        why: "runtimes talk to their children through pairs. Not of datagrams: each of those can name another \
              address, and without namespaces that of a socket of the machine",
    },
    SyscallRow {
        calls: calls![SYS_socket SYS_bind SYS_listen SYS_connect SYS_accept SYS_accept4],
        answer: Refuse(EPERM),
        why: "no network; a network namespace does not stop AF_VSOCK",
    },
    SyscallRow {
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
                &[(0, Has, libc::CLONE_THREAD as u32), (0, Lacks, libc::CLONE_FILES as u32)],
            ],
        ),
        why: "threads and processes, but no namespaces: inside one it would have capabilities. Nor a thread with \
              descriptors of its own, which are not found where those of a process are",
    },
    SyscallRow {
        calls: calls![SYS_clone3],
        answer: Refuse(libc::ENOSYS),
        why: "no filter can read its flags, which are in memory; libraries fall back to clone",
    },
    SyscallRow { calls: calls![SYS_unshare SYS_setns], answer: Refuse(EPERM), why: "no other namespaces" },
    SyscallRow {
        calls: calls![SYS_kill SYS_tkill SYS_rt_sigqueueinfo],
        answer: RefuseWhen(EPERM, &[&[(0, Is, 1)]]),
        why: "the worker is process 1 and, for an ordinary user, of the same user",
    },
    SyscallRow {
        calls: calls![SYS_tgkill SYS_rt_tgsigqueueinfo],
        answer: RefuseWhen(EPERM, &[&[(0, Is, 1)], &[(1, Is, 1)]]),
        why: "as kill",
    },
    SyscallRow {
        calls: calls![SYS_pidfd_open SYS_pidfd_send_signal],
        answer: Refuse(libc::ENOSYS),
        why: "a way to process 1 around the row above; libraries fall back to numbers",
    },
    SyscallRow {
        calls: calls![SYS_prlimit64],
        answer: RefuseWhen(EPERM, &[&[(0, Not, 0)]]),
        why: "limits of itself only: process 1 may be of the same user",
    },
    SyscallRow {
        calls: calls![SYS_setrlimit],
        answer: RefuseWhen(EPERM, &[&[(0, Is, CORE_SIZE)]]),
        why: "at a limit of 0 instead of 1 a crash starts the host's handler of core dumps, as root",
    },
    SyscallRow {
        calls: calls![SYS_prlimit64],
        answer: RefuseWhen(EPERM, &[&[(1, Is, CORE_SIZE), (2, Points, 0)]]),
        why: "as setrlimit",
    },
    SyscallRow {
        calls: calls![
            SYS_sched_setaffinity SYS_sched_setparam SYS_sched_setattr
            SYS_setpriority SYS_ioprio_set
        ],
        answer: Refuse(EPERM),
        why: "it stays on its CPU at its priority: others measure beside it",
    },
    SyscallRow {
        calls: calls![SYS_sched_setscheduler],
        answer: RefuseWhen(EPERM, &[&[(1, Not, libc::SCHED_OTHER as u32)]]),
        why: "as above; mono asks for the ordinary policy, which it has, and prints a complaint otherwise",
    },
    SyscallRow {
        calls: calls![SYS_flock],
        answer: Refuse(0),
        why: "a lock on a shared file is a note to another run; no program inside needs it to hold",
    },
    SyscallRow {
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
    SyscallRow {
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
    SyscallRow {
        calls: calls![SYS_fadvise64],
        answer: Refuse(0),
        why: "it makes others read shared files from the disk again; advice may always be ignored",
    },
    SyscallRow {
        calls: calls![SYS_fsync SYS_fdatasync SYS_sync SYS_syncfs SYS_sync_file_range],
        answer: Refuse(0),
        why: "the box is memory; syncing anything else would make the machine's disks work for others to wait",
    },
    SyscallRow {
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
    SyscallRow {
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
    SyscallRow {
        calls: calls![SYS_landlock_restrict_self],
        answer: Allow,
        why: "the worker puts programs into domains of their own; it can only take rights away",
    },
    SyscallRow {
        calls: calls![SYS_landlock_create_ruleset SYS_landlock_add_rule],
        answer: Refuse(libc::ENOSYS),
        why: "programs need no rules of their own. Named because the worker makes its own when the filter of names \
              is there already",
    },
    SyscallRow {
        calls: calls![SYS_personality],
        answer: RefuseWhen(EPERM, &[&[(0, Not, u32::MAX)]]),
        why: "it may ask, not change",
    },
    SyscallRow {
        calls: calls![
            SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_process_madvise
            SYS_process_mrelease SYS_pidfd_getfd SYS_kcmp
        ],
        answer: Refuse(EPERM),
        why: "no access to other processes",
    },
    SyscallRow {
        calls: calls![
            SYS_mount SYS_umount2 SYS_pivot_root SYS_chroot SYS_move_mount SYS_open_tree SYS_fsopen
            SYS_fsconfig SYS_fsmount SYS_fspick SYS_mount_setattr SYS_swapon SYS_swapoff SYS_quotactl
            SYS_quotactl_fd SYS_fanotify_init SYS_fanotify_mark SYS_inotify_init1 SYS_inotify_add_watch
            SYS_inotify_rm_watch SYS_name_to_handle_at SYS_open_by_handle_at SYS_mknodat;
            x86_64: SYS_inotify_init SYS_mknod
        ],
        answer: Refuse(EPERM),
        why: "no mounts, no devices, no watching of files that others open",
    },
    SyscallRow {
        calls: calls![
            SYS_shmget SYS_shmat SYS_shmctl SYS_shmdt SYS_semget SYS_semop SYS_semctl SYS_semtimedop
            SYS_msgget SYS_msgsnd SYS_msgrcv SYS_msgctl SYS_mq_open SYS_mq_unlink SYS_mq_timedsend
            SYS_mq_timedreceive SYS_mq_notify SYS_mq_getsetattr
        ],
        answer: Refuse(EPERM),
        why: "they outlive the process: a note to the next run",
    },
    SyscallRow {
        calls: calls![SYS_add_key SYS_request_key SYS_keyctl],
        answer: Refuse(EPERM),
        why: "keyrings outlive the process",
    },
    SyscallRow {
        calls: calls![
            SYS_bpf SYS_perf_event_open SYS_userfaultfd SYS_io_setup SYS_io_destroy SYS_io_submit
            SYS_io_cancel SYS_io_getevents SYS_seccomp SYS_memfd_secret SYS_vmsplice
        ],
        answer: Refuse(EPERM),
        why: "large and often broken parts of the kernel that no solution needs",
    },
    SyscallRow {
        calls: calls![SYS_io_uring_setup SYS_io_uring_enter SYS_io_uring_register],
        answer: Refuse(libc::ENOSYS),
        why: "does its work where filters do not see it; libraries fall back to epoll",
    },
    SyscallRow {
        calls: calls![
            SYS_settimeofday SYS_clock_settime SYS_adjtimex SYS_clock_adjtime SYS_sethostname
            SYS_setdomainname SYS_reboot SYS_kexec_load SYS_init_module SYS_finit_module
            SYS_delete_module SYS_syslog SYS_acct SYS_vhangup SYS_setgroups SYS_setfsuid SYS_setfsgid
            SYS_capset SYS_mlockall SYS_munlockall SYS_mbind SYS_set_mempolicy SYS_migrate_pages
            SYS_move_pages;
            x86_64: SYS_kexec_file_load SYS_iopl SYS_ioperm SYS_modify_ldt
        ],
        answer: Refuse(EPERM),
        why: "the machine belongs to others",
    },
];
