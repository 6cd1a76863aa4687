//! Merges findings about many cases that share a cause.

use super::{Level, Message, RECIPE_FILE};
use kopek_base::wording::counted;
use std::{collections::HashMap, hash::Hash};

/// What findings about many cases share if they have the same cause.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    level: Level,
    /// The finding without its numbers and its case.
    key: String,
    todo: Option<String>,
}

/// `None` if the finding is not about a case, and is never merged.
pub fn cause_of(finding: &Message) -> Option<Cause> {
    let file = finding.place()?.file.to_string_lossy();
    let key = cause_key(&file, &finding.what)?;
    Some(Cause { level: finding.level, key, todo: finding.todo.clone() })
}

fn cause_key(file: &str, what: &str) -> Option<String> {
    // Findings of the recipe begin with the name of the case.
    if file == RECIPE_FILE {
        let (case, rest) = what.split_once(": ")?;
        return (case.contains('/') && !case.contains(' '))
            .then(|| format!("{file} {}", without_digits(rest)));
    }
    let below = file.strip_prefix("data/")?;
    let (_, extension) = below.rsplit('/').next()?.split_once('.')?;
    Some(format!("{extension} {}", without_digits(what)))
}

/// Makes all numbers equal, also those of generators' arguments.
fn without_digits(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if !character.is_ascii_digit() && character != '-' {
            out.push(character);
        } else if !out.ends_with('#') {
            out.push('#');
        }
    }
    out
}

/// The suffix for a finding that represents others with the same cause.
pub fn and_more_cases(more: usize) -> String {
    if more == 0 { String::new() } else { format!(" (and {})", counted(more, "more case")) }
}

/// Merges each item into the first one with the same cause; items without a cause stay.
pub fn merge_by_cause<T, C: Hash + Eq>(
    items: impl IntoIterator<Item = T>,
    cause: impl Fn(&T) -> Option<C>,
    merge: impl Fn(&mut T, T),
) -> Vec<T> {
    let mut known: HashMap<C, usize> = HashMap::new();
    let mut merged: Vec<T> = Vec::new();
    for item in items {
        let cause = cause(&item);
        match cause.as_ref().and_then(|cause| known.get(cause)) {
            Some(&first) => merge(&mut merged[first], item),
            None => {
                known.extend(cause.map(|cause| (cause, merged.len())));
                merged.push(item);
            }
        }
    }
    merged
}

/// The first finding of each cause, with the number of further ones.
pub fn one_per_cause(findings: &[Message]) -> Vec<Message> {
    struct Repeated<'a> {
        finding: &'a Message,
        more: usize,
    }
    let all = findings.iter().map(|finding| Repeated { finding, more: 0 });
    let merged = merge_by_cause(all, |one| cause_of(one.finding), |first, _| first.more += 1);
    let shown = |Repeated { finding, more }: Repeated| Message {
        what: format!("{}{}", finding.what, and_more_cases(more)),
        ..finding.clone()
    };
    merged.into_iter().map(shown).collect()
}

/// The findings by file and line, without duplicates.
pub(super) fn sorted_findings(mut findings: Vec<Message>) -> Vec<Message> {
    findings.sort_by(|a, b| (&a.about, a.level, &a.what).cmp(&(&b.about, b.level, &b.what)));
    // Several readers may find the same broken link or file, and each reports it.
    findings.dedup();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_with_the_same_cause_are_merged() {
        let of = |case: &str, what: &str| Message::error(RECIPE_FILE, format!("{case}: {what}"));
        let other = Message::error("problem.yaml", "unknown key 1");
        let findings = [
            of("secret/a", "`v` exited with 43: line 1"),
            other.clone(),
            of("secret/b", "`v` exited with 43: line 27"),
            of("secret/b", "no step made its input"),
            Message::error("data/secret/1.ans", "was changed"),
            Message::error("data/secret/g/2.ans", "was changed"),
            Message::error("data/secret/g/2.in", "was changed"),
            Message::warning("data/secret/g", "was changed"),
            Message::warning("data/secret/h", "was changed"),
            Message { what: "unknown key 2".into(), ..other },
        ];
        let shown: Vec<String> = one_per_cause(&findings).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "error: generators/generators.yaml: secret/a: `v` exited with 43: line 1 (and 1 more case)",
                "error: problem.yaml: unknown key 1",
                "error: generators/generators.yaml: secret/b: no step made its input",
                "error: data/secret/1.ans: was changed (and 1 more case)",
                "error: data/secret/g/2.in: was changed",
                "warning: data/secret/g: was changed",
                "warning: data/secret/h: was changed",
                "error: problem.yaml: unknown key 2",
            ]
        );
    }
}
