//! Directories of one test run: a store that chapters share, and files that must not be below `/tmp`.
//! All of it goes when this process is gone, however it ends.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::OnceLock,
};
use tempfile::TempDir;

/// A directory of this run, not yet there.
pub fn path(name: &str) -> PathBuf {
    home().disk.join(name)
}

/// One store for all chapters that allow known facts: equal jobs run once.
pub fn store() -> PathBuf {
    home().memory.join("store")
}

/// A temporary directory where [`store`] is, for fake machines: with them, waiting for the disk would be nine tenths
/// of the time.
pub fn memory_dir() -> TempDir {
    tempfile::tempdir_in(&home().memory).unwrap()
}

/// A store for what the release judges: its times are not those of the tests' program.
pub fn release_store() -> PathBuf {
    path("release-store")
}

/// Where things of this run lie.
struct Home {
    disk: PathBuf,
    /// In memory, if there is room: a store waits for the disk at every fact, and many tests at once wait for each
    /// other.
    memory: PathBuf,
    _sweeper: ChildStdin,
}

fn home() -> &'static Home {
    static HOME: OnceLock<Home> = OnceLock::new();
    HOME.get_or_init(create_home)
}

/// The harness calls nothing at its end, so a child waits for the end of its input, which is that of this
/// process. A group of its own keeps Ctrl-C from it.
fn create_home() -> Home {
    let name = format!("run-{}", std::process::id());
    let disk = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
    fs::create_dir_all(&disk).unwrap();
    let in_memory = Path::new("/dev/shm").join(format!("kopek-tests-{name}"));
    let memory =
        if has_room("/dev/shm") && fs::create_dir(&in_memory).is_ok() { in_memory } else { disk.clone() };
    let mut sweeper = Command::new("sh");
    sweeper.args(["-c", "cat; rm -rf \"$0\" \"$1\""]).args([&disk, &memory]).process_group(0);
    sweeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let _sweeper = sweeper.spawn().unwrap().stdin.take().unwrap();
    Home { disk, memory, _sweeper }
}

/// A container may have 64 MiB there, which the headers compiled for builds exceed.
fn has_room(dir: &str) -> bool {
    rustix::fs::statvfs(dir).is_ok_and(|place| place.f_bavail * place.f_frsize >= 4 << 30)
}
