//! Places for one run of the tests: a store that chapters share, and what must not lie below `/tmp`.
//! All of it goes when this process is gone, however it ends.

use std::{
    fs,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{ChildStdin, Command, Stdio},
    sync::OnceLock,
};

/// A directory of this run, not yet there.
pub fn path(name: &str) -> PathBuf {
    static HOME: OnceLock<(PathBuf, ChildStdin)> = OnceLock::new();
    HOME.get_or_init(create_home).0.join(name)
}

/// One store for all chapters whose tests do not care what is known already: what is equal is run once.
pub fn store() -> PathBuf {
    path("store")
}

/// The same for what the release judges: its times are not those of the tests' program.
pub fn release_store() -> PathBuf {
    path("release-store")
}

/// The harness calls nothing at its end, so a child waits for the end of its input, which is that of this
/// process. A group of its own keeps Ctrl-C from it.
fn create_home() -> (PathBuf, ChildStdin) {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("run-{}", std::process::id()));
    fs::create_dir_all(&home).unwrap();
    let mut sweeper = Command::new("sh");
    sweeper.args(["-c", "cat; rm -rf \"$0\""]).arg(&home).process_group(0);
    sweeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let input = sweeper.spawn().unwrap().stdin.take().unwrap();
    (home, input)
}
