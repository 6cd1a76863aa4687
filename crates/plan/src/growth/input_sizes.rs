//! Sizes of an input that can be read without the statement.

use kopek_sentences::Said;
use serde::{Serialize, Serializer};
use std::{collections::BTreeMap, fmt};

/// A way to measure the size of an input. The first of equally good ones is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SizeMeasure {
    /// A number of the first lines by its line and its place in the line, from 0.
    Number {
        line: usize,
        token: usize,
    },
    /// Words and numbers.
    Tokens,
    Bytes,
}

/// Numbers are read in this many lines, because sizes stand at the beginning.
const LINES: usize = 2;
/// Numbers of a longer line are data.
const NUMBERS: usize = 4;

impl fmt::Display for SizeMeasure {
    /// `n` is the first number of nearly every input.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Said::from(*self).fmt(f)
    }
}

impl From<SizeMeasure> for Said {
    fn from(measure: SizeMeasure) -> Said {
        match measure {
            SizeMeasure::Number { line: 0, token: 0 } => Said::Name { name: "n".to_owned() },
            SizeMeasure::Number { line, token } => Said::NumberOfLine { number: token + 1, line: line + 1 },
            SizeMeasure::Tokens => Said::NumberOfWords,
            SizeMeasure::Bytes => Said::SizeOfInput,
        }
    }
}

impl Serialize for SizeMeasure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// All sizes of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputSizes(BTreeMap<SizeMeasure, u64>);

impl InputSizes {
    pub fn of(input: &[u8]) -> InputSizes {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let tokens = input.split(is_blank).filter(|token| !token.is_empty()).count();
        let mut sizes = BTreeMap::new();
        sizes.insert(SizeMeasure::Tokens, tokens as u64);
        sizes.insert(SizeMeasure::Bytes, input.len() as u64);
        for (line, text) in input.split(|byte| *byte == b'\n').take(LINES).enumerate() {
            let words: Vec<&[u8]> =
                text.split(is_blank).filter(|word| !word.is_empty()).take(NUMBERS + 1).collect();
            if words.len() > NUMBERS {
                continue;
            }
            for (token, word) in words.into_iter().enumerate() {
                let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                sizes.extend(number.map(|number| (SizeMeasure::Number { line, token }, number)));
            }
        }
        InputSizes(sizes)
    }

    /// The sizes of the input of a case. `None`: it holds several tests, since the answer has a line for each, so that
    /// twice the size would be twice as many tests.
    pub fn of_case(input: &[u8], answer: &[u8]) -> Option<InputSizes> {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let first_line = input.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let count: Option<usize> =
            std::str::from_utf8(first_line).ok().and_then(|line| line.trim().parse().ok());
        let lines = answer.split(|byte| *byte == b'\n').filter(|line| !line.iter().all(is_blank)).count();
        let has_several = count.is_some_and(|count| count > 1 && lines >= count);
        (!has_several).then(|| InputSizes::of(input))
    }

    pub fn by(&self, measure: SizeMeasure) -> Option<u64> {
        self.0.get(&measure).copied()
    }

    pub fn measures(&self) -> impl Iterator<Item = SizeMeasure> {
        self.0.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_of_several_tests_have_no_size() {
        let is_sized =
            |input: &str, answer: &str| InputSizes::of_case(input.as_bytes(), answer.as_bytes()).is_some();
        assert!(is_sized("3\n7 8 9\n", "24\n"), "a list of three numbers");
        assert!(is_sized("1\n3\n7 8 9\n", "24\n"), "one test");
        assert!(!is_sized("2\n3\n7 8 9\n1\n5\n", "24\n5\n"), "two tests");
        assert!(!is_sized("2 \r\n3\r\n7 8 9\r\n1\r\n5\r\n", "24\r\n\r\n5"), "two tests");
        assert!(is_sized("2 5\n1 2\n3 4\n", "1\n2\n"), "the first line counts no tests alone");
    }

    #[test]
    fn numbers_of_short_first_lines_are_sizes() {
        let sizes = InputSizes::of(b"3 70\n5 6 7 8 9\n1\n");
        let shown: Vec<String> = sizes.0.iter().map(|(measure, size)| format!("{measure}: {size}")).collect();
        let expected =
            ["n: 3", "number 2 of line 1: 70", "the number of words: 8", "the size of the input: 17"];
        assert_eq!(shown, expected);
        assert_eq!(InputSizes::of(b"ab -1\n7\n").by(SizeMeasure::Number { line: 1, token: 0 }), Some(7));
        assert_eq!(
            InputSizes::of(b"ab -1\n").measures().count(),
            2,
            "words and negative numbers are no sizes"
        );
    }
}
