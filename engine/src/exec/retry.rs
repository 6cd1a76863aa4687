//! Every policy of trying again.
//!
//! A job that fails by our fault is tried so often before the fault is reported. And a verdict that time
//! decides comes only from a measurement that nobody disturbed. What keeps the limit keeps it, however busy
//! the machine was. What does not is believed at once if the machine was quiet and it missed by far. Else
//! it is tried again, alone on the machine, and the least time counts: nobody loses by a hair's breadth of
//! bad luck. If others disturb those tries, too, it stays undecided: a fault, never a verdict.

use crate::{
    plan::{Setting, Trial},
    sandbox::{CacheUse, Exit, Fault, FaultSource},
    verdict::Verdict,
};
use std::time::Duration;

/// How often a job that fails by our fault is tried in all.
const TRIES_OF_A_JOB: u32 = 3;

/// How often a near miss is measured again.
const MORE_MEASUREMENTS: usize = 3;

/// How often what was disturbed is tried again.
const MORE_TRIES: usize = 5;

/// Tries a job until it does not fail by our fault, or too often. What was disturbed is not tried again
/// at once: it would be disturbed again.
pub(crate) fn retry_faults<T>(mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    let mut result = attempt();
    for _ in 1..TRIES_OF_A_JOB {
        if !matches!(&result, Err(fault) if fault.source != FaultSource::Disturbance) {
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

/// What to do about the first try of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstTry {
    /// It is the result.
    Believe,
    /// It is tried again at once, alone.
    Again,
    /// It is tried again at once, beside others that seem to idle.
    AgainAmongIdlers,
    /// It is put aside, and tried again alone when the rest is done.
    Aside,
}

/// What to do about the first try of a trial.
pub(super) fn weigh_first_try(setting: &Setting, first: &Trial) -> FirstTry {
    let limit = setting.limits.cpu;
    let near = first.usage.cpu <= stop_at(limit);
    match first.verdict {
        // Others, the judge or a machine that stood still look like idling: one try is never enough. And
        // runtimes that collect memory beside the program get behind where CPU time is short. If the CPU
        // was free the second try comes at once: until it is known, all cases of the group are tried.
        Verdict::IdleLimit if first.conditions.had_the_cpu() => FirstTry::AgainAmongIdlers,
        Verdict::IdleLimit => FirstTry::Aside,
        Verdict::MemoryLimit if !first.conditions.is_quiet() => match first.conditions.had_the_cpu() {
            true => FirstTry::Again,
            false => FirstTry::Aside,
        },
        Verdict::TimeLimit if !first.conditions.is_quiet() => match is_far_above(limit, first) {
            true => FirstTry::Believe,
            false => FirstTry::Aside,
        },
        Verdict::TimeLimit if near => FirstTry::Again,
        _ if is_doubted(setting.remeasure_above, first) => match first.conditions.is_quiet() {
            true => FirstTry::Again,
            false => FirstTry::Aside,
        },
        Verdict::Accepted
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RunTimeError
        | Verdict::CompileError
        | Verdict::NoProgram => FirstTry::Believe,
    }
}

/// Whether what came of a try among idlers stands: it idled again, or would be believed of a first try.
pub(super) fn stands_among_idlers(setting: &Setting, trial: &Trial) -> bool {
    trial.verdict == Verdict::IdleLimit || weigh_first_try(setting, trial) == FirstTry::Believe
}

/// Whether it would be above the limit in quiet even if it suffered more than the yardstick did.
fn is_far_above(limit: Duration, trial: &Trial) -> bool {
    decides(stop_at(limit), trial)
}

fn is_doubted(bound: Option<Duration>, trial: &Trial) -> bool {
    bound.is_some_and(|bound| trial.usage.cpu > bound)
}

/// Where a program is stopped while others disturb: where its time in quiet is known to be above the limit. If that
/// is later than this part of the limit it is stopped soon: this try cannot tell.
pub(super) fn stop_when_disturbed(setting: &Setting, doubt_factor: f64, latest: f64) -> Duration {
    let enough = stop_factor(doubt_factor).max(SOON);
    setting.stop.max(setting.limits.cpu.mul_f64(if enough <= latest { enough } else { SOON }))
}

/// No try is stopped earlier while others disturb, in parts of the limit.
const SOON: f64 = 1.25;

/// Later, in parts of the limit, no program is stopped: nobody waits for ever on a machine that is busy all day.
pub(super) const LATEST_STOP: f64 = 10.0;

/// Nor later than this where there are other tries, perhaps in quiet.
pub(super) const LATEST_FIRST_STOP: f64 = 4.0;

/// A little above what decides.
fn stop_factor(doubt_factor: f64) -> f64 {
    doubt_factor * 1.1
}

/// Whether a program that goes on until it is stopped would soon be known to be too slow.
pub(super) fn may_decide(doubt_factor: f64) -> bool {
    stop_factor(doubt_factor) <= LATEST_FIRST_STOP
}

/// The tries of a trial so far.
pub(super) struct Tries<'a> {
    setting: &'a Setting,
    all: Vec<Trial>,
    /// How many of them were made beside others: one, or none.
    beside: usize,
    /// How many were made alone, also those that came to nothing.
    alone: usize,
    /// Why the last one came to nothing.
    disturbance: Option<Fault>,
}

impl Tries<'_> {
    /// `first`: if it came to a result, what was measured beside others.
    pub(super) fn new(setting: &Setting, first: Option<Trial>) -> Tries<'_> {
        let all: Vec<Trial> = first.into_iter().collect();
        Tries { setting, beside: all.len(), all, alone: 0, disturbance: None }
    }

    /// Takes in another try. A fault that is not a disturbance ends all.
    pub(super) fn add(&mut self, result: Result<Trial, Fault>) -> Result<(), Fault> {
        self.alone += 1;
        match result {
            Ok(trial) => self.all.push(trial),
            Err(fault) if fault.source == FaultSource::Disturbance => self.disturbance = Some(fault),
            Err(fault) => return Err(fault),
        }
        Ok(())
    }

    /// What it uses of the shared cache, as far as that is known.
    pub(super) fn cache_use(&self) -> CacheUse {
        let uses = self.all.iter().map(|trial| CacheUse::of(&trial.usage));
        uses.max().unwrap_or(CacheUse::All)
    }

    /// A little more than what would have had to be exceeded in the tries that were stopped too early to tell.
    pub(super) fn doubt_so_far(&self) -> f64 {
        let stopped = self.all.iter().filter(|trial| trial.verdict == Verdict::TimeLimit);
        stopped.map(|trial| stop_factor(trial.conditions.doubt_factor())).fold(1.0, f64::max)
    }

    /// Whether it was tried alone already.
    pub(super) fn were_any_alone(&self) -> bool {
        self.alone > 0
    }

    /// Whether another try would tell nothing more, or there were enough.
    pub(super) fn are_enough(&self) -> bool {
        let limit = self.setting.limits.cpu;
        let tried_alone = &self.all[self.beside..];
        let Some(last) = tried_alone.last() else { return false };
        let misses = tried_alone.iter().filter(|trial| self.decides(trial)).count();
        match last.verdict {
            Verdict::TimeLimit if !self.decides(last) => self.alone >= MORE_TRIES,
            Verdict::TimeLimit if !is_far_above(limit, last) => {
                misses >= MORE_MEASUREMENTS || self.alone >= MORE_TRIES
            }
            _ if last.conditions.is_quiet() => {
                !is_doubted(self.setting.remeasure_above, last) || self.alone >= MORE_MEASUREMENTS
            }
            _ => !is_doubted(self.setting.remeasure_above, last) || self.alone >= MORE_TRIES,
        }
    }

    /// Whether a time above the limit would be above it in quiet as well, by what was measured beside it and
    /// by the cycles that the same instructions took in another try.
    fn decides(&self, trial: &Trial) -> bool {
        let slower = trial.usage.cpu > self.setting.limits.cpu.mul_f64(cycles_factor(trial, &self.all));
        slower && decides(self.setting.limits.cpu, trial) && !self.is_refuted(trial)
    }

    /// Whether another try came to its end in less than this one would have taken in quiet, by what was measured
    /// beside it.
    fn is_refuted(&self, trial: &Trial) -> bool {
        let ended = self.all.iter().filter(|other| !matches!(other.exit, Exit::Exceeded(_)));
        let in_quiet = trial.usage.cpu.div_f64(trial.conditions.doubt_factor());
        ended.map(|other| other.usage.cpu).min().is_some_and(|least| least.mul_f64(SAME_TIME) < in_quiet)
    }

    /// Whether a miss that decides is more than one odd reading of the yardstick: it missed by far, no try was
    /// quicker, or others say the same.
    fn is_sure(&self, trial: &Trial) -> bool {
        let is_quickest = self.all.iter().all(|other| trial.usage.cpu <= other.usage.cpu);
        let same = self.all.iter().filter(|other| self.decides(other)).count();
        is_far_above(self.setting.limits.cpu, trial) || is_quickest || same >= MORE_MEASUREMENTS
    }

    /// Whether another try may be made.
    pub(super) fn may_go_on(&self) -> bool {
        self.alone < MORE_TRIES && !self.are_enough()
    }

    /// One that kept the limit if there is one, else the quickest that decides; else nobody knows.
    pub(super) fn result(self) -> Result<Trial, Fault> {
        let limit = self.setting.limits.cpu;
        let times: Vec<Duration> = self.all.iter().map(|trial| trial.usage.cpu).collect();
        let verdicts: Vec<Verdict> = self.all.iter().map(|trial| trial.verdict).collect();
        let unstable = verdicts.iter().any(|verdict| *verdict != verdicts[0]);
        let undecided = || undecided_fault(limit, self.all.last(), self.disturbance.as_ref());
        let believed = self.all.iter().enumerate().filter(|(at, trial)| match trial.verdict {
            Verdict::TimeLimit => self.decides(trial) && self.is_sure(trial),
            Verdict::IdleLimit | Verdict::MemoryLimit => *at >= self.beside,
            Verdict::Accepted
            | Verdict::WrongAnswer
            | Verdict::OutputLimit
            | Verdict::RunTimeError
            | Verdict::CompileError
            | Verdict::NoProgram => true,
        });
        // `false` sorts first: one try that kept the limits outranks a quicker one that idled.
        let chosen = believed.min_by_key(|(_, trial)| (missed(trial), trial.usage.cpu));
        let (_, chosen) = chosen.ok_or_else(undecided)?;
        Ok(Trial { tries: times, try_verdicts: verdicts, unstable, ..chosen.clone() })
    }
}

/// Whether a time above the limit would be above it in quiet as well.
fn decides(limit: Duration, trial: &Trial) -> bool {
    trial.verdict == Verdict::TimeLimit && trial.usage.cpu > limit.mul_f64(trial.conditions.doubt_factor())
}

/// Times of the same program in quiet differ by less.
const SAME_TIME: f64 = 1.1;

/// So many more cycles for the same instructions are a disturbance.
const MORE_CYCLES: f64 = 1.1;

/// Tries whose numbers of instructions differ by less did the same.
const SAME_WORK: f64 = 1.02;

/// How many times the cycles a try took that its instructions took in the best other; 1 where that is no
/// disturbance, or is not counted.
fn cycles_factor(trial: &Trial, all: &[Trial]) -> f64 {
    let same_work = |other: &&Trial| match (trial.usage.instructions, other.usage.instructions) {
        (Some(a), Some(b)) => a.max(b) as f64 <= a.min(b) as f64 * SAME_WORK,
        _ => false,
    };
    let least = all.iter().filter(same_work).filter_map(|other| other.usage.cycles_per_instruction());
    let least = least.fold(f64::INFINITY, f64::min);
    let factor = trial.usage.cycles_per_instruction().map_or(1.0, |cycles| cycles / least);
    if factor.is_finite() && factor > MORE_CYCLES { factor } else { 1.0 }
}

fn missed(trial: &Trial) -> bool {
    matches!(trial.verdict, Verdict::TimeLimit | Verdict::IdleLimit | Verdict::MemoryLimit)
}

fn undecided_fault(limit: Duration, last: Option<&Trial>, disturbance: Option<&Fault>) -> Fault {
    let what = match (last, disturbance) {
        (Some(trial), _) if trial.verdict == Verdict::TimeLimit => {
            let slow = trial.conditions.slowdown.map_or_else(
                || "it is not known how quick this machine is in quiet".to_owned(),
                |slowdown| format!("the machine was {slowdown} slower than itself"),
            );
            let others = trial.conditions.others / 10;
            let (time, limit) = (trial.usage.cpu.as_secs_f64(), limit.as_secs_f64());
            format!("{time:.2} s of a limit of {limit} s, but {slow}, and others had {others} % of its CPU")
        }
        (_, Some(fault)) => fault.what.clone(),
        (_, None) => "the machine was disturbed".to_owned(),
    };
    undecided(&what)
}

/// Nobody can tell on this machine now.
pub(super) fn undecided(what: &str) -> Fault {
    Fault::disturbed(format!("undecided: {what}; run again when it is quiet (see `kopek doctor`)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        package::Format,
        plan::{Checker, Conditions, TrialMode},
        sandbox::{Limits, Slowdown, Usage},
    };
    use std::sync::Arc;

    const LIMIT: Duration = Duration::from_millis(1000);

    fn setting(doubt: Option<u64>) -> Setting {
        let bytes = crate::base::Bytes::mib(1);
        let limits =
            Limits { cpu: LIMIT, wall: LIMIT * 3, memory: bytes, output: bytes, files: bytes, processes: 1 };
        Setting {
            mode: TrialMode::Alone { passes: 1 },
            limits,
            stop: stop_at(LIMIT),
            remeasure_above: doubt.map(Duration::from_millis),
            checker: Arc::new(Checker::Default(Format::V2025_09)),
            writable: false,
            named_files: None,
            isolation: String::new(),
            machine: String::new(),
        }
    }

    /// So long on a machine that was slower by so many thousandths.
    fn took_at(millis: u64, slowdown: u32) -> Trial {
        let cpu = Duration::from_millis(millis);
        let verdict = if cpu > LIMIT { Verdict::TimeLimit } else { Verdict::Accepted };
        let conditions = Conditions { slowdown: Some(Slowdown(slowdown)), others: 0 };
        let usage = Usage { cpu, wall: cpu, ..Usage::default() };
        Trial { usage, conditions, ..Trial::ended(verdict, Exit::Code(0)) }
    }

    fn took(millis: u64) -> Trial {
        took_at(millis, 1000)
    }

    /// Verdict, time, how many tries in all, whether they disagreed.
    fn settled(doubt: Option<u64>, first: Trial, later: Vec<Trial>) -> Option<(Verdict, u128, usize, bool)> {
        let setting = setting(doubt);
        if weigh_first_try(&setting, &first) == FirstTry::Believe {
            assert_eq!(later, []);
            return Some((first.verdict, first.usage.cpu.as_millis(), 0, false));
        }
        let mut tries = Tries::new(&setting, Some(first));
        let mut later = later.into_iter();
        while tries.may_go_on() {
            tries.add(Ok(later.next().expect("no more tries"))).unwrap();
        }
        assert_eq!(later.next(), None, "one more try than needed");
        let trial = tries.result().ok()?;
        Some((trial.verdict, trial.usage.cpu.as_millis(), trial.tries.len(), trial.unstable))
    }

    #[test]
    fn what_is_clear_is_not_tried_again() {
        assert_eq!(settled(None, took(900), vec![]), Some((Verdict::Accepted, 900, 0, false)));
        assert_eq!(settled(None, took(1101), vec![]), Some((Verdict::TimeLimit, 1101, 0, false)));
        let busy = took_at(990, 3000);
        assert_eq!(
            settled(None, busy, vec![]),
            Some((Verdict::Accepted, 990, 0, false)),
            "it kept the limit"
        );
    }

    #[test]
    fn a_near_miss_is_tried_until_it_holds() {
        let later = vec![took(1020), took(990)];
        assert_eq!(settled(None, took(1050), later), Some((Verdict::Accepted, 990, 3, true)));
    }

    #[test]
    fn the_least_of_four_times_counts() {
        let later = vec![took(1040), took(1030), took(1060)];
        assert_eq!(settled(None, took(1050), later), Some((Verdict::TimeLimit, 1030, 4, false)));
    }

    #[test]
    fn what_is_too_slow_in_quiet_too_is_believed_at_once() {
        let first = took_at(1541, 1400);
        assert_eq!(settled(None, first, vec![]), Some((Verdict::TimeLimit, 1541, 0, false)));
        let later = vec![took_at(1430, 1400), took_at(1440, 1400), took_at(1420, 1400)];
        assert_eq!(
            settled(None, took_at(1539, 1400), later),
            Some((Verdict::TimeLimit, 1420, 4, false)),
            "the program may suffer a little more than the yardstick"
        );
        assert_eq!(stop_when_disturbed(&setting(None), 1.4, LATEST_STOP), LIMIT.mul_f64(1.4 * 1.1));
        assert_eq!(stop_when_disturbed(&setting(None), 1.0, LATEST_STOP), LIMIT.mul_f64(1.25));
    }

    #[test]
    fn a_miss_on_a_disturbed_machine_is_tried_until_it_is_quiet() {
        let disturbed = || took_at(1350, 1400);
        assert_eq!(settled(None, disturbed(), vec![took(950)]), Some((Verdict::Accepted, 950, 2, true)));
        let quiet = vec![disturbed(), took(1200)];
        assert_eq!(settled(None, disturbed(), quiet), Some((Verdict::TimeLimit, 1200, 3, false)));
        assert_eq!(settled(None, disturbed(), vec![disturbed(); 5]), None, "nobody knows");
        let far = vec![took_at(1550, 1400)];
        assert_eq!(settled(None, disturbed(), far), Some((Verdict::TimeLimit, 1550, 2, false)));
        let once = [vec![took_at(1430, 1400)], vec![took_at(1150, 1200); 4]].concat();
        assert_eq!(settled(None, disturbed(), once), None, "one reading against quicker tries");
    }

    #[test]
    fn more_cycles_for_the_same_instructions_are_a_disturbance() {
        let counted = |millis: u64, instructions: u64, cycles: u64| {
            let mut trial = took(millis);
            (trial.usage.instructions, trial.usage.cycles) = (Some(instructions), Some(cycles));
            trial
        };
        let slowed = || counted(1050, 1_000_000, 1_300_000);
        let decided = |all: Vec<Trial>| {
            let setting = setting(None);
            let mut tries = Tries::new(&setting, Some(all[0].clone()));
            all[1..].iter().for_each(|trial| tries.add(Ok(trial.clone())).unwrap());
            tries.decides(&all[0])
        };
        assert!(decided(vec![slowed(), slowed()]), "nothing says that it was ever quicker");
        assert!(
            !decided(vec![slowed(), counted(980, 1_000_500, 1_000_500)]),
            "in quiet it may keep the limit"
        );
        assert!(decided(vec![slowed(), counted(980, 2_000_000, 1_000_000)]), "that was other work");
        assert!(decided(vec![counted(1350, 1_000_000, 1_300_000), counted(1300, 1_000_000, 1_000_000)]));
        assert!(decided(vec![took(1050), took(980)]), "nothing is counted here");
    }

    #[test]
    fn who_ended_once_in_less_does_not_take_longer_in_quiet() {
        let setting = setting(None);
        let result = |all: [Trial; 3]| {
            let mut tries = Tries::new(&setting, Some(all[0].clone()));
            all[1..].iter().for_each(|trial| tries.add(Ok(trial.clone())).unwrap());
            tries.result().ok().map(|trial| trial.usage.cpu.as_millis())
        };
        // As if nobody knew what is quiet.
        let unknown = |millis| Trial { conditions: Conditions::default(), ..took(millis) };
        assert_eq!(result([unknown(1577), unknown(1067), unknown(2420)]), None);
        let stopped = Trial { exit: Exit::Exceeded(crate::sandbox::Limit::Cpu), ..unknown(1067) };
        assert_eq!(result([unknown(2430), stopped, unknown(2420)]), Some(2420), "it had not come to its end");
    }

    #[test]
    fn idling_is_believed_only_alone() {
        let idle = || Trial { verdict: Verdict::IdleLimit, ..took(10) };
        assert_eq!(settled(None, idle(), vec![idle()]), Some((Verdict::IdleLimit, 10, 2, false)));
        assert_eq!(settled(None, idle(), vec![took(800)]), Some((Verdict::Accepted, 800, 2, true)));
        let setting = setting(None);
        let mut tries = Tries::new(&setting, Some(idle()));
        while tries.may_go_on() {
            tries.add(Err(Fault::disturbed("it waited for the CPU"))).unwrap();
        }
        let fault = tries.result().unwrap_err();
        assert_eq!(fault.source, FaultSource::Disturbance);
        assert!(fault.what.starts_with("undecided: it waited for the CPU"), "{fault}");
    }

    /// A first try far from its time limit, while the machine was so slow and others had so much of the CPU.
    fn weighed(verdict: Verdict, slowdown: u32, others: u32) -> FirstTry {
        let mut trial = Trial { verdict, ..took_at(300, slowdown) };
        trial.conditions.others = others;
        weigh_first_try(&setting(None), &trial)
    }

    #[test]
    fn what_idles_is_tried_again_among_idlers_and_what_time_decides_is_not_believed_there() {
        let idle = |others| weighed(Verdict::IdleLimit, 1000, others);
        assert_eq!(idle(0), FirstTry::AgainAmongIdlers);
        assert_eq!(idle(500), FirstTry::Aside);
        let stands = |trial| stands_among_idlers(&setting(Some(500)), &trial);
        assert!(stands(Trial { verdict: Verdict::IdleLimit, ..took(10) }) && stands(took(400)));
        assert!(!stands(took(1050)) && !stands(took_at(1350, 1400)) && !stands(took(600)));
        assert!(!stands(Trial { verdict: Verdict::MemoryLimit, ..took_at(300, 1400) }));
    }

    #[test]
    fn running_out_of_memory_is_believed_at_once_only_in_quiet() {
        let too_much = |slowdown, others| weighed(Verdict::MemoryLimit, slowdown, others);
        assert_eq!(too_much(1000, 0), FirstTry::Believe);
        assert_eq!(too_much(1400, 0), FirstTry::Again, "slow, but nobody took the CPU");
        assert_eq!(too_much(1400, 500), FirstTry::Aside);
    }

    #[test]
    fn what_is_doubted_is_tried_until_one_is_not() {
        let settled_above = |first, later| settled(Some(500), took(first), later);
        assert_eq!(settled_above(499, vec![]), Some((Verdict::Accepted, 499, 0, false)));
        let later = vec![took(700), took(450)];
        assert_eq!(settled_above(900, later), Some((Verdict::Accepted, 450, 3, false)));
        let later = vec![took(700), took(800), took(750)];
        assert_eq!(settled_above(900, later), Some((Verdict::Accepted, 700, 4, false)));
        let later = vec![took(800), took(400)];
        assert_eq!(settled_above(1500, later), Some((Verdict::Accepted, 400, 3, true)));
    }

    #[test]
    fn our_fault_in_a_later_try_is_not_a_verdict() {
        let setting = setting(None);
        let mut tries = Tries::new(&setting, Some(took(1050)));
        let fault = Fault::new("the worker vanished");
        assert_eq!(tries.add(Err(fault.clone())), Err(fault));
    }

    #[test]
    fn who_was_stopped_too_early_is_given_longer_the_next_time() {
        let setting = setting(None);
        let mut tries = Tries::new(&setting, Some(took_at(2000, 3000)));
        assert!((tries.doubt_so_far() - 3.3).abs() < 1e-9);
        tries.add(Ok(took_at(900, 5000))).unwrap();
        assert!((tries.doubt_so_far() - 3.3).abs() < 1e-9, "that one kept the limit");
        assert_eq!(Tries::new(&setting, None).doubt_so_far(), 1.0);
        let stop = |doubt, latest| stop_when_disturbed(&setting, doubt, latest).as_millis();
        assert_eq!(stop(3.3, LATEST_FIRST_STOP), 3630);
        assert_eq!(stop(9.0, LATEST_STOP), 9900);
        assert_eq!(stop(9.0, LATEST_FIRST_STOP), 1250, "it could not tell");
        assert_eq!(stop(1.0, LATEST_STOP), 1250);
    }

    #[test]
    fn a_disturbance_is_not_tried_again_at_once() {
        let count = |fault: Fault| {
            let mut calls = 0;
            let _ = retry_faults(|| {
                calls += 1;
                Err::<(), Fault>(fault.clone())
            });
            calls
        };
        assert_eq!((count(Fault::new("no disk")), count(Fault::disturbed("busy"))), (3, 1));
    }
}
