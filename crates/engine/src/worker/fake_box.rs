//! Boxes of fake runs: the files that a program can read, and the files that are kept.

use kopek_sandbox::{BoxFile, CapturedOutput, Exec, Input, Keep};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

/// The files in the box before the run, by path below it.
pub(crate) fn box_files(exec: &Exec) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for file in &exec.files {
        match file {
            BoxFile::Dir(_) => {}
            BoxFile::Bytes(path, bytes) => drop(files.insert(path.clone(), bytes.clone())),
            BoxFile::File(path, host) => drop(files.insert(path.clone(), fs::read(host)?)),
            BoxFile::Tree(path, host) => {
                for entry in walkdir::WalkDir::new(host) {
                    let entry = entry?;
                    if entry.file_type().is_file() {
                        let below = entry.path().strip_prefix(host).map_err(io::Error::other)?;
                        files.insert(path.join(below), fs::read(entry.path())?);
                    }
                }
            }
        }
    }
    Ok(files)
}

pub(crate) fn stdin_bytes(exec: &Exec) -> io::Result<Vec<u8>> {
    match &exec.stdin {
        Input::Nothing => Ok(Vec::new()),
        Input::Path(path) => fs::read(path),
        Input::Bytes(bytes) => Ok(bytes.clone()),
    }
}

/// The host path of the file that the program sees at this path.
pub(crate) fn host_path(exec: &Exec, inside: &Path) -> Option<PathBuf> {
    exec.view.mounts.iter().find_map(|mount| {
        let below = inside.strip_prefix(&mount.inside).ok()?;
        // Joining an empty path would add a separator to the path of a file.
        let is_mount = below.as_os_str().is_empty();
        Some(if is_mount { mount.host.clone() } else { mount.host.join(below) })
    })
}

/// Copies a file out of the box, if the run asks for it.
pub(crate) fn keep_file(exec: &Exec, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Keep::Below(wanted, host) = &exec.keep else { return Ok(()) };
    let Ok(below) = path.strip_prefix(wanted) else { return Ok(()) };
    let to = host.join(below);
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(to, bytes)
}

/// A text as the captured output of a run.
pub(crate) fn captured_text(text: &str) -> io::Result<CapturedOutput> {
    let memory = rustix::fs::memfd_create("fake output", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = File::from(memory);
    file.write_all(text.as_bytes())?;
    Ok(CapturedOutput::new(file))
}
