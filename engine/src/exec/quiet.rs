//! What is quiet on this machine, and how far from it each moment is.
//!
//! Moments are measured by the yardstick. What it takes in quiet is what it took, part by part, in the best
//! twentieth of the moments in which nobody else ran; that is remembered from session to session.

use crate::{
    plan::Conditions,
    sandbox::{CacheUse, CpuTimes, NAMES_OF_PARTS, PARTS, Slowdown, YardstickTimes},
    store::Store,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// How many sessions are remembered.
const SESSIONS: usize = 16;

/// How long a session waits for quiet, and tries again what was disturbed.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the yardstick takes in quiet.
#[derive(Debug)]
pub(super) struct QuietReference {
    state: Mutex<ReferenceState>,
}

#[derive(Debug, Default)]
struct ReferenceState {
    /// The best of each of the last sessions.
    sessions: Vec<YardstickTimes>,
    /// All moments of this one in which nobody else ran, by part, shortest first.
    alone: [Vec<u64>; PARTS],
    /// How slow the last moments were, whoever ran.
    recent: VecDeque<Slowdowns>,
    /// On what was disturbed.
    spent: Duration,
}

/// What is remembered.
#[derive(Serialize, Deserialize)]
struct Remembered {
    sessions: Vec<YardstickTimes>,
}

/// Where it is remembered: what a compiler made of the yardstick takes its own time, and a yardstick of other
/// parts is another one.
fn name_of_memory() -> String {
    let profile = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    let machine = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let class = super::machine_class();
    format!(
        "yardstick {} of {NAMES_OF_PARTS} {profile} on {class} {}",
        env!("CARGO_PKG_VERSION"),
        machine.trim()
    )
}

impl QuietReference {
    pub(super) fn recall(store: &Store) -> QuietReference {
        // Only a cache: what cannot be recalled is measured anew.
        let known: Option<Remembered> = store.recall(&name_of_memory()).ok().flatten();
        let sessions = known.map_or(vec![], |known| known.sessions);
        QuietReference { state: Mutex::new(ReferenceState { sessions, ..ReferenceState::default() }) }
    }

    /// Adds this session to those that are remembered, if it was ever quiet.
    pub(super) fn remember(&self, store: &Store) {
        let state = self.lock();
        let Some(best) = state.best() else { return };
        let mut sessions = state.sessions.clone();
        sessions.push(best);
        let sessions = sessions.split_off(sessions.len().saturating_sub(SESSIONS));
        let _ = store.remember(&name_of_memory(), &Remembered { sessions });
    }

    fn lock(&self) -> MutexGuard<'_, ReferenceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in what was measured while nobody else ran.
    pub(super) fn note_alone(&self, times: &YardstickTimes) {
        self.lock().note(times);
    }

    /// How slow the machine is now. While nobody else ran, it may be the best so far.
    pub(super) fn compare(&self, times: &YardstickTimes, nobody_else: bool) -> Option<Slowdowns> {
        let mut state = self.lock();
        if nobody_else {
            state.note(times);
        }
        let slowdowns = Slowdowns::over(&state.quiet_times()?, times);
        state.recent.push_front(slowdowns);
        state.recent.truncate(RECENT_MOMENTS);
        Some(slowdowns)
    }

    /// Whether it is known what everything takes in quiet that matters to programs of this use of the cache.
    pub(super) fn knows(&self, cache: CacheUse) -> bool {
        self.quiet_yardstick().is_some_and(|quiet| quiet.slowdown_over(&quiet, cache).is_some())
    }

    /// How slow the machine may be in the next run, of a program of this use of the cache, after these conditions: as
    /// slow as in more than two moments just now. Who expects the worst waits longer than it takes to try again.
    pub(super) fn expect(&self, now: Conditions, cache: CacheUse) -> Conditions {
        let recent = self.recent_slowdowns(cache);
        let third_most = recent.len().checked_sub(3).map_or(Slowdown::NONE, |at| recent[at]);
        now.at_least(third_most)
    }

    /// These conditions, but no better than half of the moments just now.
    pub(super) fn no_better_than_usual(&self, now: Conditions, cache: CacheUse) -> Conditions {
        let recent = self.recent_slowdowns(cache);
        now.at_least(recent.get(recent.len() / 2).copied().unwrap_or(Slowdown::NONE))
    }

    /// The least first.
    fn recent_slowdowns(&self, cache: CacheUse) -> Vec<Slowdown> {
        let mut recent: Vec<Slowdown> =
            self.lock().recent.iter().filter_map(|moment| moment.of(cache)).collect();
        recent.sort_unstable();
        recent
    }

    /// What the yardstick takes in quiet, if that is known.
    pub(super) fn quiet_yardstick(&self) -> Option<YardstickTimes> {
        self.lock().quiet_times()
    }

    /// Takes a little of the time that a session may spend on what was disturbed; false when there is
    /// none left.
    pub(super) fn take_patience(&self, time: Duration) -> bool {
        let mut state = self.lock();
        state.spent += time;
        state.spent <= PATIENCE
    }
}

/// So many moments, of all slots, are just now.
const RECENT_MOMENTS: usize = 8;

/// More moments than this are thinned out.
const MOST_MOMENTS: usize = 4096;

/// So many of a hundred moments are better than what counts as quiet: not the luckiest one ever, which would
/// make every other moment slow.
const LUCKY_PERCENT: usize = 5;

/// But no more than this above the luckiest: together with what a quiet moment may be slower it stays below
/// what a miss is tried again for, so that a program at nine tenths of its limit is safe.
const MOST_ABOVE_LEAST: f64 = 1.05;

impl ReferenceState {
    /// Takes in a moment in which nobody else ran.
    fn note(&mut self, times: &YardstickTimes) {
        let measured = self.alone.iter_mut().zip(times.parts()).filter(|(_, time)| *time > 0);
        for (known, time) in measured {
            known.insert(known.partition_point(|other| *other < time), time);
            if known.len() > MOST_MOMENTS {
                // The first stays the least.
                let mut at = 0;
                known.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
            }
        }
    }

    /// What counts as quiet in this session; `None`: somebody else ran all the time.
    fn best(&self) -> Option<YardstickTimes> {
        let quantile = |known: &Vec<u64>| {
            let Some(least) = known.first() else { return 0 };
            let most = (*least as f64 * MOST_ABOVE_LEAST) as u64;
            known[known.len() * LUCKY_PERCENT / 100].min(most)
        };
        let best = YardstickTimes::from_parts(std::array::from_fn(|part| quantile(&self.alone[part])));
        (best.arithmetic > 0).then_some(best)
    }

    fn quiet_times(&self) -> Option<YardstickTimes> {
        let earlier = typical_best(&self.sessions);
        match (earlier, self.best()) {
            (Some(earlier), Some(best)) => Some(earlier.least(&best)),
            (earlier, best) => earlier.or(best),
        }
    }
}

/// The best of the sessions; of many the second best, lest one slip of a clock makes every other
/// moment slow for ever.
fn typical_best(sessions: &[YardstickTimes]) -> Option<YardstickTimes> {
    let without = |at: usize| {
        let others = sessions.iter().enumerate().filter(move |(other, _)| *other != at);
        others.map(|(_, times)| *times).reduce(|a, b| a.least(&b))
    };
    if sessions.len() < 3 {
        return sessions.iter().copied().reduce(|a, b| a.least(&b));
    }
    // Part by part the greatest of what is left when any one session is left out.
    (0..sessions.len()).filter_map(without).reduce(|a, b| a.most(&b))
}

/// How slow a moment is for programs, by what they use of the shared cache; none where that was not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slowdowns([Option<Slowdown>; CacheUse::ALL.len()]);

impl Slowdowns {
    pub(super) fn over(quiet: &YardstickTimes, times: &YardstickTimes) -> Slowdowns {
        Slowdowns(CacheUse::ALL.map(|cache| times.slowdown_over(quiet, cache)))
    }

    pub(super) fn of(self, cache: CacheUse) -> Option<Slowdown> {
        self.0[cache as usize]
    }
}

/// A moment on the CPU of a slot.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub(super) at: Instant,
    pub(super) slowdowns: Option<Slowdowns>,
    pub(super) cpu: Option<CpuTimes>,
    /// CPU time of ours until then: of this thread and the programs it ran.
    pub(super) ours: Duration,
}

/// What others had of a CPU is a share of so much time at the least: of less the kernel's clocks cannot tell.
const SHORTEST_SHARED: Duration = Duration::from_millis(200);

impl Moment {
    /// What was between two moments, beside what we did ourselves.
    pub(super) fn conditions_until(&self, end: &Moment, cache: CacheUse) -> Conditions {
        self.conditions_of_run(end, Duration::MAX, cache)
    }

    /// The same for a run of this length between them: what others had at any time may have been then.
    pub(super) fn conditions_of_run(&self, end: &Moment, run: Duration, cache: CacheUse) -> Conditions {
        let wall = end.at.saturating_duration_since(self.at).min(run.max(SHORTEST_SHARED));
        // Before a run nobody knows what of the shared cache it will use.
        let before = self.slowdown(cache).or_else(|| self.slowdown(CacheUse::Little));
        let slowdown = before.zip(end.slowdown(cache)).map(|(before, after)| before.max(after));
        let (Some(before), Some(after)) = (self.cpu, end.cpu) else {
            return Conditions { slowdown, others: 0 };
        };
        let passed = after.since(&before);
        let others = (passed.busy + passed.stolen).saturating_sub(end.ours.saturating_sub(self.ours));
        // The kernel's clocks tick every ten milliseconds; nothing shorter can be told.
        let others = others.saturating_sub(Duration::from_millis(10));
        let share = others.as_secs_f64() / wall.as_secs_f64().max(0.001);
        Conditions { slowdown, others: (share * 1000.0).min(1000.0) as u32 }
    }
}

impl Moment {
    /// As if nothing had been measured after it: what is known before a run.
    pub(super) fn conditions(&self, cache: CacheUse) -> Conditions {
        Conditions { slowdown: self.slowdown(cache), others: 0 }
    }

    fn slowdown(&self, cache: CacheUse) -> Option<Slowdown> {
        self.slowdowns.and_then(|slowdowns| slowdowns.of(cache))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(all: u64) -> YardstickTimes {
        YardstickTimes::from_parts([all; PARTS])
    }

    #[test]
    fn one_slip_of_a_clock_does_not_make_every_moment_slow() {
        assert_eq!(typical_best(&[]), None);
        assert_eq!(typical_best(&[times(100), times(90)]), Some(times(90)));
        assert_eq!(typical_best(&[times(100), times(20), times(102), times(99)]), Some(times(99)));
    }

    #[test]
    fn a_yardstick_of_other_parts_is_not_recalled() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        let earlier =
            name_of_memory().replace(", programs that use little, much, all of the shared cache", "");
        let parts = r#"{"arithmetic":9,"shared_core":9,"near_memory":9}"#;
        let remembered: Remembered = serde_json::from_str(&format!(r#"{{"sessions":[{parts}]}}"#)).unwrap();
        store.remember(&earlier, &remembered).unwrap();
        assert_eq!(
            QuietReference::recall(&store).quiet_yardstick(),
            None,
            "the shared cache would take no time"
        );
        store.remember(&name_of_memory(), &Remembered { sessions: vec![times(7)] }).unwrap();
        assert_eq!(QuietReference::recall(&store).quiet_yardstick(), Some(times(7)));
    }

    #[test]
    fn what_ran_beside_others_is_not_what_is_quiet() {
        let reference = QuietReference { state: Mutex::default() };
        let compare =
            |time, alone| reference.compare(&times(time), alone).map(|all| all.0.map(|slow| slow.unwrap().0));
        assert_eq!(compare(150, false), None);
        assert_eq!(compare(100, true), Some([1000; 4]));
        assert_eq!(compare(150, false), Some([1500, 1900, 1900, 1900]), "who uses the cache suffers more");
    }

    fn slower_by(thousandths: u32) -> Conditions {
        Conditions { slowdown: Some(Slowdown(thousandths)), others: 30 }
    }

    fn figures(conditions: Conditions) -> (u32, u32) {
        (conditions.slowdown.unwrap().0, conditions.others)
    }

    #[test]
    fn a_run_is_expected_to_be_as_slow_as_more_than_two_moments_were() {
        let reference = QuietReference { state: Mutex::default() };
        let expected = |now: u32| figures(reference.expect(slower_by(now), CacheUse::Nothing));
        assert_eq!(expected(1200), (1200, 30), "nothing else is known");
        reference.compare(&times(100), true);
        reference.compare(&times(170), false);
        reference.compare(&times(160), false);
        assert_eq!(expected(1000), (1000, 30), "twice says nothing");
        reference.compare(&times(140), false);
        assert_eq!(expected(1000), (1400, 30));
        assert_eq!(expected(1500), (1500, 30));
        for _ in 0..RECENT_MOMENTS {
            reference.compare(&times(100), false);
        }
        assert_eq!(expected(1000), (1000, 30), "that is long ago");
        assert_eq!(reference.expect(Conditions::default(), CacheUse::Little).slowdown, None);
    }

    #[test]
    fn who_uses_the_cache_is_not_measured_in_a_lucky_moment() {
        let reference = QuietReference { state: Mutex::default() };
        let weighed = |now: u32| figures(reference.no_better_than_usual(slower_by(now), CacheUse::Much));
        assert_eq!(weighed(1200), (1200, 30), "nothing else is known");
        for time in [100, 100, 300, 250, 200] {
            reference.compare(&times(time), time == 100);
        }
        assert_eq!(weighed(1000), (2900, 30));
        assert_eq!(weighed(6000), (6000, 30));
    }

    /// What counts as quiet after these moments.
    fn best_of(moments: impl IntoIterator<Item = u64>) -> u64 {
        let mut state = ReferenceState::default();
        moments.into_iter().for_each(|moment| state.note(&times(moment)));
        state.best().unwrap().much_cached
    }

    #[test]
    fn a_lucky_moment_does_not_make_the_others_slow() {
        assert_eq!(ReferenceState::default().best(), None);
        assert_eq!(best_of([120, 100]), 100, "of few moments the best");
        assert_eq!(best_of(std::iter::once(970).chain(1000..1099)), 1004, "not the lucky one");
        let many: Vec<u64> = (0..20_000).map(|at| 1000 + at * 7919 % 100).collect();
        assert!((1000..=1005).contains(&best_of(many)));
    }

    #[test]
    fn a_machine_that_is_seldom_quiet_is_not_called_quiet_when_it_is_busy() {
        // One moment in forty was quiet: what is usual must not count as quiet.
        let mostly_busy = (0..400).map(|at| if at % 40 == 0 { 1000 } else { 1400 });
        let quiet = best_of(mostly_busy);
        assert_eq!(quiet, 1050, "never more than a twentieth above the best");
        let busy =
            Conditions { slowdown: times(1400).slowdown_over(&times(quiet), CacheUse::All), others: 0 };
        assert!(!busy.is_quiet());
        // What nine tenths of the limit become in the slowest moment that still counts as quiet is tried again.
        let slowest = 0.9 * f64::from(1100) / 1000.0 * MOST_ABOVE_LEAST;
        assert!(slowest < super::super::stop_at(Duration::from_secs(1)).as_secs_f64(), "{slowest}");
    }

    #[test]
    fn others_are_whoever_had_the_cpu_but_us() {
        let second = Duration::from_secs(1);
        let start = Instant::now();
        let moment = |at: u32, busy: u32, ours: u32| Moment {
            at: start + second * at,
            slowdowns: Some(Slowdowns(
                [1000, 1000 + at, 1500 + at, 2000 + at].map(|slow| Some(Slowdown(slow))),
            )),
            cpu: Some(CpuTimes { busy: second * busy, ..CpuTimes::default() }),
            ours: second * ours,
        };
        let between = |cache, busy| moment(0, 5, 3).conditions_until(&moment(4, busy, 5), cache);
        let seen = between(CacheUse::Little, 9);
        assert_eq!(seen, Conditions { slowdown: Some(Slowdown(1004)), others: 497 });
        assert!(!seen.is_quiet());
        assert!(between(CacheUse::Little, 7).is_quiet());
        assert_eq!(between(CacheUse::All, 7), Conditions { slowdown: Some(Slowdown(2004)), others: 0 });
    }

    #[test]
    fn what_others_had_before_a_run_counts_as_if_it_was_during_it() {
        let start = Instant::now();
        let moment = |millis: u64, busy: u64| Moment {
            at: start + Duration::from_millis(millis),
            slowdowns: None,
            cpu: Some(CpuTimes { busy: Duration::from_millis(busy), ..CpuTimes::default() }),
            ours: Duration::ZERO,
        };
        let others = |run: u64| {
            let (run, cache) = (Duration::from_millis(run), CacheUse::Little);
            moment(0, 0).conditions_of_run(&moment(1000, 60), run, cache).others
        };
        assert_eq!(
            [others(5000), others(1000), others(500), others(100), others(1)],
            [50, 50, 100, 250, 250]
        );
    }
}
