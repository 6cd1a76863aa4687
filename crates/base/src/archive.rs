//! Unpacks a zip into an empty directory. Refuses, by name, entries that leave the directory, links, and
//! archives above the limits; before writing anything, if the archive's headers show it.

use super::Bytes;
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read, Seek},
    path::{Component, Path, PathBuf},
};
use zip::{ZipArchive, read::ZipFile};

/// The limits of an unpacked archive.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveLimits {
    pub files: usize,
    pub largest: Bytes,
    pub total: Bytes,
}

/// An archive of any size may grow to this.
const HARMLESS: Bytes = Bytes::mib(256);
/// Larger archives may grow by this factor. Texts of numbers shrink to a third, repetitive tests to a
/// hundredth.
const MAX_GROWTH: u64 = 200;

/// Unpacks an archive, or refuses it. Archives inside it are ordinary files.
pub fn unpack_zip(zip: &Path, to: &Path, limits: &ArchiveLimits) -> Result<()> {
    let file = File::open(zip)?;
    let packed = file.metadata()?.len();
    let mut archive = ZipArchive::new(file).context("not a zip archive, or a damaged one")?;
    let names = check_entries(&mut archive, packed, limits)?;
    for (index, name) in names.iter().enumerate() {
        let mut entry = archive.by_index(index)?;
        let at = to.join(name);
        if entry.is_dir() {
            fs::create_dir_all(&at).with_context(|| format!("make {}", name.display()))?;
            continue;
        }
        extract_entry(&mut entry, &at).with_context(|| format!("unpack {}", name.display()))?;
    }
    Ok(())
}

/// Checks all entries before any is written; returns their paths.
fn check_entries<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    packed: u64,
    limits: &ArchiveLimits,
) -> Result<Vec<PathBuf>> {
    // The reader keeps only the last of several files with one name.
    ensure!(!archive.has_duplicate_names(), "it holds the same file twice");
    ensure!(archive.len() <= limits.files, "more than {} files", limits.files);
    let (mut names, mut total) = (Vec::new(), 0u64);
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index)?;
        let name = entry_path(&entry)?;
        let size = entry.size();
        ensure!(size <= limits.largest.0, "{} is larger than {}", name.display(), limits.largest);
        total = total.saturating_add(size);
        names.push(name);
    }
    ensure!(total <= limits.total.0, "the files together are larger than {}", limits.total);
    check_growth(packed, total)?;
    let mut files = BTreeSet::new();
    if let Some(again) = names.iter().find(|name| !files.insert(*name)) {
        bail!("it holds {} twice", again.display());
    }
    // Such an archive is small, and many times larger when unpacked.
    ensure!(!archive.has_overlapping_files()?, "its entries share their bytes: refused");
    Ok(names)
}

/// Refuses growth that only zip bombs have.
pub(super) fn check_growth(packed: u64, total: u64) -> Result<()> {
    ensure!(
        total <= HARMLESS.0.max(packed.saturating_mul(MAX_GROWTH)),
        "{} that would become {}: an archive that grows more than {MAX_GROWTH} times is refused; \
         unpack it yourself, and give the directory",
        Bytes(packed),
        Bytes(total)
    );
    Ok(())
}

/// The path of an entry, if it stays inside the directory.
fn entry_path<R: Read>(entry: &ZipFile<R>) -> Result<PathBuf> {
    let name = entry.name().context("a name that cannot be read")?;
    let path = inside_path(&name)?;
    if entry.is_symlink() {
        bail!("{name:?} is a link: refused; pack the file itself");
    }
    if entry.encrypted() {
        bail!("{name:?} is encrypted; pack it without a password");
    }
    Ok(path)
}

/// A name in an archive as a path inside the directory.
pub(super) fn inside_path(name: &str) -> Result<PathBuf> {
    // Packers on Windows write backslashes, against the standard.
    let path = PathBuf::from(name.replace('\\', "/"));
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let drive = name.as_bytes().get(1) == Some(&b':');
    if !plain || drive || name.contains('\0') {
        bail!("{name:?} would be written outside of the directory: refused");
    }
    Ok(path)
}

/// Extracts an entry and enforces its declared size, which the check has relied on.
fn extract_entry<R: Read>(entry: &mut ZipFile<R>, to: &Path) -> Result<()> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut file = File::create_new(to).context("a second file of this name")?;
    let max = entry.size();
    // One byte more than declared shows that there is too much.
    let size = io::copy(&mut entry.take(max.saturating_add(1)), &mut file)?;
    ensure!(size <= max, "larger than it says ({})", Bytes(max));
    Ok(())
}
