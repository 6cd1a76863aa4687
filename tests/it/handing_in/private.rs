//! Secrets from participants and the public: secret cases and names.

use super::{
    graded::{HALF, SUM, kopek, sums_package, write_file},
    in_memory::{FAKE_HALF, FAKE_SUM, grade, refusal},
};
use std::{
    fs,
    io::{Cursor, Read},
    path::Path,
};

/// Programs that carry what they read out by every channel that a report could show.
const CARRIERS: [&[&str]; 9] = [
    &["exit a"],
    &["signal 6 + 5 * (a % 2)"],
    &["print a"],
    &["say a", "exit 1"],
    &["memory a", "print 0"],
    &["time a", "print a + b"],
    &["print random(1, a, 0, 9)"],
    &["say a + b", "print a + b"],
    &["say random(1, 5000, a, a)", "exit 1"],
];

/// A class of carriers, whose package has a secret case with this number.
fn carriers(home: &Path, number: u32) {
    sums_package(&home.join("sums"));
    // The samples are shown with their times, which differ by themselves.
    fs::remove_dir_all(home.join("sums/data/sample")).unwrap();
    write_file(&home.join("sums/data/secret/2/b.in"), &format!("{number} {number}\n"));
    write_file(&home.join("sums/data/secret/2/b.ans"), &format!("{}\n", 2 * number));
    for (at, way) in CARRIERS.iter().enumerate() {
        let way: String = way.iter().map(|statement| format!("if a > 8: {statement}\n")).collect();
        let program = format!("a = input[0]\nb = input[1]\nif a < 9: print a + b\n{way}");
        write_file(
            &home.join(format!("class/Eve {at}_{}_assignsubmission_file_/eve.py", 4711 + at)),
            &program,
        );
    }
}

/// Every file below a directory, and every file in a zip there.
fn all_texts(dir: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.path().display().to_string());
        if path.is_dir() {
            found.extend(all_texts(&path));
        } else if name.ends_with(".zip") {
            let mut zip = zip::ZipArchive::new(Cursor::new(fs::read(&path).unwrap())).unwrap();
            for at in 0..zip.len() {
                let mut file = zip.by_index(at).unwrap();
                let inner = file.name().unwrap().into_owned();
                let mut text = String::new();
                file.read_to_string(&mut text).unwrap();
                found.push((inner, text));
            }
        } else {
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_of_a_secret_case_leaves_by_any_channel() {
    let everything = |number: u32, key: &str| {
        let home = tempfile::tempdir().unwrap();
        let home = home.path();
        carriers(home, number);
        write_file(&home.join("key.csv"), key);
        let mut found = Vec::new();
        let grade = |args: &[&str]| grade(home, &[&["sums", "class"], args].concat()).unwrap().text;
        let mut print = |args: &[&str]| found.push((args.join(" "), grade(args)));
        let formats = ["gradescope", "github"];
        formats.iter().for_each(|format| print(&["--format", format]));
        for level in ["brief", "names"] {
            formats.iter().for_each(|format| print(&["--feedback", level, "--format", format]));
            print(&["--feedback", level, "--anonymous=key.csv", "--out", level]);
        }
        grade(&["--out", "named", "--feedback", "names"]);
        let mut texts: Vec<(String, String)> = ["brief", "names", "named/pages"]
            .iter()
            .flat_map(|dir| all_texts(&home.join(dir)))
            .map(|(name, text)| (name.rsplit('/').next().unwrap().to_owned(), text))
            .collect();
        let named = all_texts(&home.join("named"));
        texts.extend(named.into_iter().filter(|(name, _)| name.ends_with("_/feedback.html")));
        let brief = texts.iter().filter(|(_, text)| text.contains("secret/2/b")).count();
        assert!(brief > 0, "the level `names` names cases");
        assert!(
            all_texts(&home.join("brief")).iter().all(|(_, text)| !text.contains("secret/2/b")),
            "`brief` does not"
        );
        found.extend(texts);
        found
    };
    let numbers: String = (0..CARRIERS.len()).map(|at| format!("{at},{},Eve {at}\n", 4711 + at)).collect();
    let key = format!("number,id,name\n{numbers}");
    let (one, other) = (everything(21, &key), everything(57, &key));
    assert_eq!(one.len(), other.len());
    assert!(one.len() > 4 * CARRIERS.len(), "the files are there: {}", one.len());
    for ((name, one), (_, other)) in one.iter().zip(&other) {
        assert_eq!(one, other, "{name}");
    }
}

#[test]
fn full_feedback_shows_every_case() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/ada.py"), FAKE_HALF);
    let page = |level: &[&str]| {
        grade(home, &[&["sums", "class", "--out", "out"], level].concat()).unwrap();
        fs::read_to_string(home.join("out/pages/ada.html")).unwrap()
    };
    assert!(!page(&[]).contains("<code>50</code>"));
    let full = page(&["--feedback", "full"]);
    let printed = "printed <code>0</code> where <code>50</code> was expected";
    assert!(full.contains(printed) && full.contains("20 30"), "{full}");
    assert!(!full.contains(&home.display().to_string()), "no path of the teacher's: {full}");
}

#[test]
fn an_anonymous_report_names_nobody_and_keeps_its_numbers() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("sums/submissions/accepted/sum.py"), SUM);
    let validator = "import sys\nwords = sys.stdin.read().split()\nsys.exit(42 if len(words) == 2 else 43)\n";
    write_file(&home.join("sums/input_validators/valid.py"), validator);
    let person = |name: &str, id: u32, file: &str| {
        home.join(format!("class/{name}_{id}_assignsubmission_file_/{file}"))
    };
    let crash = "# Anna Smith\nimport sys\nprint('ANNA SMITH', file=sys.stderr)\nraise ValueError('anna')\n";
    write_file(&person("Anna Smith", 4711, "anna_smith.py"), crash);
    write_file(&person("Bo Lindgren", 4712, "lindgren.cpp"), "int main() { return lindgren; }\n");
    write_file(&person("Cy Quandt", 4713, "quandt.py"), HALF);
    write_file(&person("Dora Velasco", 4714, "velasco1.py"), SUM);
    write_file(&person("Dora Velasco", 4714, "velasco2.py"), HALF);
    write_file(&person("Eve Zaleski", 4715, "solution.py"), SUM);
    write_file(&person("Fay Ortega", 4716, "solution.py"), SUM);
    let grade = |more: &[&str]| {
        let args = ["grade", "sums", "class", "--anonymous", "--feedback", "full", "--out", "out"];
        let output = kopek(home, &[&args[..], &["--counterexamples=1"], more].concat());
        // Which of Dora's programs is meant is not known.
        assert_eq!(output.status.code(), Some(3), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = grade(&[]);
    let mut texts = all_texts(&home.join("out"));
    texts.push(("terminal".into(), printed));
    let names = "anna smith lindgren quandt velasco dora zaleski ortega 4711 4712 4713 4714 4715 4716";
    for (file, text) in &texts {
        let (file, text) = (file.rsplit("/out/").next().unwrap(), text.to_lowercase());
        let found = names.split(' ').find(|name| text.contains(name) || file.to_lowercase().contains(name));
        assert_eq!(found, None, "{file}: {text}");
    }
    let page = fs::read_to_string(home.join("out/index.html")).unwrap();
    let mistakes = page.split("Mistakes of the class</h3>").nth(1).unwrap();
    assert!(
        mistakes.contains("run-time error, exit code 1</td><td class=\"name\"><a href=\"pages/participant-0"),
        "{mistakes}"
    );
    let key = fs::read_to_string(home.join("class.key.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(key.as_bytes());
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    let cy = rows.iter().find(|row| &row[2] == "Cy Quandt" && &row[1] == "4713").unwrap()[0].to_owned();
    let csv = fs::read_to_string(home.join("out/report.csv")).unwrap();
    let mine = csv.lines().find(|line| line.contains(",60,100,")).unwrap();
    assert!(mine.starts_with(&format!("participant-{cy:0>3},")), "{mine}");
    // The same numbers again, although a participant joined.
    write_file(&person("Aaron Abel", 4710, "solution.py"), SUM);
    grade(&[]);
    let again = fs::read_to_string(home.join("class.key.csv")).unwrap();
    assert!(again.starts_with(&key) && again.contains("\n7,4710,Aaron Abel\n"), "{again}");
    for (args, part) in [
        (["--anonymous=out/key.csv", "--out", "out"], "which others may see"),
        (["--anonymous=key.csv", "--gradebook", "g.csv"], "cannot be used with"),
        (["--anonymous=sums/problem.yaml", "--out", "out"], "not a key"),
        (["--anonymous=key.csv", "--counterexamples", "--feedback=brief"], "shows nothing"),
    ] {
        let output = kopek(home, &[&["grade", "sums", "class"], &args[..]].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(part), "{part}: {message}");
    }
}

/// Prints names, accounts and numbers of others in every way, and what people write about them.
fn telltales(home: &Path) {
    sums_package(&home.join("sums"));
    let mut book = "Identifier,Full name,Email address,Status,Grade,Maximum Grade\n".to_owned();
    for (id, name, account, program) in [
        (51021, "Zoë Strauß", "zstrauss3", "print \"Joerg Mueller, jmueller77\"\n"),
        (51022, "Jörg Müller", "jmueller77", "say \"ZOE STRAUSS\"\nexit 1\n"),
        (51023, "Anna Smith", "as5823", "print 51022\n"),
        (51024, "Bo Lindgren", "lindgren", "print \"class ZoeStrauss\"\n"),
        (51025, "Cy Quandt", "cq99", "print \"smithanna, Müller Jörg\"\n"),
        (51026, "Dora Velasco", "dv1234", FAKE_SUM),
        (51027, "Eve Zaleski", "eza", ""),
    ] {
        book += &format!("Participant {id},{name},{account}@example.org,Submitted for grading,,100\n");
        let place = home.join(format!("class/{name}_{id}_assignsubmission_file_"));
        match id {
            51027 => {}
            51026 => ["velasco1.py", "velasco2.py"]
                .iter()
                .zip([FAKE_SUM, FAKE_HALF])
                .for_each(|(file, text)| write_file(&place.join(file), text)),
            _ => write_file(&place.join("sums.py"), program),
        }
    }
    write_file(&home.join("Grades.csv"), &book);
    let decisions =
        "participant,package,group,points,comment,by\n51023,sums,,-1,copied from Zoe Strauss,Noether\n";
    write_file(&home.join("by-hand.csv"), decisions);
    let course = "problems = \"sums\"\nhand-ins = \"class\"\ngradebook = \"Grades.csv\"\nout = \"out\"\n\
        decisions = \"by-hand.csv\"\n[feedback]\nlevel = \"full\"\n";
    write_file(&home.join("course.toml"), course);
}

/// With accents, without, with `ae` for `ä`, and as one word in the other order; accounts and numbers.
const SPELLINGS: &str = "zoë strauß zoe strauss strausszoe straußzoë jörg müller jorg muller joerg mueller müllerjörg \
    muellerjoerg mullerjorg anna smith smithanna lindgren quandt velasco dora zaleski zstrauss3 jmueller77 as5823 \
    cq99 dv1234 51021 51022 51023 51024 51025 51026 51027";

#[test]
fn no_output_of_an_anonymous_report_names_anybody() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    telltales(home);
    let graded = grade(home, &["--anonymous"]).unwrap();
    assert!(graded.said.contains(": someone must decide which file is the program"), "{}", graded.said);
    let mut texts = all_texts(&home.join("out"));
    let pages: String =
        texts.iter().filter(|(name, _)| name.contains("/pages/")).map(|(_, text)| text.as_str()).collect();
    assert!(pages.matches("(hidden: it contains a name)").count() >= 4, "{pages}");
    texts.extend([("text".to_owned(), graded.text), ("said".to_owned(), graded.said)]);
    for format in ["json", "csv", "gradescope", "github"] {
        texts.push((format.to_owned(), grade(home, &["--anonymous", "--format", format]).unwrap().text));
    }
    for (file, text) in &texts {
        let (file, text) = (file.rsplit("/out/").next().unwrap().to_lowercase(), text.to_lowercase());
        assert!(!text.contains("copied from"), "the comment: {file}: {text}");
        let found = SPELLINGS.split_whitespace().find(|name| text.contains(name) || file.contains(name));
        assert_eq!(found, None, "{file}: {text}");
    }
}

#[test]
fn an_anonymous_report_of_a_course_with_a_gradebook_names_nobody() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/anna smith_17_assignsubmission_file_/sums.py"), FAKE_SUM);
    let head = "Identifier,Full name,Email address,Status,Grade,Maximum Grade\n";
    let rows = "Participant 17,Anna Smith,a@x.org,Submitted for grading - 1 day late,,100\n";
    write_file(&home.join("Grades.csv"), &format!("{head}{rows}Participant 18,Bo Lindgren,b@x.org,,,100\n"));
    let course = "problems = [\"sums\"]\nhand-ins = \"class\"\ngradebook = \"Grades.csv\"\nout = \"out\"\n";
    write_file(&home.join("course.toml"), &format!("{course}[late]\nrule = \"10%/day\"\n"));
    let graded = grade(home, &["--anonymous"]).unwrap();
    let text = graded.text + &graded.said;
    // The gradebook still says who is late.
    assert!(text.contains("90/100") && text.contains("no grades in the gradebook"), "{text}");
    let mut texts = all_texts(&home.join("out"));
    assert!(!texts.iter().any(|(name, _)| name.ends_with("Grades.csv")));
    texts.push(("terminal".into(), text));
    for (file, text) in texts {
        let text = text.to_lowercase();
        assert!(
            !text.contains("smith") && !text.contains("lindgren") && !text.contains("@x.org"),
            "{file}: {text}"
        );
    }
}

#[test]
fn reports_with_names_and_without_are_not_written_into_one_folder() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/Anna Smith_17_assignsubmission_file_/sums.py"), FAKE_SUM);
    let args = |out: &'static str| ["sums", "class", "--out", out];
    grade(home, &args("named")).unwrap();
    grade(home, &[&args("hidden")[..], &["--anonymous"]].concat()).unwrap();
    let texts = || [all_texts(&home.join("named")), all_texts(&home.join("hidden"))];
    let before = texts();
    let message = refusal(home, &[&args("named")[..], &["--anonymous"]].concat());
    assert_eq!(message, "--anonymous: --out named has a report with names; choose another --out");
    let message = refusal(home, &args("hidden"));
    assert_eq!(message, "--out hidden has an anonymous report, which others may see; choose another --out");
    assert_eq!(texts(), before);
    grade(home, &args("named")).unwrap();
    // A name may look like a number of an anonymous report.
    fs::rename(
        home.join("class/Anna Smith_17_assignsubmission_file_"),
        home.join("class/participant-001_17_assignsubmission_file_"),
    )
    .unwrap();
    grade(home, &args("named")).unwrap();
    grade(home, &[&args("hidden")[..], &["--anonymous"]].concat()).unwrap();
}

#[test]
fn mistyped_arguments_are_refused_before_anything_is_made() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/ada.py"), SUM);
    write_file(&home.join("file"), "mine\n");
    write_file(&home.join("mine/index.html"), "mine\n");
    let usual = ["sums", "class"];
    for (paths, options, part) in [
        (&["sums", "clas"][..], &[][..], "did you mean `class`?"),
        (&["class", "sums"], &[], "did you mean `kopek grade sums class`?"),
        (&usual, &["--since", "gone"], "gone"),
        (&usual, &["--decisions", "gone.csv"], "gone.csv"),
        (&usual, &["--gradebook", "gone.csv"], "gone.csv"),
        (&usual, &["--out", "file"], "cannot write to this folder"),
        (&usual, &["--out", "file/below"], "cannot write to this folder"),
        (&usual, &["--out", "/proc/results"], "cannot write to this folder"),
        (&usual, &["--out", "sums/results"], "inside the package"),
        (&usual, &["--out", "sums"], "inside the package"),
        (&usual, &["--out", "class/results"], "inside the hand-ins"),
        (&usual, &["--out", "class"], "inside the hand-ins"),
        (&usual, &["--out", "mine"], "kopek did not write index.html"),
    ] {
        let output = kopek(home, &[&["grade"], paths, options].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && message.contains(part), "{options:?}: {message}");
        assert!(output.stdout.is_empty() && !home.join("store").exists(), "{options:?}: {message}");
    }
    let output = kopek(home, &["grade", "sums", "./sums", "class"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("two packages are called sums"), "{message}");
    assert_eq!(fs::read_to_string(home.join("file")).unwrap(), "mine\n");
}
