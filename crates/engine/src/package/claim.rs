//! What is claimed of example submissions. One type for all claims: of default directories, of
//! `submissions.yaml`, and of tags inside sources.

use super::glob::{Pattern, glob_matches};
use crate::{
    points::Points,
    verdict::{Class, Verdict},
};
use std::{collections::BTreeSet, fmt, path::PathBuf};

/// Something claimed of submissions.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Who claims it.
    pub origin: ClaimOrigin,
    /// Which submissions: a pattern relative to `submissions/`.
    pub submissions: String,
    /// Which groups or cases: a pattern relative to `data/`; `None`: all.
    pub cases: Option<String>,
    /// What must hold: all of it, at most one of each kind.
    pub expectations: Vec<Expectation>,
    /// Whether its times bound the time limit.
    pub time: UseForTimeLimit,
}

/// Who claims something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaimOrigin {
    /// The format, by the name of a directory.
    Directory,
    /// An entry of `submissions.yaml`.
    Declared(FileLine),
    /// A tag in the source of the one submission that it is about.
    Tag {
        /// As in `@EXPECTED_SCORE@`.
        name: &'static str,
        /// Where it stands.
        at: FileLine,
    },
}

/// A line of a file of the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// Relative to the package.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
}

/// One thing that must hold. The order of the variants is the order in which they are checked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expectation {
    /// All verdicts are among these.
    Permitted(BTreeSet<Class>),
    /// At least one verdict is among these.
    Required(BTreeSet<Class>),
    /// The score lies within these bounds.
    Score {
        /// The least.
        least: Points,
        /// The greatest.
        greatest: Points,
    },
    /// At least one judge message contains this.
    Message(String),
    /// Accepted, but not with the best score: the directory `partially_accepted` of legacy.
    LessThanBest,
    /// The verdict of the whole is what any of these words allows.
    Result(Vec<VerdictWord>),
    /// The verdicts of the groups in `secret`, in their order.
    Grades(Vec<VerdictWord>),
}

/// A word of a tag, and the verdicts that it allows.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct VerdictWord {
    /// The word as people know it.
    pub word: String,
    /// What it allows.
    pub verdicts: BTreeSet<Verdict>,
}

/// Whether a claim's times bound the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UseForTimeLimit {
    /// As its permitted and required verdicts imply.
    #[default]
    Implied,
    /// Not at all.
    No,
    /// The limit must leave room for it.
    Lower,
    /// The limit must stop it.
    Upper,
}

/// How a claim's times bound the time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeBound {
    /// The limit must leave room for it.
    Lower,
    /// The limit must stop it.
    Upper,
}

impl Claim {
    /// Whether it is about the submission of this name.
    pub fn is_about(&self, submission: &str) -> bool {
        glob_matches(&self.submissions, submission)
    }

    /// Which cases it is about, by their names.
    pub(super) fn case_pattern(&self) -> Option<Pattern> {
        self.cases.as_deref().map(Pattern::new)
    }

    /// All verdicts must be among these.
    pub fn permitted(&self) -> Option<&BTreeSet<Class>> {
        self.expectations.iter().find_map(|expectation| {
            if let Expectation::Permitted(classes) = expectation { Some(classes) } else { None }
        })
    }

    /// At least one verdict must be among these.
    pub fn required(&self) -> Option<&BTreeSet<Class>> {
        self.expectations.iter().find_map(|expectation| {
            if let Expectation::Required(classes) = expectation { Some(classes) } else { None }
        })
    }

    /// Whether it says that a submission does not compile. A word that allows every verdict says no
    /// such thing.
    pub(crate) fn expects_compile_error(&self) -> bool {
        let alone = BTreeSet::from([Verdict::CompileError]);
        self.expectations.iter().any(|expectation| {
            matches!(expectation, Expectation::Result(words) if words.iter().any(|word| word.verdicts == alone))
        })
    }

    /// What this claim says about the time limit, by its words or by its verdicts:
    /// exactly `required: [TLE]` bounds it from above, `permitted` without TLE from below.
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

impl fmt::Display for FileLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}
