//! All programs against each other.

use super::{
    candidates::find_candidates,
    clusters::find_clusters,
    fingerprints::{SHORTEST, TokenGram, grams, winnow},
    rarity::Rarity,
    source_text::{ComparedFile, ComparedProgram},
    tiling::{Tile, TiledSide, find_tiles},
    token_stream::TokenStream,
};
use crate::base::map_in_parallel;
use std::{collections::HashSet, ops::Range};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarityOptions {
    /// Pairs of less likeness are left out: 0.5 is one half.
    pub least: f64,
    /// So many pairs at most.
    pub most: usize,
}

impl Default for SimilarityOptions {
    fn default() -> SimilarityOptions {
        SimilarityOptions { least: 0.5, most: 100 }
    }
}

/// Which programs look alike.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// What was compared.
    pub programs: Vec<ComparedProgram>,
    /// The most alike first.
    pub pairs: Vec<SimilarPair>,
    /// Pairs that are as alike, and were left out because there are too many.
    pub more_pairs: usize,
    /// Programs that hang together by these pairs; the largest first.
    pub clusters: Vec<Vec<usize>>,
    /// Who could not be compared, and why.
    pub not_compared: Vec<(String, String)>,
}

/// Two programs, by their places among those compared.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarPair {
    /// One of them.
    pub left: usize,
    /// The other.
    pub right: usize,
    /// How much of it the other has, weighed by how rare it is.
    pub left_share: f64,
    /// As for the left one.
    pub right_share: f64,
    /// What pairs are ranked by.
    pub likeness: f64,
    /// What they share, in the order of the left program.
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
    pub fn lines(&self, program: &ComparedProgram) -> (usize, usize) {
        let text = program.files[self.file].text.as_bytes();
        let line = |end: usize| 1 + memchr::memchr_iter(b'\n', &text[..end]).count();
        (line(self.bytes.start), line(self.bytes.end))
    }
}

/// A program made ready.
struct Prepared {
    stream: TokenStream,
    grams: Vec<TokenGram>,
    weights: Vec<f64>,
}

/// Threads at most.
const THREADS: usize = 64;
/// So many pairs are looked at closely for each program.
const CANDIDATES_PER_PROGRAM: usize = 6;
/// So many are looked at closely in any case.
const LEAST_CANDIDATES: usize = 3000;

/// Compares programs; `skeleton` is what everybody was given.
pub fn compare_programs(
    programs: Vec<ComparedProgram>,
    skeleton: &[ComparedFile],
    options: SimilarityOptions,
) -> Comparison {
    let given: HashSet<u64> = skeleton.iter().flat_map(grams_of_file).collect();
    let streams = map_in_parallel(&programs, THREADS, |program| own_tokens(program, &given));
    let (mut compared, mut prepared, mut not_compared) = (Vec::new(), Vec::new(), Vec::new());
    for (program, stream) in programs.into_iter().zip(streams) {
        let grams = grams(&stream);
        if grams.is_empty() {
            let why = format!("too short: fewer than {SHORTEST} tokens of its own");
            not_compared.push((program.name, why));
            continue;
        }
        compared.push(program);
        prepared.push(Prepared { stream, grams, weights: Vec::new() });
    }
    let (pairs, more_pairs) = rank_pairs(&mut prepared, options);
    let clusters = find_clusters(compared.len(), pairs.iter().map(|pair| (pair.left, pair.right)));
    Comparison { programs: compared, pairs, more_pairs, clusters, not_compared }
}

/// A program's tokens without what was given.
fn own_tokens(program: &ComparedProgram, given: &HashSet<u64>) -> TokenStream {
    let mut stream = TokenStream::read(&program.files);
    let found = grams(&stream).into_iter().filter(|gram| given.contains(&gram.hash));
    found.for_each(|gram| stream.take_out(gram.at, SHORTEST));
    stream
}

fn grams_of_file(file: &ComparedFile) -> Vec<u64> {
    let stream = TokenStream::read(std::slice::from_ref(file));
    grams(&stream).into_iter().map(|gram| gram.hash).collect()
}

/// The pairs to show, and how many more there are.
fn rank_pairs(prepared: &mut [Prepared], options: SimilarityOptions) -> (Vec<SimilarPair>, usize) {
    let all_grams: Vec<Vec<TokenGram>> = prepared.iter().map(|program| program.grams.clone()).collect();
    let rarity = Rarity::of_programs(&all_grams);
    for program in prepared.iter_mut() {
        program.weights = rarity.token_weights(program.stream.tokens.len(), &program.grams);
    }
    let fingerprints: Vec<Vec<u64>> = all_grams.iter().map(|grams| winnow(grams)).collect();
    let most = (CANDIDATES_PER_PROGRAM * prepared.len()).max(LEAST_CANDIDATES).max(options.most);
    let candidates = find_candidates(&fingerprints, &rarity, most);
    let prepared = &*prepared;
    let mut pairs = map_in_parallel(&candidates, THREADS, |candidate| {
        compare_pair(prepared, (candidate.left, candidate.right))
    });
    pairs.retain(|pair| pair.likeness >= options.least && !pair.passages.is_empty());
    pairs.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then((a.left, a.right).cmp(&(b.left, b.right))));
    let more = pairs.len().saturating_sub(options.most);
    pairs.truncate(options.most);
    (pairs, more)
}

fn compare_pair(prepared: &[Prepared], (left, right): (usize, usize)) -> SimilarPair {
    let (one, other) = (&prepared[left], &prepared[right]);
    let tiles = find_tiles(
        &TiledSide { stream: &one.stream, grams: &one.grams },
        &TiledSide { stream: &other.stream, grams: &other.grams },
    );
    let weigh = |program: &Prepared, from: usize, length: usize| -> f64 {
        program.weights[from..from + length].iter().sum()
    };
    let left_shared: f64 = tiles.iter().map(|tile| weigh(one, tile.left, tile.length)).sum();
    let right_shared: f64 = tiles.iter().map(|tile| weigh(other, tile.right, tile.length)).sum();
    let left_share = left_shared / one.weights.iter().sum::<f64>();
    let right_share = right_shared / other.weights.iter().sum::<f64>();
    SimilarPair {
        left,
        right,
        left_share,
        right_share,
        likeness: likeness(left_share, right_share),
        passages: tiles.iter().map(|tile| shared_passage(one, other, tile)).collect(),
    }
}

/// Between the mean and the greater share: code added to a copy lowers only one of them.
fn likeness(left: f64, right: f64) -> f64 {
    (left + right) / 4.0 + left.max(right) / 2.0
}

fn shared_passage(left: &Prepared, right: &Prepared, tile: &Tile) -> SharedPassage {
    let span = |program: &Prepared, from: usize| {
        let tokens = &program.stream.tokens[from..from + tile.length];
        let bytes = tokens[0].start..tokens[tile.length - 1].end;
        SourceSpan { file: program.stream.files[from], bytes }
    };
    SharedPassage { tokens: tile.length, left: span(left, tile.left), right: span(right, tile.right) }
}
