//! Key figures of packages, from reading alone: nothing is built, run or generated.

use anyhow::Result;
use kopek_engine::{
    package::{self, Finding, Format, Judge, NoCases, Package, Severity, Submission, TestSet},
    verdict::Class,
};
use kopek_judge::generate::recipe_case_names;
use serde::Serialize;
use std::{collections::BTreeSet, path::Path};

/// The key figures of a package.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PackageStats {
    /// The package's base name.
    pub name: String,
    /// Its title, in English if there is one.
    pub title: String,
    /// `2025-09` or `legacy`.
    pub format: &'static str,
    /// `pass-fail` or `scoring`, and further types.
    pub kind: Vec<&'static str>,
    /// Languages of its statements.
    pub statements: Vec<String>,
    /// Samples, on disk or in the recipe.
    pub samples: usize,
    /// Secret cases, on disk or in the recipe.
    pub secret: usize,
    /// How many of both exist only in the recipe: `kopek generate` makes them.
    pub not_made: usize,
    /// Groups right below `secret`.
    pub groups: usize,
    /// Input validators.
    pub input_validators: usize,
    /// Its own output validators; 0 means the default one.
    pub output_validators: usize,
    /// Example submissions by their claimed result.
    pub submissions: ClaimedSubmissions,
    /// Extensions of those that must be accepted.
    pub accepted_in: BTreeSet<String>,
    /// In seconds, if the package sets one.
    pub time_limit: Option<f64>,
    /// In MiB.
    pub memory_limit: u64,
    /// Errors from the readers.
    pub errors: usize,
    /// Warnings from the readers.
    pub warnings: usize,
}

/// Numbers of submissions by their claimed overall result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ClaimedSubmissions {
    /// Correct everywhere.
    pub accepted: usize,
    /// Wrong somewhere, without other failures.
    pub wrong_answer: usize,
    /// Too slow somewhere.
    pub time_limit: usize,
    /// Crashing somewhere.
    pub run_time_error: usize,
    /// Claims of several kinds, about some cases only, or none.
    pub other: usize,
}

/// Reads a package. Fails only if there is no package.
pub fn package_stats(dir: &Path) -> Result<PackageStats> {
    let reading = package::read(dir)?;
    let name = dir.canonicalize().ok().and_then(|dir| Some(dir.file_name()?.to_string_lossy().into_owned()));
    let mut stats = PackageStats { name: name.unwrap_or_default(), ..PackageStats::default() };
    stats.count_findings(&reading.findings);
    let Some(package) = reading.package else { return Ok(stats) };
    stats.describe(&package);
    let (tests, findings) = match package::read_tests(&package) {
        Ok(read) => read,
        Err(error) => {
            let none = error.downcast::<NoCases>()?;
            (*none.tests, none.findings)
        }
    };
    stats.count_cases(&package, &tests)?;
    // Claims about cases that have not been generated yet would look wrong.
    if stats.not_made == 0 {
        stats.count_findings(&findings);
    }
    for submission in &package.submissions {
        stats.count_submission(&package, submission);
    }
    Ok(stats)
}

impl PackageStats {
    fn describe(&mut self, package: &Package) {
        let titles = &package.about.titles;
        self.title = titles.get("en").or(titles.values().next()).cloned().unwrap_or_default();
        self.format = match package.format {
            Format::Legacy => "legacy",
            Format::V2025_09 => "2025-09",
        };
        let kind = package.kind;
        self.kind = vec![if kind.scoring { "scoring" } else { "pass-fail" }];
        let more = [
            (kind.interactive, "interactive"),
            (kind.multi_pass, "multi-pass"),
            (kind.submit_answer, "submit-answer"),
        ];
        self.kind.extend(more.into_iter().filter(|(is, _)| *is).map(|(_, word)| word));
        self.statements = package.about.statements.iter().cloned().collect();
        self.input_validators = package.input_validators.len();
        self.output_validators = match &package.judge {
            Judge::Default => 0,
            Judge::Programs { programs, .. } => programs.len(),
        };
        self.time_limit = package.limits.time.map(|limit| limit.as_secs_f64());
        self.memory_limit = package.limits.memory.0 >> 20;
    }

    fn count_findings(&mut self, findings: &[Finding]) {
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error).count();
        self.errors += errors;
        self.warnings += findings.len() - errors;
    }

    /// Cases of the recipe count whether they have been generated or not.
    fn count_cases(&mut self, package: &Package, tests: &TestSet) -> Result<()> {
        let mut names: BTreeSet<String> = tests.cases.iter().map(|case| case.name.clone()).collect();
        let mut findings = Vec::new();
        let planned = recipe_case_names(package, &mut findings)?;
        self.count_findings(&findings);
        self.not_made = planned.iter().filter(|name| !names.contains(*name)).count();
        names.extend(planned);
        self.samples = names.iter().filter(|name| name.starts_with("sample/")).count();
        self.secret = names.len() - self.samples;
        let group = |name: &String| Some(name.strip_prefix("secret/")?.split_once('/')?.0.to_owned());
        self.groups = names.iter().filter_map(group).collect::<BTreeSet<String>>().len();
        Ok(())
    }

    fn count_submission(&mut self, package: &Package, submission: &Submission) {
        let counts = &mut self.submissions;
        let count = match claimed_class(package, submission) {
            Some(Class::Ac) => {
                let ending = submission.source.files.first().and_then(|file| file.extension());
                self.accepted_in.extend(ending.map(|ending| ending.to_string_lossy().into_owned()));
                &mut counts.accepted
            }
            Some(Class::Wa) => &mut counts.wrong_answer,
            Some(Class::Tle) => &mut counts.time_limit,
            Some(Class::Rte) => &mut counts.run_time_error,
            None => &mut counts.other,
        };
        *count += 1;
    }
}

/// The only verdict that claims about all cases allow: the worst that must or may occur.
fn claimed_class(package: &Package, submission: &Submission) -> Option<Class> {
    let claims = package.claims.iter().filter(|claim| claim.is_about(&submission.name));
    for claim in claims.filter(|claim| claim.cases.is_none()) {
        let classes = claim.required().or(claim.permitted());
        let bad: Vec<Class> =
            classes.into_iter().flatten().copied().filter(|class| *class != Class::Ac).collect();
        match (classes, bad.as_slice()) {
            (Some(_), []) => return Some(Class::Ac),
            (Some(_), [one]) => return Some(*one),
            _ => {}
        }
    }
    None
}
