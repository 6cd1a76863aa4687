//! The samples of a solution without a package: those in a folder or a zip.

use super::{
    AdaptChecker, SolutionLimits, SolutionTests,
    loose_checker::read_checker,
    own_tests::{OwnTests, unanswered_warning},
};
use crate::{grade::CaseChoice, loading::unpack_aside};
use anyhow::{Context, Result, bail};
use kopek_base::{ScratchDir, files::directory_of};
use kopek_package::package::{
    Judge, LooseCases, Package, find_loose_cases, loose_package, loose_tests, missing_path,
};
use kopek_results::{Noticed, Notices};
use std::{
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// Where the samples of a solution are.
pub struct SamplePlace<'a> {
    solution: &'a Path,
    /// Whether the user named it. Then every case counts, whatever its name.
    is_given: bool,
    /// The path to show to the user.
    pub named: PathBuf,
    unpacked: Option<ScratchDir>,
}

impl<'a> SamplePlace<'a> {
    /// The directory or zip that the user named, else the directory of the solution.
    pub fn find(solution: &'a Path, dir: Option<&Path>) -> Result<SamplePlace<'a>> {
        let named = match dir {
            Some(dir) => dir.to_owned(),
            None => place_of_solution(solution)?,
        };
        if !named.exists() {
            return Err(missing_path("read the samples", &named));
        }
        let unpacked = if named.is_dir() { None } else { Some(unpack_aside(&named)?) };
        Ok(SamplePlace { solution, is_given: dir.is_some(), named, unpacked })
    }

    /// The directories to search: archives may have a wrapper directory.
    fn dirs(&self) -> Result<Vec<PathBuf>> {
        let Some(unpacked) = &self.unpacked else { return Ok(vec![self.named.clone()]) };
        let mut dirs = Vec::new();
        for entry in WalkDir::new(unpacked.path()).max_depth(4).sort_by_file_name() {
            let entry = entry.context("read the unpacked files")?;
            if entry.file_type().is_dir() {
                dirs.push(entry.into_path());
            }
        }
        Ok(dirs)
    }

    /// Tests of the author for a solution in a package: those beside it.
    pub fn own_tests(&self) -> Result<OwnTests> {
        let dirs = if self.is_given { Vec::new() } else { self.dirs()? };
        Ok(OwnTests { dirs, stem: stem_of(self.solution) })
    }

    pub fn dir(&self) -> &Path {
        match &self.unpacked {
            Some(unpacked) => unpacked.path(),
            None => &self.named,
        }
    }

    fn name(&self) -> String {
        let Ok(whole) = self.named.canonicalize() else { return "samples".into() };
        let name = if whole.is_dir() { whole.file_name() } else { whole.file_stem() };
        name.unwrap_or("samples".as_ref()).to_string_lossy().into_owned()
    }
}

/// The solution's name without extension.
fn stem_of(solution: &Path) -> String {
    solution.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Directories for the program of an exercise, without its tests.
const SOURCE_FOLDERS: [&str; 6] = ["src", "source", "sol", "solution", "solutions", "code"];

/// The solution itself if it is a directory with tests, as a crate; else its directory, or the parent of a `src/` without
/// tests.
fn place_of_solution(solution: &Path) -> Result<PathBuf> {
    if solution.is_dir() && !find_loose_cases(&[solution.to_owned()], None)?.pairs.is_empty() {
        return Ok(solution.to_owned());
    }
    let beside = directory_of(solution);
    let whole = beside.canonicalize().with_context(|| format!("read {}", beside.display()))?;
    let name = whole.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_source = SOURCE_FOLDERS.contains(&name.as_str());
    if !is_source || !find_loose_cases(&[beside.to_owned()], Some(&stem_of(solution)))?.pairs.is_empty() {
        return Ok(beside.to_owned());
    }
    Ok(match beside.file_name() {
        Some(_) => directory_of(beside).to_owned(),
        None if beside == Path::new(".") => PathBuf::from(".."),
        None => beside.join(".."),
    })
}

/// How the outputs of a solution without a package are judged.
pub struct SampleRules<'a> {
    /// `None`: the default comparison.
    pub checker: Option<&'a Path>,
    pub adapt: &'a AdaptChecker<'a>,
    /// Arguments of the default comparison.
    pub arguments: Vec<String>,
    pub limits: SolutionLimits,
    pub choice: CaseChoice,
}

/// Reads the samples as they are now. Writes files into the directory `aside`.
pub fn load_samples(
    place: &SamplePlace,
    rules: &SampleRules,
    aside: &Path,
) -> Result<Noticed<SolutionTests>> {
    let stem = stem_of(place.solution);
    let cases = find_loose_cases(&place.dirs()?, if place.is_given { None } else { Some(&stem) })?;
    if cases.pairs.is_empty() {
        bail!("{}: no samples here; {}", place.named.display(), remedy(&cases));
    }
    // The judge's programs may look for data where a package has it.
    fs::create_dir_all(aside.join("data")).context("make a directory for the judge")?;
    let judge = match rules.checker {
        Some(checker) => read_checker(checker, aside, rules.adapt)?,
        None => Judge::Default,
    };
    let mut package = Package { judge, ..loose_package(&place.name(), aside) };
    rules.limits.apply(&mut package.limits);
    let tests = loose_tests("sample", &cases.pairs, &rules.arguments)?;
    let mut tests = SolutionTests { package, tests, about: None };
    tests.choose(&rules.choice)?;
    let warnings = unanswered_warning(&cases).into_iter().collect();
    Ok(Noticed { value: tests, notices: Notices { warnings, ..Notices::default() } })
}

fn remedy(found: &LooseCases) -> String {
    match &found.unanswered[..] {
        [] => "a sample is an input and an answer, such as 1.in and 1.out; `kopek test SOLUTION DIR` names \
               another directory or a zip"
            .into(),
        [input, ..] => format!("{} has no answer beside it (.out or .ans)", input.display()),
    }
}
