//! What is known of two programs that talk, whichever way their words go: who ended first, and when the
//! talk has to be ended.

use super::{
    finished_run::{EndedRun, reply_deadline},
    messages::{RunReply, StopReason},
    pair_events::{AwaitedSide, PairEnds, PairEvents, SideEvents},
    partner::Partner,
    rest_watch::RestWatch,
    worker_handle::SILENT,
};
use crate::{errors::fault_in, fault::Fault, meters::idle_clock::LOOK_INTERVAL, run_result::PairMember};
use kopek_base::Bytes;
use std::time::{Duration, Instant};

/// What is wanted of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairOptions {
    /// At most so much of it is written down. Then the judge carries every word, which costs more than to say it.
    pub transcript: Option<Bytes>,
    /// If the first ends first, with this code, the second is stopped: what it does alone is of no interest.
    pub stop_second_on: Option<i32>,
    /// The most that the first may say to the second; `None`: its limit of output.
    pub first_may_say: Option<Bytes>,
}

/// A judge that stood still for longer, in all, may be what a silent program waited for.
const LONGEST_STALL: Duration = Duration::from_millis(500);

/// The talk so far.
pub(crate) struct Talk {
    options: PairOptions,
    deadline: Instant,
    pub(crate) start: Instant,
    /// We did nothing for so long, though there may have been something to do.
    stalled: Duration,
    /// The second was told to stop.
    stopped: bool,
    /// Whether that was because both rested for too long.
    second_idled: bool,
    pub(crate) ended: Option<PairMember>,
    pub(crate) rest: RestWatch,
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

    /// Until something that is waited for happens, or it is time to look.
    pub(crate) fn wait(
        &mut self,
        events: &mut PairEvents,
        partners: [&Partner; 2],
        awaited: [AwaitedSide; 2],
    ) -> Result<([SideEvents; 2], PairEnds), Fault> {
        let (start, timeout) = (Instant::now(), self.next_look(partners)?);
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

    /// Notes who is dead now, in the order of their deaths.
    pub(crate) fn note_ends(&mut self, ends: PairEnds, partners: [&mut Partner; 2]) {
        for (partner, is_dead) in partners.into_iter().zip(ends.are_dead) {
            partner.is_dead |= is_dead;
        }
        self.ended = self.ended.or(ends.earlier);
    }

    /// Takes replies, and ends the talk where it must end; `carried`: how many bytes we carried so far. Whether it
    /// was time to look what the two do.
    pub(crate) fn attend(
        &mut self,
        [first, second]: [&mut Partner; 2],
        [of_first, of_second]: [SideEvents; 2],
        carried: u64,
    ) -> Result<bool, Fault> {
        first.attend(of_first, self.deadline)?;
        second.attend(of_second, self.deadline)?;
        // The reply may come before the end is noted, or after it.
        let first_ended_first = self.ended == Some(PairMember::First);
        let enough = first
            .reply
            .is_some_and(|reply| !reply.killed && Some(reply.status) == self.options.stop_second_on);
        if first_ended_first && enough {
            self.stop_second(second);
        }
        let looked = self.rest.look([&first.pidfd, &second.pidfd], carried);
        if self.rest.rested >= second.exec.limits.wall {
            self.second_idled |= self.stop_second(second);
        }
        Ok(looked)
    }

    /// Whether it was not stopped before.
    fn stop_second(&mut self, second: &Partner) -> bool {
        if second.reply.is_some() || self.stopped {
            return false;
        }
        second.worker.stop_run();
        self.stopped = true;
        true
    }

    /// What their ends mean: the workers know nothing of each other, nor of us.
    fn correct_replies(&self, first: &mut RunReply, second: &mut RunReply) {
        if self.second_idled && second.stopped == StopReason::Judge {
            second.stopped = StopReason::Wall;
        }
        for reply in [first, second] {
            // It may have waited for us.
            reply.starved |= reply.stopped == StopReason::Wall && self.stalled > LONGEST_STALL;
        }
    }

    /// The talk when both have ended.
    pub(crate) fn end(&self, [mut first, mut second]: [EndedRun; 2]) -> TalkedPair {
        self.correct_replies(&mut first.reply, &mut second.reply);
        let first_to_end = self.ended.unwrap_or(PairMember::First);
        TalkedPair { runs: [first, second], first_to_end, is_certain: true, may_exceed: false }
    }
}

/// Two programs that have talked.
pub(crate) struct TalkedPair {
    pub(crate) runs: [EndedRun; 2],
    pub(crate) first_to_end: PairMember,
    /// Whether all of it could be seen that has to be.
    pub(crate) is_certain: bool,
    /// Whether one may have said more than it may.
    pub(crate) may_exceed: bool,
}
