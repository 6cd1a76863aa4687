//! Selects pairs for a close comparison: those that share fingerprints.

use super::rarity::Rarity;
use kopek_base::map_in_parallel;
use std::collections::HashMap;

/// Two programs by number, and the weight of the fingerprints that they share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PairCandidate {
    pub left: usize,
    pub right: usize,
    pub share: f64,
}

/// The largest number of threads.
pub(super) const THREADS: usize = 64;

/// The `max` pairs of different owners that share most.
pub(super) fn find_candidates(
    fingerprints: &[Vec<u64>],
    owners: &[&str],
    rarity: &Rarity,
    max: usize,
) -> Vec<PairCandidate> {
    let holders = holders_of(fingerprints);
    let whole: Vec<f64> =
        fingerprints.iter().map(|own| own.iter().map(|hash| rarity.weight(*hash)).sum()).collect();
    let numbers: Vec<usize> = (0..fingerprints.len()).collect();
    let rows = map_in_parallel(&numbers, THREADS, |&left| {
        // Row by row: for a large course, a table of all pairs would not fit into memory.
        let mut shared = vec![0.0; fingerprints.len()];
        for hash in &fingerprints[left] {
            let weight = rarity.weight(*hash);
            holders[hash].iter().for_each(|right| shared[*right] += weight);
        }
        let share = |right: usize| shared[right] / whole[left].min(whole[right]).max(f64::MIN_POSITIVE);
        let others = (left + 1..fingerprints.len())
            .filter(|right| shared[*right] > 0.0 && owners[left] != owners[*right]);
        others.map(|right| PairCandidate { left, right, share: share(right) }).collect::<Vec<_>>()
    });
    let mut all = rows.concat();
    all.sort_by(|a, b| b.share.total_cmp(&a.share).then((a.left, a.right).cmp(&(b.left, b.right))));
    all.truncate(max);
    all
}

/// The number of earlier sources that are compared closely with each program.
const NEAREST: usize = 6;

/// The earlier sources that share most with each program, most similar first.
pub(super) fn find_nearest(programs: &[Vec<u64>], earlier: &[Vec<u64>], rarity: &Rarity) -> Vec<Vec<usize>> {
    let holders = holders_of(earlier);
    map_in_parallel(programs, THREADS, |own| {
        let mut shared: HashMap<usize, f64> = HashMap::new();
        for hash in own {
            for source in holders.get(hash).into_iter().flatten() {
                *shared.entry(*source).or_default() += rarity.weight(*hash);
            }
        }
        let mut all: Vec<(usize, f64)> = shared.into_iter().collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(NEAREST);
        all.into_iter().map(|(source, _)| source).collect()
    })
}

fn holders_of(fingerprints: &[Vec<u64>]) -> HashMap<u64, Vec<usize>> {
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (program, own) in fingerprints.iter().enumerate() {
        for hash in own {
            holders.entry(*hash).or_default().push(program);
        }
    }
    holders
}
