//! Chapter: what the sandbox promises, tried for real: as root if we are, and as
//! a user without rights.

mod busy;
mod calls;
mod doctor;
mod limits;
mod modes;
mod pairs;
mod survival;
mod toolchains;
mod views;

use kopek::{base::Bytes, sandbox::*};
use std::{path::PathBuf, time::Duration};

/// Where the worker program lies for a run of these tests as somebody else.
const WORKER: &str = "KOPEK_TEST_WORKER";

fn worker() -> PathBuf {
    std::env::var_os(WORKER).map_or_else(|| env!("CARGO_BIN_EXE_kopek").into(), Into::into)
}

fn open() -> Sandbox {
    Sandbox::open(&worker()).expect("a sandbox")
}

/// The tests of this chapter once more, as a user without any rights, when we are root.
/// An ordinary user has just run them as such.
#[test]
fn all_of_it_holds_for_an_ordinary_user() {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    if !rustix_is_root() {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (tests, kopek) = (dir.path().join("it"), dir.path().join("kopek"));
    std::fs::copy(std::env::current_exe().unwrap(), &tests).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_kopek"), &kopek).unwrap();
    let done = std::process::Command::new(&tests)
        .args(["sandbox::", "--skip", "ordinary_user"])
        .env(WORKER, &kopek)
        .env("TMPDIR", "/tmp")
        .current_dir("/")
        .uid(64_999)
        .gid(64_999)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}

fn rustix_is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(2),
        wall: Duration::from_secs(5),
        memory: Bytes::mib(256),
        output: Bytes::mib(1),
        files: Bytes::mib(16),
        processes: 16,
    }
}

fn exec(argv: &[&str]) -> Exec {
    Exec {
        argv: argv.iter().map(|s| s.to_string()).collect(),
        env: vec![],
        view: View::default(),
        cwd: "/box".into(),
        files: vec![],
        stdin: Input::Nothing,
        limits: limits(),
        keep: Keep::Nothing,
    }
}

fn sh(script: &str) -> Exec {
    exec(&["sh", "-c", script])
}

/// A view in which the box can be written to.
fn writable(mut exec: Exec) -> Exec {
    exec.view.writable = true;
    exec
}
