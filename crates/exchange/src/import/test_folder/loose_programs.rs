//! Programs beside the tests: submissions without a known verdict.

use super::found_pairs::{join, leaf, parent};
use crate::import::{
    adapt::ProgramSources,
    draft::{Draft, DraftClaim, DraftFiles, DraftSubmission, legal_name},
};
use anyhow::Result;
use std::collections::BTreeSet;

const ENDINGS: &[&str] = &[
    "c", "cpp", "cc", "cxx", "java", "py", "pas", "rs", "go", "hs", "cs", "kt", "js", "ts", "ml", "rb",
    "php", "jl", "scala", "swift", "d", "nim", "lua", "pl",
];
/// Names of programs that judge, generate or build.
const OTHERS: &[&str] = &[
    "gen",
    "generator",
    "generate",
    "check",
    "checker",
    "validator",
    "validate",
    "interactor",
    "grader",
    "setup",
];
const BUILD_FOLDERS: &[&str] =
    &["build", "cmakefiles", "target", "bin", "obj", "node_modules", "venv", "__pycache__"];

/// Whether this is the source of a program in a known language.
pub fn is_program(path: &str) -> bool {
    leaf(path).rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Whether programs include it.
pub fn is_header(path: &str) -> bool {
    [".h", ".hpp", ".hh"].iter().any(|ending| path.ends_with(ending))
}

/// Whether it is a submission, and no part of a build and no tool of the author.
fn is_submission(path: &str) -> bool {
    let stem = leaf(path).split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_tool = OTHERS.iter().any(|tool| {
        let rest = stem.strip_prefix(tool);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
    });
    let folders = parent(path).split('/').map(str::to_ascii_lowercase);
    let built = |folder: String| BUILD_FOLDERS.contains(&&*folder) || folder.starts_with("cmake-build");
    is_program(path) && !is_tool && !folders.into_iter().any(built)
}

/// Adds every program; the paths of all files it used.
pub fn add_programs(sources: &ProgramSources, draft: &mut Draft) -> Result<BTreeSet<String>> {
    let all = sources.source.paths().filter(|path| is_submission(path));
    let all = all.map(|path| Ok((path, sources.companion_files(path)?))).collect::<Result<Vec<_>>>()?;
    let parts = |(path, files): &(&str, DraftFiles)| {
        let dir = parent(path).to_owned();
        files.keys().map(|name| join(&dir, name)).collect::<Vec<_>>()
    };
    let mut taken: BTreeSet<String> = all.iter().flat_map(parts).collect();
    report_cgal(sources, &all, draft)?;
    let mut names = BTreeSet::new();
    let mut programs = Vec::new();
    for (path, companions) in all {
        // A file that another one includes is no program.
        if !taken.insert(path.to_owned()) {
            continue;
        }
        let mut file = legal_name(leaf(path));
        if names.contains(&file) {
            file = legal_name(&path.replace('/', "-"));
            let what = format!("another program called {}", leaf(path));
            draft.changes.add_change(path, what, format!("it is called {file}"));
        }
        names.insert(file.clone());
        programs.push(path);
        draft.submissions.push(DraftSubmission {
            directory: "mixed",
            file,
            source: sources.source.path_of(path)?,
            companions,
            model: false,
            claims: vec![DraftClaim::anything()],
        });
    }
    if !programs.is_empty() {
        let what = "its expected verdict is not stated";
        let instead = "it is in submissions/mixed/, so any verdict is accepted; move it to submissions/accepted/ if it is right";
        draft.changes.add_change(programs.join(", "), what, instead);
    }
    Ok(taken)
}

/// CGAL is linked with libraries that the usual row of C++ does not name.
fn report_cgal(sources: &ProgramSources, all: &[(&str, DraftFiles)], draft: &mut Draft) -> Result<()> {
    let mut found = Vec::new();
    for (path, _) in all {
        if sources.source.read_text(path)?.contains("#include <CGAL/") {
            found.push(*path);
        }
    }
    if !found.is_empty() {
        let instead =
            "--languages FILE with a row for C++ that has -frounding-math, -lgmp and -lmpfr compiles it";
        draft.changes.add_loss(found.join(", "), "a program that needs CGAL", instead);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_engine::language::LanguageTable;

    #[test]
    fn every_language_is_found_beside_tests_or_left_out_on_purpose() {
        // Files with these endings also run or describe tests.
        let others = ["bash", "awk", "r", "fortran", "ada", "lisp"];
        for language in LanguageTable::embedded().languages().iter().filter(|language| language.detect) {
            let is_known = ENDINGS.iter().any(|ending| language.owns(&format!("x.{ending}")));
            assert_ne!(is_known, others.contains(&language.code.as_str()), "{}", language.code);
        }
    }
}
