//! Grading again: rulings after the contest, and changes of points.

use super::{
    graded::{sums_package, write_file},
    in_memory::{self, FAKE_HALF as HALF, FAKE_SUM as SUM, FAKE_WRONG as WRONG, refusal},
};
use serde_json::Value;
use std::{fs, path::Path};

/// Lines of a course: a penalty, and a table of those who are late.
const PENALTY: &str = "late.rule = '10 %/day'";
const TABLE: &str = "late.rule = '10 %/day'\nlate.table = 'late.csv'";

/// Grades with these options.
fn grade(home: &Path, args: &[&str]) -> (String, Value) {
    let graded = in_memory::grade(home, &[&["sums", "class", "--out", "out"], args].concat()).unwrap();
    assert!(graded.report.all_faults().is_empty(), "{}", graded.text);
    let report = fs::read_to_string(home.join("out/report.json")).unwrap();
    (graded.text, serde_json::from_str(&report).unwrap())
}

fn refused(home: &Path, args: &[&str]) -> String {
    refusal(home, &[&["sums", "class"], args].concat())
}

fn row<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["participants"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()
}

/// The package with a second case in group 2.
fn class(home: &Path, programs: &[(&str, &str)]) {
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/data/secret/2/tiny.in"), "1 1\n");
    write_file(&home.join("sums/data/secret/2/tiny.ans"), "2\n");
    programs.iter().for_each(|(name, text)| write_file(&home.join("class").join(name), text));
}

#[test]
fn a_case_that_is_left_out_is_named_in_every_report() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada.py", HALF)]);
    let (_, before) = grade(home, &[]);
    assert_eq!(row(&before, "ada")["points"], 60);
    let (text, after) = grade(home, &["--without", "secret/2/b"]);
    assert_eq!((&row(&after, "ada")["points"], &row(&after, "ada")["max"]), (&100.into(), &100.into()));
    let rule = "sums: case b of group 2 does not count";
    assert!(text.contains(rule) && after["rules"][0]["text"] == rule, "{text}");
    for file in ["index.html", "pages/ada.html", "report.txt", "report.csv"] {
        assert!(fs::read_to_string(home.join("out").join(file)).unwrap().contains(rule), "{file}");
    }
    for format in ["gradescope", "github"] {
        assert!(grade(home, &["--without", "2/b", "--format", format]).0.contains(rule), "{format}");
    }
    for (case, part) in [
        ("secret/2/c", "no case `secret/2/c`"),
        ("2/*", "--without leaves no case in group secret/2"),
        ("*", "no secret case left"),
    ] {
        let message = refused(home, &["--without", case]);
        assert!(message.contains(part) || message.contains("leaves no case"), "{case}: {message}");
    }
}

#[test]
fn a_case_of_several_packages_is_named_with_its_package() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada/sums.py", HALF), ("ada/twin.py", HALF)]);
    sums_package(&home.join("twin"));
    write_file(&home.join("twin/data/secret/2/tiny.in"), "1 1\n");
    write_file(&home.join("twin/data/secret/2/tiny.ans"), "2\n");
    let all = ["sums", "twin", "class", "--format", "csv", "--without"];
    let message = refusal(home, &[&all[..], &["secret/2/b"]].concat());
    assert!(message.contains("write twin:secret/2/b"), "{message}");
    let csv = in_memory::grade(home, &[&all[..], &["twin:secret/2/b"]].concat()).unwrap().text;
    assert!(csv.contains("ada,,,,,,60,WA,100,AC,,160,200,twin: case b of group 2 does not count"), "{csv}");
}

#[test]
fn being_late_costs_what_the_rule_says() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada.py", SUM), ("bo.py", HALF), ("cy.py", SUM), ("dora.py", WRONG)]);
    write_file(&home.join("late.csv"), "participant,late\nada,1d 1h\nbo,3 days\ncy,6 days\ndora,1 day\n");
    let rule = ["--rules", "late = { table = 'late.csv', rule = '10 %/day, at most 5 days' }"];
    let (text, report) = grade(home, &rule);
    let points: Vec<&Value> = ["ada", "bo", "cy", "dora"].map(|name| &row(&report, name)["points"]).to_vec();
    assert_eq!(points, [80, 42, 0, 0]);
    assert!(text.contains("late hand-ins lose 10 % of the points reached for each day begun"), "{text}");
    let page = fs::read_to_string(home.join("out/pages/bo.html")).unwrap();
    assert!(page.contains("penalty of 18 points: 3 days late, 10 % of the points reached each"), "{page}");
    let csv = fs::read_to_string(home.join("out/report.csv")).unwrap();
    assert!(csv.contains(",18,\"3 days late, 10 % of the points reached each\",42,100,"), "{csv}");
    assert!(csv.contains("; late hand-ins lose 10 % of the points reached for each day begun"), "{csv}");
    // A participant without a submission does not stop the others.
    write_file(&home.join("late.csv"), "participant,late\neve,1 day\nada,1 day\n");
    let message = in_memory::grade(home, &[&["sums", "class"][..], &rule].concat()).unwrap().said;
    assert!(message.contains("warning: late.csv, line 2: no participant `eve`"), "{message}");
    let (_, report) = grade(home, &rule);
    assert_eq!(row(&report, "ada")["points"], 90);
}

const WORKSHEET: &str = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
    Last modified (submission),Last modified (grade),Feedback comments\n";

/// A class from Moodle, and its worksheet with these cells of Status and of the time.
fn moodle_class(home: &Path, head: &str, participant: &str, cells: [(&str, &str); 3]) {
    sums_package(&home.join("sums"));
    let people = ["Ada L", "Bo Li", "Cy"];
    let rows = (17..).zip(people).zip(cells).map(|((number, name), (status, modified))| {
        write_file(&home.join(format!("class/{name}_{number}_assignsubmission_file_/sums.py")), SUM);
        format!("{participant} {number},{name},,{status},,100,Yes,\"{modified}\",-,\n")
    });
    let text = head.to_owned() + &rows.collect::<String>();
    write_file(&home.join("Grades.csv"), &text);
}

/// The points of Ada, Bo and Cy, the messages, and the text of the report.
fn graded_moodle(home: &Path, args: &[&str]) -> (Vec<Value>, String, String) {
    let all = ["sums", "class", "--gradebook", "Grades.csv", "--out", "out"];
    let graded = in_memory::grade(home, &[&all[..], args].concat()).unwrap();
    let report: Value =
        serde_json::from_str(&fs::read_to_string(home.join("out/report.json")).unwrap()).unwrap();
    let points = ["Ada L", "Bo Li", "Cy"].map(|name| row(&report, name)["points"].clone()).to_vec();
    (points, graded.said, graded.text)
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_worksheet_of_moodle_says_who_is_late() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let late = [
        ("Submitted for grading - 1 day 3 hours late", "Saturday, 2 May 2026, 11:59 PM"),
        ("Submitted for grading - Graded", "Friday, 1 May 2026, 11:59 PM"),
        ("Submitted for grading - sealed", "-"),
    ];
    moodle_class(home, WORKSHEET, "Participant", late);
    let with_book = |rules: &str| refused(home, &["--gradebook", "Grades.csv", "--rules", rules]);
    let message = with_book(PENALTY);
    assert!(
        message.contains("are late: Cy: `Submitted for grading - sealed`; give the `deadline`"),
        "{message}"
    );
    let deadline = format!("{PENALTY}\nlate.deadline = '2026-05-01 12:00'");
    let message = with_book(&deadline);
    assert!(message.contains("are late: Cy: `-`; add `table = "), "{message}");
    // A table has the last word.
    write_file(&home.join("late.csv"), "participant,late\nCy,0\n");
    let (points, _, _) = graded_moodle(home, &["--rules", TABLE]);
    assert_eq!(points, [80, 100, 100]);
    assert!(fs::read_to_string(home.join("out/Grades.csv")).unwrap().contains("late,80,100,Yes"));
    let (points, _, text) =
        graded_moodle(home, &["--rules", &format!("{deadline}\nlate.table = 'late.csv'")]);
    assert_eq!(points, [80, 90, 100]);
    assert!(on_one_line(&text).contains("; the deadline was 2026-05-01 12:00"), "{text}");
    write_file(&home.join("late.csv"), "participant,late\n17,0\nCy,2 days\n");
    let (points, _, _) = graded_moodle(home, &["--rules", TABLE]);
    assert_eq!(points, [100, 100, 80]);
}

#[test]
fn a_late_rule_without_a_source_of_lateness_is_refused_on_every_platform() {
    for (hand_in, gradebook) in [
        ("class/ada.py", ""),
        ("class/Ada L_17_assignsubmission_file_/sums.py", ""),
        ("class/sums-ada/.git/config", ""),
        ("class/submission_1/sums.py", ""),
        ("class/ada.py", "Student,ID,sums (4711)\nada,18,\n"),
    ] {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        sums_package(&home.join("sums"));
        write_file(&home.join(hand_in), SUM);
        if hand_in.contains(".git") {
            write_file(&home.join("class/sums-ada/sums.py"), SUM);
        } else if hand_in.contains("submission_1") {
            let people = "submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: 17\n";
            write_file(&home.join("class/submission_metadata.yml"), people);
        }
        write_file(&home.join("book.csv"), gradebook);
        let book: &[&str] = if gradebook.is_empty() { &[] } else { &["--gradebook", "book.csv"] };
        let message = refused(home, &[&["--rules", PENALTY], book].concat());
        for part in ["course.toml:3: nothing says which hand-ins are late", "`gradebook`", "participant,late"]
        {
            assert!(message.contains(part), "{hand_in}: {message}");
        }
        write_file(&home.join("late.csv"), "participant,late\n");
        grade(home, &[&["--rules", TABLE], book].concat());
    }
    // Canvas marks late files, and Moodle's worksheet has the column Status.
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/adal_17_99_sums.py"), SUM);
    grade(home, &["--rules", PENALTY]);
    fs::remove_dir_all(home.join("class")).unwrap();
    let unknown = [("", ""), ("No submission", "-"), ("Submitted for grading", "-")];
    moodle_class(home, WORKSHEET, "Participant", unknown);
    let message = refused(home, &["--gradebook", "Grades.csv", "--rules", PENALTY]);
    assert!(message.contains("are late: Ada L: nothing, Bo Li: `No submission`; give"), "{message}");
    moodle_class(home, &WORKSHEET.replace("Status", "State"), "Participant", unknown);
    let message = refused(home, &["--gradebook", "Grades.csv", "--rules", PENALTY]);
    assert!(message.contains("Cy: nothing"), "{message}");
}

/// Two people called Ann, and one called like Bob's number.
fn namesakes(home: &Path) {
    sums_package(&home.join("sums"));
    for person in ["Ann_17", "Ann_18", "7_9", "Bob_7"] {
        write_file(&home.join(format!("class/{person}_assignsubmission_file_/sums.py")), SUM);
    }
}

#[test]
fn a_row_or_an_option_means_one_participant_and_each_has_one() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    namesakes(home);
    let late = |rows: &str| write_file(&home.join("late.csv"), &format!("participant,late\n{rows}"));
    let rule = ["--rules", TABLE];
    late("Ann,1 day\n");
    let message = on_one_line(&refused(home, &rule));
    assert!(message.contains("late.csv, line 2: `Ann` could be Ann (17), Ann (18)"), "{message}");
    for rows in ["17,1 day\nAnn (17),2 days\n", "7,1 day\n7,1 day\n"] {
        late(rows);
        let message = refused(home, &rule);
        assert!(message.contains("line 3: ") && message.contains("listed twice"), "{message}");
    }
    late("7,1 day\n");
    let (_, report) = grade(home, &["--rules", &format!("{TABLE}\ntime.participants = {{ 7 = 2 }}")]);
    let of = |name: &str| (row(&report, name)["points"].clone(), row(&report, name)["time_factor"].clone());
    assert_eq!((of("Bob"), of("7")), ((90.into(), "2".into()), (100.into(), Value::Null)));
    for (args, part) in [
        (["--rules", "time.participants = { Bob = 0.5, 7 = 2 }"], "Bob has two factors"),
        (["--rules", "time.participants = { Ann = 2 }"], "course.toml:3: `Ann` could be"),
        (["--only", "Ann"], "--only: `Ann` could be"),
    ] {
        let message = on_one_line(&refused(home, &args));
        assert!(message.contains(part), "{args:?}: {message}");
    }
    // A part of the class does not replace the report of all.
    fs::remove_dir_all(home.join("out")).unwrap();
    let (_, report) = grade(home, &["--only", "7"]);
    assert_eq!(report["participants"].as_array().unwrap().len(), 1);
    assert_eq!(row(&report, "Bob")["points"], 100);
}

#[test]
fn a_rule_that_reaches_no_submission_says_so() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home, WORKSHEET, "Participant", [("Submitted for grading", "-"); 3]);
    let (points, _, text) = graded_moodle(home, &["--rules", PENALTY]);
    assert_eq!(points, [100, 100, 100]);
    assert!(on_one_line(&text).contains("no late submission found"), "{text}");
    let page = fs::read_to_string(home.join("out/index.html")).unwrap();
    assert!(page.contains("no late submission found"));
}

#[test]
fn a_deadline_needs_a_worksheet_that_says_when() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/boli_18_98_sums.py"), SUM);
    write_file(&home.join("book.csv"), "Student,ID,Section,sums (4711)\n\"Li, Bo\",18,A,\n");
    let deadline = |time: &str| format!("{PENALTY}\nlate.deadline = {time}");
    let book = ["--gradebook", "book.csv"];
    for (time, book, part) in [
        ("'2026-05-01 23:59'", &book[..], "only Moodle's worksheet has them"),
        ("2026-05-01 23:59:00", &book, "only Moodle's worksheet has them"),
        ("'tomorrow'", &book, "course.toml:4: write it as 2026-05-01 23:59"),
        ("'2026-05-01 23:59'", &[], "give Moodle's grading worksheet as `gradebook`"),
    ] {
        let message = refused(home, &[&["--rules", &deadline(time)], book].concat());
        assert!(message.contains(part), "{message}");
    }
    // One error names all that is missing.
    let alone = "late.deadline = '2026-05-01 23:59'";
    for (book, end) in [
        (&book[..], "add `rule` to [late]"),
        (&[], "add `rule` to [late], and give Moodle's grading worksheet as `gradebook`"),
    ] {
        let message = refused(home, &[&["--rules", alone], book].concat());
        assert!(message.trim_end().ends_with(end), "{message}");
    }
}

#[test]
fn a_late_mark_without_a_time_needs_a_table() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/adalove_LATE_17_99_sums.py"), SUM);
    write_file(&home.join("class/boli_18_98_sums.py"), SUM);
    let message = refused(home, &["--rules", PENALTY]);
    assert!(message.contains("does not say how late adalove is"), "{message}");
    write_file(&home.join("late.csv"), "participant,late\n17,20h\n");
    let (_, report) = grade(home, &["--rules", TABLE]);
    assert_eq!(
        (&row(&report, "adalove")["points"], &row(&report, "boli")["points"]),
        (&90.into(), &100.into())
    );
}

#[test]
fn a_participant_may_have_more_time() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let slow = "time 1000\n".to_owned() + SUM;
    class(home, &[("ada.py", &slow), ("bo.py", &slow), ("cy.py", SUM)]);
    let manifest = fs::read_to_string(home.join("sums/problem.yaml")).unwrap();
    write_file(
        &home.join("sums/problem.yaml"),
        &manifest.replace("time_limit: 5", "time_limit: 0.2, time_resolution: 0.1"),
    );
    let (text, report) = grade(home, &["--rules", "time.participants = { ada = 12 }"]);
    let of = |name: &str| (row(&report, name)["points"].as_u64(), row(&report, name)["verdict"].as_str());
    assert_eq!((of("ada"), of("cy")), ((Some(100), Some("AC")), (Some(100), Some("AC"))));
    assert_eq!(of("bo"), (Some(0), Some("TLE")));
    assert_eq!(row(&report, "ada")["time_factor"], "12");
    let csv = fs::read_to_string(home.join("out/report.csv")).unwrap();
    assert!(csv.contains("ada,,,,,,12,ada.py,") && csv.contains("bo,,,,,,,bo.py,"), "{csv}");
    assert!(text.contains("time limit 2.4 s: 12 times the package's"), "{text}");
    let page = |name: &str| fs::read_to_string(home.join(format!("out/pages/{name}.html"))).unwrap();
    assert!(page("ada").contains("time limit 2.4 s"), "{}", page("ada"));
    assert!(page("bo").contains("time limit 0.2 s"), "{}", page("bo"));
}

#[test]
fn grades_that_were_changed_by_hand_since_the_earlier_report_stay() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let on_time = [("Submitted for grading", "-"); 3];
    moodle_class(home, WORKSHEET, "Participant", on_time);
    grade(home, &[]);
    fs::rename(home.join("out"), home.join("before")).unwrap();
    let sheet = fs::read_to_string(home.join("Grades.csv")).unwrap();
    let with = |ada: &str, bo: &str| {
        let graded =
            sheet.replace("Ada L,,Submitted for grading,", &format!("Ada L,,Submitted for grading,{ada}"));
        graded.replace("Bo Li,,Submitted for grading,", &format!("Bo Li,,Submitted for grading,{bo}"))
    };
    write_file(&home.join("Grades.csv"), &with("100", "75"));
    for name in ["Ada L_17", "Bo Li_18"] {
        write_file(&home.join(format!("class/{name}_assignsubmission_file_/sums.py")), HALF);
    }
    let (points, said, _) = graded_moodle(home, &["--since", "before"]);
    assert_eq!(points, [60, 60, 100]);
    let filled = fs::read_to_string(home.join("out/Grades.csv")).unwrap();
    assert_eq!(
        filled,
        with("60", "75").replace("Cy,,Submitted for grading,", "Cy,,Submitted for grading,100")
    );
    let warning = "warning: 1 with a different grade that is not in the report of --since, kept";
    assert!(said.contains(warning) && said.contains("Bo Li: 75 instead of 60"), "{said}");
}

#[test]
fn changes_since_an_earlier_report_are_listed_with_their_reason() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada.py", SUM), ("bo.py", HALF), ("cy.py", HALF), ("dora.py", SUM)]);
    grade(home, &[]);
    fs::rename(home.join("out"), home.join("before")).unwrap();
    let (text, same) = grade(home, &["--since", "before"]);
    assert!(text.contains("points or verdicts changed since before/report.json: 0"), "{text}");
    assert_eq!(same["changes"], serde_json::json!([]));
    write_file(&home.join("class/bo.py"), SUM);
    write_file(&home.join("class/eve.py"), WRONG);
    fs::remove_file(home.join("class/dora.py")).unwrap();
    write_file(&home.join("late.csv"), "participant,late\nada,1 h\n");
    let rules = "late = { rule = '5 points/hour', table = 'late.csv' }";
    let late = ["--since", "before/report.json", "--rules", rules];
    let (text, report) = grade(home, &late);
    let csv = fs::read_to_string(home.join("out/changes.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<Vec<String>> =
        rows.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let of =
        |name: &str| rows.iter().find(|row| row[0] == name).map(|row| row[1..].join("|")).unwrap_or_default();
    assert!(of("ada").starts_with("sums|100|95|lateness or an extension|"), "{csv}");
    assert_eq!(of("bo"), "sums|60|100|another program; changed: group 2||");
    assert_eq!(of("dora"), "sums|100||another program||");
    assert_eq!(of("eve"), "sums||0|another program||");
    assert_eq!((of("cy"), rows.len()), (String::new(), 4), "cy's points are the same");
    assert!(text.contains("points or verdicts changed since before/report.json: 4"), "{text}");
    assert_eq!(report["changes"].as_array().unwrap().len(), 4);
    let page = fs::read_to_string(home.join("out/index.html")).unwrap();
    let page = page.replace(&format!("{}/", home.display()), "");
    assert!(
        page.contains("Changes since before/report.json")
            && page.contains("another program; changed: group 2")
    );
    // Other cases are a reason, too.
    write_file(&home.join("sums/data/secret/2/b.ans"), "0\n");
    fs::rename(home.join("out"), home.join("late")).unwrap();
    let (text, _) = grade(home, &["--since", "before", "--only", "cy"]);
    assert!(text.contains("cy: 60 → 100: data or limits of the problem; changed: group 2"), "{text}");
    assert!(text.contains("report.json: 1"), "who is left out by --only is not gone: {text}");
    for (file, part) in [("sums/problem.yaml", "not a report of `kopek grade`"), ("gone", "gone")] {
        assert!(refused(home, &["--since", file]).contains(part), "{file}");
    }
    let old = fs::read_to_string(home.join("before/report.json")).unwrap();
    write_file(&home.join("old.json"), &old.replacen("\"version\": 2", "\"version\": 1", 1));
    let message = refused(home, &["--since", "old.json"]);
    assert!(
        message.contains("another version of kopek wrote this report")
            && message.contains("grade the hand-ins of then")
    );
    let message = refused(home, &["--since", "before", "--anonymous"]);
    assert!(message.contains("made with --anonymous"), "{message}");
}

#[test]
fn a_part_of_the_class_does_not_replace_the_report_of_the_others() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada.py", SUM), ("bo.py", HALF), ("cy.py", HALF)]);
    let (_, whole) = grade(home, &[]);
    let message = refused(home, &["--out", "out", "--shard", "1/3"]);
    let is_said = message.contains("who would be removed: ") && message.contains("choose another folder");
    assert!(is_said, "{message}");
    let kept = fs::read_to_string(home.join("out/report.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), whole);
    assert!(home.join("out/pages/bo.html").is_file());
    let mut other = whole.clone();
    other["package"] = "other".into();
    other["uuid"] = "265c0331-7fd4-5145-87c1-f25f1aac8995".into();
    let everyone = ["--only", "ada", "--only", "bo", "--only", "cy"];
    write_file(&home.join("out/report.json"), &Value::from(vec![whole.clone(), other]).to_string());
    let message = refused(home, &[&["--out", "out"][..], &everyone].concat());
    assert!(message.contains("a report of packages that would be removed: other;"), "{message}");
    fs::remove_file(home.join("out/report.json")).unwrap();
    assert!(refused(home, &[&["--out", "out"][..], &everyone].concat()).contains("report.json is missing"));
    write_file(&home.join("out/report.json"), &kept);
    assert_eq!(grade(home, &everyone).1["participants"].as_array().unwrap().len(), 3);
}

#[test]
fn a_package_is_compared_with_itself_whatever_its_folder_is_called() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada.py", SUM)]);
    let (_, before) = grade(home, &[]);
    let earlier = |key: &str, value: Value| {
        let mut earlier = before.clone();
        earlier["participants"][0]["points"] = 60.into();
        earlier["package"] = "renamed".into();
        earlier[key] = value;
        write_file(&home.join("before.json"), &earlier.to_string());
    };
    earlier("package", "old-sums".into());
    let (text, _) = grade(home, &["--since", "before.json"]);
    assert!(text.contains("ada: 60 → 100"), "{text}");
    earlier("uuid", "0".into());
    let message = refused(home, &["--since", "before.json"]);
    assert!(message.contains("a report of renamed (uuid 0), not of sums (uuid "), "{message}");
    earlier("uuid", Value::Null);
    assert!(refused(home, &["--since", "before.json"]).contains("a report of renamed, not of sums"));
    earlier("package", "sums".into());
    let (text, _) = grade(home, &["--since", "before.json"]);
    assert!(text.contains("ada: 60 → 100"), "{text}");
}

#[test]
fn a_rule_is_a_reason_only_for_those_whom_it_touches() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    class(home, &[("ada.py", HALF), ("bo.py", WRONG)]);
    let (_, before) = grade(home, &[]);
    fs::rename(home.join("out"), home.join("before")).unwrap();
    assert_eq!((&row(&before, "ada")["points"], &row(&before, "bo")["points"]), (&60.into(), &0.into()));
    write_file(&home.join("class/bo.py"), SUM);
    write_file(&home.join("late.csv"), "participant,late\n");
    let late = "late = { rule = '1 point/day', table = 'late.csv' }";
    let rule = ["--without", "secret/2/b", "--rules", late];
    let (text, _) = grade(home, &[&rule[..], &["--since", "before"]].concat());
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(plain.contains("ada: 60 → 100: rules of the course; changed: group 2 bo:"), "{text}");
    let all = "group sample, group 1, group 2";
    let both = format!("bo: 0 → 100: another program; rules of the course; changed: {all}");
    assert!(plain.contains(&both), "{text}");
    // Back again, with another limit.
    fs::rename(home.join("out"), home.join("ruled")).unwrap();
    let (text, _) = grade(home, &["--since", "ruled", "--only", "ada"]);
    assert!(text.contains("ada: 100 → 60: rules of the course; changed: group 2"), "{text}");
}
