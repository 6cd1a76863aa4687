//! A teacher's gradebook, filled in place: every byte but the grades stays as it is.
//!
//! Known are Moodle's offline grading worksheet (`Identifier`, `Grade`) and Canvas' gradebook (`ID`, a
//! second line "Points Possible", a column for each assignment).

use super::gradebook_text::{GradebookText, plain_number};
use crate::points::Points;
use std::collections::BTreeMap;

/// A gradebook that was read and understood.
#[derive(Debug)]
pub struct Gradebook {
    text: GradebookText,
    kind: GradebookKind,
    /// Column of the grades.
    grade: usize,
    /// Column of the greatest grade, where rows have their own.
    greatest: Option<usize>,
    /// Row to what identifies its participant.
    rows: BTreeMap<usize, RowKeys>,
    /// Whether the gradebook writes `7,5`.
    decimal_comma: bool,
}

/// Whose gradebook it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradebookKind {
    /// Moodle's offline grading worksheet.
    Moodle,
    /// Canvas' gradebook.
    Canvas,
}

/// By what a row's participant can be known.
#[derive(Debug, Default)]
struct RowKeys {
    name: String,
    ids: Vec<String>,
}

/// A participant's grade.
#[derive(Debug, Clone)]
pub struct GradeEntry {
    /// As reports call the participant.
    pub name: String,
    /// The number of the platform, if it is known.
    pub id: Option<String>,
    /// E-mail, if it is known.
    pub email: Option<String>,
    /// The points; `None`: not known yet, and nothing is written.
    pub points: Option<Points>,
    /// The greatest points there are, if there are.
    pub max: Option<Points>,
    /// What was given before.
    pub earlier: EarlierGrade,
}

/// What a participant was given before: by it a grade that a person wrote is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EarlierGrade {
    /// There is no earlier report.
    #[default]
    NotAsked,
    /// The earlier report knows no points.
    Nothing,
    /// These points.
    Given(Points),
}

/// A filled gradebook, and what did not fit.
#[derive(Debug, Default)]
pub struct FilledGradebook {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// Number of grades that were filled in.
    pub filled: usize,
    /// Rows without a hand-in; they stay as they are.
    pub absent: Vec<String>,
    /// Hand-ins without a row.
    pub unknown: Vec<String>,
    /// Grades that stood there and are others now: name, before, after.
    pub changed: Vec<(String, String, String)>,
    /// Grades that a person wrote since the earlier report, and that stay: name, what stands there, what
    /// would.
    pub by_hand: Vec<(String, String, String)>,
    /// Participants without points yet; their rows stay as they are.
    pub unjudged: Vec<String>,
}

/// Why a gradebook cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GradebookError(pub String);

fn fail<T>(why: impl Into<String>) -> Result<T, GradebookError> {
    Err(GradebookError(why.into()))
}

impl Gradebook {
    /// Reads a gradebook. `column`: the title of the column to fill, as the teacher names it.
    pub fn read(
        bytes: &[u8],
        column: Option<&str>,
        packages: &[String],
    ) -> Result<Gradebook, GradebookError> {
        let text = GradebookText::parse(bytes).map_err(GradebookError)?;
        let Some(head) = text.rows.first().map(|row| row.iter().map(|cell| cell.trim().to_owned()).collect())
        else {
            return fail("the gradebook is empty");
        };
        let head: Vec<String> = head;
        let find = |name: &str| head.iter().position(|own| own.eq_ignore_ascii_case(name));
        let (kind, grade) = match (find("Identifier"), find("ID"), find("Student")) {
            (Some(_), ..) => {
                (GradebookKind::Moodle, grade_column(&head, column.or(Some("Grade")), packages)?)
            }
            (None, Some(_), Some(_)) => (GradebookKind::Canvas, grade_column(&head, column, packages)?),
            _ => {
                return fail(
                    "neither Moodle's worksheet (a column `Identifier`) nor Canvas' gradebook (columns `Student` \
                     and `ID`): export it again, in English, as CSV",
                );
            }
        };
        let greatest = find("Maximum Grade").filter(|_| kind == GradebookKind::Moodle);
        let mut book = Gradebook { kind, grade, greatest, rows: BTreeMap::new(), decimal_comma: false, text };
        book.rows = book.row_keys(&head)?;
        book.decimal_comma = book.has_decimal_commas();
        Ok(book)
    }

    /// Whose it is.
    pub fn kind(&self) -> GradebookKind {
        self.kind
    }

    /// The title of the column that is filled.
    pub fn column(&self) -> &str {
        self.text.rows[0][self.grade].trim()
    }

    fn row_keys(&self, head: &[String]) -> Result<BTreeMap<usize, RowKeys>, GradebookError> {
        let names: &[&str] = match self.kind {
            GradebookKind::Moodle => &["Full name"],
            GradebookKind::Canvas => &["Student"],
        };
        let ids: &[&str] = match self.kind {
            GradebookKind::Moodle => &["Identifier", "ID number", "Email address", "Username"],
            GradebookKind::Canvas => &["ID", "SIS User ID", "SIS Login ID"],
        };
        let columns = |wanted: &[&str]| -> Vec<usize> {
            let find = |name: &&str| head.iter().position(|own| own.eq_ignore_ascii_case(name));
            wanted.iter().filter_map(find).collect()
        };
        let (names, ids) = (columns(names), columns(ids));
        let mut rows = BTreeMap::new();
        for (at, row) in self.text.rows.iter().enumerate().skip(1) {
            if row.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if row.len() != head.len() {
                return fail(format!(
                    "line {}: {} cells, but the head has {}: the file is damaged, or was saved by another program",
                    self.text.line_of(at),
                    row.len(),
                    head.len()
                ));
            }
            let cells = |columns: &[usize]| -> Vec<String> {
                columns.iter().map(|&at| row[at].trim().to_owned()).filter(|text| !text.is_empty()).collect()
            };
            let keys = RowKeys { name: cells(&names).join(" "), ids: cells(&ids) };
            let ids =
                keys.ids.iter().map(|id| id.strip_prefix("Participant ").unwrap_or(id).to_owned()).collect();
            // Canvas' line of greatest points, and its test student, are nobody.
            let is_person = !keys.ids.is_empty() && keys.name.trim() != "Points Possible";
            if is_person {
                rows.insert(at, RowKeys { ids, ..keys });
            }
        }
        if rows.is_empty() {
            return fail("the gradebook has no participants");
        }
        Ok(rows)
    }

    fn has_decimal_commas(&self) -> bool {
        let columns = [Some(self.grade), self.greatest];
        let numbers = |row: &usize| {
            let cell = |column: usize| self.text.rows[*row][column].trim();
            columns.into_iter().flatten().map(cell).collect::<Vec<&str>>()
        };
        let cells: Vec<&str> = self.rows.keys().flat_map(numbers).collect();
        let has = |sign: char| {
            let number = |cell: &&&str| plain_number(cell).is_some() && cell.contains(sign);
            cells.iter().any(|cell| number(&cell))
        };
        // A gradebook with semicolons comes from where numbers have commas.
        has(',') || self.text.delimiter == b';' && !has('.')
    }

    /// Fills in the grades. Fails where nobody, or somebody twice, is in the gradebook.
    pub fn fill(mut self, grades: &[GradeEntry]) -> Result<FilledGradebook, GradebookError> {
        let mut filled = FilledGradebook::default();
        let (graded, unknown) = self.match_rows(grades)?;
        filled.unknown = unknown;
        for (&row, entry) in &graded {
            self.check_greatest(row, entry)?;
            match &entry.points {
                None => filled.unjudged.push(entry.name.clone()),
                Some(points) => {
                    let text = self.number_text(points);
                    let old = self.text.rows[row][self.grade].trim().to_owned();
                    let number = plain_number(&old).and_then(|old| old.parse::<Points>().ok());
                    let is_other = number.as_ref().is_none_or(|old| *old != *points) && !old.is_empty();
                    if is_other && self.is_by_hand(number.as_ref(), &entry.earlier) && old != text {
                        filled.by_hand.push((entry.name.clone(), old, text));
                        continue;
                    }
                    if is_other {
                        filled.changed.push((entry.name.clone(), old, text.clone()));
                    }
                    self.text.set(row, self.grade, &text);
                    filled.filled += 1;
                }
            }
        }
        let absent = self.rows.iter().filter(|(row, _)| !graded.contains_key(row));
        filled.absent = absent.map(|(_, keys)| keys.name.clone()).collect();
        filled.bytes = self.text.to_bytes();
        Ok(filled)
    }

    /// Whether what stands in a cell is not what was given before.
    fn is_by_hand(&self, number: Option<&Points>, earlier: &EarlierGrade) -> bool {
        match earlier {
            EarlierGrade::NotAsked => false,
            EarlierGrade::Nothing => true,
            EarlierGrade::Given(points) => {
                // As it was written then: with five decimals.
                let written = plain_number(&self.number_text(points)).and_then(|text| text.parse().ok());
                number != written.as_ref()
            }
        }
    }

    /// Rows of the participants, and the names of those who have none.
    fn match_rows<'a>(
        &self,
        grades: &'a [GradeEntry],
    ) -> Result<(BTreeMap<usize, &'a GradeEntry>, Vec<String>), GradebookError> {
        let (mut graded, mut unknown): (BTreeMap<usize, &GradeEntry>, _) = (BTreeMap::new(), Vec::new());
        for entry in grades {
            let Some(row) = self.row_of(entry)? else {
                unknown.push(entry.name.clone());
                continue;
            };
            if let Some(other) = graded.insert(row, entry) {
                return fail(format!(
                    "{} and {} are one row of the gradebook (line {}): rename one of the hand-ins",
                    other.name,
                    entry.name,
                    self.text.line_of(row)
                ));
            }
        }
        if graded.is_empty() {
            return fail("nobody who handed in is on it: is it the gradebook of this course?");
        }
        Ok((graded, unknown))
    }

    /// By number or e-mail; by name only if it is the only one.
    fn row_of(&self, entry: &GradeEntry) -> Result<Option<usize>, GradebookError> {
        let keys = [entry.id.as_deref(), entry.email.as_deref()];
        let has_key = |row: &RowKeys| {
            keys.iter().flatten().any(|key| row.ids.iter().any(|id| id.eq_ignore_ascii_case(key)))
        };
        let by_key: Vec<usize> =
            self.rows.iter().filter(|(_, row)| has_key(row)).map(|(at, _)| *at).collect();
        let is_called = |row: &RowKeys| {
            row.name == entry.name
                || row.ids.contains(&entry.name)
                || squeezed(&row.name) == squeezed(&entry.name)
        };
        let found = match by_key.is_empty() && entry.id.is_none() {
            true => self.rows.iter().filter(|(_, row)| is_called(row)).map(|(at, _)| *at).collect(),
            false => by_key,
        };
        match found.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            several => fail(format!(
                "{} could be lines {} of the gradebook: give the hand-ins the numbers of the platform",
                entry.name,
                several
                    .iter()
                    .map(|row| self.text.line_of(*row).to_string())
                    .collect::<Vec<_>>()
                    .join(" and ")
            )),
        }
    }

    /// Points that the platform would cut off, or count for less, are an error.
    fn check_greatest(&self, row: usize, entry: &GradeEntry) -> Result<(), GradebookError> {
        let (cell, max) = match self.kind {
            GradebookKind::Moodle => (self.greatest.map(|at| &self.text.rows[row][at]), &entry.max),
            GradebookKind::Canvas => (self.possible_points(), &entry.max),
        };
        let number = cell.and_then(|cell| plain_number(cell)).and_then(|text| text.parse::<Points>().ok());
        match (number, max) {
            (Some(greatest), Some(max)) if greatest != *max => fail(format!(
                "the greatest grade is {greatest} in the gradebook and {max} here: set it to {max} in the course, \
                 and export the gradebook again"
            )),
            _ => Ok(()),
        }
    }

    fn possible_points(&self) -> Option<&String> {
        let row = self.text.rows.get(1)?;
        row.iter().any(|cell| cell.trim() == "Points Possible").then(|| row.get(self.grade))?
    }

    /// As people write it, with at most five decimals, which is what the platforms keep.
    fn number_text(&self, points: &Points) -> String {
        let text = format!("{points:.5}");
        let text = match text.contains('.') {
            true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
            false => text,
        };
        if self.decimal_comma { text.replace('.', ",") } else { text }
    }
}

/// `Álvarez, Chloe` and `alvarezchloe`: what Canvas makes of a name for files.
fn squeezed(name: &str) -> String {
    name.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The column to fill: the only one of this title, or of the package's name.
fn grade_column(head: &[String], wanted: Option<&str>, packages: &[String]) -> Result<usize, GradebookError> {
    // Canvas adds the number of the assignment: `Exercise 3 (4711)`.
    let title = |cell: &str| {
        cell.rsplit_once(" (")
            .filter(|(_, end)| end.ends_with(')'))
            .map_or(cell.to_owned(), |(title, _)| title.to_owned())
    };
    let is =
        |cell: &str, name: &str| cell.eq_ignore_ascii_case(name) || title(cell).eq_ignore_ascii_case(name);
    let names: Vec<&str> = match wanted {
        Some(name) => vec![name],
        None => packages.iter().map(String::as_str).collect(),
    };
    let found: Vec<usize> = (0..head.len())
        .filter(|&at| {
            names.iter().any(|name| is(&head[at], name) || squeezed(&title(&head[at])) == squeezed(name))
        })
        .collect();
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let why = match wanted {
                Some(name) => format!("no column `{name}`"),
                None => "no column is called like the package".to_owned(),
            };
            fail(format!("{why}: name one with --column; there are: {}", head.join(", ")))
        }
        several => {
            let titles: Vec<&str> = several.iter().map(|&at| head[at].as_str()).collect();
            fail(format!("several columns fit: {}: give the whole title with --column", titles.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        book.fill(grades).map_err(|e| e.to_string())
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
        let grades =
            [entry("Anna Smith", "17", "33.333333333"), entry("Bo", "18", "100"), entry("Eve", "99", "5")];
        let result = filled(rows("", "12").as_bytes(), &grades).unwrap();
        assert_eq!(String::from_utf8(result.bytes).unwrap(), rows("33.33333", "100"));
        assert_eq!(
            (result.filled, result.absent, result.unknown),
            (2, vec!["Cy".into()], vec!["Eve".into()])
        );
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
            ("70", EarlierGrade::NotAsked, "100"),
        ] {
            let result =
                filled(text(cell).as_bytes(), &[GradeEntry { earlier, ..entry("A", "17", "100") }]).unwrap();
            assert_eq!(String::from_utf8(result.bytes).unwrap(), text(wanted), "{cell}");
            assert_eq!(result.by_hand.len(), usize::from(wanted != "100"), "{cell}");
        }
    }

    #[test]
    fn a_gradebook_with_semicolons_has_decimal_commas() {
        let text =
            |a: &str| format!("{MOODLE}\nParticipant 17,M\u{fc}ller,,,{a},100,Yes,,,\n").replace(',', ";");
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
        assert!(filled(text("").as_bytes(), &[low]).unwrap_err().contains("the greatest grade is 100"));
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
        assert!(filled(ok.as_bytes(), &twice).unwrap_err().contains("are one row"));
    }
}
