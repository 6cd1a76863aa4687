//! Claims about example submissions: one type for those of default directories, of `submissions.yaml`, and of
//! tags in sources.

use super::{
    Place,
    glob::{Pattern, glob_matches},
};
use crate::{
    points::Points,
    verdict::{Class, Verdict},
};
use std::collections::BTreeSet;

#[derive(Debug, Clone)]
pub struct Claim {
    /// Where the claim was made.
    pub origin: ClaimOrigin,
    /// The submissions: a pattern relative to `submissions/`.
    pub submissions: String,
    /// The groups or cases: a pattern relative to `data/`; `None` means all.
    pub cases: Option<String>,
    /// All of these must hold; at most one of each kind.
    pub expectations: Vec<Expectation>,
    /// Whether the times of these submissions bound the time limit.
    pub time: UseForTimeLimit,
}

/// Where a claim was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimOrigin {
    /// By the format, through the name of a directory.
    Directory,
    /// In an entry of `submissions.yaml`.
    Declared(Place),
    /// In a tag in the source of the submission.
    Tag {
        /// As in `@EXPECTED_SCORE@`.
        name: &'static str,
        /// The line of the tag.
        at: Place,
    },
}

/// One condition of a claim. The order of the variants is the order of the checks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expectation {
    /// All verdicts are among these.
    Permitted(BTreeSet<Class>),
    /// At least one verdict is among these.
    Required(BTreeSet<Class>),
    /// The score is within these bounds.
    Score { min: Points, max: Points },
    /// At least one judge message contains this.
    Message(String),
    /// Accepted, but not with the best score: the directory `partially_accepted` of legacy.
    LessThanBest,
    /// The verdict of the submission is one that any of these words allows.
    Result(Vec<VerdictWord>),
    /// The verdicts of the groups in `secret`, in their order.
    Grades(Vec<VerdictWord>),
}

/// A word of a tag, with the verdicts that it allows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct VerdictWord {
    /// The word as the tag has it.
    pub word: String,
    /// The verdicts that it allows.
    pub verdicts: BTreeSet<Verdict>,
}

/// Whether the times of a claim's submissions bound the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UseForTimeLimit {
    /// As the permitted and required verdicts imply.
    #[default]
    Implied,
    /// Not at all.
    No,
    /// The limit must leave room for it.
    Lower,
    /// The limit must stop it.
    Upper,
}

/// How the times of a claim's submissions bound the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeBound {
    /// The limit must leave room for it.
    Lower,
    /// The limit must stop it.
    Upper,
}

impl Claim {
    /// Whether this claim applies to the submission with this name.
    pub fn is_about(&self, submission: &str) -> bool {
        glob_matches(&self.submissions, submission)
    }

    /// The pattern of the cases to which this claim applies.
    pub(super) fn case_pattern(&self) -> Option<Pattern> {
        self.cases.as_deref().map(Pattern::new)
    }

    /// All verdicts must be among these.
    pub fn permitted(&self) -> Option<&BTreeSet<Class>> {
        self.expectations.iter().find_map(|expectation| {
            if let Expectation::Permitted(classes) = expectation { Some(classes) } else { None }
        })
    }

    /// Whether it says that submissions are accepted on all cases.
    pub fn is_of_right(&self) -> bool {
        self.cases.is_none() && self.permitted().is_some_and(|classes| classes.iter().eq([&Class::Ac]))
    }

    /// At least one verdict must be among these.
    pub fn required(&self) -> Option<&BTreeSet<Class>> {
        self.expectations.iter().find_map(|expectation| {
            if let Expectation::Required(classes) = expectation { Some(classes) } else { None }
        })
    }

    /// Whether this claim expects a compile error. A word that allows every verdict does not.
    pub(crate) fn expects_compile_error(&self) -> bool {
        let alone = BTreeSet::from([Verdict::CompileError]);
        self.expectations.iter().any(|expectation| {
            matches!(expectation, Expectation::Result(words) if words.iter().any(|word| word.verdicts == alone))
        })
    }

    /// The bound on the time limit, by `use_for_time_limit` or by the verdicts: exactly `required: [TLE]` is
    /// an upper bound, `permitted` without TLE a lower bound.
    pub fn time_bound(&self) -> Option<TimeBound> {
        let too_slow = BTreeSet::from([Class::Tle]);
        match self.time {
            UseForTimeLimit::No => None,
            UseForTimeLimit::Lower => Some(TimeBound::Lower),
            UseForTimeLimit::Upper => Some(TimeBound::Upper),
            UseForTimeLimit::Implied if self.required() == Some(&too_slow) => Some(TimeBound::Upper),
            UseForTimeLimit::Implied => {
                self.permitted().is_some_and(|set| !set.contains(&Class::Tle)).then_some(TimeBound::Lower)
            }
        }
    }
}
