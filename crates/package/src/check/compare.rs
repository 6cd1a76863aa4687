//! The format's default output validator, in this process and in constant memory.
//!
//! Both sides are read in blocks. Equal bytes are skipped at memory speed. Where bytes differ, only the white
//! space or the token around that place is compared. Equal bytes are right under any options: options matter
//! only where bytes differ.

use super::{
    CompareOptions, Difference,
    decimal_token::{DecimalToken, MAX_LENGTH},
    difference::{Mismatch, MismatchKind, explain_mismatch},
    equal_bytes::same_prefix,
    tape::{Tape, TapeReader, is_space},
};
use kopek_sentences::Said;
use std::{fs::File, io, path::Path};

/// The block size: two of these fit into a processor's cache.
const BLOCK: usize = 256 << 10;

/// The first difference that matters; `None` if the output is right.
pub fn compare(answer: &[u8], output: &[u8], options: &CompareOptions) -> Option<Difference> {
    compare_tapes(Tape::Memory(answer), Tape::Memory(output), options, BLOCK).expect("memory can be read")
}

/// The same for an answer on disk and a captured output, read from its start.
pub fn compare_files(
    answer: &Path,
    output: &File,
    options: &CompareOptions,
) -> io::Result<Option<Difference>> {
    let answer = File::open(answer)?;
    compare_tapes(Tape::File(&answer), Tape::File(output), options, BLOCK)
}

pub(super) fn compare_tapes(
    answer: Tape,
    output: Tape,
    options: &CompareOptions,
    block: usize,
) -> io::Result<Option<Difference>> {
    let mut walk = Walk {
        answer: TapeReader::new(answer, block)?,
        output: TapeReader::new(output, block)?,
        options,
        in_token: false,
    };
    match walk.first_mismatch()? {
        Some(mismatch) => explain_mismatch(answer, output, &mismatch).map(Some),
        None => Ok(None),
    }
}

/// Walks along both sides; everything before the current place is right.
struct Walk<'a, 'b> {
    answer: TapeReader<'a>,
    output: TapeReader<'a>,
    options: &'b CompareOptions,
    /// Whether both sides are inside or right after a token that is equal so far.
    in_token: bool,
}

impl Walk<'_, '_> {
    fn first_mismatch(&mut self) -> io::Result<Option<Mismatch>> {
        loop {
            self.pass_equal_bytes()?;
            let (a, b) = (self.answer.peek()?, self.output.peek()?);
            if a.is_none() && b.is_none() {
                return Ok(None);
            }
            let ends = |byte: Option<u8>| byte.is_none_or(is_space);
            let mismatch = match (ends(a), ends(b)) {
                (true, true) => self.pass_space()?,
                (true, false) | (false, true) if !self.in_token => self.pass_space()?,
                _ => self.pass_token()?,
            };
            if mismatch.is_some() {
                return Ok(mismatch);
            }
        }
    }

    /// Skips bytes that are equal on both sides, over any number of blocks.
    fn pass_equal_bytes(&mut self) -> io::Result<()> {
        loop {
            let (a, b) = (self.answer.rest()?, self.output.rest()?);
            let max = a.len().min(b.len());
            let same = same_prefix(a, b);
            if let Some(&last) = a[..same].last() {
                self.in_token = !is_space(last);
            }
            self.answer.pass(same);
            self.output.pass(same);
            if same < max || max == 0 {
                return Ok(());
            }
        }
    }

    /// Skips white space that differs, if the options allow that.
    fn pass_space(&mut self) -> io::Result<Option<Mismatch>> {
        let is_space_next = |byte: Option<u8>| byte.is_some_and(is_space);
        let either = is_space_next(self.answer.peek()?) || is_space_next(self.output.peek()?);
        if self.options.space_change_sensitive && either {
            return Ok(Some(self.mismatch(0, MismatchKind::WhiteSpace)));
        }
        self.answer.pass_space()?;
        self.output.pass_space()?;
        self.in_token = false;
        let one_ended = self.answer.peek()?.is_none() != self.output.peek()?.is_none();
        Ok(one_ended.then(|| self.mismatch(0, MismatchKind::Token)))
    }

    /// Skips a token that differs, or some of its letters, if the options allow that.
    fn pass_token(&mut self) -> io::Result<Option<Mismatch>> {
        if !self.options.case_sensitive && self.pass_letters_of_other_case()? {
            return Ok(None);
        }
        // A longer token is shown without its beginning, and is not a number.
        let same = if self.in_token { self.answer.bytes_since_space(MAX_LENGTH + 1)? } else { 0 };
        let mismatch = self.mismatch(same as u64, MismatchKind::Token);
        if self.options.tolerance.is_set() && same <= MAX_LENGTH {
            self.answer.back(mismatch.answer);
            self.output.back(mismatch.output);
            return self.pass_numbers(mismatch);
        }
        Ok(Some(mismatch))
    }

    /// Skips letters that differ only in case; returns whether there were any.
    fn pass_letters_of_other_case(&mut self) -> io::Result<bool> {
        let (a, b) = (self.answer.rest()?, self.output.rest()?);
        let other_case = |(a, b): &(&u8, &u8)| a != b && a.eq_ignore_ascii_case(b);
        let letters = a.iter().zip(b).take_while(other_case).count();
        self.answer.pass(letters);
        self.output.pass(letters);
        self.in_token |= letters > 0;
        Ok(letters > 0)
    }

    fn pass_numbers(&mut self, mut mismatch: Mismatch) -> io::Result<Option<Mismatch>> {
        // One byte more than a number may have, so that a longer token is recognised.
        let (a, b) = (self.answer.token(MAX_LENGTH + 1)?, self.output.token(MAX_LENGTH + 1)?);
        let Some(expected) = DecimalToken::read(a) else { return Ok(Some(mismatch)) };
        let tolerance = &self.options.tolerance;
        mismatch.error = match DecimalToken::read(b) {
            Some(found) if tolerance.accepts(&expected, &found) => {
                self.in_token = true;
                return Ok(None);
            }
            Some(found) => Some(tolerance.error(&expected, &found)),
            None => Some(Said::NotANumber),
        };
        Ok(Some(mismatch))
    }

    /// A mismatch here, after this many equal bytes of the tokens.
    fn mismatch(&self, same: u64, kind: MismatchKind) -> Mismatch {
        let (answer, output) = (self.answer.place() - same, self.output.place() - same);
        Mismatch { answer, output, same, kind, error: None }
    }
}
