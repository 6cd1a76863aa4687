//! Several packages side by side: each participant's rows, and their sum.

use super::{course_totals::CourseTotals, report::PackageReport, row_report::RowReport};
use kopek_base::PersonName;
use kopek_package::points::Points;
use std::collections::BTreeMap;

/// A participant's rows, one place per package; `None`: the package has none.
pub type RowsOfParticipant<'a> = Vec<Option<&'a RowReport>>;

pub fn rows_by_name(packages: &[PackageReport]) -> BTreeMap<PersonName<'_>, RowsOfParticipant<'_>> {
    let mut found: BTreeMap<PersonName, RowsOfParticipant> = BTreeMap::new();
    for (at, package) in packages.iter().enumerate() {
        for row in &package.rows {
            found.entry(PersonName(&row.card.name)).or_insert_with(|| vec![None; packages.len()])[at] =
                Some(row);
        }
    }
    found
}

/// Points of all packages together, with a sheet by its rules; `None`: unknown, also if a row is missing.
pub fn total_points(rows: &[Option<&RowReport>], sheet: Option<&CourseTotals>) -> Option<Points> {
    if let Some(sheet) = sheet {
        return sheet.total_of_rows(rows)?.points.clone();
    }
    known_sum(rows.iter().map(|row| row.and_then(RowReport::worth)))
}

/// Whether the participant with these rows gets no grade.
pub fn is_excused(rows: &[Option<&RowReport>]) -> bool {
    rows.iter().flatten().any(|row| row.is_excused())
}

/// Points taken off in all packages together; `None`: none.
pub fn total_deduction(rows: &[Option<&RowReport>]) -> Option<Points> {
    let taken = rows.iter().flatten().filter_map(|row| row.deduction.as_ref());
    taken.map(|taken| taken.points.clone()).reduce(|sum, points| sum + points)
}

/// The greatest total; `None`: unbounded. It is the same in all scorecards of a package.
pub fn max_total(packages: &[PackageReport], sheet: Option<&CourseTotals>) -> Option<Points> {
    if let Some(sheet) = sheet {
        return Some(sheet.max.clone());
    }
    known_sum(packages.iter().map(|package| package.rows.first()?.card.max.clone()))
}

/// A sum that is unknown if a part is.
fn known_sum(mut parts: impl Iterator<Item = Option<Points>>) -> Option<Points> {
    parts.try_fold(Points::zero(), |sum, part| Some(sum + part?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_package::package::{HandIn, NoSubmission, Participant};
    use kopek_sentences::Said;

    #[test]
    fn a_total_is_unknown_where_a_row_is_missing() {
        let (name, file, hand_in) = ("ada".into(), "ada.c".into(), HandIn::default());
        let submission = Err(NoSubmission::Absent(Said::NothingHandedIn));
        let mut row = RowReport::unjudged(&Participant { name, file, hand_in, submission });
        row.card.points = Some(Points::from(5));
        assert_eq!(total_points(&[Some(&row), Some(&row)], None), Some(Points::from(10)));
        assert_eq!(total_points(&[Some(&row), None], None), None);
    }
}
