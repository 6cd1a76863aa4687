//! Consistency of the rules of `secret` and its groups.

use super::group_config::Scoring;
use crate::{
    package::{Aggregation, Message, Package, StaticScore, field_reader::short, nearest::nearest_word},
    points::Points,
};

/// Checks the rules of `secret` and its groups in a scoring problem.
pub(super) fn check_groups(
    package: &Package,
    secret: &Scoring,
    groups: &[(&str, &Scoring)],
    findings: &mut Vec<Message>,
) {
    if !package.kind.scoring {
        return;
    }
    let mut error = |group: &Scoring, what: String, hint: &str| {
        findings.push(Message::error(&group.file, what).line(group.line).todo(hint));
    };
    if secret.aggregation == Aggregation::PassFail && secret.max_score.is_none() {
        error(secret, "a pass-fail score must be bounded".into(), "set `max_score` to a number");
    }
    for (name, group) in groups {
        match (&group.max_score, &secret.max_score) {
            (None, _) if group.aggregation == Aggregation::PassFail => {
                error(
                    group,
                    format!("pass-fail group `{name}` states no `max_score`"),
                    "set `max_score` to a number",
                );
            }
            (None, Some(_)) => {
                let hint = "set `max_score` here, or `max_score: unbounded` in data/secret/test_group.yaml";
                error(group, format!("group `{name}` is unbounded, but `secret` is not"), hint);
            }
            (Some(max), Some(bound)) if max > bound => {
                error(group, format!("`max_score` {max} is more than the {bound} of `secret`"), "lower it");
            }
            (Some(_) | None, _) => {}
        }
        if secret.aggregation == Aggregation::PassFail && group.aggregation != Aggregation::PassFail {
            let hint = "set `score_aggregation: pass-fail`";
            error(group, format!("`secret` is pass-fail, so group `{name}` must be"), hint);
        }
    }
    check_sum(secret, groups, findings);
}

/// Warns if the sum of the groups differs from the maximum of `secret`.
fn check_sum(secret: &Scoring, groups: &[(&str, &Scoring)], findings: &mut Vec<Message>) {
    let parts: Option<Vec<Points>> = groups.iter().map(|(_, group)| group.max_score.clone()).collect();
    let (Some(parts), Some(max), Aggregation::Sum) = (parts, &secret.max_score, secret.aggregation) else {
        return;
    };
    let fixed = match &secret.static_validation {
        Some(StaticScore::Points(points)) => points.clone(),
        Some(StaticScore::PassFail) | None => Points::zero(),
    };
    let sum = parts.into_iter().sum::<Points>() + fixed;
    if !groups.is_empty() && sum != *max {
        let finding =
            Message::warning(&secret.file, format!("the groups add up to {sum}, but `max_score` is {max}"));
        findings.push(
            finding.line(secret.line).todo(format!("set `max_score: {sum}` in data/secret/test_group.yaml")),
        );
    }
}

/// A group, or `secret`, with the groups that it may require.
pub(super) struct Requirements<'a> {
    pub name: &'a str,
    pub scoring: &'a Scoring,
    /// All groups in `secret` by their names.
    pub groups: &'a [(&'a str, &'a Scoring)],
    pub sample_exists: bool,
}

impl Requirements<'_> {
    /// The full names of the required groups; a group that cannot be required is reported.
    pub(crate) fn resolve(&self, findings: &mut Vec<Message>) -> Vec<String> {
        let required = self.scoring.require_words.iter();
        required.filter_map(|(word, line)| self.required_group(word, *line, findings)).collect()
    }

    fn required_group(&self, word: &str, line: u32, findings: &mut Vec<Message>) -> Option<String> {
        let mut refuse = |what: String, todo: Option<String>| {
            let finding = Message::error(&self.scoring.file, what).line(line);
            findings.push(Message { todo, ..finding });
            None
        };
        let full = format!("secret/{word}");
        let group = self.groups.iter().find(|(group, _)| *group == word || *group == full);
        match group {
            _ if word == "sample" && self.sample_exists => Some(word.to_owned()),
            _ if self.name == "secret" => {
                refuse(format!("`secret` can only require `sample`, not `{}`", short(word)), None)
            }
            None => {
                let known: Vec<&str> =
                    self.groups.iter().map(|(group, _)| *group).chain(["sample"]).collect();
                let near = nearest_word(word, &known).map(|near| format!("did you mean `{near}`?"));
                refuse(format!("`require_pass`: no group is called `{}`", short(word)), near)
            }
            // The format demands that required groups come first by name, so one pass in order can score all.
            Some((other, _)) if *other >= self.name => {
                refuse(format!("`require_pass`: `{other}` does not come before `{}`", self.name), None)
            }
            Some((other, group)) if group.aggregation != Aggregation::PassFail => {
                let hint = format!("set `score_aggregation: pass-fail` in data/{other}/test_group.yaml");
                refuse(format!("`require_pass`: `{other}` is not pass-fail"), Some(hint))
            }
            Some((other, _)) => {
                if *other != word {
                    let what = format!("`require_pass`: `{word}` is called `{other}`");
                    let finding = Message::warning(&self.scoring.file, what).line(line);
                    findings.push(finding.todo("write the full name"));
                }
                Some((*other).to_owned())
            }
        }
    }
}
