//! A teacher's gradebook, filled in place: every byte but the grades stays as it is.
//!
//! Platforms and their peculiarities are in `gradebook_formats`.

use super::{
    grade_entries::{EarlierGrade, GradeEntry, GradebookError},
    gradebook_formats::{GradebookColumns, GradebookKind},
    gradebook_rows::{ClassRows, GradebookRows},
    gradebook_text::{GradebookText, plain_number},
};
use kopek_class::TeamMember;
use kopek_package::points::Points;
use kopek_results::{PersonKey, SubmissionCells};
use std::collections::BTreeMap;

/// A gradebook that was read and understood.
#[derive(Debug, Clone)]
pub struct Gradebook {
    text: GradebookText,
    columns: GradebookColumns,
    pub(super) rows: GradebookRows,
    /// Whether the gradebook writes `7,5`.
    decimal_comma: bool,
}

/// How existing grades in the gradebook that differ are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandingGrades {
    /// They stay, unless the earlier report gave them.
    Keep,
    Overwrite,
}

/// A filled gradebook, and the grades that are not in it.
#[derive(Debug, Default)]
pub struct FilledGradebook {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// Number of grades that were filled in.
    pub filled: usize,
    /// Hand-ins without a row.
    pub unknown: Vec<String>,
    /// Grades that were replaced: name, before, after.
    pub changed: Vec<(String, String, String)>,
    /// Existing grades that stay because kopek may not have written them: name, existing grade, new grade.
    pub kept: Vec<(String, String, String)>,
    /// Grades that the platform has locked: name, existing grade, new grade.
    pub locked: Vec<(String, String, String)>,
    /// Grades above the platform's maximum: name, grade, maximum.
    pub above_max: Vec<(String, String, String)>,
    /// Participants whose row has another comment already, which stays.
    pub kept_comments: Vec<String>,
    /// Participants who get no grade; their rows stay as they are.
    pub excused: Vec<String>,
    /// Participants without points yet; their rows stay as they are.
    pub unjudged: Vec<String>,
}

impl Gradebook {
    /// Reads a gradebook. `column`: the title of the column to fill, as the teacher names it.
    pub fn read(
        bytes: &[u8],
        column: Option<&str>,
        packages: &[String],
    ) -> Result<Gradebook, GradebookError> {
        let text = GradebookText::parse(bytes).map_err(GradebookError)?;
        let columns = GradebookColumns::find(&text.rows, column, packages)?;
        let rows = GradebookRows::read(&text, &columns)?;
        let mut book = Gradebook { columns, rows, decimal_comma: false, text };
        book.decimal_comma = book.has_decimal_commas();
        Ok(book)
    }

    pub fn kind(&self) -> GradebookKind {
        self.columns.kind
    }

    /// The names of the people by their number of this kind, as the gradebook writes them.
    pub fn names_by(&self, kind: PersonKey) -> BTreeMap<String, String> {
        self.rows.names_by(kind)
    }

    /// The people whose rows have this name of a team in a cell.
    pub fn team(&self, name: &str, kind: Option<PersonKey>) -> Vec<TeamMember> {
        self.rows.team(&self.text, name, kind)
    }

    /// The title of the column that is filled.
    pub fn column(&self) -> &str {
        self.text.rows[0][self.columns.grade].trim()
    }

    fn has_decimal_commas(&self) -> bool {
        let columns = [Some(self.columns.grade), self.columns.max];
        let numbers = |row: usize| {
            let cell = |column: usize| self.text.rows[row][column].trim();
            columns.into_iter().flatten().map(cell).collect::<Vec<&str>>()
        };
        let cells: Vec<&str> = self.rows.numbers().flat_map(numbers).collect();
        let has = |sign: char| {
            let number = |cell: &&&str| plain_number(cell).is_some() && cell.contains(sign);
            cells.iter().any(|cell| number(&cell))
        };
        // Semicolons separate the cells in countries that write a decimal comma.
        has(',') || self.text.delimiter == b';' && !has('.')
    }

    /// Finds the rows of the whole class, whose numbers are of this kind. Fails if no participant is in the
    /// gradebook, or one is in it twice.
    pub fn rows_of_class(
        &self,
        class: &[GradeEntry],
        numbers: Option<PersonKey>,
    ) -> Result<ClassRows, GradebookError> {
        self.rows.of_class(&self.text, class, numbers)
    }

    /// The cells about a participant's submission; `None`: the participant is not in the gradebook.
    pub fn submission(&self, class: &ClassRows, name: &str) -> Option<SubmissionCells<'_>> {
        let row = &self.text.rows[*class.rows.get(name)?];
        let cell = |at: Option<usize>| Some(row[at?].as_str());
        let GradebookColumns { status, modified, .. } = self.columns;
        Some(SubmissionCells { status: cell(status), modified: cell(modified) })
    }

    /// A participant's e-mail address.
    pub fn email(&self, class: &ClassRows, name: &str) -> Option<&str> {
        let row = &self.text.rows[*class.rows.get(name)?];
        let column = self.columns.keys.iter().find(|column| column.key == PersonKey::Email)?;
        Some(row[column.at].trim()).filter(|cell| cell.contains('@'))
    }

    pub fn fill(
        mut self,
        grades: &[GradeEntry],
        class: &ClassRows,
        standing: StandingGrades,
    ) -> Result<FilledGradebook, GradebookError> {
        let mut filled = FilledGradebook::default();
        for entry in grades {
            let Some(&row) = class.rows.get(&entry.name) else {
                filled.unknown.push(entry.name.clone());
                continue;
            };
            let max = self.max_of(row);
            check_max(max.as_ref(), entry)?;
            if let (Some(max), Some(points)) = (&max, &entry.points)
                && points > max
            {
                let [points, max] = [points, max].map(|points| self.number_text(points));
                filled.above_max.push((entry.name.clone(), points, max));
            }
            match &entry.points {
                None if entry.excused => filled.excused.push(entry.name.clone()),
                None => filled.unjudged.push(entry.name.clone()),
                Some(points) => self.fill_row(row, entry, points, standing, &mut filled),
            }
        }
        filled.bytes = self.text.to_bytes();
        Ok(filled)
    }

    fn fill_row(
        &mut self,
        row: usize,
        entry: &GradeEntry,
        points: &Points,
        standing: StandingGrades,
        filled: &mut FilledGradebook,
    ) {
        let text = self.number_text(points);
        let old = self.text.rows[row][self.columns.grade].trim().to_owned();
        let number = plain_number(&old).and_then(|old| old.parse::<Points>().ok());
        // As it would be written: with five decimals.
        let wanted = self.written(points);
        let is_other = old != text && (number.is_none() || number != wanted);
        let change = || (entry.name.clone(), old.clone(), text.clone());
        if is_other && self.is_locked(row) {
            filled.locked.push(change());
            return;
        }
        if is_other && !old.is_empty() {
            if standing == StandingGrades::Keep && self.is_by_hand(number.as_ref(), &entry.earlier) {
                filled.kept.push(change());
                return;
            }
            filled.changed.push(change());
        }
        self.text.set(row, self.columns.grade, &text);
        filled.filled += 1;
        self.fill_comment(row, entry, standing, filled);
    }

    fn fill_comment(
        &mut self,
        row: usize,
        entry: &GradeEntry,
        standing: StandingGrades,
        filled: &mut FilledGradebook,
    ) {
        let (Some(at), Some(comment)) = (self.columns.comment, &entry.comment) else { return };
        let wanted = comment.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let old = self.text.rows[row][at].trim();
        if standing == StandingGrades::Keep && !old.is_empty() && old != wanted {
            filled.kept_comments.push(entry.name.clone());
            return;
        }
        self.text.set(row, at, &wanted);
    }

    fn is_locked(&self, row: usize) -> bool {
        self.columns.changeable.is_some_and(|at| self.text.rows[row][at].trim().eq_ignore_ascii_case("no"))
    }

    /// Whether a cell may hold a grade that kopek did not write.
    fn is_by_hand(&self, number: Option<&Points>, earlier: &EarlierGrade) -> bool {
        match earlier {
            EarlierGrade::NotAsked | EarlierGrade::Nothing => true,
            EarlierGrade::Given(points) => number != self.written(points).as_ref(),
        }
    }

    /// The number that a cell holds when these points are written into it.
    fn written(&self, points: &Points) -> Option<Points> {
        plain_number(&self.number_text(points)).and_then(|text| text.parse().ok())
    }

    /// The platform's maximum grade in this row.
    fn max_of(&self, row: usize) -> Option<Points> {
        let cell = self.columns.max.map(|at| &self.text.rows[row][at]).or_else(|| self.possible_points());
        plain_number(cell?)?.parse().ok()
    }

    /// What the platform does with a grade above its maximum.
    pub fn about_above_max(&self) -> &'static str {
        match self.columns.kind {
            GradebookKind::Moodle => "which Moodle's import skips without a word",
            GradebookKind::Canvas => "which Canvas takes as extra points",
        }
    }

    fn possible_points(&self) -> Option<&String> {
        let name = self.columns.max_row?;
        // Canvas may write a line about manual posting above it.
        let row = self.text.rows.iter().skip(1).find(|row| row.iter().any(|cell| cell.trim() == name))?;
        row.get(self.columns.grade)
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

/// Points that the platform would cut off, or count for less, are an error. A teacher may have raised its maximum for bonus
/// problems.
fn check_max(there: Option<&Points>, entry: &GradeEntry) -> Result<(), GradebookError> {
    let (Some(there), Some(max)) = (there, &entry.max) else { return Ok(()) };
    let is_raised = there > max && entry.max_with_bonus.as_ref().is_some_and(|most| there <= most);
    if there == max || is_raised {
        return Ok(());
    }
    Err(GradebookError(format!(
        "the maximum grade is {there} in the gradebook and {max} here; scale the points \
            with `scale = {there}` in [points], or set it to {max} in the course and export the gradebook again"
    )))
}
