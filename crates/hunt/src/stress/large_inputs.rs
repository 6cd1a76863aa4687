//! Steps for inputs with many items, such as those that show that an array is too small: first their number, then all
//! values at once. Other steps would try each item. Pure.

use super::{
    counted_parts::{MAX_EDITS, chunks, counters},
    edits::{Edit, Removal},
    input_text::{InputText, TokenPlace, number_of},
};

/// Inputs with fewer items need no such steps.
const MANY: usize = 16;

/// Powers of two, the largest first: after a step, the next one begins at the same size.
fn sizes() -> impl Iterator<Item = usize> {
    (0..24).rev().map(|power| 1 << power)
}

/// Removes the last of many items, and lowers the number that counts them.
pub(super) fn end_removals(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for line in 1..text.full_lines() {
        let start = TokenPlace { line, token: 0 };
        let below = text.full_lines() - line;
        let width = text.lines[line].len();
        for counter in counters(text, start) {
            let count = counter.number;
            let lowered =
                |removal: Removal, by: usize| Edit::of(removal).lowering(counter.place, count - by as i128);
            // Lists of all lengths have the same positions.
            let nothing = Edit::of_number(counter.place, count);
            if below > MANY && count == below as i128 {
                edits.extend(sizes().map(|by| match text.full_lines().checked_sub(by) {
                    Some(from) if by < below => lowered(Removal::Lines { from, count: by }, by),
                    _ => nothing.clone(),
                }));
            }
            if width > MANY && count == width as i128 {
                edits.extend(sizes().map(|by| match width.checked_sub(by) {
                    Some(from) if from > 0 => lowered(Removal::Columns { width, from, count: by }, by),
                    _ => nothing.clone(),
                }));
            }
        }
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

/// Makes all values of a long line equal, or of a column of many lines, otherwise those of a part.
pub(super) fn level_values(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (line, tokens) in text.lines.iter().enumerate().filter(|(_, tokens)| tokens.len() > MANY) {
        let values = level_values_of(tokens.iter());
        for (from, count) in parts(tokens.len()) {
            let level =
                |becomes: &Vec<u8>| Removal::LevelTokens { line, from, count, becomes: becomes.clone() };
            edits.extend(values.iter().map(level).map(Edit::of));
        }
    }
    let head = 1;
    let below = text.full_lines().saturating_sub(head);
    let width = text.lines.get(head).map_or(0, Vec::len);
    for token in (0..width.min(MANY)).filter(|_| below > MANY) {
        let column = text.lines[head..head + below].iter().filter_map(|line| line.get(token));
        let values = level_values_of(column);
        for (from, count) in parts(below) {
            let from = from + head;
            let level =
                |becomes: &Vec<u8>| Removal::LevelColumn { from, count, token, becomes: becomes.clone() };
            edits.extend(values.iter().map(level).map(Edit::of));
        }
    }
    edits.truncate(MAX_EDITS);
    edits
}

/// Parts of a list that are not small.
fn parts(items: usize) -> impl Iterator<Item = (usize, usize)> {
    chunks(items).into_iter().take_while(|(_, size)| *size >= MANY / 2)
}

/// The values to try: the usual small numbers, and the smallest one.
fn level_values_of<'a>(tokens: impl Iterator<Item = &'a Vec<u8>>) -> Vec<Vec<u8>> {
    let mut values = vec![b"0".to_vec(), b"1".to_vec()];
    values.extend(
        tokens.filter(|token| number_of(token).is_some()).min_by_key(|token| number_of(token)).cloned(),
    );
    values.dedup();
    values
}
