//! Gradebooks of both platforms, filled.

use super::{
    grade_entry::{EarlierGrade, GradeEntry},
    gradebook::{FilledGradebook, Gradebook, StandingGrades},
};
use kopek_engine::points::Points;

const MOODLE: &str = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
    Last modified (submission),Last modified (grade),Feedback comments";

fn entry(name: &str, id: &str, points: &str) -> GradeEntry {
    let id = Some(id.to_owned()).filter(|id| !id.is_empty());
    GradeEntry {
        name: name.into(),
        id,
        email: None,
        points: points.parse().ok(),
        max: Some(Points::from(100)),
        earlier: EarlierGrade::NotAsked,
    }
}

fn filled(bytes: &[u8], grades: &[GradeEntry]) -> Result<FilledGradebook, String> {
    let book = Gradebook::read(bytes, None, &["exercise-3".to_owned()]).map_err(|e| e.to_string())?;
    book.fill(grades, StandingGrades::Keep).map_err(|e| e.to_string())
}

/// Quotes, line breaks in cells, CRLF, BOM: all but the grades must come back.
#[test]
fn every_byte_but_the_grades_stays() {
    let rows = |a: &str, b: &str| {
        format!(
            "\u{feff}{MOODLE}\r\nParticipant 17,\"Smith, Anna \"\"A.\"\"\",a@x.edu,Submitted,{a},100,Yes,\"Monday,\r\n1 May\",-,\"fine\nso far\"\r\n\
             Participant 18,Bo Li,b@x.edu,,\"{b}\",100,Yes,,-,\r\nParticipant 19,Cy,c@x.edu,,,100,Yes,,-,"
        )
    };
    let bo = GradeEntry { earlier: EarlierGrade::Given(Points::from(12)), ..entry("Bo", "18", "100") };
    let grades = [entry("Anna Smith", "17", "33.333333333"), bo, entry("Eve", "99", "5")];
    let result = filled(rows("", "12").as_bytes(), &grades).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), rows("33.33333", "100"));
    assert_eq!((result.filled, result.absent, result.unknown), (2, vec!["Cy".into()], vec!["Eve".into()]));
    assert_eq!(result.changed, [("Bo".into(), "12".into(), "100".into())]);
}

#[test]
fn a_grade_that_a_person_wrote_stays_where_that_can_be_known() {
    let text = |grade: &str| format!("{MOODLE}\nParticipant 17,A,,,{grade},100,Yes,,,\n");
    let given = |points: &str| EarlierGrade::Given(points.parse().unwrap());
    for (cell, earlier, wanted) in [
        ("60", given("60"), "100"),
        ("33.33333", given("33.333333"), "100"),
        ("70", given("60"), "70"),
        ("70", EarlierGrade::Nothing, "70"),
        ("excused", given("60"), "excused"),
        ("", given("60"), "100"),
        ("100", given("60"), "100"),
        ("70", EarlierGrade::NotAsked, "70"),
        ("100.0", EarlierGrade::NotAsked, "100"),
    ] {
        let result =
            filled(text(cell).as_bytes(), &[GradeEntry { earlier, ..entry("A", "17", "100") }]).unwrap();
        assert_eq!(String::from_utf8(result.bytes).unwrap(), text(wanted), "{cell}");
        assert_eq!(result.kept.len(), usize::from(wanted != "100"), "{cell}");
    }
    let book = Gradebook::read(text("70").as_bytes(), None, &[]).unwrap();
    let result = book.fill(&[entry("A", "17", "100")], StandingGrades::Overwrite).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), text("100"));
    assert_eq!(result.changed, [("A".into(), "70".into(), "100".into())]);
}

#[test]
fn a_grade_that_the_platform_has_locked_stays() {
    let text = |grade: &str| format!("{MOODLE}\nParticipant 17,A,,,{grade},100,No,,,\n");
    let result = filled(text("").as_bytes(), &[entry("A", "17", "100")]).unwrap();
    assert_eq!((String::from_utf8(result.bytes).unwrap(), result.filled), (text(""), 0));
    assert_eq!(result.locked, [("A".into(), String::new(), "100".into())]);
}

#[test]
fn a_worksheet_in_another_language_is_read_by_its_columns() {
    let head = "ID,Nom complet,Adresse de courriel,Numéro,Statut,Note,Note maximale,La note peut être modifiée,\
        Dernière modification (travail remis),Dernière modification (note),Feedback\n";
    let row = |number: u32, name: &str, grade: &str| {
        format!(
            "Participant{number},{name},{name}@x.edu,{number}00,Remis,{grade},100,Oui,lundi 4 mai 2026,-,\n"
        )
    };
    let text = |a: &str| head.to_owned() + &row(17, "anna", a) + &row(18, "bo", "");
    let entries = [entry("Anna", "17", "7.5")];
    let result = filled(text("").as_bytes(), &entries).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), text("7.5"));
    assert_eq!(result.absent, ["bo"]);
    let book = Gradebook::read(text("").as_bytes(), None, &[]).unwrap();
    let cells = book.submission(&entries[0]).unwrap().unwrap();
    assert_eq!((cells.status, cells.modified), (Some("Remis"), Some("lundi 4 mai 2026")));
    // The title can be named as ever.
    let book = Gradebook::read(text("").as_bytes(), Some("Note"), &[]).unwrap();
    assert_eq!(book.column(), "Note");
    // Without a column of greatest grades nothing says which is which.
    let scale = text("").replace(",100,Oui", ",bon,Oui");
    assert!(filled(scale.as_bytes(), &entries).unwrap_err().contains("in English"));
}

#[test]
fn a_gradebook_with_semicolons_has_decimal_commas() {
    let text = |a: &str| format!("{MOODLE}\nParticipant 17,M\u{fc}ller,,,{a},100,Yes,,,\n").replace(',', ";");
    let latin1 = |text: String| -> Vec<u8> { text.chars().map(|c| u32::from(c) as u8).collect() };
    let result = filled(&latin1(text("")), &[entry("M\u{fc}ller", "17", "7.5")]).unwrap();
    assert_eq!(result.bytes, latin1(text("").replace("ller;;;;100", "ller;;;7,5;100")));
}

#[test]
fn a_column_of_canvas_is_found_by_its_title() {
    let text = |grade: &str| {
        format!(
            "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 3 (4711),Exercise 4 (4712)\n    Points Possible,,,,,100.0,50.0\n\
             \"Alvarez, Chloe\",12006,u1,chloe,A,{grade},\n\"Xu, Li\",12007,u2,li,A,,\n"
        )
    };
    let result = filled(text("").as_bytes(), &[entry("alvarezchloe", "12006", "50")]).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), text("50"));
    assert_eq!(result.absent, ["Xu, Li"]);
    let low = GradeEntry { max: Some(Points::from(20)), ..entry("x", "12006", "5") };
    let posting = text("").replacen('\n', "\n,,,,,Manual Posting,\n", 1);
    for text in [text(""), posting] {
        let error = filled(text.as_bytes(), std::slice::from_ref(&low)).unwrap_err();
        assert!(error.contains("the maximum grade is 100"), "{error}");
    }
    let error = Gradebook::read(text("").as_bytes(), Some("Exercise 5"), &[]).unwrap_err().to_string();
    assert!(error.contains("--column") && error.contains("Exercise 4 (4712)"), "{error}");
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let ok = format!("{MOODLE}\nParticipant 17,A,,,,100,Yes,,,\n");
    let cases = [
        ("a,b\n1,2\n".to_owned(), "neither Moodle's worksheet"),
        (String::new(), "empty"),
        ("PK\u{3}\u{4}".to_owned(), "export it as CSV"),
        (format!("{MOODLE}\nParticipant 17,\"A\n"), "never closed"),
        (format!("{MOODLE}\nParticipant 17,A\n"), "line 2: 2 cells"),
        (ok.replace("17", "23"), "is it the gradebook of this course?"),
    ];
    for (text, word) in cases {
        let error = filled(text.as_bytes(), &[entry("Zoe", "17", "1")]).unwrap_err();
        assert!(error.contains(word), "{error}");
    }
    let twice = [entry("Zoe", "17", "1"), entry("Zo", "17", "2")];
    assert!(filled(ok.as_bytes(), &twice).unwrap_err().contains("match the same row"));
}

#[test]
fn a_name_is_found_in_either_encoding_of_its_accents() {
    let ada = GradeEntry { id: None, ..entry("Müller", "", "5") };
    let rows =
        |name: &str, points| format!("{MOODLE}\r\nParticipant 17,{name},a@x.edu,,{points},100,Yes,,-,\r\n");
    for name in ["M\u{fc}ller", "Mu\u{308}ller"] {
        let result = filled(rows(name, "").as_bytes(), std::slice::from_ref(&ada)).unwrap();
        assert_eq!(String::from_utf8(result.bytes).unwrap(), rows(name, "5"));
    }
}
