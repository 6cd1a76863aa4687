//! Processes, threads, signals, time: too many, too long, too late, and other people's.

use super::attempt::{Attack, Itself, Over, OverOne, OverOr, Refused, Says, Settled, c, sh};
use kopek::sandbox::{Exit, Limit};

const COUNTED: &str = "processes are counted; all die with the run";
const TIMED: &str = "the CPU time of all processes together";
const WALL: &str = "the wall limit";
const FIRST: &str = "the table: nothing may be done to process 1";
/// Which of these a bomb meets first is chance.
const BOMB: &[Limit] = &[Limit::Processes, Limit::Wall, Limit::Cpu, Limit::Memory];

pub const ATTACKS: &[Attack] = &[
    c("forks without end", "for (;;) fork();", OverOne(BOMB), COUNTED).cpu(200).wall(400),
    sh("forks without end in a shell", "f() { f | f & f; }; f", OverOne(BOMB), COUNTED).for_user(OverOr(BOMB, Exit::Code(2))).cpu(200).wall(400),
    c("vforks without end", "static volatile int depth; for (;;) { depth = 0; if (!vfork()) { while (!vfork()) if (++depth > 64) puts(\"done\"); _exit(0); } }", OverOne(BOMB), COUNTED).cpu(200).wall(400).needs_counted_processes(),
    c("clones without end", "for (;;) syscall(SYS_clone, 0, 0, 0, 0, 0);", OverOne(BOMB), COUNTED).cpu(200).wall(400),
    c("forks and flees", "for (;;) { puts(\"end\"); if (fork()) _exit(0); setsid(); }", Settled, COUNTED).cpu(200).wall(400),
    c("starts threads without end", "pthread_t t; for (;;) pthread_create(&t, 0, spinner, 0);", OverOne(BOMB), COUNTED).cpu(200),
    c("leaves the dead unburied", "int n = 0, p; while ((p = fork()) >= 0) if (!p) _exit(0); else n++; exit(1);", Over(Limit::Processes), COUNTED).for_user(OverOr(&[Limit::Processes], Exit::Code(1))),
    c("executes itself for ever", r#"execv(self[0], self);"#, Over(Limit::Cpu), TIMED).cpu(200),
    c("spins", "spin();", Over(Limit::Cpu), TIMED).cpu(200),
    c("spins, deaf to signals", "for (int n = 1; n < 65; n++) signal(n, SIG_IGN); spin();", Over(Limit::Cpu), "killed by a signal that cannot be ignored").cpu(200),
    c("spins with handlers", "for (int n = 1; n < 65; n++) signal(n, quiet); spin();", Over(Limit::Cpu), "killed by a signal that cannot be caught").cpu(200),
    c("spins with all signals blocked", "sigset_t s; sigfillset(&s); sigprocmask(0, &s, 0); spin();", Over(Limit::Cpu), "killed by a signal that cannot be blocked").cpu(200),
    c("spins in threads", "pthread_t t; for (int n = 0; n < 7; n++) pthread_create(&t, 0, spinner, 0); pause();", Over(Limit::Cpu), TIMED).cpu(200),
    c("spins in children", "for (int n = 0; n < 6; n++) if (!fork()) spin(); pause();", Over(Limit::Cpu), TIMED).cpu(200),
    c("spins in orphans of orphans", "for (int n = 0; n < 4; n++) if (!fork()) { if (fork()) _exit(0); setsid(); if (fork()) _exit(0); spin(); } pause();", Over(Limit::Cpu), TIMED).cpu(200),
    c("spins after the main process has ended", "for (int n = 0; n < 4; n++) if (!fork()) { setsid(); spin(); } puts(\"end\");", Says("end"), "all die with the run"),
    c("spins in the kernel", r#"char *b = malloc(MiB); int f = open("/dev/urandom", O_RDONLY); for (;;) read(f, b, MiB);"#, Over(Limit::Cpu), TIMED).cpu(200),
    c("yields for ever", "for (;;) sched_yield();", Over(Limit::Cpu), TIMED).cpu(200),
    c("computes in children that nobody waits for", "signal(SIGCHLD, SIG_IGN); for (;;) { int e[2]; char c; pipe(e); if (!fork()) { for (volatile long i = 0; i < 20000000; i++); _exit(0); } close(e[1]); read(e[0], &c, 1); close(e[0]); }", OverOne(&[Limit::Cpu, Limit::Wall]), TIMED).cpu(300).wall(6000),
    c("storms itself with timers", "signal(SIGALRM, quiet); struct itimerval t = {{0, 1}, {0, 1}}; setitimer(ITIMER_REAL, &t, 0); spin();", Over(Limit::Cpu), TIMED).cpu(200),
    c("makes timers without end", "timer_t t; long n = 0; while (n < 100000 && !timer_create(CLOCK_MONOTONIC, 0, &t)) n++; puts(n < 100000 ? \"refused\" : \"done\");", Refused, "queued signals are limited"),
    c("queues signals without end", "sigset_t s; sigfillset(&s); sigprocmask(0, &s, 0); union sigval v = {1}; long n = 0; while (n < 100000 && !sigqueue(getpid(), SIGRTMIN, v)) n++; puts(n < 100000 ? \"refused\" : \"done\");", Refused, "queued signals are limited"),
    c("sleeps for ever", "for (;;) pause();", Over(Limit::Wall), WALL).wall(300),
    c("sleeps and wakes", "for (;;) poll(0, 0, 1);", OverOne(&[Limit::Wall, Limit::Cpu]), WALL).wall(300),
    c("stops itself", "raise(SIGSTOP); puts(\"done\");", Over(Limit::Wall), WALL).wall(300),
    c("stops its whole group", "fork(); kill(0, SIGSTOP); puts(\"done\");", Over(Limit::Wall), WALL).wall(300),
    c("waits in vfork", "if (!vfork()) pause();", Over(Limit::Wall), WALL).wall(300),
    c("waits for a lock it holds", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m);", Over(Limit::Wall), WALL).wall(300),
    c("sleeps on while the main process ends", "if (!fork()) { setsid(); if (!fork()) sleep(99); sleep(99); } puts(\"end\");", Says("end"), "all die with the run"),
    c("kills everybody", "if (!fork()) { kill(-1, SIGKILL); _exit(0); } wait(0); puts(\"end\");", Itself(Exit::Signal(9)), "it sees its own processes only"),
    c("kills everybody but itself", "kill(-1, SIGTERM); puts(\"end\");", Says("end"), "it sees its own processes only"),
    c("kills process 1", "REFUSED(kill(1, SIGKILL)); SYS(tkill, 1, 9); SYS(tgkill, 1, 1, 9); SYS(kill, 1L << 32 | 1, 9);", Refused, FIRST),
    c("queues signals to process 1", "siginfo_t i = {0}; i.si_code = -1; SYS(rt_sigqueueinfo, 1, 9, &i); SYS(rt_tgsigqueueinfo, 1, 1, 9, &i);", Refused, FIRST),
    c("opens process 1", "SYS(pidfd_open, 1, 0); SYS(pidfd_send_signal, 0, 9, 0, 0); SYS(pidfd_getfd, 0, 0, 0);", Refused, FIRST),
    c("has signals sent to process 1 by the kernel", "int p[2]; pipe(p); fcntl(p[0], F_SETOWN, 1); fcntl(p[0], F_SETSIG, SIGKILL); fcntl(p[0], F_SETFL, O_ASYNC); write(p[1], \"x\", 1); struct { int t, p; } o = {1, 1}; fcntl(p[0], F_SETOWN_EX, &o); write(p[1], \"x\", 1); puts(\"end\");", Says("end"), "process 1 cannot be killed from inside"),
    c("traces", "REFUSED(ptrace(0, 0, 0, 0)); SYS(ptrace, 16, 1, 0, 0); SYS(ptrace, 0x4206, 1, 0, 0); SYS(ptrace, 16, getppid(), 0, 0);", Refused, "the table"),
    c("lowers the limits of process 1", "struct rlimit l = {0, 0}; for (int n = 0; n < 16; n++) SYS(prlimit64, 1, n, &l, 0); SYS(prlimit64, getppid() ? getppid() : 1, 7, 0, &l);", Refused, FIRST),
    c("raises its own limits", "for (int n = 0; n < 16; n++) { struct rlimit l; getrlimit(n, &l); if (l.rlim_max == RLIM_INFINITY) continue; l.rlim_max++; REFUSED(setrlimit(n, &l)); }", Refused, "no capability"),
    c("moves others to other CPUs", "cpu_set_t s; CPU_ZERO(&s); CPU_SET(0, &s); REFUSED(sched_setaffinity(0, sizeof s, &s)); REFUSED(sched_setaffinity(1, sizeof s, &s));", Refused, "the table"),
    c("reads the CPU clocks of others", "struct timespec t; int p = fork(), clocks[2] = {~p << 3, ~getppid() << 3}; if (!p) { pause(); _exit(0); } for (int n = 0; n < 6; n++) { int clock = clocks[n / 3] | n % 3; SYS(clock_gettime, clock, &t); SYS(clock_getres, clock, &t); } kill(p, SIGKILL);", Refused, "the table"),
    c("makes itself urgent", "struct sched_param p = {1}; REFUSED(sched_setscheduler(0, SCHED_FIFO, &p)); REFUSED(sched_setscheduler(0, SCHED_RR, &p)); REFUSED(setpriority(PRIO_PROCESS, 0, -5)); REFUSED(nice(-5)); SYS(ioprio_set, 1, 0, 0x2000); SYS(sched_setattr, 0, self, 0);", Refused, "the table"),
    c("makes others wait", "REFUSED(setpriority(PRIO_PROCESS, 1, 19)); REFUSED(setpriority(PRIO_USER, 0, 19)); REFUSED(setpriority(PRIO_PGRP, 0, 19)); SYS(ioprio_set, 3, 0, 0x6000);", Refused, "the table"),
    c("says that it was killed for its memory", "raise(SIGKILL);", Itself(Exit::Signal(9)), "only the kernel's counter tells of memory"),
    c("crashes", "*(volatile int *)0 = 1;", Itself(Exit::Signal(11)), "a crash is a crash"),
    c("aborts with a core", "struct rlimit l = {RLIM_INFINITY, RLIM_INFINITY}; setrlimit(RLIMIT_CORE, &l); abort();", Itself(Exit::Signal(6)), "core dumps are limited to a byte").writable(),
    c("ends before its threads do", "pthread_t t; pthread_create(&t, 0, spinner, 0); pthread_exit(0);", Over(Limit::Cpu), TIMED).cpu(200),
    c("executes from a thread", r#"if (fork()) { wait(0); puts("end"); return; } pthread_t t; pthread_create(&t, 0, spinner, 0); execl("/bin/true", "true", (char *)0);"#, Says("end"), COUNTED),
    c("becomes a daemon", r#"puts("end"); if (daemon(0, 1) == 0) for (;;) puts("end");"#, Settled, "its end is the end of all"),
];
