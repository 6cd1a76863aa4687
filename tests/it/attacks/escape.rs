//! Rights: gaining them, keeping what the worker had, and the doors of `/proc`.

use super::attempt::{Attack, OverOne, Refused, Says, c, python, sh};
use kopek::sandbox::Limit;

const GAINED: &str = "no capability, no set-user-id, no new privileges";
const OWN: &str = "only its own processes are there";

pub const ATTACKS: &[Attack] = &[
    sh("becomes root by su", "su -c 'echo done' </dev/null >/dev/null 2>&1 && echo done; echo refused", Refused, GAINED),
    sh("mounts by mount", "mount -t tmpfs none /box 2>/dev/null && echo done; umount /usr 2>/dev/null && echo done; echo refused", Refused, GAINED),
    sh("makes namespaces by unshare", "unshare -r true 2>/dev/null && echo done; unshare -m true 2>/dev/null && echo done; echo refused", Refused, GAINED),
    sh("runs a set-user-id copy", "cp /bin/dash d && chmod 6755 d; ./d -c 'test $(id -u) = 0 && echo done; echo refused'", Refused, GAINED).writable(),
    c("becomes another user", "REFUSED(setuid(0)); REFUSED(seteuid(0)); REFUSED(setresuid(0, 0, 0)); REFUSED(setuid(1)); REFUSED(setreuid(65534, 65534));", Refused, GAINED),
    c("becomes another group", "REFUSED(setgid(0)); REFUSED(setresgid(0, 0, 0)); gid_t g[1] = {0}; REFUSED(setgroups(1, g)); REFUSED(setgroups(0, 0)); SYS(setfsuid, 0); SYS(setfsgid, 0);", Refused, GAINED),
    c("takes capabilities", "int h[2] = {0x20080522, 0}, d[6] = {-1, -1, -1, -1, -1, -1}; SYS(capset, h, d); REFUSED(prctl(47, 2, 1, 0, 0)); REFUSED(prctl(PR_SET_SECUREBITS, 1)); REFUSED(prctl(PR_SET_KEEPCAPS, 1));", Refused, GAINED),
    c("has capabilities", "int h[2] = {0x20080522, 0}, d[6] = {0}; syscall(SYS_capget, h, d); puts(d[0] | d[1] | d[3] | d[4] ? \"done\" : \"refused\");", Refused, "dropped before it began"),
    c("has a bounding set", "for (int n = 0; n < 41; n++) REFUSED(prctl(PR_CAPBSET_READ, n) == 1 ? 0 : -1);", Refused, "emptied before it began").needs_namespaces(),
    c("unsets what forbids new privileges", "REFUSED(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0)); puts(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? \"refused\" : \"done\");", Refused, "it cannot be unset"),
    c("changes how it is seen", "REFUSED(prctl(35, 8, 0, 0, 0)); REFUSED(prctl(PR_SET_PTRACER, -1)); REFUSED(prctl(PR_SET_CHILD_SUBREAPER, 1)); REFUSED(prctl(PR_MCE_KILL, 1, 0));", Refused, "the table"),
    c("holds descriptors that are not its own", "for (int n = 3; n < 4096; n++) if (fcntl(n, F_GETFD) >= 0) printf(\"%d was done\\n\", n); puts(\"refused\");", Refused, "all but three are closed"),
    c("finds secrets in its environment", "extern char **environ; for (char **e = environ; *e; e++) if (strncmp(*e, \"PATH=\", 5) && strncmp(*e, \"HOME=\", 5) && strncmp(*e, \"LANG=\", 5) && strncmp(*e, \"PWD=\", 4)) puts(\"done\"); puts(\"refused\");", Refused, "a clean environment"),
    c("signals the group of the worker", "setpgid(0, 1); kill(0, SIGSTOP); kill(0, SIGTERM); kill(0, SIGKILL); puts(\"done\");", OverOne(&[Limit::Wall]), "process 1 hears nothing from inside").wall(400),
    c("looks into process 1", r#"hidden("/proc/1/environ"); hidden("/proc/1/mem"); hidden("/proc/1/maps"); hidden("/proc/1/root"); hidden("/proc/1/fd"); hidden("/proc/1/cwd");"#, Refused, OWN).proc(),
    c("reads the command lines of others", r#"hidden("/proc/1/cmdline"); hidden("/proc/1/status");"#, Refused, OWN).proc().needs_own_proc(),
    c("looks around in /proc", r#"hidden("/proc/kcore"); hidden("/proc/keys"); hidden("/proc/kallsyms"); hidden("/proc/meminfo"); hidden("/proc/mounts/x"); hidden("/proc/sys/kernel/core_pattern"); hidden("/proc/cmdline"); hidden("/proc/net/tcp/x");"#, Refused, OWN).proc().needs_own_proc(),
    c("pulls the machine's levers", r#"REFUSED(open("/proc/sysrq-trigger", O_WRONLY)); REFUSED(open("/proc/sys/kernel/core_pattern", O_WRONLY)); REFUSED(open("/proc/sys/vm/drop_caches", O_WRONLY)); REFUSED(open("/sys/power/state", O_WRONLY)); REFUSED(open("/proc/sys/user/max_user_namespaces", O_WRONLY));"#, Refused, OWN).proc(),
    c("saves itself when memory runs out", r#"REFUSED(open("/proc/self/oom_score_adj", O_WRONLY)); REFUSED(open("/proc/self/oom_adj", O_WRONLY)); REFUSED(open("/proc/self/coredump_filter", O_WRONLY));"#, Refused, "/proc cannot be written to").proc(),
    c("writes to itself by /proc", r#"REFUSED(open("/proc/self/mem", O_RDWR)); REFUSED(open("/proc/self/clear_refs", O_WRONLY)); REFUSED(open("/proc/self/comm", O_WRONLY)); REFUSED(open("/proc/self/uid_map", O_WRONLY)); REFUSED(open("/proc/self/attr/current", O_WRONLY));"#, Refused, "/proc cannot be written to").proc(),
    c("enters namespaces by /proc", r#"char *k[] = {"mnt", "net", "pid", "user", "ipc", "uts", "cgroup"}; for (int n = 0; n < 7; n++) { char p[40]; sprintf(p, "/proc/self/ns/%s", k[n]); int f = open(p, O_RDONLY); REFUSED(setns(f, 0)); sprintf(p, "/proc/1/ns/%s", k[n]); REFUSED(open(p, O_RDONLY)); }"#, Refused, "setns is refused").proc(),
    c("leaves by the doors of /proc", r#"hidden("/proc/self/root/root"); hidden("/proc/self/cwd/../root"); hidden("/proc/self/root/etc/shadow"); hidden("/proc/self/task/1/root");"#, Refused, "its root is its root").proc(),
    c("overwrites its program by /proc", r#"REFUSED(open("/proc/self/exe", O_WRONLY)); REFUSED(open("/proc/self/exe", O_RDWR | O_TRUNC)); KEPT("/proc/self/exe", fchmodat(AT_FDCWD, "/proc/self/exe", 0777, 0));"#, Refused, "a read-only mount").proc(),
    c("learns of the worker's group", r#"char l[512]; FILE *f = fopen("/proc/self/cgroup", "r"); while (f && fgets(l, 512, f)) puts(strstr(l, ":/\n") ? "refused" : "done");"#, Refused, "a namespace of groups").proc().needs_namespaces(),
    c("runs a program without a file", r#"int f = memfd_create("x", 0); char b[65536]; int g = open("/bin/true", O_RDONLY), n; while ((n = read(g, b, 65536)) > 0) write(f, b, n); char *v[] = {"x", 0}; syscall(SYS_execveat, f, "", v, v, AT_EMPTY_PATH); puts("refused");"#, Says(""), "it is as confined as any other").for_user(Refused),
    c("runs without a dynamic loader's leave", r#"char *v[] = {"ld", "/bin/true", 0}; setenv("LD_PRELOAD", "/box/x.so", 1); setenv("LD_LIBRARY_PATH", "/box", 1); execv("/bin/true", v); puts("done");"#, Says(""), "its own process only"),
    c("counts the host's processors and users", "char b[65]; gethostname(b, 65); puts(strcmp(b, \"box\") ? \"done\" : \"refused\"); puts(getpid() == 2 ? \"refused\" : \"done\");", Refused, "names and numbers are always the same").needs_namespaces(),
    python("imports from where others can write", "import sys\nprint('done' if any(p.startswith(('/box', '/tmp', '/home', '/root')) for p in sys.path) else 'refused')", Refused, "no such places"),
    python("reads everything it can", "import os\nbad = [os.path.join(d, f) for top in ('/etc', '/dev', '/box', '/exe') for d, _, fs in os.walk(top) for f in fs if 'shadow' in f or 'secret' in f or 'ssh_host' in f]\nprint('done' if bad else 'refused')", Refused, "not mounted"),
    c("frees itself by a core dump's program", r#"struct rlimit l; getrlimit(RLIMIT_CORE, &l); puts(l.rlim_cur == 1 && l.rlim_max == 1 ? "refused" : "done");"#, Refused, "one byte: no program is started for it, and it cannot be changed"),
    sh("asks for a password's file by every tool", "for f in /etc/shadow /etc/sudoers /root/.bashrc /var/log/syslog; do for t in cat head od base64 strings; do $t $f 2>/dev/null && echo done; done; done; echo refused", Refused, "not mounted"),
];
