//! Outputs that were submitted instead of a program: finds the file for each case.
//!
//! A file belongs to the case with its name, whatever its ending. The name may be the whole name of the case
//! (`secret/1/03.out`), its name in the group (`1/03.out`), or the last part (`03.out`), in this order. A
//! hand-in with a single file that has no case's name is the output of every case: see [`answer_files`].

use kopek_package::language::FileBytes;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// The name of a file that is the output of every case.
const EVERY_CASE: &str = "every-case";

/// The file that was submitted for a case.
pub(crate) fn file_for_case(root: &Path, case: &str) -> std::io::Result<Option<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    let is = |file: &&PathBuf, name: &str| is_named(file.strip_prefix(root).unwrap_or(file), name);
    let of = |name: &&str| files.iter().find(|file| is(file, name)).cloned();
    Ok(names_of_case(case).iter().chain([&EVERY_CASE]).find_map(of))
}

/// The names of files that belong to a case, the longest first.
fn names_of_case(case: &str) -> [&str; 3] {
    let below = case.split_once('/').map_or(case, |(_, rest)| rest);
    [case, below, case.rsplit('/').next().unwrap_or(case)]
}

fn is_named(file: &Path, name: &str) -> bool {
    // Both, because a case may itself be called `03.out`.
    file == Path::new(name) || file.with_extension("") == Path::new(name)
}

/// The files of a hand-in under the names that cases look for. A single file without any case's name becomes
/// the output of every case; one with a case's name must not count for the others.
pub(crate) fn answer_files(mut files: FileBytes, cases: &[&str]) -> FileBytes {
    let names_one =
        |file: &Path| cases.iter().any(|case| names_of_case(case).iter().any(|name| is_named(file, name)));
    if files.len() == 1
        && let Some(only) = files.first_entry()
        && !names_one(only.key())
    {
        let file = only.remove();
        files.insert(PathBuf::from(EVERY_CASE), file);
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_base::Digest;
    use kopek_package::language::SourceFile;

    #[test]
    fn the_file_with_the_fullest_name_counts() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["secret/1/03.out", "1/03.out", "04.out", "2/04.out"] {
            std::fs::create_dir_all(dir.path().join(file).parent().unwrap()).unwrap();
            std::fs::write(dir.path().join(file), "").unwrap();
        }
        let found = |case| {
            file_for_case(dir.path(), case).unwrap().map(|f| f.strip_prefix(dir.path()).unwrap().to_owned())
        };
        assert_eq!(found("secret/1/03"), Some("secret/1/03.out".into()));
        assert_eq!(found("sample/1/03"), Some("1/03.out".into()));
        assert_eq!(found("secret/2/04"), Some("2/04.out".into()));
        assert_eq!(found("secret/3/04"), Some("04.out".into()));
        assert_eq!(found("secret/3/05"), None);
    }

    #[test]
    fn a_lone_file_answers_every_case_unless_it_is_named_like_one() {
        let cases = ["secret/1/07", "secret/2/08"];
        let laid = |name: &str| {
            let file = SourceFile { bytes: (*b"1").into(), digest: Digest::of(b"1"), executable: false };
            let files = answer_files([(PathBuf::from(name), file)].into(), &cases);
            let dir = tempfile::tempdir().unwrap();
            for path in files.keys() {
                std::fs::create_dir_all(dir.path().join(path).parent().unwrap()).unwrap();
                std::fs::write(dir.path().join(path), "").unwrap();
            }
            cases.map(|case| file_for_case(dir.path(), case).unwrap().is_some())
        };
        assert_eq!(laid("main"), [true, true]);
        assert_eq!(laid("notes/anna.txt"), [true, true]);
        assert_eq!(laid("07.out"), [true, false]);
        assert_eq!(laid("2/08.txt"), [false, true]);
    }
}
