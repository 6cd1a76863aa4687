//! Tests without a package: inputs and answers, paired by their names.
//!
//! `1.in` with `1.out` or `1.ans`, `sample-1.in` with `sample-1.out`, `input1.txt` with `output1.txt`,
//! Searches the folder itself and its folders of samples. Reads files and runs nothing. `file_pairs` knows
//! which names belong together.

use super::{
    Case, CaseArguments, CaseIds, Format, Group, Member, Package, ProblemKind, ProblemLimits, Rule, TestSet,
    TestWorth,
    file_pairs::{FilePair, PAIRED_FOLDERS, pair_files, pair_folders},
    manifest_limits::default_limits,
};
use anyhow::{Context, Result, bail};
use kopek_base::{Bytes, Digest, DigestFields, FileId, natural_order};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// An input with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LooseCase {
    /// The common part of both file names.
    pub name: String,
    pub input: PathBuf,
    pub answer: PathBuf,
}

/// The result of the search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LooseCases {
    /// Pairs, in natural order of their names.
    pub pairs: Vec<LooseCase>,
    /// Inputs without an answer.
    pub unanswered: Vec<PathBuf>,
}

/// Names of subfolders that hold samples.
const FOLDERS: [&str; 11] = [
    "test",
    "tests",
    "sample",
    "samples",
    "testcases",
    "examples",
    "public",
    "testsets",
    "testset",
    "testcase",
    "io",
];
/// The largest number of pairs.
const MAX_CASES: usize = 10_000;

/// Finds pairs in folders and in their folders of samples. `own` is the stem of the solution: if some pairs
/// have its name (`a1.in`, `a-2.in` for `a.cpp`), the others belong to other problems.
pub fn find_loose_cases(dirs: &[PathBuf], own: Option<&str>) -> Result<LooseCases> {
    let mut found = LooseCases::default();
    for dir in dirs {
        let below = FOLDERS.map(|name| dir.join(name)).into_iter().filter(|folder| folder.is_dir());
        for folder in std::iter::once(dir.clone()).chain(below) {
            let here = pairs_in(&folder)?;
            found.pairs.extend(here.pairs);
            found.unanswered.extend(here.unanswered);
        }
    }
    // A folder may be given explicitly and also be found below another one.
    let mut seen = BTreeSet::new();
    found.pairs.retain(|case| seen.insert(case.input.clone()));
    found.unanswered.retain(|input| seen.insert(input.clone()));
    if found.pairs.len() > MAX_CASES {
        bail!("{}: more than {MAX_CASES} cases", dirs[0].display());
    }
    if let Some(own) = own {
        let of_own = |name: &str| {
            let rest = name.rsplit('/').next().unwrap_or(name).strip_prefix(own);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
        };
        if !own.is_empty() && found.pairs.iter().any(|case| of_own(&case.name)) {
            found.pairs.retain(|case| of_own(&case.name));
            let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.unanswered.retain(|input| of_own(&stem(input)));
        }
    }
    // Empty files that were prepared for own tests.
    let is_blank = |case: &LooseCase| {
        let is_empty = |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.len() == 0);
        is_empty(&case.input) && is_empty(&case.answer)
    };
    if !found.pairs.iter().all(is_blank) {
        found.pairs.retain(|case| !is_blank(case));
    }
    refuse_links_out(dirs, &found.pairs)?;
    found.pairs.sort_by(|a, b| natural_order(&a.name, &b.name));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for case in &mut found.pairs {
        let number = seen.entry(case.name.clone()).and_modify(|number| *number += 1).or_insert(1);
        if *number > 1 {
            case.name = format!("{} ({number})", case.name);
        }
    }
    Ok(found)
}

/// Fails if a case is a link to a file outside of the folders: folders of samples come from others, and any file
/// of the user would be shown as an input.
fn refuse_links_out(dirs: &[PathBuf], cases: &[LooseCase]) -> Result<()> {
    let whole = |path: &Path| path.canonicalize().with_context(|| format!("read {}", path.display()));
    let roots = dirs.iter().map(|dir| whole(dir)).collect::<Result<Vec<_>>>()?;
    for file in cases.iter().flat_map(|case| [&case.input, &case.answer]) {
        let target = whole(file)?;
        if !roots.iter().any(|root| target.starts_with(root)) {
            bail!(
                "{}: a link to {}, outside of the samples; replace it with a copy",
                file.display(),
                target.display()
            );
        }
    }
    Ok(())
}

fn pairs_in(dir: &Path) -> Result<LooseCases> {
    let files = pair_files(&file_names(dir)?);
    let of_pair = |inputs: &Path, answers: &Path, pair: FilePair| LooseCase {
        name: pair.title,
        input: inputs.join(pair.input),
        answer: answers.join(pair.answer),
    };
    let mut pairs: Vec<LooseCase> = files.pairs.into_iter().map(|pair| of_pair(dir, dir, pair)).collect();
    // The layout of archives from some sites.
    for (inputs, answers) in PAIRED_FOLDERS {
        let inputs = dir.join(inputs);
        let answers = dir.join(answers);
        if inputs.is_dir() && answers.is_dir() {
            let both = pair_folders(&file_names(&inputs)?, &file_names(&answers)?);
            pairs.extend(both.into_iter().map(|pair| of_pair(&inputs, &answers, pair)));
        }
    }
    let unanswered = files.unanswered.iter().map(|name| dir.join(name)).collect();
    Ok(LooseCases { pairs, unanswered })
}

/// Names of the visible files of a folder, sorted.
fn file_names(dir: &Path) -> Result<Vec<String>> {
    let read = || fs::read_dir(dir)?.collect::<std::io::Result<Vec<_>>>();
    let entries = read().with_context(|| format!("read {}", dir.display()))?;
    let files = entries.into_iter().filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| !name.starts_with('.'));
    names.sort();
    Ok(names)
}

/// The cases as the only group of a test set; `args` are the output validator's.
pub fn loose_tests(name: &str, cases: &[LooseCase], args: &[String]) -> Result<TestSet> {
    let judged = cases.iter().map(|case| loose_case(name, case, args)).collect::<Result<Vec<_>>>()?;
    let only = loose_group(name, (0..judged.len()).map(Member::Case).collect());
    let root = loose_group("", vec![Member::Group(only)]);
    Ok(TestSet { root, own: None, cases: judged, validation: Vec::new(), worth: TestWorth::Verdict })
}

fn loose_group(name: &str, members: Vec<Member>) -> Group {
    Group { name: name.to_owned(), rule: Rule::PASS_FAIL, members }
}

impl TestSet {
    /// Adds the author's own cases as a group with this name; `args` are the output validator's.
    pub fn add_own(&mut self, name: &str, cases: &[LooseCase], args: &[String]) -> Result<()> {
        let first = self.cases.len();
        for case in cases {
            self.cases.push(loose_case(name, case, args)?);
        }
        self.own = Some(loose_group(name, (first..self.cases.len()).map(Member::Case).collect()));
        Ok(())
    }
}

/// The time limit without a package.
const LOOSE_TIME: Duration = Duration::from_secs(10);
/// The memory limit without a package.
pub const LOOSE_MEMORY: Bytes = Bytes::mib(1024);

/// A package for loose cases. Its directory has no files of a package.
pub fn loose_package(name: &str, dir: &Path) -> Package {
    let limits = ProblemLimits { time: Some(LOOSE_TIME), memory: LOOSE_MEMORY, ..default_limits(2.0, 1.5) };
    let package = Package::new(Format::V2025_09, ProblemKind::default(), limits);
    Package { name: name.to_owned(), dir: dir.to_owned(), ..package }
}

fn loose_case(group: &str, case: &LooseCase, args: &[String]) -> Result<Case> {
    let read = |path: &Path| FileId::read(path).with_context(|| format!("read {}", path.display()));
    let ids = CaseIds { input: read(&case.input)?, answer: Some(read(&case.answer)?), files: None };
    let digest: Digest = DigestFields::new("case").with("in", ids.input.digest.as_bytes()).digest();
    Ok(Case {
        name: format!("{group}/{}", case.name),
        input: case.input.clone(),
        answer: case.answer.clone(),
        files: None,
        digest,
        ids,
        arguments: CaseArguments { output: args.to_vec(), ..CaseArguments::default() },
        input_visualizer_args: Vec::new(),
        output_visualizer_args: Vec::new(),
        full_feedback: true,
        hint: None,
        description: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str], own: Option<&str>) -> (Vec<String>, usize) {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = find_loose_cases(&[dir.path().to_owned()], own).unwrap();
        (found.pairs.into_iter().map(|case| case.name).collect(), found.unanswered.len())
    }

    #[test]
    fn inputs_find_their_answers_under_the_usual_names() {
        for (files, pairs) in [
            (&["1.in", "1.out", "10.in", "10.ans", "2.in", "2.out"][..], &["1", "2", "10"][..]),
            (&["sample-1.in", "sample-1.out"], &["sample-1"]),
            (&["test/sample-1.in", "test/sample-1.out"], &["sample-1"]),
            (&["input1.txt", "output1.txt", "input.txt", "output.txt"], &["input", "input1"]),
            (&["in1.txt", "out1.txt"], &["in1"]),
            (&["in/a.txt", "out/a.txt", "in/b.txt"], &["a"]),
            (&["1_input.txt", "1_output.txt"], &["1"]),
            (&["01.input", "01.output", ".hidden.in", ".hidden.out"], &["01"]),
            (&["1.in", "1.out", "tests/1.in", "tests/1.out"], &["1", "1 (2)"]),
            (&["public/sample.in", "public/sample.out", "public/user_test.in"], &["sample"]),
            (&["io/abc_a.1.cpin", "io/abc_a.1.cpout", "io/abc_a.cpin", "io/abc_a.cpout"], &["abc_a-1"]),
        ] {
            assert_eq!(
                names(files, None).0,
                pairs.iter().map(|name| name.to_string()).collect::<Vec<_>>(),
                "{files:?}"
            );
        }
    }

    #[test]
    fn cases_called_after_the_solution_are_its_own() {
        let files = ["a1.in", "a1.out", "a-2.in", "a-2.out", "b1.in", "b1.out", "ab.in", "ab.out", "a3.in"];
        assert_eq!(names(&files, Some("a")), (vec!["a-2".into(), "a1".into()], 1));
        assert_eq!(names(&files, Some("c")).0.len(), 4);
        // The names that editor plug-ins write.
        let files =
            ["a_input0.txt", "a_output0.txt", "b_input0.txt", "b_output0.txt", "a.in1", "a.ans1", "a.out1"];
        assert_eq!(names(&files, Some("a")).0, ["a-0", "a-1"]);
    }
}
