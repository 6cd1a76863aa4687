//! The declared problem as plain data. Nothing here reads a disk.

use super::{arguments::CaseArguments, claim::Claim, disk::LinkReach};
use crate::{
    language::{FileBytes, SourceFiles},
    points::Points,
};
use kopek_base::{Bytes, Digest, FileId, KnownFiles, Stamp, TreeId};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

/// A problem, as its directory declares it.
#[derive(Debug, Clone)]
pub struct Package {
    pub dir: PathBuf,
    /// Where links may lead.
    pub links: LinkReach,
    /// Digests of its files from earlier runs.
    pub known_files: Arc<KnownFiles>,
    /// The directory's base name.
    pub name: String,
    /// The version of the package format.
    pub format: Format,
    /// The format version of its test groups: drafts may have legacy groups.
    pub data: Format,
    /// Titles, authors, sources, licence: they change no verdict.
    pub about: About,
    pub kind: ProblemKind,
    /// Limits and guarantees, with defaults filled in.
    pub limits: ProblemLimits,
    /// Language codes that may be submitted; `None`: all.
    pub languages: Option<Vec<String>>,
    /// Whether submissions may write files.
    pub allow_file_writing: bool,
    /// `{{name}}` and `{{name.variant}}` to their texts.
    pub constants: BTreeMap<String, String>,
    pub judge: Judge,
    /// Every validator must accept every input.
    pub input_validators: Vec<PackageProgram>,
    /// Judges the source itself.
    pub static_validator: Option<PackageProgram>,
    pub input_visualizer: Option<PackageProgram>,
    pub output_visualizer: Option<PackageProgram>,
    /// Files of `include/<language>` (or `default`) by language code.
    pub include: BTreeMap<String, SourceFiles>,
    /// Example submissions, in order of their paths.
    pub submissions: Vec<Submission>,
    /// The claims of directories and of `submissions.yaml`, in order of declaration.
    pub claims: Vec<Claim>,
    /// Named files instead of standard streams, from `kopek.toml`.
    pub named_files: Option<NamedFiles>,
    /// Legacy: custom grader program in `graders/`.
    pub grader: Option<PackageProgram>,
}

impl Package {
    /// A package without a directory, of which only this is known.
    pub fn new(format: Format, kind: ProblemKind, limits: ProblemLimits) -> Package {
        Package {
            dir: PathBuf::new(),
            links: LinkReach::default(),
            known_files: Arc::default(),
            name: String::new(),
            format,
            data: format,
            about: About::default(),
            kind,
            limits,
            languages: None,
            allow_file_writing: false,
            constants: BTreeMap::new(),
            judge: Judge::Default,
            input_validators: Vec::new(),
            static_validator: None,
            input_visualizer: None,
            output_visualizer: None,
            include: BTreeMap::new(),
            submissions: Vec::new(),
            claims: Vec::new(),
            named_files: None,
            grader: None,
        }
    }
}

/// A version of the package format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Format {
    /// `legacy` and `legacy-icpc`, as Kattis' own tools read it.
    Legacy,
    /// `2025-09`.
    V2025_09,
}

/// Fields that change no verdict.
#[derive(Debug, Clone, Default)]
pub struct About {
    pub titles: BTreeMap<String, String>,
    /// Identity across sites.
    pub uuid: Option<String>,
    pub version: Option<String>,
    pub credits: BTreeMap<String, Vec<String>>,
    /// Where the problem was used or comes from.
    pub source: Vec<String>,
    /// A licence of the format's list.
    pub license: Option<String>,
    /// The owner of the licence.
    pub rights_owner: Option<String>,
    /// The problem must not be published before this date.
    pub embargo_until: Option<String>,
    pub keywords: Vec<String>,
    /// Language codes of the statements on disk.
    pub statements: BTreeSet<String>,
    /// Legacy `objective: min`: the lowest score is the best.
    pub lower_is_better: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProblemKind {
    /// Points instead of pass or fail only.
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
    /// CPU seconds per test case; `None` if they must be derived from the example submissions.
    pub time: Option<Duration>,
    /// The limit must be at least this factor times the slowest accepted example.
    pub ac_to_time_limit: f64,
    /// The fastest too-slow example must take more than this factor times the limit.
    pub time_limit_to_tle: f64,
    /// Limits are multiples of this.
    pub time_resolution: Duration,
    pub memory: Bytes,
    pub output: Bytes,
    pub code: Bytes,
    pub compilation_time: Duration,
    pub compilation_memory: Bytes,
    pub validation_time: Duration,
    pub validation_memory: Bytes,
    pub validation_output: Bytes,
    /// The largest number of passes.
    pub validation_passes: u32,
}

#[derive(Debug, Clone)]
pub enum Judge {
    /// The format's default validator; its arguments are part of the cases.
    Default,
    /// All of these must accept (2025-09: exactly one). `scores`: legacy `custom score`.
    Programs {
        programs: Vec<PackageProgram>,
        /// Whether they may write score files.
        scores: bool,
    },
}

/// A validator, visualizer, grader or generator: one file or one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageProgram {
    pub name: String,
    pub source: SourceFiles,
}

#[derive(Debug, Clone)]
pub struct Submission {
    /// The name to show: the path below `submissions/`, or the participant's name.
    pub name: String,
    pub source: SourceFiles,
    /// Their contents, if they were read already; then they are not read again.
    pub contents: Option<FileBytes>,
    /// Declared language code, if any.
    pub language: Option<String>,
    /// Declared entry point, if any.
    pub entry: Option<String>,
    /// Claims by tags in its source, such as `@EXPECTED_RESULTS@`.
    pub tags: Vec<Claim>,
}

impl Submission {
    /// Whether its source claims a compile error.
    pub fn expects_compile_error(&self) -> bool {
        self.tags.iter().any(Claim::expects_compile_error)
    }
}

/// File names instead of standard streams.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NamedFiles {
    /// The submission reads its input from this file.
    pub input: String,
    /// It writes its output to this file.
    pub output: String,
}

/// All cases of a package, existing on disk.
#[derive(Debug, Clone)]
pub struct TestSet {
    /// `data/` itself, with `sample` and `secret` below.
    pub root: Group,
    /// Those of the author of a solution, a group that is judged like the others and gives no points.
    pub own: Option<Group>,
    /// Cases of `sample` and `secret`, in judging order, then those of `own`; groups hold indices into this.
    pub cases: Vec<Case>,
    /// Test data for validators, which must be refused or accepted.
    pub validation: Vec<ValidationCase>,
    pub worth: TestWorth,
}

/// What results on a test set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestWorth {
    /// Points, if the package gives points.
    Points,
    /// A verdict only: these are cases without a package, or a part of its cases.
    Verdict,
}

impl TestSet {
    /// Whether results on this set are points.
    pub fn gives_points(&self, package: &Package) -> bool {
        package.kind.scoring && self.worth == TestWorth::Points
    }

    /// The cases of `own`.
    pub fn own_cases(&self) -> Vec<usize> {
        self.own.as_ref().map_or(Vec::new(), Group::cases)
    }

    /// All others.
    pub fn package_cases(&self) -> Vec<usize> {
        let own = self.own_cases();
        (0..self.cases.len()).filter(|case| !own.contains(case)).collect()
    }

    /// The cases to which a claim applies.
    pub fn cases_of_claim(&self, claim: &Claim) -> Vec<usize> {
        let pattern = claim.case_pattern();
        let meant = |name: &str| pattern.as_ref().is_none_or(|pattern| pattern.matches(name));
        (0..self.cases.len()).filter(|&case| meant(&self.cases[case].name)).collect()
    }
}

/// Cases that count together, with their scoring rule.
#[derive(Debug, Clone)]
pub struct Group {
    /// Path below `data/`: empty for the root, `sample`, `secret`, `secret/1`.
    pub name: String,
    pub rule: Rule,
    /// Cases and groups in judging order.
    pub members: Vec<Member>,
}

impl Group {
    /// The groups directly in it, in judging order.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.members.iter().filter_map(|member| match member {
            Member::Group(group) => Some(group),
            Member::Case(_) => None,
        })
    }

    /// The group directly in it with this name.
    pub fn group_named(&self, name: &str) -> Option<&Group> {
        self.groups().find(|group| group.name == name)
    }

    /// All cases below it, in judging order.
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
    Group(Group),
}

/// How a group is scored.
#[derive(Debug, Clone)]
pub enum Rule {
    /// 2025-09.
    Modern {
        /// `None`: unbounded.
        max_score: Option<Points>,
        /// How the scores of the parts are combined.
        aggregation: Aggregation,
        /// Full names (`sample`, `secret/1`) of groups that must be passed first.
        require_pass: Vec<String>,
        /// The extra case of static validation.
        static_validation: Option<StaticScore>,
        /// Arguments of the static validator.
        static_validator_args: Vec<String>,
    },
    Legacy(LegacyRule),
}

impl Rule {
    /// All cases must be accepted, for no points.
    pub const PASS_FAIL: Rule = Rule::Modern {
        max_score: None,
        aggregation: Aggregation::PassFail,
        require_pass: Vec::new(),
        static_validation: None,
        static_validator_args: Vec::new(),
    };
}

/// How the scores of the parts are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregation {
    /// All or nothing.
    PassFail,
    Sum,
    /// The lowest score of the parts.
    Min,
}

/// The score of the static validation case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StaticScore {
    /// It must pass.
    PassFail,
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
    /// The lowest and highest score allowed; `None` is infinite.
    pub range: (Option<Points>, Option<Points>),
    /// Whether its directory has a `testdata.yaml` of its own.
    pub declared: bool,
}

impl Default for LegacyRule {
    /// Stops at a rejection, one point for an accepted case, no bounds.
    fn default() -> LegacyRule {
        LegacyRule {
            continue_on_reject: false,
            custom_grading: false,
            grader_flags: Vec::new(),
            accept_score: Points::one(),
            reject_score: Points::zero(),
            range: (None, None),
            declared: false,
        }
    }
}

/// One input with its answer and arguments, inherited values filled in.
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
    /// Digest of input, answer and `.files`.
    pub digest: Digest,
    /// The contents of these files when they were read.
    pub ids: CaseIds,
    pub arguments: CaseArguments,
    /// Arguments of the input visualizer.
    pub input_visualizer_args: Vec<String>,
    /// Arguments of the output visualizer.
    pub output_visualizer_args: Vec<String>,
    /// Whether participants may see all of it.
    pub full_feedback: bool,
    pub hint: Option<String>,
    pub description: Option<String>,
}

/// Whether a group or case of this name belongs to the samples, which the statement shows.
pub fn is_sample(name: &str) -> bool {
    name.split('/').next() == Some("sample")
}

impl Case {
    pub fn is_sample(&self) -> bool {
        is_sample(&self.name)
    }
}

/// The contents that the files of a case had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseIds {
    pub input: FileId,
    /// Of the answer, if there is one.
    pub answer: Option<FileId>,
    /// Of the `.files` directory.
    pub files: Option<TreeId>,
}

impl CaseIds {
    /// A placeholder before the files are read.
    pub fn unread() -> CaseIds {
        let input = FileId { digest: Digest::of(b""), stamp: Stamp::NONE };
        CaseIds { input, answer: None, files: None }
    }
}

/// The path of the recipe, relative to the package.
pub const RECIPE_FILE: &str = "generators/generators.yaml";

/// Extensions of a test case that are text, in the order in which they are created.
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

/// Test data for validators, which must be refused or accepted.
#[derive(Debug, Clone)]
pub struct ValidationCase {
    pub must: ExpectedReply,
    /// Name, input, arguments. The answer need not exist in `invalid_input`.
    pub case: Case,
    /// The `.out` file under test.
    pub output: Option<PathBuf>,
}

/// The expected reply to validation data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpectedReply {
    /// At least one input validator refuses the input.
    RefuseInput,
    /// The output validator refuses the output.
    RefuseOutput,
    /// The output validator accepts the output.
    AcceptOutput,
}
