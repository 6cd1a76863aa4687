//! A text as words: names, numbers with their values, signs. Comments and layout are dropped.

use std::iter::Peekable;
use std::str::Chars;

/// A word and its line, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BoundWord {
    pub(super) kind: WordKind,
    pub(super) line: u32,
}

/// What a word is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WordKind {
    /// A name with its points and underscores.
    Name(String),
    /// A whole number; `1e5` is one.
    Number(i128),
    /// A number with a fraction, or too large.
    Real,
    /// What stands between quotes.
    Quoted(String),
    /// A sign; `<=`, `<<`, `**`, `==` and their like are one.
    Sign(&'static str),
}

/// What kind of text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordSource {
    /// Quotes make texts, `//` and `#` comments.
    Program,
    /// They are signs.
    Prose,
}

/// The longest first.
const SIGNS: [&str; 37] = [
    "<<=", ">>=", "**", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "::", "->", ":=", "<", ">", "=", "+",
    "-", "*", "/", "%", "^", "(", ")", "[", "]", "{", "}", ",", ";", "!", "|", "$", "&", ":", "?",
];

/// Reads all words.
pub(super) fn read_words(text: &str, source: WordSource) -> Vec<BoundWord> {
    let mut words = Vec::new();
    let mut rest = text;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                line += 1;
                1
            }
            _ => comment_length(rest, source).unwrap_or(0),
        };
        let (kind, length) = match length {
            0 => read_word(rest, first, source),
            _ => (None, length),
        };
        words.extend(kind.map(|kind| BoundWord { kind, line }));
        let passed = if first == '\n' { 0 } else { rest[..length].matches('\n').count() };
        line += u32::try_from(passed).unwrap_or(0);
        rest = &rest[length..];
    }
    words
}

fn comment_length(rest: &str, source: WordSource) -> Option<usize> {
    if source == WordSource::Prose {
        return None;
    }
    let to = |end: &str| Some(rest.find(end).map_or(rest.len(), |at| at + end.len()));
    let directive = ["#define", "#if", "#include"].iter().any(|word| rest.starts_with(word));
    match () {
        () if rest.starts_with("/*") => to("*/"),
        () if rest.starts_with("//") || (rest.starts_with('#') && !directive) => {
            Some(rest.find('\n').unwrap_or(rest.len()))
        }
        () => None,
    }
}

/// A word and how many bytes it takes; at the least one character.
fn read_word(rest: &str, first: char, source: WordSource) -> (Option<WordKind>, usize) {
    if first.is_ascii_digit() {
        return read_number(rest);
    }
    if first.is_alphabetic() || first == '_' {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        let name = rest[..end].trim_end_matches('.');
        return (Some(WordKind::Name(name.to_owned())), name.len().max(1));
    }
    if source == WordSource::Program && matches!(first, '"' | '\'' | '`') {
        return read_quoted(rest, first);
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
    (sign.map(|&sign| WordKind::Sign(sign)), sign.map_or(first.len_utf8(), |sign| sign.len()))
}

fn read_quoted(rest: &str, quote: char) -> (Option<WordKind>, usize) {
    let triple = quote.to_string().repeat(3);
    if rest.starts_with(&triple) {
        let length = rest[3..].find(&triple).map_or(rest.len(), |at| at + 6);
        return (None, length);
    }
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => break,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == quote => return (Some(WordKind::Quoted(rest[1..at].to_owned())), at + 1),
            _ => {}
        }
    }
    // A lifetime of Rust, or a quote that is not closed.
    (None, 1)
}

fn read_number(rest: &str) -> (Option<WordKind>, usize) {
    if let Some(hex) = rest.strip_prefix("0x").or(rest.strip_prefix("0X")) {
        let end = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        let value = i128::from_str_radix(&hex[..end], 16);
        return (Some(value.map_or(WordKind::Real, WordKind::Number)), 2 + end);
    }
    let mut letters = rest.chars().peekable();
    let whole = take_digits(&mut letters);
    let mut length = whole.length;
    let mut fraction = String::new();
    let after = &rest[length..];
    if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
        letters.next();
        let digits = take_digits(&mut letters);
        length += 1 + digits.length;
        fraction = digits.text;
    }
    let (exponent, taken) = read_exponent(&rest[length..]);
    length += taken;
    let suffix = rest[length..].find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len() - length);
    // `5n` is no number with a suffix, but a product.
    let known =
        ["l", "ll", "u", "ul", "ull", "i32", "i64", "u32", "u64", "usize", "i128", "u8", "u16", "i16"];
    if known.contains(&rest[length..length + suffix].trim_start_matches('_').to_ascii_lowercase().as_str()) {
        length += suffix;
    }
    (Some(number_word(&whole.text, &fraction, exponent)), length)
}

/// Digits, and how many bytes they take with what separates them.
struct DigitRun {
    text: String,
    length: usize,
}

fn take_digits(letters: &mut Peekable<Chars>) -> DigitRun {
    let mut run = DigitRun { text: String::new(), length: 0 };
    while let Some(&letter) = letters.peek() {
        let separates = matches!(letter, '_' | '\'');
        if separates {
            // A separator stands between digits.
            let mut ahead = letters.clone();
            ahead.next();
            if !ahead.peek().is_some_and(char::is_ascii_digit) {
                break;
            }
        } else if !letter.is_ascii_digit() {
            break;
        } else {
            run.text.push(letter);
        }
        run.length += letter.len_utf8();
        letters.next();
    }
    run
}

fn read_exponent(rest: &str) -> (u32, usize) {
    let Some(after) = rest.strip_prefix(['e', 'E']) else { return (0, 0) };
    let after = after.strip_prefix('+').unwrap_or(after);
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..end].parse().map_or((0, 0), |power| (power, rest.len() - after.len() + end))
}

fn number_word(whole: &str, fraction: &str, exponent: u32) -> WordKind {
    let fraction = fraction.trim_end_matches('0');
    let shift = usize::try_from(exponent).unwrap_or(usize::MAX);
    let Some(zeros) = shift.checked_sub(fraction.len()).filter(|zeros| *zeros < 40) else {
        return WordKind::Real;
    };
    format!("{whole}{fraction}{}", "0".repeat(zeros)).parse().map_or(WordKind::Real, WordKind::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &str) -> Vec<i128> {
        let words = read_words(text, WordSource::Program).into_iter();
        let number = |word: BoundWord| match word.kind {
            WordKind::Number(value) => Some(value),
            _ => None,
        };
        words.filter_map(number).collect()
    }

    #[test]
    fn numbers_are_read_in_the_spellings_of_all_languages() {
        assert_eq!(
            numbers("100000 1e5 100'000 100_000 1.5e3 100000LL 5u32 0x10 2.50e2"),
            [100_000, 100_000, 100_000, 100_000, 1500, 100_000, 5, 16, 250]
        );
        assert_eq!(numbers("1.5 1e99 x5 \"7\" // 8\n # 9\n/* 10\n */ 11"), [11]);
    }

    #[test]
    fn words_know_their_lines() {
        let words = read_words("a\n/* b\n c */ d 'e' fn f<'a>(x)\n\"\"\"g\n\"\"\" h", WordSource::Program);
        let line_of = |name: &str| words.iter().find(|w| w.kind == WordKind::Name(name.into())).unwrap().line;
        assert_eq!(["a", "d", "f", "h"].map(line_of), [1, 3, 3, 5]);
    }
}
