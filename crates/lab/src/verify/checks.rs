//! The table of all checks, in the order of their results, and what they look at.

use super::{
    bounds,
    checked::{Checked, Measure},
    claims, constants, examples, inputs,
    judged::{self, JudgedSubmission},
    limits, manifest,
    number_ranges::NumberSurvey,
    outputs, partners, pictures, sanitized, slow_inputs,
    statements::{self, StatementText},
    strength, twins,
    verification::{Found, Verification, Wishes},
};
use anyhow::Result;
use kopek_judge::grade::JudgedCohort;
use kopek_plan::plan::{Checker, Program};
use kopek_results::Section;
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// A check: a new one is a row of [`CHECKS`] and a file.
pub(super) struct Check {
    /// The part of the package that it is about.
    pub section: Section,
    pub needs: Needs,
}

/// What a check needs, and the check.
#[derive(Clone, Copy)]
pub(super) enum Needs {
    Data(fn(&KnownData) -> Result<Checked>),
    /// An output validator that works.
    Checker(fn(&KnownData, &Arc<Checker>) -> Result<Checked>),
    Results(fn(&KnownResults) -> Result<Checked>),
}

/// A package with a complete test set.
pub(super) struct KnownData<'a> {
    pub bench: Verification<'a>,
    pub wishes: Wishes<'a>,
    /// Cases that groups of the recipe include.
    pub included: BTreeSet<String>,
    pub statements: Vec<StatementText>,
    pub numbers: NumberSurvey,
    /// The input validators that could be built.
    pub validators: Found<Vec<Arc<Program>>>,
    /// `None`: an output validator cannot be built, so nothing can be judged.
    pub checker: Found<Option<Arc<Checker>>>,
}

/// A package with the results of its example submissions.
pub(super) struct KnownResults<'a> {
    /// With the proposed limit if the package has none.
    pub bench: Verification<'a>,
    pub wishes: Wishes<'a>,
    pub cohort: &'a JudgedCohort,
    pub submissions: Vec<JudgedSubmission<'a>>,
    /// The limit proposed for a package without one.
    pub proposal: Found<Option<Duration>>,
}

const fn of_data(section: Section, run: fn(&KnownData) -> Result<Checked>) -> Check {
    Check { section, needs: Needs::Data(run) }
}

const fn of_checker(section: Section, run: fn(&KnownData, &Arc<Checker>) -> Result<Checked>) -> Check {
    Check { section, needs: Needs::Checker(run) }
}

const fn of_results(section: Section, run: fn(&KnownResults) -> Result<Checked>) -> Check {
    Check { section, needs: Needs::Results(run) }
}

/// All checks.
pub(super) const CHECKS: &[Check] = &[
    of_data(Section::Package, |known| Ok(manifest::check_manifest(known.bench.package))),
    of_data(Section::Data, |known| Ok(manifest::check_samples(known.bench.package))),
    of_data(Section::Data, |known| inputs::check_inputs(&known.bench, &known.validators)),
    of_data(Section::Data, |known| bounds::check_bounds(&known.bench, &known.validators.value)),
    of_data(Section::Package, |known| Ok(statements::check_statement_parts(&known.bench, &known.statements))),
    of_data(Section::Data, |known| Ok(statements::check_stated_points(&known.bench, &known.statements))),
    of_data(Section::Data, |known| {
        Ok(constants::check_constants(&known.bench, &known.statements, &known.numbers))
    }),
    of_data(Section::Data, |known| Ok(Measure::Numbers(known.numbers.ranges.clone()).into())),
    of_data(Section::Data, |known| Ok(twins::check_twins(known.bench.tests, &known.included))),
    of_data(Section::Data, |known| Ok(known.checker.trouble.clone())),
    of_checker(Section::Data, |known, checker| outputs::check_outputs(&known.bench, checker)),
    of_checker(Section::Data, |known, _| partners::check_partners(&known.bench)),
    of_checker(Section::Submissions, |known, _| {
        Ok(examples::check_examples(&known.bench, known.wishes.excluded))
    }),
    of_results(Section::Limits, |known| Ok(known.proposal.trouble.clone())),
    of_results(Section::Data, |known| Ok(judged::check_judging(known.cohort))),
    of_results(Section::Submissions, |known| Ok(claims::check_claims(&known.bench, &known.submissions))),
    of_results(Section::Limits, |known| Ok(limits::check_memory(&known.bench, &known.submissions))),
    of_results(Section::Data, |known| {
        Ok(pictures::check_pictures(&known.bench, known.wishes.gallery, known.cohort, &known.submissions))
    }),
    of_results(Section::Limits, |known| {
        limits::check_limits(&known.bench, known.cohort, &known.submissions, known.proposal.value)
    }),
    of_results(Section::Limits, |known| match known.wishes.slow {
        true => slow_inputs::check_slow_inputs(&known.bench, &known.submissions),
        false => Ok(Checked::default()),
    }),
    of_results(Section::Submissions, |known| {
        sanitized::check_sanitized(&known.bench, known.wishes.sanitizing, &known.submissions)
    }),
    of_results(Section::Submissions, |known| {
        let strength = || Measure::Strength(strength::measure_strength(&known.bench, &known.submissions));
        Ok(known.wishes.strength.then(strength).map(Checked::from).unwrap_or_default())
    }),
];
