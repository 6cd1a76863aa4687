//! Finds each participant's row: by number or e-mail, by name only if the name is unique.

use super::{
    grade_entry::{GradeEntry, GradebookError},
    gradebook_formats::{GradebookColumns, number_of_identifier, squeezed},
    gradebook_text::GradebookText,
};
use std::collections::BTreeMap;

/// The rows of participants, and by what each can be known.
#[derive(Debug)]
pub(super) struct GradebookRows {
    rows: BTreeMap<usize, RowKeys>,
}

#[derive(Debug)]
struct RowKeys {
    name: String,
    ids: Vec<String>,
}

/// The grades by row, and the names of those who have no row.
pub(super) type MatchedRows<'a> = (BTreeMap<usize, &'a GradeEntry>, Vec<String>);

impl GradebookRows {
    pub(super) fn read(
        text: &GradebookText,
        columns: &GradebookColumns,
    ) -> Result<GradebookRows, GradebookError> {
        let width = text.rows[0].len();
        let mut rows = BTreeMap::new();
        for (at, row) in text.rows.iter().enumerate().skip(1) {
            if row.iter().all(|cell| cell.trim().is_empty()) {
                continue;
            }
            if row.len() != width {
                return Err(GradebookError(format!(
                    "line {}: {} cells, but the head has {}: the file is damaged, or was saved by another program",
                    text.line_of(at),
                    row.len(),
                    width
                )));
            }
            let [names, mut ids] = [&columns.names, &columns.ids].map(|columns| filled_cells(row, columns));
            let identifier = columns.identifier.map(|at| number_of_identifier(row[at].trim()));
            ids.extend(identifier.filter(|number| !number.is_empty()).map(str::to_owned));
            let keys = RowKeys { name: names.join(" "), ids };
            // The line of greatest points and a test student without numbers are not participants.
            if !keys.ids.is_empty() && columns.greatest_row != Some(keys.name.trim()) {
                rows.insert(at, keys);
            }
        }
        if rows.is_empty() {
            return Err(GradebookError("the gradebook has no participants".into()));
        }
        Ok(GradebookRows { rows })
    }

    /// The numbers of the rows.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.rows.keys().copied()
    }

    /// Names of the participants whose rows are not among these.
    pub(super) fn others(&self, rows: &BTreeMap<usize, &GradeEntry>) -> Vec<String> {
        let others = self.rows.iter().filter(|(row, _)| !rows.contains_key(row));
        others.map(|(_, keys)| keys.name.clone()).collect()
    }

    /// Finds the row of each grade. Fails if no participant is in the gradebook, or one is in it twice.
    pub(super) fn match_grades<'a>(
        &self,
        text: &GradebookText,
        grades: &'a [GradeEntry],
    ) -> Result<MatchedRows<'a>, GradebookError> {
        let (mut graded, mut unknown): (BTreeMap<usize, &GradeEntry>, _) = (BTreeMap::new(), Vec::new());
        for entry in grades {
            let Some(row) = self.row_of(text, entry)? else {
                unknown.push(entry.name.clone());
                continue;
            };
            if let Some(other) = graded.insert(row, entry) {
                return Err(GradebookError(format!(
                    "{} and {} match the same row of the gradebook (line {}); rename one of the hand-ins",
                    other.name,
                    entry.name,
                    text.line_of(row)
                )));
            }
        }
        if graded.is_empty() {
            return Err(GradebookError(
                "none of the participants is in it; is it the gradebook of this course?".into(),
            ));
        }
        Ok((graded, unknown))
    }

    /// The row of a participant, if there is one.
    pub(super) fn row_of(
        &self,
        text: &GradebookText,
        entry: &GradeEntry,
    ) -> Result<Option<usize>, GradebookError> {
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
            several => {
                let lines: Vec<String> = several.iter().map(|row| text.line_of(*row).to_string()).collect();
                Err(GradebookError(format!(
                    "{} matches lines {} of the gradebook; name the hand-ins by the numbers of the platform",
                    entry.name,
                    lines.join(" and ")
                )))
            }
        }
    }
}

fn filled_cells(row: &[String], columns: &[usize]) -> Vec<String> {
    columns.iter().map(|&at| row[at].trim().to_owned()).filter(|text| !text.is_empty()).collect()
}
