//! A recipe: `generators/generators.yaml` as a flat list of cases to make. Plain data; `recipe_reader` reads it.

use super::command::GeneratorCommand;
use kopek_package::package::{Format, Level, Message, Package, Place, RECIPE_FILE, yaml::YamlNode};
use std::{collections::BTreeMap, fs, path::Path};

/// The path of a recipe, relative to the package.
pub const FILE: &str = RECIPE_FILE;

/// Whether the package in this directory has a recipe.
pub fn has_recipe(package: &Path) -> bool {
    fs::symlink_metadata(package.join(FILE)).is_ok()
}

/// The contents of a recipe, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recipe {
    /// Generators that consist of several files of `generators/`, the first of which is run.
    pub generators: BTreeMap<String, Vec<String>>,
    /// Directories below `data/`, parents first; `data/` itself has the empty path.
    pub folders: Vec<RecipeFolder>,
    pub makes: Vec<RecipeCase>,
    /// Cases that also appear in a second place.
    pub includes: Vec<Include>,
}

/// A directory below `data/`.
#[derive(Debug, Clone, PartialEq)]
pub struct RecipeFolder {
    /// Relative to `data/`: `secret/1-small`.
    pub path: String,
    /// The file that says what its cases are worth: `test_group.yaml`, in legacy `testdata.yaml`.
    pub file: &'static str,
    /// What the recipe does with that file.
    pub group: GroupFile,
}

/// What the recipe does with the file of a group.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupFile {
    Untouched,
    /// The group has no such file.
    Absent,
    /// The recipe writes it with these contents.
    Written(YamlNode),
}

/// A test case to make.
#[derive(Debug, Clone, PartialEq)]
pub struct RecipeCase {
    /// Below `data/`, without extension: `secret/1-small/03-path`.
    pub path: String,
    /// The line of its rule.
    pub line: u32,
    /// First: the command of the generator.
    pub generate: Option<GeneratorCommand>,
    /// How often a failing generator is tried, each time with the next seed.
    pub tries: u32,
    /// Second: copies of files beside this path, relative to the package, without extension.
    pub copy: Option<String>,
    /// Third: contents by extension (`in`, `ans.download`, `yaml`).
    pub literals: BTreeMap<&'static str, String>,
    /// Fourth: links from an extension to the extension with the same content.
    pub links: BTreeMap<&'static str, &'static str>,
    /// Patterns that `in` and `ans` should contain.
    pub matches: Vec<(&'static str, String)>,
    /// The program that writes a missing answer.
    pub solution: RecipeSolution,
    /// Meant to equal others: one of the copies of a `count` with the same command.
    pub twin: bool,
}

/// The program that writes missing answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecipeSolution {
    /// Not stated: an accepted example submission.
    #[default]
    Unspecified,
    /// The answer stays missing.
    None,
    /// This program, relative to the package.
    Program(String),
}

/// A case that appears in a second place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    pub path: String,
    /// The line of the `include`.
    pub line: u32,
    /// Index into [`Recipe::makes`].
    pub make: usize,
}

/// Properties of the package that a recipe depends on.
#[derive(Debug, Clone, Default)]
pub struct RecipeInputs {
    /// Values of `{{name}}`.
    pub constants: BTreeMap<String, String>,
    /// Whether protocols (`interaction`) are allowed: interactive or multi-pass.
    pub talks: bool,
    /// Whether its groups have the legacy format.
    pub legacy: bool,
}

impl RecipeInputs {
    /// The properties of a package.
    pub(super) fn of(package: &Package) -> RecipeInputs {
        RecipeInputs {
            constants: package.constants.clone(),
            talks: package.kind.interactive || package.kind.multi_pass,
            legacy: package.data == Format::Legacy,
        }
    }

    /// The file that says what the cases of a directory are worth.
    pub(super) fn group_file(&self) -> &'static str {
        if self.legacy { "testdata.yaml" } else { "test_group.yaml" }
    }
}

pub use kopek_package::package::{CASE_PICTURES as PICTURES, CASE_TEXTS as TEXTS};

/// The findings so far.
#[derive(Debug, Default)]
pub(super) struct RecipeFindings(pub Vec<Message>);

impl RecipeFindings {
    pub(super) fn error(&mut self, line: u32, what: impl Into<String>) {
        self.push(line, Level::Error, what.into());
    }

    pub(super) fn warning(&mut self, line: u32, what: impl Into<String>) {
        self.push(line, Level::Warning, what.into());
    }

    /// Adds a hint to the last finding.
    pub(super) fn todo(&mut self, todo: impl Into<String>) {
        if let Some(last) = self.0.last_mut() {
            last.todo = Some(todo.into());
        }
    }

    /// Adds a warning, once per file.
    pub(super) fn warn_once(&mut self, line: u32, what: &str) {
        if !self.0.iter().any(|finding| finding.what == what) {
            self.warning(line, what);
        }
    }

    pub(super) fn push(&mut self, line: u32, level: Level, what: String) {
        let line = (line > 0).then_some(line);
        self.0.push(Message::new(level, what).at(Place::new(FILE, line)));
    }
}
