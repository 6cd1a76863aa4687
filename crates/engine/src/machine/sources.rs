//! Turns a source on disk into a build that any machine can do: reads it once, fills in constants, detects
//! the language, lays out the files, and gives them to the store by digest.

use super::{
    answer_files::answer_files,
    answers_row::{no_toolchain, row_of_answers},
    resources::Machine,
    scripts,
    task_toolchain::script_toolchain,
};
use crate::toolchains::{NoToolchain, find_tools};
use kopek_base::Bytes;
use kopek_package::{
    language::{
        self, DetectionError, FileBytes, Language, Links, ReadyLanguage, SnapshotError, SourceFile,
        SourceFiles, SourceLayout, Toolchain, Unbuildable, read_files,
    },
    package::{Submission, TOOL_CODE_LIMIT, fill_constants},
};
use kopek_plan::plan::{BuildTask, LaidFile, ToolchainId, Unplanned};
use kopek_sandbox::Limits;
use std::{collections::BTreeMap, time::Duration};

/// A source's role in the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceRole {
    /// Submitted by a participant: used unchanged.
    HandIn,
    /// A submission of the package: constants are filled in.
    Example,
    /// A validator, grader, visualizer or generator: constants are filled in, and it may be a directory with
    /// `build` and `run`.
    Tool,
}

/// The package's rules for a build.
#[derive(Debug, Clone)]
pub struct BuildRules<'a> {
    /// The role of the source.
    pub role: SourceRole,
    /// The values of `{{name}}`.
    pub constants: &'a BTreeMap<String, String>,
    /// Allowed language codes; `None` means all.
    pub allowed: Option<&'a [String]>,
    /// Files laid over the sources, by language code; `default` for other languages.
    pub include: &'a BTreeMap<String, SourceFiles>,
    pub limits: Limits,
    /// Maximum size of the sources.
    pub code: Bytes,
}

/// Limits for building programs of a package.
pub const TOOL_BUILD_LIMITS: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(120),
    memory: Bytes::mib(2048),
    output: Bytes::mib(8),
    files: Bytes::mib(512),
    processes: 256,
};

/// A source with its owner's declarations.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredSource<'a> {
    pub source: &'a SourceFiles,
    /// The code or name of its language.
    pub language: Option<&'a str>,
    /// The file or class to run.
    pub entry: Option<&'a str>,
}

impl<'a> DeclaredSource<'a> {
    /// A source without declarations.
    pub fn undeclared(source: &'a SourceFiles) -> DeclaredSource<'a> {
        DeclaredSource { source, language: None, entry: None }
    }
}

/// Plans the build of a source: reads its files, and determines its language and toolchain.
pub fn plan_build(
    machine: &Machine,
    declared: DeclaredSource,
    rules: &BuildRules,
) -> Result<BuildTask, Unplanned> {
    let files = read_source(declared.source, rules)?;
    plan_files(machine, declared, files, rules)
}

/// As [`plan_build`], for a submission; files that were read before are not read again.
pub fn plan_submission(
    machine: &Machine,
    submission: &Submission,
    rules: &BuildRules,
) -> Result<BuildTask, Unplanned> {
    let files = submission_files(submission, rules)?;
    let declared = DeclaredSource {
        source: &submission.source,
        language: submission.language.as_deref(),
        entry: submission.entry.as_deref(),
    };
    plan_files(machine, declared, files, rules)
}

fn plan_files(
    machine: &Machine,
    declared: DeclaredSource,
    files: FileBytes,
    rules: &BuildRules,
) -> Result<BuildTask, Unplanned> {
    let DeclaredSource { source, language: code, entry } = declared;
    if rules.role == SourceRole::Tool
        && let Some((language, toolchain)) = row_outside_the_table(machine, source)?
    {
        let layout = lay_out(&language, &files, None, None)?;
        let language = ReadyLanguage { row: &language, toolchain: &toolchain };
        return task_of(machine, language, layout, rules.limits);
    }
    let language = language::detect_language(&machine.table, source, code, None).map_err(why_undetected)?;
    // The language first: if two languages share an ending, the file may be in the allowed one.
    let language = settle_language(machine, language, &files, rules)?;
    language::check_allowed(language, rules.allowed).map_err(why_undetected)?;
    let toolchain = machine.toolchain(language).map_err(no_toolchain_here)?;
    let include = rules.include.get(&language.code).or(rules.include.get("default"));
    let of_package = BuildRules { role: SourceRole::Tool, code: TOOL_CODE_LIMIT, ..*rules };
    let include = include.map(|include| read_source(include, &of_package));
    // Sources of the table need no executable bit, and archives set it at random: equal texts must be one
    // program.
    let files = without_executable_bits(files);
    let include = include.transpose()?.map(without_executable_bits);
    let layout = lay_out(language, &files, include.as_ref(), entry)?;
    task_of(machine, ReadyLanguage { row: language, toolchain: &toolchain }, layout, rules.limits)
}

/// The language after a check of the first lines: one of those that share the ending, or none if they request
/// an interpreter that this judge does not have.
fn settle_language<'a>(
    machine: &'a Machine,
    language: &'a Language,
    files: &FileBytes,
    rules: &BuildRules,
) -> Result<&'a Language, Unplanned> {
    if rules.role == SourceRole::Tool {
        return Ok(language);
    }
    let texts = || files.iter().map(|(path, file)| (path.as_path(), &file.bytes[..]));
    if let Some(what) = language::other_version(language, texts()) {
        let remedy = format!("change that line if it is a program in {}", language.name);
        return Err(Unplanned::OtherVersion(format!("{what}; {remedy}")));
    }
    let shared = texts().find(|(path, _)| language.is_named_by(&path.to_string_lossy()));
    let Some(file) = shared else { return Ok(language) };
    match language::language_of_shared_ending(&machine.table, language, file) {
        Ok(settled) => Ok(settled),
        // The format assigns the ending to this one.
        Err(_) if rules.role == SourceRole::Example => Ok(language),
        Err(why) => Err(Unplanned::Undecided(why)),
    }
}

/// Plans the "build" of outputs that were submitted instead of a program.
pub fn plan_answers(
    machine: &Machine,
    submission: &Submission,
    cases: &[&str],
    rules: &BuildRules,
) -> Result<BuildTask, Unplanned> {
    let files = answer_files(submission_files(submission, rules)?, cases);
    let row = row_of_answers();
    let toolchain = no_toolchain();
    let layout = lay_out(&row, &without_executable_bits(files), None, None)?;
    task_of(machine, ReadyLanguage { row: &row, toolchain: &toolchain }, layout, rules.limits)
}

/// Why a program of the package cannot run on this machine although it has no mistake: its language is not
/// installed. `None` if it can run.
pub fn missing_tool(machine: &Machine, source: &SourceFiles) -> Option<String> {
    let row = scripts::checktestdata(source)?;
    find_tools(&row, &machine.toolchains.search).err().map(|missing| missing.what)
}

fn submission_files(submission: &Submission, rules: &BuildRules) -> Result<FileBytes, Unplanned> {
    let Some(contents) = &submission.contents else {
        return read_source(&submission.source, rules);
    };
    let size = Bytes(contents.values().map(|file| file.bytes.len() as u64).sum());
    if size > rules.code {
        let error = SnapshotError::TooLarge { size, limit: rules.code };
        return Err(Unplanned::Refused((&error).into()));
    }
    let mut files = contents.clone();
    fill_files(&mut files, rules);
    Ok(files)
}

fn read_source(source: &SourceFiles, rules: &BuildRules) -> Result<FileBytes, Unplanned> {
    // A link in a hand-in could lead anywhere, including the answers; files of the package are trusted.
    let links = match rules.role {
        SourceRole::HandIn => Links::Refuse,
        SourceRole::Example | SourceRole::Tool => Links::Follow,
    };
    let mut files = read_files(source, links, rules.code).map_err(|error| match error {
        SnapshotError::TooLarge { .. } | SnapshotError::NotAFile(_) => Unplanned::Refused((&error).into()),
        SnapshotError::Unreadable { .. } => Unplanned::Ours(error.to_string()),
    })?;
    fill_files(&mut files, rules);
    Ok(files)
}

/// The row for scripts or for an input description.
fn row_outside_the_table(
    machine: &Machine,
    source: &SourceFiles,
) -> Result<Option<(Language, Toolchain)>, Unplanned> {
    if let Some(row) = scripts::scripted(source) {
        return Ok(Some((row, script_toolchain(machine))));
    }
    let Some(row) = scripts::checktestdata(source) else { return Ok(None) };
    let toolchain = machine.toolchain(&row).map_err(no_toolchain_here)?;
    Ok(Some((row, toolchain)))
}

pub(super) fn lay_out(
    language: &Language,
    files: &FileBytes,
    include: Option<&FileBytes>,
    entry: Option<&str>,
) -> Result<SourceLayout, Unplanned> {
    SourceLayout::new(language, files, include, entry).map_err(unbuildable)
}

/// The build of laid-out sources. From now on, the store holds them.
pub(super) fn task_of(
    machine: &Machine,
    language: ReadyLanguage,
    layout: SourceLayout,
    limits: Limits,
) -> Result<BuildTask, Unplanned> {
    let mut laid = Vec::new();
    for (path, file) in &layout.files {
        let digest =
            machine.store.hold(&file.bytes).map_err(|error| Unplanned::Ours(format!("{error:#}")))?;
        let size = Bytes(file.bytes.len() as u64);
        laid.push(LaidFile { path: path.clone(), digest, executable: file.executable, size });
    }
    Ok(BuildTask {
        files: laid,
        digest: layout.digest(),
        entry: layout.entry,
        language: language.row.clone(),
        toolchain: ToolchainId::from(language.toolchain),
        limits,
        isolation: machine.kind.isolation.clone(),
        cached: Default::default(),
    })
}

fn without_executable_bits(mut files: FileBytes) -> FileBytes {
    files.values_mut().for_each(|file| file.executable = false);
    files
}

/// Fills in constants; a `{{name}}` in a hand-in is the student's own text.
fn fill_files(files: &mut FileBytes, rules: &BuildRules) {
    if rules.role != SourceRole::HandIn {
        files.values_mut().for_each(|file| fill_file(file, rules.constants));
    }
}

/// Fills in every known `{{name}}`; files that are not text stay unchanged.
fn fill_file(file: &mut SourceFile, constants: &BTreeMap<String, String>) {
    if constants.is_empty() || memchr::memmem::find(&file.bytes, b"{{").is_none() {
        return;
    }
    if let Ok(text) = std::str::from_utf8(&file.bytes) {
        let filled = SourceFile::new(fill_constants(text, constants).as_bytes());
        *file = SourceFile { executable: file.executable, ..filled };
    }
}

/// Why a program cannot be built on this machine.
pub(super) fn no_toolchain_here(why: NoToolchain) -> Unplanned {
    match why {
        NoToolchain::Missing(missing) => Unplanned::NoToolchain(missing),
        NoToolchain::Fault(fault) => Unplanned::Ours(fault.to_string()),
    }
}

fn unbuildable(why: Unbuildable) -> Unplanned {
    match why {
        // Archives from other systems contain such names, and the program may be right.
        Unbuildable::Name(_) => Unplanned::Undecided(format!("{why}; rename it")),
        Unbuildable::Outside(_)
        | Unbuildable::Taken(_)
        | Unbuildable::NoEntry(_)
        | Unbuildable::NoSource(_) => Unplanned::Refused((&why).into()),
    }
}

fn why_undetected(why: DetectionError) -> Unplanned {
    match why {
        DetectionError::Unknown(_) => Unplanned::Foreign((&why).into()),
        DetectionError::Empty
        | DetectionError::Mixed(_)
        | DetectionError::NoRow { .. }
        | DetectionError::NoSource { .. }
        | DetectionError::NotAllowed { .. } => Unplanned::Refused((&why).into()),
    }
}
