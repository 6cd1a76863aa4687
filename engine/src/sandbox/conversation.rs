//! What two programs write to each other.
//!
//! The judge stands between them and carries every byte. So an end is seen by us
//! before it is seen by the other: a closed pipe is passed on only once we know
//! whether its owner is dying or merely closed it. That the second closed its output is
//! not passed on while it lives: else it would be chance which of the two ends first.
//! A program that writes faster than the other reads waits; one that writes to a dead
//! one is not killed for it.

use super::{
    box_watch::BoxWatch,
    errors::fault_in,
    exec::Exec,
    idle_clock::LOOK_INTERVAL,
    messages::{RunReply, StopReason},
    pair_events::{AwaitedSide, PairEvents, SideEvents},
    procfs,
    rest_watch::RestWatch,
    run_request::run_request_for,
    run_result::{CapturedOutput, CountedEvents, Fault, PairMember, PairMessage},
    slot::{EndedRun, bytes_in_box, reply_deadline},
    streams::{EndedOutput, memory_file, reopen_for_writing},
    worker_handle::{SILENT, WorkerHandle, timespec_of},
};
use crate::base::Bytes;
use rustix::{
    event::{PollFd, PollFlags, poll},
    pipe::{PipeFlags, pipe_with},
};
use std::{
    fs::File,
    io::{Read, Write},
    os::fd::{AsFd, OwnedFd},
    time::{Duration, Instant},
};

/// What is wanted of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairOptions {
    /// At most so much of it is written down.
    pub transcript: Option<Bytes>,
    /// If the first ends first, with this code, the second is stopped: what it does alone is of no interest.
    pub stop_second_on: Option<i32>,
    /// The most that the first may say to the second; `None`: its limit of output.
    pub first_may_say: Option<Bytes>,
}

/// A judge that stood still for longer, in all, may be what a silent program waited for.
const LONGEST_STALL: Duration = Duration::from_millis(500);

/// How much is carried at a time, and waits at most.
pub(super) const CHUNK: usize = 64 << 10;

/// One of the two.
pub(super) struct PairSide<'a> {
    who: PairMember,
    pub(super) exec: &'a Exec,
    pub(super) worker: &'a mut WorkerHandle,
    pidfd: OwnedFd,
    /// Its standard output; none when that was closed.
    pub(super) output: Option<File>,
    /// Its standard input; none when it closed that, or we did.
    pub(super) input: Option<File>,
    /// What waits to be read by it.
    pub(super) pending: Vec<u8>,
    pub(super) written: u64,
    /// The most that it may write to the other.
    pub(super) may_write: u64,
    is_dead: bool,
    pub(super) reply: Option<RunReply>,
    stderr: File,
    placed: u64,
    pub(super) watch: Option<BoxWatch>,
}

impl Conversation {
    /// What their ends mean: the workers know nothing of each other, nor of us.
    pub(super) fn correct_replies(&self, first: &mut RunReply, second: &mut RunReply) {
        if self.second_idled && second.stopped == StopReason::Judge {
            second.stopped = StopReason::Wall;
        }
        for reply in [first, second] {
            // It may have waited for us.
            reply.starved |= reply.stopped == StopReason::Wall && self.stalled > LONGEST_STALL;
        }
    }
}

impl PairSide<'_> {
    pub(super) fn start<'a>(
        who: PairMember,
        exec: &'a Exec,
        worker: &'a mut WorkerHandle,
    ) -> Result<PairSide<'a>, Fault> {
        let may_write = exec.limits.output.0;
        let new_pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(|e| fault_in("make a pipe", e));
        let ((stdin, input), (output, stdout)) = (new_pipe()?, new_pipe()?);
        for ours in [&input, &output] {
            rustix::io::ioctl_fionbio(ours, true).map_err(|e| fault_in("prepare a pipe", e))?;
        }
        worker.box_dir.fill(&exec.files)?;
        let placed = bytes_in_box(worker, exec)?;
        let stderr = memory_file("output")?;
        let stderr_end = reopen_for_writing(&stderr)?;
        let watch = BoxWatch::start(worker, exec, placed)?;
        let mut request = run_request_for(exec, &worker.setup);
        request.wants_pidfd = true;
        worker.request(&request, &[stdin.as_fd(), stdout.as_fd(), stderr_end.as_fd()])?;
        let pidfd = worker.wait_for_start(reply_deadline(&exec.limits))?;
        Ok(PairSide {
            who,
            exec,
            worker,
            pidfd,
            output: Some(File::from(output)),
            input: Some(File::from(input)),
            pending: Vec::new(),
            written: 0,
            may_write,
            is_dead: false,
            reply: None,
            stderr,
            placed,
            watch,
        })
    }

    /// It may write so much to the other, whatever its limit of output.
    pub(super) fn may_write(mut self, most: Option<Bytes>) -> Self {
        self.may_write = most.map_or(self.may_write, |most| most.0);
        self
    }

    /// What it wrote, as its limit of output sees it.
    fn counted_output(&self) -> u64 {
        let most = self.exec.limits.output.0;
        if self.written > self.may_write { most.saturating_add(1) } else { self.written.min(most) }
    }

    pub(super) fn ended_run(&self) -> Result<EndedRun, Fault> {
        let reply = self.reply.ok_or_else(|| Fault::new("a conversation ended without a reply"))?;
        let stderr =
            CapturedOutput::new(self.stderr.try_clone().map_err(|e| fault_in("keep standard error", e))?);
        let stderr_size = stderr.size().map_err(|e| fault_in("measure standard error", e))?;
        Ok(EndedRun {
            reply,
            placed: self.placed,
            counted: CountedEvents::default(),
            // What it wrote went to the other; only how much it was is known.
            stdout: EndedOutput {
                captured: CapturedOutput::new(memory_file("output")?),
                size: self.counted_output(),
            },
            stderr: EndedOutput { captured: stderr, size: stderr_size.0 },
        })
    }
}

/// The conversation so far.
pub(super) struct Conversation {
    start: Instant,
    /// We carried nothing for so long, though there may have been something to carry.
    stalled: Duration,
    /// Whether the second was stopped because both rested for too long.
    second_idled: bool,
    pub(super) ended: Option<PairMember>,
    pub(super) transcript: Vec<PairMessage>,
    /// How much of it may still be written down.
    transcript_room: u64,
}

/// Carries what they write until both have ended.
pub(super) fn hold<'a>(
    first: &mut PairSide<'a>,
    second: &mut PairSide<'a>,
    talk: PairOptions,
) -> Result<Conversation, Fault> {
    let deadline = reply_deadline(&first.exec.limits).max(reply_deadline(&second.exec.limits));
    let mut conversation = Conversation {
        start: Instant::now(),
        stalled: Duration::ZERO,
        second_idled: false,
        ended: None,
        transcript: Vec::new(),
        transcript_room: talk.transcript.map_or(0, |b| b.0),
    };
    let (mut chunk, mut stopped) = (vec![0; CHUNK], false);
    let mut rest = RestWatch::start();
    let mut events = PairEvents::new().map_err(|e| fault_in("watch a conversation", e))?;
    while first.reply.is_none() || second.reply.is_none() {
        let (late, [of_first, of_second]) = wait_for_event((first, second), &mut events, deadline)?;
        conversation.stalled += late;
        // Ends before bytes: nobody hears of an end before it is noted, so what was written after an end
        // that the wait did not show has nothing to do with it.
        note_end(first, of_first, &mut conversation);
        note_end(second, of_second, &mut conversation);
        carry((first, of_first), second, &mut chunk, &mut conversation);
        carry((second, of_second), first, &mut chunk, &mut conversation);
        for (side, events) in [(&mut *first, of_first), (&mut *second, of_second)] {
            if side.reply.is_some() {
                continue;
            }
            side.watch.as_mut().map_or(Ok(()), |watch| watch.look(side.worker))?;
            if events.has_reply {
                side.reply = Some(side.worker.wait_for_reply(deadline)?);
            }
        }
        // The reply may come before the end is noted, or after it.
        let first_ended_first = conversation.ended == Some(PairMember::First);
        let enough =
            first.reply.is_some_and(|reply| !reply.killed && Some(reply.status) == talk.stop_second_on);
        if first_ended_first && enough && second.reply.is_none() && !stopped {
            second.worker.stop_run();
            stopped = true;
        }
        rest.look([&first.pidfd, &second.pidfd], first.written + second.written);
        if rest.rested >= second.exec.limits.wall && second.reply.is_none() && !stopped {
            second.worker.stop_run();
            (stopped, conversation.second_idled) = (true, true);
        }
    }
    Ok(conversation)
}

pub(super) fn is_ready(fd: impl AsFd) -> bool {
    let now = timespec_of(Duration::ZERO);
    poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&now)).is_ok_and(|n| n > 0)
}

/// Until something can be done for one of the two, or it is time to look whether we are late: by how
/// much we were.
fn wait_for_event(
    (first, second): (&PairSide, &PairSide),
    events: &mut PairEvents,
    deadline: Instant,
) -> Result<(Duration, [SideEvents; 2]), Fault> {
    let start = Instant::now();
    let left = deadline.saturating_duration_since(start);
    if left.is_zero() {
        return Err(Fault::new(SILENT));
    }
    let left = left.min(LOOK_INTERVAL);
    let watches = [first, second].into_iter().filter(|side| side.reply.is_none());
    let pause = watches.filter_map(|side| Some(side.watch.as_ref()?.pause())).min().unwrap_or(left);
    let timeout = left.min(pause);
    let awaited = [awaited_of(first, second), awaited_of(second, first)];
    let happened = events.wait(awaited, timeout).map_err(|e| fault_in("watch a conversation", e))?;
    Ok((start.elapsed().saturating_sub(timeout), happened))
}

fn awaited_of<'a>(side: &'a PairSide, other: &PairSide) -> AwaitedSide<'a> {
    AwaitedSide {
        reply: (Some(side.worker.as_fd()), side.reply.is_none()),
        death: (Some(side.pidfd.as_fd()), !side.is_dead),
        output: (side.output.as_ref().map(AsFd::as_fd), other.pending.is_empty()),
        room: (side.input.as_ref().map(AsFd::as_fd), !side.pending.is_empty()),
    }
}

fn note_end(side: &mut PairSide, events: SideEvents, conversation: &mut Conversation) {
    if !side.is_dead && events.is_dead {
        side.is_dead = true;
        conversation.ended.get_or_insert(side.who);
    }
}

/// Carries what `from` wrote to `to`, as far as that reads.
fn carry(
    (from, events): (&mut PairSide, SideEvents),
    to: &mut PairSide,
    chunk: &mut [u8],
    conversation: &mut Conversation,
) {
    deliver_pending(to);
    let mut may_have_more = events.has_output;
    while may_have_more && to.pending.is_empty() {
        let Some(output) = &mut from.output else { break };
        match output.read(chunk) {
            Ok(0) => {
                // A dying program closes its pipes before its death can be seen: its end must be noted
                // before the other can act on it.
                if !from.is_dead && procfs::is_exiting(&from.pidfd) {
                    std::thread::sleep(Duration::from_micros(50));
                    return;
                }
                from.output = None;
            }
            Ok(n) => {
                // A pipe gives all that it has.
                may_have_more = n == chunk.len();
                write_down(conversation, from.who, &chunk[..n]);
                from.written += n as u64;
                if from.written > from.may_write {
                    from.worker.stop_run();
                    // The other may be quick to act on the silence.
                    conversation.ended.get_or_insert(from.who);
                    from.output = None;
                } else {
                    deliver(to, &chunk[..n]);
                }
            }
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
            Err(_) => from.output = None,
        }
    }
    let may_know = from.is_dead || from.who == PairMember::First;
    if from.output.is_none() && to.pending.is_empty() && may_know {
        to.input = None;
    }
}

pub(super) fn deliver_pending(to: &mut PairSide) {
    while let (Some(input), false) = (&mut to.input, to.pending.is_empty()) {
        match input.write(&to.pending) {
            Ok(n) => drop(to.pending.drain(..n)),
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => return,
            // It reads no more.
            Err(_) => to.input = None,
        }
    }
    if to.input.is_none() {
        to.pending.clear();
    }
}

/// Gives it what it reads now; the rest waits.
fn deliver(to: &mut PairSide, bytes: &[u8]) {
    let Some(input) = &mut to.input else { return };
    match input.write(bytes) {
        Ok(n) => to.pending.extend_from_slice(&bytes[n..]),
        Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => to.pending.extend_from_slice(bytes),
        // It reads no more.
        Err(_) => to.input = None,
    }
}

fn write_down(conversation: &mut Conversation, speaker: PairMember, bytes: &[u8]) {
    let n = bytes.len().min(usize::try_from(conversation.transcript_room).unwrap_or(usize::MAX));
    conversation.transcript_room -= n as u64;
    if n > 0 {
        conversation.transcript.push(PairMessage {
            speaker,
            at: conversation.start.elapsed(),
            bytes: bytes[..n].to_vec(),
        });
    }
}
