//! A zip unpacked into an empty directory: names that lead out, links, and more
//! than a package needs are refused by name.

use super::source_limits::{LARGEST, MOST_FILES, TOTAL};
use crate::base::Bytes;
use anyhow::{Context, Result, bail, ensure};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Component, Path, PathBuf},
};
use zip::{ZipArchive, read::ZipFile};

pub(crate) fn unpack(zip: &Path, to: &Path) -> Result<()> {
    let file = File::open(zip)?;
    let mut archive =
        ZipArchive::new(file).context("not a zip archive; give a directory, or a zip of one")?;
    ensure!(archive.len() <= MOST_FILES, "more than {MOST_FILES} files");
    let mut left = TOTAL.0;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let name = entry_path(&entry)?;
        let to = to.join(&name);
        if entry.is_dir() {
            fs::create_dir_all(&to).with_context(|| format!("make {}", name.display()))?;
            continue;
        }
        left -= extract_entry(&mut entry, &to, left).with_context(|| format!("unpack {}", name.display()))?;
    }
    Ok(())
}

/// The path of an entry, if it stays inside.
fn entry_path<R: Read>(entry: &ZipFile<R>) -> Result<PathBuf> {
    let name = entry.name().context("a name that cannot be read")?;
    // Packers on Windows write backslashes, whatever the standard says.
    let path = PathBuf::from(name.replace('\\', "/"));
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let drive = name.as_bytes().get(1) == Some(&b':');
    if !plain || drive || name.contains('\0') {
        bail!("{name:?} would be written outside of the directory: refused");
    }
    if entry.is_symlink() {
        bail!("{name:?} is a link: refused; pack the file itself");
    }
    if entry.encrypted() {
        bail!("{name:?} is encrypted; pack it without a password");
    }
    Ok(path)
}

/// What an entry says of its size is not believed.
fn extract_entry<R: Read>(entry: &mut ZipFile<R>, to: &Path, left: u64) -> Result<u64> {
    to.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut file = File::create_new(to).context("a second file of this name")?;
    let most = LARGEST.0.min(left);
    // One byte more than allowed shows that there is too much, whatever the header claims.
    let size = io::copy(&mut entry.take(most + 1), &mut file)?;
    ensure!(size <= LARGEST.0, "larger than {LARGEST}");
    ensure!(size <= most, "the files together are larger than {}", Bytes(TOTAL.0));
    Ok(size)
}
