//! `languages` in `problem.yaml`.

use super::{field_reader::FieldReader, yaml::YamlNode};

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
