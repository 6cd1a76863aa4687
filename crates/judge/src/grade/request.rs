//! What a driver asks of grading and hears while it grades, and how times above the limit are decided.

use kopek_base::Clock;
use kopek_engine::{exec::JobRunner, machine::LeastTimes};
use kopek_package::verdict::Verdict;
use kopek_plan::{
    plan::{BuildTask, Plan, Trial},
    score::ScoringRules,
};
use kopek_sandbox::{Exit, Fault};
use kopek_sentences::Said;
use std::{collections::BTreeSet, sync::Arc};

/// The input of the loop.
pub struct GradeRequest<'a> {
    pub rules: ScoringRules<'a>,
    pub plan: &'a Plan,
    pub jobs: JobRunner<'a>,
    /// Whether cases that can change nothing are run as well.
    pub thoroughness: Thoroughness,
    /// The result for an output on which a validator fails.
    /// How times above a limit are decided.
    pub timing: TimePolicy,
    pub witnesses: WitnessSource<'a>,
    /// Measures how long runs have been active.
    pub clock: Clock,
}

impl<'a> GradeRequest<'a> {
    /// The source of witnesses, if they count.
    pub(super) fn source(&self) -> Option<WitnessSource<'a>> {
        (self.timing != TimePolicy::Single).then_some(self.witnesses)
    }
}

#[derive(Debug)]
pub enum GradeEvent<'a> {
    Wave {
        /// `build`, `static validation` or `trials`.
        what: &'static str,
        /// Jobs at most.
        jobs: usize,
        /// Number of facts known already.
        known: usize,
    },
    Built {
        name: &'a str,
        /// Whether it was refused.
        refused: bool,
    },
    Tried {
        name: &'a str,
        verdict: Verdict,
    },
    /// This number of rows needs no more trials.
    Finished(usize),
    /// This number of jobs turned out to be unnecessary.
    Spared(usize),
    /// We failed at a job.
    Failed(&'a Fault),
    /// Everything is judged again after this time, because toolchains changed while they were used.
    Waiting {
        toolchains: &'a [String],
        seconds: u32,
    },
}

/// Receives the progress; must be quick.
pub type OnGradeEvent<'a> = dyn FnMut(GradeEvent) + Send + 'a;

/// Which of the cases are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thoroughness {
    /// Those that can still change the score.
    Needed,
    All,
    /// All, the largest of a group first; once a program was too slow or too large, the rest of the group is skipped.
    Sparing,
}

/// How a run above the time limit becomes a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TimePolicy {
    /// It is compared with reference runs, and stays undecided where they do not settle it.
    #[default]
    Witness,
    /// The same for a person who only wants to know: a run that was stopped above the limit, or a case that reference
    /// runs do not settle, is too slow.
    Home,
    /// As `Witness`, but a case that reference runs do not settle is too slow; for a platform that takes no other answer.
    Platform,
    /// One run decides, as other judges do it.
    Single,
}

impl TimePolicy {
    /// The remark in every report, unless it is the default.
    pub fn remark(self) -> Option<Said> {
        match self {
            TimePolicy::Witness | TimePolicy::Home | TimePolicy::Platform => None,
            TimePolicy::Single => Some(Said::OneRunDecided),
        }
    }

    /// Whether a case that no pair settles is too slow.
    pub(super) fn always_decides(self) -> bool {
        match self {
            TimePolicy::Single | TimePolicy::Witness => false,
            TimePolicy::Home | TimePolicy::Platform => true,
        }
    }

    /// Whether a first run is not enough for a verdict.
    pub(super) fn doubts(self, first: &Trial) -> bool {
        let may_be_noise = match self {
            TimePolicy::Single => false,
            TimePolicy::Witness | TimePolicy::Platform => true,
            TimePolicy::Home => !matches!(first.exit, Exit::Exceeded(_)),
        };
        may_be_noise && first.verdict == Verdict::TimeLimit
    }
}

#[derive(Clone, Copy)]
pub struct WitnessSource<'a> {
    /// The least times of witnesses.
    pub least_times: &'a LeastTimes,
    /// Plans the accepted submissions of the package: all, or those in languages with these codes.
    pub accepted: &'a (dyn Fn(Option<&BTreeSet<&str>>) -> Vec<AcceptedSubmission> + Sync),
}

/// A submission that may be a witness.
pub struct AcceptedSubmission {
    pub name: String,
    /// The task that builds it.
    pub build: Arc<BuildTask>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_sandbox::Limit;

    #[test]
    fn at_home_a_run_that_was_stopped_above_the_limit_is_a_verdict() {
        let policies = [TimePolicy::Single, TimePolicy::Witness, TimePolicy::Home, TimePolicy::Platform];
        for (verdict, exit, doubted) in [
            (Verdict::TimeLimit, Exit::Code(0), [false, true, true, true]),
            (Verdict::TimeLimit, Exit::Exceeded(Limit::Cpu), [false, true, false, true]),
            (Verdict::WrongAnswer, Exit::Code(0), [false; 4]),
        ] {
            let first = Trial::ended(verdict, exit);
            assert_eq!(policies.map(|policy| policy.doubts(&first)), doubted, "{verdict:?} {exit:?}");
        }
    }
}
