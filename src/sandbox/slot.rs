//! A place where one program runs at a time: what the rest of the judge uses.

use super::{
    exec::*,
    open::Sandbox,
    order::{Order, Reply, Setup, Walls},
    place,
    seat::{Seat, Worker},
    settle::{self, Seen},
};
use crate::base::Bytes;
use rustix::fs::{MemfdFlags, OFlags, fcntl_getfl, fstat, memfd_create};
use std::{
    fs::{File, Metadata},
    io::{self, Write},
    os::{
        fd::AsFd,
        unix::fs::{FileTypeExt, MetadataExt},
    },
    time::{Duration, Instant},
};

/// How long after the wall limit a worker may still be silent.
const GRACE: Duration = Duration::from_secs(5);

/// Files and directories a box may hold, besides what was placed.
const INODES: u64 = 16 << 10;

/// The clean environment.
const ENVIRONMENT: [(&str, &str); 3] =
    [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/box"), ("LANG", "C.UTF-8")];

/// A place where one program runs at a time.
#[derive(Debug)]
pub struct Slot {
    // Before the sandbox: their cgroups must be gone when it leaves its own.
    pub(super) seats: [Seat; 2],
    pub(super) sandbox: Sandbox,
    pub(super) cpu: Option<usize>,
    desk: Desk,
}

/// Files that serve again: making them anew costs a tenth of a run.
#[derive(Debug, Default)]
struct Desk {
    /// Outputs that nothing was written to.
    blank: [Option<Output>; 2],
    /// An empty input, and its flags.
    silence: Option<(File, OFlags)>,
    /// What callers get of an empty output; no program ever holds it.
    empty: Option<File>,
}

/// An output in memory, and the end that a program writes to.
#[derive(Debug)]
struct Output {
    file: File,
    end: File,
    /// Its marks when it was made.
    new: Marks,
}

/// What a program can change of an output without writing: flags that whoever holds it next
/// would see, and everything that moves the time of the last change.
type Marks = (OFlags, i64, u64);

/// Marks of an output, and its size.
fn marks(file: &File, end: &File) -> Result<(Marks, u64), Fault> {
    let stat = fstat(file).map_err(|e| fault("look at an output", e))?;
    Ok(((flags(end)?, stat.st_ctime, stat.st_ctime_nsec), stat.st_size as u64))
}

fn flags(file: &File) -> Result<OFlags, Fault> {
    fcntl_getfl(file).map_err(|e| fault("look at a stream", e))
}

fn null() -> Result<File, Fault> {
    File::open("/dev/null").map_err(|e| fault("open /dev/null", e))
}

impl Desk {
    /// An empty input.
    fn silence(&mut self) -> Result<File, Fault> {
        let silence = match self.silence.take() {
            Some(known) => known,
            None => {
                let file = null()?;
                let flags = flags(&file)?;
                (file, flags)
            }
        };
        let copy = self.silence.insert(silence).0.try_clone();
        copy.map_err(|e| fault("open the input", e))
    }

    /// Forgets an empty input whose flags a program changed: they could be a note.
    fn check_silence(&mut self) -> Result<(), Fault> {
        if let Some((file, before)) = &self.silence
            && flags(file)? != *before
        {
            self.silence = None;
        }
        Ok(())
    }

    /// What a caller gets of an empty output.
    fn nothing(&mut self) -> Result<Captured, Fault> {
        let empty = match self.empty.take() {
            Some(file) => file,
            None => null()?,
        };
        let copy = self.empty.insert(empty).try_clone();
        copy.map(Captured).map_err(|e| fault("keep an output", e))
    }

    fn output(&mut self, which: usize) -> Result<Output, Fault> {
        if let Some(output) = self.blank[which].take() {
            return Ok(output);
        }
        let file = memory_file("output")?;
        let end = write_end(&file)?;
        let (new, _) = marks(&file, &end)?;
        Ok(Output { file, end, new })
    }

    /// What the caller gets of an output: itself, or if it is empty a like one.
    fn give(&mut self, which: usize, mut output: Output) -> Result<(Captured, u64), Fault> {
        let (marks, size) = marks(&output.file, &output.end)?;
        if size > 0 {
            return Ok((Captured(output.file), size));
        }
        if marks == output.new {
            // It may have gone elsewhere without writing.
            io::Seek::rewind(&mut output.end).map_err(|e| fault("keep an output", e))?;
            self.blank[which] = Some(output);
        }
        Ok((self.nothing()?, 0))
    }
}

fn fault(act: impl std::fmt::Display, error: impl std::fmt::Display) -> Fault {
    Fault::new(format!("{act}: {error}"))
}

/// An empty file in memory.
pub(super) fn memory_file(name: &str) -> Result<File, Fault> {
    let made = memfd_create(name, MemfdFlags::CLOEXEC);
    made.map(File::from).map_err(|e| fault("make a file in memory", e))
}

impl Slot {
    pub(super) fn new(sandbox: Sandbox, cpu: Option<usize>) -> Slot {
        Slot { sandbox, cpu, seats: Default::default(), desk: Desk::default() }
    }

    /// Runs a program to its end.
    pub fn run(&mut self, exec: &Exec) -> Result<Ran, Fault> {
        let setup = self.setup(exec)?;
        let Slot { sandbox, seats, desk, .. } = self;
        let done = (|| {
            let stdin = input(exec, desk)?;
            seats[0].worker(sandbox.exe(), setup)?;
            run_in(&mut seats[0], exec, stdin, desk)
        })();
        match done {
            Ok((ran, true)) => Ok(ran),
            Ok((ran, false)) => {
                self.begin_anew();
                Ok(ran)
            }
            Err(e) => {
                self.begin_anew();
                Err(e)
            }
        }
    }

    fn begin_anew(&mut self) {
        self.seats[0].renew();
        self.desk = Desk::default();
    }

    /// Keeps the calling thread on this place's CPU: handing a run over and back is then two short
    /// switches, while to wake another CPU takes longer than many a program. It sleeps meanwhile.
    pub fn settle_here(&self) -> Result<(), Fault> {
        let Some(cpu) = self.cpu else { return Ok(()) };
        let mut only = rustix::thread::CpuSet::new();
        only.set(cpu);
        let done = rustix::thread::sched_setaffinity(None, &only);
        done.map_err(|e| fault(format!("stay on CPU {cpu}"), e))
    }

    /// Throws the worker away: nothing of what ran before can be seen by what runs next.
    pub fn renew(&mut self) {
        self.seats.iter_mut().for_each(Seat::renew);
        // Even of an empty file modes and flags could be a note.
        self.desk = Desk::default();
    }

    /// What the worker for a program must be like.
    pub(super) fn setup(&self, exec: &Exec) -> Result<Setup, Fault> {
        let mut room = 0;
        if exec.view.writable {
            // One page more than may be used: reaching it is the sign that the limit was passed.
            room += exec.limits.files.0.saturating_add(4096);
        }
        if !exec.files.is_empty() {
            // In steps, so that boxes for similar programs are alike.
            room += place::weight(&exec.files)?.max(1 << 20).next_power_of_two();
        }
        Ok(self.sandbox.setup(exec.view.clone(), self.cpu, Bytes(room.max(4096)), INODES))
    }
}

/// One order to the worker that sits here, and what came of it; and whether the
/// worker is as good as before.
fn run_in(seat: &mut Seat, exec: &Exec, stdin: File, desk: &mut Desk) -> Result<(Ran, bool), Fault> {
    let worker = seat.present()?;
    worker.room.fill(&exec.files)?;
    let placed = lain(worker, exec)?;
    let counted = worker.instructions();
    let outputs = [desk.output(0)?, desk.output(1)?];
    let order = order_of(exec, &worker.setup, false);
    worker.order(&order, &[stdin.as_fd(), outputs[0].end.as_fd(), outputs[1].end.as_fd()])?;
    let reply = worker.reply(deadline(&exec.limits))?;
    let instructions = counted.and_then(|before| worker.instructions()?.checked_sub(before));
    seat.end_run()?;
    desk.check_silence()?;
    let [stdout, stderr] = outputs;
    let ((stdout, said), (stderr, complained)) = (desk.give(0, stdout)?, desk.give(1, stderr)?);
    let sizes = [said, complained];
    finish(seat.present()?, exec, After { reply, placed, instructions, sizes, stdout, stderr })
}

/// Bytes in the box before a run.
pub(super) fn lain(worker: &Worker, exec: &Exec) -> Result<u64, Fault> {
    match untouchable(exec) {
        true => Ok(0),
        false => Ok(worker.room.usage().map_err(|e| fault("look at the box", e))?.0),
    }
}

/// Whether its box is empty and will be: then there is nothing to look at.
fn untouchable(exec: &Exec) -> bool {
    exec.files.is_empty() && !exec.view.writable
}

pub(super) fn write_end(file: &File) -> Result<File, Fault> {
    place::write_only(file.as_fd()).map_err(|e| fault("open a file in memory for writing", e))
}

/// Until when a reply must have come.
pub(super) fn deadline(limits: &Limits) -> Instant {
    Instant::now() + limits.wall.min(Duration::from_secs(1 << 20)) * (1 + super::run::QUEUE) + GRACE
}

/// What is known when a run has ended.
pub(super) struct After {
    pub reply: Reply,
    /// Bytes that lay in the box before.
    pub placed: u64,
    pub instructions: Option<u64>,
    /// How much it wrote to standard output and to standard error.
    pub sizes: [u64; 2],
    pub stdout: Captured,
    pub stderr: Captured,
}

/// What the judge does after a run: look, decide, take out, empty.
pub(super) fn finish(worker: &Worker, exec: &Exec, after: After) -> Result<(Ran, bool), Fault> {
    let After { reply, placed, instructions, sizes, stdout, stderr } = after;
    let (used, _, full) = match untouchable(exec) {
        true => (0, 0, false),
        false => worker.room.usage().map_err(|e| fault("look at the box", e))?,
    };
    let seen = Seen {
        stdout: sizes[0],
        stderr: sizes[1],
        files: used.saturating_sub(placed),
        full: full && exec.view.writable,
        instructions,
    };
    let exit = settle::exit(&reply, &limits(exec), &seen);
    // What was placed may be taken out as well; one byte more is the sign of too much.
    let most = worker.setup.room.0.saturating_add(1);
    let exit = match (worker.room.keep(&exec.keep, most)?, exit) {
        (false, Exit::Code(_) | Exit::Signal(_)) => Exit::Exceeded(Limit::Files),
        _ => exit,
    };
    // Without a namespace the worker has gone with its run.
    let lasting = worker.setup.walls == Walls::Namespaces;
    let clean = (untouchable(exec) || worker.room.empty()) && !settle::abnormal(&reply, exit) && lasting;
    let usage = settle::usage(&reply, &seen);
    Ok((Ran { exit, usage, stdout, stderr, notes: settle::notes(&reply, &seen) }, clean))
}

/// Its limits; where nothing can be written there is no room for files.
fn limits(exec: &Exec) -> Limits {
    let files = if exec.view.writable { exec.limits.files } else { Bytes(0) };
    Limits { files, ..exec.limits }
}

/// What the worker is told.
pub(super) fn order_of(exec: &Exec, setup: &Setup, watched: bool) -> Order {
    let own = |name: &str| exec.env.iter().any(|(k, _)| k == name);
    let temporary = exec.view.writable.then_some(("TMPDIR", "/tmp"));
    let basis = ENVIRONMENT.into_iter().chain(temporary.filter(|_| setup.walls == Walls::Landlock));
    let basis = basis.filter(|(k, _)| !own(k)).map(|(k, v)| format!("{k}={}", host_names(setup, v)));
    let env = basis.chain(exec.env.iter().map(|(k, v)| format!("{k}={}", host_names(setup, v)))).collect();
    let argv = exec.argv.iter().map(|arg| host_names(setup, arg)).collect();
    Order { argv, env, cwd: host_names(setup, &exec.cwd), limits: limits(exec), watched }
}

/// Where there is no mount namespace inside paths are host paths: words that begin with one, or
/// have one after a `:` or `=`, are put into its terms.
fn host_names(setup: &Setup, word: &str) -> String {
    if setup.walls == Walls::Namespaces {
        return word.to_owned();
    }
    let parts =
        ["box", "tmp"].map(|part| (format!("/{part}"), setup.host_box.join(part).display().to_string()));
    let shown =
        setup.view.shown.iter().map(|s| (s.inside.display().to_string(), s.host.display().to_string()));
    let names: Vec<(String, String)> = parts.into_iter().chain(shown).collect();
    let translate = |piece: &str| {
        let hit = names.iter().find_map(|(inside, host)| {
            let rest = piece.strip_prefix(inside.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| format!("{host}{rest}"))
        });
        hit.unwrap_or_else(|| piece.to_owned())
    };
    word.split_inclusive([':', '='])
        .map(|piece| match piece.strip_suffix([':', '=']) {
            Some(bare) => translate(bare) + &piece[bare.len()..],
            None => translate(piece),
        })
        .collect()
}

/// Standard input as a descriptor for reading only.
fn input(exec: &Exec, desk: &mut Desk) -> Result<File, Fault> {
    match &exec.stdin {
        Input::Nothing => desk.silence(),
        Input::Bytes(bytes) => copied(&mut bytes.as_slice()),
        Input::Path(path) => {
            let act = || format!("open the input {}", path.display());
            let mut file = File::open(path).map_err(|e| fault(act(), e))?;
            let metadata = file.metadata().map_err(|e| fault(act(), e))?;
            if !metadata.is_file() && !is_null(&metadata) {
                return Err(fault(act(), "it is not a regular file"));
            }
            // Where there is /proc, a descriptor tells the path of its file; and a program of the
            // same user could change the mode and the times of a file it can only read.
            let user = rustix::process::geteuid();
            let exposed = exec.view.proc || (!user.is_root() && metadata.uid() == user.as_raw());
            if exposed { copied(&mut file) } else { Ok(file) }
        }
    }
}

/// An output that was empty is given as the null device: it may become an input again.
fn is_null(metadata: &Metadata) -> bool {
    metadata.file_type().is_char_device() && metadata.rdev() == rustix::fs::makedev(1, 3)
}

fn copied(from: &mut dyn io::Read) -> Result<File, Fault> {
    let mut file = memory_file("input")?;
    io::copy(from, &mut file).map_err(|e| fault("copy the input", e))?;
    file.flush().map_err(|e| fault("copy the input", e))?;
    place::read_only(file.as_fd()).map_err(|e| fault("open the copied input", e))
}
