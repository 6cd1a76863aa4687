//! How a group is graded, in the words of `testdata.yaml`.
//!
//! | 2025-09 | legacy |
//! |---|---|
//! | `pass-fail`, and `min` of cases that are worth all or nothing | `min` of full scores, ended by the first failure |
//! | `sum` of cases | the average of full scores: exact, where a share of each case would not be |
//! | `sum` and `min` of scores that the validator writes | the same |
//! | `sum` and `min` of groups | the same, run to the end |
//!
//! A group of which a part is right must count as accepted there, or its points are lost.

use super::{Target, flags::Flags, manifest::quoted};
use crate::{
    package::{Aggregation, Rule},
    points::Points,
};

/// The lines of a `testdata.yaml`.
#[derive(Debug, Clone)]
pub struct Terms {
    pub goes_on: bool,
    pub fold: Fold,
    /// What an accepted case is worth.
    pub accept: Points,
    /// The greatest score; `None`: unbounded.
    pub most: Option<Points>,
}

/// How the scores of the parts become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// All or nothing.
    Min,
    /// Partial points, equal shares.
    Average,
    /// Partial points as they are.
    Sum,
    /// The whole package: the samples do not count.
    Whole,
}

impl Terms {
    /// Of cases. `scores`: the validator writes them.
    pub fn of_cases(rule: &Rule, scores: bool) -> Terms {
        let (most, aggregation) = said(rule);
        let fold = match (aggregation, scores) {
            (Aggregation::PassFail | Aggregation::Min, _) => Fold::Min,
            (Aggregation::Sum, true) => Fold::Sum,
            (Aggregation::Sum, false) => Fold::Average,
        };
        Terms { goes_on: fold != Fold::Min, fold, accept: most.clone().unwrap_or(Points::zero()), most }
    }

    /// Of groups.
    pub fn of_groups(rule: &Rule) -> Terms {
        let (most, aggregation) = said(rule);
        let fold = match aggregation {
            Aggregation::PassFail | Aggregation::Min => Fold::Min,
            Aggregation::Sum => Fold::Sum,
        };
        Terms { goes_on: true, fold, accept: Points::zero(), most }
    }

    /// Of samples: judged, and worth nothing.
    pub fn of_samples(scores: bool) -> Terms {
        Terms { goes_on: true, fold: Fold::Sum, accept: Points::zero(), most: (!scores).then(Points::zero) }
    }

    /// Of everything.
    pub fn of_all(secret: &Rule) -> Terms {
        Terms { goes_on: true, fold: Fold::Whole, accept: Points::zero(), most: said(secret).0 }
    }

    /// Of one case, alone in its directory.
    pub fn alone(&self) -> Terms {
        Terms { goes_on: false, fold: Fold::Min, ..self.clone() }
    }

    /// Whether every case counts by itself.
    pub fn shares(&self) -> bool {
        self.fold == Fold::Average
    }

    /// The file's text; every key is said, as the two systems inherit differently.
    pub fn yaml(&self, target: Target, flags: &Flags) -> String {
        let (accept, on_reject) = (&self.accept, if self.goes_on { "continue" } else { "break" });
        let mut text = format!("on_reject: {on_reject}\ngrader_flags: {}\n", self.grader_flags(target));
        text += &format!("accept_score: {accept}\nreject_score: 0\n");
        match (&self.most, target) {
            (Some(most), _) => text += &format!("range: 0 {most}\n"),
            (None, Target::Kattis) => text += "range: 0 +inf\n",
            // It takes only numbers.
            (None, Target::Domjudge) => {}
        }
        text + &flag_lines(flags)
    }

    fn grader_flags(&self, target: Target) -> &'static str {
        match (target, self.fold) {
            (_, Fold::Min) => "min",
            (_, Fold::Whole) => "ignore_sample",
            (Target::Kattis, Fold::Average) => "avg first_error accept_if_any_accepted",
            (Target::Kattis, Fold::Sum) => "sum first_error accept_if_any_accepted",
            // It keeps points whatever the verdict.
            (Target::Domjudge, Fold::Average) => "avg",
            (Target::Domjudge, Fold::Sum) => "sum",
        }
    }
}

/// The flags of a directory; both are said or none, as what is said above is inherited.
pub fn flag_lines(flags: &Flags) -> String {
    let line = |key: &str, value: &str| format!("{key}_validator_flags: {}\n", quoted(value));
    match flags.is_empty() {
        true => String::new(),
        false => line("input", &flags.input) + &line("output", &flags.output),
    }
}

pub fn said(rule: &Rule) -> (Option<Points>, Aggregation) {
    match rule {
        Rule::Modern { max_score, aggregation, .. } => (max_score.clone(), *aggregation),
        Rule::Legacy(rule) => (rule.range.1.clone(), Aggregation::Sum),
    }
}

/// Whether one failure takes all points.
pub fn all_or_nothing(rule: &Rule) -> bool {
    matches!(said(rule).1, Aggregation::PassFail | Aggregation::Min)
}
