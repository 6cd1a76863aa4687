//! The least time that each witness ever took, by machine: what its time now is compared with.

use crate::{plan::WitnessTime, store::Store};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// A least time counts from this many runs.
const RUNS_TO_TRUST: u32 = 3;

/// Runs closer together may all fall into one slow moment.
const APART: Duration = Duration::from_secs(1);

/// What is known of witnesses; remembered in the store.
#[derive(Debug, Default)]
pub struct LeastTimes {
    known: Mutex<HashMap<String, KnownLeast>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct KnownLeast {
    least: Duration,
    /// Runs, each at least [`APART`] after the one counted before.
    runs: u32,
    /// When the last one was counted, since 1970.
    counted_at: Duration,
}

impl LeastTimes {
    /// Takes in what a witness took just now.
    pub fn note(&self, store: &Store, time: &WitnessTime) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.note_at(store, time, now);
    }

    fn note_at(&self, store: &Store, time: &WitnessTime, now: Duration) {
        let name = name_of(time);
        let before = self.known(store, &name);
        let after = match before {
            None => KnownLeast { least: time.time, runs: 1, counted_at: now },
            Some(known) => {
                let is_apart = now.abs_diff(known.counted_at) >= APART && known.runs < RUNS_TO_TRUST;
                let counted_at = if is_apart { now } else { known.counted_at };
                let runs = known.runs + u32::from(is_apart);
                KnownLeast { least: known.least.min(time.time), runs, counted_at }
            }
        };
        if before != Some(after) {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), after);
            // Only a cache: what cannot be remembered is measured again.
            let _ = store.remember(&name, &after);
        }
    }

    /// The least time of this witness on this machine, and whether it may decide: it comes from enough runs.
    pub fn least(&self, store: &Store, time: &WitnessTime) -> (Duration, bool) {
        match self.known(store, &name_of(time)) {
            Some(known) => (known.least.min(time.time), known.runs >= RUNS_TO_TRUST),
            None => (time.time, false),
        }
    }

    fn known(&self, store: &Store, name: &str) -> Option<KnownLeast> {
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
    // The spin takes its own time with each way to compile it.
    let build = if cfg!(debug_assertions) { "unoptimised" } else { "optimised" };
    format!("least time of {} on {} {build}", time.witness, time.machine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Digest;

    fn time(millis: u64) -> WitnessTime {
        let time = Duration::from_millis(millis);
        WitnessTime { witness: Digest::of(b"w"), name: "w".into(), machine: "m".into(), time }
    }

    #[test]
    fn a_least_time_counts_from_three_runs_a_second_apart() {
        let home = tempfile::tempdir().unwrap();
        let store = Store::open(home.path()).unwrap();
        let times = LeastTimes::default();
        assert_eq!(times.least(&store, &time(50)), (Duration::from_millis(50), false), "only its own");
        for (at, millis, trusted) in
            [(10_000, 90, false), (10_500, 80, false), (11_000, 95, false), (12_100, 99, true)]
        {
            times.note_at(&store, &time(millis), Duration::from_millis(at));
            assert_eq!(times.least(&store, &time(200)).1, trusted, "{at}");
        }
        assert_eq!(times.least(&store, &time(200)), (Duration::from_millis(80), true));
        let recalled = LeastTimes::default();
        assert_eq!(recalled.least(&store, &time(200)), (Duration::from_millis(80), true));
        let elsewhere = WitnessTime { machine: "another".into(), ..time(200) };
        assert_eq!(recalled.least(&store, &elsewhere), (Duration::from_millis(200), false));
    }
}
