//! A problem as declared: plain data. Nothing here reads a disk.

use super::{claim::Claim, disk::LinkReach};
use crate::{
    language::{FileBytes, SourceFiles},
    points::Points,
};
use kopek_base::{Bytes, Digest, FileId, KnownFiles, Stamp, TreeId};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

/// A problem as declared by its directory.
#[derive(Debug, Clone)]
pub struct Package {
    /// Where it was read from.
    pub dir: PathBuf,
    /// Where its links may lead.
    pub links: LinkReach,
    /// Digests of its files from earlier runs.
    pub known_files: Arc<KnownFiles>,
    /// The directory's base name.
    pub name: String,
    /// Which version of the format it follows.
    pub format: Format,
    /// Which version its groups of test data follow: drafts may have those of legacy.
    pub data: Format,
    /// Titles, authors, sources, licence: nothing that changes a verdict.
    pub about: About,
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// Limits and guarantees, defaults filled in.
    pub limits: ProblemLimits,
    /// Language codes that may be submitted; `None`: all.
    pub languages: Option<Vec<String>>,
    /// Whether submissions may write files.
    pub allow_file_writing: bool,
    /// `{{name}}` and `{{name.variant}}` to their texts.
    pub constants: BTreeMap<String, String>,
    /// How outputs are judged.
    pub judge: Judge,
    /// Every one must accept every input.
    pub input_validators: Vec<PackageProgram>,
    /// Judges the source itself.
    pub static_validator: Option<PackageProgram>,
    /// Draws inputs.
    pub input_visualizer: Option<PackageProgram>,
    /// Draws outputs.
    pub output_visualizer: Option<PackageProgram>,
    /// Files of `include/<language>` (or `default`) by language code.
    pub include: BTreeMap<String, SourceFiles>,
    /// Example submissions, in order of their paths.
    pub submissions: Vec<Submission>,
    /// What directories and `submissions.yaml` claim of them, in order of declaration.
    pub claims: Vec<Claim>,
    /// Named files instead of standard streams, from `kopek.toml`.
    pub named_files: Option<NamedFiles>,
    /// Legacy: custom grader program in `graders/`.
    pub grader: Option<PackageProgram>,
}

/// A version of the package format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// `legacy` and `legacy-icpc`, as Kattis' own tools read it.
    Legacy,
    /// `2025-09`.
    V2025_09,
}

/// What changes no verdict.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// Title by language code.
    pub titles: BTreeMap<String, String>,
    /// Identity across sites.
    pub uuid: Option<String>,
    /// The package's own version.
    pub version: Option<String>,
    /// Role to names.
    pub credits: BTreeMap<String, Vec<String>>,
    /// Where the problem was used or comes from.
    pub source: Vec<String>,
    /// A licence of the format's list.
    pub license: Option<String>,
    /// Who owns it.
    pub rights_owner: Option<String>,
    /// Not to be published before.
    pub embargo_until: Option<String>,
    /// Free words.
    pub keywords: Vec<String>,
    /// Language codes of the statements on disk.
    pub statements: BTreeSet<String>,
    /// Legacy `objective: min`: the least score is the best.
    pub lower_is_better: bool,
}

/// What kind of problem it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProblemKind {
    /// Points, not only pass or fail.
    pub scoring: bool,
    /// The submission talks with the validator.
    pub interactive: bool,
    /// The submission runs several times.
    pub multi_pass: bool,
    /// The submission is the output itself.
    pub submit_answer: bool,
}

/// Limits on submissions and guarantees to validators.
#[derive(Debug, Clone, PartialEq)]
pub struct ProblemLimits {
    /// CPU seconds per test case; `None`: to be found from the example submissions.
    pub time: Option<Duration>,
    /// The slowest accepted example times this must fit.
    pub ac_to_time_limit: f64,
    /// The limit times this must not reach the fastest too-slow example.
    pub time_limit_to_tle: f64,
    /// Limits are multiples of this.
    pub time_resolution: Duration,
    /// Memory.
    pub memory: Bytes,
    /// Output.
    pub output: Bytes,
    /// Source code.
    pub code: Bytes,
    /// Compile time.
    pub compilation_time: Duration,
    /// Compile memory.
    pub compilation_memory: Bytes,
    /// Output validator's time.
    pub validation_time: Duration,
    /// Output validator's memory.
    pub validation_memory: Bytes,
    /// Output validator's output.
    pub validation_output: Bytes,
    /// Greatest number of passes.
    pub validation_passes: u32,
    /// How `time` was measured, where it is not what the package says.
    pub calibration: Option<Calibration>,
}

/// How a time limit was measured: by the format's own rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The limit that the package names.
    pub declared: Option<Duration>,
    /// The slowest submission that must fit.
    pub submission: String,
    /// The case on which it is slowest.
    pub case: String,
    /// How long it took there.
    pub time: Duration,
    /// It must fit so often.
    pub factor: f64,
}

/// How outputs are judged.
#[derive(Debug, Clone)]
pub enum Judge {
    /// The format's default validator; its arguments stand at the cases.
    Default,
    /// All of these must accept (2025-09: exactly one). `scores`: legacy `custom score`.
    Programs {
        /// The validators.
        programs: Vec<PackageProgram>,
        /// Whether they may write score files.
        scores: bool,
    },
}

/// A validator, visualizer, grader or generator: one file or one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageProgram {
    /// Base name.
    pub name: String,
    /// Its files.
    pub source: SourceFiles,
}

/// Something to be judged.
#[derive(Debug, Clone)]
pub struct Submission {
    /// For people: path below `submissions/`, or the participant's name.
    pub name: String,
    /// Its files.
    pub source: SourceFiles,
    /// Their contents, if they were read already: nothing is read again.
    pub contents: Option<FileBytes>,
    /// Declared language code, if any.
    pub language: Option<String>,
    /// Declared entry point, if any.
    pub entry: Option<String>,
    /// What tags in its source claim of it: `@EXPECTED_RESULTS@` and its kin.
    pub tags: Vec<Claim>,
}

impl Submission {
    /// Whether its source says that it does not compile.
    pub fn expects_compile_error(&self) -> bool {
        self.tags.iter().any(Claim::expects_compile_error)
    }
}

/// File names instead of standard streams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedFiles {
    /// Where the submission reads its input.
    pub input: String,
    /// Where it writes its output.
    pub output: String,
}

/// All cases of a package, existing on disk.
#[derive(Debug, Clone)]
pub struct TestSet {
    /// `data/` itself, with `sample` and `secret` below.
    pub root: Group,
    /// Cases of `sample` and `secret`, in judging order; groups hold indices into this.
    pub cases: Vec<Case>,
    /// Data that must be refused, or accepted, by validators.
    pub validation: Vec<ValidationCase>,
}

impl TestSet {
    /// The cases that a claim is about.
    pub fn cases_of_claim(&self, claim: &Claim) -> Vec<usize> {
        let pattern = claim.case_pattern();
        let meant = |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.matches(name));
        (0..self.cases.len()).filter(|&case| meant(&self.cases[case].name)).collect()
    }
}

/// Cases that count together, and their rule.
#[derive(Debug, Clone)]
pub struct Group {
    /// Path below `data/`: empty for the root, `sample`, `secret`, `secret/1`.
    pub name: String,
    /// How it is scored.
    pub rule: Rule,
    /// Cases and groups in judging order.
    pub members: Vec<Member>,
}

impl Group {
    /// The groups in it, in judging order.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.members.iter().filter_map(|member| match member {
            Member::Group(group) => Some(group),
            Member::Case(_) => None,
        })
    }

    /// The group in it of this name.
    pub fn group_named(&self, name: &str) -> Option<&Group> {
        self.groups().find(|group| group.name == name)
    }

    /// All cases in it and in what it holds, in judging order.
    pub fn cases(&self) -> Vec<usize> {
        let of = |member: &Member| match member {
            Member::Case(case) => vec![*case],
            Member::Group(group) => group.cases(),
        };
        self.members.iter().flat_map(of).collect()
    }
}

/// A part of a group.
#[derive(Debug, Clone)]
pub enum Member {
    /// Index into [`TestSet::cases`].
    Case(usize),
    /// A group below.
    Group(Group),
}

/// How a group is scored.
#[derive(Debug, Clone)]
pub enum Rule {
    /// 2025-09.
    Modern {
        /// `None`: unbounded.
        max_score: Option<Points>,
        /// How parts become a whole.
        aggregation: Aggregation,
        /// Full names (`sample`, `secret/1`) of groups that must be passed first.
        require_pass: Vec<String>,
        /// The extra static validation case.
        static_validation: Option<StaticScore>,
        /// Its arguments.
        static_validator_args: Vec<String>,
    },
    /// Legacy.
    Legacy(LegacyRule),
}

/// How parts become a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregation {
    /// All or nothing.
    PassFail,
    /// Sum of the parts.
    Sum,
    /// The least part.
    Min,
}

/// The worth of the static validation case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StaticScore {
    /// It must pass.
    PassFail,
    /// So many points.
    Points(Points),
}

/// Legacy `testdata.yaml`, inherited values filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct LegacyRule {
    /// Whether the rest of the group is run after a rejection.
    pub continue_on_reject: bool,
    /// Whether the custom grader decides.
    pub custom_grading: bool,
    /// `grader_flags`, split at spaces.
    pub grader_flags: Vec<String>,
    /// Score of an accepted case.
    pub accept_score: Points,
    /// Score of a rejected case.
    pub reject_score: Points,
    /// Least and greatest score allowed; `None`: infinite.
    pub range: (Option<Points>, Option<Points>),
    /// Whether its directory has a `testdata.yaml` of its own.
    pub declared: bool,
}

/// One input with its answer and its arguments, everything inherited filled in.
#[derive(Debug, Clone)]
pub struct Case {
    /// Path below `data/` without extension: `secret/1/03`.
    pub name: String,
    /// The `.in` file.
    pub input: PathBuf,
    /// The `.ans` file.
    pub answer: PathBuf,
    /// The `.files` directory.
    pub files: Option<PathBuf>,
    /// Digest of input, answer, files.
    pub digest: Digest,
    /// Which contents these had when they were read.
    pub ids: CaseIds,
    /// Arguments of the submission.
    pub args: Vec<String>,
    /// Arguments of input validators: by validator name, `""` for all others.
    pub input_validator_args: BTreeMap<String, Vec<String>>,
    /// Arguments of the output validator.
    pub output_validator_args: Vec<String>,
    /// Arguments of the input visualizer.
    pub input_visualizer_args: Vec<String>,
    /// Arguments of the output visualizer.
    pub output_visualizer_args: Vec<String>,
    /// Whether participants may see everything of it.
    pub full_feedback: bool,
    /// A hint for participants.
    pub hint: Option<String>,
    /// What it is for.
    pub description: Option<String>,
}

/// Which contents the files of a case had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseIds {
    /// Of the input.
    pub input: FileId,
    /// Of the answer, if there is one.
    pub answer: Option<FileId>,
    /// Of the `.files` directory.
    pub files: Option<TreeId>,
}

impl CaseIds {
    /// Before the files are read.
    pub fn unread() -> CaseIds {
        let input = FileId { digest: Digest::of(b""), stamp: Stamp::NONE };
        CaseIds { input, answer: None, files: None }
    }
}

/// Where a recipe lies, relative to the package.
pub const RECIPE_FILE: &str = "generators/generators.yaml";

/// Extensions of a test case that are text, in the order in which they are made.
pub const CASE_TEXTS: [&str; 9] = [
    "in",
    "ans",
    "out",
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "yaml",
];
/// Extensions of a test case that are pictures.
pub const CASE_PICTURES: [&str; 4] = ["png", "jpg", "jpeg", "svg"];

/// Data that must be refused, or accepted, by validators.
#[derive(Debug, Clone)]
pub struct ValidationCase {
    /// What must happen with it.
    pub must: ExpectedReply,
    /// Name, input, arguments. In `invalid_input` the answer need not exist.
    pub case: Case,
    /// The `.out` file under test.
    pub output: Option<PathBuf>,
}

/// What must happen with validation data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedReply {
    /// At least one input validator refuses the input.
    RefuseInput,
    /// The output validator refuses the output.
    RefuseOutput,
    /// The output validator accepts the output.
    AcceptOutput,
}
