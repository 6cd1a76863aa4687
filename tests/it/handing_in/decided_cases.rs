//! Cases that no run decides, closed by a row in the table of decisions.

use super::{
    graded::{sums_package, write_file},
    in_memory::{FAKE_SUM, grade, refusal},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// Fails on words instead of refusing them: such outputs are not judged.
const FRAGILE: &str =
    "if has(text, \"many\"): exit 1\nif numbers(text) == numbers(file(args[1])): accept\nrefuse\n";

/// Small numbers are no trouble.
const WORDS: &str = "n = sum(input)\nif n > 8: n = \"many\"\nprint n\n";

fn class(home: &Path) {
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/output_validator/check.py"), FRAGILE);
    write_file(&home.join("class/ada.py"), FAKE_SUM);
    write_file(&home.join("class/bob.py"), WORDS);
}

const DECIDED: [&str; 4] = ["sums", "class", "--decisions", "decisions.csv"];

fn decide(home: &Path, rows: &str) {
    write_file(&home.join("decisions.csv"), &format!("participant,case,verdict,reason,by\n{rows}"));
}

/// The report after these decisions.
fn graded(home: &Path, rows: &str, more: &[&str]) -> Value {
    decide(home, rows);
    let graded = grade(home, &[&DECIDED, &["--format", "json"][..], more].concat()).unwrap();
    serde_json::from_str(&graded.text).unwrap()
}

#[test]
fn a_row_closes_an_open_case_or_is_an_error() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home);
    let report = graded(home, "", &[]);
    assert_eq!(report["participants"][1]["points"], Value::Null);
    assert_ne!(report["faults"], json!([]));

    let wrong = "bob,secret/2/b,wrong answer,bob prints words,Noether\n";
    let report = graded(home, wrong, &[]);
    let bob = &report["participants"][1];
    assert_eq!((&bob["points"], &bob["verdict"]), (&json!(60), &json!("WA")));
    assert_eq!(report["faults"], json!([]));
    let decision =
        json!({"case": "secret/2/b", "verdict": "WA", "reason": "bob prints words", "by": "Noether"});
    assert_eq!(bob["decided"], json!([decision]));

    // A part of the class does not need rows of the others.
    assert_eq!(graded(home, wrong, &["--only", "ada"])["faults"], json!([]));

    let report = graded(home, wrong, &["--anonymous"]);
    assert_eq!(report["faults"], json!([]));
    assert!(!report.to_string().contains("bob"), "{report}");
    assert!(report.to_string().contains(r#""reason":"(left out)""#), "{report}");

    for (rows, words) in [
        ("ada,secret/2/b,AC,he asked,Noether\n", ["line 2", "`accepted`", "bob on secret/2/b"]),
        ("bob,secret/2/c,AC,he asked,Noether\n", ["line 2", "no case", "did you mean `secret/2/b`?"]),
        ("eve,secret/2/b,AC,she asked,Noether\n", ["line 2", "no participant", "eve"]),
        ("bob,secret/2/b,good,he asked,Noether\n", ["line 2", "`good` is not a verdict", "time limit (TLE)"]),
    ] {
        decide(home, rows);
        let errors = refusal(home, &DECIDED);
        assert!(words.iter().all(|word| errors.contains(word)), "{errors}");
    }
}

#[test]
fn points_by_hand_come_before_the_late_penalty_and_are_in_every_report() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home);
    write_file(&home.join("late.csv"), "participant,late\nada,1 day\n");
    // 100 points, of which the group 2 has 40: 100 - 10 - 5 = 85, of which a tenth is 8.5.
    let rows = "ada,secret/2,30,,Noether\nada,,-5,bad <style>,Noether\nbob,,12.5,a good idea,Hilbert\n";
    write_file(&home.join("by-hand.csv"), &format!("participant,group,points,comment,by\n{rows}"));
    let late = "late = { rule = '10%/day', table = 'late.csv' }";
    let rules = ["--decisions", "by-hand.csv", "--rules", late, "--out", "out"];
    let text = grade(home, &[&["sums", "class"][..], &rules].concat()).unwrap().text;
    let report: Value = serde_json::from_slice(&fs::read(home.join("out/report.json")).unwrap()).unwrap();
    let [ada, bob] = [0, 1].map(|at| &report["participants"][at]);
    assert_eq!((&ada["points"], &ada["deduction"]["points"]), (&json!(76.5), &json!(8.5)));
    assert_eq!(ada["by_hand"]["automatic_points"], json!(100));
    assert_eq!(bob["points"], json!(12.5));
    for line in [
        "Group 2: 40 → 30 points, by hand: Noether",
        "90 → 85 points, by hand: Noether: bad <style>",
        "not known → 12.5 points, by hand: Hilbert: a good idea",
    ] {
        assert!(text.contains(line), "{text}");
    }
    for (file, line) in [
        ("out/index.html", "90 → 85 points, by hand: Noether: bad &lt;style&gt;"),
        ("out/pages/ada.html", "90 → 85 points, by hand: Noether: bad &lt;style&gt;"),
        ("out/pages/bob.html", "by hand: Hilbert: a good idea"),
    ] {
        let page = fs::read_to_string(home.join(file)).unwrap();
        assert!(page.contains(line), "{file}: {page}");
    }
    write_file(&home.join("by-hand.csv"), "participant,points,by\nadda,5,Noether\n");
    let errors = refusal(home, &["sums", "class", "--decisions", "by-hand.csv"]);
    assert!(errors.contains("line 2: no participant `adda`; did you mean ada?"), "{errors}");
}
