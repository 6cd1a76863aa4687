//! A zip unpacked into an empty directory. Names that lead out, links, and more than is allowed are
//! refused by name, and before anything is written as far as the archive's own figures tell it.

use super::Bytes;
use anyhow::{Context, Result, bail, ensure};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, Read, Seek},
    path::{Component, Path, PathBuf},
};
use zip::{ZipArchive, read::ZipFile};

/// What an archive may be unpacked to.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveLimits {
    /// Files and directories.
    pub files: usize,
    /// The largest file.
    pub largest: Bytes,
    /// All files together.
    pub total: Bytes,
}

/// An archive may grow to this whatever it was before.
const HARMLESS: Bytes = Bytes::mib(256);
/// Beyond that, to so many times its own size. Texts of numbers shrink to a third, and tests that
/// repeat themselves to a hundredth.
const GREATEST_GROWTH: u64 = 200;

/// Unpacks an archive, or refuses it. Archives within it are files like any others.
pub fn unpack_zip(zip: &Path, to: &Path, limits: &ArchiveLimits) -> Result<()> {
    let file = File::open(zip)?;
    let packed = file.metadata()?.len();
    let mut archive =
        ZipArchive::new(file).context("not a zip archive; give a directory, or a zip of one")?;
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

/// Looks at all entries before any is written; their paths.
fn check_entries<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    packed: u64,
    limits: &ArchiveLimits,
) -> Result<Vec<PathBuf>> {
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
    let files: BTreeSet<&PathBuf> = names.iter().collect();
    ensure!(files.len() == names.len(), "several entries have one name");
    // Such an archive is small, and many times as large when it is unpacked.
    ensure!(!archive.has_overlapping_files()?, "its entries share their bytes: refused");
    Ok(names)
}

/// Refuses what grows as only bombs do.
pub(super) fn check_growth(packed: u64, total: u64) -> Result<()> {
    ensure!(
        total <= HARMLESS.0.max(packed.saturating_mul(GREATEST_GROWTH)),
        "{} that would become {}: an archive that grows more than {GREATEST_GROWTH} times is refused; \
         unpack it yourself, and give the directory",
        Bytes(packed),
        Bytes(total)
    );
    Ok(())
}

/// The path of an entry, if it stays inside.
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

/// A name in an archive as a path that does not leave the directory.
pub(super) fn inside_path(name: &str) -> Result<PathBuf> {
    // Packers on Windows write backslashes, whatever the standard says.
    let path = PathBuf::from(name.replace('\\', "/"));
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let drive = name.as_bytes().get(1) == Some(&b':');
    if !plain || drive || name.contains('\0') {
        bail!("{name:?} would be written outside of the directory: refused");
    }
    Ok(path)
}

/// What an entry says of its size was believed: it is held to it.
fn extract_entry<R: Read>(entry: &mut ZipFile<R>, to: &Path) -> Result<()> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut file = File::create_new(to).context("a second file of this name")?;
    let most = entry.size();
    // One byte more than it says shows that there is too much.
    let size = io::copy(&mut entry.take(most.saturating_add(1)), &mut file)?;
    ensure!(size <= most, "larger than it says ({})", Bytes(most));
    Ok(())
}
