//! The author's own tests next to a solution, judged with those of the package.

use anyhow::Result;
use kopek_base::wording::shortened;
use kopek_package::package::{Level, LooseCases, Message, Package, TestSet, find_loose_cases};
use std::path::{Path, PathBuf};

/// The group of the author's tests.
const GROUP: &str = "own";

/// The place of a solution's own tests.
#[derive(Debug, Clone)]
pub struct OwnTests {
    pub dirs: Vec<PathBuf>,
    /// The solution's name without extension.
    pub stem: String,
}

impl OwnTests {
    /// Adds the tests to those of the package. Returns warnings about tests that do not run.
    pub fn add_to(&self, tests: &mut TestSet, package: &Package) -> Result<Vec<Message>> {
        let mut found = find_loose_cases(&self.dirs, Some(&self.stem))?;
        let data = package.dir.join("data").canonicalize();
        let is_of_package = |path: &Path| match (path.canonicalize(), &data) {
            (Ok(path), Ok(data)) => path.starts_with(data),
            _ => false,
        };
        found.pairs.retain(|case| !is_of_package(&case.input));
        found.unanswered.retain(|input| !is_of_package(input));
        if found.pairs.is_empty() {
            return Ok(Vec::new());
        }
        if package.kind.submit_answer {
            let what = "skipped your own tests: this problem takes outputs, not programs";
            return Ok(vec![Message::new(Level::Warning, what)]);
        }
        let args = usual_validator_args(tests).to_vec();
        tests.add_own(GROUP, &found.pairs, &args)?;
        Ok(unanswered_warning(&found).into_iter().collect())
    }
}

/// The validator arguments of the samples, else of the first case.
fn usual_validator_args(tests: &TestSet) -> &[String] {
    let sample = tests.cases.iter().find(|case| case.is_sample());
    match sample.or(tests.cases.first()) {
        Some(case) => &case.arguments.output,
        None => &[],
    }
}

/// Warns about cases without an answer, because users would believe that they ran.
pub fn unanswered_warning(cases: &LooseCases) -> Option<Message> {
    if cases.unanswered.is_empty() {
        return None;
    }
    let names: Vec<String> = cases.unanswered.iter().map(|path| path.display().to_string()).collect();
    let what = format!("skipped inputs without an answer (.out or .ans): {}", shortened(&names, 5, ", "));
    Some(Message::new(Level::Warning, what))
}
