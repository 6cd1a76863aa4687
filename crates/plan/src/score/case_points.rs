//! The points of a single case whose validator gives a score.

use super::{
    modern_score::{case_share, own_cases},
    scorecard::displayed_groups,
};
use kopek_package::{
    check::Score,
    package::{Rule, TestSet, is_sample},
    points::Points,
};

/// Points of a case, and the most that it gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CasePoints {
    pub points: Points,
    pub max: Option<Points>,
}

/// `None` if the case gives no points of its own: samples, and groups of legacy packages.
pub fn case_points(tests: &TestSet, case: usize, score: &Score) -> Option<CasePoints> {
    let groups = displayed_groups(tests).into_iter();
    let group =
        groups.filter(|group| !is_sample(&group.name)).find(|group| own_cases(group).contains(&case))?;
    let Rule::Modern { max_score, aggregation, static_validation, .. } = &group.rule else { return None };
    let cases = own_cases(group).len();
    let max = case_share(max_score.as_ref(), *aggregation, static_validation.as_ref(), cases);
    let points = match (score, &max) {
        (Score::Points(points), _) => points.clone(),
        (Score::Multiplier(share), Some(max)) => share.clone() * max.clone(),
        // The validator's mistake, which the scorecard reports.
        (Score::Multiplier(_), None) => return None,
    };
    Some(CasePoints { points, max })
}
