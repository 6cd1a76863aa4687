//! Grades for a gradebook, from a report.

use super::grade_entry::{EarlierGrade, GradeEntry};
use kopek_engine::points::Points;
use kopek_results::{
    GradeChange, Report, RowReport, RowsOfParticipant, max_total, rows_by_name, total_points,
};

/// A grade for each participant: the points of all packages together.
pub fn grade_entries(report: &Report) -> Vec<GradeEntry> {
    let max = max_total(&report.packages);
    let entry = |(name, rows): (&str, RowsOfParticipant)| {
        let hand_in = rows.iter().flatten().next().map(|row| row.hand_in.clone()).unwrap_or_default();
        GradeEntry {
            name: name.to_owned(),
            id: hand_in.id,
            email: hand_in.email,
            points: total_points(&rows),
            max: max.clone(),
            earlier: earlier_grade(report, name, &rows),
        }
    };
    rows_by_name(&report.packages).into_iter().map(entry).collect()
}

/// The points of all packages in the earlier report: today's, with the changes undone.
fn earlier_grade(report: &Report, name: &str, rows: &[Option<&RowReport>]) -> EarlierGrade {
    let Some(since) = &report.since else { return EarlierGrade::NotAsked };
    let mut sum = Points::zero();
    for (row, package) in rows.iter().zip(&report.packages) {
        let is_own = |change: &&GradeChange| change.name == name && change.package == package.name;
        let points = match since.changes.iter().find(is_own) {
            Some(change) => change.before.clone(),
            None => row.map_or(Some(Points::zero()), RowReport::worth),
        };
        match points {
            Some(points) => sum = sum + points,
            None => return EarlierGrade::Nothing,
        }
    }
    EarlierGrade::Given(sum)
}
