//! Reads a recipe. The format is that of BAPCtools. A file is read in three steps: text to nodes
//! ([`kopek_package::package::yaml`]), nodes to rules ([`super::directory_rules`]), rules to makes with their names,
//! numbers and seeds ([`super::expand`]). Pure: does not access the disk; every problem is listed with its line.
//!
//! Both tools make the same bytes. Differences: included cases are copies, not links; comments inside
//! `test_group.yaml` are not kept; pictures and protocols of samples come from generators, copies and contents only,
//! never from visualizers or a run of the solution; patterns of `match` have no look-around.

use super::{
    directory_rules::{RootRule, read_root},
    expand,
    recipe::{FILE, Recipe, RecipeFindings, RecipeInputs},
};
use kopek_package::package::{Level, Message, yaml};

impl Recipe {
    /// Reads a recipe. It is usable if no finding is an error.
    pub fn read(bytes: &[u8], inputs: &RecipeInputs) -> (Recipe, Vec<Message>) {
        let mut findings = RecipeFindings::default();
        let Ok(text) = std::str::from_utf8(bytes) else {
            findings.push(0, Level::Error, "is not UTF-8 text".into());
            return (Recipe::default(), findings.0);
        };
        let Some(root) = yaml::parse_text(FILE.as_ref(), text, &mut findings.0) else {
            return (Recipe::default(), findings.0);
        };
        let RootRule { generators, data } = read_root(&root, inputs, &mut findings);
        (Recipe { generators, ..expand::expand(&data, inputs, &mut findings) }, findings.0)
    }
}
