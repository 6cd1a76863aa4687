//! Measures moments on the CPU of a worker, and waits for a quiet one.

use super::{Machine, quiet::Moment, worker::Worker};
use crate::{
    plan::Conditions,
    sandbox::{YardstickTimes, count_running, cpu_times, measure_yardstick, thread_time},
};
use std::{
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

/// So old a moment may be and still stand for that before a run. The yardstick takes some two
/// milliseconds: a five-hundredth of it. What others had since is counted as if it was during the run.
const MOMENT_AGE: Duration = Duration::from_secs(1);

/// The same where a try decides by itself.
const CLOSE_AGE: Duration = Duration::from_millis(200);

/// How long is waited for quiet before one run.
const WAIT_FOR_ONE: Duration = Duration::from_secs(2);

/// How often it is looked whether it is quiet now.
const WAIT_INTERVAL: Duration = Duration::from_millis(100);

/// Of so many CPUs one may be busy with something else: large machines always are.
const CPUS_PER_OTHER: usize = 8;

impl Machine {
    /// Measures this machine, if nobody else runs at the moment; what the yardstick takes in quiet, if that is known.
    pub fn measure_quiet(&self) -> Option<YardstickTimes> {
        if self.runs_alone() {
            self.reference.compare(&measure_yardstick(), true);
        }
        self.quiet_yardstick()
    }

    /// Whether no more programs run than we do ourselves.
    fn runs_alone(&self) -> bool {
        let cpus = thread::available_parallelism().map_or(1, |cpus| cpus.get());
        let ours = self.active.load(Ordering::Relaxed).max(1);
        count_running().is_some_and(|running| running as usize <= ours + cpus / CPUS_PER_OTHER)
    }
}

impl Worker<'_> {
    /// What it is like now.
    pub(super) fn measure_moment(&mut self) -> Moment {
        let alone = self.machine.runs_alone();
        let times: Vec<YardstickTimes> = (0..self.yardsticks).map(|_| measure_yardstick()).collect();
        let times = YardstickTimes::middle(&times);
        let slots = [&self.slots.submission, &self.slots.judge];
        let ours = slots.iter().map(|slot| slot.cpu_spent()).sum::<Duration>();
        let moment = Moment {
            at: Instant::now(),
            slowdown: self.machine.reference.compare(&times, alone),
            cpu: self.slots.submission.cpu().and_then(cpu_times),
            ours: ours + self.programs.cpu_spent() + Duration::from_nanos(thread_time()),
        };
        self.conditions =
            self.moment.map_or_else(|| moment.conditions(), |before| before.conditions_until(&moment));
        self.moment = Some(moment);
        moment
    }

    /// The last moment, if that was just now, else this one.
    pub(super) fn recent_moment(&mut self) -> Moment {
        let most = if self.yardsticks == 1 { MOMENT_AGE } else { CLOSE_AGE };
        match self.moment {
            Some(moment) if moment.at.elapsed() < most => moment,
            _ => self.measure_moment(),
        }
    }

    /// In what conditions something was measured that began at a moment, after an earlier one; looks at this
    /// one, too.
    pub(super) fn conditions_of_run(&mut self, before: &Moment, start: Instant) -> Conditions {
        let run = start.elapsed();
        let after = self.measure_moment();
        before.conditions_of_run(&after, run)
    }

    /// Waits until nobody disturbs, but not for ever; what it is like then.
    pub(super) fn wait_for_quiet(&mut self) -> Conditions {
        let start = Instant::now();
        let mut before = self.measure_moment();
        let mut conditions = before.conditions();
        while start.elapsed() < WAIT_FOR_ONE && self.machine.reference.take_patience(WAIT_INTERVAL) {
            thread::sleep(WAIT_INTERVAL);
            let now = self.measure_moment();
            conditions = before.conditions_until(&now);
            if conditions.is_quiet() {
                break;
            }
            before = now;
        }
        conditions
    }
}
