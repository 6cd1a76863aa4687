//! Data types: a row of the table with its parts, sources, toolchains.

use anyhow::{Result, ensure};
use kopek_base::{Bytes, Digest, DigestFields};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

/// A row of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Language {
    /// The format's code: `cpp`, `python3`.
    pub code: String,
    /// The name to show: `C++`.
    pub name: String,
    /// File endings with the dot, case-sensitive (`.C` is C++).
    pub endings: Vec<String>,
    /// Endings that belong to this language only if it is declared or a first line asks for it: otherwise
    /// they belong to another language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declared_endings: Vec<String>,
    /// A text that every program in it contains, if its ending is also used for another language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// Whether file endings can select this language; otherwise only its declared code can.
    pub detect: bool,
    /// The entry point if the submission declares none.
    pub entry: EntryPoint,
    /// How one of several sources shows that the program begins in it. With the next two keys, it is no part of the
    /// digest: it chooses the files of a program, which are in the keys of builds.
    #[serde(skip_serializing)]
    pub start: StartRule,
    /// Whether a second start in the same program is an error, whatever the files are called.
    #[serde(skip_serializing)]
    pub one_start: bool,
    /// The name of a lone file, if it does not follow from the entry: `main.kt`.
    pub lone: Option<String>,
    /// Words by which a program asks for its own file name: a lone file with one of them keeps its name. Keys
    /// of builds already contain the names of files.
    #[serde(skip_serializing)]
    pub own_name: Vec<String>,
    /// Its programs: placeholder to candidate names, best first.
    pub tools: BTreeMap<String, Vec<String>>,
    /// Its Debian packages; behind a comma, what to do then.
    pub install: String,
    /// Whether its tests may be skipped if it is not installed.
    pub optional: bool,
    /// The build command, if there is one; for scripts, a syntax check.
    pub build: Option<Vec<String>>,
    /// A command that runs once per toolchain and makes a cache for all builds. The files that it leaves in
    /// `/box` are mounted at `/warm` in builds.
    pub warm: Option<Vec<String>>,
    /// Standard headers that are compiled once for all programs that begin with them. They only save time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precompiled: Option<PrecompiledHeader>,
    /// The run command; the files are in `/exe`.
    pub run: Vec<String>,
    /// A command that prints the version.
    pub probe: Vec<String>,
    /// Arguments that only some toolchains accept.
    pub extras: Vec<Extra>,
    /// Additions to the environment of build and run.
    pub env: BTreeMap<String, String>,
    /// Host paths outside the sandbox's basis that are mounted if they exist; a `*` matches anything.
    pub needs: Vec<PathBuf>,
    /// Files that belong to its tools, such as the compiler behind a driver: part of the toolchain's
    /// identity.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PathBuf>,
    /// Directories that its tools search: a change there causes a new identification of the toolchain.
    pub surroundings: Vec<PathBuf>,
    /// Whether it needs `/proc`.
    pub proc: bool,
    /// Whether only its build needs `/proc`.
    pub build_proc: bool,
    /// Whether the runtime writes its own files while a program runs: `/box` is writable then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub scratch: bool,
    /// Processes and threads of the runtime itself.
    pub processes: u32,
    /// Memory of the runtime itself, added to the program's limit; rows have it in MiB.
    pub spare: Bytes,
    /// Whether the runtime maps far more memory than it uses.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reserves: bool,
    /// Messages of the runtime on standard error when memory ran out.
    pub exhausted: Vec<String>,
    /// Error messages of the runtime about modules that are not installed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// How a program reports a module that is not installed. Only what is shown depends on it.
    #[serde(skip_serializing)]
    pub module: Option<ModuleRow>,
    /// A program that prints `hello`.
    pub hello: Option<String>,
    /// Its lexical description, if its programs can be compared. Builds do not need it.
    #[serde(skip_serializing)]
    pub lexer: Option<LexerRow>,
    /// How the protocol of Jobe runs it, if that has it. Such runs have no keys.
    #[serde(skip_serializing)]
    pub jobe: Option<JobeRow>,
}

/// Arguments that depend on the abilities of the toolchain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// Its placeholder, without braces.
    pub name: String,
    pub ask: Vec<String>,
    /// It must exit with 0 and print a text that contains this.
    pub answer: String,
    /// The values of the placeholder in that case; `{said}` is the printed text.
    pub give: Vec<String>,
    #[serde(default)]
    pub otherwise: Vec<String>,
    /// The toolchain is unusable otherwise, for this reason.
    #[serde(default)]
    pub demand: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryPoint {
    /// The compiler links all files: nothing to choose.
    #[default]
    Linked,
    /// A file of this name, else the only file, else `main.*` in any case, else the first by name.
    File(String),
    /// A class of this name.
    Class(String),
    /// A class of this name that the sources declare as Scala does: by an object, or a method.
    Object(String),
}

/// How a source shows that the program begins in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartRule {
    /// `main` anywhere in the code: macros may define the function around it.
    MainWord,
    /// `main` after this keyword.
    MainAfter(String),
    /// `Main(`.
    CapitalMain,
    /// `main` at the start of a line.
    MainLine,
    Java,
    Scala,
    /// A top-level statement, or `@main`.
    Swift,
    Python,
    /// Every source that does not start with `unit`.
    Pascal,
    #[default]
    Script,
}

/// Source files below a root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SourceFiles {
    /// The directory that holds them.
    pub root: PathBuf,
    /// Paths relative to the root, sorted.
    pub files: Vec<PathBuf>,
}

/// The tools of a language on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    pub code: String,
    /// Host path of the program that builds (or else runs), links resolved.
    pub program: PathBuf,
    /// The program for each of the row's tools.
    pub tools: BTreeMap<String, PathBuf>,
    /// The values of each extra placeholder.
    pub extras: BTreeMap<String, Vec<String>>,
    /// The first line of its version text.
    pub version: String,
    /// Digest of paths, version text, extras, program files, the files of `parts`, and modules that no package manager
    /// lists.
    pub digest: Digest,
    /// Host paths that it needs besides the sandbox's basis; mounted at the same paths inside.
    pub roots: Vec<PathBuf>,
    /// Host directory filled by `toolchains::warm_toolchain`, if there is one. It only saves time, so it is
    /// not part of the identity and is not serialised.
    #[serde(skip)]
    pub warm: Option<PathBuf>,
    /// The guard of `ToolchainLook` when it was identified; none on other machines, several for scripts that may call
    /// the tools of several languages.
    #[serde(skip)]
    pub guards: Vec<Digest>,
}

/// Raise it when the same row gets another command, view or limit.
const MEANING: &str = "1";

impl Language {
    /// The digest of everything in the row that can change an outcome, for keys of jobs.
    pub fn digest(&self) -> Digest {
        // Names and hints for people, caches, and the flag for tests cannot change an outcome.
        let (name, install) = Default::default();
        let row = Language { name, install, hello: None, precompiled: None, optional: false, ..self.clone() };
        let text = serde_json::to_vec(&row).expect("a row is strings, numbers and lists of them");
        DigestFields::new("language").with("meaning", MEANING.as_bytes()).with("row", &text).digest()
    }

    /// Whether a file with this name can be its source. Hidden files never are: archives of other systems
    /// contain `._main.py`.
    pub fn owns(&self, file: &str) -> bool {
        self.is_named_by_one_of(file, &[&self.endings[..], &self.declared_endings].concat())
    }

    /// Whether a file with this name is its source if no language is declared.
    pub fn is_named_by(&self, file: &str) -> bool {
        self.detect && self.is_named_by_one_of(file, &self.endings)
    }

    /// Whether a file is its source if the language is declared.
    pub(super) fn owns_if_declared(&self, file: &str) -> bool {
        self.detect && self.is_named_by_one_of(file, &self.declared_endings)
    }

    fn is_named_by_one_of(&self, file: &str, endings: &[String]) -> bool {
        let name = file.rsplit('/').next().unwrap_or(file);
        !name.starts_with('.') && endings.iter().any(|ending| name.ends_with(ending))
    }

    /// Whether the output of a run reports a missing module.
    pub fn lacks_module(&self, stderr: &[u8]) -> bool {
        self.lacking.iter().any(|text| memchr::memmem::find(stderr, text.as_bytes()).is_some())
    }

    /// Whether the output of a failed run reports that memory ran out: a runtime with its own heap gives up
    /// before the sandbox sees it reach the limit.
    pub fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let said = |text: &String| memchr::memmem::find(stderr, text.as_bytes()).is_some();
        self.exhausted.iter().filter(|text| !text.is_empty()).any(said)
    }
}

/// How a row makes and uses precompiled headers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrecompiledHeader {
    /// Compiles the header `/box/all.h`, which includes standard headers. The files that this command leaves
    /// in `/box` are mounted in builds that may use them.
    pub make: Vec<String>,
    /// Additional arguments of the build command for these programs; `/warm` means the path of the mount.
    pub give: Vec<String>,
}

/// How a program reports a missing module, and how to install one. In all texts, `{}` is the name of the module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleRow {
    /// The last line on standard error.
    pub message: String,
    /// Its Debian package; empty: there is none.
    #[serde(default)]
    pub install: String,
}

/// How the protocol of Jobe runs a language. Commands are for a shell; `{file}` is the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct JobeRow {
    /// `nodejs`.
    pub name: String,
    /// `prog.js`.
    pub file: String,
    /// A faster build, used if it succeeds without a message.
    pub quick: Option<String>,
    pub build: Option<String>,
    pub refusal: RefusalSign,
    pub run: String,
    /// The usual arguments of compiler and interpreter.
    pub compiler: String,
    pub interpreter: String,
    /// Megabytes; zero: no limit but the server's.
    pub memory: u64,
    pub bound: MemoryBound,
}

impl JobeRow {
    pub(super) fn commands(&self) -> impl Iterator<Item = &String> {
        self.quick.iter().chain(&self.build).chain([&self.run])
    }
}

/// The sign that a build has refused a program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalSign {
    /// Its exit code.
    #[default]
    ExitCode,
    /// Any message on standard error, also a warning.
    Message,
}

/// What a limit of the memory bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryBound {
    /// As the protocol has it: more address space is refused, instead of ending the program.
    #[default]
    AddressSpace,
    /// Used memory: a virtual machine maps far more than it uses.
    Used,
}

/// The lexical part of a row. It changes no outcome, so it is not part of a row's digest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LexerRow {
    /// Beginnings of comments that end with the line.
    pub line: Vec<String>,
    pub block: Vec<(String, String)>,
    /// Whether such comments nest.
    pub nested: bool,
    /// Delimiters of strings with backslash escapes; longer ones first.
    pub quotes: Vec<String>,
    /// Delimiters of strings without escapes.
    pub raw: Vec<(String, String)>,
    /// Whether a string in `quotes` may continue on the next line.
    pub lines: bool,
    /// Whether `'x'` is a character; `'` is then no quote, because it can occur alone (`&'a str`).
    pub chars: bool,
    /// Whether names may contain `'`.
    pub primes: bool,
    /// Whether a string that is a statement by itself is a comment.
    pub docstrings: bool,
    /// Whether words ignore case.
    pub fold: bool,
    /// Beginnings of lines that only import something and say nothing about the author.
    pub preamble: Vec<String>,
    /// Operators of other languages, separated by spaces, that are several tokens in this one: `x<-1`, `**p`.
    pub separate: String,
    /// Words that are not names, separated by spaces.
    pub keywords: String,
    /// Names of types, which are easily exchanged for each other.
    pub types: String,
    /// Words that can be added or removed without changing anything.
    pub ignored: String,
}

impl LexerRow {
    /// Fails if the lexer could make no progress.
    pub(super) fn check(&self) -> Result<()> {
        let pairs = self.block.iter().chain(&self.raw).flat_map(|(open, close)| [open, close]);
        let mut signs = self.line.iter().chain(&self.quotes).chain(&self.preamble).chain(pairs);
        ensure!(signs.all(|sign| !sign.trim().is_empty()), "`lexer`: a sign is empty");
        Ok(())
    }
}
