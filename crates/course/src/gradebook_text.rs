//! The text of a table as it is: cells can be replaced, and all other bytes stay.

use kopek_base::table_text::{TableEncoding, decode_table, delimiter_of, encode_table};
use std::{borrow::Cow, ops::Range};

/// A table of comma-, semicolon- or tab-separated values, with the place of each cell.
#[derive(Debug, Clone)]
pub(super) struct GradebookText {
    text: String,
    encoding: TableEncoding,
    pub(super) delimiter: u8,
    pub(super) rows: Vec<Vec<String>>,
    places: Vec<Vec<Range<usize>>>,
    changes: Vec<(Range<usize>, String)>,
}

impl GradebookText {
    pub(super) fn parse(bytes: &[u8]) -> Result<GradebookText, String> {
        let (text, encoding) = decode_table(bytes)?;
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let delimiter = delimiter_of(&text[start..]);
        let mut table = GradebookText {
            encoding,
            delimiter,
            rows: Vec::new(),
            places: Vec::new(),
            changes: Vec::new(),
            text,
        };
        table.read_rows(start)?;
        Ok(table)
    }

    fn read_rows(&mut self, start: usize) -> Result<(), String> {
        let bytes = self.text.as_bytes();
        let mut row = Vec::new();
        let mut places = Vec::new();
        let mut at = start;
        while at < bytes.len() {
            let end = cell_end(bytes, at, self.delimiter)
                .ok_or_else(|| format!("line {}: a quote that is never closed", line_at(&self.text, at)))?;
            row.push(plain_cell(&self.text[at..end]).into_owned());
            places.push(at..end);
            if bytes.get(end) == Some(&self.delimiter) {
                at = end + 1;
                // A row may end in an empty cell, and the file with it.
                if at == bytes.len() {
                    row.push(String::new());
                    places.push(at..at);
                }
                continue;
            }
            self.rows.push(std::mem::take(&mut row));
            self.places.push(std::mem::take(&mut places));
            at = end + if bytes[end..].starts_with(b"\r\n") { 2 } else { 1 };
        }
        if !row.is_empty() {
            self.rows.push(row);
            self.places.push(places);
        }
        Ok(())
    }

    /// The line on which a row begins.
    pub(super) fn line_of(&self, row: usize) -> usize {
        line_at(&self.text, self.places[row].first().map_or(0, |place| place.start))
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: &str) {
        let place = self.places[row][column].clone();
        let old = &self.text[place.clone()];
        let needs_quotes = value.bytes().any(|byte| byte == self.delimiter || byte == b'"');
        let is_quoted = old.starts_with('"') || needs_quotes;
        let new = if is_quoted { format!("\"{}\"", value.replace('"', "\"\"")) } else { value.to_owned() };
        self.changes.push((place, new));
    }

    /// The file with the changes.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut changes: Vec<&(Range<usize>, String)> = self.changes.iter().collect();
        changes.sort_by_key(|(place, _)| place.start);
        let mut text = String::new();
        let mut from = 0;
        for (place, value) in changes {
            text.push_str(&self.text[from..place.start]);
            text.push_str(value);
            from = place.end;
        }
        text.push_str(&self.text[from..]);
        encode_table(&text, self.encoding)
    }
}

/// Where a cell ends; `None`: a quote stays open.
fn cell_end(bytes: &[u8], start: usize, delimiter: u8) -> Option<usize> {
    let mut quoted = false;
    let begins_quoted = bytes.get(start) == Some(&b'"');
    for (offset, byte) in bytes[start..].iter().enumerate() {
        match byte {
            b'"' if begins_quoted => quoted = !quoted,
            _ if quoted => {}
            byte if *byte == delimiter => return Some(start + offset),
            b'\n' => return Some(start + offset),
            b'\r' if bytes.get(start + offset + 1) == Some(&b'\n') => return Some(start + offset),
            _ => {}
        }
    }
    if !quoted { Some(bytes.len()) } else { None }
}

fn plain_cell(cell: &str) -> Cow<'_, str> {
    match cell.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inside) => Cow::Owned(inside.replace("\"\"", "\"")),
        None => Cow::Borrowed(cell),
    }
}

fn line_at(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// A number with a point, if a cell is one with a point or a comma.
pub(super) fn plain_number(cell: &str) -> Option<String> {
    let text = cell.trim().replace(',', ".");
    let is_number = !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && text.matches('.').count() <= 1
        && text.bytes().any(|byte| byte.is_ascii_digit());
    if is_number { Some(text) } else { None }
}
