//! The templates of new packages: real packages under `start/`, carried in the program, and what may stand in
//! the place of some of their files: another language of their tools, and a checker.

use crate::language::TESTLIB_HEADER;
use anyhow::{Context, Result, ensure};
use include_dir::{Dir, include_dir};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Templates by name, with validators and generators in Python.
static TEMPLATES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/start");
/// What stands in their place where several outputs are right: with a checker, and other submissions.
static CHECKED: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/start_checker");
/// What stands in place of both, by language and template. What is called `.template` here is not, there.
static TOOLS: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/start_tools");
/// Where validators and generators lie.
const TOOL_PLACES: [&str; 3] = ["input_validators", "output_validator", "generators"];

/// What a new package is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TemplateKind {
    /// All cases must be right.
    PassFail,
    /// Groups of cases give points.
    Scoring,
    /// The submission talks with the judge.
    Interactive,
    /// The submission runs twice.
    MultiPass,
    /// The submission is the output.
    SubmitAnswer,
}

impl TemplateKind {
    /// All of them.
    pub const ALL: [TemplateKind; 5] = [
        TemplateKind::PassFail,
        TemplateKind::Scoring,
        TemplateKind::Interactive,
        TemplateKind::MultiPass,
        TemplateKind::SubmitAnswer,
    ];

    /// As the format calls it.
    pub fn package_name(self) -> &'static str {
        match self {
            TemplateKind::PassFail => "pass-fail",
            TemplateKind::Scoring => "scoring",
            TemplateKind::Interactive => "interactive",
            TemplateKind::MultiPass => "multi-pass",
            TemplateKind::SubmitAnswer => "submit-answer",
        }
    }

    /// Whether its outputs are compared unless a program judges them.
    fn can_have_checker(self) -> bool {
        match self {
            TemplateKind::PassFail | TemplateKind::Scoring => true,
            TemplateKind::Interactive | TemplateKind::MultiPass | TemplateKind::SubmitAnswer => false,
        }
    }

    /// Whose tools it has: those of the latter stand in the place of those of the former.
    fn tools_like(self) -> Vec<TemplateKind> {
        match self {
            TemplateKind::Scoring => vec![TemplateKind::PassFail, self],
            TemplateKind::PassFail
            | TemplateKind::Interactive
            | TemplateKind::MultiPass
            | TemplateKind::SubmitAnswer => vec![self],
        }
    }
}

/// What validators and generators of a new package are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolLanguage<'a> {
    /// Python.
    Python,
    /// C++, with nothing but its standard library: every judge can build it.
    Cpp,
    /// Rust.
    Rust,
    /// C++ with testlib, which belongs to its user: its header is laid beside each program.
    Testlib {
        /// The text of the header.
        header: &'a str,
    },
}

impl ToolLanguage<'_> {
    /// All that need nothing of their user's.
    pub const ALL: [ToolLanguage<'static>; 3] = [ToolLanguage::Python, ToolLanguage::Cpp, ToolLanguage::Rust];

    /// How the command line calls it.
    pub fn option_name(self) -> &'static str {
        match self {
            ToolLanguage::Python => "python",
            ToolLanguage::Cpp => "cpp",
            ToolLanguage::Rust => "rust",
            ToolLanguage::Testlib { .. } => "testlib",
        }
    }
}

/// How outputs of a new package are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputJudging {
    /// As its kind of package usually has it: one output is right, or there is an output validator anyway.
    Usual,
    /// By a program, for several outputs are right.
    Checker,
}

/// What a new package begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackageTemplate<'a> {
    /// What it is about.
    pub kind: TemplateKind,
    /// What its tools are written in.
    pub tools: ToolLanguage<'a>,
    /// How outputs are judged.
    pub judging: OutputJudging,
}

/// Texts by path in the package.
pub(crate) type TemplateFiles = BTreeMap<PathBuf, String>;

impl PackageTemplate<'_> {
    /// Of a kind, with tools in Python.
    pub fn usual(kind: TemplateKind) -> PackageTemplate<'static> {
        PackageTemplate { kind, tools: ToolLanguage::Python, judging: OutputJudging::Usual }
    }

    /// All files, with the names and the identity still to be filled in.
    pub(crate) fn files(self) -> Result<TemplateFiles> {
        let name = self.kind.package_name();
        let mut files = TemplateFiles::new();
        collect_carried(&TEMPLATES, Path::new(name), &mut files)?;
        if self.judging == OutputJudging::Checker {
            ensure!(
                self.kind.can_have_checker(),
                "a package of type {name} always has an output validator; remove --checker"
            );
            // Other submissions are right there.
            files.retain(|path, _| !path.starts_with("submissions"));
            for like in self.kind.tools_like() {
                collect_carried(&CHECKED, Path::new(like.package_name()), &mut files)?;
            }
        }
        if self.tools != ToolLanguage::Python {
            exchange_tools(&mut files, self.tool_files()?);
        }
        if let ToolLanguage::Testlib { header } = self.tools {
            lay_header(&mut files, header);
            // Its user's testlib decides what is drawn.
            files.remove(Path::new("generators/lock.toml"));
        }
        Ok(files)
    }

    /// Validators and generators that are not in Python, with the lock of what they make.
    fn tool_files(self) -> Result<TemplateFiles> {
        let language = Path::new(self.tools.option_name());
        let mut written = TemplateFiles::new();
        let mut places: Vec<String> =
            self.kind.tools_like().into_iter().map(|like| like.package_name().to_owned()).collect();
        if self.judging == OutputJudging::Checker {
            places.extend(["checker".to_owned(), format!("checker-{}", self.kind.package_name())]);
        }
        for place in places {
            let dir = language.join(place);
            // A place with nothing but a lock has nothing where there is none.
            if TOOLS.get_dir(&dir).is_some() {
                collect_carried(&TOOLS, &dir, &mut written)?;
            }
        }
        Ok(written)
    }
}

/// Adds the files of a directory that the program carries, or puts them into the place of others.
fn collect_carried(carried: &'static Dir, path: &Path, files: &mut TemplateFiles) -> Result<()> {
    let dir = carried.get_dir(path).context("this kopek carries no such template")?;
    collect_files(dir, dir.path(), files)
}

fn collect_files(dir: &Dir, root: &Path, files: &mut TemplateFiles) -> Result<()> {
    for file in dir.files() {
        let below = file.path().strip_prefix(root)?.to_string_lossy().into_owned();
        let text = file.contents_utf8().context("templates are text")?;
        files.insert(below.strip_suffix(".template").unwrap_or(&below).into(), text.to_owned());
    }
    dir.dirs().try_for_each(|dir| collect_files(dir, root, files))
}

/// Puts programs into the place of those that are called like them, and calls them so in the recipe. A program
/// of several files lies in a directory with its name.
fn exchange_tools(files: &mut TemplateFiles, written: TemplateFiles) {
    for (path, text) in written {
        let program = path.parent().filter(|dir| dir.components().count() > 1).unwrap_or(&path);
        let old = program.with_extension("py");
        if TOOL_PLACES.iter().any(|place| path.starts_with(place)) && files.remove(&old).is_some() {
            let names = [&old, program].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
            if let Some(recipe) = files.get_mut(Path::new("generators/generators.yaml")) {
                *recipe = recipe.replace(&*names[0], &names[1]);
            }
        }
        files.insert(path, text);
    }
}

/// Lays testlib beside each program that reads it.
fn lay_header(files: &mut TemplateFiles, header: &str) {
    let readers = files.iter().filter(|(_, text)| text.contains("#include \"testlib.h\""));
    let beside: Vec<PathBuf> = readers.map(|(path, _)| path.with_file_name(TESTLIB_HEADER)).collect();
    files.extend(beside.into_iter().map(|path| (path, header.to_owned())));
}
