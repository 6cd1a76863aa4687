//! The contents of `problem.yaml`, in any version of the format.

use super::{About, Format, ProblemKind, ProblemLimits, field_reader::FieldReader, yaml::YamlNode};
use std::collections::BTreeMap;

/// The contents of `problem.yaml`.
pub(super) struct ProblemManifest {
    pub format: Format,
    /// The format version of `data/`.
    pub data: Format,
    /// Fields that change no verdict.
    pub about: About,
    pub kind: ProblemKind,
    /// Limits, with defaults filled in.
    pub limits: ProblemLimits,
    pub languages: Option<Vec<String>>,
    /// Whether submissions may write files.
    pub allow_file_writing: bool,
    pub constants: BTreeMap<String, String>,
    /// Legacy: whether `validation` is `custom`, and whether `score` follows.
    pub validation: LegacyValidation,
}

/// The legacy switch of custom validators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LegacyValidation {
    /// Whether the validators of the package are used.
    pub custom: bool,
    /// Whether they may give scores.
    pub score: bool,
}

/// Reads `languages`: `all`, or codes.
pub(super) fn read_languages(node: &YamlNode, field_reader: &mut FieldReader) -> Option<Vec<String>> {
    let words = field_reader.one_or_more("languages", node)?;
    if words.len() == 1 && words[0].0 == "all" {
        return None;
    }
    if words.is_empty() {
        field_reader.error(node.line, "`languages` is empty: nothing could be submitted");
        field_reader.todo("write `all`, or name at least one language");
        return None;
    }
    Some(words.iter().filter_map(|(word, line)| field_reader.language(*line, word)).collect())
}
