//! Events that tests wait for: files that change, processes that end, programs that reach a point. A test that waits
//! for one depends neither on the load of the machine nor on a guess of how long something takes. An event that does not
//! come for a minute fails the test.

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{
        CWD, FileType, Mode,
        inotify::{self, CreateFlags, WatchFlags},
        mknodat,
    },
    io::Errno,
    process::{Pid, PidfdFlags, pidfd_open},
};
use std::{
    fs::{self, File},
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::PermissionsExt,
    },
    path::{Path, PathBuf},
};

/// Waits until there is something of this kind.
#[track_caller]
fn await_event(what: &str, source: impl AsFd, kind: PollFlags) {
    let minute = Timespec { tv_sec: 60, tv_nsec: 0 };
    let ready = loop {
        match poll(&mut [PollFd::new(&source, kind)], Some(&minute)) {
            Err(Errno::INTR) => {}
            other => break other.unwrap(),
        }
    };
    assert!(ready > 0, "nothing happened for a minute; awaited: {what}");
}

/// What happens to files and directories from now on.
pub struct Changes(OwnedFd);

impl Changes {
    /// Changes of these files, and of the files in these directories.
    pub fn of<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Changes {
        let changes = WatchFlags::MODIFY | WatchFlags::CREATE | WatchFlags::MOVED_TO | WatchFlags::DELETE;
        Changes::watch(paths, changes | WatchFlags::CLOSE)
    }

    /// Reads of a file, and attempts to execute it, each when it is over.
    pub fn reads_of(file: &Path) -> Changes {
        Changes::watch([file], WatchFlags::CLOSE_NOWRITE)
    }

    fn watch<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>, flags: WatchFlags) -> Changes {
        let events = inotify::init(CreateFlags::CLOEXEC).unwrap();
        for path in paths {
            inotify::add_watch(&events, path.as_ref(), flags).unwrap();
        }
        Changes(events)
    }

    /// Waits for the next change.
    #[track_caller]
    pub fn next(&self, what: &str) {
        await_event(what, &self.0, PollFlags::IN);
        rustix::io::read(&self.0, &mut [0; 16 << 10]).unwrap();
    }

    /// Looks now and after every change, until there is something to be seen.
    #[track_caller]
    pub fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        loop {
            match look() {
                Some(seen) => return seen,
                None => self.next(what),
            }
        }
    }
}

/// Waits until the mounts that this process sees are as they should be.
#[track_caller]
pub fn await_mounts(fits: impl Fn() -> bool) {
    let mounts = File::open("/proc/self/mountinfo").unwrap();
    while !fits() {
        await_event("a change of the mounts", &mounts, PollFlags::PRI);
    }
}

/// All running processes.
pub struct Processes(Vec<OwnedFd>);

impl Processes {
    pub fn of(pids: &[u32]) -> Processes {
        let open = |pid: &u32| pidfd_open(Pid::from_raw(*pid as i32)?, PidfdFlags::empty()).ok();
        Processes(pids.iter().filter_map(open).collect())
    }

    /// Waits until all of them have ended.
    #[track_caller]
    pub fn await_end(self) {
        self.0.iter().for_each(|process| await_event("the end of a process", process, PollFlags::IN));
    }
}

/// A point that a program reaches, in a sandbox or not, and where it waits until the test lets it pass: it reads a line
/// of the file [`Gate::file`].
pub struct Gate {
    dir: tempfile::TempDir,
    arrivals: Changes,
    /// Open for reading and writing, so that opening does not block.
    _fifo: File,
}

impl Gate {
    pub fn new() -> Gate {
        Gate::below(&std::env::temp_dir())
    }

    /// A gate whose opening changes no other directory than this one.
    pub fn below(dir: &Path) -> Gate {
        let dir = tempfile::tempdir_in(dir).unwrap();
        fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let file = dir.path().join("gate");
        mknodat(CWD, &file, FileType::Fifo, Mode::from(0o644), 0).unwrap();
        let fifo = File::options().read(true).write(true).open(&file).unwrap();
        Gate { dir, arrivals: Changes::watch([&file], WatchFlags::OPEN), _fifo: fifo }
    }

    /// The directory to be mounted where the program looks for the file.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn file(&self) -> PathBuf {
        self.dir.path().join("gate")
    }

    /// Waits until a program is there.
    #[track_caller]
    pub fn await_arrival(&self) {
        self.arrivals.next("a program that opens the gate");
    }

    /// Opens the gate for good.
    pub fn open(self) {}
}
