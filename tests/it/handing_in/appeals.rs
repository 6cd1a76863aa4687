//! An appeal: the class is graded again, and only the pages that changed go out.

use super::{
    graded::{sums_package, write_file},
    in_memory::{FAKE_HALF as HALF, FAKE_SUM as SUM, FAKE_WRONG as WRONG, grade, refusal},
};
use kopek::{
    render::{Page, render_changed_rows},
    results::{Report, ReportChanges},
};
use serde_json::Value;
use std::{collections::BTreeMap, fs, io::Read, path::Path};
use walkdir::WalkDir;

const MOODLE: &str = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
    Last modified (submission),Last modified (grade),Feedback comments\n";

/// A class from Moodle with an accepted, a wrong and a broken program, and its worksheet.
fn moodle_class(home: &Path) {
    sums_package(&home.join("sums"));
    let mut book = MOODLE.to_owned();
    for (number, name, program) in
        [(17, "Ada L", HALF), (18, "Bo Li", WRONG), (19, "Cy", "print(\n"), (20, "Dora", SUM)]
    {
        write_file(&hand_in(home, name, number), program);
        book += &format!("Participant {number},{name},a{number}@x.org,Submitted for grading,,100,Yes,-,-,\n");
    }
    write_file(&home.join("Grades.csv"), &book);
}

fn hand_in(home: &Path, name: &str, number: u32) -> std::path::PathBuf {
    home.join(format!("class/{name}_{number}_assignsubmission_file_/sums.py"))
}

/// The report and the messages, on one line.
fn graded(home: &Path, args: &[&str]) -> String {
    let graded = grade(home, &[&["sums", "class", "--out", "out"], args].concat()).unwrap();
    on_one_line(&(graded.text + &graded.said))
}

fn refused(home: &Path, args: &[&str]) -> String {
    on_one_line(&refusal(home, &[&["sums", "class", "--out", "out"], args].concat()))
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All files of the report, with the files inside of zips.
fn files(home: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in WalkDir::new(home.join("out")).into_iter().map(Result::unwrap) {
        if !entry.file_type().is_file() {
            continue;
        }
        let name = entry.path().strip_prefix(home.join("out")).unwrap().display().to_string();
        if name.ends_with(".zip") {
            let mut zip = zip::ZipArchive::new(fs::File::open(entry.path()).unwrap()).unwrap();
            for at in 0..zip.len() {
                let mut file = zip.by_index(at).unwrap();
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes).unwrap();
                let inner = file.name().unwrap().into_owned();
                all.insert(format!("{name}/{inner}"), bytes);
            }
        } else {
            all.insert(name, fs::read(entry.path()).unwrap());
        }
    }
    all
}

fn report(home: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(home.join("out/report.json")).unwrap()).unwrap()
}

fn row<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["participants"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap()
}

#[test]
fn an_appeal_is_a_new_file_and_the_class_graded_again() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    graded(home, &["--gradebook", "Grades.csv"]);
    let (before, then) = (files(home), report(home));
    write_file(&hand_in(home, "Ada L", 17), &format!("{SUM}# her own\n"));
    let text = graded(home, &["--gradebook", "Grades.csv", "--since", "out"]);
    assert!(text.contains("wrote 4 grades into out/Grades.csv"), "{text}");
    assert!(text.contains("wrote 1 changed page into out/changed"), "{text}");
    let (after, now) = (files(home), report(home));
    for name in ["Bo Li", "Cy", "Dora"] {
        assert_eq!(row(&then, name), row(&now, name));
    }
    assert_eq!((&row(&then, "Ada L")["points"], &row(&now, "Ada L")["points"]), (&60.into(), &100.into()));
    let new: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    assert!(new.iter().all(|name| name.contains("Ada L") || *name == "changes.csv"), "{new:?}");
    let zip = "changed-for-moodle.zip/Ada L_17_assignsubmission_file_/feedback.html";
    assert!(new.iter().any(|name| *name == zip), "{new:?}");
}

#[test]
fn the_terminal_shows_only_the_rows_that_changed() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    graded(home, &[]);
    write_file(&hand_in(home, "Ada L", 17), SUM);
    let graded = grade(home, &["sums", "class", "--out", "out", "--since", "out"]).unwrap();
    let shown = render_changed_rows(&graded.report, Page::default());
    assert!(shown.contains("\nAda L ") && shown.contains("  Ada L: 60 → 100: another program"), "{shown}");
    assert!(!shown.contains("Bo Li") && graded.text.contains("\nBo Li "), "{shown}");
    assert!(shown.contains("4 participants graded"), "{shown}");
    // Of several packages, only those with a change.
    sums_package(&home.join("twin"));
    let both = ["sums", "twin", "class", "--out", "both"];
    grade(home, &both).unwrap();
    write_file(&hand_in(home, "Bo Li", 18), HALF);
    let report = grade(home, &[&both[..], &["--since", "both"]].concat()).unwrap().report;
    let shown = render_changed_rows(&report, Page::default());
    assert!(shown.contains("Sums (sums)\n") && !shown.contains("Sums (twin)"), "{shown}");
    assert_eq!(shown.matches("\nBo Li ").count(), 2, "of the package and of all: {shown}");
    assert!(!shown.contains("Dora"), "{shown}");
    // No row changed.
    let graded = grade(home, &["sums", "class", "--out", "out", "--since", "out"]).unwrap();
    let again = Report { since: Some(ReportChanges::default()), ..graded.report };
    let shown = render_changed_rows(&again, Page::default());
    assert!(shown.starts_with("points or verdicts changed since : 0\n"), "{shown}");
}

#[test]
fn a_part_of_a_class_never_replaces_the_report_of_all() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    graded(home, &[]);
    let before = files(home);
    let refused = |args: &[&str], part: &str| {
        let text = refused(home, args);
        assert!(text.contains(part), "{args:?}: {text}");
        assert!(files(home) == before, "{args:?}: a file has changed");
    };
    let others = "out: has a report of 3 other participants who would be removed: Bo Li, Cy, Dora; choose another folder";
    refused(&["--only", "Ada L"], others);
    // One person was downloaded alone.
    fs::rename(home.join("class"), home.join("whole")).unwrap();
    write_file(&hand_in(home, "Ada L", 17), SUM);
    let alone = "a report of 4 participants, but only one handed in now; if this is a download of one person, put the \
                 file in the place of the old one in the folder of the whole class, and grade that folder";
    refused(&[], &format!("out/report.json: {alone}"));
    refused(&["--since", "out", "--out", "other"], alone);
    let text = graded(home, &["--only", "17", "--since", "out", "--out", "other"]);
    assert!(text.contains("Ada L: 60 → 100") && !text.contains("Bo Li"), "{text}");
    // One who is all of the class is no part of it.
    graded(home, &["--out", "alone"]);
    graded(home, &["--out", "alone", "--since", "alone"]);
}

#[test]
fn changed_pages_go_out_alone_and_begin_with_the_change() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    let worksheet = ["--gradebook", "Grades.csv"];
    graded(home, &worksheet);
    fs::rename(home.join("out"), home.join("before")).unwrap();
    let with_book = graded(home, &["--gradebook", "Grades.csv", "--only", "a17@x.org", "--format", "csv"]);
    assert!(with_book.contains("Ada L,17,a17@x.org,"), "{with_book}");
    fs::remove_dir_all(home.join("out")).unwrap();
    // Two programs that print 0 there gain, and the right one loses.
    write_file(&home.join("sums/data/secret/2/b.ans"), "0\n");
    let text = graded(home, &["--since", "before"]);
    assert!(text.contains("wrote 3 changed pages into out/changed"), "{text}");
    let all = files(home);
    let changed: Vec<&String> = all.keys().filter(|name| name.starts_with("changed")).collect();
    assert_eq!(changed.len(), 6, "{changed:?}");
    let page = String::from_utf8(all["changed/Ada L.html"].clone()).unwrap();
    let begin = page.find("60 → 100</strong>. Data or limits of the problem; changed: group 2.").unwrap();
    assert!(begin < page.find("100/100 points").unwrap(), "{page}");
    let sent = changed.iter().find(|name| name.contains(".zip/") && name.contains("Ada L_17")).unwrap();
    assert!(all[*sent] == page.as_bytes());
    let table = String::from_utf8(all["changes.csv"].clone()).unwrap().replace('\r', "");
    assert!(table.starts_with("name,package,before,after,why,id,email\n"), "{table}");
    assert!(table.contains("Ada L,sums,60,100,") && table.contains(",17,\n"), "{table}");
    // With the points of groups only, the reason names no case.
    graded(home, &["--since", "before", "--feedback", "brief"]);
    let page = fs::read_to_string(home.join("out/changed/Ada L.html")).unwrap();
    assert!(page.contains("60 → 100</strong>") && !page.contains("secret/2/b"), "{page}");
    // Nothing of an earlier run is sent again.
    fs::rename(home.join("out"), home.join("now")).unwrap();
    graded(home, &["--since", "now"]);
    assert!(!files(home).keys().any(|name| name.starts_with("changed")));
}

#[test]
fn a_second_appeal_into_the_same_report_keeps_the_changes_of_the_first() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    graded(home, &[]);
    write_file(&hand_in(home, "Ada L", 17), SUM);
    graded(home, &["--since", "out"]);
    write_file(&hand_in(home, "Bo Li", 18), HALF);
    graded(home, &["--since", "out"]);
    write_file(&hand_in(home, "Bo Li", 18), SUM);
    let text = graded(home, &["--since", "out"]);
    assert!(text.contains("wrote 2 changed pages into out/changed"), "{text}");
    let all = files(home);
    let page = |name: &str| String::from_utf8(all[&format!("changed/{name}.html")].clone()).unwrap();
    assert!(page("Ada L").contains("60 → 100</strong>. Another program; changed: "), "{}", page("Ada L"));
    assert!(page("Bo Li").contains("0 → 100</strong>. Another program; changed: "), "{}", page("Bo Li"));
    assert_eq!(all.keys().filter(|name| name.starts_with("changed-for-moodle.zip/")).count(), 2);
}

#[test]
fn another_verdict_is_a_change_though_the_points_are_the_same() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/ada.py"), WRONG);
    graded(home, &[]);
    fs::rename(home.join("out"), home.join("before")).unwrap();
    write_file(&home.join("class/ada.py"), "exit 1\n");
    let text = graded(home, &["--since", "before"]);
    assert!(text.contains("ada: 0 → 0: another program; changed: "), "{text}");
    assert!(home.join("out/changed/ada.html").is_file());
}

#[test]
fn people_of_canvas_have_the_names_of_the_gradebook_and_namesakes_their_numbers() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    for (name, number) in [("bauerolga", 51070), ("bauerolga", 51077), ("nagypal", 51080)] {
        write_file(&home.join(format!("class/{name}_{number}_9{number}_sums.py")), SUM);
    }
    let book = "Student,ID,Section,sums (4711)\n\"Bauer, Olga\",51070,A,\n\"Bauer, Olga\",51077,A,\n\"Nagy, Pál\",51080,A,\n";
    write_file(&home.join("book.csv"), book);
    let text = graded(home, &["--gradebook", "book.csv"]);
    for name in ["Bauer, Olga (51070)", "Bauer, Olga (51077)", "Nagy, Pál"] {
        assert_eq!(row(&report(home), name)["points"], 100, "{text}");
        assert!(text.contains(name), "{text}");
    }
    assert!(
        home.join("out/pages/Bauer_ Olga (51077).html").is_file()
            || home.join("out/pages/Bauer_ Olga _51077_.html").is_file()
    );
    let text = refused(home, &["--gradebook", "book.csv", "--only", "Bauer, Olga"]);
    assert!(text.contains("`Bauer, Olga` could be Bauer, Olga (51070); Bauer, Olga (51077)"), "{text}");
    let text = graded(home, &["--gradebook", "book.csv", "--only", "51077", "--out", "one"]);
    assert!(text.contains("Bauer, Olga (51077)") && !text.contains("Nagy, Pál *"), "{text}");
    let filled = fs::read_to_string(home.join("out/book.csv")).unwrap();
    assert_eq!(filled.matches(",A,100").count(), 3, "{filled}");
}
