//! Pairs of files become the tests of a package. Files that are left out are reported.

use super::{
    found_pairs::{FoundPair, FoundPairs},
    test_names::{Permissions, are_samples, pad_numbers},
};
use crate::import::{
    draft::{Draft, DraftTest, InputOrigin},
    draft_files::{base_name, legal_name},
    source::ForeignPackage,
};
use anyhow::{Context, Result, ensure};
use kopek_base::{FileId, natural_order, wording::shortened};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

/// A test before it has its name.
struct ChosenTest {
    pair: FoundPair,
    name: String,
    input: FileId,
    answer: FileId,
}

/// Adds the tests; returns the folder of each.
pub fn add_tests(found: FoundPairs, permissions: &Permissions, draft: &mut Draft) -> Result<Vec<String>> {
    let source = draft.source();
    let mut report = Leavings::default();
    let mut pairs = found.pairs;
    pairs.sort_by(|a, b| natural_order(&a.title, &b.title).then_with(|| natural_order(&a.input, &b.input)));
    pairs.retain(|pair| report.is_test(source, permissions, pair));
    report.unanswered.extend(found.unanswered.iter().filter(|path| source.size_of(path) > 0).cloned());
    let mut tests: Vec<ChosenTest> = Vec::new();
    for pair in pairs {
        let read = |path: &str| FileId::read(&source.path_of(path)?).with_context(|| format!("read {path}"));
        let input = read(&pair.input)?;
        let answer = read(&pair.answer)?;
        let twin = tests.iter().find(|other| {
            other.pair.title == pair.title
                && (other.input.digest, other.answer.digest) == (input.digest, answer.digest)
        });
        match twin {
            Some(twin) => report.copies.push(format!("{} of {}", pair.input, twin.pair.input)),
            None => tests.push(ChosenTest { name: String::new(), pair, input, answer }),
        }
    }
    report.write(draft);
    ensure!(!tests.is_empty(), no_tests(draft));
    name_tests(&mut tests, draft);
    report_contents(source, &tests, draft)?;
    push_tests(source, &tests, draft)?;
    Ok(tests.into_iter().map(|test| test.pair.dir).collect())
}

/// Why there are no tests: the reasons for which they were left out.
fn no_tests(draft: &Draft) -> String {
    let why: Vec<String> =
        draft.changes.iter().map(|change| format!("{}: {}", change.what, change.at)).collect();
    let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join("; ")) };
    format!("no test is left{why}; a test is an input and an answer, such as 1.in and 1.out")
}

/// Files that become no test, by the reason.
#[derive(Default)]
struct Leavings {
    students: Vec<String>,
    empty: Vec<String>,
    unanswered: Vec<String>,
    copies: Vec<String>,
    second_answers: Vec<String>,
}

impl Leavings {
    fn is_test(&mut self, source: &ForeignPackage, permissions: &Permissions, pair: &FoundPair) -> bool {
        if permissions.is_students([&pair.input, &pair.answer], &pair.title) {
            self.students.push(pair.input.clone());
            return false;
        }
        match (source.size_of(&pair.input), source.size_of(&pair.answer)) {
            (0, 0) => self.empty.push(pair.input.clone()),
            (_, 0) => self.unanswered.push(pair.input.clone()),
            _ => {
                let second = |other: &String| format!("{other} beside {}", pair.answer);
                self.second_answers.extend(pair.others.iter().map(second));
                return true;
            }
        }
        false
    }

    fn write(self, draft: &mut Draft) {
        for (paths, what, instead) in [
            (self.students, "a test of the student's own", "it is left out"),
            (self.empty, "an empty input with an empty answer", "it is left out"),
            (
                self.unanswered,
                "an input without an answer",
                "it is left out; add its answer (.ans or .out) and import again",
            ),
            (self.copies, "the same test a second time", "it is left out"),
            (self.second_answers, "a second answer of one input", "it is left out"),
        ] {
            if !paths.is_empty() {
                draft.lost(paths.join(", "), what, instead);
            }
        }
    }
}

/// Unique legal names in natural order.
fn name_tests(tests: &mut [ChosenTest], draft: &mut Draft) {
    let mut used = BTreeSet::new();
    for test in tests.iter_mut() {
        let mut name = legal_name(&test.pair.title);
        if used.contains(&name) && !test.pair.dir.is_empty() {
            name = legal_name(&format!("{}-{name}", base_name(&test.pair.dir)));
        }
        let first = name.clone();
        let mut number = 2;
        while !used.insert(name.clone()) {
            name = format!("{first}-{number}");
            number += 1;
        }
        test.name = name;
    }
    let names: Vec<String> = tests.iter().map(|test| test.name.clone()).collect();
    let mut renamed = Vec::new();
    for (test, name) in tests.iter_mut().zip(pad_numbers(&names)) {
        if name != test.pair.title {
            renamed.push(format!("{} is {name}", test.pair.title));
        }
        test.name = name;
    }
    if !renamed.is_empty() {
        let what = "names that are not legal, not unique, or out of order by their bytes";
        draft.changed("tests", what, shortened(&renamed, 8, ", "));
    }
}

/// Oddities that stay as they are.
fn report_contents(source: &ForeignPackage, tests: &[ChosenTest], draft: &mut Draft) -> Result<()> {
    let mut inputs: BTreeMap<_, Vec<&str>> = BTreeMap::new();
    let mut unended = 0;
    for test in tests {
        inputs.entry(test.input.digest).or_default().push(&test.name);
        for path in [&test.pair.input, &test.pair.answer] {
            unended += usize::from(lacks_last_newline(&source.path_of(path)?)?);
        }
    }
    for equal in inputs.values().filter(|names| names.len() > 1) {
        draft.changed("tests", format!("equal inputs: {}", equal.join(", ")), "all are kept");
    }
    if unended > 0 {
        let what = format!("{unended} files without a newline at their end");
        draft.changed("tests", what, "they are kept as they are");
    }
    Ok(())
}

fn lacks_last_newline(path: &Path) -> Result<bool> {
    let mut last = [0];
    let mut file = File::open(path).with_context(|| format!("read {}", path.display()))?;
    if file.metadata()?.len() == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last[0] != b'\n')
}

fn push_tests(source: &ForeignPackage, tests: &[ChosenTest], draft: &mut Draft) -> Result<()> {
    let titles: Vec<&str> = tests.iter().map(|test| test.pair.title.as_str()).collect();
    let mut samples = are_samples(&titles);
    for (test, sample) in tests.iter().zip(&mut samples) {
        let dir = base_name(&test.pair.dir).to_ascii_lowercase();
        *sample |= ["sample", "samples", "example", "examples"].contains(&dir.as_str());
    }
    let all = samples.iter().all(|sample| *sample);
    if all {
        let what = "samples alone";
        draft.changed("tests", what, "they count as secret tests, too: the format wants some");
    } else if !samples.contains(&true) {
        let what = "no test is called a sample";
        let instead =
            format!("all are secret; move {} to data/sample/ if the statement shows it", tests[0].name);
        draft.changed("tests", what, instead);
    }
    for (test, sample) in tests.iter().zip(samples) {
        draft.tests.push(DraftTest {
            name: test.name.clone(),
            input: InputOrigin::File(source.path_of(&test.pair.input)?, None),
            answer: Some(source.path_of(&test.pair.answer)?),
            sample,
            secret: all || !sample,
            description: None,
        });
    }
    Ok(())
}
