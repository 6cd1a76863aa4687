//! Every policy of trying again.
//!
//! A job that fails by our fault is tried so often before the fault is reported. And nobody loses by
//! a hair's breadth of bad luck: what ends just above the time limit is measured again, alone on the
//! machine, and the least time counts.

use crate::{
    plan::{Setting, Trial},
    sandbox::Fault,
    verdict::Verdict,
};
use std::time::Duration;

/// How often a job that fails by our fault is tried in all.
const TRIES_OF_A_JOB: u32 = 3;

/// How often a near miss is measured again.
const MORE_MEASUREMENTS: usize = 3;

/// Tries a job until it does not fail by our fault, or too often.
pub(crate) fn retry_faults<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut result = attempt();
    for _ in 1..TRIES_OF_A_JOB {
        if result.is_ok() {
            break;
        }
        result = attempt();
    }
    result
}

/// A program is stopped here, not at the limit: above the zone where it is measured again.
pub fn stop_at(limit: Duration) -> Duration {
    limit + limit / 10
}

/// Settles a trial: `again` runs the same alone. The times of all tries are kept, and whether they
/// disagreed about the verdict. Times above a bound that the setting names are measured again as
/// well, until one is not above it.
pub(crate) fn remeasure_trial(
    setting: &Setting,
    first: Trial,
    again: impl FnMut() -> Result<Trial, Fault>,
) -> Result<Trial, Fault> {
    remeasure_within(setting.limits.cpu, setting.remeasure_above, first, again)
}

fn remeasure_within(
    limit: Duration,
    bound: Option<Duration>,
    first: Trial,
    mut again: impl FnMut() -> Result<Trial, Fault>,
) -> Result<Trial, Fault> {
    let doubted = |trial: &Trial| bound.is_some_and(|bound| trial.usage.cpu > bound);
    if !is_close(limit, &first) && !doubted(&first) {
        return Ok(first);
    }
    let mut tries = vec![first];
    while tries.len() <= MORE_MEASUREMENTS
        && tries.last().is_some_and(|trial| missed(trial) || doubted(trial))
    {
        tries.push(again()?);
    }
    Ok(best_of(tries))
}

/// Missed the limit by at most a tenth; or was kept from the CPU by others until
/// the idleness limit, though it had work to do.
fn is_close(limit: Duration, trial: &Trial) -> bool {
    match trial.verdict {
        Verdict::TimeLimit => trial.usage.cpu <= stop_at(limit),
        Verdict::IdleLimit => trial.usage.cpu >= limit / 2,
        Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RunTimeError
        | Verdict::CompileError
        | Verdict::NoProgram => false,
    }
}

fn missed(trial: &Trial) -> bool {
    matches!(trial.verdict, Verdict::TimeLimit | Verdict::IdleLimit)
}

/// One that kept the limit if there is one, else the quickest.
fn best_of(tries: Vec<Trial>) -> Trial {
    let times: Vec<Duration> = tries.iter().map(|trial| trial.usage.cpu).collect();
    let unstable = tries.iter().any(|trial| missed(trial) != missed(&tries[0]));
    // `false` sorts first: one try that kept the limit outranks a quicker one that idled.
    let chosen = tries.into_iter().min_by_key(|trial| (missed(trial), trial.usage.cpu));
    Trial { tries: times, unstable, ..chosen.expect("there is a first try") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Exit, Usage};

    const LIMIT: Duration = Duration::from_millis(1000);

    fn took(millis: u64) -> Trial {
        let cpu = Duration::from_millis(millis);
        let verdict = if cpu > LIMIT { Verdict::TimeLimit } else { Verdict::Accepted };
        Trial { usage: Usage { cpu, wall: cpu, ..Usage::default() }, ..Trial::ended(verdict, Exit::Code(0)) }
    }

    fn settled(first: u64, later: &[u64]) -> (Verdict, u128, usize, bool) {
        settled_with(None, first, later)
    }

    fn settled_with(doubt: Option<u64>, first: u64, later: &[u64]) -> (Verdict, u128, usize, bool) {
        let mut later = later.iter().copied();
        let again = || Ok(took(later.next().expect("no more tries")));
        let trial = remeasure_within(LIMIT, doubt.map(Duration::from_millis), took(first), again).unwrap();
        (trial.verdict, trial.usage.cpu.as_millis(), trial.tries.len(), trial.unstable)
    }

    #[test]
    fn what_is_clear_is_not_tried_again() {
        assert_eq!(settled(900, &[]), (Verdict::Accepted, 900, 0, false));
        assert_eq!(settled(1101, &[]), (Verdict::TimeLimit, 1101, 0, false));
    }

    #[test]
    fn a_near_miss_is_tried_until_it_holds() {
        assert_eq!(settled(1050, &[1020, 990]), (Verdict::Accepted, 990, 3, true));
    }

    #[test]
    fn the_least_of_four_times_counts() {
        assert_eq!(settled(1050, &[1040, 1030, 1060]), (Verdict::TimeLimit, 1030, 4, false));
    }

    #[test]
    fn what_is_doubted_is_tried_until_one_is_not() {
        assert_eq!(settled_with(Some(500), 499, &[]), (Verdict::Accepted, 499, 0, false));
        assert_eq!(settled_with(Some(500), 900, &[700, 450]), (Verdict::Accepted, 450, 3, false));
        assert_eq!(settled_with(Some(500), 900, &[700, 800, 750]), (Verdict::Accepted, 700, 4, false));
        assert_eq!(settled_with(Some(500), 1500, &[800, 400]), (Verdict::Accepted, 400, 3, true));
    }

    #[test]
    fn our_fault_in_a_later_try_is_not_a_verdict() {
        let fault = remeasure_within(LIMIT, None, took(1050), || Err(Fault::new("the worker vanished")));
        assert_eq!(fault, Err(Fault::new("the worker vanished")));
    }
}
