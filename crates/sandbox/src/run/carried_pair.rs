//! Runs two programs while the judge carries every byte between them.
//!
//! So we see an end before the other program does: a closed pipe is passed on only once we know whether its
//! owner is dying or merely closed it. If the second closes its output, that is not passed on while it lives:
//! otherwise chance would decide which of the two ends first. A program that writes faster than the other
//! reads has to wait; one that writes to a dead one is not killed for it.

use super::{
    finished_run::EndedRun,
    pair_events::{Awaited, AwaitedSide, PairEvents, SideEvents},
    partner::{Partner, ProgramEnds},
    talk::{PairOptions, Talk, TalkedPair},
    worker_handle::{WorkerHandle, timespec_of},
};
use crate::{
    errors::fault_in,
    exec::Exec,
    fault::Fault,
    meters::procfs,
    run_result::{PairMember, PairMessage},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    pipe::{PipeFlags, pipe_with},
};
use std::{
    fs::File,
    io::{Read, Write},
    os::fd::AsFd,
    time::{Duration, Instant},
};

/// The most that is carried at a time, and the most that waits.
pub(crate) const CHUNK: usize = 64 << 10;

/// One of the two programs, and our ends of its pipes.
pub(crate) struct PairSide<'a> {
    pub(crate) partner: Partner<'a>,
    /// Its standard output; `None` when it was closed.
    pub(crate) output: Option<File>,
    /// Its standard input; `None` when it or we closed it.
    pub(crate) input: Option<File>,
    /// The bytes that it has not read yet.
    pub(crate) pending: Vec<u8>,
    pub(crate) written: u64,
    /// The most that it may write to the other.
    pub(crate) may_write: u64,
}

impl PairSide<'_> {
    pub(crate) fn start<'a>(
        who: PairMember,
        exec: &'a Exec,
        worker: &'a mut WorkerHandle,
    ) -> Result<PairSide<'a>, Fault> {
        let new_pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|e| fault_in("make a pipe", e));
        let ((stdin, input), (output, stdout)) = (new_pipe()?, new_pipe()?);
        for ours in [&input, &output] {
            rustix::io::ioctl_fionbio(ours, true).map_err(|e| fault_in("prepare a pipe", e))?;
        }
        Ok(PairSide {
            partner: Partner::start(who, exec, worker, ProgramEnds { stdin, stdout })?,
            output: Some(File::from(output)),
            input: Some(File::from(input)),
            pending: Vec::new(),
            written: 0,
            may_write: exec.limits.output.0,
        })
    }

    /// The result after its end; its output counts towards its output limit.
    pub(crate) fn ended_run(&self) -> Result<EndedRun, Fault> {
        let max = self.partner.exec.limits.output.0;
        let said = if self.written > self.may_write { max.saturating_add(1) } else { self.written.min(max) };
        self.partner.ended_run(said)
    }
}

struct Transcript {
    pieces: Vec<PairMessage>,
    /// The number of bytes that may still be recorded.
    room: u64,
    start: Instant,
}

/// Carries bytes between the programs until both have ended.
pub(crate) fn hold(
    [(first_exec, first_worker), (second_exec, second_worker)]: [(&Exec, &mut WorkerHandle); 2],
    options: PairOptions,
) -> Result<TalkedPair, Fault> {
    let mut first = PairSide::start(PairMember::First, first_exec, first_worker)?;
    first.may_write = options.first_may_say.map_or(first.may_write, |max| max.0);
    let mut second = PairSide::start(PairMember::Second, second_exec, second_worker)?;
    let talk = Talk::start(options, [&first.partner, &second.partner]);
    let transcript = Transcript { pieces: Vec::new(), room: options.transcript.0, start: talk.start };
    let mut carrier = Carrier { talk, transcript, chunk: vec![0; CHUNK] };
    let mut events = PairEvents::new().map_err(|e| fault_in("watch a conversation", e))?;
    while first.partner.reply.is_none() || second.partner.reply.is_none() {
        let awaited = [awaited_of(&first, &second), awaited_of(&second, &first)];
        let (happened, ends) = carrier.talk.wait(&mut events, [&first.partner, &second.partner], awaited)?;
        // Ends before bytes: an end is noted before the other program can see it, so bytes that were written
        // after an unnoticed end have nothing to do with it.
        carrier.talk.note_ends(ends, [&mut first.partner, &mut second.partner]);
        let [of_first, of_second] = happened;
        carrier.carry(&mut first, of_first, &mut second);
        carrier.carry(&mut second, of_second, &mut first);
        let carried = first.written + second.written;
        carrier.talk.attend([&mut first.partner, &mut second.partner], happened, carried)?;
    }
    let Carrier { talk, transcript, .. } = carrier;
    let talked = talk.end([first.ended_run()?, second.ended_run()?]);
    Ok(TalkedPair { transcript: transcript.pieces, ..talked })
}

pub(crate) fn is_ready(fd: impl AsFd) -> bool {
    let now = timespec_of(Duration::ZERO);
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&now)).is_ok_and(|n| n > 0)
}

fn awaited_of<'a>(side: &'a PairSide, other: &PairSide) -> AwaitedSide<'a> {
    let output = Awaited { fd: side.output.as_ref().map(AsFd::as_fd), matters: other.pending.is_empty() };
    let room = Awaited { fd: side.input.as_ref().map(AsFd::as_fd), matters: !side.pending.is_empty() };
    side.partner.awaited(output, room)
}

/// The state for carrying bytes.
struct Carrier {
    talk: Talk,
    transcript: Transcript,
    chunk: Vec<u8>,
}

impl Carrier {
    /// Carries bytes from `from` to `to`, as far as `to` reads.
    fn carry(&mut self, from: &mut PairSide, events: SideEvents, to: &mut PairSide) {
        deliver_pending(to);
        let mut may_have_more = events.has_output;
        while may_have_more && to.pending.is_empty() {
            let Some(output) = &mut from.output else { break };
            match output.read(&mut self.chunk) {
                Ok(0) => {
                    // A dying program closes its pipes before its death is visible: its end must be noted
                    // before the other can act on it.
                    if !from.partner.is_dead && procfs::is_exiting(&from.partner.pidfd) {
                        std::thread::sleep(Duration::from_micros(50));
                        return;
                    }
                    from.output = None;
                }
                Ok(n) => {
                    // One read returns everything in a pipe.
                    may_have_more = n == self.chunk.len();
                    self.transcript.write_down(from.partner.who, &self.chunk[..n]);
                    from.written += n as u64;
                    if from.written > from.may_write {
                        from.partner.worker.stop_run();
                        // The other may react to the silence at once.
                        self.talk.ended.get_or_insert(from.partner.who);
                        from.output = None;
                    } else {
                        deliver(to, &self.chunk[..n]);
                    }
                }
                Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
                Err(_) => from.output = None,
            }
        }
        let may_know = from.partner.is_dead || from.partner.who == PairMember::First;
        if from.output.is_none() && to.pending.is_empty() && may_know {
            to.input = None;
        }
    }
}

pub(crate) fn deliver_pending(to: &mut PairSide) {
    while let (Some(input), false) = (&mut to.input, to.pending.is_empty()) {
        match input.write(&to.pending) {
            Ok(n) => drop(to.pending.drain(..n)),
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
            // It does not read any more.
            Err(_) => to.input = None,
        }
    }
    if to.input.is_none() {
        to.pending.clear();
    }
}

/// Writes as much as it reads now; the rest waits.
fn deliver(to: &mut PairSide, bytes: &[u8]) {
    let Some(input) = &mut to.input else { return };
    match input.write(bytes) {
        Ok(n) => to.pending.extend_from_slice(&bytes[n..]),
        Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => to.pending.extend_from_slice(bytes),
        // It does not read any more.
        Err(_) => to.input = None,
    }
}

impl Transcript {
    fn write_down(&mut self, speaker: PairMember, bytes: &[u8]) {
        let n = bytes.len().min(usize::try_from(self.room).unwrap_or(usize::MAX));
        self.room -= n as u64;
        if n > 0 {
            let at = self.start.elapsed();
            self.pieces.push(PairMessage { speaker, at, bytes: bytes[..n].to_vec() });
        }
    }
}
