//! An appeal: one participant is graded again, and nothing of the others changes.

use super::{
    graded::{sums_package, write_file},
    in_memory::{FAKE_HALF as HALF, FAKE_SUM as SUM, FAKE_WRONG as WRONG, grade, refusal},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::Path,
};
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
fn one_participant_is_graded_again_and_everything_of_the_others_stays() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    graded(home, &["--gradebook", "Grades.csv"]);
    let (before, then) = (files(home), report(home));
    write_file(&hand_in(home, "Ada L", 17), &format!("{SUM}# her own\n"));
    // Others may have handed in again since, or may be missing here.
    write_file(&hand_in(home, "Bo Li", 18), SUM);
    fs::remove_dir_all(home.join("class/Cy_19_assignsubmission_file_")).unwrap();
    let text = graded(home, &["--gradebook", "Grades.csv", "--only", "Ada L"]);
    assert!(text.contains("1 of 4 participants graded again; the others are as they were"), "{text}");
    assert!(text.contains("wrote 4 grades into out/Grades.csv"), "{text}");
    let (after, now) = (files(home), report(home));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&before), names(&after));
    let whole = ["index.html", "report.json", "report.csv", "report.txt", "Grades.csv", ".kopek-hand-ins"];
    let changed: Vec<&String> = before.keys().filter(|name| before[*name] != after[*name]).collect();
    for name in &changed {
        assert!(name.contains("Ada L") || whole.contains(&name.as_str()), "{name} has changed");
    }
    assert!(changed.len() >= 8, "Ada's page, text and feedback file, and the files of all: {changed:?}");
    for name in ["Bo Li", "Cy", "Dora"] {
        assert_eq!(row(&then, name), row(&now, name));
    }
    assert_eq!((&row(&then, "Ada L")["points"], &row(&now, "Ada L")["points"]), (&60.into(), &100.into()));
    // Every line of a table but Ada's is as it was.
    for name in ["report.csv", "Grades.csv"] {
        let lines = |files: &BTreeMap<String, Vec<u8>>| -> Vec<String> {
            let text = String::from_utf8(files[name].clone()).unwrap();
            text.lines().filter(|line| !line.contains("Ada L")).map(str::to_owned).collect()
        };
        assert_eq!(lines(&before), lines(&after), "{name}");
    }
    let page = String::from_utf8(after["index.html"].clone()).unwrap();
    for name in ["Ada L", "Bo Li", "Cy", "Dora"] {
        assert!(page.contains(&format!("pages/{}.html", name.replace(' ', "%20"))), "{name}");
    }
    // A second appeal loses nothing of the first.
    graded(home, &["--gradebook", "Grades.csv", "--only", "18"]);
    let last = report(home);
    assert_eq!(row(&last, "Ada L"), row(&now, "Ada L"));
    assert_eq!((&row(&last, "Bo Li")["points"], &row(&last, "Cy")["points"]), (&100.into(), &0.into()));
}

#[test]
fn an_appeal_judges_the_hand_ins_of_then_by_the_rules_of_now() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    write_file(&hand_in(home, "Bo Li", 18), HALF);
    graded(home, &[]);
    let hand_ins = home.join("out/.kopek-hand-ins");
    assert_eq!(fs::metadata(&hand_ins).unwrap().permissions().mode() & 0o777, 0o600);
    let text = graded(home, &["--only", "17"]);
    assert!(text.contains("0 jobs done") && text.contains("the others are as they were"), "{text}");
    // The class at the time of the report; only Ada is still here.
    fs::rename(home.join("class"), home.join("then")).unwrap();
    for folder in fs::read_dir(home.join("then")).unwrap().map(Result::unwrap) {
        if folder.file_name().to_string_lossy().starts_with("Ada") {
            let to = home.join("class").join(folder.file_name());
            write_file(&to.join("sums.py"), &fs::read_to_string(folder.path().join("sums.py")).unwrap());
        }
    }
    let rules = |first: &str, second: &str| {
        for (group, rule) in [("1", first), ("2", second)] {
            write_file(&home.join("sums/data/secret").join(group).join("test_group.yaml"), rule);
        }
    };
    let [sixty, forty] = [60, 40].map(|max| format!("max_score: {max}\nscore_aggregation: pass-fail\n"));
    let fits = |args: &[&str], changed: &str| {
        let text = graded(home, &[&["--only", "17"], args].concat());
        let whole = grade(home, &[&["sums", "then", "--format", "json"], args].concat()).unwrap();
        let whole: Value = serde_json::from_str(&whole.text).unwrap();
        assert_eq!(report(home)["participants"], whole["participants"], "{args:?}");
        assert_eq!(report(home)["rules"], whole["rules"], "{args:?}");
        let rest = if changed.is_empty() { "the others are as they were" } else { changed };
        assert!(
            text.contains("1 of 4 participants graded again;") && text.contains(rest),
            "{args:?}: {text}"
        );
    };
    let bo = "of the others, 1 have other points, verdicts or comments now, because rules, decisions or the package \
              are others: Bo Li";
    rules(&sixty.replace("60", "90"), &forty.replace("40", "10"));
    fits(&[], bo);
    rules(&sixty, &forty.replace("pass-fail", "min"));
    fits(&[], bo);
    write_file(&home.join("sums/include/default/help.txt"), "new\n");
    fits(&[], "");
    fits(&["--scale", "10"], "2 have other points, verdicts or comments now, because rules");
    fits(&["--feedback", "names", "--time-factor", "20=2"], "2 have other points");
}

#[test]
fn a_report_without_its_hand_ins_is_not_completed() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    moodle_class(home);
    graded(home, &[]);
    let place = home.join("out/.kopek-hand-ins");
    let kept = fs::read_to_string(&place).unwrap();
    let refused = |args: &[&str], part: &str| {
        let before = files(home);
        let text = refused(home, &[&["--only", "Ada L"], args].concat());
        assert!(text.contains(part) && text.contains("grade the whole class again"), "{args:?}: {text}");
        assert!(files(home) == before, "{args:?}: a file has changed");
    };
    refused(&["--attempts", "best"], "were read with another --attempts");
    let other_layout = kept.replacen("\"layout\":\"moodle\"", "\"layout\":\"canvas\"", 1);
    fs::write(&place, other_layout).unwrap();
    refused(&[], "were read with the canvas layout, these with the moodle layout");
    let hunted = kept.replacen("\"has_counterexamples\":false", "\"has_counterexamples\":true", 1);
    fs::write(&place, hunted).unwrap();
    refused(
        &[],
        "its report has inputs on which others fail, which would be lost; add --counterexamples, or",
    );
    // A later version may keep other things.
    let version = format!("\"kopek\":\"{}\"", env!("CARGO_PKG_VERSION"));
    fs::write(&place, kept.replacen(&version, "\"kopek\":\"9.0.1\"", 1)).unwrap();
    graded(home, &["--only", "Ada L"]);
    fs::write(&place, "{\"kopek\":\"9.0.1\",\"class\":[]}").unwrap();
    refused(&[], "kopek 9.0.1 wrote its report, this is kopek");
    fs::remove_file(&place).unwrap();
    refused(&[], "has lost .kopek-hand-ins, and cannot be completed");
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
    let begin = page.find("60 → 100</strong>. Case b of group 2 was changed; group 2 now passes.").unwrap();
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
    graded(home, &["--only", "17", "--since", "out"]);
    write_file(&hand_in(home, "Bo Li", 18), HALF);
    graded(home, &["--only", "18", "--since", "out"]);
    write_file(&hand_in(home, "Bo Li", 18), SUM);
    let text = graded(home, &["--only", "18", "--since", "out"]);
    assert!(text.contains("wrote 2 changed pages into out/changed"), "{text}");
    let all = files(home);
    let page = |name: &str| String::from_utf8(all[&format!("changed/{name}.html")].clone()).unwrap();
    assert!(page("Ada L").contains("60 → 100</strong>. Other program handed in"), "{}", page("Ada L"));
    assert!(page("Bo Li").contains("0 → 100</strong>. Other program handed in"), "{}", page("Bo Li"));
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
    assert!(text.contains("ada: 0 → 0: other program handed in"), "{text}");
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
    assert!(text.contains("`Bauer, Olga` could be Bauer, Olga (51070), Bauer, Olga (51077)"), "{text}");
    let text = graded(home, &["--gradebook", "book.csv", "--only", "51077"]);
    assert!(text.contains("1 of 3 participants graded again"), "{text}");
    let filled = fs::read_to_string(home.join("out/book.csv")).unwrap();
    assert_eq!(filled.matches(",A,100").count(), 3, "{filled}");
}
