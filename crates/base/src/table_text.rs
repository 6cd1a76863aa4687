//! Tables as text from spreadsheet programs: with commas, semicolons or tabs; in UTF-8, UTF-16 or Latin-1.

use csv::StringRecord;

/// The encoding of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableEncoding {
    Utf8,
    /// One byte per letter.
    Latin1,
    /// Two bytes for most letters.
    Utf16 {
        /// Whether the high byte comes first.
        big: bool,
    },
}

/// Decodes a table and returns its encoding. Fails for files that are not text.
pub fn decode_table(bytes: &[u8]) -> Result<(String, TableEncoding), String> {
    let units = |to_unit: fn([u8; 2]) -> u16| -> Result<String, String> {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| to_unit([pair[0], pair[1]])).collect();
        let whole = bytes.len().is_multiple_of(2);
        String::from_utf16(&units)
            .ok()
            .filter(|_| whole)
            .ok_or_else(|| "the file is damaged: not UTF-16".into())
    };
    match bytes {
        [0xff, 0xfe, ..] => Ok((units(u16::from_le_bytes)?, TableEncoding::Utf16 { big: false })),
        [0xfe, 0xff, ..] => Ok((units(u16::from_be_bytes)?, TableEncoding::Utf16 { big: true })),
        [b'P', b'K', ..] => Err("this is a workbook of a spreadsheet program: export it as CSV".into()),
        _ if bytes.contains(&0) => Err("this is not a text table: export it as CSV".into()),
        _ => Ok(match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), TableEncoding::Utf8),
            // Every byte is one letter, so encoding restores the bytes.
            Err(_) => (bytes.iter().map(|&byte| char::from(byte)).collect(), TableEncoding::Latin1),
        }),
    }
}

/// Encodes a table as its bytes were.
pub fn encode_table(text: &str, encoding: TableEncoding) -> Vec<u8> {
    match encoding {
        TableEncoding::Utf8 => text.as_bytes().to_vec(),
        TableEncoding::Latin1 => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        TableEncoding::Utf16 { big } => {
            let to_bytes = if big { u16::to_be_bytes } else { u16::to_le_bytes };
            text.encode_utf16().flat_map(to_bytes).collect()
        }
    }
}

/// The separator: the one that occurs most in the first line, outside of quotes.
pub fn delimiter_of(text: &str) -> u8 {
    let count = |sign: u8| {
        let mut quoted = false;
        let first = text.bytes().take_while(|byte| {
            quoted ^= *byte == b'"';
            quoted || *byte != b'\n'
        });
        let mut inside = false;
        first
            .filter(|byte| {
                inside ^= *byte == b'"';
                !inside && *byte == sign
            })
            .count()
    };
    [b',', b';', b'\t'].into_iter().rev().max_by_key(|&sign| count(sign)).unwrap_or(b',')
}

/// A small table with a header, from any spreadsheet program.
#[derive(Debug)]
pub struct CsvTable {
    pub head: StringRecord,
    pub rows: Vec<CsvRow>,
}

/// A row of a table, with a cell for each column.
#[derive(Debug)]
pub struct CsvRow {
    /// As an editor counts lines, from 1.
    pub line: u64,
    pub cells: StringRecord,
}

/// Reads a table. Fails for two columns with one name, and for a row with more or fewer cells than columns.
pub fn read_table(bytes: &[u8]) -> Result<CsvTable, String> {
    let (text, _) = decode_table(bytes)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut builder = csv::ReaderBuilder::new();
    builder.trim(csv::Trim::All).delimiter(delimiter_of(text)).flexible(true);
    let mut reader = builder.from_reader(text.as_bytes());
    let head = reader.headers().map_err(|error| error.to_string())?.clone();
    if let Some(twice) = (1..head.len()).find(|&at| head.iter().take(at).any(|name| *name == head[at])) {
        return Err(format!("line 1: the column `{}` is there twice; remove one", &head[twice]));
    }
    let mut rows = Vec::new();
    for cells in reader.into_records() {
        let cells = cells.map_err(|error| error.to_string())?;
        let line = line_at(text, &cells);
        if cells.len() != head.len() {
            return Err(format!("line {line}: the number of cells is {}, not {}", cells.len(), head.len()));
        }
        rows.push(CsvRow { line, cells });
    }
    Ok(CsvTable { head, rows })
}

/// The line on which a record begins. Its position is that before the line end and the empty lines that precede it.
fn line_at(text: &str, record: &StringRecord) -> u64 {
    let at = record.position().map_or(0, |position| position.byte() as usize);
    let begin = text.len() - text[at..].trim_start_matches(['\r', '\n']).len();
    text[..begin].matches('\n').count() as u64 + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_spreadsheets_write_them() {
        let text = "participant;entry\r\nJ\u{f6}rg;\"a;b.py\"\r\n";
        let latin1: Vec<u8> = text.chars().map(|c| u32::from(c) as u8).collect();
        let utf16: Vec<u8> =
            std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let with_mark = format!("\u{feff}{}", text.replace(';', ",").replace("a,b", "a;b"));
        let tabs = text.replace(';', "\t").replace("a\tb", "a;b");
        for bytes in [text.as_bytes(), &latin1, &utf16, with_mark.as_bytes(), tabs.as_bytes()] {
            let table = read_table(bytes).unwrap();
            assert_eq!(table.head, ["participant", "entry"][..]);
            assert_eq!(table.rows[0].cells, ["J\u{f6}rg", "a;b.py"][..]);
        }
        assert!(read_table(b"PK\x03\x04").unwrap_err().contains("export it as CSV"));
    }

    #[test]
    fn lines_are_those_of_an_editor_for_each_kind_of_line_end() {
        for end in ["\n", "\r\n"] {
            let text = ["participant,entry", "ada,x", "\"b", "c\",y", "", "dan,z", ""].join(end);
            let table = read_table(text.as_bytes()).unwrap();
            let lines: Vec<u64> = table.rows.iter().map(|row| row.line).collect();
            assert_eq!(lines, [2, 3, 6], "{text:?}");
        }
    }

    #[test]
    fn a_column_that_is_there_twice_and_a_row_of_another_length_are_refused() {
        for (table, error) in [
            ("a,b, b\n1,2,3\n", "line 1: the column `b` is there twice; remove one"),
            ("a,b\r\n1,2\r\n\r\n1,2,3\r\n", "line 4: the number of cells is 3, not 2"),
            ("a,b\n1\n", "line 2: the number of cells is 1, not 2"),
        ] {
            assert_eq!(read_table(table.as_bytes()).unwrap_err(), error);
        }
    }
}
