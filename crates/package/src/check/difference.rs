//! Turns the place of the first difference into a text to show: short, escaped and bounded, however large or
//! strange the output is.

use super::{
    Difference,
    tape::{Tape, is_space},
};
use kopek_sentences::Said;
use std::io;

/// Tokens are shown up to this many bytes.
const TOKEN: usize = 60;
/// Lines are shown up to this many bytes.
const LINE: usize = 60;
/// This much is read around the difference, on either side.
const REACH: u64 = 2048;
/// The number of lines before the difference, and after it.
const LINES: usize = 2;

/// The place where answer and output differ.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// Start of the token in the answer, or its end.
    pub answer: u64,
    /// Start of the token in the output, or its end.
    pub output: u64,
    /// The number of equal bytes in the two tokens.
    pub same: u64,
    pub kind: MismatchKind,
    pub error: Option<Said>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MismatchKind {
    /// A token differs, or is missing on one side.
    Token,
    /// White space differs, though it must be equal.
    WhiteSpace,
}

pub(super) fn explain_mismatch(answer: Tape, output: Tape, mismatch: &Mismatch) -> io::Result<Difference> {
    // White space is shown as a whole run: the byte that differs says little by itself.
    let run = match mismatch.kind {
        MismatchKind::WhiteSpace => space_before(output, mismatch.output)?,
        MismatchKind::Token => 0,
    };
    let a = mismatch.answer - run;
    let b = mismatch.output - run;
    // A long token is shown from shortly before the byte that differs; otherwise the cut would hide it.
    let hidden = if mismatch.same > 40 { mismatch.same - 20 } else { 0 };
    let place = if hidden > 0 { b + mismatch.same } else { b };
    let (line, column) = line_and_column(output, place)?;
    let spaces = match mismatch.kind {
        MismatchKind::WhiteSpace => Spaces::Named,
        MismatchKind::Token => Spaces::Plain,
    };
    Ok(Difference {
        line,
        column,
        expected: token_at(answer, a, hidden, mismatch.kind)?,
        found: token_at(output, b, hidden, mismatch.kind)?,
        error: mismatch.error.clone(),
        answer_lines: lines_around(answer, a + mismatch.same, spaces)?,
        output_lines: lines_around(output, b + mismatch.same, spaces)?,
    })
}

/// The length of the white space right before a place, up to the shown length.
fn space_before(tape: Tape, place: u64) -> io::Result<u64> {
    let mut before = vec![0; place.min(TOKEN as u64 / 2) as usize];
    let from = place - before.len() as u64;
    tape.read(&mut before, from)?;
    Ok(before.iter().rev().take_while(|&&byte| is_space(byte)).count() as u64)
}

/// Line and column of a place, from 1.
fn line_and_column(tape: Tape, place: u64) -> io::Result<(u64, u64)> {
    let mut line = 1;
    let mut start = 0;
    let mut from = 0;
    let mut block = vec![0; place.min(256 << 10) as usize];
    while from < place {
        let max = block.len().min((place - from) as usize);
        let n = tape.read(&mut block[..max], from)?;
        if n == 0 {
            break;
        }
        line += memchr::memchr_iter(b'\n', &block[..n]).count() as u64;
        if let Some(at) = memchr::memrchr(b'\n', &block[..n]) {
            start = from + at as u64 + 1;
        }
        from += n as u64;
    }
    Ok((line, place - start + 1))
}

/// The token or run of white space that starts here, without its first `hidden` bytes.
fn token_at(tape: Tape, start: u64, hidden: u64, kind: MismatchKind) -> io::Result<Option<String>> {
    let mut bytes = [0; TOKEN + 1];
    let n = tape.read(&mut bytes, start + hidden)?;
    let shown = |byte: u8| is_space(byte) == (kind == MismatchKind::WhiteSpace);
    let length = bytes[..n].iter().position(|&byte| !shown(byte)).unwrap_or(n);
    if length == 0 && hidden == 0 {
        return Ok(None);
    }
    let ends = |there: bool| if there { "…" } else { "" };
    let text = escape_bytes(&bytes[..length.min(TOKEN)], Spaces::Named);
    Ok(Some(format!("{}{text}{}", ends(hidden > 0), ends(length > TOKEN))))
}

/// How to show white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spaces {
    /// Unchanged, where it does not matter; left out at both ends of a line.
    Plain,
    /// With a mark for each character, and `↵` for the end of a line.
    Named,
}

fn escape_bytes(bytes: &[u8], spaces: Spaces) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                ' ' if spaces == Spaces::Named => text.push('·'),
                // `escape_debug` would put a backslash before them, which the program never printed.
                '"' | '\'' => text.push(c),
                '\0' => text.push_str("\\x00"),
                _ => text.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// The line at a place and a few on either side, each shortened for display.
fn lines_around(tape: Tape, place: u64, spaces: Spaces) -> io::Result<String> {
    let from = place.saturating_sub(REACH);
    let mut bytes = vec![0; (place - from + REACH) as usize];
    let n = tape.read(&mut bytes, from)?;
    let bytes = &bytes[..n];
    let at = n.min((place - from) as usize);
    let here = memchr::memchr_iter(b'\n', &bytes[..at]).count();
    let column = at - memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
    let lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    let mut text = String::new();
    for (index, line) in lines.skip(here.saturating_sub(LINES)).take_while(|l| l.0 <= here + LINES) {
        text += &cut_line(line, if index == here { column } else { 0 }, spaces);
        text.push('\n');
    }
    Ok(text)
}

fn cut_line(line: &[u8], column: usize, spaces: Spaces) -> String {
    let content = line.strip_suffix(b"\n").unwrap_or(line);
    let from = column.saturating_sub(LINE / 2).min(content.len().saturating_sub(LINE));
    let to = content.len().min(from + LINE);
    let shown = &content[from..to];
    let shown = if spaces == Spaces::Plain { shown.trim_ascii() } else { shown };
    let before = if from > 0 { "…" } else { "" };
    let after = match spaces {
        _ if to < content.len() => "…",
        Spaces::Named if line.ends_with(b"\n") => "↵",
        Spaces::Named | Spaces::Plain => "",
    };
    format!("{before}{}{after}", escape_bytes(shown, spaces))
}

#[cfg(test)]
mod tests {
    use super::super::{CompareOptions, compare};
    use crate::check::Difference;

    fn difference(answer: &[u8], output: &[u8], args: &str) -> Difference {
        let args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
        compare(answer, output, &CompareOptions::parse(&args).unwrap()).expect("they differ")
    }

    fn texts(difference: &Difference) -> (Option<&str>, Option<&str>) {
        (difference.expected.as_deref(), difference.found.as_deref())
    }

    #[test]
    fn the_first_difference_is_shown_at_its_place_in_the_output() {
        let found = difference(b"1 2\n3 4\n5\n", b"1 2\n\n3  7\n5\n", "");
        assert_eq!((found.line, found.column), (3, 4));
        assert_eq!(texts(&found), (Some("4"), Some("7")));
        assert_eq!(found.error, None);
        assert_eq!((&*found.answer_lines, &*found.output_lines), ("1 2\n3 4\n5\n", "1 2\n\n3  7\n5\n"));
    }

    #[test]
    fn output_that_ends_too_soon_or_too_late_is_reported() {
        let short = difference(b"1 2\n3\n", b"1 2\n", "");
        assert_eq!((short.line, short.column, texts(&short)), (2, 1, (Some("3"), None)));
        let long = difference(b"1 2\n", b"1 2\n3\n", "");
        assert_eq!((long.line, long.column, texts(&long)), (2, 1, (None, Some("3"))));
        assert_eq!((&*long.answer_lines, &*long.output_lines), ("1 2\n", "1 2\n3\n"));
    }

    #[test]
    fn differing_white_space_is_made_visible() {
        let found = difference(b"a b\n", b"a  b\n", "space_change_sensitive");
        assert_eq!((found.line, found.column, texts(&found)), (1, 2, (Some("·"), Some("··"))));
        assert_eq!((&*found.answer_lines, &*found.output_lines), ("a·b↵\n", "a··b↵\n"));
        let found = difference(b"a\n", b"a\r\n", "space_change_sensitive");
        assert_eq!(texts(&found), (Some("\\n"), Some("\\r\\n")));
        let found = difference(b"a\n", b"a", "space_change_sensitive");
        assert_eq!(texts(&found), (Some("\\n"), None));
        assert_eq!((&*found.answer_lines, &*found.output_lines), ("a↵\n", "a\n"));
    }

    #[test]
    fn numbers_come_with_their_error() {
        let found = difference(b"x 2.5\n", b"x 2.75\n", "float_tolerance 1e-3");
        let message = "absolute error 2.500000e-1, allowed 1e-3; relative error 1.000000e-1, allowed 1e-3";
        assert_eq!(found.error.unwrap().to_string(), message);
        let found = difference(b"2.5", b"nan", "float_tolerance 1e-3");
        assert_eq!(found.error, Some(kopek_sentences::Said::NotANumber));
    }

    #[test]
    fn huge_tokens_are_cut_around_the_byte_that_differs() {
        let answer = vec![b'a'; 1 << 20];
        let mut output = answer.clone();
        output[700_000] = b'b';
        let found = difference(&answer, &output, "");
        assert_eq!((found.line, found.column), (1, 700_001));
        let a = "a".repeat(20);
        assert_eq!(found.expected, Some(format!("…{}…", "a".repeat(60))));
        assert_eq!(found.found, Some(format!("…{a}b{}…", "a".repeat(39))));
        assert!(found.output_lines.len() < 120, "{}", found.output_lines);
        assert!(found.output_lines.contains("ab"), "{}", found.output_lines);
    }

    #[test]
    fn binary_output_is_escaped_and_bounded() {
        let output: Vec<u8> = (0..100_000u32).map(|n| (n.wrapping_mul(n) >> 3) as u8).collect();
        let found = difference(b"hello w\xc3\xb6rld\n", &output, "");
        assert_eq!(found.expected.as_deref(), Some("hello"));
        assert!(found.found.unwrap().starts_with("\\x00"));
        assert_eq!(found.answer_lines, "hello wörld\n");
        assert!(found.output_lines.len() < 4000, "{}", found.output_lines);
        assert!(!found.output_lines.chars().any(|c| c.is_control() && c != '\n'));
    }
}
