//! A trial above its time limit, with its pairs so far: a fold over facts.

use super::policy::{
    MAX_PAIRS, NextStep, TimedPair, adjusted, is_busy, is_slightly_above, next_step, slowness,
};
use crate::plan::{AdjustedTime, Slowdown, Trial, WitnessTime};
use kopek_base::wording::counted;
use kopek_package::verdict::Verdict;
use kopek_sandbox::Exit;
use std::{fmt, time::Duration};

/// A trial above its time limit.
#[derive(Debug, Clone)]
pub struct Suspect {
    /// The CPU time above which it is too slow.
    limit: Duration,
    /// The first run, then the suspects of the pairs.
    runs: Vec<Trial>,
    /// How many pairs there may be before it is undecided.
    most_pairs: usize,
}

/// The next step for a suspect.
#[derive(Debug, Clone, PartialEq)]
pub enum SuspectStep {
    /// The final trial: within the limit, or certainly above it.
    Decided(Box<Trial>),
    /// Another pair may decide.
    RunPair {
        /// Its number, from 1.
        repetition: u32,
        /// CPU time at which to stop its suspect.
        stop: Duration,
    },
    /// This run may add no further pair, and it may need less than its limit.
    Undecided,
}

impl Suspect {
    /// A suspect whose first run exceeded the limit.
    pub fn new(limit: Duration, first: Trial) -> Suspect {
        Suspect { limit, runs: vec![first], most_pairs: MAX_PAIRS }
    }

    /// Adds the suspect's run of the next pair.
    pub fn add(&mut self, run: Trial) {
        self.runs.push(run);
    }

    /// Says that the pairs so far are from earlier runs: this run may add as many as each of them did.
    pub fn allow_more_pairs(&mut self) {
        self.most_pairs = MAX_PAIRS + self.witness_times().count();
    }

    /// The times of all witnesses, in order.
    pub fn witness_times(&self) -> impl Iterator<Item = &WitnessTime> {
        self.runs.iter().filter_map(|run| run.witness.as_ref())
    }

    /// The next step. `min` returns a witness's least time on its machine.
    pub fn step(&self, min: &dyn Fn(&WitnessTime) -> Duration) -> SuspectStep {
        if let Some(within) = self.runs.iter().find(|run| run.verdict != Verdict::TimeLimit) {
            return SuspectStep::Decided(Box::new(self.result(within, min)));
        }
        let pairs = self.timed_pairs(min);
        match next_step(&pairs, self.limit, UNIT) {
            NextStep::Reject => SuspectStep::Decided(Box::new(self.too_slow(min))),
            NextStep::RunPair { stop } if pairs.len() < self.most_pairs => {
                SuspectStep::RunPair { repetition: self.runs.len() as u32, stop }
            }
            // A run that would be accepted was found above.
            NextStep::RunPair { .. } | NextStep::Accept => SuspectStep::Undecided,
        }
    }

    /// Whether more pairs hardly settle it.
    pub fn is_slightly_above(&self, min: &dyn Fn(&WitnessTime) -> Duration) -> bool {
        is_slightly_above(&self.timed_pairs(min), self.limit, UNIT)
    }

    /// Its trial, if it exceeds the limit: that of its shortest run.
    pub fn too_slow(&self, min: &dyn Fn(&WitnessTime) -> Duration) -> Trial {
        let shortest = self.runs.iter().min_by_key(|run| run.usage.cpu).expect("there is a first run");
        self.result(shortest, min)
    }

    /// The pairs as input of the policy. Witnesses on different machines have different least times, so each
    /// pair is scaled to a common one.
    fn timed_pairs(&self, min: &dyn Fn(&WitnessTime) -> Duration) -> Vec<TimedPair> {
        let pair = |run: &Trial| {
            let witness = run.witness.as_ref()?;
            Some(TimedPair {
                suspect: run.usage.cpu,
                ended: !matches!(run.exit, Exit::Exceeded(_)),
                witness: UNIT.mul_f64(slowness(witness.time, min(witness))),
                is_alike: witness.is_alike,
            })
        };
        self.runs.iter().filter_map(pair).collect()
    }

    /// The adjusted times so far.
    pub fn adjusted_times(&self, min: &dyn Fn(&WitnessTime) -> Duration) -> Vec<AdjustedTime> {
        let time = |pair: &TimedPair| AdjustedTime {
            measured: pair.suspect,
            adjusted: adjusted(pair, UNIT),
            slowdown: Slowdown((slowness(pair.witness, UNIT) * 1000.0).round() as u32),
        };
        self.timed_pairs(min).iter().map(time).collect()
    }

    fn result(&self, run: &Trial, min: &dyn Fn(&WitnessTime) -> Duration) -> Trial {
        let pairs = self.adjusted_times(min);
        if self.runs.len() == 1 {
            return Trial { pairs, ..run.clone() };
        }
        let tries = self.runs.iter().map(|run| run.usage.cpu).collect();
        let try_verdicts = self.runs.iter().map(|run| run.verdict).collect();
        Trial { tries, try_verdicts, pairs, ..run.clone() }
    }

    /// The measurements so far.
    pub fn times(&self, min: &dyn Fn(&WitnessTime) -> Duration) -> TimesOfRuns {
        let times = || self.runs.iter().map(|run| run.usage.cpu);
        let pairs = self.adjusted_times(min);
        let mut adjusted: Vec<Duration> = pairs.iter().map(|pair| pair.adjusted).collect();
        adjusted.sort_unstable();
        let slowdowns = pairs.iter().map(|pair| pair.slowdown);
        let reference = match (adjusted.get(adjusted.len() / 2), self.witness_times().next()) {
            (Some(median), Some(witness)) => {
                Some(ReferenceTimes { adjusted: *median, witness: witness.name.clone() })
            }
            _ => None,
        };
        TimesOfRuns {
            limit: self.limit,
            runs: self.runs.len(),
            shortest: times().min().unwrap_or_default(),
            longest: times().max().unwrap_or_default(),
            reference,
            busy: slowdowns.max().filter(|_| is_busy(&self.timed_pairs(min), UNIT)),
            load: None,
            pairs_of_submission: None,
        }
    }
}

/// The times of runs that do not decide a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimesOfRuns {
    pub limit: Duration,
    pub runs: usize,
    pub shortest: Duration,
    pub longest: Duration,
    /// `None`: there was no reference run.
    pub reference: Option<ReferenceTimes>,
    /// The worst moment, if the machine was too busy to decide.
    pub busy: Option<Slowdown>,
    /// How busy the machine is, if that is a reason.
    pub load: Option<String>,
    /// The pairs that the submission had in all its cases, if that was the reason to stop.
    pub pairs_of_submission: Option<u32>,
}

/// A comparison with the runs of a witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceTimes {
    /// The median of the adjusted times.
    pub adjusted: Duration,
    /// The name of the witness.
    pub witness: String,
}

/// `3.2 to 3.5 s of 2 s in 4 runs, 2.1 s adjusted by accepted/a.cpp: probably too slow`.
impl fmt::Display for TimesOfRuns {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let seconds = |time: Duration| format!("{:.2}", time.as_secs_f64());
        let each = match (seconds(self.shortest), seconds(self.longest)) {
            (from, to) if from == to => {
                f.write_str(&from)?;
                if self.runs > 1 { "each of " } else { "" }
            }
            (from, to) => {
                write!(f, "{from} to {to}")?;
                ""
            }
        };
        write!(f, " s of {} s in {each}{}", self.limit.as_secs_f64(), counted(self.runs, "run"))?;
        match &self.reference {
            Some(ReferenceTimes { adjusted, witness }) => {
                // Only what a person would guess: nothing is decided by it.
                let likely = if *adjusted > self.limit { "too slow" } else { "fast enough" };
                write!(f, ", {} s adjusted by {witness}: probably {likely}", seconds(*adjusted))?;
            }
            None => f.write_str(", without a reference run")?,
        }
        if let Some(worst) = self.busy {
            write!(f, "; machine up to {worst} slower than idle")?;
        }
        self.load.iter().try_for_each(|load| write!(f, ", {load}"))?;
        match self.pairs_of_submission {
            Some(pairs) => write!(f, "; no more after {pairs} pairs"),
            None => Ok(()),
        }
    }
}

/// Every witness's least time is scaled to this.
const UNIT: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_base::Digest;

    fn run(millis: u64, witness: Option<(u64, &str)>) -> Trial {
        let verdict = if millis > 1000 { Verdict::TimeLimit } else { Verdict::Accepted };
        let mut trial = Trial::ended(verdict, Exit::Code(0));
        trial.usage.cpu = Duration::from_millis(millis);
        trial.witness = witness.map(|(millis, machine)| WitnessTime {
            witness: Digest::of(b"witness"),
            name: "accepted/a.c".into(),
            machine: machine.into(),
            is_alike: false,
            time: Duration::from_millis(millis),
        });
        trial
    }

    fn suspect(runs: &[Trial]) -> Suspect {
        let mut suspect = Suspect::new(Duration::from_secs(1), runs[0].clone());
        runs[1..].iter().for_each(|run| suspect.add(run.clone()));
        suspect
    }

    /// 100 ms on most machines, 200 ms on the slow one.
    fn min(time: &WitnessTime) -> Duration {
        Duration::from_millis(if time.machine == "slow" { 200 } else { 100 })
    }

    #[test]
    fn a_first_run_with_a_witness_is_the_first_pair() {
        let clear = suspect(&[run(1900, Some((100, "m")))]).step(&min);
        let SuspectStep::Decided(trial) = clear else { panic!("{clear:?}") };
        assert_eq!((trial.verdict, trial.tries.len(), trial.pairs.len()), (Verdict::TimeLimit, 0, 1));
        let unknown = suspect(&[run(1900, None)]).step(&min);
        assert_eq!(unknown, SuspectStep::RunPair { repetition: 1, stop: Duration::from_secs(2) });
        let slow = suspect(&[run(1900, Some((200, "m")))]).step(&min);
        assert_eq!(slow, SuspectStep::RunPair { repetition: 1, stop: Duration::from_secs(6) });
    }

    #[test]
    fn a_run_within_the_limit_counts() {
        let step = suspect(&[run(1900, Some((150, "m"))), run(900, None)]).step(&min);
        let SuspectStep::Decided(trial) = step else { panic!("{step:?}") };
        assert_eq!((trial.verdict, trial.usage.cpu.as_millis()), (Verdict::Accepted, 900));
        assert_eq!(trial.try_verdicts, [Verdict::TimeLimit, Verdict::Accepted]);
    }

    #[test]
    fn each_machine_has_its_own_least_time() {
        let both = suspect(&[run(1600, Some((150, "m"))), run(1900, Some((200, "slow")))]);
        let adjusted: Vec<u128> =
            both.adjusted_times(&min).iter().map(|pair| pair.adjusted.as_millis()).collect();
        assert_eq!(adjusted, [1066, 1900]);
    }

    #[test]
    fn what_stays_open_says_what_was_measured() {
        let runs: Vec<Trial> = [1300, 1500, 1400, 1450].map(|time| run(time, Some((140, "m")))).into();
        let open = suspect(&runs);
        assert_eq!(open.step(&min), SuspectStep::Undecided);
        assert_eq!(
            open.times(&min).to_string(),
            "1.30 to 1.50 s of 1 s in 4 runs, 1.04 s adjusted by accepted/a.c: probably too slow; machine up to 1.40x slower \
                than idle"
        );
    }

    #[test]
    fn each_run_may_add_four_pairs() {
        let mut open = suspect(&vec![run(1300, Some((140, "m"))); 4]);
        for earlier in [4, 8] {
            assert_eq!(open.step(&min), SuspectStep::Undecided);
            open.allow_more_pairs();
            for pair in earlier..earlier + 4 {
                let step = open.step(&min);
                assert!(
                    matches!(step, SuspectStep::RunPair { repetition, .. } if repetition == pair),
                    "{step:?}"
                );
                open.add(run(1300, Some((140, "m"))));
            }
        }
        let text = open.times(&min).to_string();
        assert!(text.starts_with("1.30 s of 1 s in each of 12 runs"), "{text}");
    }
}
