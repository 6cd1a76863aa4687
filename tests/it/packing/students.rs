//! The zip for students: they can test at home with it, and no hidden case is in it.

use super::{names, unpack};
use crate::handing_in::graded::{SUM, kopek, sums_package, write_file};
use std::{fs, path::Path};

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
        message.contains("more.txt for students is the hidden input of secret/2/b; remove it"),
        "{message}"
    );
}
