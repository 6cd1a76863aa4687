//! The least time of each witness, by machine: the baseline for its current time.

use crate::store::Store;
use anyhow::Result;
use kopek_plan::plan::WitnessTime;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A least time counts after this many runs.
const RUNS_TO_TRUST: u32 = 3;

/// Runs closer together may all be in one slow moment.
const APART: Duration = Duration::from_secs(1);

/// The prefix of the names under which stores keep it.
const PREFIX: &str = "least time of ";

/// The known times of witnesses; cached in the store.
#[derive(Debug, Default)]
pub struct LeastTimes {
    known: Mutex<HashMap<String, KnownMin>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct KnownMin {
    min: Duration,
    /// The number of runs, each at least [`APART`] after the previously counted one.
    runs: u32,
    /// The time of the last counted run, since 1970.
    counted_at: Duration,
}

impl LeastTimes {
    /// Records the time of a witness that just ran.
    pub fn note(&self, store: &Store, time: &WitnessTime) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.note_at(store, time, now);
    }

    fn note_at(&self, store: &Store, time: &WitnessTime, now: Duration) {
        let counted = |known: KnownMin| {
            let is_apart = now.abs_diff(known.counted_at) >= APART && known.runs < RUNS_TO_TRUST;
            let counted_at = if is_apart { now } else { known.counted_at };
            KnownMin { runs: known.runs + u32::from(is_apart), counted_at, ..known }
        };
        self.change(store, time, counted);
    }

    /// Records the time of a witness from a stored fact, without counting the run again.
    pub fn note_fact(&self, store: &Store, time: &WitnessTime) {
        self.change(store, time, |known| known);
    }

    /// Merges the times of another store, so that its facts give the same results here.
    pub fn take_over(store: &Store, other: &Store) -> Result<()> {
        for (name, there) in other.recall_all::<KnownMin>(PREFIX)? {
            let here: Option<KnownMin> = store.recall(&name)?;
            let joined = here.map_or(there, |here| KnownMin {
                min: here.min.min(there.min),
                // Not the sum: both stores may know the same runs.
                runs: here.runs.max(there.runs),
                counted_at: here.counted_at.max(there.counted_at),
            });
            store.remember(&name, &joined)?;
        }
        Ok(())
    }

    fn change(&self, store: &Store, time: &WitnessTime, count: impl FnOnce(KnownMin) -> KnownMin) {
        let name = name_of(time);
        let before = self.known(store, &name);
        let known = before.unwrap_or(KnownMin { min: time.time, runs: 0, counted_at: Duration::ZERO });
        let after = count(KnownMin { min: known.min.min(time.time), ..known });
        if before != Some(after) {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), after);
            // Only a cache: a time that cannot be stored is measured again.
            let _ = store.remember(&name, &after);
        }
    }

    /// The least time of this witness on this machine.
    pub fn min(&self, store: &Store, time: &WitnessTime) -> Duration {
        let known = self.known(store, &name_of(time));
        known.map_or(time.time, |known| known.min.min(time.time))
    }

    /// Whether the least time comes from enough runs to decide.
    pub fn is_trusted(&self, store: &Store, time: &WitnessTime) -> bool {
        self.known(store, &name_of(time)).is_some_and(|known| known.runs >= RUNS_TO_TRUST)
    }

    fn known(&self, store: &Store, name: &str) -> Option<KnownMin> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains_key(name)
            && let Some(remembered) = store.recall(name).ok().flatten()
        {
            known.insert(name.to_owned(), remembered);
        }
        known.get(name).copied()
    }
}

fn name_of(time: &WitnessTime) -> String {
    // The time of the spin depends on how it was compiled.
    let build = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    format!("{PREFIX}{} on {} {build}", time.witness, time.machine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_base::Digest;

    fn time(millis: u64) -> WitnessTime {
        let time = Duration::from_millis(millis);
        WitnessTime { witness: Digest::of(b"w"), name: "w".into(), machine: "m".into(), is_alike: true, time }
    }

    /// The least time, and whether it is trusted.
    fn min_of(times: &LeastTimes, store: &Store, time: &WitnessTime) -> (Duration, bool) {
        (times.min(store, time), times.is_trusted(store, time))
    }

    #[test]
    fn a_least_time_counts_from_three_runs_a_second_apart() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        let times = LeastTimes::default();
        assert_eq!(min_of(&times, &store, &time(50)), (Duration::from_millis(50), false), "only its own");
        for (at, millis, trusted) in
            [(10_000, 90, false), (10_500, 80, false), (11_000, 95, false), (12_100, 99, true)]
        {
            times.note_at(&store, &time(millis), Duration::from_millis(at));
            assert_eq!(times.is_trusted(&store, &time(200)), trusted, "{at}");
        }
        assert_eq!(min_of(&times, &store, &time(200)), (Duration::from_millis(80), true));
        let recalled = LeastTimes::default();
        assert_eq!(min_of(&recalled, &store, &time(200)), (Duration::from_millis(80), true));
        let elsewhere = WitnessTime { machine: "another".into(), ..time(200) };
        assert_eq!(min_of(&recalled, &store, &elsewhere), (Duration::from_millis(200), false));
    }

    #[test]
    fn a_fact_lowers_the_least_time_and_counts_as_no_run() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        let times = LeastTimes::default();
        (0..5).for_each(|_| times.note_fact(&store, &time(80)));
        assert_eq!(min_of(&times, &store, &time(200)), (Duration::from_millis(80), false));
        for second in 1..4 {
            times.note_at(&store, &time(90), Duration::from_secs(second));
            assert_eq!(min_of(&times, &store, &time(200)), (Duration::from_millis(80), second == 3));
        }
        times.note_fact(&store, &time(70));
        assert_eq!(min_of(&times, &store, &time(200)), (Duration::from_millis(70), true));
    }

    #[test]
    fn least_times_of_another_store_are_joined_with_those_here() {
        let (home, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let [store, other] = [&home, &away].map(|dir| Store::open(dir.path()).unwrap());
        let only_there = |millis| WitnessTime { machine: "another".into(), ..time(millis) };
        for second in 1..4 {
            let now = Duration::from_secs(second);
            LeastTimes::default().note_at(&other, &time(80), now);
            LeastTimes::default().note_at(&other, &only_there(50), now);
        }
        LeastTimes::default().note_at(&store, &time(70), Duration::from_secs(9));
        (0..2).for_each(|_| LeastTimes::take_over(&store, &other).unwrap());
        let times = LeastTimes::default();
        assert_eq!(min_of(&times, &store, &time(200)), (Duration::from_millis(70), true));
        assert_eq!(min_of(&times, &store, &only_there(200)), (Duration::from_millis(50), true));
    }
}
