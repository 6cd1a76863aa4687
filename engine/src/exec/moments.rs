//! Measures moments on the CPU of a worker, and waits for a quiet one.

use super::{Machine, perform::CLOSE_YARDSTICKS, quiet::Moment, worker::Worker};
use crate::{
    plan::Conditions,
    sandbox::{
        CacheUse, YardstickTimes, count_running, cpu_times, measure_large_programs, measure_little_program,
        measure_own_caches, measure_yardstick, thread_time,
    },
};
use std::{
    iter::repeat_n,
    sync::atomic::Ordering,
    thread,
    time::{Duration, Instant},
};

/// So old a moment may be and still stand for that before a run. The yardstick takes some fifteen
/// milliseconds of it. What others had since is counted as if it was during the run.
const MOMENT_AGE: Duration = Duration::from_millis(1500);

/// The same where a try decides by itself.
const CLOSE_AGE: Duration = Duration::from_millis(200);

/// How long is waited for quiet before one run.
const WAIT_FOR_ONE: Duration = Duration::from_secs(2);

/// How often it is looked whether it is quiet now.
const WAIT_INTERVAL: Duration = Duration::from_millis(100);

/// How often the part of the shared cache is measured beforehand.
const LITTLE_LOOKS: usize = 2;

/// How often it is looked beforehand whether the machine is quiet.
const GLANCES: usize = 20;

/// How often the parts of the yardstick are used for a moment that seems disturbed: those of a CPU's own caches, and that
/// of the shared one. There is a middle; of the first it comes after the milliseconds in which a clock recovers from a
/// program that waited for memory.
const SHORT_LOOK: [usize; 2] = [5, 3];

/// The same after a run that was near its limit: a sixth of a second.
const LONG_LOOK: [usize; 2] = [20, 10];

/// How often that is measured of which it is not known what it takes in quiet.
const FIRST_LOOKS: usize = 3;

/// Of so many CPUs one may be busy with something else: large machines always are.
const CPUS_PER_OTHER: usize = 8;

impl Machine {
    /// Measures this machine, if nobody else runs at the moment; what the yardstick takes in quiet, if that is known.
    pub fn measure_quiet(&self) -> Option<YardstickTimes> {
        self.measure_if_alone(measure_yardstick);
        self.quiet_yardstick()
    }

    /// Measures this machine before anything runs on it, if nothing is known of it: once there is work no
    /// moment may be quiet. Several times, because a processor that idled is slow at first.
    pub(super) fn measure_beforehand(&self) {
        if self.reference.knows(CacheUse::Little) {
            return;
        }
        // Who waited for memory has the clock slow for some milliseconds: those parts come last.
        let own: fn() -> YardstickTimes = measure_own_caches;
        let little: fn() -> YardstickTimes = measure_little_program;
        let mut looks = repeat_n(own, CLOSE_YARDSTICKS).chain([little; LITTLE_LOOKS]).peekable();
        for _ in 0..GLANCES {
            let Some(measure) = looks.peek() else { return };
            match self.measure_if_alone(measure) {
                true => drop(looks.next()),
                false => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Whether nobody else ran, so that the machine was measured.
    fn measure_if_alone(&self, measure: impl Fn() -> YardstickTimes) -> bool {
        let alone = self.runs_alone();
        if alone {
            self.reference.note_alone(&measure());
        }
        alone
    }

    /// Whether no more programs run than we do ourselves.
    fn runs_alone(&self) -> bool {
        let cpus = thread::available_parallelism().map_or(1, |cpus| cpus.get());
        let ours = self.active.load(Ordering::Relaxed).max(1);
        count_running().is_some_and(|running| running as usize <= ours + cpus / CPUS_PER_OTHER)
    }
}

/// The middle of few measurements, or, if that is not quiet, of many.
fn middle_of(
    [few, many]: [usize; 2],
    measure: impl Fn() -> YardstickTimes,
    is_quiet: impl Fn(&YardstickTimes) -> bool,
) -> YardstickTimes {
    let mut all: Vec<YardstickTimes> = (0..few).map(|_| measure()).collect();
    if !is_quiet(&YardstickTimes::middle(&all)) {
        all.extend((few..many).map(|_| measure()));
    }
    YardstickTimes::middle(&all)
}

impl Worker<'_> {
    /// What it is like now for who uses so much of the cache.
    pub(super) fn measure_moment(&mut self, cache: CacheUse) -> Moment {
        self.look_closely(SHORT_LOOK, cache)
    }

    /// The same; what seems disturbed is measured so often at the least: others use caches and memory in bursts that
    /// are much shorter than a run.
    fn look_closely(&mut self, often: [usize; 2], cache: CacheUse) -> Moment {
        let (alone, quiet) = (self.machine.runs_alone(), self.machine.quiet_yardstick());
        let is_quiet = |times: &YardstickTimes, cache| {
            let slowdown = quiet.and_then(|quiet| times.slowdown_over(&quiet, cache));
            Conditions { slowdown, others: 0 }.is_quiet()
        };
        let own = middle_of([self.yardsticks, often[0]], measure_own_caches, |own| {
            is_quiet(own, CacheUse::Nothing)
        });
        let little = middle_of([self.yardsticks, often[1]], measure_little_program, |little| {
            quiet.is_some_and(|quiet| {
                let little_cached = little.little_cached;
                is_quiet(&YardstickTimes { little_cached, ..quiet }, CacheUse::Little)
            })
        });
        let times = own.least(&little).least(&self.measure_large(cache, alone));
        let slots = [&self.slots.submission, &self.slots.judge];
        let ours = slots.iter().map(|slot| slot.cpu_spent()).sum::<Duration>();
        let moment = Moment {
            at: Instant::now(),
            slowdowns: self.machine.reference.compare(&times, alone),
            cpu: self.slots.submission.cpu().and_then(cpu_times),
            ours: ours + self.programs.cpu_spent() + Duration::from_nanos(thread_time()),
        };
        self.earlier_moment = self.moment.replace(moment);
        moment
    }

    /// What only programs of more than little use want to know. If it is not known what that takes in quiet, it is
    /// measured some more times: what comes later has something to be compared with.
    fn measure_large(&self, cache: CacheUse, alone: bool) -> YardstickTimes {
        let measure = || measure_large_programs(cache);
        if cache > CacheUse::Little && alone && !self.machine.reference.knows(cache) {
            let quietest = (0..FIRST_LOOKS).map(|_| measure()).reduce(|a, b| a.least(&b));
            quietest.iter().for_each(|times| self.machine.reference.note_alone(times));
        }
        measure()
    }

    /// The last moment, if that was just now and it was looked at what matters to this use of the cache; else this one.
    pub(super) fn recent_moment(&mut self, cache: CacheUse) -> Moment {
        let most = if self.yardsticks == 1 { MOMENT_AGE } else { CLOSE_AGE };
        let is_clear =
            |moment: &Moment| cache <= CacheUse::Little || moment.conditions(cache).slowdown.is_some();
        match self.moment {
            Some(moment) if moment.at.elapsed() < most && is_clear(&moment) => moment,
            _ => self.measure_moment(cache),
        }
    }

    /// What it was like in the last moment, and what others had of the CPU since the one before.
    pub(super) fn last_conditions(&self, cache: CacheUse) -> Conditions {
        let Some(last) = self.moment else { return Conditions::default() };
        let until = self.earlier_moment.map(|earlier| earlier.conditions_until(&last, cache));
        Conditions { others: until.map_or(0, |until| until.others), ..last.conditions(cache) }
    }

    /// In what conditions something was measured that began at a moment, after an earlier one; looks at this
    /// one, too.
    pub(super) fn conditions_of_run(
        &mut self,
        before: &Moment,
        start: Instant,
        cache: CacheUse,
    ) -> Conditions {
        let run = start.elapsed();
        let after = self.look_closely(LONG_LOOK, cache);
        let conditions = before.conditions_of_run(&after, run, cache);
        match cache {
            CacheUse::Nothing => conditions,
            // Others take the shared cache in bursts: a clear moment tells nothing of a run beside it.
            _ => self.machine.reference.no_better_than_usual(conditions, cache),
        }
    }

    /// Waits until nobody disturbs, but not for ever; what it is like then.
    pub(super) fn wait_for_quiet(&mut self, cache: CacheUse) -> Conditions {
        let start = Instant::now();
        let mut before = self.measure_moment(cache);
        let mut conditions = before.conditions(cache);
        while start.elapsed() < WAIT_FOR_ONE && self.machine.reference.take_patience(WAIT_INTERVAL) {
            thread::sleep(WAIT_INTERVAL);
            let now = self.measure_moment(cache);
            conditions = before.conditions_until(&now, cache);
            if conditions.is_quiet() {
                break;
            }
            before = now;
        }
        conditions
    }
}
