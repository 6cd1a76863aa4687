//! The kinds of steps that shrink an input, the largest first. Pure.

use super::{
    counted_parts::{MAX_EDITS, chunks, counters},
    edits::{Edit, Removal},
    input_text::{InputText, NumberToken, TokenPlace, number_of},
    large_inputs::{end_removals, level_values},
    small_changes::{changed_numbers, other_words, removals_with_change},
    smaller_numbers::values_among,
};
use std::collections::BTreeSet;

pub(super) struct Reduction {
    /// The name shown to people.
    pub name: &'static str,
    /// All steps of the kind, the largest first.
    pub list: fn(&InputText) -> Vec<Edit>,
}

pub(super) const REDUCTIONS: &[Reduction] = &[
    Reduction { name: "one of several tests", list: single_tests },
    Reduction { name: "removed the end", list: end_removals },
    Reduction { name: "made values equal", list: level_values },
    Reduction { name: "removed lines", list: line_removals },
    Reduction { name: "removed tokens", list: token_removals },
    Reduction { name: "removed columns", list: column_removals },
    Reduction { name: "removed letters", list: letter_removals },
    Reduction { name: "removed a value and its lines", list: value_removals },
    Reduction { name: "lowered equal numbers", list: equal_numbers },
    Reduction { name: "lowered numbers", list: lower_numbers },
    Reduction { name: "closed gaps between numbers", list: closed_gaps },
    Reduction { name: "lowered two numbers", list: lower_pairs },
    Reduction { name: "changed equal letters", list: equal_letters },
    Reduction { name: "changed letters", list: changed_letters },
    Reduction { name: "sorted", list: sortings },
    Reduction { name: "other words", list: other_words },
    Reduction { name: "removed a line and changed a number", list: removals_with_change },
    Reduction { name: "changed several numbers", list: changed_numbers },
];

/// A removal alone, and with each counter lowered by each of these numbers.
fn with_counters(removal: Removal, counters: &[NumberToken], by: &[i128], edits: &mut Vec<Edit>) {
    let plain = Edit::of(removal);
    for NumberToken { place, number } in counters {
        for by in by.iter().filter(|by| *by <= number) {
            edits.push(plain.lowering(*place, number - by));
        }
    }
    edits.push(plain);
}

/// For an input that begins with the number of its tests: each test alone, then without some tests.
fn single_tests(text: &InputText) -> Vec<Edit> {
    let first = TokenPlace { line: 0, token: 0 };
    let Some(tests) = text.number(first).filter(|tests| (2..=100_000).contains(tests)) else { return vec![] };
    if text.lines[0].len() != 1 {
        return vec![];
    }
    let mut edits = Vec::new();
    for starts in test_layouts(text, tests as usize) {
        let range = (1, text.full_lines());
        // The last one first: earlier tests mislead through the state that they leave.
        for test in (0..starts.len() - 1).rev() {
            let from = starts[test];
            let count = starts[test + 1] - from;
            edits.push(Edit::of(Removal::AllBut { range, from, count }).lowering(first, 1));
        }
        for (test, size) in chunks(starts.len() - 1) {
            let from = starts[test];
            let count = starts[test + size] - from;
            edits.push(Edit::of(Removal::Lines { from, count }).lowering(first, tests - size as i128));
        }
    }
    edits.truncate(MAX_EDITS);
    edits
}

/// Possible starts of the tests, and the end of the last: tests of equal length, or of a length given in their first
/// line.
fn test_layouts(text: &InputText, tests: usize) -> Vec<Vec<usize>> {
    let lines = text.full_lines() - 1;
    let mut layouts = Vec::new();
    if lines.is_multiple_of(tests) {
        layouts.push((0..=tests).map(|test| 1 + test * (lines / tests)).collect());
    }
    // The first line of a test counts lines with its first, second or third number, or the first two together.
    let counts: [&[usize]; 5] = [&[0], &[1], &[0, 1], &[2], &[]];
    for tokens in counts {
        for more in [0, 1, 2, -1] {
            layouts.extend(counted_layout(text, tests, tokens, more));
        }
    }
    layouts.dedup();
    layouts
}

fn counted_layout(text: &InputText, tests: usize, tokens: &[usize], more: i128) -> Option<Vec<usize>> {
    let mut starts = vec![1];
    let mut line = 1usize;
    for _ in 0..tests {
        let head = text.lines.get(line)?;
        let mut length = 1 + more;
        for &token in tokens {
            length += number_of(head.get(token)?)?;
        }
        if length <= 0 {
            return None;
        }
        line = line.checked_add(usize::try_from(length).ok()?)?;
        starts.push(line);
    }
    if line == text.full_lines() { Some(starts) } else { None }
}

fn line_removals(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (from, count) in chunks(text.full_lines()) {
        let counters = counters(text, TokenPlace { line: from, token: 0 });
        // Several lines may be one counted item.
        let by: &[i128] = if (2..=8).contains(&count) { &[count as i128, 1] } else { &[count as i128] };
        with_counters(Removal::Lines { from, count }, &counters, by, &mut edits);
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

fn token_removals(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (line, tokens) in text.lines.iter().enumerate().filter(|(_, tokens)| tokens.len() > 1) {
        for (from, count) in chunks(tokens.len()).into_iter().filter(|(_, count)| *count < tokens.len()) {
            let counters = counters(text, TokenPlace { line, token: from });
            with_counters(Removal::Tokens { line, from, count }, &counters, &[count as i128], &mut edits);
        }
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

/// Tokens in the same columns of several lines: two rows of equal length, a matrix.
fn column_removals(text: &InputText) -> Vec<Edit> {
    let widths: Vec<usize> = text.lines.iter().map(Vec::len).filter(|width| *width > 1).collect();
    let several: BTreeSet<usize> = widths
        .iter()
        .copied()
        .filter(|width| widths.iter().filter(|one| *one == width).count() > 1)
        .collect();
    let mut edits = Vec::new();
    for width in several {
        let first = text.lines.iter().position(|line| line.len() == width).unwrap_or(0);
        let before = counters(text, TokenPlace { line: first, token: 0 });
        for (from, count) in chunks(width).into_iter().filter(|(_, count)| *count < width) {
            with_counters(Removal::Columns { width, from, count }, &before, &[count as i128], &mut edits);
        }
        square_removals(text, width, first, &before, &mut edits);
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

/// A row and the column with the same number, in a square.
fn square_removals(
    text: &InputText,
    width: usize,
    first: usize,
    before: &[NumberToken],
    edits: &mut Vec<Edit>,
) {
    let is_square = (first..first + width).all(|line| text.lines.get(line).is_some_and(|l| l.len() == width));
    if !is_square || width > 200 {
        return;
    }
    for at in (0..width).rev() {
        for one in before.iter().filter(|one| one.number == width as i128) {
            let edit = Edit::of(Removal::Square { first, width, at });
            edits.push(edit.lowering(one.place, one.number - 1));
        }
    }
}

fn letter_removals(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for place in text.places() {
        let length = text.token(place).len();
        for (from, count) in chunks(length).into_iter().filter(|(_, count)| *count < length) {
            let counters = counters(text, place);
            with_counters(Removal::Letters { place, from, count }, &counters, &[count as i128], &mut edits);
        }
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

/// Numbers that identify things, such as nodes of a graph: removes one and the lines that name it, and lowers the
/// counts of things and lines.
fn value_removals(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for first_line in 1..text.full_lines().min(4) {
        let head = counters(text, TokenPlace { line: first_line, token: 0 });
        for one in head.iter().filter(|one| one.number <= 2000) {
            for value in (0..=one.number).rev() {
                let token = value.to_string().into_bytes();
                let gone =
                    text.lines[first_line..].iter().filter(|line| line.contains(&token)).count() as i128;
                let plain =
                    Edit::of(Removal::Value { first_line, value }).lowering(one.place, one.number - 1);
                for other in &head {
                    if other.place != one.place && other.number >= gone {
                        edits.push(plain.lowering(other.place, other.number - gone));
                    }
                }
                edits.push(plain);
            }
        }
    }
    edits.truncate(MAX_EDITS);
    edits
}

fn numbers_from(text: &InputText, first_line: usize) -> BTreeSet<i128> {
    let places = text.places().into_iter().filter(|place| place.line >= first_line);
    places.filter_map(|place| text.number(place)).collect()
}

fn equal_numbers(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for first_line in 0..text.full_lines().min(3) {
        let numbers = numbers_from(text, first_line);
        let values = values_among(numbers.len());
        for &value in numbers.iter().rev() {
            let less = numbers.range(..value).next_back().copied();
            for becomes in values(value, less) {
                edits.push(Edit::of(Removal::Equal { first_line, value, becomes }));
            }
        }
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

fn lower_numbers(text: &InputText) -> Vec<Edit> {
    let numbers = numbers_from(text, 0);
    let values = values_among(text.lines.iter().map(Vec::len).sum());
    let mut edits = Vec::new();
    for NumberToken { place, number } in text.numbers() {
        let less = numbers.range(..number).next_back().copied();
        edits.extend(values(number, less).into_iter().map(|value| Edit::of_number(place, value)));
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

/// Numbers move down towards their next smaller neighbour, and all greater ones with them.
fn closed_gaps(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for first_line in 0..text.full_lines().min(3) {
        let numbers: Vec<i128> = numbers_from(text, first_line).into_iter().collect();
        for pair in numbers.windows(2).rev() {
            let above = pair[0];
            let gap = pair[1] - above;
            for by in [gap - 1, gap / 2, 1].into_iter().filter(|by| (1..gap).contains(by)) {
                edits.push(Edit::of(Removal::Above { first_line, above, by }));
            }
        }
        if let Some(&min) = numbers.first().filter(|min| **min > 0) {
            let shifts = [min, min - 1, min / 2, 1].into_iter().filter(|by| *by > 0);
            edits.extend(shifts.map(|by| Edit::of(Removal::Above { first_line, above: min - 1, by })));
        }
    }
    edits.truncate(MAX_EDITS);
    edits
}

/// Two numbers at once, if there are few: sums and differences often must be kept.
fn lower_pairs(text: &InputText) -> Vec<Edit> {
    let numbers = text.numbers();
    if numbers.len() > 24 {
        return vec![];
    }
    let mut edits = Vec::new();
    for (at, one) in numbers.iter().enumerate() {
        let number = one.number;
        for other in &numbers[at + 1..] {
            for (less, change) in [(number / 2, number / 2 - number), (number - 1, -1), (number - 1, 1)] {
                edits.push(Edit::of_number(one.place, less).lowering(other.place, other.number + change));
            }
        }
    }
    edits
}

/// All equal letters become a lesser letter: a common one, or one that already occurs.
fn equal_letters(text: &InputText) -> Vec<Edit> {
    let mut letters: BTreeSet<u8> = BTreeSet::new();
    for place in text.words() {
        letters.extend(text.token(place));
    }
    let lesser = |letter: u8| {
        let common = [b'0', b'1', b'A', b'B', b'a', b'b'].into_iter();
        common.chain(letters.iter().copied()).filter(move |other| *other < letter).collect::<BTreeSet<u8>>()
    };
    let edits = |letter: u8| {
        lesser(letter).into_iter().map(move |becomes| Edit::of(Removal::EqualLetters { letter, becomes }))
    };
    letters.iter().rev().flat_map(|letter| edits(*letter)).collect()
}

fn changed_letters(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    for place in text.words() {
        let token = text.token(place);
        for (at, &letter) in token.iter().enumerate() {
            let lesser = [b'0', b'1', b'A', b'B', b'a', b'b', token[0]];
            let lesser = lesser.into_iter().filter(|&other| other < letter);
            edits.extend(lesser.map(|becomes| Edit::of(Removal::Letter { place, at, becomes })));
        }
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    edits
}

fn sortings(text: &InputText) -> Vec<Edit> {
    let lines = text.full_lines();
    let several = (0..lines).filter(|line| text.lines[*line].len() > 1);
    let mut edits: Vec<Edit> = several.map(|line| Edit::of(Removal::SortLine(line))).collect();
    let starts = (0..lines.min(3)).filter(|from| lines - from > 1);
    edits.extend(starts.map(|from| Edit::of(Removal::SortLines { from, count: lines - from })));
    edits
}
