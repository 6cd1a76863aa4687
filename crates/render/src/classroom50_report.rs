//! For Classroom 50: `result.json` of one hand-in, a test for each group, in whole points.

use super::phrases::json_text;
use kopek_base::wording::one_line;
use kopek_package::{points::Points, verdict::Verdict};
use kopek_plan::score::{GroupScore, State};
use kopek_results::{PackageReport, Report, ResultKind, RowReport};
use serde::Serialize;

const SCHEMA: &str = "classroom50/result/v1";
/// Fractions of points become whole by a factor up to this.
const FACTORS: u64 = 100;

/// The file, as its schema has it: no other keys are allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Classroom50Result {
    schema: &'static str,
    /// What its runner knows of the submission.
    #[serde(flatten)]
    run: Option<Classroom50Run>,
    score: u64,
    max_score: u64,
    tests: Vec<Classroom50Test>,
    /// The factor of all points.
    #[serde(skip)]
    factor: u64,
}

/// What its runner says by environment variables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Classroom50Run {
    /// `CLASSROOM`.
    pub classroom: String,
    /// `ASSIGNMENT`.
    pub assignment: String,
    /// `SUBMISSION_TAG`.
    pub submission: String,
    /// `COMMIT_URL`.
    pub commit: String,
    /// `RELEASE_URL`.
    pub release: String,
    /// `REVIEW_URL`.
    pub review: String,
}

/// A group of test data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Classroom50Test {
    test_name: String,
    passed: bool,
    score: u64,
    max_score: u64,
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSingleResult {
    /// It is for one hand-in and one package.
    #[error("classroom50 is the result of one hand-in on one package; there are {0}")]
    Several(usize),
    /// A fault is no grade.
    #[error("not everything was judged: {0}")]
    Fault(String),
}

impl Classroom50Result {
    /// The result of the only row of a report.
    pub fn of(report: &Report, run: Option<Classroom50Run>) -> Result<Classroom50Result, NoSingleResult> {
        if let Some(fault) = report.all_faults().into_iter().next() {
            return Err(NoSingleResult::Fault(fault));
        }
        let rows: Vec<(&PackageReport, &RowReport)> = report
            .packages
            .iter()
            .flat_map(|package| package.rows.iter().map(move |row| (package, row)))
            .collect();
        let [(package, row)] = rows.as_slice() else { return Err(NoSingleResult::Several(rows.len())) };
        let worth = |group: &GroupScore| match package.kind {
            ResultKind::Scoring => {
                group.max.clone().or_else(|| group.points.clone()).unwrap_or(Points::zero())
            }
            ResultKind::PassFail => Points::one(),
        };
        let factor = whole_factor(row.card.groups.iter().map(worth));
        let times = |points: Points| (points * Points::from(factor)).whole();
        let test = |group: &GroupScore| {
            let passed = group.state == State::Decided(Verdict::Accepted);
            let max = times(worth(group));
            let score = match package.kind {
                ResultKind::Scoring => group.points.clone().map_or(0, times).min(max),
                ResultKind::PassFail => max * u64::from(passed),
            };
            Classroom50Test { test_name: one_line(&group.name), passed, score, max_score: max }
        };
        let tests: Vec<Classroom50Test> = row.card.groups.iter().map(test).collect();
        let score = tests.iter().map(|test| test.score).sum();
        let max_score = tests.iter().map(|test| test.max_score).sum();
        Ok(Classroom50Result { schema: SCHEMA, run, score, max_score, tests, factor })
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        json_text(&serde_json::to_value(self).unwrap_or_default())
    }

    pub fn summary(&self) -> String {
        let factor = if self.factor > 1 { format!(" (points times {})", self.factor) } else { String::new() };
        format!("{}/{}{factor}", self.score, self.max_score)
    }
}

/// Without what the runner says; nothing without a result.
pub fn render(report: &Report) -> String {
    Classroom50Result::of(report, None).map(|result| result.text()).unwrap_or_default()
}

/// The least factor that makes all of these whole.
fn whole_factor(all: impl Iterator<Item = Points>) -> u64 {
    let all: Vec<Points> = all.collect();
    let is_whole = |points: &Points, factor: u64| {
        let product = points.clone() * Points::from(factor);
        Points::from(product.whole()) == product
    };
    (1..FACTORS).find(|&factor| all.iter().all(|points| is_whole(points, factor))).unwrap_or(FACTORS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_become_whole_by_the_least_factor() {
        let points = |texts: &[&str]| whole_factor(texts.iter().map(|text| text.parse().unwrap()));
        assert_eq!(points(&["40", "60"]), 1);
        assert_eq!(points(&["0.5", "12.25"]), 4);
        assert_eq!(points(&["0.001"]), FACTORS);
    }
}
