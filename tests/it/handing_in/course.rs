//! A course in one file: its points are those of a hand computation, and every mistake has its line.

use super::{
    graded::{HALF, SUM, WRONG, kopek, sums_package, write_file},
    in_memory::{FAKE_HALF, FAKE_SUM, FAKE_WRONG, grade, refusal},
};
use crate::reports::languages::assert_translated;
use kopek::render::{Page, ReportFormat, render, report_files};
use serde_json::Value;
use std::{fs, path::Path};

const WORKSHEET: &str = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
    Last modified (submission),Last modified (grade),Feedback comments\n";

const COURSE: &str = r#"title = "Sheet 3"
problems = ["sums", "twin"]
hand-ins = "class"
gradebook = "Grades.csv"
out = "report"
[points]
scale = 10
weights = { twin = 2 }
round = "0.5"
[late]
rule = "10%/day, max 5 days"
grace = "15 min"
budget = "1 day"
extensions = { "Bo Li" = "2 days" }
[time]
languages = { python3 = 2 }
participants = { "17" = 1.5 }
"#;

/// Two packages of 100 points, and a class from Moodle.
fn sheet(home: &Path) {
    sheet_of(home, [SUM, HALF, WRONG]);
}

/// The same with programs of the fake machine.
fn fake_sheet(home: &Path) {
    sheet_of(home, [FAKE_SUM, FAKE_HALF, FAKE_WRONG]);
}

/// With a right program, one for small numbers, and a wrong one.
fn sheet_of(home: &Path, [right, half, wrong]: [&str; 3]) {
    for package in ["sums", "twin"] {
        sums_package(&home.join(package));
        let manifest = fs::read_to_string(home.join(package).join("problem.yaml")).unwrap();
        write_file(
            &home.join(package).join("problem.yaml"),
            &manifest.replace("uuid: 5ca6ba5b-676c-4eef-8474-26a63f4c6a38\n", ""),
        );
    }
    let mut book = WORKSHEET.to_owned();
    for (number, name, late, sums, twin) in [
        (17, "Ada Love", "", right, half),
        (18, "Bo Li", " - 3 days 10 mins late", right, right),
        (19, "Cy Young", " - 10 mins late", half, wrong),
        (20, "Dora Max", " - 2 days late", right, half),
    ] {
        let folder = home.join(format!("class/{name}_{number}_assignsubmission_file_"));
        write_file(&folder.join("sums.py"), sums);
        write_file(&folder.join("twin.py"), twin);
        book += &format!("Participant {number},{name},,Submitted for grading{late},,10,Yes,-,-,\n");
    }
    write_file(&home.join("Grades.csv"), &book);
}

fn graded(home: &Path, args: &[&str]) -> String {
    let output = kopek(home, &[&["grade"], args].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn report(home: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(home.join("report/report.json")).unwrap()).unwrap()
}

fn totals(report: &Value) -> Vec<Value> {
    let totals = report[0]["sheet"]["totals"].as_array().unwrap();
    totals.iter().map(|total| total["points"].clone()).collect()
}

fn refused(home: &Path, args: &[&str]) -> String {
    let output = kopek(home, &[&["grade"], args].concat());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    message
}

#[test]
fn a_course_in_a_file_gives_the_points_of_a_hand_computation() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    write_file(&home.join("course.toml"), COURSE);
    let text = grade(home, &[]).unwrap().text;
    // Ada: 100 + 2 × 60 = 220 of 300, 7.33 of 10. Bo, 3 days 10 min less 2 days and 15 min late: the budget has all of it
    // on sums, but on twin only 5 min of it: 100 + 2 × 90 = 280, 9.33. Cy, in the grace: 60, 2. Dora, 2 days less 15 min
    // late: a day of the budget on sums, which leaves a day begun, and two on twin: 90 + 2 × 48 = 186, 6.2.
    let report = report(home);
    let half = |points: &str| serde_json::from_str::<Value>(points).unwrap();
    assert_eq!(totals(&report), [half("7.5"), half("9.5"), half("2"), half("6")]);
    let rows = report[1]["participants"].as_array().unwrap();
    let worth: Vec<&Value> = rows.iter().map(|row| &row["points"]).collect();
    assert_eq!(worth, [60, 90, 0, 48]);
    assert_eq!(rows[1]["late_steps"]["budget_seconds"], 300);
    assert_eq!((&rows[0]["time_factor"], &rows[1]["time_factor"]), (&"3".into(), &"2".into()));
    let book = fs::read_to_string(home.join("report/Grades.csv")).unwrap();
    for grade in ["Ada Love,,Submitted for grading,7.5,10", "2 days late,6,10", "10 mins late,9.5,10"] {
        assert!(book.contains(grade), "{book}");
    }
    for part in [
        "Sheet 3\n",
        "rules of Sheet 3\n",
        "the points of twin count 2 times\n",
        "the total is out of 10 points\n",
        "totals are rounded to multiples of 0.5, ties up\n",
        "programs in python3 have 2 times the time limit\n",
        "grace of 15 minutes; budget of 1 day for each participant",
        "9.5/10",
    ] {
        assert!(on_one_line(&text).contains(part.trim_end()), "{part}: {text}");
    }
    let page = fs::read_to_string(home.join("report/pages/Bo Li.html")).unwrap();
    for part in [
        "9.5/10 points",
        "100 (sums) + 2 × 90 (twin) = 280 of 300",
        "280 of 300 are 9.33 of 10",
        "rounded to a multiple of 0.5: 9.5",
        "less 2 days of extension; less 15 minutes of grace; less 5 minutes of the budget",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("course.toml"), "{page}");
    assert!(fs::read_to_string(home.join("report/index.html")).unwrap().contains("<h1>Sheet 3</h1>"));
    // Grades that kopek wrote are known again by the totals of the earlier report.
    fs::copy(home.join("report/Grades.csv"), home.join("Grades.csv")).unwrap();
    write_file(&home.join("class/Cy Young_19_assignsubmission_file_/twin.py"), FAKE_SUM);
    grade(home, &["--since", "report"]).unwrap();
    let book = fs::read_to_string(home.join("report/Grades.csv")).unwrap();
    assert!(book.contains("10 mins late,8.5,10"), "{book}");
}

#[test]
fn a_row_without_a_package_changes_the_total() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    let head = "participant,package,points,comment,by\n";
    let rows = "Ada Love,,+1.2,oral exam,Noether\nBo Li,,4,,Noether\nDora Max,,,see me,Noether\n";
    write_file(&home.join("by-hand.csv"), &format!("{head}{rows}"));
    write_file(
        &home.join("course.toml"),
        &COURSE.replace("[points]", "decisions = \"by-hand.csv\"\n[points]"),
    );
    let text = on_one_line(&grade(home, &[]).unwrap().text);
    // The totals of the hand computation above, changed after rounding.
    let number = |points: &str| serde_json::from_str::<Value>(points).unwrap();
    assert_eq!(totals(&report(home)), [number("8.7"), number("4"), number("2"), number("6")]);
    let changed = "Ada Love: the total: 7.5 → 8.7 points, by hand: Noether: oral exam";
    assert!(
        text.contains(changed) && text.contains("Dora Max: the total: by hand: Noether: see me"),
        "{text}"
    );
    let page = fs::read_to_string(home.join("report/pages/Bo Li.html")).unwrap();
    assert!(
        page.contains("the total: 9.5 → 4 points, by hand: Noether") && page.contains("4/10 points"),
        "{page}"
    );
    let book = fs::read_to_string(home.join("report/Grades.csv")).unwrap();
    assert!(
        book.contains(",8.7,10,Yes,-,-,\"the total: 7.5 → 8.7 points, by hand: Noether: oral exam\""),
        "{book}"
    );
    // Without rules, the total is the sum.
    write_file(&home.join("by-hand.csv"), &format!("{head}Ada Love,,+1.2,,Noether\n"));
    let plain = ["sums", "twin", "class", "--decisions", "by-hand.csv", "--out", "report"];
    fs::remove_file(home.join("course.toml")).unwrap();
    grade(home, &plain).unwrap();
    assert_eq!(totals(&report(home)), [number("161.2"), 200.into(), 60.into(), 160.into()]);
    write_file(&home.join("by-hand.csv"), &format!("{head}Ada Love,,201,,Noether\n"));
    let message = on_one_line(&refusal(home, &plain));
    assert!(message.contains("line 2: all packages together give at most 200 points, not 201"), "{message}");
}

#[test]
fn another_total_or_comment_is_a_change() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    let head = "participant,package,points,comment,by\n";
    let by_hand = |rows: &str| write_file(&home.join("by-hand.csv"), &format!("{head}{rows}"));
    let course = COURSE.replace("[points]", "decisions = \"by-hand.csv\"\n[points]");
    let with = |own: &str, other: &str| write_file(&home.join("course.toml"), &course.replace(own, other));
    by_hand("");
    with("", "");
    let then = home.join("report.json");
    let first = grade(home, &[]).unwrap().report;
    write_file(&then, &render(&first, ReportFormat::Json, Page::default()));
    // The totals are 7.5, 9.5, 2 and 6.
    let since = |wanted: &[&str]| {
        let report = grade(home, &["--since", "report.json"]).unwrap().report;
        let files = report_files(&report);
        let text =
            |name: &str| files.iter().find(|(path, _)| path.as_path() == Path::new(name)).unwrap().1.as_str();
        let count = format!("report.json: {}", wanted.len());
        assert!(on_one_line(text("report.txt")).contains(&count), "{count}: {}", text("report.txt"));
        let lines: Vec<&str> = text("changes.csv").lines().skip(1).map(str::trim_end).collect();
        assert_eq!(lines.len(), wanted.len(), "{lines:?}");
        for (line, wanted) in lines.iter().zip(wanted) {
            assert!(line.starts_with(wanted), "{wanted}: {line}");
            let name = line.split(',').next().unwrap();
            assert!(text(&format!("changed/{name}.html")).contains(" → "), "{name}");
        }
    };
    since(&[]);
    with("round = \"0.5\"", "round = \"0.1\"");
    since(&["Ada Love,,7.5,7.3,rules of the course,", "Bo Li,,9.5,9.3,", "Dora Max,,6,6.2,"]);
    with("twin = 2", "twin = 1");
    since(&["Ada Love,,7.5,8,rules of the course,", "Cy Young,,2,3,", "Dora Max,,6,7,"]);
    with("round = ", "best = 1\nround = ");
    // The best of the weighted points, of 200.
    since(&["Ada Love,,7.5,6,rules of the course,", "Bo Li,,9.5,9,", "Cy Young,,2,3,", "Dora Max,,6,5,"]);
    with("", "");
    by_hand("Ada Love,,+1,oral exam,Noether\nBo Li,,,see me,Noether\nCy Young,sums,,a good idea,Noether\n");
    since(&[
        "Ada Love,,7.5,8.5,points or comments by hand,",
        "Bo Li,,9.5,9.5,points or comments by hand,",
        "Cy Young,sums,60,60,points or comments by hand,",
    ]);
}

#[test]
fn every_mistake_in_the_file_has_its_line() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    for name in ["Ann_21", "Ann_22"] {
        write_file(&home.join(format!("class/{name}_assignsubmission_file_/sums.py")), SUM);
        let number = &name[4..];
        let row = format!("Participant {number},Ann,,Submitted for grading,,10,Yes,-,-,\n");
        let book = fs::read_to_string(home.join("Grades.csv")).unwrap();
        write_file(&home.join("Grades.csv"), &(book + &row));
    }
    for (line, wrong, parts) in [
        (1, "titel = \"x\"", "unknown field `titel`, expected one of `title`, `problems`,"),
        (1, "title = 3", "invalid type: integer `3`, expected a string in `title = 3`"),
        (2, "problems = 3", "expected a text in quotes, or a list of texts in `problems = 3`"),
        (2, "problems = [\"sum\"]", "sum: no such file or folder"),
        (3, "hand-ins = \"clas\"", "clas: no such file or folder"),
        (4, "gradebook = \"grades.csv\"", "grades.csv: no such file or folder"),
        (6, "[point]", "unknown field `point`, expected one of"),
        (7, "scale = \"ten\"", "write a number above 0, such as 10 in `scale = \"ten\"`"),
        (7, "scale = 0", "write a number above 0, such as 10 in `scale = 0`"),
        (7, "scale = [10]", "invalid type: sequence, expected a text or a number in `scale = [10]`"),
        (7, "best = 3", "best is 3, but there are only 2 problems"),
        (7, "bonus = [\"nim\"]", "no package `nim`; the packages are sums, twin"),
        (7, "cap = 1", "expected a boolean in `cap = 1`"),
        (
            7,
            "bonuses = 3",
            "unknown field `bonuses`, expected one of `scale`, `weights`, `best`, `bonus`, `round`, `cap`",
        ),
        (3, "hand-ins = [\"class\", \"class\", \"class\"]", "has 3 downloads for 2 problems"),
        (8, "weights = { twins = 2 }", "no package `twins`; did you mean `twin`?"),
        (8, "weights = { nim = 2 }", "no package `nim`; the packages are sums, twin"),
        (8, "weights = 2", "expected a map in `weights = 2`"),
        (9, "round = -1", "write a number above 0, such as 10 in `round = -1`"),
        (9, "scale = 5", "duplicate key"),
        (11, "rule = \"10 percent\"", "is not a late penalty"),
        (11, "rule = [\"up to 1 day: 10%\",\n  \"3 days: 30%\"]", "`3 days: 30%` is not a late penalty"),
        (11, "rule = [\"up to 2 days: 10%\",\n  \"up to 1 day: 30%\"]", "not in order"),
        (11, "# no rule", "without a late penalty this has no effect"),
        (12, "grace = \"a bit\"", "write a time span such as 15 min"),
        (14, "extensions = { \"Bo Ly\" = \"1 day\" }", "Bo Ly: no such participant; did you mean Bo Li?"),
        (14, "extensions = { Ann = \"1 day\" }", "`Ann` could be Ann (21), Ann (22)"),
        (14, "extensions = { \"Bo Li\" = \"soon\" }", "write a time span such as 2 days, or a time"),
        (14, "extensions = { \"Bo Li\" = \"2026-05-09 12:00\" }", "is a time, so the deadline must be given"),
        (14, "extensions = { \"Bo Li\" = \"1 d\", \"18\" = \"2 d\" }", "Bo Li has two extensions; give one"),
        (16, "languages = { python = 2 }", "python"),
        (16, "languages = { python3 = 200 }", "write a factor from 0.1 to 100"),
        (17, "participants = { Eve = 2 }", "Eve: no such participant"),
        (17, "[feedback]\nlevel = \"all\"", "write brief, names or full in `level = \"all\"`"),
        (17, "[feedback]\ncounterexamples = \"2 days\"", "write at most an hour"),
        (17, "x = [", "unclosed array"),
        (11, "table = \"late.csv\"", "late.csv: no such file or folder"),
        (17, "[late]", "duplicate key"),
    ] {
        let mut lines: Vec<&str> = COURSE.lines().collect();
        lines[line - 1] = wrong;
        write_file(&home.join("course.toml"), &lines.join("\n"));
        let message = refusal(home, &[]);
        // A second line is the wrong one.
        let line = if wrong.starts_with("# no") { 12 } else { line + wrong.matches('\n').count() };
        assert!(message.contains(&format!("course.toml:{line}: ")), "{wrong}: {message}");
        assert!(message.contains(parts), "{wrong}: {message}");
    }
    for (line, part) in [(2, "course.toml: no `problems`"), (3, "course.toml: no `hand-ins`")] {
        let mut lines: Vec<&str> = COURSE.lines().collect();
        lines.remove(line - 1);
        write_file(&home.join("course.toml"), &lines.join("\n"));
        let message = refusal(home, &[]);
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_verdict_beside_points_needs_a_weight() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    let manifest = fs::read_to_string(home.join("sums/problem.yaml")).unwrap();
    write_file(&home.join("sums/problem.yaml"), &manifest.replace("type: scoring\n", ""));
    for group in ["", "/1", "/2"] {
        fs::remove_file(home.join(format!("sums/data/secret{group}/test_group.yaml"))).unwrap();
    }
    for (weights, is_told) in [("{ twin = 2 }", true), ("{ sums = 100 }", false)] {
        let course = COURSE.replace("{ twin = 2 }", weights).replace("rule = \"10%/day, max 5 days\"\n", "");
        let (course, _) = course.split_once("[late]").unwrap();
        write_file(&home.join("course.toml"), course);
        let warnings = grade(home, &[]).unwrap().report.notices.warning_texts().join("\n");
        let told = "counts as 1 point of the total, beside the 100 of twin; add `weights = { \"sums\" = …}` to [points]";
        assert_eq!(warnings.contains(told), is_told, "{warnings}");
    }
}

#[test]
fn a_download_for_each_problem_gives_one_total() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    // Moodle numbers the people of each assignment in another way; Ada has the second problem only.
    for (folder, file) in [("Bo Li_18", FAKE_SUM), ("Cy Young_19", FAKE_HALF)] {
        write_file(&home.join(format!("first/{folder}_assignsubmission_file_/a.py")), file);
    }
    for (folder, file) in [("Bo Li_58", FAKE_HALF), ("Ada Love_57", FAKE_SUM)] {
        write_file(&home.join(format!("second/{folder}_assignsubmission_file_/b.py")), file);
    }
    let steps = "[\"up to 1 day: 10%\", \"up to 1 week: 50%\"]";
    let course =
        COURSE.replace("\"class\"", "[\"first\", \"second\"]").replace("\"10%/day, max 5 days\"", steps);
    let course = course
        .replace("\"17\" = 1.5", "\"Ada Love\" = 1.5")
        .replace("weights = { twin = 2 }", "bonus = [\"sums\"]");
    write_file(&home.join("course.toml"), &course.replace("budget = \"1 day\"\n", ""));
    let error = refusal(home, &[]);
    assert!(error.contains("nothing says which hand-ins are late in each download; add `table"), "{error}");
    write_file(
        &home.join("course.toml"),
        &course.replace("[late]\n", "[late]\ndeadline = \"2026-05-01 23:59\"\n"),
    );
    let error = refusal(home, &[]);
    let remedy =
        "remove it, and add `table = \"late.csv\"` to [late], with the columns participant,late,package";
    assert!(error.contains(remedy), "{error}");
    write_file(&home.join("late.csv"), "participant,late,package\nBo Li,3 days,sums\nBo Li,4 days,twin\n");
    let rule = format!("rule = {steps}");
    let course = course.replace(&rule, &format!("table = \"late.csv\"\n{rule}"));
    write_file(&home.join("course.toml"), &course.replace("budget = \"1 day\"\n", ""));
    let text = grade(home, &[]).unwrap().text;
    for part in [
        "sums is a bonus",
        "10 % of the points reached up to 1 day late; 50 %",
        "more than 7 days late: no points",
    ] {
        assert!(on_one_line(&text).contains(part), "{part}: {text}");
    }
    // Of 100: Ada 100, Bo 90 and 30, Cy 60.
    assert_eq!(totals(&report(home)), [10, 12, 6].map(Value::from));
    let book = fs::read_to_string(home.join("report/Grades.csv")).unwrap();
    assert!(
        book.contains("3 days 10 mins late,12,10")
            && book.contains("Participant 17,Ada Love,,Submitted for grading,10,10"),
        "{book}"
    );
    let page = fs::read_to_string(home.join("report/pages/Ada Love.html")).unwrap();
    assert!(page.contains("0/100") && page.contains("10/10 points"), "{page}");
    write_file(&home.join("late.csv"), "participant,late,package\nBo Li,3 days,nim\n");
    assert!(refusal(home, &[]).contains("late.csv, line 2: no package `nim`"));
}

#[test]
fn each_member_of_a_team_gets_its_grade() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    let mut book = WORKSHEET.replace("Status,", "Status,Group,");
    for (number, name, team) in [
        (17, "Ada Love", "Team: Blue"),
        (18, "Bo Li", "Team: Blue"),
        (42, "Cy Young", "Red"),
        (43, "Dora Max", ""),
    ] {
        book += &format!("Participant {number},{name},,Submitted for grading,{team},,100,Yes,-,-,\n");
    }
    write_file(&home.join("Grades.csv"), &book);
    let grades = || -> Vec<String> {
        let filled = fs::read_to_string(home.join("report/Grades.csv")).unwrap();
        filled.lines().skip(1).map(|line| line.split(',').nth(5).unwrap().to_owned()).collect()
    };
    let teams = "[teams]\n\"Team Blue\" = [\"Ada Love\", \"18\"]\n\"Red\" = [\"Cy Young\", \"Dora Max\"]\nGreen = [\"Eve\"]\n";
    // One folder for a team with the team's number since Moodle 4.1, one for each member before.
    let new = [("Team Blue_42", FAKE_SUM), ("Red_43", FAKE_HALF)];
    let old = [
        ("Team Blue-Ada Love_17", FAKE_SUM),
        ("Team Blue-Bo Li_18", FAKE_SUM),
        ("Red-Cy Young_42", FAKE_HALF),
    ];
    for (folders, teams, wanted) in [
        (&new[..], "", ["100", "100", "60", ""]),
        (&old[..], "", ["100", "100", "60", ""]),
        (&new[..], teams, ["100", "100", "60", "60"]),
        (&old[..], teams, ["100", "100", "60", ""]),
    ] {
        for (folder, program) in folders {
            write_file(&home.join(format!("class/{folder}_assignsubmission_file_/sums.py")), program);
        }
        let head =
            "problems = \"sums\"\nhand-ins = \"class\"\ngradebook = \"Grades.csv\"\nout = \"report\"\n";
        write_file(&home.join("course.toml"), &format!("{head}{teams}"));
        let graded = grade(home, &[]).unwrap();
        assert_eq!(grades(), wanted, "{teams}{folders:?}");
        assert_eq!(graded.said.contains("team Green: no hand-in"), !teams.is_empty(), "{}", graded.said);
        assert!(graded.text.contains("Bo Li ") && !graded.text.contains("same program"), "{}", graded.text);
        assert!(home.join("report/pages/Ada Love.html").is_file());
        fs::remove_dir_all(home.join("class")).unwrap();
    }
}

#[test]
fn totals_above_the_maximum_are_named_or_capped() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    for package in ["sums", "extra"] {
        sums_package(&home.join(package));
    }
    let folder = "class/Ada Love_17_assignsubmission_file_";
    write_file(&home.join(format!("{folder}/sums.py")), FAKE_SUM);
    write_file(&home.join(format!("{folder}/extra.py")), FAKE_HALF);
    let head =
        "problems = [\"sums\", \"extra\"]\nhand-ins = \"class\"\ngradebook = \"Grades.csv\"\nout = \"out\"\n";
    let graded = |rule: &str, max: &str| {
        let row = format!("Participant 17,Ada Love,,Submitted for grading,,{max},Yes,-,-,\n");
        write_file(&home.join("Grades.csv"), &format!("{WORKSHEET}{row}"));
        write_file(
            &home.join("course.toml"),
            &format!("{head}[points]\nscale = 20\nbonus = [\"extra\"]\n{rule}"),
        );
        let said = grade(home, &[]).unwrap().said;
        let book = fs::read_to_string(home.join("out/Grades.csv")).unwrap();
        (said, book.lines().nth(1).unwrap().split(',').nth(4).unwrap().to_owned())
    };
    let (said, grade) = graded("", "20");
    let warning = "warning: 1 above the maximum grade, which Moodle's import skips without a word: Ada Love: 32 of 20; raise \
        the maximum there, or set `cap = true` in [points]";
    assert!(said.contains(warning) && grade == "32", "{grade}: {said}");
    let (said, grade) = graded("", "32");
    assert!(!said.contains("above the maximum") && grade == "32", "{grade}: {said}");
    let (said, grade) = graded("cap = true\n", "20");
    assert!(!said.contains("above the maximum") && grade == "20", "{grade}: {said}");
    let page = fs::read_to_string(home.join("out/pages/Ada Love.html")).unwrap();
    assert!(page.contains("20/20 points") && page.contains("32 are above the maximum: 20 count"), "{page}");
}

#[test]
fn a_member_has_one_hand_in() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    for folder in ["Blue_42", "Red_43", "Bo Li_18"] {
        write_file(&home.join(format!("class/{folder}_assignsubmission_file_/sums.py")), FAKE_SUM);
    }
    for (teams, wanted) in [
        (
            "Blue = [\"Ada Love\"]\nRed = [\"ada love\"]",
            "ada love is in team Blue and in team Red; leave the name in one",
        ),
        ("Blue = [\"Ada Love\", \"Bo Li\"]", "Bo Li is in team Blue and handed in alone, too: Bo Li_18_"),
        ("Blue = [\"18\"]", "18 is in team Blue and handed in alone, too: Bo Li_18_"),
        ("Blue = [\"Ada Love\", \" \"]", "[teams]: team Blue has a member without a name"),
        ("\"\" = [\"Ada Love\"]", "[teams]: a team has no name"),
        ("Blue = []", "[teams]: team Blue has no members; name them, or remove the team"),
        ("Blue = [\"Ada Love\", \"ada love\"]", "[teams]: team Blue names ada love twice"),
    ] {
        let head = "problems = \"sums\"\nhand-ins = \"class\"\n";
        write_file(&home.join("course.toml"), &format!("{head}[teams]\n{teams}\n"));
        let message = refusal(home, &[]);
        assert!(message.contains(wanted), "{teams}: {message}");
    }
}

#[test]
fn a_course_is_given_alone() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sheet(home);
    write_file(&home.join("course.toml"), &COURSE.replace("[points]", "[point]"));
    assert!(refused(home, &[]).contains("course.toml:6: unknown field `point`, expected one of"));
    assert!(refused(home, &["course.toml", "class"]).contains("give it alone"));
    assert!(refused(home, &["class"]).contains("or a course.toml alone"));
    fs::remove_file(home.join("course.toml")).unwrap();
    assert!(refused(home, &[]).contains("there is no course.toml here"));
}

#[test]
fn the_file_names_the_program_and_the_column() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/ada/one.py"), FAKE_WRONG);
    write_file(&home.join("class/ada/two.py"), FAKE_SUM);
    write_file(&home.join("book.csv"), "Student,ID,sums (4711),sums (4712)\nada,18,,\n");
    let words = |rules| ["sums", "class", "--gradebook", "book.csv", "--out", "out", "--rules", rules];
    let message = refusal(home, &words(""));
    assert!(message.contains("give the whole title as `column` in course.toml"), "{message}");
    grade(home, &words("column = 'sums (4712)'\nentry = ['main.py', 'two.py']")).unwrap();
    assert!(fs::read_to_string(home.join("out/book.csv")).unwrap().contains("ada,18,,100"));
}

#[test]
fn init_writes_the_file_of_a_course_once() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sheet(home);
    let init = || kopek(home, &["init", "--course", "sums", "twin"]);
    assert_eq!(init().status.code(), Some(0));
    let text = fs::read_to_string(home.join("course.toml")).unwrap();
    write_file(&home.join("course.toml"), &text.replace("submissions.zip", "class"));
    let again = init();
    assert!(String::from_utf8_lossy(&again.stderr).contains("course.toml is here already"));
    assert_eq!(again.status.code(), Some(2));
    assert!(!graded(home, &[]).contains("rules of course.toml"), "it has comments only");
    // Every commented line is a line that can be used.
    let bare = |line: &str| {
        let key = line
            .strip_prefix("# ")
            .filter(|rest| rest.split_once(" = ").is_some_and(|(key, _)| !key.contains(' ')));
        format!("{}\n", key.unwrap_or(line))
    };
    let all: String = text.lines().map(bare).collect();
    let mut all = all;
    for (example, real) in [
        ("submissions.zip", "class"),
        ("grades.csv", "Grades.csv"),
        ("pairs = 2", "twin = 2"),
        ("Ada Lovelace", "Ada Love"),
        ("51077", "18"),
        ("ada = 1.5", "\"Cy Young\" = 1.5"),
        ("\ncolumn = ", "\n# column = "),
        ("\ntable = ", "\n# table = "),
        ("\ndecisions = ", "\n# decisions = "),
        ("\nbonus = ", "\n# bonus = "),
        ("\ncounterexamples = ", "\n# counterexamples = "),
    ] {
        assert!(all.contains(example), "{example}: {all}");
        all = all.replace(example, real);
    }
    write_file(&home.join("course.toml"), &all);
    let book = fs::read_to_string(home.join("Grades.csv")).unwrap();
    write_file(&home.join("Grades.csv"), &book.replace(",Yes,-,", ",Yes,\"Friday, 1 May 2026, 11:00 PM\","));
    let text = graded(home, &[]);
    assert!(
        text.contains("the best of 2 problems counts")
            && on_one_line(&text).contains("the deadline was 2026-05-01 23:59"),
        "{text}"
    );
}

#[test]
fn points_by_hand_count_before_lateness_and_weights() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    let course = COURSE.replace("[points]", "decisions = \"by-hand.csv\"\n[points]");
    write_file(&home.join("course.toml"), &course);
    let by_hand = |dora: &str| {
        let rows = format!("Cy Young,sums,,+15,good idea,Noether\nDora Max,twin,2,{dora},,Noether\n");
        write_file(
            &home.join("by-hand.csv"),
            &format!("participant,package,group,points,comment,by\n{rows}"),
        );
    };
    let wanted = |points: [f64; 4]| assert_eq!(totals(&report(home)), points.map(as_json));
    by_hand("20");
    // Cy: 60 + 15 by hand = 75 of 300. Dora: 90 + 2 × 0.8 × (60 + 20) = 218.
    grade(home, &[]).unwrap();
    wanted([7.5, 9.5, 2.5, 7.5]);
    let page = fs::read_to_string(home.join("report/pages/Dora Max.html")).unwrap();
    assert!(page.contains("Group 2: 0 → 20 points, by hand: Noether"), "{page}");
    let book = fs::read_to_string(home.join("report/Grades.csv")).unwrap();
    assert!(book.contains(",-,-,\"sums: 60 → 75 points, by hand: Noether: good idea"), "{book}");
    // Dora: 90 + 2 × 0.8 × (60 + 30) = 234.
    by_hand("30");
    grade(home, &["--since", "report"]).unwrap();
    wanted([7.5, 9.5, 2.5, 8.0]);
}

/// As a report has it.
fn as_json(points: f64) -> Value {
    if points.fract() == 0.0 { Value::from(points as u64) } else { Value::from(points) }
}

#[test]
fn an_interrupted_search_for_inputs_keeps_all_grades() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/input_validators/v.py"), "accept\n");
    write_file(&home.join("sums/submissions/accepted/a.py"), FAKE_SUM);
    write_file(&home.join("class/ann.py"), FAKE_HALF);
    let words = ["sums", "class", "--out", "report", "--counterexamples", "1", "--interrupt-search"];
    let graded = grade(home, &words).unwrap();
    assert!(graded.said.contains("sums: stopped the search"), "{}", graded.said);
    assert!(graded.is_stopped, "the command still knows of Ctrl-C");
    assert_eq!(report(home)["participants"][0]["points"], 60);
}

#[test]
fn programs_run_with_sanitizers_only_where_somebody_asks_why_they_fail() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/input_validators/v.py"), "accept\n");
    write_file(&home.join("sums/submissions/accepted/a.py"), FAKE_SUM);
    write_file(&home.join("class/ann.c"), "signal 11\n");
    let has_wave = |args: &[&str]| {
        let graded = grade(home, &[&["sums", "class"], args].concat()).unwrap();
        graded.waves.contains(&"runs with sanitizers")
    };
    assert!(!has_wave(&[]));
    assert!(has_wave(&["--counterexamples", "1"]));
}

#[test]
fn pages_of_a_course_with_every_rule_are_in_their_language() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fake_sheet(home);
    let points = "round = \"0.5\"\nbest = 1\nbonus = [\"twin\"]\ncap = true\n";
    let course =
        COURSE.replace("round = \"0.5\"\n", points) + "[languages]\npython3 = \"standard library\"\n";
    write_file(&home.join("course.toml"), &course);
    grade(home, &[]).unwrap();
    write_file(&home.join("class/Cy Young_19_assignsubmission_file_/twin.py"), FAKE_SUM);
    write_file(
        &home.join("by-hand.csv"),
        "participant,package,group,points,comment,by\n17,sums,2,+1.5,7,Noether\n18,twin,,70,8,Noether\n19,,,9,9,Noether\n",
    );
    let course = course.replace("[points]", "decisions = \"by-hand.csv\"\n[points]");
    let steps = "rule = [\"up to 1 day: 10%\", \"up to 1 week: 5 points\"]";
    for rule in ["rule = \"10%/day, max 5 days\"", "rule = \"2 points/hour, at most 20 points\"", steps] {
        write_file(&home.join("course.toml"), &course.replace("rule = \"10%/day, max 5 days\"", rule));
        let report = grade(home, &["--since", "report"]).unwrap().report;
        let rows = report.packages.iter().flat_map(|package| &package.rows);
        let mut names: Vec<&str> = rows.map(|row| row.card.name.as_str()).collect();
        names.extend(["a", "b", "sums.py", "twin.py"]);
        names.extend(
            report.packages.iter().flat_map(|package| [package.name.as_str(), package.title.as_str()]),
        );
        assert_translated(&report, &names);
    }
}
