//! The zip for students: they can test at home with it, and no hidden case is in it.

use super::{names, package, read, unpack};
use crate::handing_in::graded::{SUM, kopek, sums_package, write_file};
use kopek::pack::pack_for_students;
use std::{
    collections::BTreeMap,
    fs,
    io::{Cursor, Write},
    path::Path,
};
use zip::{ZipWriter, write::SimpleFileOptions};

fn packed(home: &Path, code: i32) -> String {
    let output = kopek(home, &["pack", "sums", "--for", "students"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{message}");
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn students_get_what_they_need_to_test_at_home_and_nothing_hidden() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let sums = home.join("sums");
    for (path, text) in [
        ("data/sample/2.in", "real input"),
        ("data/sample/2.ans", "7"),
        ("data/sample/2.in.download", "3 4\n"),
        ("data/sample/2.ans.download", "7\n"),
        ("data/sample/2.in.statement", "3 4 as shown\n"),
        ("data/sample/2.ans.statement", "7 as shown\n"),
        ("attachments/templates/python3/sums.py", "a, b = map(int, input().split())\n"),
        ("attachments/numbers.txt", "1 2\n"),
        ("submissions/accepted/sum.py", SUM),
        ("generators/notes.txt", "20 30\n"),
    ] {
        write_file(&sums.join(path), text);
    }
    packed(home, 0);
    let zip = home.join("sums-students.zip");
    let expected = [
        "sums/index.html",
        "sums/numbers.txt",
        "sums/statement.en.html",
        "sums/templates/python3/sums.py",
        "sums/test/1.ans",
        "sums/test/1.in",
        "sums/test/2.ans",
        "sums/test/2.in",
    ];
    let files: Vec<String> = names(&zip).into_iter().filter(|name| !name.ends_with('/')).collect();
    assert_eq!(files, expected);
    let at_home = home.join("at-home");
    unpack(&zip, &at_home);
    assert_eq!(fs::read_to_string(at_home.join("sums/test/2.in")).unwrap(), "3 4\n");
    let page = fs::read_to_string(at_home.join("sums/index.html")).unwrap();
    assert!(page.contains("kopek test --time-limit 5 --memory-limit"), "{page}");
    write_file(&at_home.join("sums/mine.py"), SUM);
    let output = kopek(&at_home.join("sums"), &["test", "--time-limit", "5", "mine.py"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("2 cases"));
    let hidden = ["2 3\n", "20 30\n", "50\n"];
    for name in expected {
        let bytes = fs::read(at_home.join(name)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!hidden.iter().any(|secret| text.contains(secret)) && !text.contains(SUM), "{name}: {text}");
    }
    write_file(&sums.join("attachments/more.txt"), "20 30\n");
    let message = packed(home, 2);
    assert!(
        message.contains("more.txt for students has the hidden input of secret/2/b; remove it"),
        "{message}"
    );
}

/// A zip of one file.
fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(bytes).unwrap();
    zip.finish().unwrap().into_inner()
}

#[test]
fn hidden_words_are_found_in_every_form() {
    let home = package(&[
        (
            "problem.yaml",
            "problem_format_version: 2025-09\nname: Sum\nuuid: 8fd2f3f0-6dd1-4d0c-9f1a-2b6a7f4f3b11\n",
        ),
        ("statement/problem.en.md", "Print `IMPOSSIBLE` or the sum, at most 10000000.\n"),
        ("input_validators/any.py", "exit(42)\n"),
        ("data/sample/1.in", "3\n1 2 3\n"),
        ("data/sample/1.ans", "shown to all\n"),
        ("data/secret/1.in", "4\n11 12 13 14\n"),
        ("data/secret/1.ans", "#..#.##.\n..#\n"),
        ("data/secret/2.in", "7 8\n"),
        ("data/secret/2.ans", "IMPOSSIBLE\n"),
        ("data/secret/3.in", "3\n1 2 3\n"),
        ("data/secret/3.ans", "shown to all\n"),
    ]);
    let sum = home.path().join("sum");
    let input = "the hidden input of secret/1";
    let answer = "the hidden answer of secret/1";
    let inner = zipped("a/1.txt", b"4\n11 12 13 14\n");
    for (name, bytes, found) in [
        ("a.txt", &b"4\r\n11 12 13 14"[..], Some(input)),
        ("a.txt", b"first: 4 11  12 13 14, then nothing", Some(input)),
        ("a.py", b"try_it([4, 11, 12, 13, 14])", Some(input)),
        ("a.py", b"text = '4\\n11 12 13 14\\n'", Some(input)),
        ("a.txt", b"it prints\n#..#.##.\n..#\n", Some(answer)),
        ("a.txt", b"7 8", Some("the hidden input of secret/2")),
        ("a.zip", &inner, Some("a.zip/1.txt for students has the hidden input of secret/1")),
        ("a.docx", &zipped("b.zip", &inner), Some("a.docx/b.zip/1.txt for students has")),
        ("a.zip", b"PK\x03\x04 and nothing more", Some("search a.zip for hidden cases")),
        ("a.7z", b"7z", Some("a.7z for students cannot be searched for hidden cases")),
        // What everybody may know, other numbers, and what occurs by chance.
        ("a.txt", b"IMPOSSIBLE is shown to all: 3 1 2 3", None),
        ("a.txt", b"14 11 12 13 14", None),
        ("a.txt", b"6 7 8 9", None),
    ] {
        let place = sum.join("attachments").join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, bytes).unwrap();
        let (package, tests) = read(&sum);
        let packed = pack_for_students(&package, &tests, BTreeMap::new());
        let said = packed.err().map(|error| format!("{error:#}")).unwrap_or_default();
        assert!(said.contains(found.unwrap_or("")) && said.is_empty() == found.is_none(), "{name}: {said:?}");
        fs::remove_file(place).unwrap();
    }
}
