//! The folder of a class: a directory, or an archive of one.

use super::{
    found_person::file_name,
    layouts::{HandInLayout, entry_stem},
    litter::is_no_hand_in,
};
use anyhow::{Context, Result, bail};
use kopek_base::{ArchiveKind, ArchiveLimits, Bytes, ScratchDir, unpack_archive};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Limits for the archive of a class.
const CLASS_LIMITS: ArchiveLimits =
    ArchiveLimits { files: 200_000, largest: Bytes::mib(256), total: Bytes::mib(8 << 10) };

/// Returns a folder as it is. Unpacks an archive into a scratch directory and skips its wrapper directory.
pub(super) fn open_place(place: &Path) -> Result<(PathBuf, Option<ScratchDir>)> {
    let kind = fs::metadata(place).with_context(|| format!("read {}", place.display()))?;
    if kind.is_dir() {
        return Ok((place.to_owned(), None));
    }
    let Some(archive) = ArchiveKind::of_name(&file_name(place)) else {
        bail!(
            "{} is not a folder, zip or tar of hand-ins; `kopek run` judges a single program",
            place.display()
        )
    };
    let aside = ScratchDir::new().context("make a directory to unpack into")?;
    unpack_archive(place, archive, aside.path(), &CLASS_LIMITS).with_context(|| {
        format!("unpack {}; download it again, or unpack it yourself and give the folder", place.display())
    })?;
    let root = aside.path().canonicalize()?;
    Ok((enter_wrapper(root, &entry_stem(place))?, Some(aside)))
}

/// Skips the wrapper directory of an archive: the only entry, named like the archive or holding several
/// entries, most of them directories.
fn enter_wrapper(root: PathBuf, archive: &str) -> Result<PathBuf> {
    let entries = class_entries(&root, &mut Vec::new())?;
    let [only] = entries.as_slice() else { return Ok(root) };
    if !only.is_dir() || HandInLayout::detect(&entries) != HandInLayout::Plain {
        return Ok(root);
    }
    let inside = class_entries(only, &mut Vec::new())?;
    let directories = inside.iter().filter(|path| path.is_dir()).count();
    let holds_class = HandInLayout::detect(&inside) != HandInLayout::Plain
        || inside.len() > 1 && directories * 2 > inside.len();
    Ok(if file_name(only) == archive || holds_class { only.clone() } else { root })
}

/// Everything in a folder that could be a hand-in, sorted by name.
pub(super) fn class_entries(folder: &Path, left_out: &mut Vec<String>) -> Result<Vec<PathBuf>> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = read().with_context(|| format!("read {}", folder.display()))?;
    paths.sort();
    let (litter, entries): (Vec<_>, Vec<_>) =
        paths.into_iter().partition(|path| is_no_hand_in(&file_name(path)));
    left_out.extend(litter.iter().map(|path| file_name(path)));
    Ok(entries)
}
