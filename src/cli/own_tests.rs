//! The user's own tests next to a solution, judged in addition to those of the package.

use super::named_packages::LoadedPackage;
use crate::{
    base::{
        message::{Level, Message},
        wording::{counted, limit_text, shortened},
    },
    grade::{CaseChoice, run_limits},
    package::{Case, LooseCases, Package, TestSet, find_loose_cases, loose_tests},
    results::{Noticed, Notices},
};
use anyhow::Result;
use std::path::{Path, PathBuf};

/// The group of the user's tests.
const GROUP: &str = "own";

/// The place of a solution's own tests.
#[derive(Debug, Clone)]
pub(super) struct OwnTests {
    pub(super) dirs: Vec<PathBuf>,
    /// The solution's name without extension.
    pub(super) stem: String,
}

impl OwnTests {
    /// The tests, judged like those of the package; `None` if there are none. Warns about tests that do not run.
    pub(super) fn load(&self, loaded: &LoadedPackage) -> Result<Noticed<Option<LoadedPackage>>> {
        let LoadedPackage { package, tests, .. } = loaded;
        let mut found = find_loose_cases(&self.dirs, Some(&self.stem))?;
        let data = package.dir.join("data").canonicalize();
        let is_of_package = |path: &Path| match (path.canonicalize(), &data) {
            (Ok(path), Ok(data)) => path.starts_with(data),
            _ => false,
        };
        found.pairs.retain(|case| !is_of_package(&case.input));
        found.unanswered.retain(|input| !is_of_package(input));
        let mut notices = Notices::default();
        if found.pairs.is_empty() {
            return Ok(Noticed { value: None, notices });
        }
        if package.kind.submit_answer {
            let what = "skipped your own tests: this problem takes outputs, not programs";
            notices.warnings.push(Message::new(Level::Warning, what));
            return Ok(Noticed { value: None, notices });
        }
        notices.warnings.extend(unanswered_warning(&found));
        let mut package = package.clone();
        package.kind.scoring = false;
        package.static_validator = None;
        package.grader = None;
        let tests = loose_tests(GROUP, &found.pairs, usual_validator_args(tests))?;
        Ok(Noticed { value: Some(LoadedPackage::new(package, tests)), notices })
    }
}

/// The validator arguments of the samples, else of the first case.
fn usual_validator_args(tests: &TestSet) -> &[String] {
    let sample = tests.cases.iter().find(|case| case.name.starts_with("sample/"));
    match sample.or(tests.cases.first()) {
        Some(case) => &case.output_validator_args,
        None => &[],
    }
}

/// Warns about cases without an answer, because users would believe that they ran.
pub(super) fn unanswered_warning(cases: &LooseCases) -> Option<Message> {
    if cases.unanswered.is_empty() {
        return None;
    }
    let names: Vec<String> = cases.unanswered.iter().map(|path| path.display().to_string()).collect();
    let what = format!("skipped inputs without an answer (.out or .ans): {}", shortened(&names, 5, ", "));
    Some(Message::new(Level::Warning, what))
}

/// The chosen cases of the package and of the user.
#[derive(Default)]
pub(super) struct ChoiceOfBoth {
    pub(super) of_package: CaseChoice,
    pub(super) of_own: CaseChoice,
}

/// Chooses the requested cases of both. A name without a match in either is an error.
pub(super) fn choose_of_both(choice: &CaseChoice, package: &TestSet, own: &TestSet) -> Result<ChoiceOfBoth> {
    let mut both = ChoiceOfBoth::default();
    for name in &choice.cases {
        let one = CaseChoice { cases: vec![name.clone()], groups: Vec::new() };
        let is_own = one.choose(own).is_ok();
        match one.choose(package) {
            Ok(_) => both.of_package.cases.push(name.clone()),
            Err(error) if !is_own => return Err(error),
            Err(_) => {}
        }
        if is_own {
            both.of_own.cases.push(name.clone());
        }
    }
    Ok(both)
}

/// The origin of the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitsOrigin {
    Package,
    CommandLine,
}

/// A line about the tests and limits of a package.
pub(super) fn about_package(loaded: &LoadedPackage, limits: LimitsOrigin) -> String {
    let LoadedPackage { package, tests, own, .. } = loaded;
    let cases = |tests: &TestSet| counted(tests.cases.len(), "case");
    let own = own.as_ref().map(|own| {
        let name = |case: &Case| case.name.trim_start_matches("own/").to_owned();
        let names: Vec<String> = own.tests.cases.iter().map(name).collect();
        format!(", and {} of your own ({})", cases(&own.tests), shortened(&names, 3, ", "))
    });
    let whose = match limits {
        LimitsOrigin::Package => format!(" of {}", package.name),
        LimitsOrigin::CommandLine => String::new(),
    };
    format!(
        "tests: {} of {}{}; limits{whose}: {}",
        cases(tests),
        package.name,
        own.unwrap_or_default(),
        limits_of(package)
    )
}

/// `1 s, 256 MiB`
pub(super) fn limits_of(package: &Package) -> String {
    format!("{}, {}", limit_text(run_limits(package).cpu), package.limits.memory)
}
