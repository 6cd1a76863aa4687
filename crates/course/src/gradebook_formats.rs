//! The gradebooks that are known: which columns each has, and which of them is filled.
//!
//! A row of the table for each platform; all else is the same for all of them.

use super::{grade_entries::GradebookError, gradebook_text::plain_number};
use kopek_base::composed_name;
use kopek_results::PersonKey;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradebookKind {
    /// Moodle's offline grading worksheet.
    Moodle,
    Canvas,
}

/// The titles of a platform's gradebook in English.
#[derive(Debug)]
struct GradebookFormat {
    kind: GradebookKind,
    /// Columns by which it is known.
    marks: &'static [&'static str],
    keys: &'static [(PersonKey, &'static str)],
    /// The column that is filled, if the teacher names none; else the one called like the package.
    grade: Option<&'static str>,
    /// The maximum grade of a row.
    max: Option<&'static str>,
    /// The column that says `No` where the platform takes no other grade.
    changeable: Option<&'static str>,
    /// Columns with the submission's status and time.
    status: Option<&'static str>,
    modified: Option<&'static str>,
    /// The column for comments.
    comment: Option<&'static str>,
    /// The name in the row that says the maximum grade of each column.
    max_row: Option<&'static str>,
}

const FORMATS: [GradebookFormat; 2] = [
    GradebookFormat {
        kind: GradebookKind::Moodle,
        marks: &["Identifier"],
        keys: &[
            (PersonKey::Participant, "Identifier"),
            (PersonKey::Student, "ID number"),
            (PersonKey::Email, "Email address"),
            (PersonKey::Account, "Username"),
            (PersonKey::Name, "Full name"),
        ],
        grade: Some("Grade"),
        max: Some("Maximum Grade"),
        changeable: Some("Grade can be changed"),
        status: Some("Status"),
        modified: Some("Last modified (submission)"),
        comment: Some("Feedback comments"),
        max_row: None,
    },
    GradebookFormat {
        kind: GradebookKind::Canvas,
        marks: &["ID", "Student"],
        keys: &[
            (PersonKey::User, "ID"),
            (PersonKey::Student, "SIS User ID"),
            (PersonKey::Email, "SIS Login ID"),
            (PersonKey::Account, "SIS Login ID"),
            (PersonKey::Name, "Student"),
        ],
        grade: None,
        max: None,
        changeable: None,
        status: None,
        modified: None,
        comment: None,
        max_row: Some("Points Possible"),
    },
];

/// A column by which people are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeyColumn {
    pub(super) key: PersonKey,
    pub(super) at: usize,
}

/// Where the columns of a gradebook are.
#[derive(Debug, Clone)]
pub(super) struct GradebookColumns {
    pub(super) kind: GradebookKind,
    pub(super) keys: Vec<KeyColumn>,
    pub(super) grade: usize,
    /// The maximum grade of a row.
    pub(super) max: Option<usize>,
    /// Whether the platform takes another grade.
    pub(super) changeable: Option<usize>,
    /// Column with the submission's status.
    pub(super) status: Option<usize>,
    /// When it was changed last.
    pub(super) modified: Option<usize>,
    /// For comments, as HTML.
    pub(super) comment: Option<usize>,
    /// The name in the row that says the maximum grade of each column.
    pub(super) max_row: Option<&'static str>,
}

impl GradebookColumns {
    /// Finds them by their titles, or in Moodle's worksheet of another language by their places. `wanted`: the title
    /// of the column to fill, as the teacher names it.
    pub(super) fn find(
        rows: &[Vec<String>],
        wanted: Option<&str>,
        packages: &[String],
    ) -> Result<GradebookColumns, GradebookError> {
        let Some(head) = rows.first() else {
            return Err(GradebookError("the gradebook is empty".into()));
        };
        let head: Vec<String> = head.iter().map(|cell| cell.trim().to_owned()).collect();
        let fits =
            |format: &&GradebookFormat| format.marks.iter().all(|name| column_of(&head, name).is_some());
        match (FORMATS.iter().find(fits), max_of_translated(rows)) {
            (Some(format), _) => format.columns(&head, wanted, packages),
            (None, Some(max)) => translated_columns(rows, max, wanted, packages),
            (None, None) => Err(GradebookError(
                "neither Moodle's worksheet (a column `Identifier`) nor Canvas' gradebook (columns \
                    `Student` and `ID`); export it again, in English, as CSV"
                    .into(),
            )),
        }
    }
}

impl GradebookFormat {
    fn columns(
        &self,
        head: &[String],
        wanted: Option<&str>,
        packages: &[String],
    ) -> Result<GradebookColumns, GradebookError> {
        let others = [self.max, self.changeable, self.status, self.modified, self.comment];
        let mut titles = self.keys.iter().map(|&(_, title)| title).chain(others.into_iter().flatten());
        let is_twice = |title: &&str| head.iter().filter(|own| own.eq_ignore_ascii_case(title)).count() > 1;
        if let Some(twice) = titles.find(is_twice) {
            return Err(GradebookError(format!("the column `{twice}` is there twice; remove one")));
        }
        let place = |name: Option<&str>| column_of(head, name?);
        let mut keys = Vec::new();
        for &(key, title) in self.keys {
            keys.extend(column_of(head, title).map(|at| KeyColumn { key, at }));
        }
        Ok(GradebookColumns {
            kind: self.kind,
            keys,
            grade: grade_column(head, wanted.or(self.grade), packages)?,
            max: place(self.max),
            changeable: place(self.changeable),
            status: place(self.status),
            modified: place(self.modified),
            comment: place(self.comment),
            max_row: self.max_row,
        })
    }
}

/// Where the maximum grade is in Moodle's worksheet of another language, by which the other columns are found:
/// `Participant 17`, the name, what else identifies people, the Status, the grade, the maximum grade, whether the
/// grade can be changed, when the submission and when the grade were changed, feedback. `None`: this is no such file,
/// or its columns cannot be told apart.
fn max_of_translated(rows: &[Vec<String>]) -> Option<usize> {
    let columns = rows.first()?.len();
    let people: Vec<&Vec<String>> =
        rows[1..].iter().filter(|row| row.len() == columns && !row[0].trim().is_empty()).collect();
    let word = word_before_number(people.first()?[0].trim())?;
    if !people.iter().all(|row| word_before_number(row[0].trim()) == Some(word)) {
        return None;
    }
    let is_max = |at: &usize| {
        let number = |row: &Vec<String>| plain_number(&row[*at]);
        let first = number(people[0]);
        first.is_some() && people.iter().all(|row| number(row) == first)
    };
    let found: Vec<usize> = (4..columns.saturating_sub(3)).filter(is_max).collect();
    match found.as_slice() {
        [only] => Some(*only),
        // One participant, or a class with one grade: by the usual place.
        several => several.contains(&USUAL_MAX).then_some(USUAL_MAX),
    }
}

/// Of the maximum grade where only e-mail addresses identify people besides.
const USUAL_MAX: usize = 5;

/// The word before the number in `Participant 17`.
fn word_before_number(cell: &str) -> Option<&str> {
    let word = cell.trim_end_matches(|c: char| c.is_ascii_digit());
    (!word.is_empty() && word.len() < cell.len() && !word.contains(|c: char| c.is_ascii_digit()))
        .then_some(word)
}

fn translated_columns(
    rows: &[Vec<String>],
    max: usize,
    wanted: Option<&str>,
    packages: &[String],
) -> Result<GradebookColumns, GradebookError> {
    let grade = match wanted {
        Some(_) => grade_column(&rows[0], wanted, packages)?,
        None => max - 1,
    };
    let mut keys =
        vec![KeyColumn { key: PersonKey::Participant, at: 0 }, KeyColumn { key: PersonKey::Name, at: 1 }];
    // Of the other columns, only addresses tell by themselves what they are.
    let has_addresses =
        |at: &usize| rows[1..].iter().any(|row| row.get(*at).is_some_and(|cell| cell.contains('@')));
    keys.extend((2..max - 2).find(has_addresses).map(|at| KeyColumn { key: PersonKey::Email, at }));
    Ok(GradebookColumns {
        kind: GradebookKind::Moodle,
        keys,
        grade,
        max: Some(max),
        // `No` in another language is not known.
        changeable: None,
        status: Some(max - 2),
        modified: Some(max + 2),
        // Its place depends on the course.
        comment: None,
        max_row: None,
    })
}

/// The number in Moodle's `Participant 17`, in any language.
pub(super) fn number_of_identifier(cell: &str) -> &str {
    word_before_number(cell).map_or(cell, |word| &cell[word.len()..])
}

/// Where a column stands.
fn column_of(head: &[String], name: &str) -> Option<usize> {
    head.iter().position(|own| own.eq_ignore_ascii_case(name))
}

/// Letters and digits of a title: `exercise-3` fills `Exercise 3`.
fn squeezed(name: &str) -> String {
    composed_name(&name.to_lowercase()).chars().filter(|c| c.is_alphanumeric()).collect()
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
    let exact = |at: &usize| names.iter().any(|name| is(&head[*at], name));
    let similar = |at: &usize| names.iter().any(|name| squeezed(&title(&head[*at])) == squeezed(name));
    let mut found: Vec<usize> = (0..head.len()).filter(exact).collect();
    if found.is_empty() {
        found = (0..head.len()).filter(similar).collect();
    }
    match found.as_slice() {
        [only] => Ok(*only),
        [] => {
            let why = match wanted {
                Some(name) => format!("no column `{name}`"),
                None => "no column has the name of the package".to_owned(),
            };
            Err(GradebookError(format!("{why}; choose one as `column` in course.toml: {}", head.join(", "))))
        }
        several => {
            let titles: Vec<&str> = several.iter().map(|&at| head[at].as_str()).collect();
            Err(GradebookError(format!(
                "several columns match: {}; give the whole title as `column` in course.toml",
                titles.join(", ")
            )))
        }
    }
}
