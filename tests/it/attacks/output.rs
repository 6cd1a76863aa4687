//! Output: too much, too late, and in ways that hide how much.

use super::attempt::{Attack, Itself, Over, OverOne, Refused, Says, Settled, c, sh};
use kopek::sandbox::{Exit, Limit};

const SIZE: &str = "the size of the output decides, whatever the exit";

pub const ATTACKS: &[Attack] = &[
    c("floods", "static char b[1 << 16]; for (;;) write(1, b, 1 << 16);", Over(Limit::Output), SIZE),
    c("floods, and ends well", "static char b[1 << 16]; signal(SIGXFSZ, SIG_IGN); for (int n = 0; n < 999; n++) write(1, b, 1 << 16); _exit(0);", Over(Limit::Output), SIZE),
    c("says one byte too much", "static char b[(1 << 20) + 1]; signal(SIGXFSZ, SIG_IGN); write(1, b, sizeof b); _exit(0);", Over(Limit::Output), SIZE),
    c("complains without end", "static char b[1 << 16]; for (;;) write(2, b, 1 << 16);", Over(Limit::Output), SIZE),
    c("stretches its output", "signal(SIGXFSZ, SIG_IGN); ftruncate(1, 7 << 20); _exit(0);", Says(""), SIZE),
    c("stretches its output to a terabyte", "ftruncate(1, 1L << 40); _exit(0);", OverOne(&[Limit::Output, Limit::Files]), SIZE),
    c("jumps in its output", "lseek(1, 6 << 20, SEEK_SET); write(1, \"x\", 1); _exit(0);", OverOne(&[Limit::Output, Limit::Files]), SIZE),
    c("reserves output", "signal(SIGXFSZ, SIG_IGN); fallocate(1, 0, 0, 6 << 20); _exit(0);", Says(""), SIZE),
    c("reserves a gigabyte behind its output", "if (fallocate(1, FALLOC_FL_KEEP_SIZE, 0, 1 << 30)) _exit(7); sleep(1); _exit(0);", OverOne(&[Limit::Memory, Limit::Files]), "memory of all processes together").for_user(Itself(Exit::Code(7))),
    c("floods by many hands", "for (int n = 0; n < 8; n++) if (!fork()) for (;;) puts(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"); pause();", OverOne(&[Limit::Output, Limit::Cpu, Limit::Wall]), SIZE).cpu(1000),
    c("floods by sendfile", "int f = open(self[0], O_RDONLY); for (int n = 0; n < 40; n++) { off_t o = 0; sendfile(1, f, &o, MiB); } _exit(0);", OverOne(&[Limit::Output, Limit::Files]), SIZE),
    c("floods by splice", "int p[2]; pipe(p); static char b[65536]; signal(SIGXFSZ, SIG_IGN); fcntl(p[0], F_SETFL, O_NONBLOCK); fcntl(p[1], F_SETFL, O_NONBLOCK); for (int n = 0; n < 99; n++) { write(p[1], b, 65536); if (splice(p[0], 0, 1, 0, 65536, 0) < 0) read(p[0], b, 65536); } _exit(0);", Over(Limit::Output), SIZE),
    c("floods by copying ranges", "int f = memfd_create(\"x\", 0); ftruncate(f, 4 << 20); for (int n = 0; n < 9; n++) { loff_t i = 0; copy_file_range(f, &i, 1, 0, 4 << 20, 0); } _exit(0);", OverOne(&[Limit::Output, Limit::Files]), SIZE).for_user(Says("")),
    c("writes after its end", "if (!fork()) { setsid(); for (long n = 0;; n++) pwrite(1, &n, sizeof n, 0); } struct stat s; do poll(0, 0, 1); while (!fstat(1, &s) && !s.st_size);", Settled, "all are dead before the output is read"),
    c("seals its output", "REFUSED(fcntl(1, 1033, 8)); REFUSED(fcntl(1, 1033, 2)); REFUSED(fcntl(1, 1033, 1)); REFUSED(fcntl(2, 1033, 15));", Refused, "made without seals"),
    c("reads its output back", "char b[9]; REFUSED(read(1, b, 9)); REFUSED(pread(2, b, 9, 0)); REFUSED(mmap(0, 4096, PROT_READ, MAP_SHARED, 1, 0));", Refused, "descriptors for writing only"),
    c("maps its output and writes when it is gone", "int f = open(\"/proc/self/fd/1\", O_RDWR); ftruncate(f, 4096); char *p = mmap(0, 4096, 3, MAP_SHARED, f, 0); if (!fork()) { setsid(); for (;;) if (p != MAP_FAILED) ++*(volatile long *)p; } poll(0, 0, 20); _exit(0);", Settled, "all are dead before the output is read").proc(),
    c("closes everything", "for (int n = 0; n < 9; n++) close(n); _exit(0);", Says(""), "empty output"),
    c("replaces its output", "close(1); open(\"/dev/null\", O_WRONLY); puts(\"done\");", Says(""), "empty output"),
    c("swaps input and output", "dup2(1, 0); dup2(0, 1); REFUSED(read(0, self, 1));", Refused, "a descriptor for writing stays one"),
    c("fills its output with holes", "for (int n = 0; n < 99; n++) { lseek(1, 100000, SEEK_CUR); write(1, \"\", 1); } _exit(0);", OverOne(&[Limit::Output, Limit::Files]), SIZE),
    sh("floods from a pipeline", "yes | head -c 9000000", Over(Limit::Output), SIZE),
    sh("floods in the background", "yes & yes >&2 & sleep 9", OverOne(&[Limit::Output, Limit::Wall, Limit::Cpu]), SIZE).cpu(500).wall(1500),
    sh("prints what could steer a terminal", "printf '\\033[2J\\033]0;title\\007'", Says("\u{1b}[2J\u{1b}]0;title\u{7}"), "bytes are kept as they are"),
];
