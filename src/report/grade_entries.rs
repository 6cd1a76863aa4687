//! What a gradebook is told of a report.

use super::{
    gradebook::GradeEntry,
    results::Report,
    totals::{greatest_total, rows_by_name, total_points},
};

/// A grade for each participant: the points of all packages together.
pub fn grade_entries(report: &Report) -> Vec<GradeEntry> {
    let max = greatest_total(&report.packages);
    let entry = |(name, rows): (&str, super::totals::RowsOfParticipant)| {
        let hand_in = rows.iter().flatten().next().map(|row| row.hand_in.clone()).unwrap_or_default();
        GradeEntry {
            name: name.to_owned(),
            id: hand_in.id,
            email: hand_in.email,
            points: total_points(&rows),
            max: max.clone(),
        }
    };
    rows_by_name(&report.packages).into_iter().map(entry).collect()
}
