//! The templates of new packages: real packages under `templates/package/`, embedded in the program. Other files can
//! replace parts of them: tools in C++, and a checker.

use anyhow::{Context, Result, ensure};
use include_dir::{Dir, include_dir};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// Templates by name, with validators and generators in Python.
static TEMPLATES: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/templates/package");
/// Replacements for problems with several correct outputs: a checker and other submissions.
static CHECKED: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/templates/checker");
/// Replacements for both, with tools in C++.
static CPP_TOOLS: Dir = include_dir!("$CARGO_MANIFEST_DIR/src/templates/cpp-tools");
/// The directories of validators and generators.
const TOOL_PLACES: [&str; 3] = ["input_validators", "output_validator", "generators"];

/// The kind of a new package. Help of the values would make clap use its long layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum TemplateKind {
    // All cases must be correct.
    PassFail,
    // Groups of cases give points.
    Scoring,
    // The submission talks to the judge.
    Interactive,
    // The submission runs twice.
    MultiPass,
    // The submission is the output.
    SubmitAnswer,
    // An accepted output gives a share of the points, by a checker.
    Optimisation,
}

impl TemplateKind {
    /// All kinds that have tools in C++.
    pub const ALL: [TemplateKind; 5] = [
        TemplateKind::PassFail,
        TemplateKind::Scoring,
        TemplateKind::Interactive,
        TemplateKind::MultiPass,
        TemplateKind::SubmitAnswer,
    ];

    /// Its name on the command line, which is that of the format if it has one.
    pub fn package_name(self) -> &'static str {
        match self {
            TemplateKind::PassFail => "pass-fail",
            TemplateKind::Scoring => "scoring",
            TemplateKind::Interactive => "interactive",
            TemplateKind::MultiPass => "multi-pass",
            TemplateKind::SubmitAnswer => "submit-answer",
            TemplateKind::Optimisation => "optimisation",
        }
    }

    /// Whether its outputs are compared by default, so that a checker can replace the comparison.
    fn can_have_checker(self) -> bool {
        match self {
            TemplateKind::PassFail | TemplateKind::Scoring => true,
            TemplateKind::Interactive
            | TemplateKind::MultiPass
            | TemplateKind::SubmitAnswer
            | TemplateKind::Optimisation => false,
        }
    }

    /// The kinds whose tools it has; later ones override earlier ones.
    fn tools_like(self) -> Vec<TemplateKind> {
        match self {
            TemplateKind::Scoring => vec![TemplateKind::PassFail, self],
            TemplateKind::PassFail
            | TemplateKind::Interactive
            | TemplateKind::MultiPass
            | TemplateKind::SubmitAnswer
            | TemplateKind::Optimisation => vec![self],
        }
    }
}

/// The language of the validators and generators of a new package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ToolLanguage {
    Python,
    // With only its standard library, so that every judge can build it.
    Cpp,
}

/// How the outputs of a new package are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputJudging {
    /// The default of its kind: one correct output, or an output validator.
    Usual,
    /// With a checker, for several correct outputs.
    Checker,
}

/// The template of a new package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackageTemplate {
    pub kind: TemplateKind,
    /// The language of its tools.
    pub tools: ToolLanguage,
    /// How its outputs are judged.
    pub judging: OutputJudging,
}

/// Texts by their paths in the package.
pub(crate) type TemplateFiles = BTreeMap<PathBuf, String>;

impl PackageTemplate {
    /// The template of a kind with tools in Python.
    pub fn usual(kind: TemplateKind) -> PackageTemplate {
        PackageTemplate { kind, tools: ToolLanguage::Python, judging: OutputJudging::Usual }
    }

    /// All files, without the name and id filled in.
    pub(crate) fn files(self) -> Result<TemplateFiles> {
        let name = self.kind.package_name();
        let mut files = TemplateFiles::new();
        collect_carried(&TEMPLATES, Path::new(name), &mut files)?;
        if self.judging == OutputJudging::Checker {
            ensure!(
                self.kind.can_have_checker(),
                "a package of type {name} always has an output validator; remove --checker"
            );
            // Other submissions are correct with a checker.
            files.retain(|path, _| !path.starts_with("submissions"));
            for like in self.kind.tools_like() {
                collect_carried(&CHECKED, Path::new(like.package_name()), &mut files)?;
            }
        }
        if self.tools == ToolLanguage::Cpp {
            let has_tools = self.kind != TemplateKind::Optimisation;
            ensure!(has_tools, "a package of type {name} begins with tools in Python; remove --tools");
            exchange_tools(&mut files, self.cpp_tools()?);
        }
        Ok(files)
    }

    /// Validators and generators in C++, with the lock of their output.
    fn cpp_tools(self) -> Result<TemplateFiles> {
        let mut written = TemplateFiles::new();
        let mut places: Vec<String> =
            self.kind.tools_like().into_iter().map(|like| like.package_name().to_owned()).collect();
        if self.judging == OutputJudging::Checker {
            places.extend(["checker".to_owned(), format!("checker-{}", self.kind.package_name())]);
        }
        for place in places {
            collect_carried(&CPP_TOOLS, Path::new(&place), &mut written)?;
        }
        Ok(written)
    }
}

/// Adds the files of an embedded directory, replacing files with the same path.
fn collect_carried(carried: &'static Dir, path: &Path, files: &mut TemplateFiles) -> Result<()> {
    let dir = carried.get_dir(path).context("this kopek carries no such template")?;
    collect_files(dir, dir.path(), files)
}

fn collect_files(dir: &Dir, root: &Path, files: &mut TemplateFiles) -> Result<()> {
    for file in dir.files() {
        let below = file.path().strip_prefix(root)?.to_string_lossy().into_owned();
        let text = file.contents_utf8().context("templates are text")?;
        files.insert(below.into(), text.to_owned());
    }
    dir.dirs().try_for_each(|dir| collect_files(dir, root, files))
}

/// Replaces programs by those with the same name, and renames them in the recipe.
fn exchange_tools(files: &mut TemplateFiles, written: TemplateFiles) {
    for (path, text) in written {
        let old = path.with_extension("py");
        if TOOL_PLACES.iter().any(|place| path.starts_with(place)) && files.remove(&old).is_some() {
            let names = [&old, &path].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
            if let Some(recipe) = files.get_mut(Path::new("generators/generators.yaml")) {
                *recipe = recipe.replace(&*names[0], &names[1]);
            }
        }
        files.insert(path, text);
    }
}
