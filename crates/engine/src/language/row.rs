//! The words: a row of the table, sources, toolchains.

use super::{lexer_row::LexerRow, precompiled_row::PrecompiledHeader};
use kopek_base::{Bytes, Digest, DigestFields, Stamp};
use kopek_sandbox::Fault;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// The format's code: `cpp`, `python3`.
    pub code: String,
    /// For people: `C++`.
    pub name: String,
    /// File endings with the dot; the case counts (`.C` is C++).
    pub endings: Vec<String>,
    /// Endings that are its own only where it is declared, or where a first line asks for it: by
    /// itself such an ending names another language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declared_endings: Vec<String>,
    /// What every program in it contains, if its ending is also used for another language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// Whether the endings alone choose this language, or only its declared code.
    pub detect: bool,
    /// What is run when the submission does not say.
    pub entry: EntryPoint,
    /// The name under which a lone file is laid, if it does not follow from the entry: `main.kt`.
    pub lone: Option<String>,
    /// Words by which a program asks how its own file is called: a lone file that has one keeps its name.
    /// The names of files are in the keys of builds already.
    #[serde(skip)]
    pub own_name: Vec<String>,
    /// Programs it needs: placeholder to the names to look for, best first.
    pub tools: BTreeMap<String, Vec<String>>,
    /// How to install what is missing.
    pub install: String,
    /// Its tests may be skipped where it is not installed.
    pub optional: bool,
    /// Build command, if it is built; for scripts a check of the syntax.
    pub build: Option<Vec<String>>,
    /// Makes, once for a toolchain, what every build would otherwise make anew; what it leaves in
    /// `/box` is shown to builds at `/warm`.
    pub warm: Option<Vec<String>>,
    /// Standard headers that are compiled once for the programs that begin with them. They only save time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precompiled: Option<PrecompiledHeader>,
    /// Run command; files lie in `/exe`.
    pub run: Vec<String>,
    /// Prints the version.
    pub probe: Vec<String>,
    /// Arguments that are given only where the toolchain can do with them.
    pub extras: Vec<Extra>,
    /// Added to the environment of build and run.
    pub env: BTreeMap<String, String>,
    /// Host paths outside the sandbox's basis that are shown if they exist; a `*` stands for anything.
    pub needs: Vec<PathBuf>,
    /// Files that belong to its tools, such as the compiler behind a driver: part of the toolchain's identity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PathBuf>,
    /// Directories that its tools search: a change there makes us identify the toolchain again.
    pub surroundings: Vec<PathBuf>,
    /// Whether it needs `/proc`.
    pub proc: bool,
    /// Whether only its build needs `/proc`.
    pub build_proc: bool,
    /// Whether the runtime writes files of its own while a program runs: `/box` is writable then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scratch: bool,
    /// Processes and threads that the runtime itself needs beside the program.
    pub processes: u32,
    /// Memory of the runtime itself, granted beyond the program's limit.
    pub spare: Bytes,
    /// Whether the runtime maps far more memory than it uses.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reserves: bool,
    /// What the runtime says on standard error when it ends because its memory is used up.
    pub exhausted: Vec<String>,
    /// Error messages of the runtime about modules that are not installed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// A program that prints `hello`.
    pub hello: Option<String>,
    /// How its text falls into tokens, if its programs can be compared. A build needs no such thing.
    #[serde(skip)]
    pub lexer: Option<LexerRow>,
}

/// Arguments that depend on what the toolchain can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// Its placeholder, without braces.
    pub name: String,
    /// The question: a command.
    pub ask: Vec<String>,
    /// It must exit with 0 and print this somewhere.
    pub answer: String,
    /// What the placeholder becomes then; `{said}` stands for what was printed.
    pub give: Vec<String>,
    /// What it becomes otherwise.
    #[serde(default)]
    pub otherwise: Vec<String>,
    /// The toolchain is of no use otherwise, for this reason.
    #[serde(default)]
    pub demand: Option<String>,
}

/// The default entry point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryPoint {
    /// What the compiler links: nothing to choose.
    Linked,
    /// A file of this name, else the only file, else `main.*` in any case, else the first by name.
    File(String),
    /// A class of this name.
    Class(String),
    /// A class of this name that the sources declare as Scala does: by an object, or a method.
    Object(String),
}

/// Source files below a root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFiles {
    /// The directory that holds them.
    pub root: PathBuf,
    /// Paths relative to the root, sorted.
    pub files: Vec<PathBuf>,
}

/// What a language's commands really are on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    /// The language's code.
    pub code: String,
    /// Host path of the program that builds (or else runs), links resolved.
    pub program: PathBuf,
    /// What is called for each of the row's tools.
    pub tools: BTreeMap<String, PathBuf>,
    /// What each extra placeholder becomes.
    pub extras: BTreeMap<String, Vec<String>>,
    /// Its first line of version text.
    pub version: String,
    /// Digest of paths, version text, extras, program files and the files of `parts`.
    pub digest: Digest,
    /// Host paths it needs besides the sandbox's basis; shown inside at the same paths.
    pub roots: Vec<PathBuf>,
    /// Host directory filled by `toolchains::warm_toolchain`, if somebody keeps one. It only saves time, so it
    /// is no part of the identity, and not of what is written down.
    #[serde(skip)]
    pub warm: Option<PathBuf>,
    /// Its programs as they were before they were identified: see `Toolchain::check_untouched`.
    #[serde(skip)]
    pub stamps: Vec<(PathBuf, Stamp)>,
    /// What `ToolchainLook` said when it was identified; none on other machines.
    #[serde(skip)]
    pub guard: Option<Digest>,
}

impl Toolchain {
    /// Fails if one of its programs was touched since it was identified: what ran is then perhaps not what the keys name.
    pub(crate) fn check_untouched(&self) -> Result<(), Fault> {
        let is_touched = |(path, stamp): &&(PathBuf, Stamp)| Stamp::of_path(path).ok() != Some(*stamp);
        let touched = self.stamps.iter().find(is_touched).map(|(path, _)| path.clone());
        match touched {
            None => Ok(()),
            Some(path) => {
                let path = path.display();
                Err(Fault::new(format!("{path} was changed while it was in use; run again")))
            }
        }
    }
}

/// Rises when the same row comes to mean another command, view or limit.
const MEANING: &str = "1";

impl Language {
    /// Names everything of the row that can change an outcome: for keys of jobs.
    pub(crate) fn digest(&self) -> Digest {
        // What only people read, what only saves time, and whether tests may skip the row, cannot change an outcome.
        let (name, install) = Default::default();
        let row = Language { name, install, hello: None, precompiled: None, optional: false, ..self.clone() };
        let text = serde_json::to_vec(&row).expect("a row is strings, numbers and lists of them");
        DigestFields::new("language").with("meaning", MEANING.as_bytes()).with("row", &text).digest()
    }

    /// Whether a file of this name can be its source. Hidden files never are: archives of other
    /// systems bring `._main.py` along.
    pub fn owns(&self, file: &str) -> bool {
        self.is_named_by_one_of(file, &[&self.endings[..], &self.declared_endings].concat())
    }

    /// Whether a file of this name is its source if nobody says more.
    pub fn is_named_by(&self, file: &str) -> bool {
        self.detect && self.is_named_by_one_of(file, &self.endings)
    }

    /// Whether a file is its source if somebody says so.
    pub(super) fn owns_if_declared(&self, file: &str) -> bool {
        self.detect && self.is_named_by_one_of(file, &self.declared_endings)
    }

    fn is_named_by_one_of(&self, file: &str, endings: &[String]) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        !name.starts_with('.') && endings.iter().any(|ending| name.ends_with(ending))
    }

    /// Whether a run says that a module is not installed.
    pub fn lacks_module(&self, stderr: &[u8]) -> bool {
        self.lacking.iter().any(|text| memchr::memmem::find(stderr, text.as_bytes()).is_some())
    }

    /// Whether a run that failed says that its memory was used up: a runtime with a heap of its
    /// own gives up before the sandbox sees it reach the limit.
    pub fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let said = |text: &String| memchr::memmem::find(stderr, text.as_bytes()).is_some();
        self.exhausted.iter().filter(|text| !text.is_empty()).any(said)
    }
}
