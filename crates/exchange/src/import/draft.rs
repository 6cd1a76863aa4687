//! A package before it is written; the result of every reader of a foreign format.
//! Plain data, and the few rules that all formats share.

use super::changes::Changes;
use anyhow::{Context, Result};
use kopek_engine::points::Points;
use std::{collections::BTreeMap, fs, path::PathBuf};
use unicode_normalization::UnicodeNormalization;

/// Files by their path below the package, or below a program.
pub type DraftFiles = BTreeMap<String, Content>;

/// The contents of a file of the new package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    Text(String),
    /// The bytes of a source file.
    File(PathBuf),
    /// A source file, to be written with the line ends of the format.
    Lines(PathBuf),
}

impl Content {
    pub fn text(text: impl Into<String>) -> Content {
        Content::Text(text.into())
    }

    /// Its text.
    pub fn read_text(&self) -> Result<String> {
        match self {
            Content::Text(text) => Ok(text.clone()),
            Content::File(path) | Content::Lines(path) => {
                let bytes = fs::read(path).with_context(|| format!("read {}", path.display()))?;
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
        }
    }
}

#[derive(Debug, Default)]
pub struct Draft {
    /// The name in the source: for the identity and the directory.
    pub name: String,
    /// Title by language code.
    pub titles: BTreeMap<String, String>,
    /// The system or contest it comes from.
    pub origin: Option<String>,
    pub keywords: Vec<String>,
    /// Whether it has points.
    pub scoring: bool,
    /// The submission talks with the validator.
    pub interactive: bool,
    /// The submission is the output itself.
    pub submit_answer: bool,
    /// Allowed languages; empty: all.
    pub languages: Vec<String>,
    pub time_limit: Option<u64>,
    pub memory: Option<u64>,
    /// Files instead of standard streams.
    pub named_files: Option<(String, String)>,
    /// Arguments of the output validator for all tests.
    pub output_args: Vec<String>,
    /// Files that are copied unchanged: statements, validators, attachments.
    pub files: DraftFiles,
    /// Tests in their order.
    pub tests: Vec<DraftTest>,
    /// Arguments of input validators for samples.
    pub sample_input_args: Vec<String>,
    /// Additional arguments of the output validator for samples.
    pub sample_output_args: Vec<String>,
    /// Groups of secret tests; empty: there are none.
    pub groups: Vec<DraftGroup>,
    /// The sum of all points.
    pub max_score: Option<Points>,
    /// Files of generators, by the name in commands.
    pub generators: BTreeMap<String, DraftFiles>,
    /// Solutions and the claims about them.
    pub submissions: Vec<DraftSubmission>,
    /// Losses and changes.
    pub changes: Changes,
}

#[derive(Debug, Clone)]
pub struct DraftTest {
    /// Its name, unique and in order.
    pub name: String,
    /// The origin of its input.
    pub input: InputOrigin,
    /// Its answer; `None`: the model solution writes it.
    pub answer: Option<PathBuf>,
    /// Whether it is shown.
    pub sample: bool,
    /// Whether it is one of the secret tests.
    pub secret: bool,
    /// Its description.
    pub description: Option<String>,
}

/// The origin of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputOrigin {
    /// A source file, and the command that made it.
    File(PathBuf, Option<String>),
    /// A generator's command.
    Command(String),
}

/// Secret tests that share points.
#[derive(Debug, Clone)]
pub struct DraftGroup {
    pub name: String,
    /// Its name in the source.
    pub origin: String,
    /// Its points.
    pub max: Points,
    /// How tests become points: `pass-fail`, `sum` or `min`.
    pub aggregation: &'static str,
    /// Directories of groups, or `sample`, that must be passed before.
    pub require: Vec<String>,
    /// Indices of its tests.
    pub tests: Vec<usize>,
    /// Arguments of input validators.
    pub input_args: Vec<String>,
    /// Arguments of the output validator.
    pub output_args: Vec<String>,
}

#[derive(Debug, Clone)]
pub struct DraftSubmission {
    /// Its directory below `submissions/`.
    pub directory: &'static str,
    /// Its file name.
    pub file: String,
    /// Its path in the source.
    pub source: PathBuf,
    /// Other files it needs, by their names beside it.
    pub companions: DraftFiles,
    /// Whether it writes missing answers.
    pub model: bool,
    /// Claims in addition to its directory.
    pub claims: Vec<DraftClaim>,
}

impl DraftSubmission {
    /// Its path below `submissions/`: a directory if it needs other files.
    pub fn package_path(&self) -> String {
        let name = match self.companions.is_empty() {
            true => &self.file,
            false => self.file.rsplit_once('.').map_or(self.file.as_str(), |(stem, _)| stem),
        };
        format!("{}/{name}", self.directory)
    }
}

/// A claim about the verdicts of a solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftClaim {
    /// Of this group (`secret/1`); empty: of all tests.
    pub group: String,
    /// All verdicts are among these; empty: no claim.
    pub permitted: &'static [&'static str],
    /// At least one is among these; empty: no claim.
    pub required: &'static [&'static str],
    /// The points are above zero and below these.
    pub partly_of: Option<Points>,
}

impl DraftClaim {
    /// The claim about a solution of which nothing is known: any verdict.
    pub fn anything() -> DraftClaim {
        let permitted = &["AC", "WA", "TLE", "RTE"];
        DraftClaim { group: String::new(), permitted, required: &[], partly_of: None }
    }
}

impl Draft {
    /// The places of a test below `data/`: a sample may be a secret case, too.
    pub fn places(&self, index: usize) -> Vec<String> {
        let test = &self.tests[index];
        let mut places = Vec::new();
        if test.sample {
            places.push("sample".to_owned());
        }
        let groups = self.groups.iter().filter(|group| group.tests.contains(&index));
        places.extend(groups.map(|group| format!("secret/{}", group.name)));
        if test.secret && self.groups.is_empty() {
            places.push("secret".into());
        }
        places
    }
}

/// The name with all characters replaced that the format does not allow.
pub fn legal_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let clean: String = name.chars().map(|c| if plain(c) { c } else { '_' }).take(200).collect();
    match clean.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        true => clean,
        false => format!("_{clean}"),
    }
}

/// A package's name: lower-case letters and digits.
pub fn package_name(name: &str) -> String {
    // `ö` becomes `o` and a combining mark.
    let clean: String = name.nfd().filter(char::is_ascii_alphanumeric).collect();
    if clean.is_empty() { "problem".into() } else { clean.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal_and_stay_known() {
        for (name, expected) in
            [("a b.cpp", "a_b.cpp"), ("ä.py", "_.py"), (".x", "_.x"), ("-o", "_-o"), ("", "_")]
        {
            assert_eq!(legal_name(name), expected);
        }
        assert_eq!(package_name("A-plus B"), "aplusb");
        assert_eq!(package_name("Böse Käse"), "bosekase");
    }
}
