//! The state of two programs that talk: which ended first, and when the conversation must end.

use super::{
    finished_run::{EndedRun, reply_deadline},
    messages::{RunReply, StopReason},
    pair_events::{AwaitedSide, PairEnds, PairEvents, SideEvents},
    partner::Partner,
    worker_handle::SILENT,
};
use crate::{
    errors::fault_in,
    fault::Fault,
    meters::{idle_clock::LOOK_INTERVAL, procfs},
    run_result::{PairMember, PairMessage},
};
use kopek_base::Bytes;
use std::{
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

/// Options of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairOptions {
    /// The largest transcript to record.
    pub transcript: Bytes,
    /// If the first ends first with this code, the second is stopped: its behaviour without a partner does
    /// not matter.
    pub stop_second_on: Option<i32>,
    /// The most that the first may write to the second; `None` means its output limit.
    pub first_may_say: Option<Bytes>,
}

/// If the judge stood still for longer than this in total, a silent program may have waited for the judge.
const MAX_STALL: Duration = Duration::from_millis(500);

pub(crate) struct Talk {
    options: PairOptions,
    deadline: Instant,
    pub(crate) start: Instant,
    /// How long we did nothing, though there may have been something to do.
    stalled: Duration,
    /// Whether the second was stopped.
    stopped: bool,
    /// Whether that was because both rested for too long.
    second_idled: bool,
    pub(crate) ended: Option<PairMember>,
    rest: RestWatch,
}

impl Talk {
    pub(crate) fn start(options: PairOptions, [first, second]: [&Partner; 2]) -> Talk {
        Talk {
            options,
            deadline: reply_deadline(first.exec).max(reply_deadline(second.exec)),
            start: Instant::now(),
            stalled: Duration::ZERO,
            stopped: false,
            second_idled: false,
            ended: None,
            rest: RestWatch::start(),
        }
    }

    /// Waits for an event, or until the next look.
    pub(crate) fn wait(
        &mut self,
        events: &mut PairEvents,
        partners: [&Partner; 2],
        awaited: [AwaitedSide; 2],
    ) -> Result<([SideEvents; 2], PairEnds), Fault> {
        let start = Instant::now();
        let timeout = self.next_look(partners)?;
        let happened = events.wait(awaited, timeout).map_err(|e| fault_in("watch a conversation", e))?;
        self.stalled += start.elapsed().saturating_sub(timeout);
        Ok(happened)
    }

    fn next_look(&self, partners: [&Partner; 2]) -> Result<Duration, Fault> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Fault::new(SILENT));
        }
        let left = left.min(LOOK_INTERVAL);
        let watches = partners.into_iter().filter(|partner| partner.reply.is_none());
        let pause = watches.filter_map(|partner| Some(partner.watch.as_ref()?.pause())).min();
        Ok(left.min(pause.unwrap_or(left)))
    }

    /// Notes which programs are dead now, in the order of their deaths.
    pub(crate) fn note_ends(&mut self, ends: PairEnds, partners: [&mut Partner; 2]) {
        for (partner, is_dead) in partners.into_iter().zip(ends.are_dead) {
            partner.is_dead |= is_dead;
        }
        self.ended = self.ended.or(ends.earlier);
    }

    /// Receives replies, and ends the conversation if it must end. `carried` is the number of bytes carried
    /// so far.
    pub(crate) fn attend(
        &mut self,
        [first, second]: [&mut Partner; 2],
        [of_first, of_second]: [SideEvents; 2],
        carried: u64,
    ) -> Result<(), Fault> {
        first.attend(of_first, self.deadline)?;
        second.attend(of_second, self.deadline)?;
        // The reply may come before or after the end is noted.
        let first_ended_first = self.ended == Some(PairMember::First);
        let enough = first
            .reply
            .is_some_and(|reply| !reply.killed && Some(reply.status) == self.options.stop_second_on);
        if first_ended_first && enough {
            self.stop_second(second);
        }
        self.rest.look([&first.pidfd, &second.pidfd], carried);
        if self.rest.rested >= second.exec.limits.wall {
            self.second_idled |= self.stop_second(second);
        }
        Ok(())
    }

    /// Stops the second; returns whether it was running.
    fn stop_second(&mut self, second: &Partner) -> bool {
        if second.reply.is_some() || self.stopped {
            return false;
        }
        second.worker.stop_run();
        self.stopped = true;
        true
    }

    /// Interprets the ends: the workers know nothing of each other, nor of us.
    fn correct_replies(&self, first: &mut RunReply, second: &mut RunReply) {
        if self.second_idled && second.stopped == StopReason::Judge {
            second.stopped = StopReason::Wall;
        }
        for reply in [first, second] {
            // It may have waited for us.
            reply.starved |= reply.stopped == StopReason::Wall && self.stalled > MAX_STALL;
        }
    }

    /// The conversation after both have ended.
    pub(crate) fn end(&self, [mut first, mut second]: [EndedRun; 2]) -> TalkedPair {
        self.correct_replies(&mut first.reply, &mut second.reply);
        let first_to_end = self.ended.unwrap_or(PairMember::First);
        TalkedPair { runs: [first, second], first_to_end, transcript: Vec::new() }
    }
}

/// Two programs after their conversation.
pub(crate) struct TalkedPair {
    pub(crate) runs: [EndedRun; 2],
    pub(crate) first_to_end: PairMember,
    pub(crate) transcript: Vec<PairMessage>,
}

/// A longer gap means that we were prevented from looking.
const MAX_GAP: Duration = Duration::from_millis(400);

/// Measures how long a conversation rested: neither of the two wanted to run, and no bytes were carried. A
/// submission that waits for a validator is not idle while that waits for a CPU. Only the judge sees both.
struct RestWatch {
    rested: Duration,
    last_look: Instant,
    /// CPU time of each at that time, if it was visible.
    used: [Option<Duration>; 2],
    /// Bytes carried until then.
    carried: u64,
}

impl RestWatch {
    fn start() -> RestWatch {
        RestWatch { rested: Duration::ZERO, last_look: Instant::now(), used: [None; 2], carried: 0 }
    }

    /// Looks at both, unless it did so a moment ago.
    fn look(&mut self, members: [&OwnedFd; 2], carried: u64) {
        let since = self.last_look.elapsed();
        if since < LOOK_INTERVAL {
            return;
        }
        let seen = members.map(procfs::watch_tree);
        let rests = |at: usize| {
            let now = seen[at].as_ref();
            now.is_some_and(|now| !now.is_ready && self.used[at].is_some_and(|used| now.cpu <= used))
        };
        if rests(0) && rests(1) && carried == self.carried && since < MAX_GAP {
            self.rested += since;
        }
        self.used = seen.map(|seen| seen.map(|seen| seen.cpu));
        (self.last_look, self.carried) = (Instant::now(), carried);
    }
}
