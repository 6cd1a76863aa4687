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

/// How closely a moment is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Before any run: as closely as it takes to see that it is disturbed.
    Short,
    /// After a run that was near its limit, while it is disturbed, a sixth of a second: others use caches and memory in
    /// bursts that are much shorter than a run.
    Long,
}

impl Look {
    /// How often a part is used at the most for a moment that seems disturbed: one of a CPU's own caches, and that of the
    /// shared one. There is a middle; of the first it comes after the milliseconds in which a clock recovers from a program
    /// that waited for memory.
    fn most(self) -> [usize; 2] {
        match self {
            Look::Short => [5, 3],
            Look::Long => [20, 10],
        }
    }
}

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

/// The middle of few measurements, or, if that is not quiet, of many; a short look ends when most of those are not quiet,
/// whatever the others would be.
fn middle_of(
    look: Look,
    [few, many]: [usize; 2],
    measure: impl Fn() -> YardstickTimes,
    is_quiet: impl Fn(&YardstickTimes) -> bool,
) -> YardstickTimes {
    let mut all: Vec<YardstickTimes> = (0..few).map(|_| measure()).collect();
    let mut goes_on = !is_quiet(&YardstickTimes::middle(&all));
    while goes_on && all.len() < many {
        all.push(measure());
        goes_on = look == Look::Long || all.iter().filter(|times| !is_quiet(times)).count() <= many / 2;
    }
    YardstickTimes::middle(&all)
}

impl Worker<'_> {
    /// What it is like now for who uses so much of the cache.
    pub(super) fn measure_moment(&mut self, cache: CacheUse) -> Moment {
        self.look_closely(Look::Short, cache)
    }

    fn look_closely(&mut self, look: Look, cache: CacheUse) -> Moment {
        let (alone, quiet) = (self.machine.runs_alone(), self.machine.quiet_yardstick());
        let times = self.measure_small(look, alone, quiet.as_ref()).least(&self.measure_large(cache, alone));
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

    /// Whether what programs of this use suffer can be compared with quiet, or be quiet itself. Else it is not measured.
    fn is_telling(&self, cache: CacheUse, alone: bool) -> bool {
        alone || self.machine.reference.knows(cache)
    }

    /// The parts for programs that use little of the shared cache, or none.
    fn measure_small(&self, look: Look, alone: bool, quiet: Option<&YardstickTimes>) -> YardstickTimes {
        let is_quiet = |times: &YardstickTimes, cache| {
            let slowdown = quiet.and_then(|quiet| times.slowdown_over(quiet, cache));
            Conditions { slowdown, others: 0 }.is_quiet()
        };
        let [own_most, little_most] = look.most();
        if !self.is_telling(CacheUse::Nothing, alone) {
            return YardstickTimes::default();
        }
        let is_own_quiet = |own: &YardstickTimes| is_quiet(own, CacheUse::Nothing);
        let own = middle_of(look, [self.yardsticks, own_most], measure_own_caches, is_own_quiet);
        if !self.is_telling(CacheUse::Little, alone) {
            return own;
        }
        let is_little_quiet = |little: &YardstickTimes| {
            quiet.is_some_and(|quiet| {
                let little_cached = little.little_cached;
                is_quiet(&YardstickTimes { little_cached, ..*quiet }, CacheUse::Little)
            })
        };
        let little_most = if look == Look::Short && !is_own_quiet(&own) { 1 } else { little_most };
        own.least(&middle_of(look, [self.yardsticks, little_most], measure_little_program, is_little_quiet))
    }

    /// What only programs of more than little use want to know. If it is not known what that takes in quiet, it is
    /// measured some more times: what comes later has something to be compared with.
    fn measure_large(&self, cache: CacheUse, alone: bool) -> YardstickTimes {
        if !self.is_telling(cache, alone) {
            return YardstickTimes::default();
        }
        let measure = || measure_large_programs(cache);
        if cache > CacheUse::Little && !self.machine.reference.knows(cache) {
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
        let after = self.look_closely(Look::Long, cache);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::PARTS;
    use std::cell::Cell;

    /// How often was looked, and what was seen; up to 100 is quiet.
    fn looked(look: Look, times: &[u64]) -> (usize, u64) {
        let count = Cell::new(0);
        let measure = || YardstickTimes::from_parts([times[count.replace(count.get() + 1)]; PARTS]);
        let middle = middle_of(look, [1, look.most()[0]], measure, |times| times.arithmetic <= 100);
        (count.get(), middle.arithmetic)
    }

    #[test]
    fn a_short_look_ends_when_it_is_seen_that_most_of_it_is_disturbed() {
        assert_eq!(looked(Look::Short, &[99]), (1, 99));
        assert_eq!(looked(Look::Short, &[150, 140, 160]), (3, 150));
        assert_eq!(looked(Look::Short, &[150, 90, 140, 91, 160]), (5, 140), "until it is known");
        assert_eq!(looked(Look::Short, &[150, 90, 91, 92, 93]), (5, 92), "it was a burst");
    }

    #[test]
    fn a_long_look_takes_its_time_where_it_is_disturbed() {
        assert_eq!(looked(Look::Long, &[99]), (1, 99));
        assert_eq!(looked(Look::Long, &[150; 20]), (20, 150));
    }
}
