//! The adapters, built and called as any other system would: with a bare compiler and
//! the arguments of the package format, and nothing of kopek around them.

use super::foreign_packages::{kopek, named, tiny};
use kopek::import::Regenerate;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// A checker that ends as the output says.
const CHECKER: &str = r#"#include "testlib.h"
#include <unistd.h>

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    std::string given = inf.readToken(), right = ans.readToken(), word = ouf.readToken();
    if (given != "input" || right != "answer") quitf(_fail, "files in another order");
    if (word == "ok") quitf(_ok, "well done");
    if (word == "wa") quitf(_wa, "no");
    if (word == "pe") quitf(_pe, "no");
    if (word == "dirt") quitf(_dirt, "no");
    if (word == "fail") quitf(_fail, "the judge is broken");
    if (word == "points") quitp(atof(ouf.readToken().c_str()), "some");
    if (word == "percent") quitf(_pc(ouf.readInt()), "some");
    if (word == "crash") abort();
    if (word == "odd") _exit(99);
}
"#;

/// Imports a package with this checker; its directory.
fn imported(home: &TempDir) -> PathBuf {
    let source = home.path().join("source");
    let files = [
        (
            "problem.xml",
            r#"<problem short-name="x"><judging><testset name="tests">
            <input-path-pattern>tests/%d</input-path-pattern><answer-path-pattern>tests/%d.a</answer-path-pattern>
            <tests><test points="8"/></tests></testset></judging><assets>
            <checker name="check.cpp"><source path="check.cpp"/></checker>
            <solutions><solution tag="main"><source path="main.cpp"/></solution></solutions></assets></problem>"#,
        ),
        ("check.cpp", CHECKER),
        ("main.cpp", "int main() {}\n"),
        ("tests/1", "input\n"),
        ("tests/1.a", "answer\n"),
    ];
    for (path, text) in files {
        fs::create_dir_all(source.join(path).parent().unwrap()).unwrap();
        fs::write(source.join(path), text).unwrap();
    }
    let (made, testlib) = (home.path().join("made"), tiny());
    let args =
        ["import".as_ref(), source.as_os_str(), made.as_os_str(), "--testlib".as_ref(), testlib.as_os_str()];
    let output = kopek(&args, home.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    made
}

/// All sources of a directory as one program, as the format says.
fn built(dir: &Path) -> PathBuf {
    let sources = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let is_source = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "cpp" || ending == "c");
    let sources: Vec<PathBuf> = sources.filter(is_source).collect();
    let compiler = if sources[0].extension().unwrap() == "c" { "cc" } else { "c++" };
    let program = dir.join("program");
    let output = Command::new(compiler).args(["-O2", "-o"]).arg(&program).args(&sources).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// The exit code, and the files in the feedback directory.
fn called(
    program: &Path,
    package: &Path,
    args: &[&str],
    output: &str,
) -> (Option<i32>, Vec<(String, String)>) {
    let feedback = tempfile::tempdir().unwrap();
    let data = package.join("data/secret");
    let mut command = Command::new(program);
    command
        .arg(data.join("01.in"))
        .arg(data.join("01.ans"))
        .arg(format!("{}/", feedback.path().display()))
        .args(args);
    let mut child =
        command.stdin(Stdio::piped()).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(output.as_bytes()).unwrap();
    let code = child.wait().unwrap().code();
    let files = fs::read_dir(feedback.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap())
        })
        .filter(|(_, text)| !text.is_empty())
        .collect();
    files.sort();
    (code, files)
}

/// What the checker reads, what the validator replies: exit code, message, share of the points.
const ENDS: &[(&str, i32, &str, Option<&str>)] = &[
    ("ok", 42, "ok well done\n", None),
    ("wa", 43, "wrong answer no\n", None),
    ("pe", 43, "wrong output format no\n", None),
    ("dirt", 43, "wrong output format no\n", None),
    ("", 43, "unexpected eof a token was expected\n", None),
    ("fail", 1, "FAIL the judge is broken\n", None),
    ("points 8", 42, "points 8 some\n", None),
    ("points 9", 42, "points 9 some\n", None),
    ("points 2", 42, "points 2 some\n", Some("0.250000000000\n")),
    ("points 0", 43, "points 0 some\n", None),
    ("percent 1", 42, "partially correct (1) some\n", Some("0.010000000000\n")),
    ("percent 100", 42, "partially correct (100) some\n", None),
    ("percent 0", 43, "partially correct (0) some\n", None),
    ("crash", 1, "", None),
    ("odd", 1, "", None),
    ("nothing", 3, "FAIL Checker must end with a verdict\n", None),
];

#[test]
fn exit_codes_of_testlib_become_those_of_the_format() {
    let home = tempfile::tempdir().unwrap();
    let package = imported(&home);
    let program = built(&package.join("output_validator"));
    for (output, code, message, share) in ENDS {
        let mut files = Vec::new();
        if !message.is_empty() {
            files.push(("judgemessage.txt".to_owned(), (*message).to_owned()));
        }
        files.extend(share.map(|share| ("score_multiplier.txt".to_owned(), share.to_owned())));
        // Whatever is neither 42 nor 43 is the judge's failure; which code it is says nothing.
        let code = if *code == 42 || *code == 43 { *code } else { 1 };
        assert_eq!(called(&program, &package, &["--points=8"], output), (Some(code), files), "{output}");
    }
}

#[test]
fn programs_whose_main_has_named_types_compile() {
    for (name, programs) in [
        ("polygon-guess", &["output_validator"][..]),
        ("polygon-groups", &["output_validator", "input_validators/val"]),
    ] {
        let (home, _) = named(name).import(Regenerate::Missing);
        for program in programs {
            built(&home.path().join("made").join(program));
        }
    }
}

#[test]
fn without_points_only_all_of_them_is_accepted() {
    let home = tempfile::tempdir().unwrap();
    let package = imported(&home);
    let program = built(&package.join("output_validator"));
    for (output, code) in
        [("points 0.5", 43), ("points 1", 42), ("percent 99", 43), ("percent 100", 42), ("ok", 42)]
    {
        let (exit, files) = called(&program, &package, &[], output);
        assert_eq!(exit, Some(code), "{output}");
        assert!(files.iter().all(|(name, _)| name == "judgemessage.txt"), "{files:?}");
    }
}

#[test]
fn programs_come_along_unchanged() {
    let pairs = [
        ("polygon-groups", "files/check.cpp", "output_validator/check.cpp.inc"),
        ("polygon-groups", "files/val.cpp", "input_validators/val/val.cpp.inc"),
        ("polygon-guess", "files/interactor.cpp", "output_validator/interactor.cpp.inc"),
        ("polygon-guess", "files/check.cpp", "output_validator/check.cpp.inc"),
        ("polygon-made", "files/gen.cpp", "generators/gen/gen.cpp"),
        ("cms-parts", "cor/correttore.c", "output_validator/correttore.c.inc"),
        ("cms-parts", "gen/valida.c", "input_validators/valida/valida.c.inc"),
        ("cms-sum", "gen/valida.py", "input_validators/valida/valida.py"),
    ];
    for (name, from, to) in pairs {
        let specimen = named(name);
        let (home, _) = specimen.import(Regenerate::Missing);
        let (before, after) =
            (fs::read(specimen.source().join(from)), fs::read(home.path().join("made").join(to)));
        assert_eq!(before.unwrap(), after.unwrap(), "{name}: {from}");
    }
}
