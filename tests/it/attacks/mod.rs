//! Chapter: attacks. Hostile programs, a few lines each, run for real: as root if
//! we are, and as a user without rights. None may succeed, each must end as its
//! row says, and the next program in the same place must find nothing of it.

mod bombs;
mod calls;
mod escape;
mod files;
mod hostile;
mod kept;
mod memory;
mod network;
mod notes;
mod output;
mod processes;
mod sources;

use hostile::{Attack, Hall};
use kopek::sandbox::*;
use std::{
    path::PathBuf,
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Where the worker program lies for a run of these tests as somebody else.
const WORKER: &str = "KOPEK_TEST_WORKER";

fn worker() -> PathBuf {
    std::env::var_os(WORKER).map_or_else(|| env!("CARGO_BIN_EXE_kopek").into(), Into::into)
}

fn open() -> Sandbox {
    Sandbox::open(&worker()).expect("a sandbox")
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
}

/// Whether memory and processes are held by a cgroup.
fn grouped() -> bool {
    static GROUPED: OnceLock<bool> = OnceLock::new();
    *GROUPED.get_or_init(|| !open().mode().ends_with("no cgroup"))
}

/// All rows of the chapters with programs.
fn programs() -> Vec<&'static Attack> {
    let chapters = [
        files::ATTACKS,
        processes::ATTACKS,
        memory::ATTACKS,
        output::ATTACKS,
        network::ATTACKS,
        calls::ATTACKS,
        escape::ATTACKS,
    ];
    chapters.into_iter().flatten().collect()
}

/// One attack: its name, and what tries it and says how it went wrong.
type Trial<'a> = (String, Box<dyn Fn(&mut Slot) -> Result<(), String> + Send + Sync + 'a>);

fn trials<'a>(hall: &'a Hall) -> Vec<Trial<'a>> {
    let mut all: Vec<Trial> = Vec::new();
    for (number, attack) in programs().into_iter().enumerate() {
        all.push((attack.name.into(), Box::new(move |slot| hall.face(slot, number, attack))));
    }
    for row in kept::ATTACKS {
        all.push((row.name.into(), Box::new(move |slot| kept::face(slot, row))));
    }
    for row in notes::ATTACKS {
        all.push((row.name.into(), Box::new(move |slot| notes::face(slot, row))));
    }
    all
}

/// Tries all of them, side by side; what went wrong with those that did not end as they should.
fn face(trials: &[Trial]) -> Vec<String> {
    let (sandbox, next, wrong) = (open(), AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        let mut slot = sandbox.slot(None);
        while let Some((name, trial)) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = trial(&mut slot) {
                wrong.lock().unwrap().push(format!("{name}: {what}"));
            }
        }
    };
    std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(work))));
    wrong.into_inner().unwrap()
}

/// The same test as a user without rights; what it printed.
fn as_user(test: &str) -> String {
    use std::os::unix::{fs::PermissionsExt, process::CommandExt};
    let dir = tempfile::tempdir().unwrap();
    std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let (tests, kopek) = (dir.path().join("it"), dir.path().join("kopek"));
    std::fs::copy(std::env::current_exe().unwrap(), &tests).unwrap();
    std::fs::copy(worker(), &kopek).unwrap();
    let mut command = std::process::Command::new(&tests);
    command.args(["--exact", test, "--nocapture"]).env(WORKER, &kopek).env("TMPDIR", "/tmp");
    let done = command.current_dir("/").uid(64_998).gid(64_998).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    said
}

/// How many attacks the user's run of a test tells of.
fn counted(said: &str) -> usize {
    let line = said.lines().find_map(|line| line.split_once(" attacks as user, 0 successes"));
    let count = line.and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok());
    count.unwrap_or_else(|| panic!("the user's run tells no count: {said}"))
}

#[test]
#[allow(clippy::print_stdout, reason = "the count is what this chapter is asked for")]
fn no_hostile_program_succeeds() {
    let hall = Hall::new(&mut open().slot(None));
    let trials = trials(&hall);
    let wrong = face(&trials);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), trials.len(), wrong.join("\n"));
    let count = trials.len();
    assert!(count >= 120, "only {count} attacks are left");
    if is_root() {
        let user = counted(&as_user("attacks::no_hostile_program_succeeds"));
        println!("{count} attacks as root, {user} as user, 0 successes");
    } else {
        println!("\n{count} attacks as user, 0 successes");
    }
}
