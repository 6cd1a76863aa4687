//! Finds packages: directories, folders of packages, and zips, which are unpacked into scratch directories.

use anyhow::{Context, Result, bail};
use kopek_base::{ArchiveKind, ArchiveLimits, Bytes, ScratchDir, unpack_archive};
use kopek_package::package::missing_path;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The packages at or directly below these paths, in order.
pub fn find_packages(places: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for place in places {
        if place.join("problem.yaml").exists() {
            found.push(place.clone());
            continue;
        }
        if !place.exists() {
            return Err(missing_path("read package", place));
        }
        if place.is_file() {
            bail!("{}: not a directory; unpack the package, or name its directory", place.display());
        }
        let read =
            || fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
        let mut below = read().with_context(|| format!("read package {}", place.display()))?;
        below.retain(|path| path.join("problem.yaml").exists());
        // The order of directory entries differs between machines.
        below.sort();
        if below.is_empty() {
            bail!("{}: no problem.yaml here or one level below: not a problem package", place.display());
        }
        found.extend(below);
    }
    Ok(found)
}

/// The nearest package around a file, else around the directory `here`; relative to that, as the user would write it.
pub fn package_around(file: &Path, here: &Path) -> Result<Option<PathBuf>> {
    let file = file.canonicalize().with_context(|| format!("find {}", file.display()))?;
    let mut dirs = file.ancestors().skip(1).chain(here.ancestors());
    let found = dirs.find(|dir| dir.join("problem.yaml").is_file());
    Ok(found.map(|dir| match here.strip_prefix(dir) {
        Ok(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Ok(_) | Err(_) => dir.strip_prefix(here).unwrap_or(dir).to_owned(),
    }))
}

/// The directory of a package. A zip is unpacked into a scratch directory, which is removed on drop.
pub struct PackagePlace {
    dir: PathBuf,
    _unpacked: Option<ScratchDir>,
}

impl PackagePlace {
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Limits for a zipped package or zipped samples.
const ARCHIVE: ArchiveLimits =
    ArchiveLimits { files: 100_000, largest: Bytes::mib(4096), total: Bytes::mib(16384) };

/// Finds the package at a path: a directory or a zip.
pub fn locate_package(path: &Path) -> Result<PackagePlace> {
    let Ok(kind) = fs::metadata(path) else { return Err(missing_path("read package", path)) };
    if kind.is_dir() {
        if !path.join("problem.yaml").exists() {
            bail!("{}: no problem.yaml here: not a problem package", path.display());
        }
        return Ok(PackagePlace { dir: path.to_owned(), _unpacked: None });
    }
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) {
        bail!("{}: not a problem package (a directory or a zip)", path.display());
    }
    let aside = unpack_aside(path)?;
    // Named like the zip, because the directory gives the problem its name.
    let mut found = find_packages(&[top_directory(&aside, path)])?;
    match (found.pop(), found.len()) {
        (Some(dir), 0) => Ok(PackagePlace { dir, _unpacked: Some(aside) }),
        _ => bail!("{}: contains several packages; unpack it and name one", path.display()),
    }
}

/// Unpacks a zip into a scratch directory, into a directory with the zip's name.
pub fn unpack_aside(zip: &Path) -> Result<ScratchDir> {
    let aside = ScratchDir::new().context("make a directory to unpack into")?;
    let top = top_directory(&aside, zip);
    fs::create_dir(&top).with_context(|| format!("make {}", top.display()))?;
    unpack_archive(zip, ArchiveKind::Zip, &top, &ARCHIVE)
        .with_context(|| format!("unpack {}; give a directory, or a zip of one", zip.display()))?;
    Ok(aside)
}

fn top_directory(aside: &ScratchDir, zip: &Path) -> PathBuf {
    let name = zip.file_stem().unwrap_or(zip.as_os_str());
    aside.path().join(name)
}
