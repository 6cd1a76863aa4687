//! Keeps the best of several judged attempts.

use super::report::{PackageReport, RowReport};

impl PackageReport {
    /// Leaves one row for each participant: the attempt with the most points, of equal ones the latest.
    /// An attempt without known points could be the best, so it is kept.
    pub fn keep_best_attempts(&mut self) {
        let mut best: Vec<RowReport> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        for row in std::mem::take(&mut self.rows) {
            match best.iter().position(|other| other.card.name == row.card.name) {
                None => {
                    best.push(row);
                    counts.push(1);
                }
                Some(at) => {
                    counts[at] += 1;
                    if is_better(&row, &best[at]) {
                        best[at] = row;
                    }
                }
            }
        }
        for (row, count) in best.iter_mut().zip(counts).filter(|(_, count)| *count > 1) {
            row.notes.push(format!("the best of {count} attempts"));
        }
        self.rows = best;
    }
}

fn is_better(row: &RowReport, other: &RowReport) -> bool {
    match (row.worth(), other.worth()) {
        (_, None) => false,
        (None, Some(_)) => true,
        (Some(points), Some(others)) => {
            points > others || points == others && row.hand_in.attempt >= other.hand_in.attempt
        }
    }
}
