//! Which inputs would tell a hidden case: no input for participants is made from one, but it may be one by chance.

use anyhow::{Context, Result};
use kopek_package::package::{Package, TestSet, read_tests};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

/// Larger inputs are not shown, so they are not compared.
pub(super) const MAX_SHOWN: u64 = 1 << 20;
/// An input tells a case if one of this many parts of the case stands in it.
const PARTS: usize = 3;
/// Shorter runs that stand in two texts tell nothing, because no input is made from a case: with runs of four bytes, inputs of
/// some hundred bytes have a third of small cases by chance, and two of ten wrong solutions of `burning-coins` got no input.
const RUN: usize = 16;
/// Texts of larger cases are read again when an input is large enough to tell them.
const KEPT: usize = 64 << 10;

/// All cases of a package but the samples that count. Cases that a teacher leaves out stay hidden.
#[derive(Debug, Default)]
pub(super) struct HiddenCases {
    /// The smallest first.
    cases: Vec<HiddenCase>,
}

#[derive(Debug)]
struct HiddenCase {
    path: PathBuf,
    /// Bytes of its words.
    size: usize,
    /// `None`: it is large.
    words: Option<Vec<u8>>,
}

impl HiddenCases {
    /// Reads the data of the package; `counting` are the cases that are not left out.
    pub fn read(package: &Package, counting: &TestSet) -> Result<HiddenCases> {
        let mut public = HashSet::new();
        for case in counting.cases.iter().filter(|case| case.is_sample()) {
            public.insert(words_of_file(&case.input)?);
        }
        let (all, _) = read_tests(package)?;
        let mut cases = Vec::new();
        for case in all.cases {
            let path = case.input;
            let size = fs::metadata(&path).with_context(|| format!("read {}", path.display()))?.len();
            // A case with so many blanks and zeros that its words are much shorter does not exist.
            if size > 8 * MAX_SHOWN {
                continue;
            }
            let words = words_of_file(&path)?;
            // Some hidden cases are samples again.
            if !public.contains(&words) {
                let size = words.len();
                cases.push(HiddenCase { path, size, words: Some(words).filter(|_| size <= KEPT) });
            }
        }
        cases.sort_by_key(|case| case.size);
        Ok(HiddenCases { cases })
    }

    /// Whether an input equals a hidden case, or has at least a third of one in common runs of some bytes.
    pub fn are_told_by(&self, input: &[u8]) -> Result<bool> {
        let text = words_of(input);
        for case in self.cases.iter().take_while(|case| case.size <= PARTS * text.len()) {
            let is_told = match &case.words {
                Some(words) => tells(&text, words),
                None => tells(&text, &words_of_file(&case.path)?),
            };
            if is_told {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a text tells a case, both as words.
fn tells(text: &[u8], case: &[u8]) -> bool {
    let both = || bytes_in_both(&unrepeated_words(case), &unrepeated_words(text));
    text == case || PARTS * both() >= case.len()
}

/// Counts the bytes of a case in its common runs with a text, as often as the text has them.
fn bytes_in_both(case: &[u8], text: &[u8]) -> usize {
    let in_text = text.windows(RUN).collect();
    let in_case = case.windows(RUN).collect();
    covered_bytes(case, &in_text).min(covered_bytes(text, &in_case))
}

/// Words without those that repeat the one before: a thousand zeros are as good as new.
fn unrepeated_words(words: &[u8]) -> Vec<u8> {
    let mut words: Vec<&[u8]> = words.split_inclusive(|byte| *byte == b' ').collect();
    words.dedup();
    words.concat()
}

/// The bytes of a text in these runs.
fn covered_bytes(text: &[u8], runs: &HashSet<&[u8]>) -> usize {
    let (mut covered, mut end) = (0, 0);
    for (at, one) in text.windows(RUN).enumerate() {
        if runs.contains(one) {
            covered += at + RUN - end.max(at);
            end = at + RUN;
        }
    }
    covered
}

fn words_of_file(path: &Path) -> Result<Vec<u8>> {
    let input = fs::read(path).with_context(|| format!("read {}", path.display()))?;
    Ok(words_of(&input))
}

/// The words, each with a blank behind it and without leading zeros: inputs with the same are equal for most programs.
fn words_of(input: &[u8]) -> Vec<u8> {
    let mut words = Vec::new();
    for token in input.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty()) {
        let zeros = token.iter().take_while(|digit| **digit == b'0').count();
        let is_number = token.iter().all(u8::is_ascii_digit);
        words.extend(if is_number { &token[zeros.min(token.len() - 1)..] } else { token });
        words.push(b' ');
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: &str = "qzxwvtkjhgfdspoiuytrewmnbvcxlkaqpwoeirutyalskdjfhgzmxncbvgtr";

    #[test]
    fn less_than_a_third_of_a_case_is_told() {
        let numbers = "5\n812345678 900000001 734500219 112358132 998244353\n";
        let zeros = "0 ".repeat(50);
        let rows = "4\n17 23 88 41\n90 12 65 33\n54 76 29 81\n38 47 62 95\n";
        for (case, input, is_told) in [
            (LETTERS, &LETTERS[..40], true),
            (LETTERS, &LETTERS[..19], false),
            // A changed letter hides no others.
            (LETTERS, &LETTERS[..40].replace('h', "a"), true),
            (numbers, "2\n812345678 900000001\n", true),
            (numbers, "1\n812345678\n", false),
            // Other blanks, lines, orders and zeros.
            ("812345678\n", "0812345678\n", true),
            ("5\n", "05\n", true),
            ("5\n", "6\n", false),
            ("5\n8 2\n", "5 8\n2\n", true),
            ("5\n8 2\n", "1\n8 2\n", false),
            (rows, "3\r\n38 47 62 95\r\n17 23  88 41\r\n90 12 65 33", true),
            (rows, "1\n17 23\n", false),
            // What repeats is as good as new.
            (&zeros, &zeros[..40], false),
            (&zeros, &zeros, true),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("case");
            fs::write(&path, case).unwrap();
            let size = words_of(case.as_bytes()).len();
            for words in [None, Some(words_of(case.as_bytes()))] {
                let hidden = HiddenCases { cases: vec![HiddenCase { path: path.clone(), size, words }] };
                assert_eq!(hidden.are_told_by(input.as_bytes()).unwrap(), is_told, "{case} {input}");
            }
        }
    }
}
