//! Examples of the package among the hand-ins: the program of a file or folder in `submissions/`.

use super::entry_choice::ProgramChoice;
use kopek_base::files::directory_of;
use kopek_package::{
    language::{Links, read_files},
    package::{Package, Submission},
};
use std::path::{Path, PathBuf};

/// The example of the package at this place, with its declared language and all of its files, as for `kopek verify`.
/// `None`: there is none, or the package claims nothing about it, like a class that is kept in `submissions/`.
pub(super) fn example_program(name: &str, place: &Path, package: &Package) -> Option<ProgramChoice> {
    let path = |example: &Submission| package.dir.join("submissions").join(&example.name);
    let is_here = |example: &&Submission| {
        let path = path(example);
        path.file_name() == place.file_name()
            && real_place(&path).is_some_and(|real| real_place(place) == Some(real))
    };
    let example = package.submissions.iter().find(is_here)?;
    package.claims.iter().find(|claim| claim.is_about(&example.name))?;
    let entry = match example.source.files.as_slice() {
        [only] => Some(only.display().to_string()),
        _ => example.entry.clone(),
    };
    let contents = read_files(&example.source, Links::Follow, package.limits.code).ok();
    let submission = Ok(Submission { name: name.to_owned(), contents, ..example.clone() });
    Some(ProgramChoice { entry, ..ProgramChoice::with_all(submission) })
}

/// The path with all links resolved but its own.
fn real_place(path: &Path) -> Option<PathBuf> {
    Some(directory_of(path).canonicalize().ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CohortRules, read, read_single};
    use kopek_package::{
        language::{LanguageTable, SourceFile},
        package::{self, Participant},
    };
    use std::{fs, os::unix::fs::symlink};

    const PACKAGE: [(&str, &str); 13] = [
        ("problem.yaml", "problem_format_version: 2025-09\nname: Sums\nuuid: 1\nlimits: {time_limit: 1}\n"),
        ("submissions/submissions.yaml", "accepted/odd.py: {language: pypy3}\nodd: {permitted: [AC, WA]}\n"),
        ("submissions/accepted/a.py", "print(1)"),
        ("submissions/accepted/odd.py", "print(2)"),
        ("submissions/accepted/parts/main.py", "print(3)"),
        ("submissions/accepted/parts/data.inc", "4"),
        ("submissions/accepted/parts/deep/b.py", "print(5)"),
        ("submissions/odd/c/x.py", "print(6)"),
        ("submissions/odd/c/y.inc", "7"),
        ("submissions/class2026/ada.py", "print(8)"),
        ("submissions/class2026/bob.js", "print("),
        ("submissions/class2026/cid/brute.py", "print(9)"),
        ("submissions/class2026/cid/sums.py", "print(10)"),
    ];

    /// The files, the language and the entry of a program, or why there is none.
    fn program_of(member: &Participant) -> String {
        let program = match &member.submission {
            Ok(program) => program,
            Err(why) => return why.to_string(),
        };
        let files = program.contents.as_ref().expect("it was read");
        let text = |file: &SourceFile| String::from_utf8_lossy(&file.bytes).into_owned();
        let files: Vec<String> = files.values().map(text).collect();
        let entry = member.hand_in.entry.as_deref();
        format!("{} {} {}", files.join(","), program.language.as_deref().unwrap_or("-"), entry.unwrap_or("-"))
    }

    /// The package and links to it.
    fn sums(home: &Path) -> Package {
        for (path, text) in PACKAGE {
            let path = home.join("sums").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        for (link, target) in [
            ("linked", "sums"),
            ("good", "sums/submissions/accepted"),
            ("a.py", "sums/submissions/accepted/a.py"),
            ("sums/submissions/accepted/parts/link.inc", "../a.py"),
            ("sums/submissions/accepted/z.py", "odd.py"),
        ] {
            symlink(target, home.join(link)).unwrap();
        }
        package::read(&home.join("linked")).unwrap().package.unwrap()
    }

    #[test]
    fn a_path_below_the_examples_is_judged_as_the_program_that_it_names() {
        let home = tempfile::tempdir().unwrap();
        let package = sums(home.path());
        let table = LanguageTable::embedded();
        let whole = "4,print(5),print(1),print(3) - -";
        for (path, program) in [
            ("sums/submissions/accepted/a.py", "print(1) - a.py"),
            ("linked/submissions/accepted/odd.py", "print(2) pypy3 odd.py"),
            ("good/odd.py", "print(2) pypy3 odd.py"),
            ("good/../odd/c", "print(6),7 - -"),
            ("sums/submissions/accepted/parts", whole),
            ("good/parts/", whole),
            ("sums/submissions/accepted/z.py", "print(2) - z.py"),
            // Only a part of an example.
            ("sums/submissions/accepted/parts/main.py", "print(3) python3 main.py"),
            ("sums/submissions/accepted/parts/deep/b.py", "print(5) python3 b.py"),
            ("sums/submissions/odd/c/x.py", "print(6) python3 x.py"),
            // No example, as nothing is claimed about it.
            ("sums/submissions/class2026/ada.py", "print(8) python3 ada.py"),
            ("sums/submissions/class2026/cid/brute.py", "print(9) python3 brute.py"),
            ("sums/submissions/class2026/cid", "print(10) python3 sums.py"),
            ("a.py", "a symbolic link; hand in the file itself"),
        ] {
            let path = home.path().join(path);
            let member = read_single(&path, &package, &CohortRules::usual(&table)).unwrap();
            assert_eq!(program_of(&member), program, "{}", path.display());
        }
    }

    #[test]
    fn a_class_below_the_examples_is_judged_as_anywhere_else() {
        let home = tempfile::tempdir().unwrap();
        let package = sums(home.path());
        let table = LanguageTable::embedded();
        let programs = |folder: &str| -> Vec<String> {
            let class = read(&home.path().join(folder), None, std::slice::from_ref(&package.name)).unwrap();
            let members = class.participants(&package, &CohortRules::usual(&table)).unwrap();
            members.iter().map(|one| format!("{}: {}", one.name, program_of(one))).collect()
        };
        let class = [
            "ada: print(8) python3 ada.py",
            "bob: print( javascript bob.js",
            "cid: print(10) python3 sums.py",
        ];
        assert_eq!(programs("linked/submissions/class2026"), class);
        let inside = ["brute: print(9) python3 brute.py", "sums: print(10) python3 sums.py"];
        assert_eq!(programs("sums/submissions/class2026/cid"), inside);
        let examples = [
            "a: print(1) - a.py",
            "odd: print(2) pypy3 odd.py",
            "parts: 4,print(5),print(1),print(3) - -",
            "z: print(2) - z.py",
        ];
        assert_eq!(programs("good"), examples);
        let main = programs("good/parts").pop().unwrap();
        assert_eq!(main, "main: print(3) python3 main.py");
    }
}
