//! Points that changed since an earlier report, and why.

use super::{
    change_reasons::{DataChanges, change_reasons, number_text, same_number, text_of},
    json_report::points_number,
};
use kopek_results::{GradeChange, PackageReport, Report, RowReport};
use serde_json::Value;
use std::collections::BTreeSet;

/// An earlier report, read from its `report.json`.
#[derive(Debug, Clone)]
pub struct EarlierReport {
    /// As the teacher names it.
    pub place: String,
    packages: Vec<Value>,
}

/// Why a file is not an earlier report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a report of `kopek grade`: {0}")]
pub struct NotAReport(String);

/// How much of the class a report has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassExtent {
    /// All of it: participants of an earlier report who are missing handed in nothing now.
    Whole,
    /// A part, as by `--only`.
    Part,
}

impl EarlierReport {
    /// Reads the output of `kopek grade --format json`.
    pub fn parse(place: &str, text: &str) -> Result<EarlierReport, NotAReport> {
        let value: Value = serde_json::from_str(text).map_err(|error| NotAReport(error.to_string()))?;
        let packages = match value {
            Value::Array(packages) => packages,
            one => vec![one],
        };
        let is_package =
            |package: &Value| package["package"].is_string() && package["participants"].is_array();
        if packages.is_empty() || !packages.iter().all(is_package) {
            return Err(NotAReport("no packages with participants".to_owned()));
        }
        Ok(EarlierReport { place: place.to_owned(), packages })
    }

    /// Names of all participants.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let rows = self.packages.iter().filter_map(|package| package["participants"].as_array()).flatten();
        rows.filter_map(|row| row["name"].as_str())
    }

    /// All participants with changed points, in order of their names.
    pub fn changes(&self, report: &Report, class: ClassExtent) -> Vec<GradeChange> {
        let mut changes: Vec<GradeChange> =
            report.packages.iter().flat_map(|package| self.package_changes(package, class)).collect();
        changes.sort_by(|a, b| (&a.name, &a.package).cmp(&(&b.name, &b.package)));
        changes
    }

    fn package_changes(&self, package: &PackageReport, class: ClassExtent) -> Vec<GradeChange> {
        let Some(earlier) = self.packages.iter().find(|earlier| earlier["package"] == package.name.as_str())
        else {
            return Vec::new();
        };
        let rows = earlier["participants"].as_array().map_or(&[][..], Vec::as_slice);
        let pair = PackagePair { package, data: DataChanges::between(earlier, package) };
        let mut left: BTreeSet<usize> = (0..rows.len()).collect();
        let mut changes = Vec::new();
        for row in &package.rows {
            let at = rows.iter().position(|earlier| is_same_person(earlier, row));
            changes.extend(pair.change(at.map(|at| &rows[at]), row));
            left.retain(|own| Some(*own) != at);
        }
        let gone = left.into_iter().filter(|_| class == ClassExtent::Whole).map(|at| GradeChange {
            name: text_of(&rows[at]["name"]),
            package: package.name.clone(),
            before: number_text(&rows[at]["points"]),
            after: None,
            why: "handed in then, but not now".to_owned(),
        });
        changes.extend(gone);
        changes
    }
}

/// By the platform's number, which stays when a name is spelt in another way.
fn is_same_person(earlier: &Value, row: &RowReport) -> bool {
    match (earlier["id"].as_str(), &row.hand_in.id) {
        (Some(id), Some(own)) => id == own,
        _ => earlier["name"] == row.card.name.as_str(),
    }
}

/// A package then and now.
struct PackagePair<'a> {
    package: &'a PackageReport,
    data: DataChanges,
}

impl PackagePair<'_> {
    fn change(&self, earlier: Option<&Value>, row: &RowReport) -> Option<GradeChange> {
        let now = row.worth().as_ref().and_then(|points| points_number(Some(points)));
        let before = earlier.map_or(&Value::Null, |earlier| &earlier["points"]);
        let after = now.clone().map_or(Value::Null, Value::Number);
        if earlier.is_some() && same_number(before, &after) {
            return None;
        }
        let why = match earlier {
            None => "not in the earlier report".to_owned(),
            Some(earlier) => change_reasons(&self.data, earlier, row).join("; "),
        };
        Some(GradeChange {
            name: row.card.name.clone(),
            package: self.package.name.clone(),
            before: number_text(before),
            after: number_text(&after),
            why,
        })
    }
}
