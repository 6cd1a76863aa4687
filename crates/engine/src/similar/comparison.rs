//! Compares all programs with each other.

use super::{
    candidates::{THREADS, find_candidates},
    clusters::find_clusters,
    earlier::{EarlierMatch, EarlierSource, EarlierSources},
    fingerprints::{MIN_LENGTH, TokenGram, grams, winnow},
    pairs::{ComparedClass, Prepared, SharedCode, compare_pair},
    rarity::Rarity,
    source_text::{ComparedFile, ComparedProgram},
    token_stream::TokenStream,
};
use kopek_base::map_in_parallel;
use std::collections::{BTreeMap, BTreeSet, HashSet};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarityOptions {
    /// Pairs with less similarity are left out: 0.5 is one half.
    pub min: f64,
    /// The largest number of pairs.
    pub most: usize,
}

impl Default for SimilarityOptions {
    fn default() -> SimilarityOptions {
        SimilarityOptions { min: 0.5, most: 100 }
    }
}

/// The result of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Comparison {
    /// The programs that were compared.
    pub programs: Vec<ComparedProgram>,
    /// The most similar first.
    pub pairs: Vec<SimilarPair>,
    /// Pairs above the minimum similarity that were left out because there are too many.
    pub more_pairs: usize,
    /// Programs that are connected by these pairs; the largest cluster first.
    pub clusters: Vec<Vec<usize>>,
    /// The number of earlier sources that were compared as well.
    pub earlier_compared: usize,
    /// For each similar program its most similar earlier source; the most similar first.
    pub earlier_matches: Vec<EarlierMatch>,
    /// The earlier sources; equal ones are merged.
    pub earlier: Vec<EarlierSource>,
    /// Participants who could not be compared, and why.
    pub not_compared: Vec<(String, String)>,
}

/// Two programs, as indices into the compared ones.
#[derive(Debug, Clone, PartialEq)]
pub struct SimilarPair {
    /// One of them.
    pub left: usize,
    /// The other.
    pub right: usize,
    /// The similarity by which pairs are ranked.
    pub likeness: f64,
    pub shared: SharedCode,
}

/// The number of pairs per program that are compared closely.
const CANDIDATES_PER_PROGRAM: usize = 6;
/// At least this many pairs are compared closely.
const MIN_CANDIDATES: usize = 3000;

/// Compares programs; `skeleton` is the code that everyone was given.
pub fn compare_programs(
    programs: Vec<ComparedProgram>,
    skeleton: &[ComparedFile],
    options: SimilarityOptions,
) -> Comparison {
    compare_with_earlier(programs, Vec::new(), skeleton, options)
}

/// Compares programs with each other and with earlier sources; earlier sources are not compared with each
/// other. Programs with the same name are attempts of one participant. Only the most similar pair of two
/// participants is listed.
pub fn compare_with_earlier(
    programs: Vec<ComparedProgram>,
    earlier: Vec<ComparedFile>,
    skeleton: &[ComparedFile],
    options: SimilarityOptions,
) -> Comparison {
    let given: HashSet<u64> = skeleton.iter().flat_map(grams_of_file).collect();
    let read = map_in_parallel(&programs, THREADS, |program| Prepared::read(&program.files, &given));
    let mut all = Comparison::default();
    let mut prepared = Vec::new();
    for (program, read) in programs.into_iter().zip(read) {
        match read {
            Some(read) => {
                all.programs.push(program);
                prepared.push(read);
            }
            None => {
                let why = format!("too short: fewer than {MIN_LENGTH} tokens of its own");
                all.not_compared.push((program.name, why));
            }
        }
    }
    let grams: Vec<Vec<TokenGram>> = prepared.iter().map(|program| program.grams.clone()).collect();
    // Old copies of a program do not make it common in the class.
    let rarity = Rarity::of_programs(&grams);
    prepared.iter_mut().for_each(|program| program.weigh(&rarity));
    let fingerprints: Vec<Vec<u64>> = grams.iter().map(|grams| winnow(grams)).collect();
    let class = ComparedClass { programs: prepared, fingerprints, rarity };
    all.rank_pairs(&class, options);
    all.clusters = find_clusters(all.programs.len(), all.pairs.iter().map(|pair| (pair.left, pair.right)));
    if !earlier.is_empty() {
        all.earlier_compared = earlier.len();
        let mut earlier = EarlierSources::read(earlier, &given);
        let matches = earlier.match_programs(&class, &all.owners());
        all.keep_best_matches(matches, options);
        all.earlier = earlier.sources;
    }
    all
}

fn grams_of_file(file: &ComparedFile) -> Vec<u64> {
    let stream = TokenStream::read(std::slice::from_ref(file));
    grams(&stream).into_iter().map(|gram| gram.hash).collect()
}

impl Comparison {
    /// The number of participants with compared programs.
    pub fn participants(&self) -> usize {
        self.owners().into_iter().collect::<HashSet<_>>().len()
    }

    /// The owner of each program.
    fn owners(&self) -> Vec<&str> {
        self.programs.iter().map(|program| program.name.as_str()).collect()
    }

    /// The earlier sources of the matches, without duplicates.
    pub fn matched_sources(&self) -> impl Iterator<Item = &EarlierSource> {
        let places: BTreeSet<usize> = self.earlier_matches.iter().map(|found| found.source).collect();
        places.into_iter().map(|place| &self.earlier[place])
    }

    /// Earlier sources that are similar to programs of several participants, with their names.
    pub fn near_the_same_source(&self) -> Vec<(&EarlierSource, Vec<&str>)> {
        let mut near: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for found in &self.earlier_matches {
            near.entry(found.source).or_default().push(&self.programs[found.program].name);
        }
        near.retain(|_, names| names.len() > 1);
        near.into_iter().map(|(source, names)| (&self.earlier[source], names)).collect()
    }

    fn rank_pairs(&mut self, class: &ComparedClass, options: SimilarityOptions) {
        let programs = &class.programs;
        let most = (CANDIDATES_PER_PROGRAM * programs.len()).max(MIN_CANDIDATES).max(options.most);
        let owners = self.owners();
        let candidates = find_candidates(&class.fingerprints, &owners, &class.rarity, most);
        let mut pairs = map_in_parallel(&candidates, THREADS, |candidate| {
            let shared = compare_pair(&programs[candidate.left], &programs[candidate.right]);
            let likeness = likeness(shared.left_share, shared.right_share);
            SimilarPair { left: candidate.left, right: candidate.right, likeness, shared }
        });
        pairs.retain(|pair| pair.likeness >= options.min && !pair.shared.passages.is_empty());
        pairs.sort_by(|a, b| {
            b.likeness.total_cmp(&a.likeness).then((a.left, a.right).cmp(&(b.left, b.right)))
        });
        let mut listed = HashSet::new();
        pairs.retain(|pair| {
            let (left, right) = (owners[pair.left], owners[pair.right]);
            listed.insert((left.min(right), left.max(right)))
        });
        self.more_pairs = pairs.len().saturating_sub(options.most);
        pairs.truncate(options.most);
        self.pairs = pairs;
    }

    fn keep_best_matches(&mut self, mut matches: Vec<EarlierMatch>, options: SimilarityOptions) {
        matches.retain(|found| found.shared.left_share >= options.min);
        matches.sort_by(|a, b| {
            b.shared.left_share.total_cmp(&a.shared.left_share).then(a.program.cmp(&b.program))
        });
        let mut listed = HashSet::new();
        matches.retain(|found| listed.insert(self.programs[found.program].name.as_str()));
        matches.truncate(options.most);
        self.earlier_matches = matches;
    }
}

/// Between the mean and the larger share: adding code to a copy lowers only one of them.
fn likeness(left: f64, right: f64) -> f64 {
    (left + right) / 4.0 + left.max(right) / 2.0
}
