//! The form in which directories are sent: entries in the order of the digest. The digest is known before any file is
//! written, in constant memory; there are no links, no holes and no other entries that are larger on a disk.

use anyhow::{Context, Result};
use kopek_base::{Digest, TreeFields, is_program};
use std::{
    ffi::OsStr,
    fs::{self, File, Permissions},
    io::{self, ErrorKind, Read},
    os::unix::{ffi::OsStrExt, fs::PermissionsExt},
    path::{Component, Path, PathBuf},
};
use walkdir::WalkDir;

/// The kind of an entry. Its length and path follow, then the contents of a file.
const DIRECTORY: u8 = b'd';
const PLAIN: u8 = b'f';
const PROGRAM: u8 = b'x';

const MAX_PATH: u64 = 4096;

/// An entry without its contents.
struct TreeEntry {
    kind: u8,
    below: PathBuf,
    length: u64,
}

pub(super) fn pack_tree(dir: &Path, packed: &mut Vec<u8>) -> Result<()> {
    for entry in WalkDir::new(dir).min_depth(1).sort_by_file_name() {
        let entry = entry.context("read a directory")?;
        let below = entry.path().strip_prefix(dir).expect("walkdir stays below its root").as_os_str();
        let mut kind = DIRECTORY;
        let mut contents = Vec::new();
        if !entry.file_type().is_dir() {
            contents = fs::read(entry.path()).with_context(|| format!("read {}", entry.path().display()))?;
            kind = if is_program(entry.path())? { PROGRAM } else { PLAIN };
        }
        packed.push(kind);
        packed.extend((contents.len() as u64).to_le_bytes());
        packed.extend((below.len() as u64).to_le_bytes());
        packed.extend_from_slice(below.as_bytes());
        packed.extend(contents);
    }
    Ok(())
}

/// The digest that the directory will have.
pub(super) fn packed_tree_digest(mut from: impl Read) -> io::Result<Digest> {
    let mut fields = TreeFields::default();
    while let Some(entry) = read_entry(&mut from)? {
        if entry.kind == DIRECTORY {
            fields.add_directory(&entry.below);
            continue;
        }
        let mut contents = from.by_ref().take(entry.length);
        let digest = Digest::of_reader(&mut contents)?;
        if contents.limit() > 0 {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        fields.add_file(&entry.below, entry.kind == PROGRAM, &digest);
    }
    Ok(fields.digest())
}

/// Writes the directory after its digest was verified; returns its size in bytes.
pub(super) fn write_tree(mut from: impl Read, to: &Path) -> io::Result<u64> {
    let mut size = 0;
    while let Some(entry) = read_entry(&mut from)? {
        let path = to.join(&entry.below);
        if entry.kind == DIRECTORY {
            fs::create_dir(path)?;
            continue;
        }
        let mut file = File::create_new(path)?;
        size += io::copy(&mut from.by_ref().take(entry.length), &mut file)?;
        let mode = if entry.kind == PROGRAM { 0o755 } else { 0o644 };
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    Ok(size)
}

/// Reads an entry; `None` at the end.
fn read_entry(from: &mut impl Read) -> io::Result<Option<TreeEntry>> {
    let mut kind = [0];
    if from.read(&mut kind)? == 0 {
        return Ok(None);
    }
    let [kind] = kind;
    let length = read_number(from)?;
    let path_length = read_number(from)?;
    if ![DIRECTORY, PLAIN, PROGRAM].contains(&kind) || path_length > MAX_PATH {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut path = Vec::new();
    from.take(path_length).read_to_end(&mut path)?;
    let below = PathBuf::from(OsStr::from_bytes(&path));
    // A worker chooses the digests of its own results, so that a right digest does not make a path safe.
    let is_inside = below.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_inside || path.is_empty() || path.len() as u64 != path_length {
        return Err(ErrorKind::InvalidData.into());
    }
    Ok(Some(TreeEntry { kind, below, length }))
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packed file with any path.
    fn packed_file(path: &str, length: u64, contents: &[u8]) -> Vec<u8> {
        let path_length = path.len() as u64;
        let numbers = [length.to_le_bytes(), path_length.to_le_bytes()].concat();
        [&[PLAIN], &numbers[..], path.as_bytes(), contents].concat()
    }

    #[test]
    fn paths_that_lead_out_and_lengths_that_lie_are_refused_before_anything_is_written() {
        for path in ["../x", "/x", "a/../../x", ".", ""] {
            assert!(packed_tree_digest(&packed_file(path, 1, b"x")[..]).is_err(), "{path}");
        }
        for length in [2, 16 << 40, u64::MAX] {
            assert!(packed_tree_digest(&packed_file("x", length, b"x")[..]).is_err(), "{length}");
        }
        let mut long_path = packed_file("x", 0, b"");
        long_path[9..17].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(packed_tree_digest(&long_path[..]).is_err());
        assert!(packed_tree_digest(&b"link"[..]).is_err());
    }
}
