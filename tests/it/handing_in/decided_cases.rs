//! Cases that no run decides, closed by a row in the table of decisions.

use super::graded::{SUM, kopek, sums_package, write_file};
use serde_json::{Value, json};
use std::path::Path;

/// Fails on words instead of refusing them: such outputs are not judged.
const FRAGILE: &str = "\
import sys
answer, found = int(open(sys.argv[2]).read()), int(sys.stdin.read())
sys.exit(42 if answer == found else 43)
";

/// Small numbers are no trouble.
const WORDS: &str = "n = sum(map(int, input().split()))\nprint(n if n < 9 else 'many')\n";

fn class(home: &Path) {
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/output_validator/check.py"), FRAGILE);
    write_file(&home.join("class/ada.py"), SUM);
    write_file(&home.join("class/bob.py"), WORDS);
}

/// Exit code, report and messages.
fn graded(home: &Path, rows: &str, more: &[&str]) -> (i32, Value, String) {
    write_file(&home.join("decisions.csv"), &format!("participant,case,verdict,reason,by\n{rows}"));
    let args = ["grade", "sums", "class", "--format", "json", "--decisions", "decisions.csv"];
    let output = kopek(home, &[&args[..], more].concat());
    let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code().unwrap(), report, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_row_closes_an_open_case_or_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home);
    let (code, report, _) = graded(home, "", &[]);
    assert_eq!((code, &report["participants"][1]["points"]), (3, &Value::Null));

    let wrong = "bob,secret/2/b,wrong answer,bob prints words,Noether\n";
    let (code, report, errors) = graded(home, wrong, &[]);
    let bob = &report["participants"][1];
    assert_eq!((code, &bob["points"], &bob["verdict"]), (0, &json!(60), &json!("WA")), "{errors}");
    assert_eq!(report["faults"], json!([]));
    let decision =
        json!({"case": "secret/2/b", "verdict": "WA", "reason": "bob prints words", "by": "Noether"});
    assert_eq!(bob["decided"], json!([decision]));

    // A part of the class does not need rows of the others.
    assert_eq!(graded(home, wrong, &["--only", "ada"]).0, 0);

    let (code, report, _) = graded(home, wrong, &["--anonymous"]);
    assert_eq!(code, 0);
    assert!(!report.to_string().contains("bob"), "{report}");
    assert!(report.to_string().contains("prints words"), "{report}");

    for (rows, words) in [
        ("ada,secret/2/b,AC,he asked,Noether\n", ["line 2", "`accepted`", "bob on secret/2/b"]),
        ("bob,secret/2/c,AC,he asked,Noether\n", ["line 2", "no case", "did you mean `secret/2/b`?"]),
        ("eve,secret/2/b,AC,she asked,Noether\n", ["line 2", "no participant", "eve"]),
        ("bob,secret/2/b,good,he asked,Noether\n", ["line 2", "`good` is not a verdict", "time limit (TLE)"]),
    ] {
        let (code, _, errors) = graded(home, rows, &[]);
        assert_eq!(code, 2, "{errors}");
        assert!(words.iter().all(|word| errors.contains(word)), "{errors}");
    }
}
