//! Finds the passages that two programs share: the longest first, with no token in two of them.

use super::{
    fingerprints::{MIN_LENGTH, TokenGram},
    token_stream::TokenStream,
};
use std::collections::{BinaryHeap, HashMap};

/// A passage of equal tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Tile {
    pub length: usize,
    /// The first token on each side.
    pub left: usize,
    pub right: usize,
}

/// A run that occurs more often in one program is a table of data: comparing all places would take quadratic
/// time.
const MAX_PLACES: usize = 40;

/// The runs of a program by number, and its tokens.
pub(super) struct TiledSide<'a> {
    pub stream: &'a TokenStream,
    pub grams: &'a [TokenGram],
}

/// The shared passages, in the order of the left side.
pub(super) fn find_tiles(left: &TiledSide, right: &TiledSide) -> Vec<Tile> {
    let mut heap = BinaryHeap::from(longest_matches(left, right));
    let mut used = [vec![false; left.stream.tokens.len()], vec![false; right.stream.tokens.len()]];
    let mut tiles = Vec::new();
    while let Some(tile) = heap.pop() {
        let free = |at: usize| !used[0][tile.left + at] && !used[1][tile.right + at];
        let parts = free_parts(tile, free);
        if parts == [tile] {
            used[0][tile.left..tile.left + tile.length].fill(true);
            used[1][tile.right..tile.right + tile.length].fill(true);
            tiles.push(tile);
        } else {
            heap.extend(parts);
        }
    }
    tiles.sort_by_key(|tile| tile.left);
    tiles
}

/// The parts of a tile that no other tile covers, if they are long enough.
fn free_parts(tile: Tile, free: impl Fn(usize) -> bool) -> Vec<Tile> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < tile.length {
        let length = (at..tile.length).take_while(|at| free(*at)).count();
        if length >= MIN_LENGTH {
            parts.push(Tile { length, left: tile.left + at, right: tile.right + at });
        }
        at += length.max(1);
    }
    parts
}

/// Matches that cannot be extended at either end.
fn longest_matches(left: &TiledSide, right: &TiledSide) -> Vec<Tile> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for gram in right.grams {
        places.entry(gram.hash).or_default().push(gram.at);
    }
    let mut matches = Vec::new();
    for gram in left.grams {
        for &at in places.get(&gram.hash).into_iter().flatten().take(MAX_PLACES) {
            let begun = gram.at > 0 && at > 0 && go_on(left, right, gram.at - 1, at - 1);
            if !begun {
                let longer = (0..).take_while(|n| go_on(left, right, gram.at + n, at + n)).count();
                matches.push(Tile { length: longer + 1, left: gram.at, right: at });
            }
        }
    }
    // Two runs may have the same number by chance.
    matches.retain(|tile| tile.length >= MIN_LENGTH);
    matches
}

/// Whether a match of these two tokens extends to the next two.
fn go_on(left: &TiledSide, right: &TiledSide, one: usize, other: usize) -> bool {
    left.stream.is_whole(one, 2)
        && right.stream.is_whole(other, 2)
        && left.stream.tokens[one].kind == right.stream.tokens[other].kind
        && left.stream.tokens[one + 1].kind == right.stream.tokens[other + 1].kind
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similar::{compared_tokens::Token, fingerprints::grams};

    /// A program with one file, whose tokens are these letters.
    fn stream(text: &str) -> TokenStream {
        let token = |(at, byte): (usize, u8)| Token { kind: byte.into(), start: at, end: at + 1 };
        let tokens: Vec<Token> = text.bytes().enumerate().map(token).collect();
        TokenStream { own: vec![true; tokens.len()], files: vec![0; tokens.len()], tokens }
    }

    fn tiles(left: &TokenStream, right: &TokenStream) -> Vec<Tile> {
        let (one, other) = (grams(left), grams(right));
        find_tiles(&TiledSide { stream: left, grams: &one }, &TiledSide { stream: right, grams: &other })
    }

    #[test]
    fn passages_are_found_in_any_order_and_no_token_is_shared_twice() {
        let found = tiles(&stream("abcdefghijklmnopqrstuvwxyz"), &stream("nopqrstuvwxyzabcdefghijklm"));
        let expected = [Tile { length: 13, left: 0, right: 13 }, Tile { length: 13, left: 13, right: 0 }];
        assert_eq!(found, expected);
        let twice = tiles(&stream("abcdefghijklmnop"), &stream("abcdefghijklmnop.abcdefghijklmnop"));
        assert_eq!(twice.len(), 1);
    }

    #[test]
    fn no_passage_crosses_files_or_holds_what_was_given() {
        let whole = stream("abcdefghijklmnopqrstuvwxyz");
        let mut parted = stream("abcdefghijklmnopqrstuvwxyz");
        parted.files[13..].fill(1);
        assert_eq!(tiles(&whole, &parted).iter().map(|tile| tile.length).collect::<Vec<_>>(), [13, 13]);
        parted.own[5] = false;
        assert_eq!(tiles(&whole, &parted), [Tile { length: 13, left: 13, right: 13 }]);
    }
}
