//! Rows of the table of system calls for weaker modes: they forbid actions that namespaces or cgroups prevent
//! otherwise.

use super::syscall_row::{
    ArgOp::{Has, Is, Not},
    Syscall,
    SyscallAnswer::{Refuse, RefuseWhen},
    SyscallRow, calls,
};
use libc::EPERM;

/// Further rows for modes without namespaces. There all files of the judge are at their usual paths, and with
/// an ordinary user, programs run as the judge's own user. Landlock forbids opening those files, but does not
/// control changes of modes, owners, times and attributes. Setting attributes (`setxattr`, `file_setattr`,
/// requests of `ioctl`) needs no row: the main table does not contain these calls.
pub(crate) const NO_NAMESPACE_ROWS: &[SyscallRow] = &[
    SyscallRow {
        calls: calls![SYS_setsid SYS_setpgid],
        answer: Refuse(EPERM),
        why: "the process group identifies the processes of a run: none may leave it",
    },
    SyscallRow {
        calls: calls![SYS_utimensat; x86_64: SYS_utime SYS_utimes SYS_futimesat],
        answer: Refuse(0),
        why: "a path of the judge's would change. Not an error: archivers and copying tools set times, and give up \
              where that fails",
    },
    SyscallRow {
        calls: calls![SYS_fchown SYS_fchownat; x86_64: SYS_chown SYS_lchown],
        answer: Refuse(EPERM),
        why: "as above; it could give a file to another group of the judge's. Tools expect to be refused that",
    },
    SyscallRow {
        calls: calls![SYS_sched_setscheduler],
        answer: RefuseWhen(0, &[&[(0, Not, 0)]]),
        why: "a process of the judge's user, who may have chosen another policy for it. Not an error: mono asks \
              it for its threads, which have that policy",
    },
    SyscallRow {
        calls: calls![; x86_64: SYS_open],
        answer: RefuseWhen(
            EPERM,
            &[&[(1, Has, CREATE), (2, Has, libc::S_ISUID)], &[(1, Has, CREATE), (2, Has, libc::S_ISGID)]],
        ),
        why: "what it makes belongs to the judge's user: a set-user-id program would lend others his rights",
    },
    SyscallRow {
        calls: calls![SYS_openat],
        answer: RefuseWhen(
            EPERM,
            &[&[(2, Has, CREATE), (3, Has, libc::S_ISUID)], &[(2, Has, CREATE), (3, Has, libc::S_ISGID)]],
        ),
        why: "as open; the mode of an open that makes nothing is not looked at, and may be anything",
    },
    SyscallRow {
        calls: calls![; x86_64: SYS_open],
        answer: RefuseWhen(libc::EOPNOTSUPP, &[&[(1, Has, UNNAMED)]]),
        why: "measuring the box misses a file without a name, which could also be linked with any mode",
    },
    SyscallRow {
        calls: calls![SYS_openat],
        answer: RefuseWhen(libc::EOPNOTSUPP, &[&[(2, Has, UNNAMED)]]),
        why: "as open; libraries fall back to a name that they remove",
    },
    SyscallRow {
        calls: calls![SYS_fallocate],
        answer: RefuseWhen(libc::EOPNOTSUPP, &[&[(1, Has, KEEP_SIZE)]]),
        why: "it takes room on the host's disk beyond the size that the limit on files holds",
    },
    SyscallRow {
        calls: calls![; x86_64: SYS_creat SYS_mkdir],
        answer: RefuseWhen(EPERM, &[&[(1, Has, libc::S_ISUID)], &[(1, Has, libc::S_ISGID)]]),
        why: "as open",
    },
    SyscallRow {
        calls: calls![SYS_mkdirat],
        answer: RefuseWhen(EPERM, &[&[(2, Has, libc::S_ISUID)], &[(2, Has, libc::S_ISGID)]]),
        why: "as open",
    },
];

/// Changes of modes in modes without namespaces, in a filter of its own. Where the box is writable, these calls wait
/// for the judge, who does what `boxes::built_programs` says and lets them succeed.
pub(crate) const MODE_ROW: SyscallRow = SyscallRow {
    calls: calls![SYS_fchmod SYS_fchmodat; x86_64: SYS_chmod SYS_fchmodat2],
    answer: Refuse(0),
    why: "a path of the judge's could be opened to the world or made set-user-id. Not an error: linkers make what \
          they built executable",
};

const CREATE: u32 = libc::O_CREAT as u32;
const UNNAMED: u32 = libc::O_TMPFILE as u32;
const KEEP_SIZE: u32 = libc::FALLOC_FL_KEEP_SIZE as u32;

/// Further rows for modes without a memory cgroup: memory that is held without being mapped is not visible in
/// any process.
pub(crate) const NO_CGROUP_ROWS: &[SyscallRow] = &[
    SyscallRow { calls: calls![SYS_memfd_create], answer: Refuse(EPERM), why: "held by a descriptor alone" },
    SyscallRow {
        calls: calls![SYS_setsockopt],
        answer: RefuseWhen(
            0,
            &[
                &[(1, Is, libc::SOL_SOCKET as u32), (2, Is, libc::SO_SNDBUF as u32)],
                &[(1, Is, libc::SOL_SOCKET as u32), (2, Is, libc::SO_RCVBUF as u32)],
            ],
        ),
        why: "as above: what is under way in a socket is memory, megabytes of it; with the buffer that they are made \
              with `procfs` counts them. Not an error: the size is a wish",
    },
    SyscallRow {
        calls: calls![SYS_mmap],
        answer: RefuseWhen(EPERM, &[&[(3, Has, (libc::MAP_SHARED | libc::MAP_ANONYMOUS) as u32)]]),
        why: "stays allocated as a whole while a single page of it is mapped",
    },
    SyscallRow {
        calls: calls![SYS_fallocate],
        answer: RefuseWhen(libc::EOPNOTSUPP, &[&[(1, Has, KEEP_SIZE)]]),
        why: "as above: an output would hold memory beyond the size that the limit on output holds",
    },
];
