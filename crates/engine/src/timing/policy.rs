//! The policy and its constants. The figures come from a replay of `testdata/timing/first.jsonl` over all its
//! loads.

use std::time::Duration;

/// A median of the adjusted times above this many limits is a time limit at once. If the witness was never
/// seen on the idle machine, 1.3 rejects 1 in 300 programs that need 0.8 of their limit, and 1.5 none. 2 is
/// no better, and programs that need twice their limit then cost 8 limits of CPU time instead of 3.
pub const CLEARLY_ABOVE: f64 = 1.5;

/// After [`MOST_PAIRS`] pairs, a median above this many limits is a time limit. If the witness was never seen
/// on the idle machine, 1.1 rejects 1 in 40 programs that need 0.8 of their limit, and 1.2 none. 1.3 leaves
/// 97 % of the programs undecided that need 1.25 limits, 1.2 only 19 %.
pub const ABOVE: f64 = 1.2;

/// The largest number of pairs for a case. Two leave 1 % of the programs undecided that need half or twice
/// their limit; four leave 0.3 % and none.
pub const MOST_PAIRS: usize = 4;

/// The suspect of the first pair is stopped at this many limits. That is a third above [`CLEARLY_ABOVE`],
/// because 99 % of the witnesses on the idle machine take at most a third longer than their least time.
pub const FIRST_STOP: f64 = 2.0;

/// Later suspects are stopped at this many limits, times the slowness so far. Even if the first pair decided
/// nothing, the mean of two is then clearly above the limit.
const LATER_STOP: f64 = FIRST_STOP * CLEARLY_ABOVE;

/// The largest slowness that a stop allows for: almost three times the worst recorded, 5.6.
pub const MOST_SLOWNESS: f64 = 16.0;

/// The CPU times of a run of the suspect and of the witness right after it on the same CPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedPair {
    /// The suspect's time.
    pub suspect: Duration,
    /// Whether the suspect ended by itself. If it was stopped, it needs at least this time.
    pub ended: bool,
    /// The witness's time.
    pub witness: Duration,
}

/// The decision after the pairs so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// A run ended within the limit.
    Accept,
    /// The suspect exceeds the limit.
    Reject,
    /// Another pair may decide.
    RunPair {
        /// CPU time at which to stop its suspect.
        stop: Duration,
    },
    /// All pairs have run, and the suspect may need less than the limit.
    Undecided,
}

/// Decides about a suspect whose first run exceeded the limit. `pairs` are in order, and include the first
/// run if a witness followed it. `least` is the witness's least time on this machine.
pub fn next_step(pairs: &[TimedPair], limit: Duration, least: Duration) -> NextStep {
    if pairs.iter().any(|pair| pair.ended && pair.suspect <= limit) {
        return NextStep::Accept;
    }
    let Some(median) = median(pairs.iter().map(|pair| adjusted(pair, least)).collect()) else {
        return NextStep::RunPair { stop: limit.mul_f64(FIRST_STOP) };
    };
    let last = pairs.len() >= MOST_PAIRS;
    match median > limit.mul_f64(if last { ABOVE } else { CLEARLY_ABOVE }) {
        true => NextStep::Reject,
        false if last => NextStep::Undecided,
        false => NextStep::RunPair { stop: stop_of_next(pairs, limit, least) },
    }
}

/// The suspect's time if the witness had taken its least time; never longer than measured. A suspect that was
/// stopped needs at least this time.
pub fn adjusted(pair: &TimedPair, least: Duration) -> Duration {
    pair.suspect.div_f64(slowness(pair.witness, least))
}

/// The witness's time divided by its least time; at least 1.
pub fn slowness(witness: Duration, least: Duration) -> f64 {
    let factor = witness.as_secs_f64() / least.as_secs_f64();
    if factor.is_finite() { factor.max(1.0) } else { 1.0 }
}

/// Late enough to put an endless suspect clearly above the limit, unless the machine becomes much slower with
/// each pair.
fn stop_of_next(pairs: &[TimedPair], limit: Duration, least: Duration) -> Duration {
    let slowest = pairs.iter().map(|pair| slowness(pair.witness, least)).fold(1.0, f64::max);
    limit.mul_f64(LATER_STOP * slowest.min(MOST_SLOWNESS))
}

/// The mean of the middle two for an even number; `None` if there are no times.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() % 2 {
        0 => Some((*times.get(middle.checked_sub(1)?)? + times[middle]) / 2),
        _ => Some(times[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::{NextStep::*, *};

    const LIMIT: Duration = Duration::from_millis(1000);
    const LEAST: Duration = Duration::from_millis(100);

    fn millis(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn ended(suspect: u64, witness: u64) -> TimedPair {
        TimedPair { suspect: millis(suspect), ended: true, witness: millis(witness) }
    }

    fn stopped(suspect: u64, witness: u64) -> TimedPair {
        TimedPair { ended: false, ..ended(suspect, witness) }
    }

    fn decide(pairs: &[TimedPair]) -> NextStep {
        next_step(pairs, LIMIT, LEAST)
    }

    #[test]
    fn the_first_pair_is_stopped_at_twice_the_limit() {
        assert_eq!(decide(&[]), RunPair { stop: millis(2000) });
    }

    #[test]
    fn a_run_within_the_limit_counts_whatever_the_others_took() {
        assert_eq!(decide(&[ended(1000, 100)]), Accept);
        assert_eq!(decide(&[stopped(2000, 190), ended(999, 500)]), Accept);
        assert_eq!(decide(&[stopped(2000, 100), ended(999, 100)]), Accept);
    }

    #[test]
    fn a_run_that_was_stopped_within_the_limit_is_not_accepted() {
        assert_eq!(decide(&[stopped(1000, 100)]), RunPair { stop: millis(3000) });
    }

    #[test]
    fn a_time_clearly_above_the_limit_decides_at_once() {
        assert_eq!(decide(&[stopped(2000, 100)]), Reject);
        assert_eq!(decide(&[stopped(2000, 133)]), Reject);
        assert_eq!(decide(&[ended(1501, 100)]), Reject);
        assert_eq!(decide(&[ended(1500, 100)]), RunPair { stop: millis(3000) });
    }

    #[test]
    fn a_slow_witness_excuses_the_suspect_but_never_accepts_it() {
        assert_eq!(decide(&[ended(1900, 200)]), RunPair { stop: millis(6000) });
        assert_eq!(decide(&[ended(1900, 200); 4]), Undecided);
    }

    #[test]
    fn four_times_slightly_above_the_limit_decide_by_their_median() {
        assert_eq!(decide(&[ended(1300, 100); 3]), RunPair { stop: millis(3000) });
        assert_eq!(decide(&[ended(1300, 100); 4]), Reject);
        assert_eq!(decide(&[1050, 1190, 1220, 1400].map(|time| ended(time, 100))), Reject);
        assert_eq!(decide(&[1050, 1180, 1220, 1400].map(|time| ended(time, 100))), Undecided);
    }

    #[test]
    fn one_lucky_witness_convicts_no_suspect() {
        let (slow, lucky) = (stopped(2000, 400), ended(2400, 144));
        assert_eq!(decide(&[slow, lucky]), RunPair { stop: millis(12_000) });
        assert_eq!(decide(&[slow, lucky, ended(2600, 420), ended(2500, 400)]), Undecided);
        assert_eq!(decide(&[slow, lucky, ended(2600, 150)]), Reject, "two of three");
    }

    #[test]
    fn the_adjusted_time_is_never_longer_than_measured() {
        assert_eq!(adjusted(&ended(1500, 200), LEAST), millis(750));
        assert_eq!(adjusted(&ended(1500, 50), LEAST), millis(1500));
        assert_eq!(adjusted(&ended(1500, 0), LEAST), millis(1500));
        assert_eq!(adjusted(&ended(1500, 50), Duration::ZERO), millis(1500));
    }

    /// The decision about a program that never ends while the witness takes these times.
    fn endless(witness: impl Fn(usize) -> u64) -> (NextStep, usize) {
        let mut pairs = vec![];
        while let RunPair { stop } = decide(&pairs) {
            pairs.push(TimedPair { suspect: stop, ended: false, witness: millis(witness(pairs.len())) });
        }
        (decide(&pairs), pairs.len())
    }

    #[test]
    fn an_endless_program_is_decided_however_busy_the_machine_is() {
        assert_eq!(endless(|_| 100), (Reject, 1));
        for slow in [150, 400, 1600] {
            assert_eq!(endless(|_| slow), (Reject, 2), "{slow}");
        }
        assert_eq!(endless(|at| [150, 400, 500, 100][at]), (Reject, 4));
        assert_eq!(endless(|at| 200 * (at as u64 + 1)), (Reject, 4), "slower with each pair");
    }
}
