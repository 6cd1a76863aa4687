//! Two programs connected crosswise, and who ended first.
//!
//! The judge stands between them and carries every byte. So an end is seen by us
//! before it is seen by the other: a closed pipe is passed on only once we know
//! whether its owner is dying or merely closed it. Who says more than may be
//! heard waits; who speaks to the dead is not killed for it, only not heard.

use super::{
    census,
    exec::*,
    order::Reply,
    seat::{Seat, Worker},
    slot::{self, After, Slot, deadline, finish, lain, memory_file, order_of},
};
use crate::base::Bytes;
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
    pipe::{PipeFlags, pipe_with},
    time::Timespec,
};
use std::{
    fs::File,
    io::{Read, Write},
    os::fd::{AsFd, OwnedFd},
    time::{Duration, Instant},
};

/// What is wanted of the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Talk {
    /// At most so much of it is written down.
    pub transcript: Option<Bytes>,
    /// If the first ends first, with this code, the second is stopped: nobody asks what it does alone.
    pub enough: Option<i32>,
}

/// How much is carried at a time, and waits at most.
const PIECE: usize = 64 << 10;

fn fault(act: &str, error: impl std::fmt::Display) -> Fault {
    Fault::new(format!("{act}: {error}"))
}

/// One of the two.
struct Side<'a> {
    who: Ended,
    exec: &'a Exec,
    worker: &'a mut Worker,
    pidfd: OwnedFd,
    /// Its standard output; none when that was closed.
    mouth: Option<File>,
    /// Its standard input; none when it closed that, or we did.
    ear: Option<File>,
    /// What waits for its ear.
    waiting: Vec<u8>,
    said: u64,
    dead: bool,
    reply: Option<Reply>,
    stderr: File,
    placed: u64,
}

impl Slot {
    /// Runs two programs connected crosswise: each one's output is the other's input.
    /// What their `stdin` says is not used.
    pub fn run_pair(&mut self, first: &Exec, second: &Exec, talk: Talk) -> Result<Pair, Fault> {
        let setups = [self.setup(first)?, self.setup(second)?];
        let [one, two] = setups;
        let Slot { sandbox, seats: [here, there], .. } = self;
        let done = (|| {
            let mut one = Side::start(Ended::First, first, here.worker(sandbox.exe(), one)?)?;
            let mut two = Side::start(Ended::Second, second, there.worker(sandbox.exe(), two)?)?;
            let course = converse(&mut one, &mut two, talk)?;
            let (one, two) = (one.after()?, two.after()?);
            here.end_run()?;
            there.end_run()?;
            let (one, one_clean) = finish(here.present()?, first, one)?;
            let (two, two_clean) = finish(there.present()?, second, two)?;
            let ended = course.ended.unwrap_or(Ended::First);
            let pair = Pair { first: one, second: two, ended, transcript: course.transcript };
            Ok((pair, [one_clean, two_clean]))
        })();
        match done {
            Ok((pair, clean)) => {
                for (seat, clean) in self.seats.iter_mut().zip(clean) {
                    if !clean {
                        seat.renew();
                    }
                }
                Ok(pair)
            }
            Err(e) => {
                self.seats.iter_mut().for_each(Seat::renew);
                Err(e)
            }
        }
    }
}

impl Side<'_> {
    fn start<'a>(who: Ended, exec: &'a Exec, worker: &'a mut Worker) -> Result<Side<'a>, Fault> {
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|e| fault("make a pipe", e));
        let ((stdin, ear), (mouth, stdout)) = (pipe()?, pipe()?);
        for ours in [&ear, &mouth] {
            rustix::io::ioctl_fionbio(ours, true).map_err(|e| fault("prepare a pipe", e))?;
        }
        worker.room.fill(&exec.files)?;
        let placed = lain(worker, exec)?;
        let stderr = memory_file("output")?;
        let writer = slot::write_end(&stderr)?;
        let order = order_of(exec, &worker.setup, true);
        worker.order(&order, &[stdin.as_fd(), stdout.as_fd(), writer.as_fd()])?;
        let pidfd = worker.started(deadline(&exec.limits))?;
        let (mouth, ear) = (Some(File::from(mouth)), Some(File::from(ear)));
        let waiting = Vec::new();
        Ok(Side {
            who,
            exec,
            worker,
            pidfd,
            mouth,
            ear,
            waiting,
            said: 0,
            dead: false,
            reply: None,
            stderr,
            placed,
        })
    }

    /// Whether its main process is on its way out, though not yet seen dead.
    fn dying(&self) -> bool {
        const EXITING: u64 = 4;
        let flags = || -> Option<u64> {
            let number = census::number_of(&self.pidfd)?;
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
            stat.rsplit(") ").next()?.split(' ').nth(6)?.parse().ok()
        };
        // One that cannot be looked at is gone.
        flags().is_none_or(|flags| flags & EXITING != 0)
    }

    fn after(&self) -> Result<After, Fault> {
        let reply = self.reply.ok_or_else(|| Fault::new("a conversation ended without a reply"))?;
        let stdout = memory_file("output")?;
        let stderr = self.stderr.try_clone().map_err(|e| fault("keep standard error", e))?;
        let (stdout, stderr) = (Captured(stdout), Captured(stderr));
        let complained = stderr.size().map_err(|e| fault("measure standard error", e))?;
        let sizes = [self.said, complained.0];
        Ok(After { reply, placed: self.placed, instructions: None, sizes, stdout, stderr })
    }
}

/// The conversation so far.
struct Course {
    start: Instant,
    ended: Option<Ended>,
    transcript: Vec<Transcript>,
    room: u64,
}

fn converse<'a>(first: &mut Side<'a>, second: &mut Side<'a>, talk: Talk) -> Result<Course, Fault> {
    let end = deadline(&first.exec.limits).max(deadline(&second.exec.limits));
    let mut course = Course {
        start: Instant::now(),
        ended: None,
        transcript: Vec::new(),
        room: talk.transcript.map_or(0, |b| b.0),
    };
    let (mut piece, mut stopped) = (vec![0; PIECE], false);
    while first.reply.is_none() || second.reply.is_none() {
        wait(first, second, end)?;
        for side in [&mut *first, &mut *second] {
            notice_end(side, &mut course);
        }
        carry(first, second, &mut piece, &mut course);
        carry(second, first, &mut piece, &mut course);
        for side in [&mut *first, &mut *second] {
            if side.reply.is_none() && ready(side.worker.line()) {
                side.reply = Some(side.worker.reply(end)?);
            }
        }
        // The reply may come before the end is noticed, or after it.
        let ended = course.ended == Some(Ended::First);
        let enough = first.reply.is_some_and(|reply| !reply.killed && Some(reply.status) == talk.enough);
        if ended && enough && second.reply.is_none() && !stopped {
            second.worker.stop();
            stopped = true;
        }
    }
    Ok(course)
}

fn timespec(d: Duration) -> Timespec {
    Timespec { tv_sec: d.as_secs() as i64, tv_nsec: d.subsec_nanos().into() }
}

fn ready(fd: impl AsFd) -> bool {
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&timespec(Duration::ZERO))).is_ok_and(|n| n > 0)
}

/// Until something can be done for one of the two.
fn wait(first: &Side, second: &Side, end: Instant) -> Result<(), Fault> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Fault::new("a sandbox worker does not answer"));
    }
    let mut fds = Vec::with_capacity(8);
    for (side, other) in [(first, second), (second, first)] {
        if side.reply.is_none() {
            fds.push(PollFd::from_borrowed_fd(side.worker.line(), PollFlags::IN));
        }
        if !side.dead {
            fds.push(PollFd::new(&side.pidfd, PollFlags::IN));
        }
        if let Some(mouth) = side.mouth.as_ref().filter(|_| other.waiting.is_empty()) {
            fds.push(PollFd::new(mouth, PollFlags::IN));
        }
        if let Some(ear) = side.ear.as_ref().filter(|_| !side.waiting.is_empty()) {
            fds.push(PollFd::new(ear, PollFlags::OUT));
        }
    }
    match poll(&mut fds, Some(&timespec(left))) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(e) => Err(fault("watch a conversation", e)),
    }
}

fn notice_end(side: &mut Side, course: &mut Course) {
    if !side.dead && ready(&side.pidfd) {
        side.dead = true;
        course.ended.get_or_insert(side.who);
    }
}

/// Carries what `from` said to `to`, as far as it listens.
fn carry(from: &mut Side, to: &mut Side, piece: &mut [u8], course: &mut Course) {
    deliver(to);
    while to.waiting.is_empty() {
        let Some(mouth) = &mut from.mouth else { break };
        match mouth.read(piece) {
            Ok(0) => {
                // Somebody may be dying: his end must be noted before the other can act on it.
                if !from.dead && from.dying() {
                    std::thread::sleep(Duration::from_micros(50));
                    return;
                }
                from.mouth = None;
            }
            Ok(n) => {
                write_down(course, from.who, &piece[..n]);
                from.said += n as u64;
                if from.said > from.exec.limits.output.0 {
                    from.worker.stop();
                    // The other may be quick to act on the silence.
                    course.ended.get_or_insert(from.who);
                    from.mouth = None;
                } else if to.ear.is_some() {
                    to.waiting.extend_from_slice(&piece[..n]);
                    deliver(to);
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
            Err(_) => from.mouth = None,
        }
    }
    if from.mouth.is_none() && to.waiting.is_empty() {
        to.ear = None;
    }
}

fn deliver(to: &mut Side) {
    while let (Some(ear), false) = (&mut to.ear, to.waiting.is_empty()) {
        match ear.write(&to.waiting) {
            Ok(n) => drop(to.waiting.drain(..n)),
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
            // It does not listen any more.
            Err(_) => to.ear = None,
        }
    }
    if to.ear.is_none() {
        to.waiting.clear();
    }
}

fn write_down(course: &mut Course, speaker: Ended, bytes: &[u8]) {
    let n = bytes.len().min(usize::try_from(course.room).unwrap_or(usize::MAX));
    course.room -= n as u64;
    if n > 0 {
        course.transcript.push(Transcript {
            speaker,
            at: course.start.elapsed(),
            bytes: bytes[..n].to_vec(),
        });
    }
}
