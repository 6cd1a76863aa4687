//! Makes an input smaller while it still fails in the same way. Knows no programs: who asks says
//! which of some candidates is the first that still fails.
//!
//! Steps of many kinds are tried, greatest first, until none of any kind succeeds. What counts is
//! found by trying: with every part that is removed, numbers before it are lowered by as much.

use super::{
    edits::{Edit, Removal},
    input_text::{InputText, TokenPlace, compare_size},
    reductions::{REDUCTIONS, Reduction},
};
use anyhow::Result;
use std::{cmp::Ordering, collections::HashSet};

/// An input after shrinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShrunkInput {
    /// What it is now.
    pub bytes: Vec<u8>,
    /// The way to it.
    pub steps: Vec<ShrinkStep>,
    /// How many smaller inputs were tried.
    pub tried: usize,
    /// Whether no single step makes it smaller; otherwise it was stopped before.
    pub is_minimal: bool,
}

/// A step that kept the failure.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ShrinkStep {
    /// What was done.
    pub what: &'static str,
    /// Size of the input after it.
    pub bytes: usize,
}

/// How shrinking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShrinkEnd {
    /// No step makes it smaller.
    Minimal,
    /// Time was up.
    TimeUp,
    /// Of some smaller inputs the machine was too busy to tell, or we failed.
    Undecided,
    /// It is as it was found: without a validator nothing says what a smaller input must be.
    NoValidator,
}

/// What becomes of some candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShrinkReply {
    /// The first that fails in the same way is this one.
    Fails(usize),
    /// None of them does.
    NoneFails,
    /// Time is up.
    Stop,
}

/// Tries candidates.
pub type TryCandidates<'a> = dyn FnMut(Vec<Vec<u8>>) -> Result<ShrinkReply> + 'a;

/// So many candidates are tried at once: few while steps succeed, more while they do not.
const WINDOWS: [usize; 2] = [4, 64];
/// So much memory the candidates of a window may take.
const WINDOW_BYTES: usize = 16 << 20;

/// Shrinks an input. Each step is to an input that is smaller, so it ends; the same replies lead the
/// same way.
pub fn shrink_input(input: &[u8], attempt: &mut TryCandidates) -> Result<ShrunkInput> {
    let mut shrinking = Shrinking {
        best: input.to_vec(),
        steps: Vec::new(),
        refused: HashSet::new(),
        tried: 0,
        window: WINDOWS[0],
        attempt,
    };
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
    let Shrinking { best, steps, tried, .. } = shrinking;
    Ok(ShrunkInput { bytes: best, steps, tried, is_minimal })
}

struct Shrinking<'a, 'f> {
    best: Vec<u8>,
    steps: Vec<ShrinkStep>,
    /// Digests of what was tried and did not fail.
    refused: HashSet<blake3::Hash>,
    tried: usize,
    window: usize,
    attempt: &'a mut TryCandidates<'f>,
}

impl Shrinking<'_, '_> {
    /// Takes steps of one kind until none is left; whether there was time for it. While a number is known
    /// to count what goes, steps that lower it go first: most of the others are in vain.
    fn exhaust(&mut self, reduction: &Reduction) -> Result<bool> {
        let mut counter = None;
        loop {
            if let Some(place) = counter {
                let lowers = |edit: &Edit| edit.numbers.iter().any(|(lowered, _)| *lowered == place);
                if self.take_steps(reduction, &lowers, &|_| false)?.is_none() {
                    return Ok(false);
                }
            }
            let is_new = |edit: &Edit| new_counter(edit).is_some_and(|place| Some(place) != counter);
            match self.take_steps(reduction, &|_| true, &is_new)? {
                None => return Ok(false),
                Some(None) => return Ok(true),
                Some(Some(step)) => counter = new_counter(&step),
            }
        }
    }

    /// Takes those steps of a kind that are meant until none is left, or one was taken after which it
    /// begins anew, which is given back; `None`: there was no time.
    fn take_steps(
        &mut self,
        reduction: &Reduction,
        is_meant: &dyn Fn(&Edit) -> bool,
        is_turn: &dyn Fn(&Edit) -> bool,
    ) -> Result<Option<Option<Edit>>> {
        let list = |text: &InputText| -> Vec<Edit> {
            let mut edits = (reduction.list)(text);
            edits.retain(|edit| is_meant(edit));
            edits
        };
        let mut text = InputText::read(&self.best);
        let mut edits = list(&text);
        let mut position = 0;
        loop {
            let (candidates, next) = self.candidates(&text, &edits, position);
            if candidates.is_empty() {
                return Ok(Some(None));
            }
            self.tried += candidates.len();
            match (self.attempt)(candidates.iter().map(|(_, bytes)| bytes.clone()).collect())? {
                ShrinkReply::Stop => return Ok(None),
                ShrinkReply::NoneFails => {
                    self.refuse(&candidates);
                    self.window = (self.window * 2).min(WINDOWS[1]);
                    position = next;
                }
                ShrinkReply::Fails(which) => {
                    self.refuse(&candidates[..which]);
                    self.window = WINDOWS[0];
                    let (at, bytes) = &candidates[which];
                    self.steps.push(ShrinkStep { what: reduction.name, bytes: bytes.len() });
                    self.best.clone_from(bytes);
                    if is_turn(&edits[*at]) {
                        return Ok(Some(Some(edits[*at].clone())));
                    }
                    text = InputText::read(&self.best);
                    edits = list(&text);
                    // What follows now stands where this stood.
                    position = *at;
                }
            }
        }
    }

    fn refuse(&mut self, candidates: &[(usize, Vec<u8>)]) {
        self.refused.extend(candidates.iter().map(|(_, bytes)| blake3::hash(bytes)));
    }

    /// The next candidates from a position of the list to its end at most, each with its own, and
    /// where the list goes on.
    fn candidates(&self, text: &InputText, edits: &[Edit], from: usize) -> (Vec<(usize, Vec<u8>)>, usize) {
        let (mut found, mut memory, mut next) = (Vec::new(), 0, from);
        for (at, edit) in edits.iter().enumerate().skip(from) {
            next = at + 1;
            let bytes = edit.applied_to(text).bytes();
            let is_new = compare_size(&bytes, &self.best) == Ordering::Less
                && !self.refused.contains(&blake3::hash(&bytes));
            if is_new {
                memory += bytes.len();
                found.push((at, bytes));
            }
            if found.len() >= self.window || memory > WINDOW_BYTES {
                break;
            }
        }
        (found, next)
    }
}

/// The number that a step lowers along with what it removes, if it does so with exactly one.
fn new_counter(edit: &Edit) -> Option<TokenPlace> {
    match edit.numbers[..] {
        [(place, _)] if edit.removal != Removal::Nothing => Some(place),
        _ => None,
    }
}
