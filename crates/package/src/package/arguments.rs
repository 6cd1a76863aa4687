//! The arguments of a case while it is made, inherited from its directories and overridden by its own file,
//! key by key.

use super::{
    fill_constants,
    legacy_manifest::split_flags,
    yaml::{self, YamlEntry, YamlNode, YamlValue},
};
use serde::Serialize;
use std::{collections::BTreeMap, path::Path};

/// The arguments for the programs that make and judge a case.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CaseArguments {
    /// For submissions, and for input validators after their own.
    pub args: Vec<String>,
    /// For input validators, by name; `""` for all that have no entry.
    pub input: BTreeMap<String, Vec<String>>,
    /// For output validators.
    pub output: Vec<String>,
}

impl CaseArguments {
    /// All arguments of an input validator: its own, then those of submissions.
    pub fn of_input_validator(&self, name: &str) -> Vec<String> {
        [self.own_of_input_validator(name), &self.args].concat()
    }

    /// The arguments for this input validator alone.
    pub fn own_of_input_validator(&self, name: &str) -> &[String] {
        // `""` exists only where one list applies to all: a validator without an entry in a map gets none.
        self.input.get(name).or_else(|| self.input.get("")).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn with_constants(mut self, constants: &BTreeMap<String, String>) -> CaseArguments {
        let lists = self.input.values_mut().chain([&mut self.args, &mut self.output]);
        lists.flatten().for_each(|word| *word = fill_constants(word, constants));
        self
    }

    /// These arguments, overridden by those of a file.
    #[must_use]
    pub fn overridden_by(mut self, file: &YamlNode) -> CaseArguments {
        if let Some(args) = file.get("args").and_then(list) {
            self.args = args;
        }
        if let Some(args) = file.get("output_validator_args").and_then(list) {
            self.output = args;
        }
        match file.get("input_validator_args").map(|node| (&node.value, node)) {
            Some((YamlValue::Map(entries), _)) => {
                let named = |entry: &YamlEntry| Some((entry.name.text()?.to_owned(), list(&entry.node)?));
                self.input = entries.iter().filter_map(named).collect();
            }
            Some((YamlValue::List(_), node)) => {
                self.input = list(node).map(|a| (String::new(), a)).into_iter().collect()
            }
            _ => (),
        }
        // In legacy they are strings.
        let flags = |key: &str| file.get(key).and_then(YamlNode::text).map(split_flags);
        if let Some(flags) = flags("input_validator_flags") {
            self.input = [(String::new(), flags)].into();
        }
        if let Some(flags) = flags("output_validator_flags") {
            self.output = flags;
        }
        self
    }
}

impl CaseArguments {
    /// These arguments, overridden by the case's own `.yaml`. The reader of the package reports errors in
    /// that file.
    #[must_use]
    pub fn with_own_file(&self, own: Option<&[u8]>) -> CaseArguments {
        let node =
            own.and_then(|bytes| yaml::parse_bytes(Path::new("test_group.yaml"), bytes, &mut Vec::new()));
        node.map_or_else(|| self.clone(), |node| self.clone().overridden_by(&node))
    }
}

/// A list of words; bare numbers count as written.
fn list(node: &YamlNode) -> Option<Vec<String>> {
    let YamlValue::List(items) = &node.value else { return None };
    items
        .iter()
        .map(|item| match &item.value {
            YamlValue::Text(text) | YamlValue::Bare(text) => Some(text.clone()),
            YamlValue::Null | YamlValue::List(_) | YamlValue::Map(_) => None,
        })
        .collect()
}
