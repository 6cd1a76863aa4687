//! Grades for a platform: from its download to the file it imports.

use super::{
    graded::{self, sums_package, write_file},
    in_memory::{FAKE_HALF as HALF, FAKE_SUM as SUM, grade, refusal},
};
use crate::fake_machine::{USUAL_WISHES, fake_machine, verify_package};
use kopek::render::{render_verified_github, render_verified_junit};
use std::{fs, path::Path};

const HEAD: &str = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
    Last modified (submission),Last modified (grade),Feedback comments";

fn gradebook(ada: &str, bo: &str) -> String {
    format!(
        "\u{feff}{HEAD}\r\nParticipant 17,\"Lovelace, Ada\",a@x.edu,Submitted,{ada},100,Yes,\"1,\r\n2\",-,\r\n\
         Participant 18,Bo Li,b@x.edu,Submitted,{bo},100,Yes,-,-,\"so \"\"so\"\"\"\r\nParticipant 19,Cy,c@x.edu,,,100,Yes,,-,\r\n"
    )
}

#[test]
fn a_download_of_moodle_becomes_a_filled_gradebook_and_feedback_to_upload() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/Ada L_17_assignsubmission_file_/sums.py"), SUM);
    write_file(&home.join("class/Bo Li_18_assignsubmission_file_/a.py"), HALF);
    write_file(&home.join("Grades.csv"), &gradebook("", "1"));
    let words = ["sums", "class", "--gradebook", "Grades.csv", "--overwrite-grades", "--out", "out"];
    let message = grade(home, &words).unwrap().said;
    assert_eq!(fs::read_to_string(home.join("out/Grades.csv")).unwrap(), gradebook("100", "60"));
    assert_eq!(
        fs::read_to_string(home.join("Grades.csv")).unwrap(),
        gradebook("", "1"),
        "the original stays"
    );
    for part in ["wrote 2 grades", "1 in the gradebook without a hand-in", "Cy", "Bo Li: 1 → 60"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let zip = fs::File::open(home.join("out/feedback-for-moodle.zip")).unwrap();
    let mut zip = zip::ZipArchive::new(zip).unwrap();
    assert_eq!(zip.len(), 2);
    let page = zip.by_name("Bo Li_18_assignsubmission_file_/feedback.html").unwrap();
    let page = std::io::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("60/100 points"), "{page}");
    let message = grade(home, &[&words[..5], &["--only", "18"]].concat()).unwrap().said;
    assert_eq!(fs::read_to_string(home.join("Grades.csv")).unwrap(), gradebook("", "60"), "in place");
    for part in
        ["1 in the gradebook without a hand-in", "1 without a result this time, left as they were: Ada L"]
    {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn a_gradebook_that_does_not_fit_is_an_error_before_anything_is_judged() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/Ada L_17_assignsubmission_file_/sums.py"), SUM);
    let low = gradebook("", "").replace("100,Yes", "50,Yes");
    write_file(&home.join("Grades.csv"), &low);
    let message = refusal(home, &["sums", "class", "--gradebook", "Grades.csv"]);
    assert!(message.contains("the maximum grade is 50"), "{message}");
    assert_eq!(fs::read_to_string(home.join("Grades.csv")).unwrap(), low, "nothing was written");
    let message = refusal(home, &["sums", "class", "--only", "Eve"]);
    assert!(message.contains("no such participant"), "{message}");
}

#[test]
fn other_systems_read_the_results() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/a&b.py"), HALF);
    let printed = |format: &str| grade(home, &["sums", "class", "--format", format]).unwrap().text;
    let results: serde_json::Value = serde_json::from_str(&printed("gradescope")).unwrap();
    assert_eq!(results["score"], 60);
    let tests = results["tests"].as_array().unwrap();
    assert_eq!(
        (&tests[1]["score"], &tests[1]["max_score"], &tests[2]["status"]),
        (&60.into(), &60.into(), &"failed".into())
    );
    let github = printed("github");
    assert!(github.contains("::error file=a&b.py,title=a&b on sums%3A secret/2::wrong answer\n"), "{github}");
    assert!(github.contains("::60/100\n"), "{github}");
}

#[test]
fn a_workflow_shows_the_summary() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/a|<b>.py"), graded::HALF);
    let summary = home.join("summary.md");
    write_file(&summary, "# before\n");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(home).env("KOPEK_STORE", home.join("store"));
    command.env("GITHUB_STEP_SUMMARY", &summary);
    let output = command.args(["grade", "sums", "class", "--format", "github"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let text = fs::read_to_string(&summary).unwrap();
    assert!(text.starts_with("# before\n## sums\n"), "what other steps wrote stays: {text}");
    assert!(text.contains("| a&#124;&lt;b&gt; | AC | 60 AC | 0 WA | 60/100 |"), "{text}");
}

/// Runs `kopek grade --format classroom50` as the runner of Classroom 50 does, or without a variable.
fn classroom50(home: &Path, without: &str) -> std::process::Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(home).env("KOPEK_STORE", home.join("store"));
    for (name, value) in [
        ("CLASSROOM", "algo26"),
        ("ASSIGNMENT", "coins"),
        ("SUBMISSION_TAG", "submit/2026-10-01T08-00-00Z-a1b2c3d"),
        ("COMMIT_URL", "https://example.org/commit"),
        ("RELEASE_URL", "https://example.org/release"),
        ("REVIEW_URL", ""),
    ] {
        if name != without {
            command.env(name, value);
        }
    }
    command.env("GITHUB_OUTPUT", home.join("outputs"));
    command.args(["grade", "sums", "class", "--format", "classroom50"]).output().unwrap()
}

#[test]
fn classroom_50_reads_whole_points_per_group() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/a.py"), graded::HALF);
    let output = classroom50(home, "");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = serde_json::json!({
        "schema": "classroom50/result/v1",
        "classroom": "algo26",
        "assignment": "coins",
        "submission": "submit/2026-10-01T08-00-00Z-a1b2c3d",
        "commit": "https://example.org/commit",
        "release": "https://example.org/release",
        "review": "https://example.org/commit",
        "score": 60,
        "max-score": 100,
        "tests": [
            {"test-name": "sample", "passed": true, "score": 0, "max-score": 0},
            {"test-name": "secret/1", "passed": true, "score": 60, "max-score": 60},
            {"test-name": "secret/2", "passed": false, "score": 0, "max-score": 40},
        ],
    });
    assert_eq!(result, expected);
    assert_eq!(fs::read_to_string(home.join("outputs")).unwrap(), "summary=60/100\n");
    let output = classroom50(home, "ASSIGNMENT");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("ASSIGNMENT is not set") && output.stdout.is_empty()
    );
    write_file(&home.join("class/b.py"), graded::HALF);
    let output = classroom50(home, "");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && message.contains("there are 2"), "{message}");
}

#[test]
fn a_shared_secret_case_shows_the_texts_of_the_package() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let case =
        |ending: &str, text: &str| write_file(&home.join(format!("sums/data/secret/2/b.{ending}")), text);
    case("yaml", "full_feedback: true\n");
    case("in.statement", "two instances\n");
    case("in.download", "2\n1\n2\n");
    case("in", "2\n1\n2\n");
    case("ans", "10\n20\n");
    write_file(&home.join("class/ann.py"), "print 10\nprint 21\n");
    grade(home, &["sums", "class", "--out", "graded"]).unwrap();
    let page = fs::read_to_string(home.join("graded/pages/ann.html")).unwrap();
    assert!(page.contains("two instances"), "{page}");
}

#[test]
fn a_shared_case_shows_its_arguments_and_names_its_files() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let case = |place: &str, text: &str| write_file(&home.join("sums/data/secret").join(place), text);
    case("2/b.yaml", "full_feedback: true\nargs: [--fast, 'two words']\n");
    case("2/b.files/map.txt", "secret map\n");
    case("2/b.files/deep/more.txt", "more\n");
    case("1/a.yaml", "args: [hidden]\n");
    case("1/a.files/hidden.txt", "hidden\n");
    write_file(&home.join("class/ann.py"), "print -1\n");
    grade(home, &["sums", "class", "--out", "graded"]).unwrap();
    let page = fs::read_to_string(home.join("graded/pages/ann.html")).unwrap();
    let given = "arguments: --fast 'two words'\nfiles: deep/more.txt, map.txt\n";
    assert!(page.contains(given), "{page}");
    let body = page.split("<main").nth(1).unwrap();
    assert!(!body.contains("hidden.txt") && !body.contains("[hidden]"), "{page}");
}

#[test]
fn other_systems_read_what_is_wrong_with_a_package() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/submissions/accepted/half.py"), HALF);
    let verified = verify_package(&home.join("sums"), &fake_machine(home), USUAL_WISHES);
    assert!(!verified.sound);
    let github = render_verified_github(Path::new("sums"), &verified);
    let line = github.lines().find(|line| line.contains("half.py")).unwrap();
    assert!(line.starts_with("::error file=sums/submissions/accepted/half.py,"), "{github}");
    let junit = render_verified_junit(&[verified]);
    let tree = roxmltree::Document::parse(&junit).unwrap_or_else(|error| panic!("{error}: {junit}"));
    let suite = tree.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
    let count = |name: &str| suite.attribute(name).unwrap().parse::<usize>().unwrap();
    let found = |name: &str| tree.descendants().filter(|node| node.has_tag_name(name)).count();
    assert!(count("failures") >= 1 && count("failures") == found("failure"), "{junit}");
    assert_eq!((count("tests"), count("errors")), (found("testcase"), found("error")), "{junit}");
    assert!(junit.contains("half.py"), "{junit}");
}

#[test]
fn an_account_is_not_a_number_and_a_similar_name_is_reported() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let rows = |bo: &str, cy: &str| {
        format!(
            "Identifier,Full name,ID number,Username,Status,Grade,Maximum Grade\nParticipant 8,Bo Li,9,boli,,{bo},100\n\
             Participant 9,Cy,8,cy,,{cy},100\n"
        )
    };
    write_file(&home.join("Grades.csv"), &rows("", ""));
    let grade = |message: &[&str]| {
        let words = ["sums", "class", "--gradebook", "Grades.csv", "--out", "out"];
        let text = grade(home, &words).unwrap().said;
        message.iter().for_each(|part| assert!(text.contains(part), "{part}: {text}"));
        fs::read_to_string(home.join("out/Grades.csv")).unwrap()
    };
    write_file(&home.join("class/sums-8/.git/config"), "");
    write_file(&home.join("class/sums-8/sums.py"), HALF);
    write_file(&home.join("class/sums-cy/sums.py"), SUM);
    let message =
        ["1 in the gradebook without a hand-in, left as they were: Bo Li", "not in the gradebook: 8"];
    assert_eq!(grade(&message), rows("", "100"));
    fs::remove_dir_all(home.join("class")).unwrap();
    write_file(&home.join("class/8.py"), HALF);
    write_file(&home.join("class/bo-li.py"), SUM);
    write_file(&home.join("class/Cy.py"), SUM);
    let message = ["warning: names that are spelt differently in the gradebook: bo-li is Bo Li"];
    assert_eq!(grade(&message), rows("100", "100"));
}
