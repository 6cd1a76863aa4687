//! Finds the earlier source that is most similar to each program.

use super::{
    candidates::{THREADS, find_nearest},
    fingerprints::{MIN_LENGTH, TokenGram, winnow},
    pairs::{
        ComparedClass, Prepared, SharedCode, SharedPassage, compare_pair, four_decimals, longest_passage,
    },
    source_text::{ComparedFile, ComparedProgram},
};
use kopek_base::map_in_parallel;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, hash_map::Entry};

/// The result of comparing programs with earlier sources.
#[derive(Debug, Clone, Serialize)]
pub struct EarlierComparison {
    /// The number of earlier sources.
    pub compared: usize,
    /// For each similar program its most similar earlier source; the most similar first.
    pub matches: Vec<EarlierMatch>,
    /// The earlier sources; equal ones are merged.
    #[serde(skip)]
    pub sources: Vec<EarlierSource>,
}

impl EarlierComparison {
    /// The earlier sources of the matches, without duplicates.
    pub fn matched_sources(&self) -> impl Iterator<Item = &EarlierSource> {
        let places: BTreeSet<usize> = self.matches.iter().map(|found| found.place).collect();
        places.into_iter().map(|place| &self.sources[place])
    }

    /// Earlier sources that are similar to programs of several participants, with their names.
    pub fn near_the_same_source(&self) -> Vec<(&EarlierSource, Vec<&str>)> {
        let mut near: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for found in &self.matches {
            near.entry(found.place).or_default().push(&found.name);
        }
        near.retain(|_, names| names.len() > 1);
        near.into_iter().map(|(place, names)| (&self.sources[place], names)).collect()
    }
}

/// A source of an earlier year.
#[derive(Debug, Clone)]
pub struct EarlierSource {
    pub file: ComparedFile,
    /// Paths of other earlier sources with equal tokens.
    pub copies: Vec<String>,
}

/// A program and its most similar earlier source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EarlierMatch {
    pub name: String,
    /// The path of the source.
    pub source: String,
    /// Paths of other earlier sources with equal tokens.
    pub copies: Vec<String>,
    /// The share of the program that is in the source.
    #[serde(serialize_with = "four_decimals")]
    pub share: f64,
    /// The share of the source that is in the program.
    #[serde(serialize_with = "four_decimals")]
    pub source_share: f64,
    /// The number of other participants with the longest passage.
    pub also_in: usize,
    /// The passages; the program is on the left.
    pub passages: Vec<SharedPassage>,
    /// The program, as an index into the compared ones.
    #[serde(skip)]
    pub program: usize,
    /// The source, as an index into the earlier ones.
    #[serde(skip)]
    pub place: usize,
}

/// Prepared earlier sources; equal ones are merged.
#[derive(Default)]
pub(super) struct EarlierSources {
    pub sources: Vec<EarlierSource>,
    prepared: Vec<Prepared>,
}

impl EarlierSources {
    /// Prepares sources; those that are too short are left out.
    pub fn read(files: Vec<ComparedFile>, given: &HashSet<u64>) -> EarlierSources {
        let read = map_in_parallel(&files, THREADS, |file| Prepared::read(std::slice::from_ref(file), given));
        let mut all = EarlierSources::default();
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        for (file, read) in files.into_iter().zip(read) {
            let Some(read) = read else { continue };
            match known.entry(read.grams.iter().map(|gram| gram.hash).collect()) {
                Entry::Occupied(same) => all.sources[*same.get()].copies.push(file.path),
                Entry::Vacant(new) => {
                    new.insert(all.sources.len());
                    all.sources.push(EarlierSource { file, copies: Vec::new() });
                    all.prepared.push(read);
                }
            }
        }
        all
    }

    /// Finds the most similar source of each program that shares something with one. Programs with the same
    /// name have one owner.
    pub fn match_programs(
        &mut self,
        class: &ComparedClass,
        compared: &[ComparedProgram],
    ) -> Vec<EarlierMatch> {
        let ComparedClass { programs, fingerprints, rarity } = class;
        self.prepared.iter_mut().for_each(|source| source.weigh(rarity));
        let earlier: Vec<Vec<u64>> = self.prepared.iter().map(|source| winnow(&source.grams)).collect();
        let nearest = find_nearest(fingerprints, &earlier, rarity);
        let grams_of = |program: &Prepared| program.grams.iter().map(|gram| gram.hash).collect();
        let grams: Vec<HashSet<u64>> = programs.iter().map(grams_of).collect();
        let numbers: Vec<usize> = (0..programs.len()).collect();
        let best = map_in_parallel(&numbers, THREADS, |&program| {
            let (place, shared) = self.best_of(&programs[program], &nearest[program])?;
            let passage = longest_grams(&programs[program], &shared);
            let has_all = |other: &usize| passage.iter().all(|hash| grams[*other].contains(hash));
            let others = numbers.iter().filter(|other| compared[**other].name != compared[program].name);
            let also_in = others.filter(|other| has_all(other)).map(|other| &compared[*other].name);
            let also_in = also_in.collect::<HashSet<_>>().len();
            let EarlierSource { file, copies } = &self.sources[place];
            Some(EarlierMatch {
                name: compared[program].name.clone(),
                source: file.path.clone(),
                copies: copies.clone(),
                share: shared.left_share,
                source_share: shared.right_share,
                also_in,
                passages: shared.passages,
                program,
                place,
            })
        });
        best.into_iter().flatten().collect()
    }

    fn best_of(&self, program: &Prepared, nearest: &[usize]) -> Option<(usize, SharedCode)> {
        let mut best: Option<(usize, SharedCode)> = None;
        for &source in nearest {
            let shared = compare_pair(program, &self.prepared[source]);
            let max = best.as_ref().map_or(0.0, |(_, best)| best.left_share);
            if shared.left_share > max {
                best = Some((source, shared));
            }
        }
        best
    }
}

/// The runs in a program's longest shared passage.
fn longest_grams(program: &Prepared, shared: &SharedCode) -> Vec<u64> {
    let Some(longest) = longest_passage(&shared.passages) else { return Vec::new() };
    let span = &longest.left;
    let stream = &program.stream;
    let is_inside = |gram: &&TokenGram| {
        let (first, last) = (&stream.tokens[gram.at], &stream.tokens[gram.at + MIN_LENGTH - 1]);
        stream.files[gram.at] == span.number && span.bytes.start <= first.start && last.end <= span.bytes.end
    };
    program.grams.iter().filter(is_inside).map(|gram| gram.hash).collect()
}
