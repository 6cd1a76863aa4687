//! The judge of outputs: standard checkers become the default validator, all others get an
//! adapter; and the tests of checkers and validators.

use super::{
    parse_xml::numbered_path,
    problem_xml::{FILE, PolygonManifest, PolygonTestSet},
};
use crate::import::{
    adapt::{JudgeRole, ProgramSources, below_directory, gives_points},
    draft::{Content, Draft},
    source::ForeignPackage,
};
use anyhow::Result;
use kopek_engine::package::yaml::{YamlNode, emit};
use std::collections::BTreeSet;

/// Standard checkers, the arguments of the default validator that does the same, and the differences.
const STANDARD: &[(&str, &[&str], &str)] = &[
    ("wcmp", &["case_sensitive"], ""),
    ("ncmp", &["case_sensitive"], ""),
    ("icmp", &["case_sensitive"], ""),
    ("hcmp", &["case_sensitive"], ""),
    ("rcmp4", &["float_tolerance", "1e-4"], REAL),
    ("rcmp6", &["float_tolerance", "1e-6"], REAL),
    ("rcmp9", &["float_tolerance", "1e-9"], REAL),
];
const REAL: &str = ", which also takes numbers like 1e5";

/// Whether the checker may give a part of the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckerScores {
    /// All or nothing.
    Whole,
    /// A part of the points of a test.
    Parts,
}

/// Adds the output validator.
pub fn add_output_validator(
    sources: &ProgramSources,
    manifest: &PolygonManifest,
    draft: &mut Draft,
) -> Result<CheckerScores> {
    let checker = manifest.checker.as_ref().and_then(|(_, path)| path.as_deref());
    if let Some(interactor) = &manifest.interactor {
        let files = sources.interactor_program(interactor, checker)?;
        draft.files.extend(below_directory("output_validator", files));
        let both = [Some(interactor.as_str()), checker];
        return scores_of(sources.source, both.into_iter().flatten());
    }
    let name = manifest.checker.as_ref().map_or("", |(name, _)| name.as_str());
    let standard = name.strip_prefix("std::").and_then(|name| name.strip_suffix(".cpp"));
    if let Some((name, args, differs)) = STANDARD.iter().find(|row| Some(row.0) == standard) {
        draft.output_args = args.iter().map(|&arg| arg.to_owned()).collect();
        let instead = format!("the default output validator with `{}` judges{differs}", args.join(" "));
        draft.changes.add_change(format!("{FILE}: checker"), format!("std::{name}.cpp"), instead);
        return Ok(CheckerScores::Whole);
    }
    let Some(checker) = checker else {
        let what = if name.is_empty() {
            "there is no checker".into()
        } else {
            format!("`{name}` without its source")
        };
        let instead = "the default output validator compares token by token; put a checker into output_validator/ if that is wrong";
        draft.changes.add_loss(format!("{FILE}: checker"), what, instead);
        return Ok(CheckerScores::Whole);
    };
    draft.files.extend(below_directory(
        "output_validator",
        sources.testlib_program(checker, JudgeRole::Checker)?,
    ));
    scores_of(sources.source, [checker].into_iter())
}

fn scores_of<'a>(source: &ForeignPackage, paths: impl Iterator<Item = &'a str>) -> Result<CheckerScores> {
    for path in paths {
        if gives_points(&source.read_text(path)?) {
            return Ok(CheckerScores::Parts);
        }
    }
    Ok(CheckerScores::Whole)
}

/// Tests of the checker and of the validators become validator data.
pub fn add_own_tests(source: &ForeignPackage, manifest: &PolygonManifest, draft: &mut Draft) -> Result<()> {
    for (set, of) in manifest.validator_tests.iter().zip(1..) {
        for (number, test) in (1..).zip(&set.tests).filter(|(_, test)| test.verdict == "INVALID") {
            let path = numbered_path(&set.input, number)?;
            let for_a_group =
                test.group.is_some() || test.testset.as_deref().is_some_and(|set| set != "tests");
            if !source.has(&path) || for_a_group {
                let what = "a test of the validator, for a group or without its file";
                draft.changes.add_loss(path, what, "it is left out");
                continue;
            }
            // Unchanged bytes: they may be the defect under test.
            let input = Content::File(source.path_of(&path)?);
            draft.files.insert(format!("data/invalid_input/validator-{of}-{number:02}.in"), input);
        }
    }
    let valid = manifest
        .validator_tests
        .iter()
        .flat_map(|set| &set.tests)
        .filter(|test| test.verdict == "VALID")
        .count();
    if valid > 0 {
        let what = format!("tests of the validator that must be accepted: {valid}");
        draft.changes.add_loss(
            format!("{FILE}: validators"),
            what,
            "they are left out: every test of the package is validated",
        );
    }
    match &manifest.checker_tests {
        Some(set) if !draft.interactive => add_checker_tests(source, set, draft),
        Some(_) | None => Ok(()),
    }
}

fn add_checker_tests(source: &ForeignPackage, set: &PolygonTestSet, draft: &mut Draft) -> Result<()> {
    let mut dirs = BTreeSet::new();
    for (number, test) in (1..).zip(&set.tests) {
        let dir = match test.verdict.as_str() {
            "OK" => "valid_output",
            "WRONG_ANSWER" | "PRESENTATION_ERROR" => "invalid_output",
            other => {
                let what = format!("a test of the checker that must end with {other}");
                draft.changes.add_loss(format!("{FILE}: checker"), what, "it is left out");
                continue;
            }
        };
        let files = [("in", &set.input), ("out", &set.output), ("ans", &set.answer)];
        let files = files.map(|(ending, pattern)| numbered_path(pattern, number).map(|path| (ending, path)));
        let files = files.into_iter().collect::<Result<Vec<_>>>()?;
        if let Some((_, gone)) = files.iter().find(|(_, path)| !source.has(path)) {
            draft.changes.add_loss(
                gone.clone(),
                "a file of a test of the checker is not there",
                "the test is left out",
            );
            continue;
        }
        dirs.insert(dir);
        for (ending, path) in files {
            let content = Content::Lines(source.path_of(&path)?);
            draft.files.insert(format!("data/{dir}/checker-{number:02}.{ending}"), content);
        }
    }
    if !draft.output_args.is_empty() {
        let text = emit(&YamlNode::map([("output_validator_args", YamlNode::strings(&draft.output_args))]));
        for dir in dirs {
            draft.files.insert(format!("data/{dir}/test_group.yaml"), Content::text(text.as_str()));
        }
    }
    Ok(())
}
