//! The policy before the witness, condensed for the replay. It measured a yardstick before and after each
//! run, retried a disturbed run alone, waited for an idle machine, and stopped later if the machine was slow.

use super::recording::{Case, Decision, RecordedRun};

/// In limits: the stop on an undisturbed machine, and the least stop on a disturbed one.
const STOP: f64 = 1.1;
const SOON: f64 = 1.25;
const LATEST_FIRST_STOP: f64 = 4.0;
const LATEST_STOP: f64 = 10.0;

/// The largest number of retries, and the number of misses that decided.
const MORE_TRIES: usize = 5;
const MORE_MEASUREMENTS: usize = 3;

/// It waited up to two seconds for an idle machine: a recording has about this many runs in that time.
const RUNS_OF_A_WAIT: usize = 3;

/// A slowdown as a factor, and the share of other programs.
#[derive(Clone, Copy)]
struct Conditions {
    slowdown: f64,
    others: f64,
}

impl Conditions {
    fn new(slowdown: u32, others: u32) -> Conditions {
        Conditions { slowdown: f64::from(slowdown) / 1000.0, others: f64::from(others) / 1000.0 }
    }

    fn is_quiet(self) -> bool {
        self.slowdown <= 1.1 && self.others <= 0.08
    }

    fn doubt(self) -> f64 {
        if self.is_quiet() { 1.0 } else { self.slowdown.max(1.05) * (1.0 + 0.35 * self.others) }
    }
}

/// A run; its time in limits.
#[derive(Clone, Copy)]
struct Try {
    time: f64,
    ended: bool,
    conditions: Conditions,
}

impl Try {
    /// Whether its time on an idle machine would be above this many limits, too.
    fn is_above(&self, limits: f64) -> bool {
        self.time > 1.0 && self.time > limits * self.conditions.doubt()
    }
}

fn later_stop(doubt: f64, latest: f64) -> f64 {
    let enough = (doubt * STOP).max(SOON);
    STOP.max(if enough <= latest { enough } else { SOON })
}

fn run_until(case: &Case, run: &RecordedRun, stop: f64) -> Try {
    let figures = run.old.unwrap();
    let time = run.cpu as f64 / case.limit.as_micros() as f64;
    let conditions = Conditions::new(figures.slowdown, figures.others);
    // A stop comes slightly late.
    let ended = time <= stop;
    Try { time: if ended { time } else { stop * 1.001 }, ended, conditions }
}

fn expected(run: &RecordedRun) -> Conditions {
    let figures = run.old.unwrap();
    Conditions::new(figures.expected, figures.others_before)
}

pub(super) fn decide(case: &Case) -> Decision {
    let figures = case.runs[0].old.unwrap();
    let before = Conditions::new(figures.expected_first, figures.others_before);
    let is_calm = before.is_quiet() && before.slowdown <= 1.05;
    let stop = if is_calm { STOP } else { later_stop(before.doubt(), LATEST_FIRST_STOP) };
    let first = run_until(case, case.runs[0], stop);
    let quiet = first.conditions.is_quiet();
    match first.time {
        ..=1.0 => Decision::Accepted,
        _ if !quiet && first.is_above(STOP) => Decision::TimeLimit,
        time if quiet && time > STOP => Decision::TimeLimit,
        _ => settle(case, first, !quiet),
    }
}

/// Retries the run alone.
fn settle(case: &Case, first: Try, patient: bool) -> Decision {
    let mut tries = vec![first];
    // The cycle begins with the first run.
    let mut runs = case.runs.iter().cycle().skip(1).peekable();
    while tries.len() <= MORE_TRIES && !are_enough(&tries) {
        let stop = if patient {
            let next = runs.peek().unwrap();
            if tries.len() > 1 || STOP * expected(next).doubt() > LATEST_FIRST_STOP {
                for _ in 1..RUNS_OF_A_WAIT {
                    if runs.next_if(|run| !expected(run).is_quiet()).is_none() {
                        break;
                    }
                }
            }
            let missed = tries.iter().filter(|one| one.time > 1.0);
            let so_far = missed.map(|one| STOP * one.conditions.doubt()).fold(1.0, f64::max);
            later_stop(expected(runs.peek().unwrap()).doubt().max(so_far), LATEST_STOP)
        } else {
            STOP
        };
        tries.push(run_until(case, runs.next().unwrap(), stop));
    }
    judge_tries(&tries)
}

/// Whether it is above the limit on an idle machine, and no other run ended earlier.
fn decides(one: &Try, all: &[Try]) -> bool {
    let ended = all.iter().filter(|other| other.ended).map(|other| other.time);
    let refuted = ended.fold(f64::INFINITY, f64::min) * 1.1 < one.time / one.conditions.doubt();
    one.is_above(1.0) && !refuted
}

fn are_enough(tries: &[Try]) -> bool {
    let alone = &tries[1..];
    let last = tries.last().unwrap();
    if alone.is_empty() {
        return false;
    }
    let misses = alone.iter().filter(|one| decides(one, tries)).count();
    last.time <= 1.0 || (decides(last, tries) && (last.is_above(STOP) || misses >= MORE_MEASUREMENTS))
}

fn judge_tries(tries: &[Try]) -> Decision {
    let min = tries.iter().map(|one| one.time).fold(f64::INFINITY, f64::min);
    if min <= 1.0 {
        return Decision::Accepted;
    }
    let same = tries.iter().filter(|one| decides(one, tries)).count();
    let is_sure = |one: &Try| one.is_above(STOP) || one.time <= min || same >= MORE_MEASUREMENTS;
    let is_decided = tries.iter().any(|one| decides(one, tries) && is_sure(one));
    if is_decided { Decision::TimeLimit } else { Decision::Undecided }
}
