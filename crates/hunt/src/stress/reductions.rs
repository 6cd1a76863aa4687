//! The kinds of steps that shrink an input, the largest first. Pure.

use super::{
    counted_parts::{chunks, counters},
    edits::{Edit, Removal},
    input_text::{InputText, NumberToken, TokenPlace, number_of},
    large_inputs::{end_removals, level_values},
    small_changes::{changed_numbers, other_words, removals_with_change},
    smaller_numbers::values_among,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Steps, the largest first.
pub(super) type Edits<'a> = Box<dyn Iterator<Item = Edit> + 'a>;

pub(super) struct Reduction {
    /// The name shown to people.
    pub name: &'static str,
    /// All steps of the kind.
    pub list: fn(&InputText) -> Edits<'_>,
}

pub(super) const REDUCTIONS: &[Reduction] = &[
    Reduction { name: "one of several tests", list: single_tests },
    Reduction { name: "removed the end", list: |text| Box::new(end_removals(text).into_iter()) },
    Reduction { name: "made values equal", list: |text| Box::new(level_values(text).into_iter()) },
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
    Reduction { name: "other words", list: |text| Box::new(other_words(text).into_iter()) },
    Reduction {
        name: "removed a line and changed a number",
        list: |text| Box::new(removals_with_change(text).into_iter()),
    },
    Reduction { name: "changed several numbers", list: |text| Box::new(changed_numbers(text).into_iter()) },
];

/// A removal with each counter lowered by each of these numbers, and alone.
fn with_counters(removal: Removal, counters: &[NumberToken], by: &[i128]) -> Vec<Edit> {
    let plain = Edit::of(removal);
    let lowered = |one: &NumberToken| {
        let by = by.iter().filter(|by| **by <= one.number);
        by.map(|by| plain.lowering(one.place, one.number - by)).collect::<Vec<_>>()
    };
    counters.iter().flat_map(lowered).chain([plain.clone()]).collect()
}

/// The first lines from which numbers may be changed.
fn first_lines(text: &InputText) -> Range<usize> {
    0..text.full_lines().min(3)
}

/// For an input that begins with the number of its tests: each test alone, then without some tests.
fn single_tests(text: &InputText) -> Edits<'_> {
    let first = TokenPlace { line: 0, token: 0 };
    let is_alone = text.lines[0].len() == 1;
    let tests = text.number(first).filter(|tests| is_alone && (2..=100_000).contains(tests));
    let edits = move |starts: Vec<usize>| {
        let tests = starts.len() - 1;
        let lines = |test: usize, size: usize| (starts[test], starts[test + size] - starts[test]);
        let range = (1, text.full_lines());
        let alone = |test: usize| {
            let (from, count) = lines(test, 1);
            Edit::of(Removal::AllBut { range, from, count }).lowering(first, 1)
        };
        let less = |(test, size): (usize, usize)| {
            let (from, count) = lines(test, size);
            Edit::of(Removal::Lines { from, count }).lowering(first, (tests - size) as i128)
        };
        // The last one first: earlier tests mislead through the state that they leave.
        let alone = (0..tests).rev().map(alone);
        alone.chain(chunks(tests).into_iter().map(less)).collect::<Vec<_>>()
    };
    Box::new(tests.into_iter().flat_map(|tests| test_layouts(text, tests as usize)).flat_map(edits))
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

fn line_removals(text: &InputText) -> Edits<'_> {
    Box::new(chunks(text.full_lines()).into_iter().flat_map(|(from, count)| {
        let counters = counters(text, TokenPlace { line: from, token: 0 });
        // Several lines may be one counted item.
        let by: &[i128] = if (2..=8).contains(&count) { &[count as i128, 1] } else { &[count as i128] };
        with_counters(Removal::Lines { from, count }, &counters, by)
    }))
}

/// Chunks of a list, but not the whole list.
fn proper_chunks(items: usize) -> impl Iterator<Item = (usize, usize)> {
    chunks(items).into_iter().filter(move |(_, count)| *count < items)
}

fn token_removals(text: &InputText) -> Edits<'_> {
    let of_line = move |(line, tokens): (usize, &Vec<Vec<u8>>)| {
        proper_chunks(tokens.len()).flat_map(move |(from, count)| {
            let counters = counters(text, TokenPlace { line, token: from });
            with_counters(Removal::Tokens { line, from, count }, &counters, &[count as i128])
        })
    };
    Box::new(text.lines.iter().enumerate().flat_map(of_line))
}

/// Tokens in the same columns of several lines: two rows of equal length, a matrix.
fn column_removals(text: &InputText) -> Edits<'_> {
    let mut lines: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (line, tokens) in text.lines.iter().enumerate().filter(|(_, tokens)| tokens.len() > 1) {
        lines.entry(tokens.len()).or_default().push(line);
    }
    let several = lines.into_iter().filter(|(_, lines)| lines.len() > 1);
    Box::new(several.flat_map(|(width, lines)| {
        let before = counters(text, TokenPlace { line: lines[0], token: 0 });
        let columns = proper_chunks(width).flat_map(|(from, count)| {
            with_counters(Removal::Columns { width, from, count }, &before, &[count as i128])
        });
        columns.chain(square_removals(text, width, lines[0], &before)).collect::<Vec<_>>()
    }))
}

/// A row and the column with the same number, in a square.
fn square_removals(text: &InputText, width: usize, first: usize, before: &[NumberToken]) -> Vec<Edit> {
    let is_square = (first..first + width).all(|line| text.lines.get(line).is_some_and(|l| l.len() == width));
    let sizes = before.iter().filter(|one| is_square && width <= 200 && one.number == width as i128);
    let edit = |at: usize, one: &NumberToken| {
        Edit::of(Removal::Square { first, width, at }).lowering(one.place, one.number - 1)
    };
    (0..width).rev().flat_map(|at| sizes.clone().map(move |one| edit(at, one))).collect()
}

fn letter_removals(text: &InputText) -> Edits<'_> {
    Box::new(text.places().into_iter().flat_map(move |place| {
        proper_chunks(text.token(place).len()).flat_map(move |(from, count)| {
            with_counters(Removal::Letters { place, from, count }, &counters(text, place), &[count as i128])
        })
    }))
}

/// Numbers that identify things, such as nodes of a graph: removes one and the lines that name it, and lowers the
/// counts of things and lines.
fn value_removals(text: &InputText) -> Edits<'_> {
    Box::new((1..text.full_lines().min(4)).flat_map(move |first_line| {
        let head = counters(text, TokenPlace { line: first_line, token: 0 });
        let small = head.clone().into_iter().filter(|one| one.number <= 2000);
        small.flat_map(move |one| {
            let head = head.clone();
            (0..=one.number).rev().flat_map(move |value| {
                let token = value.to_string().into_bytes();
                let gone =
                    text.lines[first_line..].iter().filter(|line| line.contains(&token)).count() as i128;
                let removal = Edit::of(Removal::Value { first_line, value });
                let plain = removal.lowering(one.place, one.number - 1);
                let others = head.iter().filter(|other| other.place != one.place && other.number >= gone);
                let lowered = others.map(|other| plain.lowering(other.place, other.number - gone));
                lowered.chain([plain.clone()]).collect::<Vec<_>>()
            })
        })
    }))
}

fn numbers_from(text: &InputText, first_line: usize) -> BTreeSet<i128> {
    let places = text.places().into_iter().filter(|place| place.line >= first_line);
    places.filter_map(|place| text.number(place)).collect()
}

fn equal_numbers(text: &InputText) -> Edits<'_> {
    Box::new(first_lines(text).flat_map(|first_line| {
        let numbers = numbers_from(text, first_line);
        let values = values_among(numbers.len());
        let lowered = |&value: &i128| {
            let less = numbers.range(..value).next_back().copied();
            let equal = move |becomes| Edit::of(Removal::Equal { first_line, value, becomes });
            values(value, less).into_iter().map(equal)
        };
        numbers.iter().rev().flat_map(lowered).collect::<Vec<_>>()
    }))
}

fn lower_numbers(text: &InputText) -> Edits<'_> {
    let numbers = numbers_from(text, 0);
    let values = values_among(text.lines.iter().map(Vec::len).sum());
    Box::new(text.numbers().into_iter().flat_map(move |NumberToken { place, number }| {
        let less = numbers.range(..number).next_back().copied();
        values(number, less).into_iter().map(move |value| Edit::of_number(place, value))
    }))
}

/// Numbers move down towards their next smaller neighbour, and all greater ones with them.
fn closed_gaps(text: &InputText) -> Edits<'_> {
    Box::new(first_lines(text).flat_map(|first_line| {
        let numbers: Vec<i128> = numbers_from(text, first_line).into_iter().collect();
        let above = |above: i128, by: i128| Edit::of(Removal::Above { first_line, above, by });
        let closer = |pair: &[i128]| {
            let (low, gap) = (pair[0], pair[1] - pair[0]);
            [gap - 1, gap / 2, 1]
                .into_iter()
                .filter(move |by| (1..gap).contains(by))
                .map(move |by| above(low, by))
        };
        let shifts = |min: i128| {
            [min, min - 1, min / 2, 1].into_iter().filter(|by| *by > 0).map(move |by| above(min - 1, by))
        };
        let positive = numbers.first().copied().filter(|min| *min > 0);
        let gaps = numbers.windows(2).rev().flat_map(closer);
        gaps.chain(positive.into_iter().flat_map(shifts)).collect::<Vec<_>>()
    }))
}

/// Two numbers at once, if there are few: sums and differences often must be kept.
fn lower_pairs(text: &InputText) -> Edits<'_> {
    let numbers = Some(text.numbers()).filter(|numbers| numbers.len() <= 24).unwrap_or_default();
    let pair = |one: NumberToken, other: NumberToken| {
        let NumberToken { place, number } = one;
        [(number / 2, number / 2 - number), (number - 1, -1), (number - 1, 1)]
            .map(|(less, change)| Edit::of_number(place, less).lowering(other.place, other.number + change))
    };
    Box::new((0..numbers.len()).flat_map(move |at| {
        numbers[at + 1..].iter().flat_map(|other| pair(numbers[at], *other)).collect::<Vec<_>>()
    }))
}

/// All equal letters become a lesser letter: a common one, or one that already occurs.
fn equal_letters(text: &InputText) -> Edits<'_> {
    let letters: BTreeSet<u8> =
        text.words().into_iter().flat_map(|place| text.token(place).to_vec()).collect();
    let common = letters.iter().copied().chain(*b"01ABab").collect::<BTreeSet<u8>>();
    Box::new(letters.into_iter().rev().flat_map(move |letter| {
        let lesser: Vec<u8> = common.range(..letter).copied().collect();
        lesser.into_iter().map(move |becomes| Edit::of(Removal::EqualLetters { letter, becomes }))
    }))
}

fn changed_letters(text: &InputText) -> Edits<'_> {
    Box::new(text.words().into_iter().flat_map(move |place| {
        let token = text.token(place);
        token.iter().enumerate().flat_map(move |(at, &letter)| {
            let lesser = [b'0', b'1', b'A', b'B', b'a', b'b', token[0]].into_iter();
            let lesser = lesser.filter(move |&other| other < letter);
            lesser.map(move |becomes| Edit::of(Removal::Letter { place, at, becomes }))
        })
    }))
}

fn sortings(text: &InputText) -> Edits<'_> {
    let lines = text.full_lines();
    let several = (0..lines).filter(|line| text.lines[*line].len() > 1).map(Removal::SortLine);
    let starts = (0..lines.min(3)).filter(move |from| lines - from > 1);
    let sorted = starts.map(move |from| Removal::SortLines { from, count: lines - from });
    Box::new(several.chain(sorted).map(Edit::of))
}
