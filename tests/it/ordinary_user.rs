//! Runs tests again as an unprivileged user, if the tests run as root.
//! An ordinary user has just run them as such.

use crate::surroundings;
use kopek::sandbox::{Sandbox, SandboxOptions};
use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

/// Where the program lies for the user, who cannot enter the build directory.
pub const WORKER: &str = "KOPEK_TEST_WORKER";
/// Users that no person has, other ones for each process; each run has another, because the kernel counts processes by
/// user.
static NEXT_USER: LazyLock<AtomicU32> =
    LazyLock::new(|| AtomicU32::new(40_000 + 4 * (std::process::id() % 5_000)));

/// The program that becomes the worker of a sandbox.
pub fn worker() -> PathBuf {
    env::var_os(WORKER).map_or_else(|| env!("CARGO_BIN_EXE_kopek").into(), Into::into)
}

/// A sandbox with that worker; without cgroups where the surroundings have none.
pub fn open_sandbox() -> Sandbox {
    let without_cgroups = surroundings::are_narrow();
    let wish = SandboxOptions { without_cgroups, ..SandboxOptions::default() };
    Sandbox::open_with(&worker(), wish).expect("a sandbox")
}

/// What such a sandbox says that it cannot do here.
pub fn weak_points() -> &'static [String] {
    static FOUND: LazyLock<Vec<String>> = LazyLock::new(|| open_sandbox().warnings());
    &FOUND
}

pub fn is_started_by_root() -> bool {
    env::var_os(WORKER).is_some()
}

pub fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// Copies a program that is executed next. By a process of its own: one that another test starts at this moment would
/// hold the file open for writing for a while, and the kernel executes no such file.
pub fn copy_program(from: &Path, to: &Path) {
    assert!(Command::new("cp").args([from, to]).status().unwrap().success(), "copy {}", from.display());
}

/// Runs the tests that these arguments choose; their output. Only root can do this.
#[track_caller]
pub fn run_tests(arguments: &[&str]) -> String {
    run_tests_with(arguments, &[])
}

/// As [`run_tests`], with these variables in its environment.
#[track_caller]
pub fn run_tests_with(arguments: &[&str], variables: &[(&str, String)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let (tests, kopek) = (dir.path().join("it"), dir.path().join("kopek"));
    copy_program(&env::current_exe().unwrap(), &tests);
    copy_program(&worker(), &kopek);
    let mut command = Command::new(&tests);
    command.args(arguments).env(WORKER, &kopek).env("TMPDIR", "/tmp").current_dir("/");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let user = NEXT_USER.fetch_add(1, Ordering::Relaxed);
    let output = command.uid(user).gid(user).output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(output.status.success() && !out.contains("running 0 tests"), "{out}{err}");
    for line in err.lines().filter(|line| line.starts_with("skipped: ")) {
        crate::skip::note(&format!("as an ordinary user {line}"));
    }
    out.into_owned()
}
