//! Points that changed since an earlier report, and why.

use super::{
    change_reasons::{DataChanges, change_reasons},
    earlier_report::{EarlierReport, EarlierRow},
};
use kopek_results::{GradeChange, PackageReport, Report, RowReport};
use std::collections::BTreeSet;

/// How much of the class a report has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassExtent {
    /// All of it: participants of an earlier report who are missing handed in nothing now.
    Whole,
    /// A part, as by `--only`.
    Part,
}

/// All participants with changed points, in order of their names.
pub fn changes_since(earlier: &EarlierReport, report: &Report, class: ClassExtent) -> Vec<GradeChange> {
    let packages = report.packages.iter();
    let mut changes: Vec<GradeChange> =
        packages.flat_map(|package| package_changes(earlier, package, class)).collect();
    changes.sort_by(|a, b| (&a.name, &a.package).cmp(&(&b.name, &b.package)));
    changes
}

fn package_changes(earlier: &EarlierReport, package: &PackageReport, class: ClassExtent) -> Vec<GradeChange> {
    let Some(earlier) = earlier.of_package(&package.name, package.uuid.as_deref()) else {
        return Vec::new();
    };
    let rows = &earlier.participants;
    let pair = PackagePair { package, data: DataChanges::between(earlier, package) };
    let mut left: BTreeSet<usize> = (0..rows.len()).collect();
    let mut changes = Vec::new();
    for row in &package.rows {
        let at = rows.iter().position(|earlier| is_same_person(earlier, row));
        changes.extend(pair.change(at.map(|at| &rows[at]), row));
        left.retain(|own| Some(*own) != at);
    }
    let gone = left.into_iter().filter(|_| class == ClassExtent::Whole).map(|at| GradeChange {
        name: rows[at].name.clone(),
        package: package.name.clone(),
        before: rows[at].points.clone(),
        after: None,
        why: "handed in then, but not now".to_owned(),
    });
    changes.extend(gone);
    changes
}

/// By the platform's number, which stays when a name is spelt in another way.
fn is_same_person(earlier: &EarlierRow, row: &RowReport) -> bool {
    match (&earlier.id, &row.hand_in.id) {
        (Some(id), Some(own)) => id == own,
        (Some(_), None) | (None, _) => earlier.name == row.card.name,
    }
}

/// A package then and now.
struct PackagePair<'a> {
    package: &'a PackageReport,
    data: DataChanges,
}

impl PackagePair<'_> {
    fn change(&self, earlier: Option<&EarlierRow>, row: &RowReport) -> Option<GradeChange> {
        let before = earlier.and_then(|earlier| earlier.points.clone());
        let after = row.worth();
        if earlier.is_some() && before == after {
            return None;
        }
        let why = match earlier {
            None => "not in the earlier report".to_owned(),
            Some(earlier) => change_reasons(&self.data, earlier, row).join("; "),
        };
        Some(GradeChange {
            name: row.card.name.clone(),
            package: self.package.name.clone(),
            before,
            after,
            why,
        })
    }
}
