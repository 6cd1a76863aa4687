//! The owner of a file of an exercise: by Code Expert, else by its name.

use crate::import::source::{ForeignPackage, PERMISSIONS};
use anyhow::{Context, Result};
use regex_lite::Regex;
use std::collections::BTreeMap;

/// The contents of `.cx_metadata.json`.
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
        match words.is_empty() {
            true => sounds_own(title),
            false => words.iter().any(|word| *word == "e"),
        }
    }
}

/// Names that students give their own tests.
fn sounds_own(title: &str) -> bool {
    let kinds = "(in|input|tests?|sample|case)";
    let own = format!("user[-_]?tests?|(my|own|custom)([-_]?{kinds})?");
    let pattern = format!(r"(^|[-_.])(({own})[-_]?\d*|out)$");
    Regex::new(&pattern).expect("a pattern that was tried").is_match(&title.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

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
