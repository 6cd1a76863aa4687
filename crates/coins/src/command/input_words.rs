//! A problem's input as a stream of words that know where they stand.

use anyhow::{Result, anyhow, bail};
use std::str::FromStr;

/// What is left to read.
pub(super) struct Tokens<'a> {
    words: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    line: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        let lines = text.lines().zip(1..);
        let words =
            lines.flat_map(|(words, line)| words.split_ascii_whitespace().map(move |word| (line, word)));
        Tokens { words: Box::new(words), line: 1 }
    }

    /// The next word; `what` names it in errors.
    pub(super) fn next_word(&mut self, what: &str) -> Result<&'a str> {
        let Some((line, word)) = self.words.next() else {
            bail!("the input ends after line {}, where {what} should stand", self.line);
        };
        self.line = line;
        Ok(word)
    }

    /// The next word as a number.
    pub(super) fn next_number<T: FromStr>(&mut self, what: &str) -> Result<T> {
        let word = self.next_word(what)?;
        word.parse().map_err(|_| anyhow!("line {}: `{word}` is not {what}", self.line))
    }

    /// `count` coins.
    pub(super) fn next_coins(&mut self, count: usize) -> Result<Vec<i64>> {
        // Not with_capacity: a wrong count would allocate all memory before the first coin is missing.
        let mut coins = Vec::new();
        for at in 1..=count {
            let word = self.next_word(&format!("coin {at} of {count}"))?;
            let coin = word.parse();
            coins.push(coin.map_err(|_| {
                anyhow!("line {}: coin {at} of {count}, `{word}`, is not a 64-bit integer", self.line)
            })?);
        }
        Ok(coins)
    }

    /// A count, then that many coins.
    pub(super) fn next_row(&mut self) -> Result<Vec<i64>> {
        let count = self.next_number("the number of coins")?;
        self.next_coins(count)
    }

    /// Line of the last word.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// An error if words are left.
    pub(super) fn expect_end(&mut self) -> Result<()> {
        match self.words.next() {
            None => Ok(()),
            Some((line, word)) => bail!("line {line}: `{word}` stands after the end of the input"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_line_and_word() {
        let error_of = |text| Tokens::new(text).next_row().unwrap_err().to_string();
        assert_eq!(error_of("2\n1\nx\n"), "line 3: coin 2 of 2, `x`, is not a 64-bit integer");
        assert_eq!(error_of("-1"), "line 1: `-1` is not the number of coins");
        assert_eq!(error_of("3\n1 2"), "the input ends after line 2, where coin 3 of 3 should stand");
        assert_eq!(
            error_of("99999999999\n1 2"),
            "the input ends after line 2, where coin 3 of 99999999999 should stand"
        );
        let mut rest = Tokens::new("1\n7\n8");
        rest.next_row().unwrap();
        assert_eq!(
            rest.expect_end().unwrap_err().to_string(),
            "line 3: `8` stands after the end of the input"
        );
    }
}
