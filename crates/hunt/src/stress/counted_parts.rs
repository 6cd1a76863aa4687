//! Parts of an input that steps remove, and the numbers that may count them. Pure.

use super::input_text::{InputText, NumberToken, TokenPlace};

/// Lists are cut at this length; another kind of step finds the rest.
pub(super) const MAX_EDITS: usize = 400_000;

/// Chunks of a list from halves down to pairs and single items: start and length of each. Pairs are always included,
/// because some mistakes need an odd number of items.
pub(super) fn chunks(items: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut size = items;
    while size > 0 && found.len() < MAX_EDITS {
        let starts = (0..items).step_by(size).filter(|from| from + size <= items);
        // From the end: counts are at the beginning.
        found.extend(starts.rev().map(|from| (from, size)));
        size = if size == 3 { 2 } else { size / 2 };
    }
    found
}

/// Numbers before a place that may count the things after it: those of the first lines and of the lines just before.
pub(super) fn counters(text: &InputText, before: TokenPlace) -> Vec<NumberToken> {
    let mut found = Vec::new();
    for line in 0..=before.line.min(text.lines.len() - 1) {
        if line >= 2 && line + 2 < before.line {
            continue;
        }
        for token in 0..text.lines[line].len().min(6) {
            let place = TokenPlace { line, token };
            if let Some(number) = text.number(place)
                && (line, token) < (before.line, before.token)
                && (1..=1 << 24).contains(&number)
            {
                found.push(NumberToken { place, number });
            }
        }
    }
    found
}
