//! Memory: by every way it can be had.

use super::attempt::{Attack, Over, OverOne, OverOr, Refused, Says, c, python};
use kopek::sandbox::{Exit, Limit};

const GROUP: &str = "the memory of all processes together";
const EITHER: &[Limit] = &[Limit::Memory, Limit::Files];

pub const ATTACKS: &[Attack] = &[
    c("allocates", r#"char *p = malloc(512 * MiB); if (p) touch(p, 512 * MiB); puts(p ? "done" : "end");"#, Over(Limit::Memory), GROUP),
    c("allocates by the break", r#"for (int n = 0; n < 512; n++) { char *p = sbrk(MiB); if (p == (void *)-1) exit(9); touch(p, MiB); } puts("done");"#, Over(Limit::Memory), GROUP),
    c("overflows its stack", r#"void f(long n) { volatile char b[4096]; b[0] = n; if (n < 200000) f(n + 1); b[1] = 1; } f(0); puts("done");"#, Over(Limit::Memory), GROUP),
    c("shares memory with itself", "char *p = mmap(0, 512 * MiB, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); if (p == MAP_FAILED) { puts(\"refused\"); return; } touch(p, 512 * MiB); puts(\"done\");", Over(Limit::Memory), GROUP).for_user(Refused),
    c("spreads memory over children", "for (int n = 0; n < 10; n++) if (!fork()) { char *p = malloc(30 * MiB); touch(p, 30 * MiB); pause(); } sleep(9);", Over(Limit::Memory), GROUP),
    c("spreads memory over threads' stacks", "pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 64 * MiB); pthread_t t; void *f(void *x) { char b[60 * MiB]; touch(b, 60 * MiB); pause(); return 0; } for (int n = 0; n < 8; n++) pthread_create(&t, &a, f, 0); sleep(9);", Over(Limit::Memory), GROUP),
    c("fills files that have no name", "for (int n = 0; n < 100; n++) { int f = memfd_create(\"x\", 0); if (f < 0) { puts(\"refused\"); return; } ftruncate(f, 7 * MiB); char *p = mmap(0, 7 * MiB, 3, MAP_SHARED, f, 0); touch(p, 7 * MiB); } puts(\"done\");", Over(Limit::Memory), GROUP).writable().for_user(Refused),
    c("fills one large file that has no name", "int f = memfd_create(\"x\", 0); if (f < 0) { puts(\"refused\"); return; } ftruncate(f, 512 * MiB); char *p = mmap(0, 512 * MiB, 3, MAP_SHARED, f, 0); touch(p, 512 * MiB); puts(\"done\");", OverOne(EITHER), "the size of a file").for_user(Refused),
    c("holds memory by descriptors only", "static char b[1 << 20]; for (int n = 0; n < 300; n++) { int f = memfd_create(\"x\", 0); if (f < 0) { puts(\"refused\"); return; } write(f, b, MiB); } puts(\"done\");", Over(Limit::Memory), GROUP).for_user(Refused),
    c("holds memory in sockets", "fork(); for (int i = 0; i < 400; i++) { int p[2], big = 1 << 26; if (socketpair(AF_UNIX, SOCK_STREAM, 0, p)) break; for (int n = 0; n < 2; n++) { setsockopt(p[n], SOL_SOCKET, SO_SNDBUF, &big, 4); fcntl(p[n], F_SETFL, O_NONBLOCK); static char b[1 << 16]; while (write(p[n], b, sizeof b) > 0) { } } } sleep(1); puts(\"done\");", Over(Limit::Memory), GROUP),
    c("holds shared memory that it does not map", "char *p = mmap(0, 400 * MiB, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); if (p == MAP_FAILED) { puts(\"refused\"); return; } for (int n = 0; n < 400; n++) { touch(p + n * MiB, MiB); madvise(p + n * MiB, MiB, MADV_DONTNEED); } puts(\"done\");", Over(Limit::Memory), GROUP).for_user(Refused),
    c("shares memory of a device", "int f = open(\"/dev/zero\", O_RDWR); char *p = mmap(0, 400 * MiB, 3, MAP_SHARED, f, 0); if (p == MAP_FAILED) { puts(\"refused\"); return; } for (int n = 0; n < 400; n++) { touch(p + n * MiB, MiB); madvise(p + n * MiB, MiB, MADV_DONTNEED); } puts(\"done\");", Over(Limit::Memory), GROUP).for_user(Refused),
    c("fills page tables", "char *p = mmap(0, 1L << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0); volatile char c; if (p != MAP_FAILED) for (long n = 0; n < 60000; n++) c = p[n << 21]; if (p == MAP_FAILED) { puts(\"end\"); return; } sleep(1); puts(\"done\");", Over(Limit::Memory), GROUP),
    c("fills pipes", "static char b[65536]; long n = 0, w; int p[2]; while (n <= 40 * MiB && !pipe(p)) { fcntl(p[1], F_SETFL, O_NONBLOCK); w = write(p[1], b, 65536); n += w > 0 ? w : 0; } puts(n > 40 * MiB ? \"done\" : \"refused\");", Refused, "descriptors are limited").for_user(OverOr(&[Limit::Memory], Exit::Code(0))),
    c("makes pipes larger", "int p[2]; pipe(p); REFUSED(fcntl(p[1], F_SETPIPE_SZ, MiB));", Refused, "the table"),
    c("fills pairs of sockets", "static char b[65536]; int p[2]; for (int n = 0; n < 3 && fork(); n++) { } while (!socketpair(AF_UNIX, SOCK_STREAM, 0, p)) for (int i = 0; i < 2; i++) { fcntl(p[i], F_SETFL, O_NONBLOCK); while (write(p[i], b, 65536) > 0) { } } pause();", Over(Limit::Memory), GROUP),
    c("sends more descriptors than it may have", "int p[2], f[250] = {0}; long n = 0; socketpair(AF_UNIX, SOCK_STREAM, 0, p); struct { struct cmsghdr h; int f[250]; } m = {{1016, SOL_SOCKET, SCM_RIGHTS}}; struct iovec v = {\"x\", 1}; struct msghdr g = {0, 0, &v, 1, &m, 1016, 0}; while (n < 2000 && sendmsg(p[0], &g, 0) == 1) n += 250; puts(n <= 512 ? \"refused\" : \"done\");", Refused, "those of all its user's programs count"),
    c("sends descriptors in circles", "for (int n = 0; n < 200; n++) { int p[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, p); struct { struct cmsghdr h; int f[2]; } m = {{24, SOL_SOCKET, SCM_RIGHTS}, {p[0], p[1]}}; struct iovec v = {\"x\", 1}; struct msghdr g = {0, 0, &v, 1, &m, 24, 0}; sendmsg(p[0], &g, 0); close(p[0]); close(p[1]); } puts(\"end\");", Says("end"), "the kernel collects circles"),
    c("locks memory", "char *p = malloc(8 * MiB); REFUSED(mlock(p, 8 * MiB)); REFUSED(mlockall(3));", Refused, "no locked memory"),
    c("asks for huge pages", "REFUSED(mmap(0, 2 * MiB, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0));", Refused, "none are set aside"),
    c("hides from those who count", "prctl(PR_SET_DUMPABLE, 0); char *p = malloc(400 * MiB); touch(p, 400 * MiB); puts(\"done\");", Over(Limit::Memory), GROUP),
    c("moves memory about", "char *p = mmap(0, MiB, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); for (int n = 2; n < 500; n++) { p = mremap(p, (n - 1) * MiB, n * MiB, MREMAP_MAYMOVE); if (p == MAP_FAILED) exit(9); touch(p, n * MiB); } puts(\"done\");", Over(Limit::Memory), GROUP),
    c("passes large arguments", "static char *v[3000]; static char b[100000]; memset(b, 'x', 99999); for (int n = 0; n < 2999; n++) v[n] = b; REFUSED(execv(\"/bin/true\", v));", Refused, "the kernel's limit on arguments"),
    c("copies itself on writing", "char *p = malloc(40 * MiB); touch(p, 40 * MiB); for (int n = 0; n < 6; n++) if (!fork()) { touch(p, 40 * MiB); pause(); } sleep(9);", Over(Limit::Memory), GROUP),
    c("holds memory for a moment only", "char *p = malloc(400 * MiB); touch(p, 400 * MiB); free(p); puts(\"end\");", Over(Limit::Memory), "the peak counts"),
    c("runs a million tiny bits", "for (int n = 0; n < 15; n++) if (!fork()) { for (;;) { char *p = mmap(0, 65536, 3, 34, -1, 0); if (p == MAP_FAILED) pause(); touch(p, 65536); } } for (;;) pause();", OverOne(&[Limit::Memory, Limit::Wall]), "the program dies before the worker does").wall(700),
    python("allocates in Python", "x = [bytearray(1 << 20) for _ in range(400)]\nprint('done')", Over(Limit::Memory), GROUP),
    python("multiplies integers", "x = 7\nwhile True: x *= x", OverOne(&[Limit::Cpu, Limit::Memory]), "the limits").cpu(300),
];
