//! Arguments of validators as legacy flags: words separated by spaces, the same for a directory.

use super::{losses::Loss, pack_layout::PackLayout};
use kopek_engine::package::{Case, Judge, Package, TestSet};
use std::collections::BTreeSet;

/// Arguments of a directory's validators.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValidatorFlags {
    pub input: String,
    pub output: String,
}

impl ValidatorFlags {
    pub fn is_empty(&self) -> bool {
        self.input.is_empty() && self.output.is_empty()
    }
}

/// The output validator's flags, if they are the same for all cases.
pub fn shared_output_flags(tests: &TestSet) -> Option<String> {
    let mut all = tests.cases.iter().map(|case| &case.output_validator_args);
    let first = all.next()?;
    all.all(|args| args == first).then(|| first.join(" "))
}

impl PackLayout<'_> {
    /// The flags that a case's directory needs.
    pub fn case_flags(&mut self, case: &Case) -> ValidatorFlags {
        let output = match &self.common_flags {
            // problem.yaml has them.
            Some(_) => String::new(),
            None => case.output_validator_args.join(" "),
        };
        ValidatorFlags { input: self.input_flags(case), output }
    }

    /// Arguments that cannot be flags.
    pub fn note_odd_flags(&mut self) {
        let odd = |word: &String| word.is_empty() || word.contains([' ', '\t', '\n', '"', '\'', '\\']);
        let odd_case = self.tests.cases.iter().find(|case| case.output_validator_args.iter().any(odd));
        if let Some(case) = odd_case {
            self.report_loss(Loss::OddArguments, &case.name, &[]);
        }
    }

    /// The same for all validators, or none.
    fn input_flags(&mut self, case: &Case) -> String {
        let args = &case.input_validator_args;
        let all: BTreeSet<&[String]> = self
            .package
            .input_validators
            .iter()
            .map(|one| args.get(&one.name).or(args.get("")).map_or(&[][..], Vec::as_slice))
            .collect();
        match all.len() {
            0 | 1 => all.into_iter().next().unwrap_or_default().join(" "),
            _ => {
                self.report_loss(Loss::InputArguments, "data", &[]);
                String::new()
            }
        }
    }

    /// Whether its output validator gives points, judged by its source.
    pub fn writes_scores(&self) -> bool {
        self.package.kind.scoring && validator_mentions(self.package, "score.txt")
    }
}

/// Whether the text of the output validator contains a word.
pub fn validator_mentions(package: &Package, word: &str) -> bool {
    let Judge::Programs { programs, .. } = &package.judge else { return false };
    let mut files =
        programs.iter().flat_map(|one| one.source.files.iter().map(|file| one.source.root.join(file)));
    files.any(|file| std::fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(word)))
}
