//! Litter, tests and data: files of a hand-in that are never a participant or an entry point.

use super::notebook::is_notebook;
use kopek_base::files::lower_ending;
use kopek_package::language::LanguageTable;
use std::{ffi::OsStr, path::Path, sync::LazyLock};

/// Directories that tools create.
const DIRECTORIES: [&str; 6] =
    ["__macosx", "venv", "node_modules", "__pycache__", "cmakefiles", "site-packages"];
/// Directories that tools create for their output, but in which people also write programs.
const OUTPUT_DIRECTORIES: [&str; 7] = ["bin", "build", "dist", "obj", "out", "target", "x64"];
/// Files that systems leave behind.
const FILES: [&str; 4] = ["thumbs.db", "desktop.ini", "icon\r", "ehthumbs.db"];
/// Lowercase names of tests, without extension.
const TESTS: [&str; 6] = ["conftest", "setup", "test", "tests", "unittest", "unittests"];
/// Extensions of data, documents, pictures and compiler output.
const DATA: [&str; 41] = [
    "in", "ans", "out", "csv", "tsv", "xls", "xlsx", "ods", "pdf", "doc", "docx", "odt", "rtf", "ppt",
    "pptx", "odp", "md", "rst", "tex", "log", "png", "jpg", "jpeg", "gif", "svg", "bmp", "webp", "mp4",
    "mov", "heic", "zip", "tar", "gz", "tgz", "rar", "7z", "exe", "o", "class", "pyc", "jar",
];

/// Whether a top-level entry of a folder of hand-ins is not a hand-in.
pub(super) fn is_no_hand_in(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
    is_of_system(&lower) || is_read_me(&lower) || ends(&[".csv", ".yml", ".yaml"])
}

/// Whether a path in a hand-in is litter: hidden, created by a tool, or a readme or license.
pub(super) fn is_litter(path: &Path) -> bool {
    let names = lower_names(path);
    let Some((file, directories)) = names.split_last() else { return true };
    let in_litter = directories.iter().any(|name| {
        is_of_system(name) || DIRECTORIES.contains(&name.as_str()) || name.starts_with("cmake-build-")
    });
    in_litter || is_of_system(file) || is_read_me(file)
}

/// Whether a path is in a directory for the output of tools. `src/bin` holds programs in Rust.
pub(super) fn is_output(path: &Path) -> bool {
    let names = lower_names(path);
    let directories = &names[..names.len().saturating_sub(1)];
    let is_source = |at: usize| directories[at] == "bin" && at > 0 && directories[at - 1] == "src";
    (0..directories.len()).any(|at| OUTPUT_DIRECTORIES.contains(&directories[at].as_str()) && !is_source(at))
}

fn lower_names(path: &Path) -> Vec<String> {
    let lower = |name: &OsStr| name.to_string_lossy().to_lowercase();
    path.iter().map(lower).collect()
}

/// Whether a file name has the extension of a language or of a notebook.
pub(super) fn is_program_name(path: &Path) -> bool {
    static TABLE: LazyLock<LanguageTable> = LazyLock::new(LanguageTable::embedded);
    let name = path.to_string_lossy().to_lowercase();
    is_notebook(path) || TABLE.languages().iter().any(|language| language.owns(&name))
}

fn is_of_system(lower: &str) -> bool {
    // `~$` is a lock of an office program, a trailing `~` a backup of an editor.
    lower.starts_with(['.', '~']) || lower.ends_with('~') || lower == "__macosx" || FILES.contains(&lower)
}

fn is_read_me(lower: &str) -> bool {
    lower.split('.').next().is_some_and(|stem| ["readme", "license", "licence"].contains(&stem))
}

/// Whether a path is a test and not the program.
pub(super) fn is_test(path: &Path) -> bool {
    let names: Vec<String> = path.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let Some((file, directories)) = names.split_last() else { return false };
    let is_for_tests = |name: &String| matches!(name.to_lowercase().as_str(), "test" | "tests");
    let in_tests = directories.iter().any(is_for_tests);
    let stem = file.split('.').next().unwrap_or(file);
    let lower = stem.to_lowercase();
    let by_name = lower.starts_with("test_") || lower.ends_with("_test") || TESTS.contains(&lower.as_str());
    // The capital letter excludes `Greatest.java`.
    in_tests || by_name || stem.ends_with("Test") || stem.ends_with("Tests")
}

/// Whether a file holds data or documents, by its extension.
pub(super) fn is_data(path: &Path) -> bool {
    DATA.contains(&lower_ending(path).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn litter_and_tests_are_known_by_their_names() {
        for litter in [".venv/lib/a.py", "src/.DS_Store", "__MACOSX/a.py", "venv/x.py", "README.md", "a.py~"]
        {
            assert!(is_litter(Path::new(litter)), "{litter}");
        }
        for output in ["target/x.rs", "a/obj/x.cs", "build/a.py"] {
            assert!(is_output(Path::new(output)) && !is_litter(Path::new(output)), "{output}");
        }
        for test in
            ["test_sums.py", "sums_test.go", "SumsTest.java", "tests/a.py", "src/test/A.java", "conftest.py"]
        {
            assert!(is_test(Path::new(test)) && !is_litter(Path::new(test)), "{test}");
        }
        for program in ["Greatest.java", "contest.py", "attest.cpp", "src/main.rs", "bin.cpp", "latest.py"] {
            assert!(!is_test(Path::new(program)) && !is_litter(Path::new(program)), "{program}");
        }
    }
}
