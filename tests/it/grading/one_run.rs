//! `--timing single`: one run decides a time limit, and every report says so.

use crate::handing_in::graded::{SUM, kopek, sums_package, write_file};

#[test]
fn every_report_says_that_one_run_decided() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/ada.py"), SUM);
    write_file(&home.join("loose/1.in"), "1 2\n");
    write_file(&home.join("loose/1.out"), "3\n");
    let rule = "time limits were decided by one run";
    let said = |args: &[&str]| {
        let output = kopek(home, args);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!text.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        text.replace("\n   ", "").contains(rule)
    };
    // Formats of a class: `reports::every_report_says_by_which_rules_it_was_judged`.
    for (command, formats) in [
        (&["run", "sums", "class/ada.py"][..], &["text", "json"][..]),
        (&["test", "class/ada.py", "loose"], &["text"]),
        (&["grade", "sums", "class"], &["text"]),
        (&["verify", "sums"], &["text", "json", "junit", "github"]),
    ] {
        assert!(!said(command), "{command:?}");
        for format in formats {
            let args = [command, &["--format", format, "--timing", "single"]].concat();
            assert!(said(&args), "{args:?}");
        }
    }
}
