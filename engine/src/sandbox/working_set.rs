//! How much memory a program really uses while it runs: what it reads or writes again and again, not what it holds.
//! A runtime that holds 80 MiB may go on within one, and then caches that others fill do not slow it down.
//!
//! The judge looks now and then which pages were touched since the last look, by the marks of the processor. Only
//! a program of one process is looked at: of several that come and go nobody knows who touched what. And only where
//! program and judge share one CPU: that remembers pages, and does not mark them again until it is made to forget them.

use super::{
    exec::Limits,
    procfs::{self, TouchedMemory},
    sys,
    yardstick::{CacheUse, LIBRARIES, thread_time},
};
use crate::base::Bytes;
use std::time::{Duration, Instant};

/// So many looks come in the CPU time that a program may take; the time before the first is not looked at.
const LOOKS: u32 = 32;

/// Looking takes up to a millisecond.
const SHORTEST_INTERVAL: Duration = Duration::from_millis(10);

/// So long is waited at the least for a program that did not get the CPU.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);

/// At most one part in so many of the time is spent on looking: a program may map its memory in very many pieces.
const SHARE: u32 = 20;

/// In so many of its looks a program may have used more: that much of its time can be slower without a program that
/// needs nine tenths of its limit going beyond it by more than a tenth.
const SPARED: usize = 8;

/// A program to be looked at during its run.
pub(super) struct WorkingSetWatch {
    supervisor: u32,
    cpu: usize,
    /// When a program that uses little is stopped.
    stop: Duration,
    interval: Duration,
    next: Instant,
    state: WatchState,
}

enum WatchState {
    NotYet,
    /// The marks of this process were taken away when it had used so much CPU time; what it touched from one look to
    /// the next.
    Looking {
        pid: u32,
        used_then: Duration,
        touched: Vec<u64>,
    },
    GivenUp,
}

impl WorkingSetWatch {
    /// `cpu`: that of program and judge. `stop`: the CPU time at which a program is stopped that uses no more than the
    /// caches of one CPU hold.
    pub(super) fn start(supervisor: u32, limits: &Limits, (cpu, stop): (usize, Duration)) -> WorkingSetWatch {
        let interval = (limits.cpu.min(stop) / LOOKS).max(SHORTEST_INTERVAL);
        let next = Instant::now() + interval;
        WorkingSetWatch { supervisor, cpu, stop, interval, next, state: WatchState::NotYet }
    }

    /// How long until it wants to look again; none if it has given up.
    pub(super) fn pause(&self) -> Option<Duration> {
        let gives_up = matches!(self.state, WatchState::GivenUp);
        (!gives_up).then(|| self.next.saturating_duration_since(Instant::now()))
    }

    /// Looks if it is time to. Whether the program is to be stopped.
    pub(super) fn look(&mut self) -> bool {
        let start = Instant::now();
        if start < self.next {
            return false;
        }
        let (mut stops, spent_then) = (false, thread_time());
        self.next = start + self.interval;
        match procfs::programs_of(self.supervisor)[..] {
            // Not yet there, or not any more.
            [] => {}
            [_] if rustix::thread::sched_getcpu() != self.cpu => self.state = WatchState::GivenUp,
            [pid] => stops = self.look_at(pid).unwrap_or(false),
            _ => self.state = WatchState::GivenUp,
        }
        let spent = Duration::from_nanos(thread_time() - spent_then);
        self.next = self.next.max(Instant::now() + spent * SHARE);
        stops
    }

    /// None of one that has just ended: it shows nothing more.
    fn look_at(&mut self, pid: u32) -> Option<bool> {
        let used = sys::cpu_time_of(pid)?;
        if used >= self.stop && self.uses_little() {
            return Some(true);
        }
        if let WatchState::Looking { used_then, .. } = self.state {
            let lacks = self.interval.saturating_sub(used.saturating_sub(used_then));
            if !lacks.is_zero() {
                // It had to wait for the CPU.
                self.next = Instant::now() + lacks.max(SHORTEST_PAUSE);
                return Some(false);
            }
        }
        let now = procfs::take_touched_memory(pid)?;
        match &mut self.state {
            // What it has touched until now is all that it ever touched.
            WatchState::NotYet => {
                self.state = WatchState::Looking { pid, used_then: used, touched: Vec::new() };
            }
            WatchState::Looking { pid: then, used_then, touched } if pid == *then => {
                touched.push(used_memory(now));
                *used_then = used;
            }
            WatchState::Looking { .. } | WatchState::GivenUp => self.state = WatchState::GivenUp,
        }
        Some(false)
    }

    fn uses_little(&self) -> bool {
        self.result().is_some_and(|used| CacheUse::of_bytes(used.0) == CacheUse::Nothing)
    }

    /// What it used from one look to the next, in all but an eighth of them at the most; none if that is not known.
    pub(super) fn result(&self) -> Option<Bytes> {
        match &self.state {
            WatchState::Looking { touched, .. } => usual_most(touched.clone()).map(Bytes),
            WatchState::NotYet | WatchState::GivenUp => None,
        }
    }
}

fn usual_most(mut touched: Vec<u64>) -> Option<u64> {
    touched.sort_unstable();
    touched.get(touched.len().checked_sub(1 + touched.len() / SPARED)?).copied()
}

/// Of what is in files, code above all, a few MiB are not counted: more than that is data.
fn used_memory(touched: TouchedMemory) -> u64 {
    touched.own + touched.files.saturating_sub(LIBRARIES.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_uses_for_an_eighth_of_its_time_does_not_count() {
        assert_eq!(usual_most(vec![]), None);
        assert_eq!(usual_most(vec![3]), Some(3));
        assert_eq!(usual_most(vec![1, 9, 1, 1, 1, 1, 1]), Some(9), "of few looks each counts");
        assert_eq!(usual_most([vec![9; 4], vec![1; 28]].concat()), Some(1));
        assert_eq!(usual_most([vec![9; 5], vec![1; 27]].concat()), Some(9));
    }
}
