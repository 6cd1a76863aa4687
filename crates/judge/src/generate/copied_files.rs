//! Files that the recipe copies from the package into cases.

use super::recipe::{PICTURES, TEXTS};
use kopek_base::FileId;
use kopek_package::package::{LinkReach, Package};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A file of the package that is copied into a case.
#[derive(Debug)]
pub(super) struct CopiedFile {
    pub(super) path: PathBuf,
    pub(super) id: FileId,
}

/// Resolves a path and its symlinks. They may lead into neighbouring packages, which share programs, but not further.
pub(super) fn resolve_inside(package: &Package, path: &Path) -> Result<PathBuf, String> {
    let shown = path.strip_prefix(&package.dir).unwrap_or(path).display();
    let real = path.canonicalize().map_err(|error| match path.read_link() {
        Ok(to) => format!(
            "`{shown}` is a link to `{}`, which is not there; `cp -rL` copies what links mean",
            to.display()
        ),
        Err(_) => format!("there is no `{shown}`: {error}"),
    })?;
    let package_dir =
        package.dir.canonicalize().map_err(|error| format!("cannot find the package: {error}"))?;
    let workspace = package_dir.parent().unwrap_or(&package_dir);
    if package.links == LinkReach::Workspace && !real.starts_with(workspace) {
        let workspace = workspace.display();
        return Err(format!(
            "`{shown}` is a link that leaves the workspace {workspace}; KOPEK_FOLLOW_LINKS=1 allows such links"
        ));
    }
    Ok(real)
}

fn copied(package: &Package, path: &Path) -> Result<CopiedFile, String> {
    let path = resolve_inside(package, path)?;
    let id = FileId::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(CopiedFile { path, id })
}

/// The files beside a path that `copy` takes, by extension.
pub(super) fn find_copies(
    package: &Package,
    copy: Option<&str>,
) -> Result<BTreeMap<String, CopiedFile>, String> {
    let Some(base) = copy else { return Ok(BTreeMap::new()) };
    let mut found = BTreeMap::new();
    for ext in TEXTS.iter().chain(&PICTURES) {
        let path = package.dir.join(format!("{base}.{ext}"));
        if path.is_file() {
            found.insert((*ext).to_owned(), copied(package, &path)?);
        }
    }
    let files = package.dir.join(format!("{base}.files"));
    if files.is_dir() {
        for entry in walkdir::WalkDir::new(&files).sort_by_file_name() {
            let entry = entry.map_err(|error| format!("cannot read `{base}.files`: {error}"))?;
            if entry.file_type().is_file() {
                let below = entry.path().strip_prefix(&files).unwrap_or(entry.path());
                found.insert(format!("files/{}", below.display()), copied(package, entry.path())?);
            }
        }
    }
    if found.is_empty() {
        return Err(format!("there is nothing to copy: no `{base}.in` nor any other known extension"));
    }
    Ok(found)
}
