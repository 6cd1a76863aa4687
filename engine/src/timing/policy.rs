//! The policy, and its numbers. All figures are of `testdata/timing/first.jsonl`, replayed over all its loads.

use std::time::Duration;

/// One pair whose adjusted time exceeds this many limits decides: time limit. Judged by a witness that is another
/// program, 0.7 % of the programs that need half of their limit are rejected at 1.3, none at 1.5. At 2, no fewer are wrong
/// anywhere from 0.5 to 0.8.
pub const CLEARLY_ABOVE: f64 = 1.5;

/// After [`MOST_PAIRS`] pairs, a median above this many limits decides: time limit. If the witness was never seen on the idle
/// machine, 3 % of the programs that need 0.8 of their limit are rejected at 1.1, 0.5 % at 1.2. At 1.3, 95 % of those that need 1.25
/// limits are undecided, at 1.2 17 %.
pub const ABOVE: f64 = 1.2;

/// A case gets at most this many pairs. With two, 1 % of the programs that need half or twice their limit are undecided; with
/// four, none.
pub const MOST_PAIRS: usize = 4;

/// The suspect of the first pair is stopped at this many limits; later ones at this times the slowness seen so far. A third more than
/// [`CLEARLY_ABOVE`]: from one pair to the next, the witness becomes slower by more than a third in 4 of 480 cases.
pub const FIRST_STOP: f64 = 2.0;

/// A stop allows for no more slowness than this: almost three times the worst recorded, 5.6.
pub const MOST_SLOWNESS: f64 = 16.0;

/// One run of the suspect and, right after it on the same CPU, one of the witness: CPU times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedPair {
    /// How long the suspect ran.
    pub suspect: Duration,
    /// Whether the suspect ended by itself. If it was stopped, it needs at least this time.
    pub ended: bool,
    /// How long the witness took.
    pub witness: Duration,
}

/// What the pairs so far mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextStep {
    /// A run ended within the limit.
    Accept,
    /// The suspect exceeds the limit.
    Reject,
    /// Another pair may tell.
    RunPair {
        /// CPU time at which to stop its suspect.
        stop: Duration,
    },
    /// All pairs are run, and the suspect may need less than the limit.
    Undecided,
}

/// Decides about a suspect whose first run, without a witness, exceeded the limit. `pairs`: all since then, in order.
/// `least`: the witness's least time on this machine.
pub fn next_step(pairs: &[TimedPair], limit: Duration, least: Duration) -> NextStep {
    if pairs.iter().any(|pair| pair.ended && pair.suspect <= limit) {
        return NextStep::Accept;
    }
    let times: Vec<Duration> = pairs.iter().map(|pair| adjusted(pair, least)).collect();
    if times.iter().any(|time| *time > limit.mul_f64(CLEARLY_ABOVE)) {
        return NextStep::Reject;
    }
    if pairs.len() < MOST_PAIRS {
        return NextStep::RunPair { stop: stop_of_next(pairs, limit, least) };
    }
    match median(times) > limit.mul_f64(ABOVE) {
        true => NextStep::Reject,
        false => NextStep::Undecided,
    }
}

/// The suspect's time as it would be had the witness taken its least time; never longer than measured. If the suspect
/// was stopped, it needs at least this time.
pub fn adjusted(pair: &TimedPair, least: Duration) -> Duration {
    pair.suspect.div_f64(slowness(pair.witness, least))
}

/// How many times its least time the witness took; at least 1.
pub fn slowness(witness: Duration, least: Duration) -> f64 {
    let factor = witness.as_secs_f64() / least.as_secs_f64();
    if factor.is_finite() { factor.max(1.0) } else { 1.0 }
}

/// Later than a clear time limit needs if the machine is as slow as in the slowest pair so far, by the same
/// margin as in the first pair: a suspect that never ends is decided unless pair after pair is slower than all before by
/// more than this margin.
fn stop_of_next(pairs: &[TimedPair], limit: Duration, least: Duration) -> Duration {
    let slowest = pairs.iter().map(|pair| slowness(pair.witness, least)).fold(1.0, f64::max);
    limit.mul_f64(FIRST_STOP * slowest.min(MOST_SLOWNESS))
}

/// Of an even number, the mean of the middle two.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() % 2 {
        0 => (times[middle - 1] + times[middle]) / 2,
        _ => times[middle],
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
        assert_eq!(decide(&[stopped(1000, 100)]), RunPair { stop: millis(2000) });
    }

    #[test]
    fn a_time_clearly_above_the_limit_decides_at_once() {
        assert_eq!(decide(&[stopped(2000, 100)]), Reject);
        assert_eq!(decide(&[stopped(2000, 133)]), Reject);
        assert_eq!(decide(&[ended(1501, 100)]), Reject);
        assert_eq!(decide(&[ended(1500, 100)]), RunPair { stop: millis(2000) });
    }

    #[test]
    fn a_slow_witness_excuses_the_suspect_but_never_accepts_it() {
        assert_eq!(decide(&[ended(1900, 200)]), RunPair { stop: millis(4000) });
        assert_eq!(decide(&[ended(1900, 200); 4]), Undecided);
    }

    #[test]
    fn four_times_slightly_above_the_limit_decide_by_their_median() {
        assert_eq!(decide(&[ended(1300, 100); 3]), RunPair { stop: millis(2000) });
        assert_eq!(decide(&[ended(1300, 100); 4]), Reject);
        assert_eq!(decide(&[1050, 1190, 1220, 1400].map(|time| ended(time, 100))), Reject);
        assert_eq!(decide(&[1050, 1180, 1220, 1400].map(|time| ended(time, 100))), Undecided);
    }

    #[test]
    fn the_adjusted_time_is_never_longer_than_measured() {
        assert_eq!(adjusted(&ended(1500, 200), LEAST), millis(750));
        assert_eq!(adjusted(&ended(1500, 50), LEAST), millis(1500));
        assert_eq!(adjusted(&ended(1500, 0), LEAST), millis(1500));
        assert_eq!(adjusted(&ended(1500, 50), Duration::ZERO), millis(1500));
    }

    /// What becomes of a program that never ends while the witness takes these times.
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
        for slow in [150, 400, 1600, 2100] {
            assert_eq!(endless(|_| slow), (Reject, 2), "{slow}");
        }
        assert_eq!(endless(|at| [140, 400, 500, 100][at]), (Reject, 3));
        assert_eq!(endless(|at| [140, 196, 274, 384][at]), (Reject, 4), "much slower with each pair");
    }
}
