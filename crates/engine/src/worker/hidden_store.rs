//! Hides the path of the store from submissions.

use super::{
    job_worker::{Worker, fault},
    passes::directory,
};
use kopek_base::{Digest, ScratchDir};
use kopek_package::language::EXE;
use kopek_plan::plan::Program;
use kopek_sandbox::{Exec, Fault};
use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::Path,
};

/// Without a mount namespace a program can read the path of its own files. The path of a program in the store
/// may lead to the package, so a submission runs from a copy elsewhere.
pub(super) fn hide_store(worker: &mut Worker, exec: &mut Exec, program: &Program) -> Result<(), Fault> {
    if !worker.machine.sandbox.shows_host_paths() {
        return Ok(());
    }
    let known = worker.copied.take().filter(|(digest, _)| *digest == program.blob);
    let (_, copy) = worker.copied.insert(match known {
        Some(known) => known,
        None => (program.blob, copy_of(worker, &program.blob)?),
    });
    for mount in exec.view.mounts.iter_mut().filter(|mount| mount.inside == Path::new(EXE)) {
        mount.host = copy.path().to_owned();
    }
    Ok(())
}

/// A copy of a tree that programs in the sandbox can read.
fn copy_of(worker: &Worker, digest: &Digest) -> Result<ScratchDir, Fault> {
    let copy = directory()?;
    worker.machine.store.export_tree(digest, copy.path()).map_err(fault)?;
    // Independent of our umask.
    let open_to_all = || -> io::Result<()> {
        for entry in walkdir::WalkDir::new(copy.path()) {
            let entry = entry?;
            let mode = entry.metadata()?.permissions().mode();
            let passable = if entry.file_type().is_dir() { 0o111 } else { 0 };
            fs::set_permissions(entry.path(), Permissions::from_mode(mode | 0o444 | passable))?;
        }
        Ok(())
    };
    open_to_all().map_err(|e| Fault::new(format!("copy a program: {e}")))?;
    Ok(copy)
}
