//! Shrinks an input while it still fails in the same way. Does not run programs: the caller says which of some
//! candidates is the first that still fails.
//!
//! Steps of many kinds are tried, the largest first, until none succeeds.

use super::{
    edits::Edit,
    reductions::{MAX_EDITS, REDUCTIONS, Reduction},
};
use crate::form::{InputForm, InputLayout, InputText, LaidInput, compare_size};
use anyhow::Result;
use kopek_results::ShrinkStep;
use std::{cmp::Ordering, collections::HashSet};

/// An input after shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShrunkInput {
    pub bytes: Vec<u8>,
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    /// Whether no single step shrinks it further; otherwise shrinking was stopped.
    pub is_minimal: bool,
}

/// The result for some candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShrinkReply {
    /// This is the first one that fails in the same way.
    Fails(usize),
    /// None of them does.
    NoneFails,
    Stop,
}

pub type TryCandidates<'a> = dyn FnMut(Vec<Vec<u8>>) -> Result<ShrinkReply> + 'a;

/// How many candidates are tried at once: few while steps succeed, more while they do not.
const WINDOWS: [usize; 2] = [4, 64];
/// The memory limit for the candidates of a window, and for edits that lead to none: for a large input, each takes long.
const WINDOW_BYTES: usize = 16 << 20;

/// Shrinks an input. Each step leads to a smaller input, so it ends; equal replies lead to equal steps.
pub fn shrink_input(
    form: Option<&InputForm>,
    input: &[u8],
    attempt: &mut TryCandidates,
) -> Result<ShrunkInput> {
    let mut shrinking = ShrinkState::new(form, input, attempt);
    let is_minimal = loop {
        let before = shrinking.steps.len();
        let mut is_whole = true;
        for reduction in REDUCTIONS {
            is_whole = shrinking.exhaust(reduction)?;
            if !is_whole {
                break;
            }
        }
        if !is_whole || shrinking.steps.len() == before {
            break is_whole;
        }
    };
    let ShrinkState { best, steps, tried, .. } = shrinking;
    Ok(ShrunkInput { bytes: best, steps, tried, is_minimal })
}

/// A smaller input, and the index of the step that leads to it.
struct Candidate {
    at: usize,
    bytes: Vec<u8>,
}

/// Candidates that are tried at once, and the position in the list after them.
struct Window {
    candidates: Vec<Candidate>,
    next: usize,
}

struct ShrinkState<'a, 'f> {
    form: Option<&'a InputForm>,
    layout: InputLayout,
    best: Vec<u8>,
    steps: Vec<ShrinkStep>,
    /// Digests of inputs that were tried and did not fail.
    refused: HashSet<blake3::Hash>,
    tried: usize,
    window: usize,
    attempt: &'a mut TryCandidates<'f>,
}

impl<'a, 'f> ShrinkState<'a, 'f> {
    fn new(
        form: Option<&'a InputForm>,
        input: &[u8],
        attempt: &'a mut TryCandidates<'f>,
    ) -> ShrinkState<'a, 'f> {
        ShrinkState {
            form,
            layout: InputLayout::of(form, &InputText::read(input)),
            best: input.to_vec(),
            steps: Vec::new(),
            refused: HashSet::new(),
            tried: 0,
            window: WINDOWS[0],
            attempt,
        }
    }

    /// Takes steps of one kind until none is left; returns whether there was time for it.
    fn exhaust(&mut self, reduction: &Reduction) -> Result<bool> {
        let list = |input: &LaidInput| -> Vec<Edit> { (reduction.list)(input).take(MAX_EDITS).collect() };
        let mut input = self.laid();
        let mut edits = list(&input);
        let mut position = 0;
        loop {
            let Window { candidates, next } = self.next_window(&input, &edits, position);
            if candidates.is_empty() {
                if next >= edits.len() {
                    return Ok(true);
                }
                // Asks for the time only.
                if (self.attempt)(Vec::new())? == ShrinkReply::Stop {
                    return Ok(false);
                }
                position = next;
                continue;
            }
            self.tried += candidates.len();
            match (self.attempt)(candidates.iter().map(|one| one.bytes.clone()).collect())? {
                ShrinkReply::Stop => return Ok(false),
                ShrinkReply::NoneFails => {
                    self.refuse(&candidates);
                    self.window = (self.window * 2).min(WINDOWS[1]);
                    position = next;
                }
                ShrinkReply::Fails(which) => {
                    self.refuse(&candidates[..which]);
                    self.window = WINDOWS[0];
                    let Candidate { at, bytes } = &candidates[which];
                    self.steps.push(ShrinkStep { what: reduction.name, bytes: bytes.len() });
                    self.best.clone_from(bytes);
                    input = self.laid();
                    edits = list(&input);
                    // The next step has moved to this position.
                    position = *at;
                }
            }
        }
    }

    fn laid(&mut self) -> LaidInput {
        LaidInput::read_again(&mut self.layout, self.form, InputText::read(&self.best))
    }

    fn refuse(&mut self, candidates: &[Candidate]) {
        self.refused.extend(candidates.iter().map(|one| blake3::hash(&one.bytes)));
    }

    /// The next candidates from a position of the list.
    fn next_window(&self, input: &LaidInput, edits: &[Edit], from: usize) -> Window {
        let mut candidates = Vec::new();
        let mut memory = 0;
        let mut next = from;
        for (at, edit) in edits.iter().enumerate().skip(from) {
            next = at + 1;
            let bytes = edit.applied_to(input).bytes();
            memory += bytes.len();
            let is_new = compare_size(&bytes, &self.best) == Ordering::Less
                && !self.refused.contains(&blake3::hash(&bytes));
            if is_new {
                candidates.push(Candidate { at, bytes });
            }
            if candidates.len() >= self.window || memory > WINDOW_BYTES {
                break;
            }
        }
        Window { candidates, next }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::edits::Removal, *};

    #[test]
    fn steps_of_a_large_input_that_change_nothing_end_when_time_is_up() {
        let nothing =
            Reduction { name: "nothing", list: |_| Box::new((0..100).map(|_| Edit::of(Removal::Nothing))) };
        let mut asked = 0;
        let attempt = &mut |candidates: Vec<Vec<u8>>| {
            assert_eq!(candidates, [] as [Vec<u8>; 0]);
            asked += 1;
            Ok(if asked == 2 { ShrinkReply::Stop } else { ShrinkReply::NoneFails })
        };
        let is_whole = ShrinkState::new(None, &[b'7'; 1 << 20], attempt).exhaust(&nothing).unwrap();
        assert!(!is_whole && asked == 2);
    }
}
