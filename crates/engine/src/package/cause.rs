//! Merges findings about many cases that share a cause.

use super::{Finding, RECIPE_FILE};
use kopek_base::wording::counted;
use std::collections::HashMap;

/// A key that is equal for findings with the same cause: the finding without its numbers and its case. `None`
/// if the finding is not about a case, and is never merged.
pub fn cause_key(file: &str, what: &str) -> Option<String> {
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

/// Makes all runs of digits equal.
fn without_digits(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if !character.is_ascii_digit() {
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

/// The first finding of each cause, with the number of further ones.
pub fn one_per_cause(findings: &[Finding]) -> Vec<Finding> {
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut merged: Vec<(Finding, usize)> = Vec::new();
    for finding in findings {
        let key = cause_key(&finding.file.to_string_lossy(), &finding.what);
        let key = key.map(|cause| (finding.severity, cause, finding.hint.clone()));
        match key.as_ref().and_then(|key| known.get(key)) {
            Some(&at) => merged[at].1 += 1,
            None => {
                known.extend(key.map(|key| (key, merged.len())));
                merged.push((finding.clone(), 0));
            }
        }
    }
    let told = |(finding, more): (Finding, usize)| Finding {
        what: format!("{}{}", finding.what, and_more_cases(more)),
        ..finding
    };
    merged.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_many_cases_is_said_once() {
        let of = |case: &str, what: &str| Finding::error(RECIPE_FILE, format!("{case}: {what}"));
        let other = Finding::error("problem.yaml", "unknown key 1");
        let findings = [
            of("secret/a", "`v` exited with 43: line 1"),
            other.clone(),
            of("secret/b", "`v` exited with 43: line 27"),
            of("secret/b", "no step made its input"),
            Finding::error("data/secret/1.ans", "was changed"),
            Finding::error("data/secret/g/2.ans", "was changed"),
            Finding::error("data/secret/g/2.in", "was changed"),
            Finding::warning("data/secret/g", "was changed"),
            Finding::warning("data/secret/h", "was changed"),
            Finding { what: "unknown key 2".into(), ..other },
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
