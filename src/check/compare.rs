//! The format's default output validator, in this process and in constant memory.
//!
//! Both sides are read in blocks. As long as bytes are the same they are passed
//! at memory speed, up to the last white space among them; from there one token
//! is looked at by itself, and so on. What is the same byte for byte is right
//! under any options: the options matter only where bytes differ.

use super::{
    CompareOptions, Difference,
    decimal_token::{DecimalToken, LONGEST},
    difference::explain_mismatch,
    mismatch::Mismatch,
    tape::{Tape, TapeReader, is_space},
};
use std::{fs::File, io, path::Path};

/// How much is read at once: two of these fit into a processor's own memory.
const BLOCK: usize = 256 << 10;

/// The first difference that matters; `None`: the output is right.
pub fn compare(answer: &[u8], output: &[u8], options: &CompareOptions) -> Option<Difference> {
    compare_tapes(Tape::Memory(answer), Tape::Memory(output), options, BLOCK).expect("memory can be read")
}

/// The same for an answer on disk and a captured output, which is read from its start.
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
    let mut readers = (TapeReader::new(answer, block)?, TapeReader::new(output, block)?);
    match first_mismatch(&mut readers.0, &mut readers.1, options)? {
        Some(mismatch) => explain_mismatch(answer, output, &mismatch).map(Some),
        None => Ok(None),
    }
}

fn first_mismatch(
    answer: &mut TapeReader,
    output: &mut TapeReader,
    options: &CompareOptions,
) -> io::Result<Option<Mismatch>> {
    loop {
        pass_equal_bytes(answer, output)?;
        if options.space_change_sensitive {
            if !pass_same_space(answer, output)? {
                return Ok(Some(mismatch_at(answer, output, true)));
            }
        } else {
            answer.pass_space()?;
            output.pass_space()?;
        }
        match (answer.peek()?, output.peek()?) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => {}
            (Some(_), None) | (None, Some(_)) => return Ok(Some(mismatch_at(answer, output, false))),
        }
        if let Some(mismatch) = pass_tokens(answer, output, options)? {
            return Ok(Some(mismatch));
        }
    }
}

fn mismatch_at(answer: &TapeReader, output: &TapeReader, space: bool) -> Mismatch {
    Mismatch { answer: answer.place(), output: output.place(), same: 0, space, error: None }
}

/// Goes past what is the same on both sides, up to the last white space in it.
fn pass_equal_bytes(answer: &mut TapeReader, output: &mut TapeReader) -> io::Result<()> {
    let (a, b) = (answer.rest()?, output.rest()?);
    let same = same_prefix(a, b);
    // Not into a token: one that is the same so far may still go on differently.
    if let Some(space) = a[..same].iter().rposition(|&byte| is_space(byte)) {
        answer.pass(space + 1);
        output.pass(space + 1);
    }
    Ok(())
}

/// Short or long: words where the difference is near, memory's own comparison where it is far.
fn same_prefix(a: &[u8], b: &[u8]) -> usize {
    const NEAR: usize = 64;
    let most = a.len().min(b.len());
    let near = same_words(&a[..most.min(NEAR)], &b[..most.min(NEAR)]);
    if near < NEAR {
        return near;
    }
    let far = near + same_chunks(&a[near..most], &b[near..most], 8 << 10);
    let far = far + same_chunks(&a[far..most], &b[far..most], NEAR);
    far + same_words(&a[far..most], &b[far..most])
}

fn same_chunks(a: &[u8], b: &[u8], size: usize) -> usize {
    a.chunks_exact(size).zip(b.chunks_exact(size)).take_while(|(a, b)| a == b).count() * size
}

fn same_words(a: &[u8], b: &[u8]) -> usize {
    const WORD: usize = size_of::<u64>();
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("a chunk of a word's size"));
    let mut same = 0;
    for (a, b) in a.chunks_exact(WORD).zip(b.chunks_exact(WORD)) {
        let differing = word(a) ^ word(b);
        if differing != 0 {
            // Read as little-endian, the lowest bit that differs lies in the first byte that does.
            return same + (differing.trailing_zeros() / u8::BITS) as usize;
        }
        same += WORD;
    }
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// A chunk is looked at as a whole, without leaving early: that is what vector units can do.
fn first_space(bytes: &[u8]) -> Option<usize> {
    const CHUNK: usize = 64;
    let has_space = |chunk: &[u8]| chunk.iter().fold(false, |found, &byte| found | is_space(byte));
    let at = bytes.chunks(CHUNK).position(has_space)? * CHUNK;
    bytes[at..].iter().position(|&byte| is_space(byte)).map(|within| at + within)
}

fn pass_same_space(answer: &mut TapeReader, output: &mut TapeReader) -> io::Result<bool> {
    loop {
        let space = |byte: Option<u8>| byte.filter(|&byte| is_space(byte));
        match (space(answer.peek()?), space(output.peek()?)) {
            (None, None) => return Ok(true),
            (a, b) if a != b => return Ok(false),
            _ => {
                answer.pass(1);
                output.pass(1);
            }
        }
    }
}

/// Goes past one token on both sides, or says how they differ.
fn pass_tokens(
    answer: &mut TapeReader,
    output: &mut TapeReader,
    options: &CompareOptions,
) -> io::Result<Option<Mismatch>> {
    let mut mismatch = mismatch_at(answer, output, false);
    // Text before numbers: equal text is right under any tolerance, and comparing it is cheaper.
    let Some(same) = pass_same_text(answer, output, options.case_sensitive)? else { return Ok(None) };
    mismatch.same = same;
    if options.tolerance.is_set() {
        answer.back(mismatch.answer);
        output.back(mismatch.output);
        return pass_numbers(answer, output, options, mismatch);
    }
    Ok(Some(mismatch))
}

/// How many bytes are the same; `None`: the tokens are.
fn pass_same_text(answer: &mut TapeReader, output: &mut TapeReader, case: bool) -> io::Result<Option<u64>> {
    let mut passed = 0;
    loop {
        let (a, b) = (answer.rest()?, output.rest()?);
        let most = a.len().min(b.len());
        let n = same_text(a, b, case);
        answer.pass(n);
        output.pass(n);
        passed += n as u64;
        if n < most || most == 0 {
            // Both must end here: `12` shares all its bytes with `123`.
            let ended = answer.peek()?.is_none_or(is_space) && output.peek()?.is_none_or(is_space);
            return Ok((!ended).then_some(passed));
        }
    }
}

/// How long the same text goes on, up to white space.
fn same_text(a: &[u8], b: &[u8], case: bool) -> usize {
    let prefix = same_prefix(a, b);
    if let Some(space) = first_space(&a[..prefix]) {
        return space;
    }
    let same = |a: u8, b: u8| a == b || !case && a.eq_ignore_ascii_case(&b);
    let rest = a[prefix..].iter().zip(&b[prefix..]);
    prefix + rest.take_while(|&(&a, &b)| !is_space(a) && same(a, b)).count()
}

fn pass_numbers(
    answer: &mut TapeReader,
    output: &mut TapeReader,
    options: &CompareOptions,
    mut mismatch: Mismatch,
) -> io::Result<Option<Mismatch>> {
    // One byte more than a number may have, so that a longer token is seen to be none.
    let (a, b) = (answer.token(LONGEST + 1)?, output.token(LONGEST + 1)?);
    let Some(expected) = DecimalToken::read(a) else { return Ok(Some(mismatch)) };
    mismatch.error = match DecimalToken::read(b) {
        Some(found) if options.tolerance.accepts(&expected, &found) => return Ok(None),
        Some(found) => Some(options.tolerance.error(&expected, &found)),
        None => Some("not a number".to_owned()),
    };
    Ok(Some(mismatch))
}
