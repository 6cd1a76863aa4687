//! Tests a toolchain before it is used for submissions.
//!
//! Builds and runs the row's `hello`. A compiler without its headers answers the version probe, and then
//! refuses every program. The test runs when a build was refused, so that a fault of ours is not blamed on
//! the submission, and costs nothing otherwise.

use super::{identify::output_text, tools::NoToolchain};
use kopek_base::{Bytes, DigestFields};
use kopek_package::language::{
    self, BuiltFiles, FileBytes, LaidSources, Language, MissingToolchain, ReadyLanguage, SourceFile,
    SourceLayout, Toolchain, run_exec,
};
use kopek_sandbox::{BoxFile, Exit, Fault, Limits, RunPrograms, RunResult, Slot};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Limits for building and running a `hello` and for making caches: far more than they need.
pub(super) const PREPARE: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(180),
    memory: Bytes::mib(2048),
    output: Bytes::mib(1),
    files: Bytes::mib(512),
    // The same as for builds: TypeScript 7 reads its library with some 90 threads.
    processes: 256,
};

/// Builds and runs the row's `hello`; a row without one passes.
pub fn prove_toolchain(slot: &mut dyn RunPrograms, ready: ReadyLanguage) -> Result<(), NoToolchain> {
    let language = ready.row;
    let Some(hello) = &language.hello else { return Ok(()) };
    let built = tempfile::tempdir().map_err(layout_fault)?;
    let name = format!("hello{}", language.endings.first().map_or("", String::as_str));
    let source = FileBytes::from([(PathBuf::from(name), SourceFile::new(hello.as_bytes()))]);
    let layout = SourceLayout::new(language, &source, None, None);
    let layout =
        layout.map_err(|e| MissingToolchain::new(language, format!("its `hello` is invalid: {e}")))?;
    let paths: Vec<PathBuf> = layout.files.keys().cloned().collect();
    let sources = LaidSources { paths: &paths, entry: &layout.entry };
    match language::build_exec(ready, sources, PREPARE, built.path()) {
        Some(mut build) => {
            let place =
                |(path, file): (&PathBuf, &SourceFile)| BoxFile::Bytes(path.clone(), file.bytes.to_vec());
            build.files = layout.files.iter().map(place).collect();
            check_success(language, "built", &slot.run(&build)?)?
        }
        None => lay_out(&layout, built.path()).map_err(layout_fault)?,
    }
    let program = BuiltFiles { dir: built.path(), entry: &layout.entry };
    let ran = slot.run(&run_exec(ready, program, &[], PREPARE))?;
    check_success(language, "run", &ran)?;
    match output_text(&ran.stdout)?.trim() {
        "hello" => Ok(()),
        other => Err(MissingToolchain::new(language, format!("its `hello` prints `{other}`")).into()),
    }
}

/// Makes a cache that all builds with this toolchain use, in a directory below `dir` that is complete or
/// absent. Builds also work without it, but slower.
pub fn warm_toolchain(
    slot: &mut Slot,
    language: &Language,
    toolchain: &mut Toolchain,
    dir: &Path,
) -> Result<(), NoToolchain> {
    if language.warm.is_none() {
        return Ok(());
    }
    // A package's row must not fill the caches of other rows.
    let digests = [language.digest(), toolchain.digest].map(|digest| digest.to_string());
    let name =
        DigestFields::new("warm").with("row", digests[0].as_bytes()).with("toolchain", digests[1].as_bytes());
    let at = dir.join(name.digest().to_string());
    if !at.is_dir() {
        let draft = DraftDirectory::below(dir).map_err(layout_fault)?;
        if let Some(exec) = language::warm(ReadyLanguage { row: language, toolchain }, PREPARE, draft.path())
        {
            check_success(language, "prepared", &slot.run(&exec)?)?;
        }
        draft.become_whole(&at).map_err(layout_fault)?;
    }
    toolchain.warm = Some(at);
    Ok(())
}

/// A directory that is not complete yet.
pub(super) struct DraftDirectory(tempfile::TempDir);

impl DraftDirectory {
    pub(super) fn below(dir: &Path) -> std::io::Result<DraftDirectory> {
        fs::create_dir_all(dir)?;
        tempfile::Builder::new().prefix(".warm-").tempdir_in(dir).map(DraftDirectory)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// If another run was first, its directory is used.
    pub(super) fn become_whole(self, at: &Path) -> std::io::Result<()> {
        fs::set_permissions(self.0.path(), fs::Permissions::from_mode(0o755))?;
        match fs::rename(self.0.path(), at) {
            Err(_) if at.is_dir() => Ok(()),
            done => done,
        }
    }
}

pub(super) fn layout_fault(error: std::io::Error) -> Fault {
    Fault::new(format!("lay out a trial of a toolchain: {error}"))
}

fn lay_out(layout: &SourceLayout, to: &Path) -> std::io::Result<()> {
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))?;
    layout.files.iter().try_for_each(|(path, file)| fs::write(to.join(path), &file.bytes))
}

pub(super) fn check_success(language: &Language, act: &str, ran: &RunResult) -> Result<(), NoToolchain> {
    match failure_line(ran)? {
        None => Ok(()),
        Some(line) => {
            let what = format!("the toolchain does not work: a trial could not be {act} {line}");
            Err(MissingToolchain::new(language, what).into())
        }
    }
}

/// How a command failed, with its first line of output; `None` if it succeeded.
pub(super) fn failure_line(ran: &RunResult) -> Result<Option<String>, Fault> {
    if ran.exit == Exit::Code(0) {
        return Ok(None);
    }
    let output = output_text(&ran.stderr)? + &output_text(&ran.stdout)?;
    let line = output.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    Ok(Some(format!("({:?}): {line}", ran.exit)))
}
