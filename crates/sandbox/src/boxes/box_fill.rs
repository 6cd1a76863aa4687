//! Puts files into a box before a run.

use super::{
    box_dir::BoxDir,
    box_walk::{MAX_DEPTH, open_beneath},
};
use crate::{errors::fault_in, exec::BoxFile, fault::Fault, sys::FileOwner};
use rustix::{
    fs::{Mode, OFlags, fchmod, mkdirat},
    io::Errno,
};
use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Component, Path, PathBuf},
};

/// Puts files into an empty box.
pub(crate) fn fill_box(to: &BoxDir, files: &[BoxFile]) -> Result<(), Fault> {
    if files.is_empty() {
        return Ok(());
    }
    files.iter().try_for_each(|placed| place(to, placed))
}

fn place(to: &BoxDir, placed: &BoxFile) -> Result<(), Fault> {
    match placed {
        BoxFile::Dir(path) => make_dirs(to, path),
        BoxFile::Bytes(path, bytes) => {
            let mut file = create_file(to, path, 0o644)?;
            file.write_all(bytes).map_err(|e| fault_in(format!("write /box/{}", path.display()), e))
        }
        BoxFile::File(path, host) => copy_file_in(to, path, host),
        BoxFile::Tree(path, host) => copy_tree_in(to, path, host, 0),
    }
}

/// Makes a directory and its parents.
fn make_dirs(to: &BoxDir, path: &Path) -> Result<(), Fault> {
    let act = || format!("make /box/{}", path.display());
    let mut so_far = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => so_far.push(name),
            Component::CurDir => continue,
            _ => return Err(fault_in(act(), "the path leaves the box")),
        }
        let _owner = to.owner.map(FileOwner::become_id);
        match mkdirat(&to.box_part, &so_far, Mode::from_raw_mode(0o755)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(e) => return Err(fault_in(act(), e)),
        }
    }
    Ok(())
}

fn create_file(to: &BoxDir, path: &Path, mode: u32) -> Result<File, Fault> {
    make_dirs(to, path.parent().unwrap_or(Path::new("")))?;
    let act = || format!("make /box/{}", path.display());
    if path.file_name().is_none() {
        return Err(fault_in(act(), "the path names no file"));
    }
    let _owner = to.owner.map(FileOwner::become_id);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC;
    let file = open_beneath(&to.box_part, path, flags, mode).map_err(|e| fault_in(act(), e))?;
    // Independent of our umask.
    fchmod(&file, Mode::from_raw_mode(mode)).map_err(|e| fault_in(act(), e))?;
    Ok(File::from(file))
}

fn copy_file_in(to: &BoxDir, path: &Path, host: &Path) -> Result<(), Fault> {
    let act = || format!("copy {} to /box/{}", host.display(), path.display());
    let mut from = File::open(host).map_err(|e| fault_in(act(), e))?;
    let metadata = from.metadata().map_err(|e| fault_in(act(), e))?;
    if !metadata.is_file() {
        return Err(fault_in(act(), "it is not a regular file"));
    }
    let executable = metadata.permissions().mode() & 0o111 != 0;
    let mut copy = create_file(to, path, if executable { 0o755 } else { 0o644 })?;
    io::copy(&mut from, &mut copy).map(drop).map_err(|e| fault_in(act(), e))
}

fn copy_tree_in(to: &BoxDir, path: &Path, host: &Path, depth: usize) -> Result<(), Fault> {
    let act = || format!("copy {} to /box/{}", host.display(), path.display());
    if depth > MAX_DEPTH {
        return Err(fault_in(act(), "the directories are nested too deeply"));
    }
    make_dirs(to, path)?;
    for entry in fs::read_dir(host).map_err(|e| fault_in(act(), e))? {
        let entry = entry.map_err(|e| fault_in(act(), e))?;
        let kind = entry.file_type().map_err(|e| fault_in(act(), e))?;
        let inner = path.join(entry.file_name());
        if kind.is_dir() {
            copy_tree_in(to, &inner, &entry.path(), depth + 1)?;
        } else if kind.is_file() {
            copy_file_in(to, &inner, &entry.path())?;
        }
    }
    Ok(())
}

/// The space that the placed files take in a box, in whole pages.
pub(crate) fn placed_size(files: &[BoxFile]) -> Result<u64, Fault> {
    let mut sum = 0;
    for placed in files {
        sum += match placed {
            BoxFile::Dir(_) => 0,
            BoxFile::Bytes(_, bytes) => whole_pages(bytes.len() as u64),
            BoxFile::File(_, host) => whole_pages(
                fs::metadata(host).map_err(|e| fault_in(format!("look at {}", host.display()), e))?.len(),
            ),
            BoxFile::Tree(_, host) => {
                tree_size(host, 0).map_err(|e| fault_in(format!("look at {}", host.display()), e))?
            }
        };
    }
    Ok(sum)
}

fn whole_pages(bytes: u64) -> u64 {
    bytes.div_ceil(4096) * 4096
}

fn tree_size(host: &Path, depth: usize) -> io::Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(host)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() && depth < MAX_DEPTH {
            sum += tree_size(&entry.path(), depth + 1)?;
        } else if metadata.is_file() {
            sum += whole_pages(metadata.len());
        }
    }
    Ok(sum)
}
