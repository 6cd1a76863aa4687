//! Measures how long a program has idled: the time in which it could have run but did not want to.
//!
//! Wall time alone is not enough. A program that waits for a CPU, for its partner, or for a machine that
//! stands still is not idle. There are two kinds of evidence against a program, and the stronger one counts:
//!
//! * The slot's CPU was idle. Then nothing on it wanted to run: neither the program with all its threads and
//!   children, nor its partner, nor the judge, which all share that CPU.
//! * Between two looks, its threads neither ran nor waited for a CPU. This works even if other programs keep
//!   the CPU busy, but not for a program that waits for a partner.

use super::{
    cpu_load::CpuTimes,
    procfs::{self, ThreadTimes},
};
use crate::{inside::worker_state::WorkerState, run::messages::RunRequest};
use kopek_base::Clock;
use std::time::{Duration, Instant};

/// The interval between looks at the program.
pub(crate) const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// Waking up this much later than requested means that the machine stood still, or that we were starved.
const LATE: Duration = Duration::from_millis(50);

/// Less CPU time than this between two looks comes from the looks themselves.
const NO_PROGRESS: Duration = Duration::from_micros(500);

/// A busy machine extends the wall limit by at most this factor, and also that of all runs of a submission
/// together.
pub const MAX_WALL_EXTENSION: u32 = 5;

/// The answer of the clock at the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Idleness {
    /// It may still be working.
    NotYet,
    /// It idled for the whole limit.
    Idle,
    /// Unknown: other programs had the CPU for too long.
    Starved,
}

/// The kernel's readings of a run.
pub(crate) trait IdleReadings {
    /// The times of the slot's CPU; `None` without a CPU of its own, or if the kernel does not report them.
    fn cpu_times(&self) -> Option<CpuTimes>;

    /// The times of the program's threads.
    fn thread_times(&self) -> Option<ThreadTimes>;
}

impl IdleReadings for &WorkerState<'_> {
    fn cpu_times(&self) -> Option<CpuTimes> {
        self.preopened.cpu_stat.as_ref().zip(self.cpu).and_then(|(stat, cpu)| stat.read(cpu))
    }

    fn thread_times(&self) -> Option<ThreadTimes> {
        procfs::thread_times(self.preopened.processes.as_ref())
    }
}

pub(crate) struct IdleClock<R> {
    readings: R,
    clock: Clock,
    /// The times of the CPU at the first look. Most programs end earlier: reading the file costs more than
    /// all other readings of a short run.
    first_times: Option<CpuTimes>,
    start: Instant,
    /// The time of the next look, if it is not delayed.
    due: Instant,
    last_look: Instant,
    used_then: Duration,
    /// Its threads at the last look, if it may have slept since the one before.
    threads_then: Option<ThreadTimes>,
    /// How far a busy machine may extend the limit.
    extension: Duration,
    /// How long the machine stood still.
    stalled: Duration,
    /// How long no thread wanted to run.
    asleep: Duration,
    is_paired: bool,
}

impl<R: IdleReadings> IdleClock<R> {
    pub(crate) fn start(readings: R, clock: Clock, request: &RunRequest, start: Instant) -> IdleClock<R> {
        IdleClock {
            readings,
            clock,
            first_times: None,
            start,
            due: start,
            last_look: start,
            used_then: Duration::ZERO,
            threads_then: None,
            extension: request.extension,
            stalled: Duration::ZERO,
            asleep: Duration::ZERO,
            is_paired: request.wants_pidfd,
        }
    }

    /// The run time without the time in which the machine stood still.
    pub(crate) fn elapsed(&self) -> Duration {
        (self.clock.now() - self.start).saturating_sub(self.stalled)
    }

    /// Records when we should wake up next.
    pub(crate) fn expect_wake(&mut self, timeout: Duration) {
        self.due = self.clock.now() + timeout;
    }

    /// Called after waking up; `used` is the CPU time of the run so far.
    pub(crate) fn look(&mut self, used: Duration) {
        let now = self.clock.now();
        let late = now.saturating_duration_since(self.due);
        if late > LATE {
            self.stalled += late;
        }
        if self.first_times.is_none() {
            self.first_times = self.readings.cpu_times();
        }
        let since = now - self.last_look;
        if since < LOOK_INTERVAL {
            return;
        }
        let used_since = used.saturating_sub(self.used_then);
        // Reading the times of all threads takes CPU time, and a program that computes does not sleep.
        let may_sleep = used_since < since / 2;
        let threads = if may_sleep { self.readings.thread_times() } else { None };
        if let (Some(before), Some(now)) = (&self.threads_then, &threads)
            && late <= LATE
        {
            self.asleep += time_asleep(since, used_since, before, now);
        }
        (self.last_look, self.used_then, self.threads_then) = (self.clock.now(), used, threads);
    }

    /// Whether it idled for this long, including its own CPU time.
    pub(crate) fn judge(&self, limit: Duration, used: Duration) -> Idleness {
        let elapsed = self.elapsed();
        if elapsed < limit {
            return Idleness::NotYet;
        }
        weigh_idleness(limit, self.extension, elapsed, self.surely_idle(elapsed) + used)
    }

    fn surely_idle(&self, elapsed: Duration) -> Duration {
        let asleep = if self.is_paired { Duration::ZERO } else { self.asleep };
        match self.first_times.and_then(|first| Some(self.readings.cpu_times()?.since(&first))) {
            Some(times) => times.idle.saturating_sub(self.stalled).max(asleep),
            // Not on one CPU, or no statistics from the kernel: everything except visible waiting counts.
            None => {
                let threads = self.readings.thread_times().unwrap_or_default();
                elapsed.saturating_sub(threads.longest_wait()).max(asleep)
            }
        }
    }
}

/// The answer at or after the limit; `idle` is the time that it certainly idled, including its own CPU time.
fn weigh_idleness(limit: Duration, extension: Duration, elapsed: Duration, idle: Duration) -> Idleness {
    // CPU clocks tick ten milliseconds at a time, and we took some time ourselves.
    if idle + limit / 20 >= limit {
        return Idleness::Idle;
    }
    if elapsed >= limit.saturating_add(extension) { Idleness::Starved } else { Idleness::NotYet }
}

/// The least time between two looks in which no thread ran or waited for a CPU; `used` is the CPU time of the
/// run between them.
fn time_asleep(since: Duration, used: Duration, before: &ThreadTimes, now: &ThreadTimes) -> Duration {
    // The kernel counts a wait when it ends, and threads that started or ended in between may have waited
    // uncounted.
    if now.is_ready || !before.threads.keys().eq(now.threads.keys()) {
        return Duration::ZERO;
    }
    let sums = |times: &ThreadTimes| {
        let all = times.threads.values();
        all.fold((Duration::ZERO, Duration::ZERO), |sum, (ran, waited)| (sum.0 + *ran, sum.1 + *waited))
    };
    let ((ran_before, waited_before), (ran, waited)) = (sums(before), sums(now));
    let [ran, waited] = [ran.saturating_sub(ran_before), waited.saturating_sub(waited_before)];
    // Threads that started and ended in between have computed.
    if used.saturating_sub(ran) >= NO_PROGRESS {
        return Duration::ZERO;
    }
    since.saturating_sub(ran.max(used) + waited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Limits;
    use kopek_base::Bytes;
    use std::cell::Cell;

    #[test]
    fn a_busy_machine_prolongs_the_limit_by_the_extension_and_no_more() {
        let seconds = Duration::from_secs;
        let weighed = |extension, elapsed, idle| {
            weigh_idleness(seconds(3), seconds(extension), seconds(elapsed), seconds(idle))
        };
        assert_eq!(weighed(15, 3, 3), Idleness::Idle);
        assert_eq!((weighed(15, 3, 2), weighed(15, 17, 2)), (Idleness::NotYet, Idleness::NotYet));
        assert_eq!((weighed(15, 18, 2), weighed(15, 18, 3)), (Idleness::Starved, Idleness::Idle));
        assert_eq!((weighed(0, 3, 2), weighed(0, 3, 3)), (Idleness::Starved, Idleness::Idle));
    }

    /// Threads by number, with the milliseconds that each ran and waited for a CPU.
    fn threads(all: &[(u32, u64, u64)]) -> ThreadTimes {
        let millis = Duration::from_millis;
        let threads = all.iter().map(|(thread, ran, waited)| (*thread, (millis(*ran), millis(*waited))));
        ThreadTimes { is_ready: false, threads: threads.collect() }
    }

    /// Milliseconds asleep out of a hundred, with this many of CPU time.
    fn asleep(used: u64, before: &ThreadTimes, now: &ThreadTimes) -> u128 {
        time_asleep(Duration::from_millis(100), Duration::from_millis(used), before, now).as_millis()
    }

    #[test]
    fn a_program_that_computes_now_and_then_sleeps_the_rest_of_the_time() {
        let before = threads(&[(2, 500, 300)]);
        assert_eq!(asleep(0, &before, &threads(&[(2, 500, 300)])), 100);
        assert_eq!(asleep(2, &before, &threads(&[(2, 502, 310)])), 88, "it waited for ten");
        assert_eq!(asleep(2, &before, &threads(&[(2, 502, 398)])), 0, "it waited nearly all the time");
        let two = [threads(&[(2, 9, 9), (3, 9, 9)]), threads(&[(2, 10, 19), (3, 11, 29)])];
        assert_eq!(asleep(3, &two[0], &two[1]), 67, "the waits of two threads need not overlap");
    }

    /// The activity of a program.
    #[derive(Clone, Copy)]
    enum Doing {
        /// It sleeps, and its CPU idles.
        Sleeps,
        /// It sleeps, and other programs have its CPU.
        SleepsBesideOthers,
        /// It waits for its CPU.
        Waits,
        /// It computes.
        Computes,
    }

    /// A run with made-up readings.
    struct Scene {
        clock: Clock,
        /// Milliseconds so far: the CPU idled, the program ran, and it waited.
        idled: Cell<u64>,
        ran: Cell<u64>,
        waited: Cell<u64>,
    }

    impl IdleReadings for &Scene {
        fn cpu_times(&self) -> Option<CpuTimes> {
            Some(CpuTimes { idle: Duration::from_millis(self.idled.get()), ..CpuTimes::default() })
        }

        fn thread_times(&self) -> Option<ThreadTimes> {
            Some(threads(&[(2, self.ran.get(), self.waited.get())]))
        }
    }

    impl Scene {
        fn new() -> Scene {
            let [idled, ran, waited] = Default::default();
            Scene { clock: Clock::stopped(), idled, ran, waited }
        }

        #[expect(clippy::fn_params_excessive_bools, reason = "a value of a field")]
        fn start(&self, extension: u64, wants_pidfd: bool) -> IdleClock<&Scene> {
            let (second, size) = (Duration::from_secs(1), Bytes::mib(1));
            let limits =
                Limits { cpu: second, wall: second, memory: size, output: size, files: size, processes: 1 };
            let request = RunRequest {
                argv: vec![],
                env: vec![],
                cwd: "/box".into(),
                limits,
                wants_pidfd,
                reserves: false,
                extension: Duration::from_millis(extension),
            };
            IdleClock::start(self, self.clock.clone(), &request, self.clock.now())
        }

        /// Looks every 100 ms until the clock answers for a limit of one second, or this many times; each
        /// look is late by some milliseconds.
        fn judge(
            &self,
            idle: &mut IdleClock<&Scene>,
            doing: Doing,
            looks: u64,
            late: u64,
        ) -> (Idleness, u64) {
            let limit = Duration::from_secs(1);
            for look in 1..=looks {
                idle.expect_wake(LOOK_INTERVAL);
                self.clock.advance(LOOK_INTERVAL + Duration::from_millis(late));
                let counted = match doing {
                    Doing::Sleeps => Some(&self.idled),
                    Doing::SleepsBesideOthers => None,
                    Doing::Waits => Some(&self.waited),
                    Doing::Computes => Some(&self.ran),
                };
                counted.inspect(|counted| counted.set(counted.get() + 100 + late));
                let used = Duration::from_millis(self.ran.get());
                idle.look(used);
                let judged = idle.judge(limit, used);
                if judged != Idleness::NotYet {
                    return (judged, look);
                }
            }
            (Idleness::NotYet, looks)
        }
    }

    #[test]
    fn idleness_depends_on_what_the_program_does() {
        let judged = |doing, wants_pidfd, late| {
            let scene = Scene::new();
            scene.judge(&mut scene.start(2000, wants_pidfd), doing, 99, late)
        };
        assert_eq!(judged(Doing::Sleeps, false, 0), (Idleness::Idle, 11), "the first look only begins");
        assert_eq!(
            judged(Doing::SleepsBesideOthers, false, 0),
            (Idleness::Idle, 11),
            "no thread wants to run"
        );
        assert_eq!(
            judged(Doing::SleepsBesideOthers, true, 0),
            (Idleness::Starved, 30),
            "its partner may work"
        );
        assert_eq!(judged(Doing::Waits, false, 0), (Idleness::Starved, 30), "its extension is used up");
        assert_eq!(judged(Doing::Computes, false, 0), (Idleness::Idle, 10), "its own time counts as well");
        assert_eq!(
            judged(Doing::SleepsBesideOthers, false, 60),
            (Idleness::Starved, 30),
            "every look is late"
        );
    }

    #[test]
    fn a_paused_machine_makes_no_program_idle() {
        let scene = Scene::new();
        let mut idle = scene.start(2000, false);
        assert_eq!(scene.judge(&mut idle, Doing::Sleeps, 3, 0).0, Idleness::NotYet);
        // The CPU idled for four seconds, too.
        assert_eq!(scene.judge(&mut idle, Doing::Sleeps, 1, 4000).0, Idleness::NotYet);
        assert_eq!(idle.elapsed(), Duration::from_millis(400));
        assert_eq!(scene.judge(&mut idle, Doing::Sleeps, 99, 0), (Idleness::Idle, 7));
    }

    #[test]
    fn nothing_counts_as_sleep_if_a_thread_may_have_waited_for_a_cpu() {
        let before = threads(&[(2, 500, 300)]);
        let ready = ThreadTimes { is_ready: true, ..threads(&[(2, 500, 300)]) };
        assert_eq!(asleep(0, &before, &ready), 0, "it waits now");
        assert_eq!(asleep(0, &before, &threads(&[(2, 500, 300), (3, 0, 0)])), 0, "one started");
        assert_eq!(asleep(0, &before, &threads(&[(4, 500, 300)])), 0, "one ended, one started");
        assert_eq!(asleep(2, &before, &threads(&[(2, 500, 300)])), 0, "one started, computed and ended");
        let uncounted = threads(&[(2, 0, 0)]);
        assert_eq!(
            asleep(0, &uncounted, &uncounted),
            100,
            "the kernel counts no waits, but no CPU time was used"
        );
        assert_eq!(asleep(2, &uncounted, &uncounted), 0, "here some was used");
    }
}
