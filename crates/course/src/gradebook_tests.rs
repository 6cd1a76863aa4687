//! Gradebooks of both platforms, filled.

use super::{
    grade_entries::{EarlierGrade, GradeEntry},
    gradebook::{FilledGradebook, Gradebook, StandingGrades},
    gradebook_rows::ClassRows,
};
use kopek_package::points::Points;
use kopek_results::PersonKey;

const MOODLE: &str = "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,\
    Last modified (submission),Last modified (grade),Feedback comments";

fn entry(name: &str, id: &str, points: &str) -> GradeEntry {
    let id = Some(id.to_owned()).filter(|id| !id.is_empty());
    GradeEntry {
        name: name.into(),
        id,
        email: None,
        points: points.parse().ok(),
        excused: points == "-",
        max: Some(Points::from(100)),
        max_with_bonus: None,
        earlier: EarlierGrade::NotAsked,
        comment: None,
    }
}

/// Grades of a class from Moodle.
fn filled(bytes: &[u8], grades: &[GradeEntry]) -> Result<FilledGradebook, String> {
    filled_by(bytes, grades, Some(PersonKey::Participant)).map(|(filled, _)| filled)
}

fn filled_by(
    bytes: &[u8],
    grades: &[GradeEntry],
    numbers: Option<PersonKey>,
) -> Result<(FilledGradebook, ClassRows), String> {
    let book = Gradebook::read(bytes, None, &["exercise-3".to_owned()]).map_err(|e| e.to_string())?;
    let class = book.rows_of_class(grades, numbers).map_err(|e| e.to_string())?;
    Ok((book.fill(grades, &class, StandingGrades::Keep).map_err(|e| e.to_string())?, class))
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
    let (result, class) =
        filled_by(rows("", "12").as_bytes(), &grades, Some(PersonKey::Participant)).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), rows("33.33333", "100"));
    assert_eq!((result.filled, class.absent, result.unknown), (2, vec!["Cy".into()], vec!["Eve".into()]));
    assert_eq!(result.changed, [("Bo".into(), "12".into(), "100".into())]);
}

#[test]
fn a_comment_is_written_beside_its_grade_and_replaces_no_other() {
    let text = |grades: [&str; 3], comments: [&str; 3]| {
        let row = |at: usize| format!("Participant 1{at},{at},,,{},100,Yes,,,{}\n", grades[at], comments[at]);
        format!("{MOODLE}\n{}{}{}", row(0), row(1), row(2))
    };
    let comment = Some("by hand: N: a < b, \"sic\"".to_owned());
    let graded = |name: &str, id: &str| GradeEntry { comment: comment.clone(), ..entry(name, id, "5") };
    let grades = [graded("A", "10"), graded("B", "11"), graded("C", "12")];
    // The last one has a grade of a person, so that a comment on another would be wrong.
    let result = filled(text(["", "", "7"], ["", "well done", ""]).as_bytes(), &grades).unwrap();
    let written = "\"by hand: N: a &lt; b, \"\"sic\"\"\"";
    let wanted = text(["5", "5", "7"], [written, "well done", ""]);
    assert_eq!(String::from_utf8(result.bytes).unwrap(), wanted);
    assert_eq!(result.kept_comments, ["B"]);
    assert_eq!(filled(wanted.as_bytes(), &grades[..1]).unwrap().kept_comments.len(), 0);
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
    let grades = [entry("A", "17", "100")];
    let class = book.rows_of_class(&grades, Some(PersonKey::Participant)).unwrap();
    let result = book.fill(&grades, &class, StandingGrades::Overwrite).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), text("100"));
    assert_eq!(result.changed, [("A".into(), "70".into(), "100".into())]);
}

#[test]
fn a_participant_who_is_excused_keeps_an_empty_cell() {
    let text = format!("{MOODLE}\nParticipant 17,A,,,,100,Yes,,,\n");
    let result = filled(text.as_bytes(), &[entry("A", "17", "-")]).unwrap();
    assert_eq!((String::from_utf8(result.bytes).unwrap(), result.excused), (text, vec!["A".to_owned()]));
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
    let (result, class) = filled_by(text("").as_bytes(), &entries, Some(PersonKey::Participant)).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), text("7.5"));
    assert_eq!(class.absent, ["bo"]);
    let book = Gradebook::read(text("").as_bytes(), None, &[]).unwrap();
    let cells = book.submission(&class, "Anna").unwrap();
    assert_eq!((cells.status, cells.modified), (Some("Remis"), Some("lundi 4 mai 2026")));
    // The title can be named as ever.
    let book = Gradebook::read(text("").as_bytes(), Some("Note"), &[]).unwrap();
    assert_eq!(book.column(), "Note");
    // Without a column of maximum grades nothing says which is which.
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
fn grades_above_the_maximum_are_named() {
    let moodle = |max: &str| format!("{MOODLE}\nParticipant 17,Ada,a@x.edu,,,{max},Yes,,-,\n");
    let canvas = |max: &str| format!("Student,ID,Exercise 3 (4711)\nPoints Possible,,{max}\nAda,17,\n");
    let high = GradeEntry { max_with_bonus: Some(Points::from(110)), ..entry("Ada", "17", "105.5") };
    for (book, numbers) in
        [(&moodle as &dyn Fn(&str) -> String, PersonKey::Participant), (&canvas, PersonKey::User)]
    {
        let above = |max: &str, entry: &GradeEntry| {
            let filled = filled_by(book(max).as_bytes(), std::slice::from_ref(entry), Some(numbers));
            filled.map(|(filled, _)| filled.above_max)
        };
        let named = above("100", &high).unwrap();
        assert_eq!(named, [("Ada".to_owned(), "105.5".to_owned(), "100".to_owned())]);
        // The maximum was raised for the bonus.
        assert_eq!(above("105.5", &high), Ok(Vec::new()));
        assert_eq!(above("110", &high), Ok(Vec::new()));
        assert!(above("111", &high).unwrap_err().contains("the maximum grade is 111"));
        assert!(above("99", &high).is_err() && above("110", &entry("Ada", "17", "90")).is_err());
        assert_eq!(above("100", &entry("Ada", "17", "100")), Ok(Vec::new()));
    }
}

#[test]
fn a_column_of_canvas_is_found_by_its_title() {
    let text = |grade: &str| {
        format!(
            "Student,ID,SIS User ID,SIS Login ID,Section,Exercise 3 (4711),Exercise 4 (4712)\n    Points Possible,,,,,100.0,50.0\n\
             \"Alvarez, Chloe\",12006,u1,chloe,A,{grade},\n\"Xu, Li\",12007,u2,li,A,,\n"
        )
    };
    let filled = |text: &str, entry: &GradeEntry| {
        filled_by(text.as_bytes(), std::slice::from_ref(entry), Some(PersonKey::User))
    };
    let (result, class) = filled(&text(""), &entry("alvarezchloe", "12006", "50")).unwrap();
    assert_eq!(String::from_utf8(result.bytes).unwrap(), text("50"));
    assert_eq!(class.absent, ["Xu, Li"]);
    let low = GradeEntry { max: Some(Points::from(20)), ..entry("x", "12006", "5") };
    let posting = text("").replacen('\n', "\n,,,,,Manual Posting,\n", 1);
    for text in [text(""), posting] {
        let error = filled(&text, &low).unwrap_err();
        assert!(error.contains("the maximum grade is 100"), "{error}");
    }
    let error = Gradebook::read(text("").as_bytes(), Some("Exercise 5"), &[]).unwrap_err().to_string();
    assert!(error.contains("`column`") && error.contains("Exercise 4 (4712)"), "{error}");
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
        (format!("{MOODLE},identifier\n"), "the column `Identifier` is there twice; remove one"),
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
        let (result, class) = filled_by(rows(name, "").as_bytes(), std::slice::from_ref(&ada), None).unwrap();
        assert_eq!(class.similar, []);
        assert_eq!(String::from_utf8(result.bytes).unwrap(), rows(name, "5"));
    }
}

/// The rows of Moodle's worksheet, by line from 2, that a class gets: name, number, e-mail of each.
fn rows_of(rows: &[&str], class: &[[&str; 3]], numbers: Option<PersonKey>) -> Result<Vec<String>, String> {
    let head = "Identifier,Full name,ID number,Email address,Username,Status,Grade,Maximum Grade\n";
    let text =
        head.to_owned() + &rows.iter().map(|row| format!("Participant {row},,,\n")).collect::<String>();
    let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let entry = |[name, id, email]: &[&str; 3]| GradeEntry { email: filled(email), ..entry(name, id, "1") };
    let class: Vec<GradeEntry> = class.iter().map(entry).collect();
    let book = Gradebook::read(text.as_bytes(), None, &[]).map_err(|e| e.to_string())?;
    let found = book.rows_of_class(&class, numbers).map_err(|e| e.to_string())?;
    let similar = |name: &str| if found.similar.iter().any(|(own, _)| own == name) { "?" } else { "" };
    Ok(found.rows.iter().map(|(name, row)| format!("{name}{}={}", similar(name), row + 1)).collect())
}

#[test]
fn a_number_is_compared_with_the_column_of_its_kind_only() {
    let rows = ["7,Ann Bel,8,ann@x.edu,annb", "8,Bo Li,9,bo@x.edu,boli", "9,Cy,7,cy@x.edu,8"];
    let moodle = Some(PersonKey::Participant);
    assert_eq!(
        rows_of(&rows, &[["Ann Bel", "7", ""], ["x", "8", ""]], moodle).unwrap(),
        ["Ann Bel=2", "x=3"]
    );
    let accounts = [["8", "8", ""], ["boli", "boli", ""], ["7", "7", ""], ["Ann Bel", "Ann Bel", ""]];
    assert_eq!(rows_of(&rows, &accounts, Some(PersonKey::Account)).unwrap(), ["8=4", "boli=3"]);
    let students =
        [["Cy", "7", ""], ["Ann", "8", "ann@x.edu"], ["Bo", "7", "bo@x.edu"], ["Bo Li", "", "eve@x.edu"]];
    assert_eq!(rows_of(&rows, &students, Some(PersonKey::Student)).unwrap(), ["Ann=2", "Bo=3", "Cy=4"]);
    let without = rows.map(|row| row.replace("@x.edu", ""));
    let without: Vec<&str> = without.iter().map(String::as_str).collect();
    assert_eq!(rows_of(&without, &students[3..], Some(PersonKey::Student)).unwrap(), ["Bo Li=3"]);
}

#[test]
fn the_number_of_a_group_is_no_participants() {
    let text = "Identifier,Full name,Status,Group,Grade,Maximum Grade\n\
        Participant 7,Ada,,Group B,,\nParticipant 8,Bo,,Group A,,\n";
    let book = Gradebook::read(text.as_bytes(), None, &[]).unwrap();
    let class = [entry("Group A", "7", "1"), entry("Group B", "8", "0")];
    let error = book.rows_of_class(&class, Some(PersonKey::Participant)).unwrap_err().to_string();
    assert!(error.contains("`Group A` is a group in the gradebook"), "{error}");
    let class = [entry("Ada", "7", "1"), entry("Bo", "8", "0")];
    assert_eq!(book.rows_of_class(&class, Some(PersonKey::Participant)).unwrap().rows.len(), 2);
}

#[test]
fn the_names_of_a_class_are_all_of_one_kind() {
    let rows = ["7,Ann Bel,8,ann@x.edu,annb", "8,Bo Li,9,bo@x.edu,boli", "9,Cy,7,cy@x.edu,8"];
    let of = |names: &[&str]| {
        let class: Vec<[&str; 3]> = names.iter().map(|name| [*name, "", ""]).collect();
        rows_of(&rows, &class, None)
    };
    assert_eq!(of(&["Ann Bel", "Cy", "8"]).unwrap(), ["Ann Bel=2", "Cy=4"]);
    assert_eq!(of(&["annb", "8", "Bo Li"]).unwrap(), ["8=4", "annb=2"], "most are accounts");
    assert_eq!(of(&["boli", "annb", "7"]).unwrap(), ["annb=2", "boli=3"]);
    assert_eq!(of(&["bo@x.edu", "CY@x.edu"]).unwrap(), ["CY@x.edu?=4", "bo@x.edu=3"]);
    let error = of(&["7", "8", "9"]).unwrap_err();
    assert!(error.contains("two columns"), "numbers of students or participants: {error}");
}

#[test]
fn a_name_that_only_looks_alike_counts_if_it_is_clear_whose_it_is() {
    let of = |rows: &[&str], names: &[&str]| {
        let class: Vec<[&str; 3]> = names.iter().map(|name| [*name, "", ""]).collect();
        rows_of(rows, &class, None)
    };
    let (anna, bo) = ("1,Anna Bel,,,", "2,\"Li, Bo\",,,");
    for (rows, names, wanted) in [
        (&[anna, bo][..], &["Anna Bel", "ann abel"][..], &["Anna Bel=2"][..]),
        (&[anna, bo], &["li-bo", "ann abel"], &["li-bo?=3"]),
        (&[anna, bo], &["anna bel", "Anna Bel", "Li, Bo"], &["Anna Bel=2", "Li, Bo=3"]),
        (&[anna, bo], &["anna bel", "ANNA BEL", "Li, Bo"], &["Li, Bo=3"]),
        (&[anna, bo], &["anna_bel", "Li, Bo"], &["Li, Bo=3", "anna_bel?=2"]),
        (&[anna, bo], &["Anna\u{200b} Bel", "An\u{200b}na Bel", "Anna Bel\u{200b}", "Li, Bo"], &["Li, Bo=3"]),
        (&[anna, "2,anna bel,,,", bo], &["ANNA BEL", "Li, Bo"], &["Li, Bo=4"]),
        (&[anna, "2,anna bel,,,", bo], &["anna bel"], &["anna bel=3"]),
    ] {
        assert_eq!(of(rows, names).unwrap(), wanted, "{names:?}");
    }
    let error = of(&[anna, "2,Anna Bel,,,"], &["Anna Bel"]).unwrap_err();
    assert!(error.contains("lines 2 and 3"), "{error}");
}
