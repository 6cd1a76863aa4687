//! Chapter: overview. The statements of packages as pages.

use crate::scratch;
use std::{
    fs,
    process::{Command, Output},
};
use tempfile::TempDir;

const FILES: &[(&str, &str)] = &[
    (
        "problem.yaml",
        "problem_format_version: 2025-09\nname: {en: Sum, de: Summe}\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n\
         limits: {time_limit: 1.5}\n",
    ),
    ("statement/problem.en.md", "Add $n \\le 5$ numbers.\n"),
    ("statement/problem.de.md", "Addiere die Zahlen.\n\n{{nextsample}}\n\nViel Erfolg.\n"),
    ("statement/problem.pl.tex", "Dodaj.\n"),
    ("data/sample/1.in", "1 < 2\n"),
    ("data/sample/1.ans", "3\n"),
    ("data/secret/1/a.in", "4\n"),
    ("data/secret/1/a.ans", "4\n"),
    ("data/secret/2/b.in", "5\n"),
    ("data/secret/2/b.ans", "5\n"),
    ("input_validators/any.py", "import sys\nsys.exit(42)\n"),
    ("submissions/accepted/a.py", "print(3)\n"),
    ("submissions/accepted/b.cpp", "int main() {}\n"),
    ("submissions/wrong_answer/w.py", "print(4)\n"),
    ("submissions/time_limit_exceeded/t.py", "while True: pass\n"),
    ("submissions/run_time_error/r.py", "raise SystemExit(1)\n"),
    ("submissions/rejected/x.py", "print(5)\n"),
];

fn small_package() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    FILES.iter().for_each(|(path, text)| write(&home, path, text));
    home
}

fn write(home: &TempDir, path: &str, text: &str) {
    let path = home.path().join("sum").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn kopek(args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } =
        Command::new(env!("CARGO_BIN_EXE_kopek")).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

fn statement(home: &TempDir, more: &[&str]) -> (i32, String, String) {
    let (package, store) = (home.path().join("sum"), scratch::store());
    let args = ["statement", package.to_str().unwrap(), "--store", store.to_str().unwrap()];
    kopek(&[&args, more].concat())
}

#[test]
fn a_statement_is_a_page_that_loads_nothing() {
    let home = small_package();
    let (code, page, err) = statement(&home, &[]);
    assert_eq!(code, 0, "{err}");
    for part in [
        "<html lang=\"en\">",
        "<title>Sum</title>",
        "<math",
        "<pre tabindex=\"0\">1 &lt; 2\n</pre>",
        "<table",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("src=") && !page.contains("href="), "{page}");
    let (code, page, _) = statement(&home, &["--language", "de"]);
    assert!(code == 0 && page.contains("<html lang=\"de\">") && page.contains("<h1>Summe</h1>"), "{page}");
    assert!(
        page.find("<pre ") < page.find("Viel Erfolg"),
        "the sample stands where the text wants it: {page}"
    );
    let file = home.path().join("page.html");
    let (code, out, _) = statement(&home, &["--output", file.to_str().unwrap()]);
    assert!(code == 0 && out.trim_end().ends_with("page.html"), "{out}");
    assert!(fs::read_to_string(file).unwrap().ends_with("</html>\n"));
    fs::remove_dir_all(home.path().join("sum/data")).unwrap();
    let (code, page, err) = statement(&home, &[]);
    assert!(code == 0 && page.contains("<math") && !page.contains("<table"), "before there are cases: {err}");
}

#[test]
fn a_statement_that_cannot_become_a_page_says_why() {
    let home = small_package();
    let (code, _, err) = statement(&home, &["--language", "fr"]);
    assert!(code == 2 && err.contains("no statement in `fr`; there are: de, en, pl"), "{err}");
}
