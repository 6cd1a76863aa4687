//! The owner of a test, by Code Expert or by its name; samples and the order of tests, by their names.

use crate::import::source::{ForeignPackage, PERMISSIONS};
use anyhow::{Context, Result};
use kopek_base::natural_order;
use regex_lite::{Captures, Regex};
use std::collections::BTreeMap;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern that was tried")
}

/// The tests that are samples by their names.
pub fn are_samples(titles: &[&str]) -> Vec<bool> {
    let titles: Vec<String> = titles.iter().map(|title| title.to_ascii_lowercase()).collect();
    let word = pattern(r"(^|[-_.])(sample|example)|^samp$|[-_.]s\d+-\d+$");
    let zero = pattern(r"^0+$");
    // `0-01` among `1-01`, `2-01`; `abc0` or `abc0a` among `abc1a`, `abc2b`.
    let dashed = pattern(r"^(\d+)-\d+$");
    let lettered = pattern(r"^(\D*)(\d+)([a-z]*)$");
    let all_dashed = titles.iter().all(|title| dashed.is_match(title));
    let has_letters = |title: &String| lettered.captures(title).is_some_and(|found| !found[3].is_empty());
    let letters = titles.iter().any(has_letters);
    let is_zero = |title: &str| match (dashed.captures(title), lettered.captures(title)) {
        (Some(found), _) if all_dashed => zero.is_match(&found[1]),
        (_, Some(found)) if letters => zero.is_match(&found[2]),
        _ => zero.is_match(title),
    };
    titles.iter().map(|title| word.is_match(title) || is_zero(title)).collect()
}

/// Longer runs of digits are no numbers of tests.
const MAX_NUMBER: usize = 4;

/// The names, with zeros before their numbers if the byte order would differ.
pub fn pad_numbers(names: &[String]) -> Vec<String> {
    let mut natural = names.to_vec();
    natural.sort_by(|a, b| natural_order(a, b));
    if natural.is_sorted() {
        return names.to_vec();
    }
    let number = pattern(r"\d+");
    let mut widths: Vec<usize> = Vec::new();
    for name in names {
        for (at, found) in number.find_iter(name).enumerate() {
            widths.resize(widths.len().max(at + 1), 0);
            widths[at] = widths[at].max(found.len());
        }
    }
    let padded = |name: &String| {
        let mut at = 0;
        let fill = |found: &Captures| {
            at += 1;
            let width = widths[at - 1];
            if width > MAX_NUMBER { found[0].to_owned() } else { format!("{:0>width$}", &found[0]) }
        };
        number.replace_all(name, fill).into_owned()
    };
    names.iter().map(padded).collect()
}

#[derive(Debug, Default)]
pub struct Permissions {
    /// Path to `r`, `e` or `d`; empty without such a file.
    of_paths: BTreeMap<String, String>,
}

impl Permissions {
    pub fn read(source: &ForeignPackage) -> Result<Permissions> {
        if !source.has(PERMISSIONS) {
            return Ok(Permissions::default());
        }
        let text = source.read_text(PERMISSIONS)?;
        let read: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).with_context(|| {
            format!("{PERMISSIONS} is not an object of paths and permissions; repair or remove it")
        })?;
        let bare = |path: &str| path.trim_start_matches("./").trim_matches('/').to_owned();
        let words =
            read.into_iter().filter_map(|(path, word)| Some((bare(&path), word.as_str()?.to_owned())));
        Ok(Permissions { of_paths: words.collect() })
    }

    /// Whether a test of this name is the student's own.
    pub fn is_students(&self, paths: [&str; 2], title: &str) -> bool {
        let words: Vec<&String> = paths.into_iter().filter_map(|path| self.of_paths.get(path)).collect();
        if words.is_empty() { sounds_own(title) } else { words.iter().any(|word| *word == "e") }
    }
}

/// Names that students give their own tests.
fn sounds_own(title: &str) -> bool {
    let kinds = "(in|input|tests?|sample|case)";
    let own = format!("user[-_]?tests?|(my|own|custom)([-_]?{kinds})?");
    pattern(&format!(r"(^|[-_.])(({own})[-_]?\d*|out)$")).is_match(&title.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_known_by_their_names() {
        for (names, samples) in [
            (&["sample", "test1", "test2"][..], &["sample"][..]),
            (&["radio-sample", "radio-test1", "radio_sample2"], &["radio-sample", "radio_sample2"]),
            (&["task.s1-1", "task.g1-1"], &["task.s1-1"]),
            (&["0-01", "1-01", "2-01"], &["0-01"]),
            (&["abc0", "abc1a", "abc1b", "abc2a"], &["abc0"]),
            (&["0", "1", "2"], &["0"]),
            (&["00", "01", "10"], &["00"]),
            (&["1", "2", "10"], &[]),
            (&["hiking-maps-0", "hiking-maps-1"], &[]),
            (&["example1", "nyc", "samp"], &["example1", "samp"]),
            (&["resampled", "graphs_easy"], &[]),
        ] {
            let found: Vec<&str> = are_samples(names)
                .into_iter()
                .zip(names)
                .filter_map(|(is, name)| is.then_some(*name))
                .collect();
            assert_eq!(found, samples, "{names:?}");
        }
    }

    #[test]
    fn names_keep_their_order_by_zeros() {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        assert_eq!(pad_numbers(&names(&["test1", "test9"])), names(&["test1", "test9"]));
        assert_eq!(pad_numbers(&names(&["2", "10", "a"])), names(&["02", "10", "a"]));
        assert_eq!(pad_numbers(&names(&["1-2", "1-10", "10-1"])), names(&["01-02", "01-10", "10-01"]));
    }

    #[test]
    fn names_of_own_tests_are_known() {
        for name in [
            "user_test",
            "usertest",
            "hit-user_test",
            "my",
            "my1",
            "mytest",
            "My_test2",
            "own",
            "custom",
            "out",
            "custom_1",
        ] {
            assert!(sounds_own(name), "{name}");
        }
        for name in ["test", "sample", "myth1", "owner1", "hit-test1", "rollout", "nyc", "customers2"] {
            assert!(!sounds_own(name), "{name}");
        }
    }
}
