//! Compares all programs with each other.

use super::{
    candidates::{THREADS, find_candidates},
    clusters::find_clusters,
    earlier::{EarlierComparison, EarlierMatch, EarlierSources},
    fingerprints::{MIN_LENGTH, TokenGram, grams, winnow},
    pairs::{ComparedClass, Prepared, SharedCode, compare_pair, four_decimals, locate_passages},
    rarity::Rarity,
    source_text::{ComparedFile, ComparedProgram},
    token_stream::TokenStream,
};
use kopek_base::map_in_parallel;
use serde::Serialize;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimilarityOptions {
    /// Pairs with less similarity are left out: 0.5 is one half.
    pub min: f64,
    /// The largest number of pairs.
    pub max: usize,
}

impl Default for SimilarityOptions {
    fn default() -> SimilarityOptions {
        SimilarityOptions { min: 0.5, max: 100 }
    }
}

/// The result of a comparison.
///
/// ```text
/// {
///   "compared": 120,                      programs
///   "pairs": [                            the most alike first; shares are between 0 and 1
///     {"left": "ada", "right": "bob", "likeness": 0.97, "left_share": 0.96, "right_share": 0.98,
///      "passages": [{"tokens": 210, "left": {"file": "ada.py", "lines": [3, 41]}, "right": {…}}]}
///   ],
///   "more_pairs": 0,                      similar pairs that were left out
///   "identical": [{"names": ["ada", "zoe"]}],  the same text; only the first one has pairs
///   "clusters": [["ada", "bob", "eve"]],
///   "earlier": {                          with --against
///     "compared": 950,                    earlier sources
///     "matches": [                        the nearest source of each participant, where it is alike
///       {"name": "ada", "source": "2023/ada.py", "copies": ["2022/x.py"], "share": 0.83, "source_share": 0.4,
///        "also_in": 0, "passages": [as above: left is the participant]}
///     ]
///   },
///   "not_compared": [{"name": "zoe", "why": "…"}]
/// }
/// ```
#[derive(Debug, Clone, Default, Serialize)]
pub struct Comparison {
    /// The number of participants with compared programs.
    pub compared: usize,
    /// The most similar first.
    pub pairs: Vec<SimilarPair>,
    /// Pairs above the minimum similarity that were left out because there are too many.
    pub more_pairs: usize,
    /// Programs with the same text. Only the first one is compared with the others.
    pub identical: Vec<IdenticalPrograms>,
    /// Names of programs that are identical or connected by these pairs; the largest cluster first.
    pub clusters: Vec<Vec<String>>,
    /// The comparison with earlier sources, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<EarlierComparison>,
    pub not_compared: Vec<NotCompared>,
    #[serde(skip)]
    pub programs: Vec<ComparedProgram>,
}

/// Two programs that are alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimilarPair {
    pub left: String,
    pub right: String,
    /// The similarity by which pairs are ranked.
    #[serde(serialize_with = "four_decimals")]
    pub likeness: f64,
    #[serde(flatten)]
    pub shared: SharedCode,
    /// The left and the right program, as indices into the compared ones.
    #[serde(skip)]
    pub programs: [usize; 2],
    /// The index of its cluster.
    #[serde(skip)]
    pub cluster: usize,
}

/// Participants who handed in the same text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IdenticalPrograms {
    pub names: Vec<String>,
    /// One of the programs, as an index into the compared ones.
    #[serde(skip)]
    pub program: usize,
}

/// A participant who could not be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotCompared {
    pub name: String,
    pub why: String,
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
                all.not_compared.push(NotCompared { name: program.name, why });
            }
        }
    }
    let grams: Vec<Vec<TokenGram>> = prepared.iter().map(|program| program.grams.clone()).collect();
    // Old copies of a program do not make it common in the class.
    let rarity = Rarity::of_programs(&grams);
    prepared.iter_mut().for_each(|program| program.weigh(&rarity));
    let fingerprints: Vec<Vec<u64>> = grams.iter().map(|grams| winnow(grams)).collect();
    let class = ComparedClass { programs: prepared, fingerprints, rarity };
    all.compared = all.owners().into_iter().collect::<HashSet<_>>().len();
    let originals = originals(&all.programs);
    all.list_identical(&originals);
    all.rank_pairs(&class, &originals, options);
    all.join_pairs(&originals);
    if !earlier.is_empty() {
        let compared = earlier.len();
        let mut earlier = EarlierSources::read(earlier, &given);
        let mut matches = best_matches(earlier.match_programs(&class, &all.programs), options);
        for found in &mut matches {
            let source = std::slice::from_ref(&earlier.sources[found.place].file);
            locate_passages(&mut found.passages, &all.programs[found.program].files, source);
        }
        all.earlier = Some(EarlierComparison { compared, matches, sources: earlier.sources });
    }
    all
}

/// For each program the first one with the same text.
fn originals(programs: &[ComparedProgram]) -> Vec<usize> {
    let mut first: HashMap<Vec<&str>, usize> = HashMap::new();
    let mut all = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        let texts = program.files.iter().map(|file| file.text.as_str()).collect();
        all.push(*first.entry(texts).or_insert(at));
    }
    all
}

fn grams_of_file(file: &ComparedFile) -> Vec<u64> {
    let stream = TokenStream::read(std::slice::from_ref(file));
    grams(&stream).into_iter().map(|gram| gram.hash).collect()
}

impl Comparison {
    /// The owner of each program.
    fn owners(&self) -> Vec<&str> {
        self.programs.iter().map(|program| program.name.as_str()).collect()
    }

    fn list_identical(&mut self, originals: &[usize]) {
        let mut groups: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (program, &original) in self.programs.iter().zip(originals) {
            let names = groups.entry(original).or_default();
            if !names.contains(&program.name) {
                names.push(program.name.clone());
            }
        }
        let groups = groups.into_iter().filter(|(_, names)| names.len() > 1);
        self.identical = groups.map(|(program, names)| IdenticalPrograms { names, program }).collect();
        self.identical.sort_by_key(|group| Reverse(group.names.len()));
    }

    fn rank_pairs(&mut self, class: &ComparedClass, originals: &[usize], options: SimilarityOptions) {
        let programs = &class.programs;
        let max = (CANDIDATES_PER_PROGRAM * programs.len()).max(MIN_CANDIDATES).max(options.max);
        let owners = self.owners();
        let mut fingerprints = class.fingerprints.clone();
        for (at, own) in fingerprints.iter_mut().enumerate() {
            if originals[at] != at {
                own.clear();
            }
        }
        let candidates = find_candidates(&fingerprints, &owners, &class.rarity, max);
        let mut pairs = map_in_parallel(&candidates, THREADS, |candidate| {
            let shared = compare_pair(&programs[candidate.left], &programs[candidate.right]);
            let likeness = likeness(shared.left_share, shared.right_share);
            SimilarPair {
                left: owners[candidate.left].to_owned(),
                right: owners[candidate.right].to_owned(),
                likeness,
                shared,
                programs: [candidate.left, candidate.right],
                cluster: 0,
            }
        });
        pairs.retain(|pair| pair.likeness >= options.min && !pair.shared.passages.is_empty());
        pairs.sort_by(|a, b| b.likeness.total_cmp(&a.likeness).then(a.programs.cmp(&b.programs)));
        let mut listed = HashSet::new();
        pairs.retain(|pair| {
            let [left, right] = pair.programs.map(|program| owners[program]);
            listed.insert((left.min(right), left.max(right)))
        });
        self.more_pairs = pairs.len().saturating_sub(options.max);
        pairs.truncate(options.max);
        self.pairs = pairs;
    }

    /// Joins identical programs and the listed pairs to clusters, and finds the lines of their passages.
    fn join_pairs(&mut self, originals: &[usize]) {
        let ends = self.pairs.iter().map(|pair| (pair.programs[0], pair.programs[1]));
        let is_copy =
            |&(at, original): &(usize, usize)| self.programs[at].name != self.programs[original].name;
        let copies = originals.iter().copied().enumerate().filter(is_copy);
        let clusters = find_clusters(self.programs.len(), ends.chain(copies));
        for pair in &mut self.pairs {
            let [left, right] = pair.programs;
            locate_passages(
                &mut pair.shared.passages,
                &self.programs[left].files,
                &self.programs[right].files,
            );
            let own = clusters.iter().position(|cluster| cluster.contains(&left));
            pair.cluster = own.expect("a pair joins its programs to a cluster");
        }
        for cluster in clusters {
            self.clusters.push(cluster.iter().map(|&program| self.programs[program].name.clone()).collect());
        }
    }
}

fn best_matches(mut matches: Vec<EarlierMatch>, options: SimilarityOptions) -> Vec<EarlierMatch> {
    matches.retain(|found| found.share >= options.min);
    matches.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.program.cmp(&b.program)));
    let mut listed = HashSet::new();
    matches.retain(|found| listed.insert(found.name.clone()));
    matches.truncate(options.max);
    matches
}

/// Between the mean and the larger share: adding code to a copy lowers only one of them.
fn likeness(left: f64, right: f64) -> f64 {
    (left + right) / 4.0 + left.max(right) / 2.0
}
