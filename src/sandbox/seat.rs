//! The judge's side of one worker: starting it, talking to it with a deadline,
//! and letting it go. Whatever goes wrong is a fault and the next run gets a new one.

use super::{
    exec::Fault,
    groups::Peaks,
    keeper,
    order::{Order, Reply, Setup, Walls, tag},
    place::Room,
    wire::{self, MOST},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    net::{AddressFamily, SocketFlags, SocketType, socketpair},
    time::Timespec,
};
use std::{
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
        unix::process::CommandExt,
    },
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// How long a worker may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// The first of the host ids that inner users are mapped to; far from those of people
/// and services, and from the ranges given to containers.
const FIRST_ID: u32 = 0x6000_0000;

/// A chair for one worker at a time.
#[derive(Debug, Default)]
pub struct Seat {
    keeper: Option<Keeper>,
    worker: Option<Worker>,
    /// How many workers sat here.
    raised: u64,
}

#[derive(Debug)]
struct Keeper {
    child: Child,
    /// None while it is being let go.
    control: Option<OwnedFd>,
}

/// A worker that is ready.
#[derive(Debug)]
pub struct Worker {
    /// How it was set up.
    pub setup: Setup,
    /// Its box.
    pub room: Room,
    /// Of what runs its group tells the peak.
    pub peaks: Peaks,
    line: OwnedFd,
    counters: Option<(File, File)>,
    buffer: Vec<u8>,
}

fn fault(act: &str, error: impl std::fmt::Display) -> Fault {
    Fault::new(format!("{act}: {error}"))
}

fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

impl Keeper {
    /// Executes our own program again: the new process is small, whatever we hold.
    fn start(exe: &File) -> Result<Keeper, Fault> {
        let act = "start a sandbox keeper";
        let (ours, theirs) = pair().map_err(|e| fault(act, e))?;
        // By descriptor: nobody can put another program at its path, and the path may be closed to us.
        let child = Command::new(format!("/proc/self/fd/{}", exe.as_raw_fd()))
            .arg0(keeper::NAME)
            .env_clear()
            .current_dir("/")
            .stdin(theirs)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| fault(act, e))?;
        Ok(Keeper { child, control: Some(ours) })
    }
}

impl Drop for Keeper {
    /// Hanging up ends it; it cleans up by itself.
    fn drop(&mut self) {
        self.control = None;
        let _ = self.child.wait();
    }
}

impl Seat {
    /// A worker for this setup: the one that sits here, or a new one.
    pub fn worker(&mut self, exe: &File, mut setup: Setup) -> Result<&mut Worker, Fault> {
        let fits = |worker: &Worker| {
            let room = worker.setup.room;
            let mut same = setup.clone();
            (same.room, same.ids) = (room, worker.setup.ids);
            same.host_box.clone_from(&worker.setup.host_box);
            same == worker.setup
                && room >= setup.room
                && room.0 <= setup.room.0.saturating_mul(4).max(1 << 20)
        };
        if !self.worker.as_ref().is_some_and(fits) {
            self.worker = None;
            let again = self.keeper.is_some();
            let mut done = self.raise(exe, &mut setup);
            if done.is_err() && again {
                // The keeper may have died since its last worker.
                self.keeper = None;
                done = self.raise(exe, &mut setup);
            }
            // A keeper that failed once is not asked again.
            let worker = done.inspect_err(|_| self.keeper = None)?;
            self.worker = Some(worker);
        }
        self.worker.as_mut().ok_or_else(|| Fault::new("no worker"))
    }

    fn raise(&mut self, exe: &File, setup: &mut Setup) -> Result<Worker, Fault> {
        let act = "start a sandbox worker";
        let keeper = match self.keeper.take() {
            Some(keeper) => self.keeper.insert(keeper),
            None => self.keeper.insert(Keeper::start(exe)?),
        };
        if setup.ids.is_some() {
            setup.ids = Some(FIRST_ID + 2 * keeper.child.id());
        }
        self.raised += 1;
        if setup.walls == Walls::Landlock {
            setup.host_box.push(format!("kopek.{}.{}", keeper.child.id(), self.raised));
        }
        let (line, theirs) = pair().map_err(|e| fault(act, e))?;
        let control = keeper.control.as_ref().ok_or_else(|| Fault::new("the keeper was let go"))?;
        wire::send(control, &setup.put(), &[theirs.as_fd()]).map_err(|e| fault(act, e))?;
        drop(theirs);
        let mut buffer = vec![0; MOST];
        let end = Instant::now() + PATIENCE;
        let (kind, _, fds) = match hear(&line, &mut buffer, end) {
            // Its last words are on the other socket.
            Err(e) => return Err(last_words(control, &mut buffer).unwrap_or(e)),
            Ok(heard) => heard,
        };
        let mut words = [0; 2];
        let counters = match hear(control, &mut words, end)? {
            (tag::COUNTERS, _, fds) => {
                <[OwnedFd; 2]>::try_from(fds).ok().map(|[a, b]| (File::from(a), File::from(b)))
            }
            _ => None,
        };
        let peaks = Peaks::get(words[1]);
        let owner = setup.ids.map(|first| first + 1);
        match (kind, fds.into_iter().next()) {
            (tag::READY, Some(root)) => {
                let room = Room::new(root, owner, setup.walls == Walls::Landlock)?;
                Ok(Worker { setup: setup.clone(), room, peaks, line, counters, buffer })
            }
            _ => Err(Fault::new(format!("{act}: it sent no box"))),
        }
    }

    /// Ends everything that belongs to the run that has just ended, where the worker cannot:
    /// without a process namespace only the keeper is outside their group.
    pub fn end_run(&mut self) -> Result<(), Fault> {
        let (Some(worker), Some(keeper)) = (&mut self.worker, &self.keeper) else { return Ok(()) };
        if worker.setup.walls == Walls::Namespaces {
            return Ok(());
        }
        let control = keeper.control.as_ref().ok_or_else(|| Fault::new("the keeper was let go"))?;
        wire::send(control, keeper::END, &[]).map_err(|e| fault("end a run", e))?;
        match hear(control, &mut worker.buffer, Instant::now() + PATIENCE)? {
            (tag::ENDED, ..) => Ok(()),
            _ => Err(Fault::new("the sandbox keeper said something unexpected")),
        }
    }

    /// The worker that sits here.
    pub fn present(&mut self) -> Result<&mut Worker, Fault> {
        self.worker.as_mut().ok_or_else(|| Fault::new("no worker"))
    }

    /// Lets the worker go; the next run gets a new one.
    pub fn renew(&mut self) {
        self.worker = None;
    }
}

fn last_words(control: &OwnedFd, buffer: &mut [u8]) -> Option<Fault> {
    let soon = Instant::now() + Duration::from_millis(200);
    let mut words = None;
    loop {
        match hear(control, buffer, soon) {
            Err(e) if e.what == VANISHED || e.what == SILENT => return words,
            Err(e) => words = Some(e),
            Ok(_) => {}
        }
    }
}

const VANISHED: &str = "the sandbox worker vanished";
const SILENT: &str = "the sandbox worker does not answer";

/// Waits until a message can be read, until a time.
fn await_news(socket: &OwnedFd, end: Instant) -> Result<(), Fault> {
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        match poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return Err(Fault::new(SILENT)),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(fault("wait for the sandbox worker", e)),
        }
    }
}

/// One message: its tag, its length and descriptors. A worker's own fault is a fault.
fn hear(socket: &OwnedFd, buffer: &mut [u8], end: Instant) -> Result<(u8, usize, Vec<OwnedFd>), Fault> {
    await_news(socket, end)?;
    let (n, fds) = wire::receive(socket, buffer).map_err(|e| fault("hear the sandbox worker", e))?;
    match buffer[..n].first() {
        None => Err(Fault::new(VANISHED)),
        Some(&tag::FAULT) => Err(Fault::new(String::from_utf8_lossy(&buffer[1..n]))),
        Some(kind) => Ok((*kind, n, fds)),
    }
}

impl Worker {
    /// Sends an order with its three streams.
    pub fn order(&self, order: &Order, stdio: &[BorrowedFd; 3]) -> Result<(), Fault> {
        wire::send(&self.line, &order.put(), stdio).map_err(|e| fault("order a run", e))
    }

    /// Waits for the program's own descriptor, if it was asked for.
    pub fn started(&mut self, end: Instant) -> Result<OwnedFd, Fault> {
        match hear(&self.line, &mut self.buffer, end)? {
            (tag::STARTED, _, mut fds) if !fds.is_empty() => Ok(fds.remove(0)),
            _ => Err(Fault::new("the sandbox worker did not show what it started")),
        }
    }

    /// Waits for what came of the order.
    pub fn reply(&mut self, end: Instant) -> Result<Reply, Fault> {
        match hear(&self.line, &mut self.buffer, end)? {
            (tag::REPLY, n, _) => Reply::get(&self.buffer[1..n]).map_err(|e| fault("read a reply", e)),
            _ => Err(Fault::new("the sandbox worker said something unexpected")),
        }
    }

    /// Tells it to end the run.
    pub fn stop(&self) {
        let _ = wire::send(&self.line, b"x", &[]);
    }

    /// Where its replies arrive.
    pub fn line(&self) -> BorrowedFd<'_> {
        self.line.as_fd()
    }

    /// Instructions retired so far by the programs of this worker, where the machine counts them.
    pub fn instructions(&self) -> Option<u64> {
        let (all, own) = self.counters.as_ref()?;
        let read = |mut file: &File| -> Option<u64> {
            let mut n = [0; 8];
            io::Read::read_exact(&mut file, &mut n).ok()?;
            Some(u64::from_ne_bytes(n))
        };
        read(all)?.checked_sub(read(own)?)
    }
}
