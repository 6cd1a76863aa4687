//! A user's own tests beside those of a package, in one report.

use super::report::PackageReport;
use kopek_engine::{points::Points, score::State, verdict::Verdict};

impl PackageReport {
    /// Adds the groups and cases from a report of the same submissions on other tests. Points stay those of the
    /// package; a submission is accepted if both accept it.
    pub fn with_own_tests(mut self, mut own: PackageReport) -> PackageReport {
        own.groups.iter_mut().for_each(|group| group.max = Some(Points::zero()));
        self.groups.splice(0..0, own.groups);
        for (row, mut own) in self.rows.iter_mut().zip(own.rows) {
            own.card.groups.iter_mut().for_each(|group| group.max = Some(Points::zero()));
            row.cases.splice(0..0, own.cases);
            row.card.groups.splice(0..0, own.card.groups);
            if row.card.state == State::Decided(Verdict::Accepted) {
                row.card.state = own.card.state;
            }
        }
        self
    }
}
