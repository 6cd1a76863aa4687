//! Scores one case of a 2025-09 group, and combines the scores of a group.

use super::scorecard::Mark;
use kopek_package::{
    check::Score,
    package::{Aggregation, StaticScore},
    points::Points,
    verdict::Verdict,
};

/// The scoring rules of a group.
#[derive(Clone)]
pub(super) struct GroupTerms {
    pub max: Option<Points>,
    pub aggregation: Aggregation,
    pub requires: Vec<String>,
    pub validation: Option<StaticScore>,
    /// Whether score files have a meaning.
    pub scored: bool,
}

/// One case, or the static validation.
pub(super) struct ScoredPart<'a> {
    pub name: String,
    pub max: Option<Points>,
    pub mark: Option<&'a Mark>,
}

/// The result of one part.
pub(super) enum PartStanding {
    Unknown,
    Failed(Verdict),
    Passed(Points),
}

impl PartStanding {
    /// Its points, if known.
    pub(crate) fn points(&self) -> Option<Points> {
        match self {
            PartStanding::Unknown => None,
            PartStanding::Failed(_) => Some(Points::zero()),
            PartStanding::Passed(points) => Some(points.clone()),
        }
    }
}

/// The score of a known part, or how its score files violate the rules.
pub(super) fn part_worth(part: &ScoredPart, mark: &Mark, terms: &GroupTerms) -> Result<PartStanding, String> {
    let accepted = mark.verdict == Verdict::Accepted;
    if !terms.scored {
        return Ok(if accepted {
            PartStanding::Passed(Points::zero())
        } else {
            PartStanding::Failed(mark.verdict)
        });
    }
    let Some(score) = &mark.score else {
        return match (&part.max, accepted) {
            (_, false) => Ok(PartStanding::Failed(mark.verdict)),
            (Some(max), true) => Ok(PartStanding::Passed(max.clone())),
            (None, true) => Err("accepted without score.txt in a group without max_score".to_owned()),
        };
    };
    match (score, &part.max) {
        _ if !accepted => Err("a score file for an output that was not accepted".to_owned()),
        _ if terms.aggregation == Aggregation::PassFail => {
            let remedy = "set its `score_aggregation` to `sum` or `min`, or write none";
            Err(format!("a score file in a pass-fail group: {remedy}"))
        }
        (Score::Points(points) | Score::Multiplier(points), _) if points.is_negative() => {
            Err(format!("the score {points} is below 0"))
        }
        (Score::Multiplier(_), None) => Err("score_multiplier.txt in a group without max_score".to_owned()),
        (Score::Multiplier(share), Some(_)) if *share > Points::one() => {
            Err(format!("the multiplier {share} is above 1"))
        }
        (Score::Points(points), Some(max)) if points > max => {
            Err(format!("the score {points} is above the maximum score {max} of a case"))
        }
        (Score::Multiplier(share), Some(max)) => Ok(PartStanding::Passed(share.clone() * max.clone())),
        (Score::Points(points), _) => Ok(PartStanding::Passed(points.clone())),
    }
}

/// `None` while an unknown value can change the result, or if there are no values. Values are never negative.
pub(super) fn fold_points(values: Vec<Option<Points>>, aggregation: Aggregation) -> Option<Points> {
    if values.is_empty() {
        return None;
    }
    match aggregation {
        Aggregation::Sum => values.into_iter().sum(),
        Aggregation::Min | Aggregation::PassFail => {
            // No value is negative, so a zero is the minimum even before the others are known.
            if values.iter().flatten().any(Points::is_zero) {
                return Some(Points::zero());
            }
            let known: Option<Vec<Points>> = values.into_iter().collect();
            known?.into_iter().min()
        }
    }
}
