//! Cells and records for spreadsheets.

use csv::{Terminator, WriterBuilder};
use kopek_base::wording::without_control_characters;
use kopek_package::points::Points;

/// Texts come from participants: a spreadsheet must not run one as a formula, nor a terminal obey it.
pub(super) fn guard_formula(text: &str) -> String {
    // Also after spaces: some spreadsheets trim before they look.
    let formula = text.trim_start_matches(' ').starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = without_control_characters(text);
    if formula { format!("'{text}") } else { text }
}

pub(super) fn text_cell(text: Option<&String>) -> String {
    match text {
        Some(text) => guard_formula(text),
        None => String::new(),
    }
}

/// A number or another value that no participant wrote.
pub(super) fn value_cell(value: Option<impl ToString>) -> String {
    match value {
        Some(value) => value.to_string(),
        None => String::new(),
    }
}

pub(super) fn list_cell(texts: &[impl ToString]) -> String {
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    guard_formula(&texts.join("; "))
}

/// Up to six decimals.
pub(super) fn points_cell(points: Option<&Points>) -> String {
    value_cell(points.map(|points| format!("{points:.6}")))
}

/// RFC 4180 wants CRLF at line ends.
pub(super) fn write_records(records: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for record in records {
        writer.write_record(&record).expect("records of equal length go into memory");
    }
    let bytes = writer.into_inner().expect("memory can be flushed");
    String::from_utf8(bytes).expect("texts stay texts")
}
