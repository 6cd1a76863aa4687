//! System calls that lead into large or mighty parts of the kernel.

use super::attempt::{Attack, Itself, Refused, c};
use kopek::sandbox::Exit;

const TABLE: &str = "the table of calls";

pub const ATTACKS: &[Attack] = &[
    c("works by io_uring", "char p[120] = {0}; SYS(io_uring_setup, 8, p); SYS(io_uring_enter, 3, 1, 0, 0, 0, 0); SYS(io_uring_register, 3, 0, 0, 0);", Refused, "filters do not see it"),
    c("works by aio", "long x = 0; SYS(io_setup, 8, &x); SYS(io_submit, 0, 1, &x); SYS(io_cancel, 0, &x, &x);", Refused, TABLE),
    c("loads programs into the kernel", "char a[120] = {0}; SYS(bpf, 5, a, 120); SYS(bpf, 0, a, 72); SYS(seccomp, 1, 0, 0); SYS(prctl, PR_SET_SECCOMP, 2, 0);", Refused, TABLE),
    c("counts what the machine does", "char a[120] = {1, 0, 0, 0, 112}; SYS(perf_event_open, a, 0, -1, -1, 0); SYS(perf_event_open, a, -1, 0, -1, 0);", Refused, TABLE),
    c("handles its own page faults", "SYS(userfaultfd, 0); SYS(userfaultfd, 1); SYS(process_madvise, 0, 0, 0, 0, 0);", Refused, TABLE),
    c("hides memory from the kernel", "SYS(memfd_secret, 0);", Refused, TABLE),
    c("changes its personality", "SYS(personality, 0x0400000); SYS(personality, 0x0040000); SYS(personality, 8);", Refused, TABLE),
    c("mounts", r#"SYS(mount, "none", "/box", "tmpfs", 0, 0); SYS(mount, "/usr", "/box", 0, 4096, 0); SYS(umount2, "/usr", 2); SYS(mount, 0, "/", 0, 1 << 5, 0);"#, Refused, TABLE).writable(),
    c("mounts in the new way", r#"SYS(fsopen, "tmpfs", 0); SYS(fsmount, 3, 0, 0); SYS(open_tree, -100, "/usr", 1); SYS(move_mount, -100, "/usr", -100, "/box", 0); SYS(mount_setattr, -100, "/", 0, self, 32); SYS(fspick, -100, "/", 0); SYS(fsconfig, 3, 6, 0, 0, 0);"#, Refused, TABLE),
    c("changes its root", r#"SYS(chroot, "/box"); SYS(pivot_root, ".", "."); SYS(chroot, "/usr");"#, Refused, TABLE).writable(),
    c("makes namespaces", "for (int n = 7; n < 31; n++) if ((1 << n) & 0x7e020080) SYS(unshare, 1 << n);", Refused, TABLE),
    c("is born in namespaces", "for (int n = 25; n < 31; n++) SYS(clone, 1 << n | SIGCHLD, 0, 0, 0, 0); SYS(clone, 0x20000 | SIGCHLD, 0, 0, 0, 0); SYS(clone, 0x2000000 | SIGCHLD, 0, 0, 0, 0);", Refused, TABLE),
    c("is born by the call that filters cannot read", "long a[11] = {0x10000000, 0, 0, 0, SIGCHLD}; SYS(clone3, a, 88); long b[11] = {0, 0, 0, 0, SIGCHLD}; SYS(clone3, b, 88);", Refused, "it does not exist inside"),
    c("enters namespaces", "SYS(setns, 0, 0); SYS(setns, 0, 0x40000000); SYS(setns, 1, 0x10000000);", Refused, TABLE),
    c("loads modules", r#"SYS(init_module, self, 9, ""); SYS(finit_module, 0, "", 0); SYS(delete_module, "x", 0);"#, Refused, TABLE),
    c("boots another kernel", "SYS(kexec_load, 0, 0, 0, 0); SYS(kexec_file_load, 0, 0, 0, 0, 0); SYS(reboot, 0xfee1dead, 672274793, 0x1234567, 0);", Refused, TABLE),
    c("takes the ports", "SYS(iopl, 3); SYS(ioperm, 0, 1, 1); SYS(modify_ldt, 0, self, 16); SYS(modify_ldt, 1, self, 16);", Refused, TABLE),
    c("sets the clock", "struct timespec t = {9}; SYS(clock_settime, 0, &t); SYS(settimeofday, &t, 0); SYS(adjtimex, self); SYS(clock_adjtime, 0, self);", Refused, TABLE),
    c("renames the machine", r#"SYS(sethostname, "x", 1); SYS(setdomainname, "x", 1);"#, Refused, TABLE),
    c("reads the kernel's log", "char b[99]; SYS(syslog, 3, b, 99); SYS(syslog, 10, 0, 0); SYS(syslog, 5, 0, 0);", Refused, TABLE),
    c("turns swap, quota and accounting", r#"SYS(swapon, "/box/x", 0); SYS(swapoff, "/box/x"); SYS(quotactl, 0x800002, 0, 0, 0); SYS(acct, "/box/x"); SYS(quotactl_fd, 0, 0x800002, 0, 0);"#, Refused, TABLE),
    c("watches what others open", r#"SYS(inotify_init, 0); SYS(inotify_init1, 0); SYS(fanotify_init, 0, 0); SYS(fanotify_mark, 0, 1, 1, -100, "/usr"); SYS(inotify_add_watch, 0, "/usr", 1);"#, Refused, TABLE),
    c("moves memory between nodes", "SYS(mbind, 0, 0, 0, 0, 0, 0); SYS(set_mempolicy, 0, 0, 0); SYS(migrate_pages, 1, 0, 0, 0); SYS(move_pages, 1, 0, 0, 0, 0, 0);", Refused, TABLE),
    c("speaks to a terminal that is not there", "char x = 'x'; REFUSED(ioctl(0, TIOCSTI, &x)); REFUSED(ioctl(1, TIOCSTI, &x)); REFUSED(ioctl(2, TIOCLINUX, &x)); REFUSED(ioctl(0, TIOCSCTTY, 1));", Refused, "only six harmless requests"),
    c("clones files by ioctl", "REFUSED(ioctl(1, 0x40049409, 0)); REFUSED(ioctl(0, 0x1, 0)); REFUSED(ioctl(1, 0xc0101282, self)); REFUSED(ioctl(0, 0xb703, 0));", Refused, "only six harmless requests"),
    c("calls in 32 bits", "int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(20)); puts(\"done\");", Itself(Exit::Signal(31)), "another word size is the end"),
    c("calls in 32 bits and catches the signal", "signal(SIGSYS, quiet); int r; __asm__ volatile(\"int $0x80\" : \"=a\"(r) : \"a\"(20)); puts(\"done\");", Itself(Exit::Signal(31)), "the process is killed, not told"),
    c("calls by x32", "REFUSED(syscall(0x40000000 + SYS_getpid)); REFUSED(syscall(0x40000000 + 520)); REFUSED(syscall(0x40000000 + SYS_socket, 2, 1, 0));", Refused, "such numbers do not exist"),
    c("calls numbers that nobody has", "REFUSED(syscall(-1)); REFUSED(syscall(100000)); REFUSED(syscall(1L << 40)); REFUSED(syscall(500)); REFUSED(syscall(134));", Refused, "such numbers do not exist"),
    c("uses probes of the kernel", "SYS(process_vm_readv, 1, 0, 0, 0, 0, 0); SYS(process_vm_writev, 1, 0, 0, 0, 0, 0); SYS(kcmp, 1, 2, 0, 0, 0); SYS(vmsplice, 1, 0, 0, 0); SYS(process_mrelease, 0, 0);", Refused, TABLE),
    c("adds filters of its own", "SYS(landlock_create_ruleset, 0, 0, 1); SYS(landlock_add_rule, 3, 1, 0, 0); SYS(seccomp, 2, 0, 0); REFUSED(prctl(PR_SET_SECCOMP, 1));", Refused, TABLE),
];
