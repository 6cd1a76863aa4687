//! Directories of submissions whose names are claims.

use super::{
    Format, Package,
    claim::{Claim, ClaimOrigin, Expectation, UseForTimeLimit},
};
use crate::verdict::Class::{self, Ac, Rte, Tle, Wa};

/// A directory whose name is a claim; an empty list claims nothing.
pub(super) struct DefaultDirectory {
    pub name: &'static str,
    permitted: &'static [Class],
    required: &'static [Class],
    less_than_best: bool,
}

const fn verdict_directory(
    name: &'static str,
    permitted: &'static [Class],
    required: &'static [Class],
) -> DefaultDirectory {
    DefaultDirectory { name, permitted, required, less_than_best: false }
}

pub(super) const MODERN: &[DefaultDirectory] = &[
    verdict_directory("accepted", &[Ac], &[]),
    verdict_directory("rejected", &[], &[Rte, Tle, Wa]),
    verdict_directory("wrong_answer", &[Ac, Wa], &[Wa]),
    verdict_directory("time_limit_exceeded", &[Ac, Tle], &[Tle]),
    verdict_directory("run_time_error", &[Ac, Rte], &[Rte]),
    verdict_directory("brute_force", &[Ac, Rte, Tle], &[Rte, Tle]),
];

/// Drafts of 2025-09 with legacy groups have this directory, too.
const PARTIALLY: DefaultDirectory =
    DefaultDirectory { less_than_best: true, ..verdict_directory("partially_accepted", &[], &[]) };

const LEGACY: &[DefaultDirectory] = &[
    verdict_directory("accepted", &[Ac], &[]),
    PARTIALLY,
    verdict_directory("wrong_answer", &[Ac, Wa], &[Wa]),
    verdict_directory("time_limit_exceeded", &[Ac, Wa, Tle], &[Tle]),
    verdict_directory("run_time_error", &[], &[Rte]),
];

/// The directories that make claims in a package.
pub(super) fn default_directories(manifest: &Package) -> Vec<&'static DefaultDirectory> {
    match (manifest.format, manifest.data) {
        (Format::V2025_09, Format::V2025_09) => MODERN.iter().collect(),
        (Format::V2025_09, Format::Legacy) => MODERN.iter().chain([&PARTIALLY]).collect(),
        (Format::Legacy, _) => LEGACY.iter().collect(),
    }
}

impl DefaultDirectory {
    /// The claim about the submissions in this directory.
    pub(crate) fn claim(&self) -> Claim {
        let set = |classes: &[Class]| (!classes.is_empty()).then(|| classes.iter().copied().collect());
        let permitted = set(self.permitted).map(Expectation::Permitted);
        let required = set(self.required).map(Expectation::Required);
        let best = if self.less_than_best { Some(Expectation::LessThanBest) } else { None };
        Claim {
            origin: ClaimOrigin::Directory,
            submissions: self.name.to_owned(),
            cases: None,
            expectations: [permitted, required, best].into_iter().flatten().collect(),
            time: UseForTimeLimit::Implied,
        }
    }
}
