//! What one case is worth in a 2025-09 group, and how such worths become one.

use super::scorecard::Mark;
use crate::{
    check::Score,
    package::{Aggregation, StaticScore},
    points::Points,
    verdict::Verdict,
};

/// What a group scores by.
#[derive(Clone)]
pub(super) struct GroupTerms {
    pub max: Option<Points>,
    pub aggregation: Aggregation,
    pub requires: Vec<String>,
    pub validation: Option<StaticScore>,
    /// Whether score files mean anything.
    pub scored: bool,
}

/// One case, the static validation among them.
pub(super) struct ScoredPart<'a> {
    pub name: String,
    pub max: Option<Points>,
    pub mark: Option<&'a Mark>,
}

/// What is known of one part.
pub(super) enum PartStanding {
    Unknown,
    Failed(Verdict),
    Passed(Points),
}

impl PartStanding {
    /// Its points, once known.
    pub(crate) fn points(&self) -> Option<Points> {
        match self {
            PartStanding::Unknown => None,
            PartStanding::Failed(_) => Some(Points::zero()),
            PartStanding::Passed(points) => Some(points.clone()),
        }
    }
}

/// What a known part is worth, or how its score files break the rules.
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
            Err("a score file in a pass-fail group".to_owned())
        }
        (Score::Points(points) | Score::Multiplier(points), _) if points.is_negative() => {
            Err(format!("the score {points} is below 0"))
        }
        (Score::Multiplier(_), None) => Err("score_multiplier.txt in a group without max_score".to_owned()),
        (Score::Multiplier(share), Some(_)) if *share > Points::one() => {
            Err(format!("the multiplier {share} is above 1"))
        }
        (Score::Points(points), Some(max)) if points > max => {
            Err(format!("the score {points} is above the greatest score {max} of a case"))
        }
        (Score::Multiplier(share), Some(max)) => Ok(PartStanding::Passed(share.clone() * max.clone())),
        (Score::Points(points), _) => Ok(PartStanding::Passed(points.clone())),
    }
}

/// `None` as long as an unknown value can change the whole, or there is none at all; values are never
/// below zero.
pub(super) fn fold_points(values: Vec<Option<Points>>, aggregation: Aggregation) -> Option<Points> {
    if values.is_empty() {
        return None;
    }
    match aggregation {
        Aggregation::Sum => values.into_iter().sum(),
        Aggregation::Min | Aggregation::PassFail => {
            // Nothing is below zero, so the least is known before all the others are.
            if values.iter().flatten().any(Points::is_zero) {
                return Some(Points::zero());
            }
            let known: Option<Vec<Points>> = values.into_iter().collect();
            known?.into_iter().min()
        }
    }
}
