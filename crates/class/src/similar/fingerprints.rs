//! Runs of tokens as numbers, and a selection of them that is equal for equal passages.

use super::token_stream::TokenStream;

/// Shorter passages also occur in unrelated programs.
pub(super) const MIN_LENGTH: usize = 12;
/// At least one of this many consecutive runs is selected: a passage of at least the sum of both minus one is
/// never missed.
const WINDOW: usize = 6;

/// A run of [`MIN_LENGTH`] tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenGram {
    pub hash: u64,
    /// Its first token.
    pub at: usize,
}

/// All runs within one file that are the author's own.
pub(super) fn grams(stream: &TokenStream) -> Vec<TokenGram> {
    let windows = stream.tokens.windows(MIN_LENGTH).enumerate();
    let whole = windows.filter(|(at, _)| stream.is_whole(*at, MIN_LENGTH));
    whole
        .map(|(at, run)| {
            let hash = run.iter().fold(0, |hash: u64, token| mix(hash ^ token.kind));
            TokenGram { hash, at }
        })
        .collect()
}

/// Mixes each bit into all others.
fn mix(value: u64) -> u64 {
    let value = (value ^ value >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (value ^ value >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(23)
}

/// Winnowing: the smallest of every window, and the last one of equals. Equal passages give equal selections,
/// wherever they are.
pub(super) fn winnow(grams: &[TokenGram]) -> Vec<u64> {
    let min = |window: &[TokenGram]| {
        let gram = window.iter().rev().min_by_key(|gram| gram.hash);
        gram.expect("a window has members").hash
    };
    let mut selected: Vec<u64> = grams.windows(WINDOW.min(grams.len()).max(1)).map(min).collect();
    selected.sort_unstable();
    selected.dedup();
    selected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(hashes: &[u64]) -> Vec<TokenGram> {
        hashes.iter().enumerate().map(|(at, hash)| TokenGram { hash: mix(*hash), at }).collect()
    }

    #[test]
    fn a_long_shared_passage_is_never_missed() {
        let shared: Vec<u64> = (100..100 + WINDOW as u64).collect();
        for before in 0..20 {
            let one: Vec<u64> = (0..before).chain(shared.clone()).collect();
            let other: Vec<u64> = shared.iter().copied().chain(1000..1000 + before).collect();
            let (one, other) = (winnow(&numbered(&one)), winnow(&numbered(&other)));
            assert!(one.iter().any(|hash| other.contains(hash)), "{before}");
        }
    }

    #[test]
    fn short_programs_have_a_fingerprint() {
        assert!(winnow(&numbered(&[])).is_empty());
        assert_eq!(winnow(&numbered(&[7])).len(), 1);
    }
}
