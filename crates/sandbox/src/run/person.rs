//! A program with a person in the place of its partner.
//!
//! The person sees the program's output at once, and the person's messages are its input. A person may think
//! for as long as they like: only when no more input can come does the program's silence end the
//! conversation.

use super::{
    carried_pair::{CHUNK, PairSide, deliver_pending, is_ready},
    finished_run::{finish_run, reply_deadline},
    messages::StopReason,
    slot_workers::SlotWorkers,
    worker_handle::{SILENT, timespec_of},
};
use crate::{
    errors::fault_in,
    exec::Exec,
    fault::Fault,
    meters::idle_clock::LOOK_INTERVAL,
    run_result::{PairMember, RunResult},
};
use rustix::{
    event::{PollFd, PollFlags, poll},
    io::Errno,
};
use std::{
    io::{ErrorKind, Read},
    os::fd::BorrowedFd,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// A person, or a file in place of one.
pub struct Person<'a> {
    /// The source of their messages.
    pub says: BorrowedFd<'a>,
    /// Called with every piece of output from either side, in order.
    pub hears: &'a mut dyn FnMut(Speaker, &[u8]),
    /// Set to end the conversation.
    pub stop: &'a AtomicBool,
    /// How long the program may be silent after the person's last message.
    pub patience: Duration,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The program.
    Program,
    /// The person.
    Person,
}

/// Why a conversation with a person ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TalkEnd {
    /// The program ended, or exceeded a limit.
    Program,
    /// The person had no more to say, and the program did nothing.
    Silence,
    /// It was stopped by the caller.
    Stopped,
}

/// A conversation with a person after its end.
#[derive(Debug)]
pub struct EndedTalk<T> {
    /// Why it ended.
    pub end: TalkEnd,
    /// The run of the program, or the trial that it was.
    pub result: T,
}

/// Runs a program with a person at its standard streams.
pub(crate) fn run_with_person(
    workers: &mut SlotWorkers,
    exec: &Exec,
    person: &mut Person,
) -> Result<EndedTalk<RunResult>, Fault> {
    let setup = workers.setup_for(exec)?;
    let SlotWorkers { sandbox, hosts: [host, _], .. } = workers;
    let mut side = PairSide::start(PairMember::First, exec, sandbox.worker(host, setup)?)?;
    let end = talk(&mut side, person)?;
    let mut ended = side.ended_run()?;
    if end == TalkEnd::Silence && ended.reply.stopped == StopReason::Judge {
        ended.reply.stopped = StopReason::Wall;
    }
    host.end_run()?;
    let run = finish_run(host.current_worker()?, exec, ended)?;
    if !run.worker_reusable {
        host.drop_worker();
    }
    Ok(EndedTalk { end, result: run.ran })
}

/// Carries messages of both sides until the program has ended.
fn talk(side: &mut PairSide, person: &mut Person) -> Result<TalkEnd, Fault> {
    let deadline = reply_deadline(side.partner.exec);
    let mut chunk = vec![0; CHUNK];
    let mut end = TalkEnd::Program;
    let mut attention = Attention { person_speaks: true, silent_since: Instant::now() };
    while side.partner.reply.is_none() {
        wait_for_words(side, person, &attention, deadline)?;
        hear_program(side, person, &mut chunk, &mut attention);
        deliver_pending(side);
        if attention.person_speaks && side.pending.is_empty() {
            hear_person(side, person, &mut chunk, &mut attention)?;
        }
        side.partner.watch.as_mut().map_or(Ok(()), |watch| watch.look(side.partner.worker))?;
        if is_ready(&*side.partner.worker) {
            side.partner.reply = Some(side.partner.worker.wait_for_reply(deadline)?);
        } else if end == TalkEnd::Program
            && let Some(why) = attention.why_stop(person)
        {
            side.partner.worker.stop_run();
            end = why;
        }
    }
    // Output from before its end may still be in the pipe.
    hear_program(side, person, &mut chunk, &mut attention);
    Ok(end)
}

/// Whether the person may still send a message, and how long both have been silent.
struct Attention {
    person_speaks: bool,
    silent_since: Instant,
}

impl Attention {
    fn why_stop(&self, person: &Person) -> Option<TalkEnd> {
        if person.stop.load(Ordering::Relaxed) {
            return Some(TalkEnd::Stopped);
        }
        let is_over = !self.person_speaks && self.silent_since.elapsed() > person.patience;
        if is_over { Some(TalkEnd::Silence) } else { None }
    }

    fn person_is_done(&mut self, side: &mut PairSide) {
        (self.person_speaks, self.silent_since) = (false, Instant::now());
        side.input = None;
    }
}

fn wait_for_words(
    side: &PairSide,
    person: &Person,
    attention: &Attention,
    deadline: Instant,
) -> Result<(), Fault> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Fault::new(SILENT));
    }
    let mut fds = vec![PollFd::new(&*side.partner.worker, PollFlags::IN)];
    fds.extend(side.output.as_ref().map(|output| PollFd::new(output, PollFlags::IN)));
    match &side.input {
        Some(input) if !side.pending.is_empty() => fds.push(PollFd::new(input, PollFlags::OUT)),
        Some(_) | None if attention.person_speaks => fds.push(PollFd::new(&person.says, PollFlags::IN)),
        Some(_) | None => {}
    }
    let pause = side.partner.watch.as_ref().map_or(LOOK_INTERVAL, |watch| watch.pause());
    match poll(&mut fds, Some(&timespec_of(left.min(LOOK_INTERVAL).min(pause)))) {
        // A signal may have requested a stop.
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(e) => Err(fault_in("watch a conversation", e)),
    }
}

fn hear_program(side: &mut PairSide, person: &mut Person, chunk: &mut [u8], attention: &mut Attention) {
    while let Some(output) = &mut side.output {
        match output.read(chunk) {
            Ok(0) => side.output = None,
            Ok(n) => {
                (person.hears)(Speaker::Program, &chunk[..n]);
                attention.silent_since = Instant::now();
                side.written += n as u64;
                if side.written > side.may_write {
                    side.partner.worker.stop_run();
                    side.output = None;
                }
                // A program that never pauses must not block the person.
                return;
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => return,
            Err(_) => side.output = None,
        }
    }
}

fn hear_person(
    side: &mut PairSide,
    person: &mut Person,
    chunk: &mut [u8],
    attention: &mut Attention,
) -> Result<(), Fault> {
    // It does not read any more: later messages would be lost.
    if side.input.is_none() {
        attention.person_is_done(side);
        return Ok(());
    }
    if !is_ready(person.says) {
        return Ok(());
    }
    match rustix::io::read(person.says, &mut *chunk) {
        // The terminal is gone.
        Ok(0) | Err(Errno::IO) => attention.person_is_done(side),
        Ok(n) => {
            (person.hears)(Speaker::Person, &chunk[..n]);
            side.pending.extend_from_slice(&chunk[..n]);
            deliver_pending(side);
        }
        Err(Errno::INTR | Errno::AGAIN) => {}
        Err(e) => return Err(fault_in("read what you say", e)),
    }
    Ok(())
}
