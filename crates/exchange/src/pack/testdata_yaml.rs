//! The grading of a group, as a `testdata.yaml`.
//!
//! | 2025-09 | legacy |
//! |---|---|
//! | `pass-fail`, and `min` of cases that are worth all or nothing | `min` of full scores, ended by the first failure |
//! | `sum` of cases | the average of full scores: exact, where a share of each case would not be |
//! | `sum` and `min` of scores that the validator writes | the same |
//! | `sum` and `min` of groups | the same, run to the end |
//!
//! A partly right group must count as accepted there, or its points are lost.

use super::target::Target;
use kopek_package::{
    package::{
        Aggregation, Rule,
        yaml::{YamlNode, emit},
    },
    points::Points,
};

/// Arguments of a directory's validators as flags: words separated by spaces.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValidatorFlags {
    pub input: String,
    pub output: String,
}

impl ValidatorFlags {
    pub fn is_empty(&self) -> bool {
        self.input.is_empty() && self.output.is_empty()
    }
}

/// The lines of a `testdata.yaml`.
#[derive(Debug, Clone)]
pub struct PackedGroupTerms {
    pub goes_on: bool,
    pub fold: ScoreFold,
    /// The score of an accepted case.
    pub accept: Points,
    /// The maximum; `None`: unbounded.
    pub max: Option<Points>,
}

/// The source of a case's points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scorer {
    /// All or nothing, by its verdict.
    Verdict,
    /// The output validator writes them.
    Validator,
}

/// How scores are aggregated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreFold {
    /// All or nothing.
    Min,
    /// Partial points, equal shares.
    Average,
    /// Partial points as they are.
    Sum,
    /// The whole package: the samples do not count.
    Whole,
}

impl PackedGroupTerms {
    pub fn of_cases(rule: &Rule, scorer: Scorer) -> PackedGroupTerms {
        let max = max_score(rule).cloned();
        let fold = match (aggregation(rule), scorer) {
            (Aggregation::PassFail | Aggregation::Min, _) => ScoreFold::Min,
            (Aggregation::Sum, Scorer::Validator) => ScoreFold::Sum,
            (Aggregation::Sum, Scorer::Verdict) => ScoreFold::Average,
        };
        PackedGroupTerms {
            goes_on: fold != ScoreFold::Min,
            fold,
            accept: max.clone().unwrap_or(Points::zero()),
            max,
        }
    }

    pub fn of_groups(rule: &Rule) -> PackedGroupTerms {
        let fold = match aggregation(rule) {
            Aggregation::PassFail | Aggregation::Min => ScoreFold::Min,
            Aggregation::Sum => ScoreFold::Sum,
        };
        PackedGroupTerms { goes_on: true, fold, accept: Points::zero(), max: max_score(rule).cloned() }
    }

    /// For samples: judged without points.
    pub fn of_samples(scorer: Scorer) -> PackedGroupTerms {
        PackedGroupTerms {
            goes_on: true,
            fold: ScoreFold::Sum,
            accept: Points::zero(),
            max: (scorer == Scorer::Verdict).then(Points::zero),
        }
    }

    pub fn of_all(secret: &Rule) -> PackedGroupTerms {
        PackedGroupTerms {
            goes_on: true,
            fold: ScoreFold::Whole,
            accept: Points::zero(),
            max: max_score(secret).cloned(),
        }
    }

    /// For a single case in its own directory.
    pub fn alone_in_directory(&self) -> PackedGroupTerms {
        PackedGroupTerms { goes_on: false, fold: ScoreFold::Min, ..self.clone() }
    }

    /// Whether every case counts separately.
    pub fn counts_each_case(&self) -> bool {
        self.fold == ScoreFold::Average
    }

    /// The text of the file; with all keys, because the two systems inherit differently.
    pub fn emit_yaml(&self, target: Target, flags: &ValidatorFlags) -> String {
        let mut keys = vec![
            ("on_reject", YamlNode::string(if self.goes_on { "continue" } else { "break" })),
            ("grader_flags", YamlNode::string(self.grader_flags(target))),
            ("accept_score", YamlNode::bare(&self.accept)),
            ("reject_score", YamlNode::bare(0)),
        ];
        match (&self.max, target) {
            (Some(max), _) => keys.push(("range", YamlNode::bare(format!("0 {max}")))),
            // It accepts only numbers.
            (None, Target::Domjudge) => {}
            (None, _) => keys.push(("range", YamlNode::bare("0 +inf"))),
        }
        keys.extend(flag_keys(flags));
        emit(&YamlNode::map(keys))
    }

    fn grader_flags(&self, target: Target) -> &'static str {
        match self.fold {
            ScoreFold::Min => "min",
            ScoreFold::Whole => "ignore_sample",
            // It keeps points whatever the verdict.
            ScoreFold::Average if target == Target::Domjudge => "avg",
            ScoreFold::Sum if target == Target::Domjudge => "sum",
            ScoreFold::Average => "avg first_error accept_if_any_accepted",
            ScoreFold::Sum => "sum first_error accept_if_any_accepted",
        }
    }
}

/// The flags of a directory: both or none, because those above are inherited.
pub fn flag_keys(flags: &ValidatorFlags) -> Vec<(&'static str, YamlNode)> {
    if flags.is_empty() {
        return Vec::new();
    }
    vec![
        ("input_validator_flags", YamlNode::quoted_string(&flags.input)),
        ("output_validator_flags", YamlNode::quoted_string(&flags.output)),
    ]
}

pub fn max_score(rule: &Rule) -> Option<&Points> {
    match rule {
        Rule::Modern { max_score, .. } => max_score.as_ref(),
        Rule::Legacy(rule) => rule.range.1.as_ref(),
    }
}

pub fn aggregation(rule: &Rule) -> Aggregation {
    match rule {
        Rule::Modern { aggregation, .. } => *aggregation,
        Rule::Legacy(_) => Aggregation::Sum,
    }
}

/// Whether one failure costs all points.
pub fn all_or_nothing(rule: &Rule) -> bool {
    matches!(aggregation(rule), Aggregation::PassFail | Aggregation::Min)
}
