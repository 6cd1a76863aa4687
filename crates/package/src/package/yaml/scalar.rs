//! The type of a scalar: null, a number, a boolean, or a text. The rules are those of YAML 1.2, plus the
//! other bases and the `_` between digits that many parsers accept.

use super::tree::YamlValue;
use granit_parser::Tag;

/// A scalar with its spelling.
pub(super) struct ScalarText<'t> {
    /// With escapes and folds resolved.
    pub value: &'t str,
    /// Without quotes.
    pub is_plain: bool,
    pub tag: Option<&'t Tag>,
}

/// Resolves the type of a scalar; numbers and booleans keep their text.
pub(super) fn resolve(scalar: ScalarText) -> Result<YamlValue, String> {
    let text = scalar.value;
    let typed = is_truth(text) || is_number(text);
    match scalar.tag.and_then(core_type) {
        Some("str") => Ok(YamlValue::Text(text.to_owned())),
        Some("null") => Ok(YamlValue::Null),
        Some("bool") if is_truth(text) => Ok(YamlValue::Bare(text.to_owned())),
        Some("int" | "float") if is_number(text) => Ok(YamlValue::Bare(text.to_owned())),
        Some(core @ ("bool" | "int" | "float")) => Err(format!("`{text}` is not of the type !!{core}")),
        // After the tags: `!!int '5'` is a number in spite of its quotes.
        _ if !scalar.is_plain => Ok(YamlValue::Text(text.to_owned())),
        _ if is_null(text) => Ok(YamlValue::Null),
        _ if typed => Ok(YamlValue::Bare(text.to_owned())),
        _ => Ok(YamlValue::Text(text.to_owned())),
    }
}

/// The last part of one of YAML's own tags; a bare `!` means text.
fn core_type(tag: &Tag) -> Option<&str> {
    match (tag.core_suffix(), tag.parts()) {
        (None, ("!", "") | ("", "!")) => Some("str"),
        (core, _) => core,
    }
}

fn is_null(text: &str) -> bool {
    text.is_empty() || text == "~" || text.eq_ignore_ascii_case("null")
}

/// Not `yes` and `on`: they are texts in YAML 1.2.
fn is_truth(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}

fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    // Rust parses `inf` and `nan`, which are words in YAML.
    unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && (text.parse::<f64>().is_ok() || is_integer(unsigned))
}

/// `0x1f`, `0o17`, `0b11`, `1_000`.
fn is_integer(unsigned: &str) -> bool {
    let bases = [("0x", 16), ("0X", 16), ("0o", 8), ("0O", 8), ("0b", 2), ("0B", 2)];
    let based = bases.iter().find_map(|(prefix, base)| Some((unsigned.strip_prefix(prefix)?, *base)));
    let (digits, base) = based.unwrap_or((unsigned, 10));
    let padded = base == 10 && digits.starts_with('0');
    !padded && digits.split('_').all(|part| !part.is_empty() && part.chars().all(|c| c.is_digit(base)))
}
