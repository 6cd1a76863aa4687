//! What became of the points since an earlier report, and why.

use super::{
    json_report::points_number,
    phrases::{one_line, verdict_key},
    results::{GradeChange, PackageReport, Report, RowReport},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A report of before, read from its `report.json`.
#[derive(Debug, Clone)]
pub struct EarlierReport {
    /// As the teacher names it.
    pub(crate) place: String,
    packages: Vec<Value>,
}

/// What is no earlier report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no report of `kopek grade`: {0}")]
pub struct NotAReport(String);

impl EarlierReport {
    /// Reads what `kopek grade --format json` printed.
    pub fn parse(place: &str, text: &str) -> Result<EarlierReport, NotAReport> {
        let value: Value = serde_json::from_str(text).map_err(|error| NotAReport(error.to_string()))?;
        let packages = match value {
            Value::Array(packages) => packages,
            one => vec![one],
        };
        let is_package =
            |package: &Value| package["package"].is_string() && package["participants"].is_array();
        if packages.is_empty() || !packages.iter().all(is_package) {
            return Err(NotAReport("it has no packages with participants".to_owned()));
        }
        Ok(EarlierReport { place: place.to_owned(), packages })
    }

    /// Names of all participants.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let rows = self.packages.iter().filter_map(|package| package["participants"].as_array()).flatten();
        rows.filter_map(|row| row["name"].as_str())
    }

    /// All participants whose points are others now, in order of their names. `gone`: whether those who are
    /// in this report no more count.
    pub(crate) fn changes(&self, report: &Report, gone: bool) -> Vec<GradeChange> {
        let mut changes: Vec<GradeChange> =
            report.packages.iter().flat_map(|package| self.package_changes(package, report, gone)).collect();
        changes.sort_by(|a, b| (&a.name, &a.package).cmp(&(&b.name, &b.package)));
        changes
    }

    fn package_changes(&self, package: &PackageReport, report: &Report, gone: bool) -> Vec<GradeChange> {
        let Some(earlier) = self.packages.iter().find(|earlier| earlier["package"] == package.name.as_str())
        else {
            return Vec::new();
        };
        let rows = earlier["participants"].as_array().map_or(&[][..], Vec::as_slice);
        let pair = PackagePair { package, general: general_reasons(earlier, package, report) };
        let mut left: BTreeSet<usize> = (0..rows.len()).collect();
        let mut changes = Vec::new();
        for row in &package.rows {
            let at = rows.iter().position(|earlier| is_same_person(earlier, row));
            changes.extend(pair.change(at.map(|at| &rows[at]), row));
            left.retain(|own| Some(*own) != at);
        }
        let gone = left.into_iter().filter(|_| gone).map(|at| GradeChange {
            name: text_of(&rows[at]["name"]),
            package: package.name.clone(),
            before: number_text(&rows[at]["points"]),
            after: None,
            why: "handed in then, and not now".to_owned(),
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
    /// What concerns everybody.
    general: Vec<String>,
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
            Some(earlier) => self.reasons(earlier, row).join("; "),
        };
        Some(GradeChange {
            name: row.card.name.clone(),
            package: self.package.name.clone(),
            before: number_text(before),
            after: number_text(&after),
            why,
        })
    }

    fn reasons(&self, earlier: &Value, row: &RowReport) -> Vec<String> {
        let mut all = Vec::new();
        if earlier["points"].is_null() {
            all.push("was not judged then".to_owned());
        }
        if row.worth().is_none() {
            all.push("is not judged now".to_owned());
        }
        if is_other(&earlier["program"], row.program.as_deref()) {
            all.push(match (earlier["entry"].as_str(), row.hand_in.entry.as_deref()) {
                (Some(old), Some(new)) if old != new => {
                    format!("another program: {} instead of {}", one_line(new), one_line(old))
                }
                _ => "another program was handed in".to_owned(),
            });
        }
        if taken_before(earlier) != taken_now(row) {
            let now = row
                .deduction
                .as_ref()
                .map(|taken| format!("{} points taken off now: {}", taken.points, taken.reason));
            all.push(now.unwrap_or_else(|| "no points are taken off any more".to_owned()));
        }
        let factor = row.hand_in.time_factor.map(|factor| factor.to_string());
        if earlier["time_factor"].as_str() != factor.as_deref() {
            all.push("another time factor".to_owned());
        }
        all.extend(self.general.iter().cloned());
        let groups = self.group_changes(earlier, row);
        if all.is_empty() {
            all.push("the same program judged again with another result".to_owned());
        }
        all.extend((!groups.is_empty()).then(|| groups.join(", ")));
        all
    }

    /// `secret/2 WA, was AC`.
    fn group_changes(&self, earlier: &Value, row: &RowReport) -> Vec<String> {
        let groups = earlier["groups"].as_array().map_or(&[][..], Vec::as_slice);
        let old: BTreeMap<&str, &Value> =
            groups.iter().filter_map(|group| Some((group["name"].as_str()?, &group["verdict"]))).collect();
        let changed = row.card.groups.iter().filter_map(|group| {
            let (old, new) = (old.get(group.name.as_str())?.as_str(), verdict_key(&group.state));
            (old != new).then(|| {
                format!("{} {}, was {}", group.name, new.unwrap_or("not judged"), old.unwrap_or("not judged"))
            })
        });
        changed.collect()
    }
}

/// What may have changed everybody's points.
fn general_reasons(earlier: &Value, package: &PackageReport, report: &Report) -> Vec<String> {
    let mut all = Vec::new();
    let rules: Vec<&str> =
        earlier["rules"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let is_new = |rule: &&String| !rules.contains(&rule.as_str());
    all.extend(report.rules.iter().filter(is_new).map(|rule| format!("new rule: {}", one_line(rule))));
    let dropped = rules.iter().filter(|rule| !report.rules.iter().any(|own| own == *rule));
    all.extend(dropped.map(|rule| format!("no longer: {}", one_line(rule))));
    // What cases are left out changes the data, too, and is said already.
    if all.is_empty() && is_other(&earlier["data"], package.data.as_deref()) {
        all.push("other cases, limits or validators".to_owned());
    }
    all
}

/// Whether both are known, and differ.
fn is_other(earlier: &Value, now: Option<&str>) -> bool {
    earlier.as_str().zip(now).is_some_and(|(earlier, now)| earlier != now)
}

fn taken_before(earlier: &Value) -> Option<(String, String)> {
    let taken = earlier["deduction"].as_object()?;
    Some((number_text(&taken["points"])?, text_of(&taken["reason"])))
}

fn taken_now(row: &RowReport) -> Option<(String, String)> {
    let taken = row.deduction.as_ref()?;
    let points = points_number(Some(&taken.points)).map(Value::Number)?;
    Some((number_text(&points)?, taken.reason.clone()))
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn same_number(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() < 1e-9,
        (one, other) => one == other,
    }
}

/// At most six decimals.
fn number_text(value: &Value) -> Option<String> {
    let text = format!("{:.6}", value.as_f64()?);
    Some(text.trim_end_matches('0').trim_end_matches('.').to_owned())
}
