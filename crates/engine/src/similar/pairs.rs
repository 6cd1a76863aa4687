//! Two programs side by side: which passages they share, and how much of each that is.

use super::{
    fingerprints::{SHORTEST, TokenGram, grams},
    rarity::Rarity,
    source_text::ComparedFile,
    tiling::{Tile, TiledSide, find_tiles},
    token_stream::TokenStream,
};
use std::{collections::HashSet, ops::Range};

/// What two programs share.
#[derive(Debug, Clone, PartialEq)]
pub struct SharedCode {
    /// How much of the left program the right one has, weighed by how rare it is.
    pub left_share: f64,
    /// As for the left one.
    pub right_share: f64,
    /// The passages, in the order of the left program.
    pub passages: Vec<SharedPassage>,
}

/// A passage of equal tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPassage {
    /// How long it is.
    pub tokens: usize,
    /// Where it stands on one side.
    pub left: SourceSpan,
    /// Where it stands on the other.
    pub right: SourceSpan,
}

/// A part of a program's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpan {
    /// Which of the program's files.
    pub file: usize,
    /// Which bytes of it.
    pub bytes: Range<usize>,
}

impl SourceSpan {
    /// The first and the last line, from 1.
    pub fn lines(&self, files: &[ComparedFile]) -> (usize, usize) {
        let text = files[self.file].text.as_bytes();
        let line = |end: usize| 1 + memchr::memchr_iter(b'\n', &text[..end]).count();
        (line(self.bytes.start), line(self.bytes.end))
    }
}

impl SharedCode {
    /// The passage of the most tokens.
    pub fn longest(&self) -> Option<&SharedPassage> {
        self.passages.iter().max_by_key(|passage| passage.tokens)
    }
}

/// A program made ready.
pub(super) struct Prepared {
    pub stream: TokenStream,
    pub grams: Vec<TokenGram>,
    weights: Vec<f64>,
}

/// The programs of a class, weighed by how rare their passages are in it.
pub(super) struct ComparedClass {
    pub programs: Vec<Prepared>,
    /// By program.
    pub fingerprints: Vec<Vec<u64>>,
    pub rarity: Rarity,
}

impl Prepared {
    /// The tokens of files without those of `given`; none if they are too few to be compared.
    pub fn read(files: &[ComparedFile], given: &HashSet<u64>) -> Option<Prepared> {
        let mut stream = TokenStream::read(files);
        let found = grams(&stream).into_iter().filter(|gram| given.contains(&gram.hash));
        found.for_each(|gram| stream.take_out(gram.at, SHORTEST));
        let grams = grams(&stream);
        (!grams.is_empty()).then(|| Prepared { stream, grams, weights: Vec::new() })
    }

    /// Sets what each token weighs.
    pub fn weigh(&mut self, rarity: &Rarity) {
        self.weights = rarity.token_weights(self.stream.tokens.len(), &self.grams);
    }

    fn weight(&self, from: usize, length: usize) -> f64 {
        self.weights[from..from + length].iter().sum()
    }
}

/// Compares two programs whose tokens were weighed.
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
        SourceSpan { file: program.stream.files[from], bytes }
    };
    SharedPassage { tokens: tile.length, left: span(left, tile.left), right: span(right, tile.right) }
}
