//! A validator may use any name and macro: none of an adapter clashes with it.

use super::{interactors::guessing, own_archives::grouped, there_and_back};
use crate::importing::foreign_packages::kopek;
use kopek::pack::Target;
use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

const ADAPTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/exchange/src/pack/adapters");

/// All words of the adapters but those of our namespace.
fn adapter_words() -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for name in ["head.cpp", "cms.cpp", "dmoj.cpp", "hydro.cpp", "tail.cpp"] {
        let text = fs::read_to_string(Path::new(ADAPTERS).join(name)).unwrap();
        let found = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let is_ours = |word: &str| word.starts_with("kopek") || word == "validator_main";
        words.extend(
            found.filter(|word| word.starts_with(char::is_alphabetic) && !is_ours(word)).map(str::to_owned),
        );
    }
    words
}

fn compiler(options: &[&str], file: &Path) -> Output {
    Command::new("g++").args(options).arg(file).output().unwrap()
}

/// Those of these words that a program may give to variables of its own.
fn free_names(words: &BTreeSet<String>) -> Vec<&str> {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("v.cpp");
    fs::write(&file, program_with(&Vec::from_iter(words.iter().map(String::as_str)))).unwrap();
    let output = compiler(&["-std=gnu++20", "-fsyntax-only"], &file);
    let said = String::from_utf8(output.stderr).unwrap();
    let refused = |line: usize| said.contains(&format!("v.cpp:{line}:"));
    let named = words.iter().enumerate().filter(|(at, _)| !refused(at + NAMES_FROM));
    named.map(|(_, word)| word.as_str()).collect()
}

/// The line of the first name.
const NAMES_FROM: usize = 4;

/// A validator with these global variables, a line for each.
fn program_with(names: &[&str]) -> String {
    let variables: String = names.iter().map(|name| format!("int {name};\n")).collect();
    format!(
        "#include <iostream>\n#include <locale>\nusing namespace std;\n{variables}signed main() {{ return 42; }}\n"
    )
}

#[test]
fn validators_have_every_name_for_themselves() {
    let words = adapter_words();
    let names = free_names(&words);
    for word in ["messages", "points", "shares", "interactive", "INTERACTIVE", "share", "open", "read", "dup"]
    {
        assert!(names.contains(&word) || !words.contains(word), "{word} in {names:?}");
    }
    let usual = [
        "messages",
        "points",
        "shares",
        "INTERACTIVE",
        "open",
        "read",
        "close",
        "pipe",
        "dup",
        "index",
        "link",
    ];
    let all: BTreeSet<&str> = names.into_iter().chain(usual).collect();
    let mut validator = program_with(&Vec::from_iter(all.iter().copied()));
    // Macros reach only what stands behind them.
    for word in all.iter().chain(&["int", "char", "main"]) {
        validator += &format!("#define {word} 1\n");
    }
    let files = [("output_validator/v.cpp", validator.as_str())];
    let checked = grouped("pass-fail", "", &[("", 1)], &files);
    let talking = guessing(&files);
    let hydro = ["-std=c++14", "-Wall", "-lm"];
    let dmoj = ["-std=c++17", "-Wall", "-DONLINE_JUDGE", "-lm"];
    let cms = ["-std=gnu++20", "-static"];
    for (home, target, source, options) in [
        (&checked, Target::Hydro, "testdata/checker.cc", &hydro[..]),
        (&checked, Target::Dmoj, "checker.cpp", &dmoj),
        (&checked, Target::Cms, "check/checker.cpp", &cms),
        (&talking, Target::Hydro, "testdata/interactor.cc", &hydro),
        (&talking, Target::Dmoj, "interactor.cpp", &dmoj),
    ] {
        let source = there_and_back(home, target).join(source);
        assert_compiles(home, &source, options);
    }
}

#[track_caller]
fn assert_compiles(home: &TempDir, source: &Path, options: &[&str]) {
    let program = home.path().join("program").to_string_lossy().into_owned();
    let output = compiler(&[options, &["-o", &program]].concat(), source);
    assert!(output.status.success(), "{}: {}", source.display(), String::from_utf8_lossy(&output.stderr));
}

#[test]
fn an_adapter_that_does_not_compile_is_not_packed() {
    // The only name that is ours.
    let validator = "int kopek = 42;\nint main() { return kopek; }\n";
    let home = grouped("pass-fail", "", &[("", 1)], &[("output_validator/v.cpp", validator)]);
    let store = crate::scratch::store();
    let words = ["pack", "sum", "--for", "dmoj", "--store", store.to_str().unwrap()];
    let output = kopek(&words.map(OsStr::new), home.path());
    let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains(
            "sum-dmoj is not written, because checker.cpp in it would not work: it does not compile"
        ),
        "{said}"
    );
    assert!(said.contains("kopek") && !home.path().join("sum-dmoj.zip").exists(), "{said}");
}
