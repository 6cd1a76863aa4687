//! A package before it is written: the readers of all foreign formats fill it.

use super::{
    draft_files::{Content, DraftFiles, ending_of, legal_name},
    imported::{Change, Loss, Regenerate},
    judge_programs::ProgramSources,
    source::ForeignPackage,
};
use anyhow::{Context, Result};
use kopek_package::{package::shell_words::quote_words, points::Points};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

pub struct Draft<'a> {
    pub programs: ProgramSources<'a>,
    pub regenerate: Regenerate,
    /// The name in the source: for the identity and the directory.
    pub name: String,
    pub titles: BTreeMap<String, String>,
    /// The system or contest it comes from.
    pub origin: Option<String>,
    pub keywords: Vec<String>,
    pub scoring: bool,
    /// The submission talks with the validator.
    pub interactive: bool,
    /// The submission is the output itself.
    pub submit_answer: bool,
    /// Empty: all.
    pub languages: Vec<String>,
    /// In milliseconds.
    pub time_limit: Option<u64>,
    /// In MiB.
    pub memory: Option<u64>,
    /// Files instead of standard streams.
    pub named_files: Option<(String, String)>,
    /// Arguments of the output validator for all tests.
    pub output_args: Vec<String>,
    /// Files that are copied unchanged: statements, validators, attachments.
    pub files: DraftFiles,
    pub tests: Vec<DraftTest>,
    /// Arguments of input validators for samples.
    pub sample_input_args: Vec<String>,
    /// Additional arguments of the output validator for samples.
    pub sample_output_args: Vec<String>,
    /// Groups of secret tests; empty: there are none.
    pub groups: Vec<DraftGroup>,
    pub max_score: Option<Points>,
    /// Files of generators, by the name in commands.
    pub generators: BTreeMap<String, DraftFiles>,
    pub submissions: Vec<DraftSubmission>,
    /// In the order of their discovery.
    pub changes: Vec<Change>,
}

/// Whether an output may get a part of the points of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputWorth {
    Whole,
    Parts,
}

impl OutputWorth {
    /// Of a group whose worst test counts.
    pub fn aggregation(self) -> &'static str {
        match self {
            OutputWorth::Whole => "pass-fail",
            OutputWorth::Parts => "min",
        }
    }
}

#[derive(Debug, Clone)]
pub struct DraftTest {
    /// Unique and in order.
    pub name: String,
    pub input: InputOrigin,
    /// `None`: the model solution writes it.
    pub answer: Option<PathBuf>,
    pub sample: bool,
    pub secret: bool,
    pub description: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputOrigin {
    /// A source file, and the command that made it.
    File(PathBuf, Option<String>),
    Command(String),
}

/// Secret tests that share points.
#[derive(Debug, Clone)]
pub struct DraftGroup {
    pub name: String,
    /// Its name in the source.
    pub origin: String,
    pub max: Points,
    /// How tests become points: `pass-fail`, `sum` or `min`.
    pub aggregation: &'static str,
    /// Directories of groups, or `sample`, that must be passed before.
    pub require: Vec<String>,
    pub tests: Vec<usize>,
    /// Arguments of input validators.
    pub input_args: Vec<String>,
    /// Arguments of the output validator.
    pub output_args: Vec<String>,
}

impl DraftGroup {
    /// A group whose tests must all be right.
    pub fn pass_fail(name: String, origin: &str, max: Points, tests: Vec<usize>) -> DraftGroup {
        DraftGroup {
            name,
            origin: origin.to_owned(),
            max,
            aggregation: "pass-fail",
            require: Vec::new(),
            tests,
            input_args: Vec::new(),
            output_args: Vec::new(),
        }
    }
}

#[derive(Debug, Clone)]
pub struct DraftSubmission {
    /// Its directory below `submissions/`.
    pub directory: &'static str,
    pub file: String,
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
        let stem = self.file.rsplit_once('.').map_or(self.file.as_str(), |(stem, _)| stem);
        format!("{}/{}", self.directory, if self.companions.is_empty() { &self.file } else { stem })
    }
}

/// A claim about the verdicts of a solution.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
    /// The claim about a solution of which nothing is known.
    pub fn anything() -> DraftClaim {
        DraftClaim { permitted: &["AC", "WA", "TLE", "RTE"], ..DraftClaim::default() }
    }
}

impl<'a> Draft<'a> {
    pub fn new(programs: ProgramSources<'a>, regenerate: Regenerate) -> Draft<'a> {
        Draft {
            programs,
            regenerate,
            name: String::new(),
            titles: BTreeMap::new(),
            origin: None,
            keywords: Vec::new(),
            scoring: false,
            interactive: false,
            submit_answer: false,
            languages: Vec::new(),
            time_limit: None,
            memory: None,
            named_files: None,
            output_args: Vec::new(),
            files: DraftFiles::new(),
            tests: Vec::new(),
            sample_input_args: Vec::new(),
            sample_output_args: Vec::new(),
            groups: Vec::new(),
            max_score: None,
            generators: BTreeMap::new(),
            submissions: Vec::new(),
            changes: Vec::new(),
        }
    }

    pub fn source(&self) -> &'a ForeignPackage {
        self.programs.source
    }

    /// Adds something that is lost.
    pub fn lost(&mut self, at: impl Into<String>, what: impl Into<String>, instead: impl Into<String>) {
        self.add_change(Change {
            loss: Loss::Lost,
            at: at.into(),
            what: what.into(),
            instead: instead.into(),
        });
    }

    /// Adds something that is expressed differently.
    pub fn changed(&mut self, at: impl Into<String>, what: impl Into<String>, instead: impl Into<String>) {
        self.add_change(Change {
            loss: Loss::Changed,
            at: at.into(),
            what: what.into(),
            instead: instead.into(),
        });
    }

    fn add_change(&mut self, change: Change) {
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    pub fn copy(&mut self, from: &str, to: impl Into<String>) -> Result<()> {
        self.files.insert(to.into(), Content::File(self.source().path_of(from)?));
        Ok(())
    }

    /// Adds the files of a program.
    pub fn add_program(&mut self, dir: &str, files: DraftFiles) {
        self.files.extend(files.into_iter().map(|(name, content)| (format!("{dir}/{name}"), content)));
    }

    /// The command for the recipe; adds the generator, whose source is at this path.
    pub fn generator_command(&mut self, path: &str, name: &str, args: &[&str]) -> Result<String> {
        let name = legal_name(name);
        if !self.generators.contains_key(&name) {
            self.generators.insert(name.clone(), self.programs.generator_files(path, &name)?);
        }
        // Quotes are only for words that a shell would split or change.
        Ok(quote_words(std::iter::once(&*name).chain(args.iter().copied())))
    }

    /// Whether submissions in the language of this file are not allowed.
    pub fn excludes(&self, file: &str) -> bool {
        !self.languages.is_empty() && self.languages.iter().all(|allowed| allowed != language_of(file))
    }

    /// Known right outputs, as an accepted submission.
    pub fn add_answers(&mut self, missing: impl Fn(&DraftTest) -> String) -> Result<()> {
        for test in &self.tests {
            let answer = test.answer.clone().with_context(|| missing(test))?;
            let place = format!("submissions/accepted/answers/{}.out", test.name);
            self.files.insert(place, Content::Lines(answer));
        }
        Ok(())
    }

    /// Groups that a group or subtask of the source became, as claims name them.
    pub fn groups_of(&self, origin: &str) -> Vec<String> {
        let groups = self.groups.iter().filter(|group| group.origin == origin);
        groups.map(|group| format!("secret/{}", group.name)).collect()
    }

    pub fn sum_of_groups(&self) -> Option<Points> {
        Some(self.groups.iter().map(|group| group.max.clone()).sum())
    }

    pub fn has_model(&self) -> bool {
        self.submissions.iter().any(|submission| submission.model)
    }

    /// The places of a test below `data/`: a sample may be a secret case, too.
    pub fn places(&self, index: usize) -> BTreeSet<String> {
        let test = &self.tests[index];
        let groups = self.groups.iter().filter(|group| group.tests.contains(&index));
        let mut places: BTreeSet<String> = groups.map(|group| format!("secret/{}", group.name)).collect();
        if test.sample {
            places.insert("sample".to_owned());
        }
        if test.secret && self.groups.is_empty() {
            places.insert("secret".to_owned());
        }
        places
    }
}

/// The language code of a program, by its ending.
pub fn language_of(file: &str) -> &str {
    match ending_of(file) {
        "cc" | "cxx" => "cpp",
        "py" => "python3",
        "pas" => "pascal",
        other => other,
    }
}
