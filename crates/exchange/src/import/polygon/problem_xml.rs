//! `problem.xml` as plain data, without interpretation.

pub const FILE: &str = "problem.xml";
/// All keys that the reader uses.
#[derive(Debug, Default)]
pub struct PolygonManifest {
    /// `short-name`.
    pub name: String,
    /// Its address on Polygon.
    pub url: Option<String>,
    /// Language to title.
    pub titles: Vec<(String, String)>,
    /// Statements: language, type, path.
    pub statements: Vec<(String, String, String)>,
    /// `input-file` and `output-file`; empty: the standard stream.
    pub named_files: (String, String),
    /// The number of runs of a submission.
    pub run_count: u32,
    /// `treat-points-from-checker-as-percent`.
    pub percent: bool,
    pub testsets: Vec<PolygonTestSet>,
    /// Resources that are compiled with submissions.
    pub graders: Vec<String>,
    pub attachments: Vec<String>,
    /// Paths of generators' sources.
    pub executables: Vec<String>,
    /// The checker's name (`std::wcmp.cpp`) and source.
    pub checker: Option<(String, Option<String>)>,
    /// The checker's own tests.
    pub checker_tests: Option<PolygonTestSet>,
    /// The interactor's source.
    pub interactor: Option<String>,
    /// Sources of validators.
    pub validators: Vec<String>,
    /// The validators' own tests.
    pub validator_tests: Vec<PolygonTestSet>,
    pub solutions: Vec<PolygonSolution>,
    pub tags: Vec<String>,
    /// Elements without a counterpart, by name, and whether they hold anything.
    pub others: Vec<&'static str>,
}

#[derive(Debug, Default)]
pub struct PolygonTestSet {
    /// Its name: `tests` counts.
    pub name: String,
    pub time_limit: Option<u64>,
    pub memory_limit: Option<u64>,
    /// `tests/%02d`.
    pub input: String,
    /// The output, in a checker's tests.
    pub output: String,
    /// `tests/%02d.a`.
    pub answer: String,
    pub tests: Vec<PolygonTest>,
    pub groups: Vec<PolygonGroup>,
}

#[derive(Debug, Default, Clone)]
pub struct PolygonTest {
    /// The generator's command; `None`: written by hand.
    pub cmd: Option<String>,
    /// Its index among the files of the command.
    pub from_file: Option<String>,
    /// Whether it is shown in the statement.
    pub sample: bool,
    pub group: Option<String>,
    pub points: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Of a checker's or validator's test: the expected verdict.
    pub verdict: String,
    /// Of a validator's test.
    pub testset: Option<String>,
}

#[derive(Debug, Default)]
pub struct PolygonGroup {
    pub name: String,
    /// Its own points, if it has any.
    pub points: Option<String>,
    /// `complete-group` or `each-test`.
    pub policy: String,
    /// The feedback for participants.
    pub feedback: String,
    /// Groups it requires.
    pub dependencies: Vec<String>,
}

#[derive(Debug)]
pub struct PolygonSolution {
    /// The claim about it.
    pub tag: String,
    pub path: String,
    /// Its language on Polygon: `cpp.g++17`.
    pub kind: String,
    /// Claims about groups: group, tag.
    pub extra: Vec<(String, String)>,
}
