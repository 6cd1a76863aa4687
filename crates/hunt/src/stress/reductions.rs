//! The kinds of steps that shrink an input, the largest first. Pure.

use super::{
    edits::{Edit, Removal},
    small_changes::{changed_numbers, other_words, removals_with_change},
    smaller_numbers::values_among,
};
use crate::form::{
    Arrangement, InputText, ItemGroup, ItemList, LaidInput, NumberToken, Series, TokenPlace, number_of,
};
use std::{collections::BTreeSet, ops::Range};

/// Lists of steps are cut at this length; another kind of step finds the rest.
pub(super) const MAX_EDITS: usize = 400_000;

/// Steps, the largest first.
pub(super) type Edits<'a> = Box<dyn Iterator<Item = Edit> + 'a>;

pub(super) struct Reduction {
    /// The name shown to people.
    pub name: &'static str,
    /// All steps of the kind.
    pub list: fn(&LaidInput) -> Edits<'_>,
}

pub(super) const REDUCTIONS: &[Reduction] = &[
    Reduction { name: "one of several tests", list: single_tests },
    Reduction { name: "removed the end", list: end_removals },
    Reduction { name: "made values equal", list: level_values },
    Reduction {
        name: "removed lines",
        list: |input| removals(input, |list| matches!(list, ItemList::Lines(_))),
    },
    Reduction {
        name: "removed tokens",
        list: |input| removals(input, |list| matches!(list, ItemList::Tokens { .. })),
    },
    Reduction {
        name: "removed letters",
        list: |input| removals(input, |list| matches!(list, ItemList::Letters { .. })),
    },
    Reduction { name: "removed a value and its lines", list: value_removals },
    Reduction { name: "lowered equal numbers", list: |input| equal_numbers(&input.text) },
    Reduction { name: "lowered numbers", list: |input| lower_numbers(&input.text) },
    Reduction { name: "closed gaps between numbers", list: |input| closed_gaps(&input.text) },
    Reduction { name: "lowered two numbers", list: |input| lower_pairs(&input.text) },
    Reduction { name: "changed equal letters", list: |input| equal_letters(&input.text) },
    Reduction { name: "changed letters", list: |input| changed_letters(&input.text) },
    Reduction { name: "sorted", list: |input| sortings(&input.text) },
    Reduction { name: "other words", list: |input| Box::new(other_words(input).into_iter()) },
    Reduction {
        name: "removed a line and changed a number",
        list: |input| Box::new(removals_with_change(input).into_iter()),
    },
    Reduction { name: "changed several numbers", list: |input| Box::new(changed_numbers(input).into_iter()) },
];

/// Chunks of a list from halves down to pairs and single items: start and length of each. Pairs are always included,
/// because some mistakes need an odd number of items.
fn chunks(items: usize) -> Vec<(usize, usize)> {
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

/// The first lines from which numbers may be changed.
fn first_lines(text: &InputText) -> Range<usize> {
    0..text.full_lines().min(3)
}

/// More tests are removed in halves.
const MAX_TESTS: usize = 100_000;

/// For an input that begins with the number of its tests: each test alone.
fn single_tests(input: &LaidInput) -> Edits<'_> {
    let first = TokenPlace { line: 0, token: 0 };
    let is_test = move |group: &ItemGroup| {
        let has_lines = matches!(group.lists[..], [ItemList::Lines(_)]);
        has_lines && group.counter == Some(first) && (2..MAX_TESTS).contains(&group.count)
    };
    let is_alone = input.text.lines[0].len() == 1;
    let groups =
        input.structure.groups.iter().enumerate().filter(move |(_, group)| is_alone && is_test(group));
    // The last one first: earlier tests mislead through the state that they leave.
    Box::new(groups.flat_map(|(at, group)| {
        (0..group.count).rev().map(move |test| Edit::of_items(at, Arrangement::Only(test)))
    }))
}

/// Inputs with fewer items need no steps for many.
const MANY: usize = 16;

/// Removes the last of many items: first their number becomes small, then all values at once, because other steps would try
/// each item.
fn end_removals(input: &LaidInput) -> Edits<'_> {
    let groups = input.structure.groups.iter().enumerate();
    let many = groups.filter(|(_, group)| group.count > MANY && group.counter.is_some());
    // Powers of two, the largest first. Lists of all lengths have the same positions: after a step, the next one begins at
    // the same size.
    Box::new(many.flat_map(|(at, group)| {
        (0..24).rev().map(move |power| match 1 << power {
            count if count < group.count => {
                Edit::of_items(at, Arrangement::Remove { from: group.count - count, count })
            }
            _ => Edit::of(Removal::Nothing),
        })
    }))
}

/// Makes all values of a long list equal, or of a column of many lines, otherwise those of a part.
fn level_values(input: &LaidInput) -> Edits<'_> {
    let mut edits = Vec::new();
    for series in input.structure.groups.iter().flat_map(|group| group.series(&input.text)) {
        let (Series::Row { count, .. } | Series::Column { count, .. }) = series;
        if count <= MANY {
            continue;
        }
        let values = level_values_of(series.places().map(|place| input.text.token(place)));
        for (from, size) in chunks(count).into_iter().take_while(|(_, size)| *size >= MANY / 2) {
            let part = series.part(from, size);
            let level = |becomes: &Vec<u8>| Removal::Level { series: part, becomes: becomes.clone() };
            edits.extend(values.iter().map(level).map(Edit::of));
        }
        if edits.len() > MAX_EDITS {
            break;
        }
    }
    Box::new(edits.into_iter())
}

/// The values to try: the usual small numbers, and the smallest one.
fn level_values_of<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Vec<Vec<u8>> {
    let mut values = vec![b"0".to_vec(), b"1".to_vec()];
    let numbers = tokens.filter(|token| number_of(token).is_some());
    values.extend(numbers.min_by_key(|token| number_of(token)).map(<[u8]>::to_vec));
    values.dedup();
    values
}

/// Removes items of groups whose first list is meant. A list of tokens or a word keeps one.
fn removals(input: &LaidInput, is_meant: fn(&ItemList) -> bool) -> Edits<'_> {
    let groups =
        input.structure.groups.iter().enumerate().filter(move |(_, group)| is_meant(&group.lists[0]));
    Box::new(groups.flat_map(|(at, group)| {
        let may_go = matches!(group.lists[..], [ItemList::Lines(_)]);
        let sizes = chunks(group.count).into_iter().filter(move |(_, count)| may_go || *count < group.count);
        sizes.map(move |(from, count)| Edit::of_items(at, Arrangement::Remove { from, count }))
    }))
}

/// Numbers that identify things, such as nodes of a graph.
fn value_removals(input: &LaidInput) -> Edits<'_> {
    let counters = input.structure.groups.iter().filter_map(|group| group.counter);
    let mut places: Vec<TokenPlace> = counters.chain(input.structure.single.iter().copied()).collect();
    places.sort_by_key(|place| (place.line, place.token));
    places.dedup();
    let things = places.into_iter().take_while(|place| place.line < 4);
    Box::new(things.flat_map(|counter| {
        let most = input.text.number(counter).filter(|number| (1..=2000).contains(number));
        (0..=most.unwrap_or(-1)).rev().map(move |value| Edit::of(Removal::Value { counter, value }))
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
        [(number / 2, number / 2 - number), (number - 1, -1), (number - 1, 1)].map(|(less, change)| {
            Edit::of_number(place, less).with_number(other.place, other.number + change)
        })
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
