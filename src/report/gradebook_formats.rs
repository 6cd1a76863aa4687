//! The gradebooks that are known: which columns each has, and which of them is filled.
//!
//! A row of the table for each platform; all else is the same for all of them.

use super::grade_entry::GradebookError;

/// Whose gradebook it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradebookKind {
    /// Moodle's offline grading worksheet.
    Moodle,
    /// Canvas' gradebook.
    Canvas,
}

/// The columns of a platform's gradebook.
#[derive(Debug)]
pub(super) struct GradebookFormat {
    pub(super) kind: GradebookKind,
    /// Columns by which it is known.
    marks: &'static [&'static str],
    pub(super) names: &'static [&'static str],
    pub(super) ids: &'static [&'static str],
    /// The column that is filled, if the teacher names none; else the one called like the package.
    grade: Option<&'static str>,
    /// The greatest grade of a row.
    pub(super) greatest: Option<&'static str>,
    /// The column that says `No` where the platform takes no other grade.
    pub(super) changeable: Option<&'static str>,
    /// The name in the row that says the greatest grade of each column.
    pub(super) greatest_row: Option<&'static str>,
}

const FORMATS: [GradebookFormat; 2] = [
    GradebookFormat {
        kind: GradebookKind::Moodle,
        marks: &["Identifier"],
        names: &["Full name"],
        ids: &["Identifier", "ID number", "Email address", "Username"],
        grade: Some("Grade"),
        greatest: Some("Maximum Grade"),
        changeable: Some("Grade can be changed"),
        greatest_row: None,
    },
    GradebookFormat {
        kind: GradebookKind::Canvas,
        marks: &["ID", "Student"],
        names: &["Student"],
        ids: &["ID", "SIS User ID", "SIS Login ID"],
        grade: None,
        greatest: None,
        changeable: None,
        greatest_row: Some("Points Possible"),
    },
];

impl GradebookFormat {
    /// The format of a gradebook with this head.
    pub(super) fn of_head(head: &[String]) -> Result<&'static GradebookFormat, GradebookError> {
        let fits =
            |format: &&GradebookFormat| format.marks.iter().all(|name| column_of(head, name).is_some());
        FORMATS.iter().find(fits).ok_or_else(|| {
            GradebookError(
                "neither Moodle's worksheet (a column `Identifier`) nor Canvas' gradebook (columns `Student` \
                 and `ID`): export it again, in English, as CSV"
                    .into(),
            )
        })
    }

    /// The columns of these names that there are.
    pub(super) fn columns(head: &[String], names: &[&str]) -> Vec<usize> {
        names.iter().filter_map(|name| column_of(head, name)).collect()
    }

    /// The column to fill. `wanted`: its title, as the teacher names it.
    pub(super) fn grade_column(
        &self,
        head: &[String],
        wanted: Option<&str>,
        packages: &[String],
    ) -> Result<usize, GradebookError> {
        grade_column(head, wanted.or(self.grade), packages)
    }
}

/// Where a column stands.
pub(super) fn column_of(head: &[String], name: &str) -> Option<usize> {
    head.iter().position(|own| own.eq_ignore_ascii_case(name))
}

/// `Álvarez, Chloe` and `alvarezchloe`: what Canvas makes of a name for files.
pub(super) fn squeezed(name: &str) -> String {
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
            Err(GradebookError(format!("{why}: name one with --column; there are: {}", head.join(", "))))
        }
        several => {
            let titles: Vec<&str> = several.iter().map(|&at| head[at].as_str()).collect();
            Err(GradebookError(format!(
                "several columns fit: {}: give the whole title with --column",
                titles.join(", ")
            )))
        }
    }
}
