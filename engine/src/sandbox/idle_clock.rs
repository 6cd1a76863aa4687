//! How long a program has idled: the time in which it could have run and did not want to.
//!
//! Wall time alone does not tell. A program that waits for a CPU, for its partner, or for a machine that
//! stands still is not idle. Two witnesses speak against a program, and the stronger one counts:
//!
//! * the slot's CPU was idle: then nothing on it wanted to run, neither the program, however many threads
//!   and children it has or had, nor its partner, nor the judge, which all share that CPU;
//! * at every look for a while none of its threads was ready to run, and it used no CPU time. This one
//!   tells even where others keep the CPU busy, but nothing about a program that waits for a partner.

use super::{
    cpu_load::{CpuStat, CpuTimes},
    messages::RunRequest,
    procfs,
    worker_state::WorkerState,
};
use std::time::{Duration, Instant};

/// How often the program is looked at.
pub(super) const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// Waking up so much later than asked for means that everything stood still, or that we were starved.
const LATE: Duration = Duration::from_millis(50);

/// So little CPU time between two looks is that of being looked at.
const NO_PROGRESS: Duration = Duration::from_micros(500);

/// Others prolong the wall limit by at most so many times: the judge waits no longer.
pub(super) const MAX_WALL_EXTENSION: u32 = 5;

/// What the clock says at the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Idleness {
    /// It may still be working.
    NotYet,
    /// It idled for all of the limit.
    Idle,
    /// Nobody can tell: others had the CPU for too long.
    Starved,
}

pub(super) struct IdleClock<'a> {
    stat: Option<(&'a CpuStat, usize)>,
    /// What the CPU had done when the program was looked at first. Most end before: the file costs
    /// more than all other readings of a short run.
    first_times: Option<CpuTimes>,
    start: Instant,
    /// When it is looked at next, if all goes well.
    due: Instant,
    last_look: Instant,
    used_then: Duration,
    /// Everything stood still for so long.
    stalled: Duration,
    /// For so long no thread wanted to run.
    asleep: Duration,
    is_paired: bool,
}

impl<'a> IdleClock<'a> {
    pub(super) fn start(state: &'a WorkerState, request: &RunRequest, start: Instant) -> IdleClock<'a> {
        IdleClock {
            stat: state.preopened.cpu_stat.as_ref().zip(state.cpu),
            first_times: None,
            start,
            due: start,
            last_look: start,
            used_then: Duration::ZERO,
            stalled: Duration::ZERO,
            asleep: Duration::ZERO,
            is_paired: request.wants_pidfd,
        }
    }

    /// How long it runs, without the time in which everything stood still.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.stalled)
    }

    /// Notes when we should wake up again.
    pub(super) fn expect_wake(&mut self, timeout: Duration) {
        self.due = Instant::now() + timeout;
    }

    /// After waking up: `used` is the CPU time of the run so far.
    pub(super) fn look(&mut self, state: &WorkerState, used: Duration) {
        let late = Instant::now().saturating_duration_since(self.due);
        if late > LATE {
            self.stalled += late;
        }
        if self.first_times.is_none() {
            self.first_times = self.stat.and_then(|(stat, cpu)| stat.read(cpu));
        }
        let since = self.last_look.elapsed();
        if since < LOOK_INTERVAL {
            return;
        }
        let rests = used.saturating_sub(self.used_then) < NO_PROGRESS;
        if rests && late <= LATE && procfs::has_none_ready(state.preopened.processes.as_ref()) {
            self.asleep += since;
        }
        (self.last_look, self.used_then) = (Instant::now(), used);
    }

    /// Whether it idled for so long, own CPU time included.
    pub(super) fn judge(&self, state: &WorkerState, limit: Duration, used: Duration) -> Idleness {
        let elapsed = self.elapsed();
        if elapsed < limit {
            return Idleness::NotYet;
        }
        // Clocks of CPUs tick ten milliseconds at a time, and we took some time ourselves.
        if self.surely_idle(state, elapsed) + used + limit / 20 >= limit {
            return Idleness::Idle;
        }
        if elapsed >= limit * (1 + MAX_WALL_EXTENSION) { Idleness::Starved } else { Idleness::NotYet }
    }

    fn surely_idle(&self, state: &WorkerState, elapsed: Duration) -> Duration {
        let asleep = if self.is_paired { Duration::ZERO } else { self.asleep };
        let idled = self.stat.zip(self.first_times);
        match idled.and_then(|((stat, cpu), first)| Some(stat.read(cpu)?.since(&first))) {
            Some(times) => times.idle.saturating_sub(self.stalled).max(asleep),
            // Not on one CPU, or the kernel does not tell: all but the waiting that can be seen.
            None => {
                let queued = procfs::longest_queue_time(state.preopened.processes.as_ref());
                elapsed.saturating_sub(queued).max(asleep)
            }
        }
    }
}
