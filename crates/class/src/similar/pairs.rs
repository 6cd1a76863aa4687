//! Compares two programs: finds the shared passages and their share of each program.

use super::{
    fingerprints::{MIN_LENGTH, TokenGram, grams},
    rarity::Rarity,
    source_text::ComparedFile,
    tiling::{Tile, TiledSide, find_tiles},
    token_stream::TokenStream,
};
use serde::{Serialize, Serializer};
use std::{collections::HashSet, ops::Range};

/// The code that two programs share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedCode {
    /// The share of the left program that is in the right one, weighted by rarity.
    #[serde(serialize_with = "four_decimals")]
    pub left_share: f64,
    /// The same for the right program.
    #[serde(serialize_with = "four_decimals")]
    pub right_share: f64,
    /// The passages, in the order of the left program.
    pub passages: Vec<SharedPassage>,
}

/// A passage of equal tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SharedPassage {
    pub tokens: usize,
    /// Its place on the left.
    pub left: SourceSpan,
    /// Its place on the right.
    pub right: SourceSpan,
}

/// A part of a program's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceSpan {
    /// The path of the file.
    pub file: String,
    /// The first and the last line, from 1.
    pub lines: [usize; 2],
    /// The index of the file.
    #[serde(skip)]
    pub number: usize,
    #[serde(skip)]
    pub bytes: Range<usize>,
}

impl SourceSpan {
    fn locate(&mut self, files: &[ComparedFile]) {
        let file = &files[self.number];
        let line = |end: usize| 1 + memchr::memchr_iter(b'\n', &file.text.as_bytes()[..end]).count();
        self.lines = [line(self.bytes.start), line(self.bytes.end)];
        self.file.clone_from(&file.path);
    }
}

/// Sets paths and lines: only of passages that are listed, since most candidates are dropped.
pub(super) fn locate_passages(passages: &mut [SharedPassage], left: &[ComparedFile], right: &[ComparedFile]) {
    for passage in passages {
        passage.left.locate(left);
        passage.right.locate(right);
    }
}

/// The passage with the most tokens.
pub fn longest_passage(passages: &[SharedPassage]) -> Option<&SharedPassage> {
    passages.iter().max_by_key(|passage| passage.tokens)
}

/// Writes a share with four decimals.
pub(super) fn four_decimals<S: Serializer>(share: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((share * 1e4).round() / 1e4)
}

pub(super) struct Prepared {
    pub stream: TokenStream,
    pub grams: Vec<TokenGram>,
    weights: Vec<f64>,
}

/// The programs of a class, weighted by the rarity of their passages.
pub(super) struct ComparedClass {
    pub programs: Vec<Prepared>,
    pub fingerprints: Vec<Vec<u64>>,
    pub rarity: Rarity,
}

impl Prepared {
    /// The tokens of files without those of `given`; `None` if too few are left.
    pub fn read(files: &[ComparedFile], given: &HashSet<u64>) -> Option<Prepared> {
        let mut stream = TokenStream::read(files);
        let found = grams(&stream).into_iter().filter(|gram| given.contains(&gram.hash));
        found.for_each(|gram| stream.take_out(gram.at, MIN_LENGTH));
        let grams = grams(&stream);
        if !grams.is_empty() { Some(Prepared { stream, grams, weights: Vec::new() }) } else { None }
    }

    /// Sets the weight of each token.
    pub fn weigh(&mut self, rarity: &Rarity) {
        self.weights = rarity.token_weights(self.stream.tokens.len(), &self.grams);
    }

    fn weight(&self, from: usize, length: usize) -> f64 {
        self.weights[from..from + length].iter().sum()
    }
}

/// Compares two programs with weighted tokens.
pub(super) fn compare_pair(left: &Prepared, right: &Prepared) -> SharedCode {
    let tiles = find_tiles(
        &TiledSide { stream: &left.stream, grams: &left.grams },
        &TiledSide { stream: &right.stream, grams: &right.grams },
    );
    let left_shared: f64 = tiles.iter().map(|tile| left.weight(tile.left, tile.length)).sum();
    let right_shared: f64 = tiles.iter().map(|tile| right.weight(tile.right, tile.length)).sum();
    SharedCode {
        left_share: left_shared / left.weights.iter().sum::<f64>(),
        right_share: right_shared / right.weights.iter().sum::<f64>(),
        passages: tiles.iter().map(|tile| shared_passage(left, right, tile)).collect(),
    }
}

fn shared_passage(left: &Prepared, right: &Prepared, tile: &Tile) -> SharedPassage {
    let span = |program: &Prepared, from: usize| {
        let tokens = &program.stream.tokens[from..from + tile.length];
        let bytes = tokens[0].start..tokens[tile.length - 1].end;
        SourceSpan { file: String::new(), lines: [0; 2], number: program.stream.files[from], bytes }
    };
    SharedPassage { tokens: tile.length, left: span(left, tile.left), right: span(right, tile.right) }
}
