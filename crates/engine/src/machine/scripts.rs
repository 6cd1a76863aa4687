//! Programs of a package in no language of the table: a directory with `build` or `run`, which the format
//! allows for everything except submissions, and input files of Checktestdata.

use super::answers_row::row_of_answers;
use kopek_package::language::{EntryPoint, Language, SourceFiles};
use std::path::{Path, PathBuf};

/// Builds by the format's rule: runs `build` if there is one; then `run` must exist.
const BUILD: &str = "
if [ -e build ]; then
    [ -x build ] || { echo 'build is not executable: chmod +x build' >&2; exit 1; }
    ./build || exit
fi
[ -f run ] || { echo 'there is no run beside build, and build made none' >&2; exit 1; }
[ -x run ] || { echo 'run is not executable: chmod +x run' >&2; exit 1; }
";

/// Arguments: the program, the description, the arguments of the group. Only options are passed on:
/// Checktestdata would take other words for files. Exit codes are mapped to those of an input validator.
const CHECKTESTDATA: &str = "
tool=$1 description=$2
shift 2
for word in \"$@\"; do
    shift
    case $word in -*) set -- \"$@\" \"$word\" ;; esac
done
\"$tool\" \"$@\" \"$description\"
case $? in 0) exit 42 ;; 1) exit 43 ;; *) exit 1 ;; esac
";

/// Languages whose tools scripts can rely on.
pub(crate) const PROMISED: [&str; 3] = ["python3", "c", "cpp"];

/// The code of the row of scripts.
pub(crate) const CODE: &str = "scripts";

/// The row of a program that is a directory with `build` or `run`.
pub(crate) fn scripted(source: &SourceFiles) -> Option<Language> {
    let has = |name: &str| source.files.iter().any(|file| file == Path::new(name));
    // A lone file must keep its name.
    let lone = source.files.first().and_then(|file| file.to_str()).map(str::to_owned);
    (has("build") || has("run")).then(|| Language {
        code: CODE.into(),
        name: "build and run".into(),
        lone,
        build: Some(["sh", "-c", BUILD].map(String::from).into()),
        run: vec!["/exe/run".into()],
        ..row_of_answers()
    })
}

/// The row of a `.ctd` file.
pub(crate) fn checktestdata(source: &SourceFiles) -> Option<Language> {
    let described = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "ctd");
    let run = ["sh", "-c", CHECKTESTDATA, "sh", "{checktestdata}", "/exe/{entry}"];
    source.files.iter().all(described).then(|| Language {
        code: "checktestdata".into(),
        name: "Checktestdata".into(),
        endings: vec![".ctd".into()],
        entry: EntryPoint::File("main.ctd".into()),
        // The second is the Python package of that name.
        tools: [("checktestdata".to_owned(), ["checktestdata", "pyctd"].map(String::from).into())].into(),
        install: "checktestdata".into(),
        run: run.map(String::from).into(),
        probe: ["{checktestdata}", "--version"].map(String::from).into(),
        ..row_of_answers()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(files: &[&str]) -> SourceFiles {
        SourceFiles { root: "/nowhere".into(), files: files.iter().map(PathBuf::from).collect() }
    }

    #[test]
    fn only_the_two_scripts_at_the_top_make_a_program_of_scripts() {
        assert!(scripted(&source(&["build", "check.c"])).is_some());
        assert!(scripted(&source(&["run"])).is_some());
        assert!(scripted(&source(&["check.c", "sub/run"])).is_none());
        assert!(checktestdata(&source(&["a.ctd"])).is_some());
        assert!(checktestdata(&source(&["a.ctd", "b.py"])).is_none());
    }
}
