//! Settings that cases inherit from directories, key by key.

use crate::package::{
    Case, CaseArguments, Judge, Package,
    default_validator_args::check_default_args,
    field_reader::{FieldReader, MapFields},
    nearest::nearest_word,
};
use std::collections::BTreeMap;

/// The settings that a case inherits from the directories above it.
#[derive(Debug, Clone, Default)]
pub(super) struct CaseSettings {
    pub arguments: CaseArguments,
    /// Arguments of the input visualizer.
    pub input_visualizer_args: Vec<String>,
    /// Arguments of the output visualizer.
    pub output_visualizer_args: Vec<String>,
    /// Whether participants may see everything.
    pub full_feedback: bool,
}

pub(super) const KEYS: &[&str] = &[
    "args",
    "input_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
];

impl CaseSettings {
    /// These settings, overridden by those of a file.
    pub(crate) fn with(
        &self,
        keys: MapFields,
        package: &Package,
        field_reader: &mut FieldReader,
    ) -> CaseSettings {
        let mut settings = self.clone();
        for (key, list) in [
            ("args", &mut settings.arguments.args),
            ("output_validator_args", &mut settings.arguments.output),
            ("input_visualizer_args", &mut settings.input_visualizer_args),
            ("output_visualizer_args", &mut settings.output_visualizer_args),
        ] {
            if let Some(texts) = keys.get(key).and_then(|node| field_reader.texts(key, node)) {
                *list = texts;
            }
        }
        let key = "input_validator_args";
        if let Some(map) = keys.get(key).and_then(|node| field_reader.args_by_name(key, node)) {
            known_validators(&map, keys, package, field_reader);
            settings.arguments.input = map;
        }
        if let Some(truth) =
            keys.get("full_feedback").and_then(|node| field_reader.truth("full_feedback", node))
        {
            settings.full_feedback = truth;
        }
        // Only the default validator's arguments are known; a custom one may accept any.
        if let (Some(entry), Judge::Default) = (keys.entry("output_validator_args"), &package.judge) {
            check_default_args(&settings.arguments.output, package.format, entry.line, field_reader);
        }
        settings
    }

    /// Applies these settings to a case.
    pub(crate) fn apply(self, case: &mut Case) {
        case.arguments = self.arguments;
        case.input_visualizer_args = self.input_visualizer_args;
        case.output_visualizer_args = self.output_visualizer_args;
        case.full_feedback = self.full_feedback;
    }
}

fn known_validators(
    map: &BTreeMap<String, Vec<String>>,
    keys: MapFields,
    package: &Package,
    field_reader: &mut FieldReader,
) {
    let known: Vec<&str> = package.input_validators.iter().map(|program| program.name.as_str()).collect();
    let line = keys.entry("input_validator_args").map_or(1, |entry| entry.line);
    for name in map.keys().filter(|name| !name.is_empty() && !known.contains(&name.as_str())) {
        field_reader.warn(line, format!("no input validator is called `{name}`"));
        match nearest_word(name, &known) {
            Some(near) => field_reader.todo(format!("did you mean `{near}`?")),
            None => field_reader.todo(format!("there are: {}", known.join(", "))),
        }
    }
}
