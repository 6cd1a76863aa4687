//! Programs beside the tests: submissions without a known verdict.

use crate::import::{
    draft::{Draft, DraftClaim, DraftSubmission},
    draft_files::{DraftFiles, base_name, ending_of, join, legal_name, parent},
};
use anyhow::Result;
use std::collections::BTreeSet;

const ENDINGS: &str = "c cpp cc cxx java py pas rs go hs cs kt js ts ml rb php jl scala swift d nim lua pl m";
/// Names of programs that judge, generate or build.
const OTHERS: &str = "gen generator generate check checker validator validate interactor grader setup";
/// Directories below `submissions` whose names state the verdict, as in a package.
const STATED: [&str; 4] = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];
/// Directories of the author's programs.
const TOOL_FOLDERS: &str =
    "input_validators input_format_validators output_validators output_validator generators";
const BUILD_FOLDERS: &str = "build cmakefiles target bin obj node_modules venv __pycache__";

/// Whether this is the source of a program in a known language.
pub fn is_program(path: &str) -> bool {
    base_name(path).contains('.') && ENDINGS.split(' ').any(|ending| ending == ending_of(path))
}

/// Whether programs include it.
pub fn is_header(path: &str) -> bool {
    [".h", ".hpp", ".hh"].iter().any(|ending| path.ends_with(ending))
}

/// Whether it is a submission, and no part of a build and no tool of the author.
fn is_submission(path: &str) -> bool {
    let stem = base_name(path).split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_tool = OTHERS.split(' ').any(|tool| {
        let rest = stem.strip_prefix(tool);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
    });
    let is_other = |folder: &str| {
        let mut known = BUILD_FOLDERS.split(' ').chain(TOOL_FOLDERS.split(' '));
        known.any(|known| known == folder) || folder.starts_with("cmake-build")
    };
    is_program(path) && !is_tool && !parent(path).to_ascii_lowercase().split('/').any(is_other)
}

/// Adds every program; the paths of all files it used.
pub fn add_programs(draft: &mut Draft) -> Result<BTreeSet<String>> {
    let source = draft.source();
    let mut all: Vec<(&str, DraftFiles)> = Vec::new();
    let mut taken = BTreeSet::new();
    // CGAL is linked with libraries that the usual row of C++ does not name.
    let mut with_cgal = Vec::new();
    for path in source.paths().filter(|path| is_submission(path)) {
        let companions = draft.programs.companion_files(path)?;
        taken.extend(companions.keys().map(|name| join(parent(path), name)));
        if source.read_text(path)?.contains("#include <CGAL/") {
            with_cgal.push(path);
        }
        all.push((path, companions));
    }
    if !with_cgal.is_empty() {
        let instead =
            "KOPEK_LANGUAGES=FILE with a row for C++ that has -frounding-math, -lgmp and -lmpfr compiles it";
        draft.lost(with_cgal.join(", "), "a program that needs CGAL", instead);
    }
    let mut names = BTreeSet::new();
    let mut programs = Vec::new();
    for (path, companions) in all {
        // A file that another one includes is no program.
        if !taken.insert(path.to_owned()) {
            continue;
        }
        let mut file = legal_name(base_name(path));
        if names.contains(&file) {
            file = legal_name(&path.replace('/', "-"));
            let what = format!("another program called {}", base_name(path));
            draft.changed(path, what, format!("it is called {file}"));
        }
        names.insert(file.clone());
        let stated = stated_directory(path);
        if stated.is_none() {
            programs.push(path);
        }
        draft.submissions.push(DraftSubmission {
            directory: stated.unwrap_or("mixed"),
            file,
            source: source.path_of(path)?,
            companions,
            model: false,
            claims: if stated.is_none() { vec![DraftClaim::anything()] } else { Vec::new() },
        });
    }
    if !programs.is_empty() {
        let what = "its expected verdict is not stated";
        let instead = "it is in submissions/mixed/, so any verdict is accepted; move it to submissions/accepted/ if it is right";
        draft.changed(programs.join(", "), what, instead);
    }
    Ok(taken)
}

/// The directory of a package whose name states the verdict of this program.
fn stated_directory(path: &str) -> Option<&'static str> {
    let dirs: Vec<&str> = parent(path).split('/').collect();
    let below = dirs.windows(2).find(|pair| pair[0] == "submissions")?[1];
    STATED.into_iter().find(|stated| *stated == below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::language::LanguageTable;

    #[test]
    fn every_language_is_found_beside_tests_or_left_out_on_purpose() {
        // Files with these endings also run or describe tests.
        let others = ["bash", "awk", "r", "fortran", "ada", "lisp"];
        for language in LanguageTable::embedded().languages().iter().filter(|language| language.detect) {
            let is_known = ENDINGS.split(' ').any(|ending| language.owns(&format!("x.{ending}")));
            assert_ne!(is_known, others.contains(&language.code.as_str()), "{}", language.code);
        }
    }
}
