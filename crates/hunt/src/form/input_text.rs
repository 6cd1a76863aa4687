//! An input as lines of tokens. The conversion is lossless.

use super::input_lines::integer;
use std::cmp::Ordering;

/// An input, split at newlines and blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputText {
    /// Lines of tokens. A newline at the end is followed by a last line with one empty token.
    pub lines: Vec<Vec<Vec<u8>>>,
}

/// The place of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenPlace {
    pub line: usize,
    pub token: usize,
}

/// A token that is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NumberToken {
    pub place: TokenPlace,
    pub number: i128,
}

impl InputText {
    pub fn read(bytes: &[u8]) -> InputText {
        let line = |line: &[u8]| line.split(|byte| *byte == b' ').map(<[u8]>::to_vec).collect();
        InputText { lines: bytes.split(|byte| *byte == b'\n').map(line).collect() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let lines: Vec<Vec<u8>> = self.lines.iter().map(|line| line.join(&b' ')).collect();
        lines.join(&b'\n')
    }

    /// Lines with contents: all but the empty one after the last newline.
    pub fn full_lines(&self) -> usize {
        match self.lines.last() {
            Some(last) if last.iter().all(Vec::is_empty) => self.lines.len() - 1,
            _ => self.lines.len(),
        }
    }

    pub fn places(&self) -> Vec<TokenPlace> {
        let of_line = |(line, tokens): (usize, &Vec<Vec<u8>>)| {
            (0..tokens.len()).map(move |token| TokenPlace { line, token }).collect::<Vec<_>>()
        };
        self.lines.iter().enumerate().flat_map(of_line).collect()
    }

    /// All tokens that are numbers.
    pub fn numbers(&self) -> Vec<NumberToken> {
        let number = |place| Some(NumberToken { place, number: self.number(place)? });
        self.places().into_iter().filter_map(number).collect()
    }

    /// The places of all tokens that are not numbers.
    pub fn words(&self) -> Vec<TokenPlace> {
        self.places().into_iter().filter(|place| self.number(*place).is_none()).collect()
    }

    pub fn has(&self, place: TokenPlace) -> bool {
        self.lines.get(place.line).is_some_and(|line| place.token < line.len())
    }

    pub fn token(&self, place: TokenPlace) -> &[u8] {
        &self.lines[place.line][place.token]
    }

    pub fn number(&self, place: TokenPlace) -> Option<i128> {
        number_of(self.token(place))
    }

    #[must_use]
    pub fn with_token(&self, place: TokenPlace, token: Vec<u8>) -> InputText {
        let mut changed = self.clone();
        changed.lines[place.line][place.token] = token;
        changed
    }

    #[must_use]
    pub fn with_number(&self, place: TokenPlace, number: i128) -> InputText {
        self.with_token(place, number.to_string().into_bytes())
    }
}

/// The value of a token that is a number in canonical form.
pub fn number_of(token: &[u8]) -> Option<i128> {
    integer(std::str::from_utf8(token).ok()?)
}

/// The size of an input: fewer tokens, then fewer bytes, then the lesser text. There are no infinite descending chains,
/// so shrinking ends.
pub fn input_size(bytes: &[u8]) -> (usize, usize, &[u8]) {
    (count_tokens(bytes), bytes.len(), bytes)
}

/// Which of two inputs is smaller.
pub fn compare_size(one: &[u8], other: &[u8]) -> Ordering {
    input_size(one).cmp(&input_size(other))
}

fn count_tokens(bytes: &[u8]) -> usize {
    bytes.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()).count()
}

/// Lines of tokens with one separator each.
fn even_text(input: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(input.len());
    for line in input.split(|byte| *byte == b'\n') {
        let tokens: Vec<&[u8]> =
            line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()).collect();
        if !tokens.is_empty() {
            text.extend(tokens.join(&b' '));
            text.push(b'\n');
        }
    }
    text
}

/// The text without letters, tokens and lines that repeat the one before them.
pub fn unrepeated_text(input: &[u8]) -> Vec<u8> {
    let text = even_text(input);
    let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    lines.dedup();
    let mut less = Vec::new();
    for line in lines {
        let mut tokens: Vec<&[u8]> = line.split_inclusive(|byte| *byte == b' ').collect();
        tokens.dedup();
        less.extend(tokens.iter().flat_map(|token| token.chunk_by(u8::eq)).map(|letters| letters[0]));
    }
    less
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_input_is_written_as_it_was_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(InputText::read(&bytes).bytes(), bytes);
        }
    }

    #[test]
    fn a_token_is_a_number_only_as_it_is_written() {
        for (token, number) in [("7", Some(7)), ("-7", Some(-7)), ("0", Some(0))] {
            assert_eq!(number_of(token.as_bytes()), number);
        }
        for token in ["", "07", "+7", "-0", "1.5", "x", "99999999999999999999999999999999999"] {
            assert_eq!(number_of(token.as_bytes()), None, "{token}");
        }
    }

    #[test]
    fn fewer_tokens_come_before_fewer_bytes() {
        assert_eq!(compare_size(b"1000\n", b"1 2\n"), Ordering::Less);
        assert_eq!(compare_size(b"9\n", b"10\n"), Ordering::Less);
        assert_eq!(compare_size(b"1 2\n", b"2 1\n"), Ordering::Less);
    }
}
