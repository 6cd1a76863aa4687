//! The lists of all checks, in the order of their results, and what they look at.

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
    verification::{Verification, Wishes},
};
use anyhow::Result;
use kopek_judge::grade::JudgedCohort;
use kopek_plan::plan::{Checker, Program};
use kopek_results::Section;
use std::{collections::BTreeSet, sync::Arc, time::Duration};

/// A check of what `K` holds: a new one is a row of a list below and a file.
pub(super) struct Check<K> {
    /// The part of the package that it is about.
    pub section: Section,
    pub run: fn(&K) -> Result<Checked>,
}

const fn check<K>(section: Section, run: fn(&K) -> Result<Checked>) -> Check<K> {
    Check { section, run }
}

/// A package with a complete test set.
pub(super) struct KnownData<'a> {
    pub bench: Verification<'a>,
    /// Cases that groups of the recipe include.
    pub included: BTreeSet<String>,
    pub statements: Vec<StatementText>,
    pub numbers: NumberSurvey,
    /// The input validators that could be built.
    pub validators: Vec<Arc<Program>>,
}

/// A package whose outputs can be judged.
pub(super) struct KnownJudge<'a> {
    pub bench: Verification<'a>,
    pub wishes: Wishes<'a>,
    pub checker: &'a Arc<Checker>,
}

/// A package with the results of its example submissions.
pub(super) struct KnownResults<'a> {
    /// With the proposed limit if the package has none.
    pub bench: Verification<'a>,
    pub wishes: Wishes<'a>,
    pub cohort: &'a JudgedCohort,
    pub submissions: Vec<JudgedSubmission<'a>>,
    /// The limit proposed for a package without one.
    pub proposed_limit: Option<Duration>,
}

/// The checks of the data, which need no output validator.
pub(super) fn data_checks<'a>() -> Vec<Check<KnownData<'a>>> {
    use Section::{Data, Package};
    vec![
        check(Package, |known| Ok(manifest::check_manifest(known.bench.package))),
        check(Data, |known| Ok(manifest::check_samples(known.bench.package))),
        check(Data, |known| inputs::check_inputs(&known.bench, &known.validators)),
        check(Data, |known| bounds::check_bounds(&known.bench, &known.validators)),
        check(Package, |known| Ok(statements::check_statement_parts(&known.bench, &known.statements))),
        check(Data, |known| Ok(statements::check_stated_points(&known.bench, &known.statements))),
        check(Data, |known| Ok(constants::check_constants(&known.bench, &known.statements, &known.numbers))),
        check(Data, |known| Ok(twins::check_twins(known.bench.tests, &known.included))),
    ]
}

/// The checks that need an output validator that works.
pub(super) fn judge_checks<'a>() -> Vec<Check<KnownJudge<'a>>> {
    vec![
        check(Section::Data, |known| outputs::check_outputs(&known.bench, known.checker)),
        check(Section::Data, |known| partners::check_partners(&known.bench)),
        check(Section::Submissions, |known| {
            Ok(examples::check_examples(&known.bench, known.wishes.excluded))
        }),
    ]
}

/// The checks of what the example submissions do.
pub(super) fn result_checks<'a>() -> Vec<Check<KnownResults<'a>>> {
    use Section::{Data, Limits, Submissions};
    vec![
        check(Data, |known| Ok(judged::check_judging(known.cohort))),
        check(Submissions, |known| Ok(claims::check_claims(&known.bench, &known.submissions))),
        check(Limits, |known| Ok(limits::check_memory(&known.bench, &known.submissions))),
        check(Data, |known| {
            Ok(pictures::check_pictures(&known.bench, known.wishes.gallery, known.cohort, &known.submissions))
        }),
        check(Limits, |known| {
            limits::check_limits(&known.bench, known.cohort, &known.submissions, known.proposed_limit)
        }),
        check(Limits, |known| match known.wishes.slow {
            true => slow_inputs::check_slow_inputs(&known.bench, &known.submissions),
            false => Ok(Checked::default()),
        }),
        check(Submissions, |known| {
            sanitized::check_sanitized(&known.bench, known.wishes.sanitizing, &known.submissions)
        }),
        check(Submissions, |known| {
            let strength = || Measure::Strength(strength::measure_strength(&known.bench, &known.submissions));
            Ok(known.wishes.strength.then(strength).map(Checked::from).unwrap_or_default())
        }),
    ]
}
