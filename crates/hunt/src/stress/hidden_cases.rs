//! Which inputs would reveal hidden cases of a package.
//!
//! Of each hidden case at most a third may be shown, by all inputs together that come from hidden cases, now and in
//! earlier hunts:
//!
//! * Bytes of the case that stand in these inputs count, in common runs of some bytes: a single changed letter hides
//!   nothing. Cases may have parts in common, so inputs from other cases count, too, but without what repeats: a
//!   thousand zeros are as good as new.
//! * A program can ask for changed letters between unchanged ones, which have no common runs. So the inputs that come
//!   from one case must be short, again without what repeats.
//! * A conversation counts by the words that its input does not have.

use super::{
    confirmed_inputs::{FoundInput, InputSource},
    input_text::{even_text, text_of_tokens, unrepeated_text},
};
use anyhow::{Context, Result};
use kopek_package::package::{Package, TestSet, read_tests};
use kopek_plan::plan::TranscriptPiece;
use kopek_results::InputOrigin;
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

/// All cases of a package but the samples that count, and what was shown of them. Cases that a teacher leaves out stay
/// hidden.
#[derive(Debug, Default)]
pub(super) struct HiddenCases {
    cases: Vec<HiddenCase>,
    /// Their tokens.
    known: HashSet<blake3::Hash>,
    /// Inputs made from hidden cases that participants see or saw.
    published: Vec<FoundInput>,
}

#[derive(Debug)]
struct HiddenCase {
    name: String,
    path: PathBuf,
    /// Bytes of its plain text.
    size: usize,
}

/// Larger inputs are not shown, so they are not compared.
pub(super) const MAX_SHOWN: u64 = 1 << 20;
/// A case with more blanks and zeros than this could have a short text; such cases do not exist.
const MAX_READ: u64 = 8 * MAX_SHOWN;
/// The part of a case that may be shown: one of this number.
const PARTS: usize = 3;
/// Shorter runs that stand in two texts show nothing: letters and numbers repeat.
const RUN: usize = 4;
/// Random inputs have no common runs of this length, unless values repeat: a generator made the same case again, or its
/// beginning.
const LONG_RUN: usize = 16;
/// The smallest inputs that show most mistakes, such as `3\n1 2 1\n`, are this short, even if the case is, too.
const SHORT: usize = 8;

impl HiddenCases {
    /// Reads the data of the package; `counting` are the cases that are not left out, `published` the inputs of earlier
    /// hunts.
    pub fn read(package: &Package, counting: &TestSet, published: Vec<FoundInput>) -> Result<HiddenCases> {
        let (all, _) = read_tests(package)?;
        let mut public = HashSet::new();
        for case in counting.cases.iter().filter(|case| case.is_sample()) {
            public.insert(tokens_hash(&read_input(&case.input)?));
        }
        let mut hidden = HiddenCases { published, ..HiddenCases::default() };
        for case in all.cases {
            let path = case.input;
            let size = fs::metadata(&path).with_context(|| format!("read {}", path.display()))?.len();
            if size > MAX_READ {
                continue;
            }
            let input = read_input(&path)?;
            let tokens = tokens_hash(&input);
            // Some hidden cases are samples again.
            if !public.contains(&tokens) {
                hidden.known.insert(tokens);
                hidden.cases.push(HiddenCase { name: case.name, path, size: plain_text(&input).len() });
            }
        }
        Ok(hidden)
    }

    /// The source of an input, which may be a hidden case even if a generator made it.
    pub fn source_of(&self, origin: &InputOrigin, input: &[u8]) -> Result<InputSource> {
        let case = match origin {
            InputOrigin::Case(name) | InputOrigin::ChangedCase(name) => self.case(name),
            InputOrigin::Command(_) | InputOrigin::Form => {
                let shows = |case: &HiddenCase| {
                    let bytes = read_input(&case.path)?;
                    Ok(case.is_revealed_in(&bytes, &[input], &[unrepeated_text], LONG_RUN))
                };
                self.find_case(input.len(), &shows)?
            }
        };
        let hidden = case.map(|case| InputSource::HiddenCase(case.name.clone()));
        Ok(hidden.unwrap_or(InputSource::Public))
    }

    fn case(&self, name: &str) -> Option<&HiddenCase> {
        self.cases.iter().find(|case| case.name == name)
    }

    /// The words that a conversation on an input shows beyond it. They count like an input from the same case, or from a
    /// case that they repeat.
    pub fn beyond_input(&self, input: &FoundInput, conversation: &[TranscriptPiece]) -> Result<FoundInput> {
        let known: HashSet<&[u8]> = input.bytes.split(u8::is_ascii_whitespace).collect();
        let said = conversation.iter().map(|piece| match piece {
            TranscriptPiece::Judge { text, .. } | TranscriptPiece::Submission { text, .. } => text.as_bytes(),
            TranscriptPiece::Pass(_) | TranscriptPiece::Cut => b"",
        });
        let words = said.flat_map(|text| text.split(u8::is_ascii_whitespace));
        let new: Vec<&[u8]> = words.filter(|word| !word.is_empty() && !known.contains(word)).collect();
        let bytes = new.join(&b' ');
        let source = match &input.source {
            InputSource::HiddenCase(_) => input.source.clone(),
            InputSource::Sample(_) | InputSource::Public => {
                self.source_of(&InputOrigin::Command(String::new()), &bytes)?
            }
        };
        Ok(FoundInput { bytes, ground: input.ground, source })
    }

    /// Whether an input must not be shown.
    pub fn are_revealed_by(&self, input: &FoundInput) -> Result<bool> {
        Ok(match &input.source {
            InputSource::Sample(_) => false,
            InputSource::Public => self.contain(&input.bytes),
            InputSource::HiddenCase(name) => {
                self.contain(&input.bytes) || self.is_too_long(input, name) || self.shows_too_much(input)?
            }
        })
    }

    /// An input and all others that are shown.
    fn with_published<'a>(&'a self, input: &'a FoundInput) -> impl Iterator<Item = &'a FoundInput> {
        self.published.iter().filter(|shown| shown.bytes != input.bytes).chain([input])
    }

    fn is_too_long(&self, input: &FoundInput, case: &str) -> bool {
        let from_case = self.with_published(input).filter(|shown| shown.source == input.source);
        let length: usize = from_case.map(|shown| unrepeated_text(&shown.bytes).len()).sum();
        let room = self.case(case).map_or(0, |case| (case.size / PARTS).max(SHORT));
        length > room
    }

    fn shows_too_much(&self, input: &FoundInput) -> Result<bool> {
        let all: Vec<&[u8]> = self.with_published(input).map(|shown| &shown.bytes[..]).collect();
        let size = all.iter().map(|input| input.len()).sum();
        let shows = |case: &HiddenCase| {
            let source = InputSource::HiddenCase(case.name.clone());
            let from_case = self.with_published(input).filter(|shown| shown.source == source);
            let own: Vec<&[u8]> = from_case.map(|shown| &shown.bytes[..]).collect();
            let bytes = read_input(&case.path)?;
            Ok(case.is_revealed_in(&bytes, &own, &[even_text, plain_text], RUN)
                || case.is_revealed_once_in(&bytes, &all)
                || case.is_revealed_in(
                    &bytes,
                    &all,
                    &[unrepeated_text, |input| unrepeated_text(&plain_text(input))],
                    RUN,
                ))
        };
        Ok(self.find_case(size, &shows)?.is_some())
    }

    /// Whether an input is a hidden case.
    pub fn contain(&self, input: &[u8]) -> bool {
        self.known.contains(&tokens_hash(input))
    }

    /// Notes an input that participants see, if it comes from a hidden case.
    pub fn note_published(&mut self, input: &FoundInput) {
        let is_from_case = matches!(input.source, InputSource::HiddenCase(_)) && !input.bytes.is_empty();
        if is_from_case && self.published.iter().all(|shown| shown.bytes != input.bytes) {
            self.published.push(input.clone());
        }
    }

    pub fn published(&self) -> &[FoundInput] {
        &self.published
    }

    /// The first case, of those of which inputs of this size can show too much, for which a condition holds.
    fn find_case(
        &self,
        size: usize,
        condition: &dyn Fn(&HiddenCase) -> Result<bool>,
    ) -> Result<Option<&HiddenCase>> {
        for case in self.cases.iter().filter(|case| case.size <= PARTS * size) {
            if condition(case)? {
                return Ok(Some(case));
            }
        }
        Ok(None)
    }
}

impl HiddenCase {
    /// Whether some inputs have more than the allowed part of the case, whose contents are `bytes`. A run of bytes that
    /// the case repeats counts once.
    fn is_revealed_once_in(&self, bytes: &[u8], inputs: &[&[u8]]) -> bool {
        let case = even_text(bytes);
        let texts: Vec<Vec<u8>> = inputs.iter().map(|input| even_text(input)).collect();
        let mut in_texts: HashSet<&[u8]> = texts.iter().flat_map(|text| text.windows(RUN)).collect();
        let mut first: HashSet<usize> = HashSet::new();
        for (at, run) in case.windows(RUN).enumerate() {
            if in_texts.remove(run) {
                first.extend(at..at + RUN);
            }
        }
        let of_texts: usize = texts.iter().map(Vec::len).sum();
        PARTS * first.len().min(of_texts) > self.size
    }

    /// Whether more than its part stands in some inputs in one of these forms, in runs of at least this length.
    fn is_revealed_in(&self, bytes: &[u8], inputs: &[&[u8]], forms: &[TextForm], run: usize) -> bool {
        forms.iter().any(|form| {
            let texts: Vec<Vec<u8>> = inputs.iter().map(|input| form(input)).collect();
            PARTS * bytes_in_both(&form(bytes), &texts, run) > self.size
        })
    }
}

fn read_input(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("read {}", path.display()))
}

/// Counts the bytes of a case in its common runs with some texts, of at least this length. Equal bytes of the case count
/// as often as the texts have them.
fn bytes_in_both(case: &[u8], texts: &[Vec<u8>], run: usize) -> usize {
    let in_texts = texts.iter().flat_map(|text| text.windows(run)).collect();
    let in_case = case.windows(run).collect();
    let of_texts: usize = texts.iter().map(|text| covered_bytes(text, &in_case, run)).sum();
    covered_bytes(case, &in_texts, run).min(of_texts)
}

/// The bytes of a text in these runs.
fn covered_bytes(text: &[u8], runs: &HashSet<&[u8]>, run: usize) -> usize {
    let (mut covered, mut end) = (0, 0);
    for (at, one) in text.windows(run).enumerate() {
        if runs.contains(one) {
            covered += at + run - end.max(at);
            end = at + run;
        }
    }
    covered
}

type TextForm = fn(&[u8]) -> Vec<u8>;

/// The same without leading zeros: inputs with one text are equal for most programs.
fn plain_text(input: &[u8]) -> Vec<u8> {
    text_of_tokens(input, |token| {
        let zeros = token.iter().take_while(|digit| **digit == b'0').count();
        let is_number = token.iter().all(u8::is_ascii_digit);
        if is_number { &token[zeros.min(token.len() - 1)..] } else { token }
    })
}

fn tokens_hash(input: &[u8]) -> blake3::Hash {
    let mut text = plain_text(input);
    text.iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b' ');
    blake3::hash(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const LETTERS: &str = "qzxwvtkjhgfdspoiuytrewmnbvcxlkaqpwoeirutyalskdjfhgzmxncbvgtr";

    /// Hidden cases of a directory, named by their numbers.
    fn hidden_cases(dir: &Path, cases: &[&str]) -> HiddenCases {
        let mut hidden = HiddenCases::default();
        for (at, text) in cases.iter().enumerate() {
            let path = dir.join(at.to_string());
            fs::write(&path, text).unwrap();
            hidden.known.insert(tokens_hash(text.as_bytes()));
            let size = plain_text(text.as_bytes()).len();
            hidden.cases.push(HiddenCase { name: at.to_string(), path, size });
        }
        hidden
    }

    fn found_in(case: usize, text: &str) -> FoundInput {
        let source = InputSource::HiddenCase(case.to_string());
        FoundInput { bytes: text.into(), ground: 0, source }
    }

    /// Whether an input made from the first of some cases must not be shown.
    fn are_revealed(cases: &[&str], input: &str) -> bool {
        let dir = tempfile::tempdir().unwrap();
        hidden_cases(dir.path(), cases).are_revealed_by(&found_in(0, input)).unwrap()
    }

    #[test]
    fn at_most_a_third_of_a_case_is_shown() {
        let masked: String =
            LETTERS.chars().enumerate().map(|(at, letter)| if at % 4 == 3 { 'a' } else { letter }).collect();
        let numbers = "5\n812345678 900000001 734500219 112358132 998244353\n";
        let padded = "3\n000000012\n000000034\n000000056\n";
        let zeros = format!("{}\n", "0".repeat(60));
        let letters_a = zeros.replace('0', "a");
        let rows = "4\n17 23 88 41\n90 12 65 33\n54 76 29 81\n38 47 62 95\n";
        for (case, input, is_revealed) in [
            (LETTERS, &LETTERS[..40], true),
            (LETTERS, &LETTERS[20..60], true),
            (LETTERS, &LETTERS[..19], false),
            // A changed letter hides neither the others nor, as every fourth one, three quarters of them.
            (LETTERS, &LETTERS[..40].replace('h', "a"), true),
            (LETTERS, &masked, true),
            (numbers, "2\n812345678 900000001\n", true),
            (numbers, "1\n812345678\n", false),
            ("812345678\n", "812345670\n", true),
            ("812345678\n", "0812345678\n", true),
            // Tiny cases.
            ("2\n31 47\n", "1\n31 4\n", true),
            ("2\n31 47\n", "1\n30\n", false),
            ("5\n", "05\n", true),
            ("5\n", "6\n", false),
            ("5\n8 2\n", "1\n8 2\n", true),
            ("5\n8 2\n", "1\n8\n", false),
            // Repeated bytes count as often as the input has them.
            (&zeros, &zeros[..40], true),
            (&letters_a, &letters_a[..40], true),
            (&letters_a, &letters_a[..20], false),
            ("9\n7 7 7 7 7 7 7 7 7\n", "8\n7 7 7 7 7 7 7 7\n", true),
            ("9\n3 1 4 1 5 9 2 6 5\n", "8\n7 7 7 7 7 7 7 7\n", false),
            // Other orders and blanks.
            (rows, "3\n38 47 62 95\n17 23 88 41\n90 12 65 33\n", true),
            (rows, "3\r\n17 23  88 41\r\n90 12 65 33\r\n54 76 29 81", true),
            (&rows.replace('\n', "\r\n"), "3\n17 23 88 41\n90 12 65 33\n54 76 29 81\n", true),
            (rows, "1\n17 23 88 41\n", false),
            (padded, "3\n12\n34\n56\n", true),
        ] {
            assert_eq!(are_revealed(&[case], input), is_revealed, "{case} {input}");
        }
    }

    #[test]
    fn inputs_are_compared_with_all_hidden_cases() {
        let large = format!("{LETTERS}{}", LETTERS.to_uppercase().repeat(3));
        assert!(!are_revealed(&[&large], &LETTERS[..40]));
        assert!(are_revealed(&[&large, LETTERS], &LETTERS[..40]));
        // Two letters have doubles everywhere, which hide no common run.
        let doubles = "aabbaabababbaaabbabb";
        let longer = format!("{}{doubles}", LETTERS.repeat(2));
        assert!(are_revealed(&[&longer, doubles], &doubles[..16]));
        let zeros = "0 ".repeat(50);
        assert!(!are_revealed(&[&large, &zeros], &zeros[..80]), "what repeats is as good as new");
    }

    #[test]
    fn all_inputs_together_show_at_most_a_third() {
        let dir = tempfile::tempdir().unwrap();
        let other = LETTERS.to_uppercase().repeat(3);
        let mut hidden = hidden_cases(dir.path(), &[LETTERS, &other]);
        hidden.note_published(&found_in(0, &LETTERS[..15]));
        for (input, is_revealed) in
            [(&LETTERS[..15], false), (&LETTERS[15..30], true), ("aaaabbbb", false), ("abababab", true)]
        {
            assert_eq!(hidden.are_revealed_by(&found_in(0, input)).unwrap(), is_revealed, "{input}");
        }
        // From another case, which may show the rest of the third.
        assert!(hidden.are_revealed_by(&found_in(1, &LETTERS[15..30])).unwrap());
        assert!(!hidden.are_revealed_by(&found_in(1, "abababab")).unwrap());
    }

    #[test]
    fn a_conversation_shows_no_more_of_a_case_than_an_input_may() {
        let dir = tempfile::tempdir().unwrap();
        let hidden = hidden_cases(dir.path(), &[LETTERS, "57 91 33\n"]);
        let judge = |text: &str| TranscriptPiece::Judge { at: Duration::ZERO, text: text.to_owned() };
        let is_revealed = |source: InputSource, text: &str| {
            let input = FoundInput { bytes: b"2 7\n".to_vec(), ground: 0, source };
            hidden.are_revealed_by(&hidden.beyond_input(&input, &[judge(text)]).unwrap()).unwrap()
        };
        let case = || InputSource::HiddenCase("0".into());
        assert!(!is_revealed(InputSource::Public, "2\nhigher\n7\n"));
        assert!(is_revealed(InputSource::Public, &LETTERS[..57]), "the judge repeats a case");
        assert!(is_revealed(InputSource::Public, "57 2\n91 7 33\n"), "a case between words of the input");
        assert!(is_revealed(case(), &LETTERS[..40]) && !is_revealed(case(), "2 7 no\n"));
    }

    #[test]
    fn what_a_generator_makes_is_new_unless_it_makes_a_case_again() {
        let dir = tempfile::tempdir().unwrap();
        let hidden = hidden_cases(dir.path(), &[LETTERS, "3\n1 2 3\n"]);
        let origin = InputOrigin::Command("gen 57 7".into());
        let source = |text: &str| hidden.source_of(&origin, text.as_bytes()).unwrap();
        assert_eq!(source(&LETTERS[..57]), InputSource::HiddenCase("0".into()));
        assert_eq!(source("3\n1 2 4\n"), InputSource::Public);
        assert_eq!(source(&LETTERS.to_uppercase()), InputSource::Public);
        let new = FoundInput { bytes: b"3 1 2 3\n".to_vec(), ground: 0, source: InputSource::Public };
        assert!(hidden.are_revealed_by(&new).unwrap(), "it is a case");
    }
}
