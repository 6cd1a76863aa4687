//! Trials of a toolchain before it is given anybody's program.
//!
//! Whether it works at all: builds and runs the row's `hello`.
//! A compiler without its headers answers the version probe, and then refuses every program.
//! Asked when a build was refused, this keeps our fault apart from the submission's, and
//! costs nothing while all goes well.

use super::{
    Language, NoToolchain, Program, Source, Toolchain,
    command::{self, run},
    identify::{missing, text},
};
use crate::{
    base::{Bytes, Fields},
    sandbox::{Exit, Fault, Limits, Ran, Slot},
};
use std::{fs, os::unix::fs::PermissionsExt, path::Path, time::Duration};

/// What a `hello` may take to be built, and to run: far more than it needs.
const HELLO: Limits = Limits {
    cpu: Duration::from_secs(60),
    wall: Duration::from_secs(180),
    memory: Bytes::mib(2048),
    output: Bytes::mib(1),
    files: Bytes::mib(512),
    processes: 64,
};

/// Builds and runs the row's `hello`; a row without one is believed.
pub fn prove(slot: &mut Slot, language: &Language, toolchain: &Toolchain) -> Result<(), NoToolchain> {
    let Some(hello) = &language.hello else { return Ok(()) };
    let home = tempfile::tempdir().map_err(fault)?;
    let source = lay(language, hello, home.path()).map_err(fault)?;
    let mut built = home.path().join("built");
    let program = Program::new(language, &source, None, None);
    let program = program.map_err(|e| missing(language, format!("its `hello` is odd: {e}")))?;
    match program.build(toolchain, HELLO, &built) {
        Some(build) => done(language, "built", &slot.run(&build)?)?,
        None => built = source.root.clone(),
    }
    let ran = slot.run(&run(language, toolchain, &program.entry, &built, &[], HELLO))?;
    done(language, "run", &ran)?;
    match text(&ran.stdout)?.trim() {
        "hello" => Ok(()),
        other => Err(missing(language, format!("its `hello` prints `{other}`")).into()),
    }
}

/// Makes once what every build would otherwise make anew, in a directory below `dir` that is
/// there whole or not at all; then shows it to builds with this toolchain. Without it everything
/// works, slower.
pub fn warm(
    slot: &mut Slot,
    language: &Language,
    toolchain: &mut Toolchain,
    dir: &Path,
) -> Result<(), NoToolchain> {
    if language.warm.is_none() {
        return Ok(());
    }
    // A package's row must not fill what other rows are built with.
    let digests = [language.digest(), toolchain.digest].map(|digest| digest.to_string());
    let name =
        Fields::new("warm").with("row", digests[0].as_bytes()).with("toolchain", digests[1].as_bytes());
    let at = dir.join(name.digest().to_string());
    if !at.is_dir() {
        let made = Made::below(dir).map_err(fault)?;
        if let Some(exec) = command::warm(language, toolchain, HELLO, made.0.path()) {
            done(language, "prepared", &slot.run(&exec)?)?;
        }
        made.become_whole(&at).map_err(fault)?;
    }
    toolchain.warm = Some(at);
    Ok(())
}

/// A directory in the making.
struct Made(tempfile::TempDir);

impl Made {
    fn below(dir: &Path) -> std::io::Result<Made> {
        fs::create_dir_all(dir)?;
        tempfile::Builder::new().prefix(".warm-").tempdir_in(dir).map(Made)
    }

    /// Another run may have been first: its directory is as good.
    fn become_whole(self, at: &Path) -> std::io::Result<()> {
        fs::set_permissions(self.0.path(), fs::Permissions::from_mode(0o755))?;
        match fs::rename(self.0.path(), at) {
            Err(_) if at.is_dir() => Ok(()),
            done => done,
        }
    }
}

fn fault(error: std::io::Error) -> Fault {
    Fault::new(format!("lay out a trial of a toolchain: {error}"))
}

/// The source as if it were handed in, and an empty directory `built` beside it.
fn lay(language: &Language, hello: &str, home: &Path) -> std::io::Result<Source> {
    let file = format!("hello{}", language.endings.first().map_or("", String::as_str));
    let root = home.join("source");
    fs::create_dir(&root)?;
    fs::create_dir(home.join("built"))?;
    fs::write(root.join(&file), hello)?;
    Ok(Source { root, files: vec![file.into()] })
}

fn done(language: &Language, act: &str, ran: &Ran) -> Result<(), NoToolchain> {
    if ran.exit == Exit::Code(0) {
        return Ok(());
    }
    let said = text(&ran.stderr)? + &text(&ran.stdout)?;
    let line = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
    let what = format!("the toolchain does not work: a trial could not be {act} ({:?}): {line}", ran.exit);
    Err(missing(language, what).into())
}
