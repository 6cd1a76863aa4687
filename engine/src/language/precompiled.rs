//! A header that many programs begin with, compiled once for all of them.
//!
//! Only a program whose first line of code includes that header gets it: nothing stands before the header that
//! could change what it means, so the compiler would read the same either way. Made from the row alone, shown
//! read-only: no program can change what another one is built with.

use super::{
    Language, NoToolchain, Toolchain,
    command::{WARM, precompile},
    precompiled_row::PrecompiledHeader,
    prove::{DraftDirectory, PREPARE, check_success, layout_fault},
};
use crate::{
    base::{DigestFields, Stamp},
    sandbox::{Exec, ReadOnlyMount, Slot},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// Builds a program with it.
pub(crate) fn show_precompiled(header: &PrecompiledHeader, at: &Path, exec: &mut Exec) {
    exec.argv.extend(header.give.iter().cloned());
    exec.view.mounts.push(ReadOnlyMount { host: at.to_owned(), inside: WARM.into() });
}

/// Where the header of this row and toolchain lies below `dir`, made there whole or not at all. `known`: what
/// [`contents_of`] said of it when it was made; one that was touched since is made anew.
pub(crate) fn precompile_header(
    slot: &mut Slot,
    language: &Language,
    toolchain: &Toolchain,
    (dir, known): (&Path, Option<&[String]>),
) -> Result<PathBuf, NoToolchain> {
    let at = dir.join(header_name(language, toolchain));
    if known.is_some_and(|known| contents_of(&at).is_ok_and(|is| is == known)) {
        return Ok(at);
    }
    let draft = DraftDirectory::below(dir).map_err(layout_fault)?;
    let exec = precompile(language, toolchain, PREPARE, draft.path());
    if let Some(exec) = exec {
        check_success(language, "precompiled", &slot.run(&exec)?)?;
    }
    if at.exists() {
        fs::remove_dir_all(&at).map_err(layout_fault)?;
    }
    draft.become_whole(&at).map_err(layout_fault)?;
    Ok(at)
}

/// The directory of a row's header, which no other row and no other toolchain uses.
pub(crate) fn header_name(language: &Language, toolchain: &Toolchain) -> String {
    let name = DigestFields::new("precompiled").with("row", language.digest().as_bytes());
    name.with("toolchain", toolchain.digest.as_bytes()).digest().to_string()
}

/// All files below a directory, each with what changes when it is touched.
pub(crate) fn contents_of(dir: &Path) -> std::io::Result<Vec<String>> {
    let mut all = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            all.push(format!("{} {:?}", entry.path().display(), Stamp::of_path(entry.path())?));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use crate::language::LanguageTable;

    #[test]
    fn a_row_with_a_build_of_its_own_has_no_header_of_another() {
        let table = LanguageTable::embedded();
        let row = "[[language]]\ncode = 'cpp'\nbuild = ['{cxx}', '-O3', '-o', '{binary}', '{files}']";
        assert_eq!(table.with(row, "mine.toml").unwrap().get("cpp").unwrap().precompiled, None);
        assert_eq!(table.for_debugging().unwrap().get("cpp").unwrap().precompiled, None);
    }
}
