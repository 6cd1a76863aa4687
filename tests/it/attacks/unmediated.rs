//! Without namespaces a program is the judge's own user if that is an ordinary one, and Landlock does
//! not mediate modes, owners, times and attributes of files: the table of calls must.

use super::attempt::exec;
use crate::ordinary_user::{self, is_root, worker};
use kopek::sandbox::*;
use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::Command,
};

/// A slot without namespaces and cgroups; none on a kernel before Linux 6.12.
fn weakest_slot() -> Option<Slot> {
    let wish = SandboxOptions { isolation: Some(Isolation::Landlock), without_cgroups: true };
    match Sandbox::open_with(&worker(), wish) {
        Ok(sandbox) => Some(sandbox.slot(None)),
        Err(fault) => {
            assert!(fault.what.contains("since Linux 6.12"), "{fault}");
            None
        }
    }
}

/// Tries every call that changes more of a file than its contents, on each path that it reads.
const CHANGER: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    char p[4096];
    long old[4] = {1, 0, 1, 0}, attributes[4] = {0}, xattr[2] = {(long)"x", 1};
    while (scanf("%4095s", p) == 1) {
        int fd = open(p, O_RDONLY), path_fd = open(p, O_PATH), flags = 0x40;
        syscall(SYS_chmod, p, 06777);
        syscall(SYS_fchmod, fd, 06777);
        syscall(SYS_fchmod, path_fd, 06777);
        syscall(SYS_fchmodat, AT_FDCWD, p, 06777);
        syscall(452 /* fchmodat2 */, AT_FDCWD, p, 06777, 0);
        syscall(452, fd, "", 06777, AT_EMPTY_PATH);
        syscall(452, path_fd, "", 06777, AT_EMPTY_PATH);
        syscall(SYS_chown, p, getuid(), getgid());
        syscall(SYS_lchown, p, getuid(), getgid());
        syscall(SYS_fchown, fd, getuid(), getgid());
        syscall(SYS_fchownat, AT_FDCWD, p, getuid(), getgid(), 0);
        syscall(SYS_utime, p, old);
        syscall(SYS_utimes, p, old);
        syscall(SYS_futimesat, AT_FDCWD, p, old);
        syscall(SYS_utimensat, AT_FDCWD, p, old, 0);
        syscall(SYS_utimensat, fd, 0, old, 0);
        syscall(SYS_setxattr, p, "user.x", "x", 1, 0);
        syscall(SYS_lsetxattr, p, "user.x", "x", 1, 0);
        syscall(SYS_fsetxattr, fd, "user.x", "x", 1, 0);
        syscall(SYS_removexattr, p, "user.kept");
        syscall(463 /* setxattrat */, AT_FDCWD, p, 0, "user.x", xattr, 16);
        syscall(469 /* file_setattr */, AT_FDCWD, p, attributes, 24, 0);
        ioctl(fd, 0x40086602 /* FS_IOC_SETFLAGS */, &flags);
        ioctl(fd, 0x401c5820 /* FS_IOC_FSSETXATTR */, attributes);
    }
    puts("tried");
}
"#;

/// Makes files that would serve another user to become the judge's, and opens its box to him.
const OPENER: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#define REFUSED(call) puts((call) < 0 ? "refused" : #call " was done")
int main(void) {
    REFUSED(open("a", O_CREAT | O_WRONLY, 04755));
    REFUSED(open("b", O_CREAT | O_EXCL | O_RDWR, 02755));
    REFUSED(openat(AT_FDCWD, "c", O_CREAT | O_WRONLY, 06755));
    REFUSED(open(".", O_TMPFILE | O_RDWR, 04755));
    REFUSED(openat(AT_FDCWD, ".", O_TMPFILE | O_RDWR, 02755));
    REFUSED(syscall(SYS_creat, "d", 04755));
    REFUSED(syscall(SYS_mkdir, "e", 02755));
    REFUSED(mkdirat(AT_FDCWD, "f", 04755));
    REFUSED(mknod("g", S_IFREG | 04755, 0));
    int f = open("h", O_CREAT | O_WRONLY, 0755);
    fchmod(f, 06755);
    chmod(".", 0777);
    struct stat s;
    for (int i = 0; i < 2; i++) {
        if (i ? fstat(f, &s) : stat(".", &s)) puts("not there");
        puts(s.st_mode & (i ? 06022 : 06077) ? "opened" : "refused");
    }
}
"#;

/// Compiles on the host: nothing of it is run there.
fn compile(dir: &Path, source: &str) {
    fs::set_permissions(dir, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(dir.join("hostile.c"), source).unwrap();
    let gcc = Command::new("gcc").args(["-w", "-o", "hostile", "hostile.c"]).current_dir(dir).status();
    assert!(gcc.unwrap().success());
}

/// Everything of a file but its contents and the time of its last reading.
fn attributes_of(path: &PathBuf) -> (u32, u32, u32, [i64; 4]) {
    let m = fs::metadata(path).unwrap();
    (m.mode(), m.uid(), m.gid(), [m.mtime(), m.mtime_nsec(), m.ctime(), m.ctime_nsec()])
}

#[test]
fn without_namespaces_no_program_changes_modes_owners_and_times_of_the_judges_files() {
    let Some(mut slot) = weakest_slot() else { return };
    let home = tempfile::tempdir().unwrap();
    let (closed, exe) = (home.path().join("closed"), home.path().join("exe"));
    [&closed, &exe].into_iter().for_each(|dir| fs::create_dir(dir).unwrap());
    compile(&exe, CHANGER);
    fs::write(closed.join("key"), "private").unwrap();
    fs::set_permissions(closed.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let coveted = [closed.join("key"), closed.clone(), exe.join("hostile"), exe.clone(), home.path().into()];
    let before: Vec<_> = coveted.iter().map(attributes_of).collect();
    for writable in [false, true] {
        let mut run = exec(&["/exe/hostile"]);
        // Not as arguments: inside, those name files of the box.
        run.stdin =
            Input::Bytes(coveted.iter().map(|p| format!("{}\n", p.display())).collect::<String>().into());
        run.view.mounts = vec![ReadOnlyMount { host: exe.clone(), inside: "/exe".into() }];
        run.view.writable = writable;
        let ran = slot.run(&run).unwrap();
        assert_eq!(ran.stdout.bytes().unwrap(), b"tried\n", "{ran:?}");
        let after: Vec<_> = coveted.iter().map(attributes_of).collect();
        assert_eq!(after, before, "{coveted:?}");
    }
    if is_root() {
        ordinary_user::run_tests(&[
            "--exact",
            "attacks::unmediated::without_namespaces_no_program_changes_modes_owners_and_times_of_the_judges_files",
            "--nocapture",
        ]);
    }
}

#[test]
fn without_namespaces_no_program_opens_its_box_or_makes_files_with_set_user_id() {
    let Some(mut slot) = weakest_slot() else { return };
    let exe = tempfile::tempdir().unwrap();
    compile(exe.path(), OPENER);
    let mut run = exec(&["/exe/hostile"]);
    run.view.mounts = vec![ReadOnlyMount { host: exe.path().into(), inside: "/exe".into() }];
    run.view.writable = true;
    let ran = slot.run(&run).unwrap();
    let text = String::from_utf8(ran.stdout.bytes().unwrap()).unwrap();
    assert_eq!(text, "refused\n".repeat(11), "{ran:?}");
    if is_root() {
        ordinary_user::run_tests(&[
            "--exact",
            "attacks::unmediated::without_namespaces_no_program_opens_its_box_or_makes_files_with_set_user_id",
            "--nocapture",
        ]);
    }
}
