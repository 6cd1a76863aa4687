//! Tables as text from spreadsheet programs: with commas, semicolons or tabs; in UTF-8, UTF-16 or Latin-1.

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

/// A reader for a small table with a header, from any spreadsheet program.
pub fn open_table(bytes: &[u8]) -> Result<csv::Reader<std::io::Cursor<String>>, String> {
    let (text, _) = decode_table(bytes)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    let delimiter = delimiter_of(&text);
    let mut builder = csv::ReaderBuilder::new();
    Ok(builder.trim(csv::Trim::All).delimiter(delimiter).from_reader(std::io::Cursor::new(text)))
}

/// The line of a record, for messages.
pub fn line_of(record: &csv::StringRecord) -> u64 {
    record.position().map(csv::Position::line).unwrap_or_default()
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
            let mut table = open_table(bytes).unwrap();
            assert_eq!(table.headers().unwrap(), ["participant", "entry"][..]);
            assert_eq!(table.records().next().unwrap().unwrap(), ["J\u{f6}rg", "a;b.py"][..]);
        }
        assert!(open_table(b"PK\x03\x04").unwrap_err().contains("export it as CSV"));
    }
}
