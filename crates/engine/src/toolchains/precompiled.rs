//! Standard headers at the beginning of many programs, compiled once for all of them.
//!
//! Made only from the row and the names of headers, and mounted read-only: no program can influence the build
//! of another. Which headers exist depends on the other hand-ins, so no program may find out: sources can ask for
//! any path, in more ways than a scan of their text could list, but they cannot guess [`header_name`].

use super::{
    prove::{DraftDirectory, PREPARE, failure_line, layout_fault},
    standard_headers::HeaderRun,
};
use kopek_base::{Digest, DigestFields, Stamp};
use kopek_package::language::{Language, PrecompiledHeader, ReadyLanguage, WARM, precompile};
use kopek_sandbox::{Exec, Fault, ReadOnlyMount, RunPrograms};
use std::{
    fs,
    path::{Path, PathBuf},
};
use walkdir::WalkDir;

/// Lets a build use a precompiled header, at a path that its sources cannot guess.
pub(crate) fn show_precompiled(header: &PrecompiledHeader, at: &Path, exec: &mut Exec) {
    let secret = format!("/{}", secret_name(at));
    exec.argv.extend(header.give.iter().map(|argument| argument.replace(WARM, &secret)));
    exec.view.mounts.push(ReadOnlyMount { host: at.to_owned(), inside: secret.into() });
}

/// The name of a header's directory, on the host and in builds.
pub(crate) fn secret_name(at: &Path) -> &str {
    at.file_name().and_then(|name| name.to_str()).expect("it is the text of a digest")
}

/// Headers that an earlier run may have made.
pub(super) struct EarlierHeaders<'a> {
    /// The directory of all headers, each in a subdirectory.
    pub dir: &'a Path,
    /// The name of this one.
    pub name: &'a str,
    /// The result of [`contents_of`] when they were made.
    pub contents: &'a [String],
}

/// The path of these headers, compiled completely or not at all. Headers that were changed since they were
/// made are made again.
pub(super) fn precompile_headers(
    slot: &mut dyn RunPrograms,
    language: ReadyLanguage,
    headers: &HeaderRun,
    earlier: &EarlierHeaders,
) -> Result<PathBuf, Fault> {
    let at = earlier.dir.join(earlier.name);
    if contents_of(&at).is_ok_and(|contents| contents == earlier.contents) {
        return Ok(at);
    }
    let draft = DraftDirectory::below(earlier.dir).map_err(layout_fault)?;
    if let Some(exec) = precompile(language, headers.text(), PREPARE, draft.path())
        && let Some(line) = failure_line(&slot.run(&exec)?)?
    {
        return Err(Fault::new(format!("precompile headers {line}")));
    }
    if at.exists() {
        fs::remove_dir_all(&at).map_err(layout_fault)?;
    }
    draft.become_whole(&at).map_err(layout_fault)?;
    Ok(at)
}

/// A name that is unique to these headers, this row and this toolchain. Only who knows the random `store_id` can
/// compute it.
pub(crate) fn header_name(
    store_id: &str,
    language: &Language,
    toolchain: &Digest,
    headers: &HeaderRun,
) -> String {
    let row = language.precompiled.iter().flat_map(|row| row.make.iter().chain(&row.give));
    let row: Vec<&str> = row.map(String::as_str).collect();
    let name = DigestFields::new("precompiled").with("language", language.digest().as_bytes());
    let name = name.with("row", row.join("\0").as_bytes()).with("toolchain", toolchain.as_bytes());
    let name = name.with("store", store_id.as_bytes());
    name.with("headers", headers.text().as_bytes()).digest().to_string()
}

/// All files below a directory, each with its stamp.
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
    use kopek_package::language::LanguageTable;

    #[test]
    fn a_row_with_a_build_of_its_own_has_no_header_of_another() {
        let table = LanguageTable::embedded();
        let row = "[[language]]\ncode = 'cpp'\nbuild = ['{cxx}', '-O3', '-o', '{binary}', '{files}']";
        assert_eq!(table.with(row, "mine.toml").unwrap().get("cpp").unwrap().precompiled, None);
        assert_eq!(table.for_debugging().unwrap().get("cpp").unwrap().precompiled, None);
    }

    #[test]
    fn precompiled_headers_are_no_part_of_the_digest_of_a_row_but_of_their_own_names() {
        let table = LanguageTable::embedded();
        let row = "[[language]]\ncode = 'cpp'\nprecompiled = { make = ['x'], give = ['y'] }";
        let other = table.with(row, "mine.toml").unwrap();
        let [old, new] = [&table, &other].map(|table| table.get("cpp").unwrap());
        assert_eq!(old.digest(), new.digest());
        let name = |row| super::header_name("1", row, &old.digest(), &Default::default());
        assert_ne!(name(old), name(new));
    }
}
