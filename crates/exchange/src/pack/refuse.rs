//! What a system cannot judge at all: better no zip than one that judges something else.

use super::target::Target;
use kopek_engine::package::{Package, TestSet};

/// Why a package cannot be packed for a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{package} cannot be packed for {target}:{}", .reasons.iter().map(|why| format!("\n  {why}")).collect::<String>())]
pub struct PackRefusal {
    /// The package.
    pub package: String,
    /// The system.
    pub target: &'static str,
    /// Each with its remedy.
    pub reasons: Vec<String>,
}

/// Fails where the target cannot judge such a problem.
pub fn refuse(package: &Package, tests: &TestSet, target: Target) -> Result<(), PackRefusal> {
    let all = refusal_reasons(package, tests, target);
    let reasons: Vec<String> = all.into_iter().filter_map(|(holds, why)| holds.then_some(why)).collect();
    match reasons.is_empty() {
        true => Ok(()),
        false => Err(PackRefusal { package: package.name.clone(), target: target.name(), reasons }),
    }
}

fn refusal_reasons(package: &Package, tests: &TestSet, target: Target) -> Vec<(bool, String)> {
    let them = target.name();
    let with_args = tests.cases.iter().find(|case| !case.args.is_empty());
    let with_files = tests.cases.iter().find(|case| case.files.is_some());
    let named =
        |case: Option<&kopek_engine::package::Case>| case.map(|case| case.name.clone()).unwrap_or_default();
    vec![
        (
            package.named_files.is_some(),
            format!(
                "`[files]` in kopek.toml: {them} knows standard input and output only; pack a variant without it"
            ),
        ),
        (
            package.data != package.format,
            "testdata.yaml in a package that is not legacy: write test_group.yaml files, or `problem_format_version: legacy`".into(),
        ),
        (package.kind.submit_answer, format!("`submit-answer` in problem.yaml: {them} judges programs only")),
        (
            package.kind.multi_pass && target == Target::Kattis,
            "`multi-pass` in problem.yaml: Kattis' legacy format has no such problems".into(),
        ),
        (
            with_args.is_some(),
            format!(
                "`args` of {}: {them} gives submissions no arguments; put them into the input",
                named(with_args)
            ),
        ),
        (
            with_files.is_some(),
            format!(
                "{}.files: {them} gives submissions no files; put them into the input",
                named(with_files)
            ),
        ),
    ]
}
