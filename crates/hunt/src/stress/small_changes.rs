//! Steps for inputs that are small enough to try whole neighbourhoods: several changes at once, each within the range
//! of existing values. Pure.

use super::edits::{Edit, Removal};
use crate::form::{Arrangement, InputText, ItemList, LaidInput, TokenPlace, compare_size};
use std::{cmp::Ordering, ops::RangeInclusive};

/// Limits for neighbourhoods: edits to try and to list, numbers in an input, and their distance from 0.
const MAX_EDITS: usize = 1000;
const MAX_LISTED: usize = 20_000;
const MAX_NUMBERS: usize = 24;
const FARTHEST: i128 = 100;

/// Other values for all numbers below the first line if these are few, otherwise for any two numbers.
pub(super) fn changed_numbers(input: &LaidInput) -> Vec<Edit> {
    let places = few_numbers(&input.text);
    let below: Vec<TokenPlace> = places.iter().copied().filter(|place| place.line > 0).collect();
    let nothing = Edit::of(Removal::Nothing);
    if let Some(all) = all_values(&input.text, &nothing, &below) {
        return few_smaller(input, all);
    }
    let mut edits = Vec::new();
    for (at, &one) in places.iter().enumerate() {
        for &other in &places[at + 1..] {
            edits.extend(all_values(&input.text, &nothing, &[one, other]).unwrap_or_default());
        }
        if edits.len() > MAX_LISTED {
            return vec![];
        }
    }
    few_smaller(input, edits)
}

/// Removes a line that is counted, and changes all numbers below the first line if these are few, otherwise one of them.
pub(super) fn removals_with_change(input: &LaidInput) -> Vec<Edit> {
    let places = few_numbers(&input.text);
    let mut edits = Vec::new();
    for (group, one) in input.structure.groups.iter().enumerate() {
        let ([ItemList::Lines(starts)], false) = (&one.lists[..], places.is_empty()) else { continue };
        for from in 0..starts.len() - 1 {
            let removal = Edit::of_items(group, Arrangement::Remove { from, count: 1 });
            let gone = starts[from]..starts[from + 1];
            let is_left = |place: &&TokenPlace| {
                one.counter != Some(**place) && place.line > 0 && !gone.contains(&place.line)
            };
            let left: Vec<TokenPlace> = places.iter().filter(is_left).copied().collect();
            match all_values(&input.text, &removal, &left) {
                Some(all) => edits.extend(all),
                None => edits.extend(
                    left.iter()
                        .flat_map(|&place| all_values(&input.text, &removal, &[place]).unwrap_or_default()),
                ),
            }
            if edits.len() > MAX_LISTED {
                return vec![];
            }
        }
    }
    few_smaller(input, edits)
}

/// A step combined with all values of these numbers, unless there are too many.
fn all_values(text: &InputText, step: &Edit, places: &[TokenPlace]) -> Option<Vec<Edit>> {
    let mut edits = vec![step.clone()];
    for &place in places {
        let values = values(text, place);
        if edits.len() * (values.end() - values.start() + 1) as usize > MAX_LISTED {
            return None;
        }
        let with_all =
            |edit: &Edit| values.clone().map(|value| edit.with_number(place, value)).collect::<Vec<_>>();
        edits = edits.iter().flat_map(with_all).collect();
    }
    Some(edits)
}

/// The steps that make the input smaller, unless there are too many to try.
fn few_smaller(input: &LaidInput, mut edits: Vec<Edit>) -> Vec<Edit> {
    let bytes = input.text.bytes();
    edits.retain(|edit| compare_size(&edit.applied_to(input).bytes(), &bytes) == Ordering::Less);
    if edits.len() > MAX_EDITS { vec![] } else { edits }
}

/// All words up to the length of a short word, from letters up to its maximum.
pub(super) fn other_words(input: &LaidInput) -> Vec<Edit> {
    let text = &input.text;
    let mut edits = Vec::new();
    for place in text.words() {
        let word = text.token(place);
        let (Some(&max), true) = (word.iter().max(), word.iter().all(u8::is_ascii_alphabetic)) else {
            continue;
        };
        let min = if max.is_ascii_lowercase() { b'a' } else { b'A' };
        let Some(all) = words_up_to(word.len(), min..=max) else { continue };
        edits.extend(all.into_iter().map(|becomes| Edit::of(Removal::Word { place, becomes })));
        if edits.len() > MAX_EDITS {
            return vec![];
        }
    }
    few_smaller(input, edits)
}

fn words_up_to(length: usize, letters: RangeInclusive<u8>) -> Option<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    let mut longest = vec![Vec::new()];
    for _ in 0..length {
        let longer = |word: &Vec<u8>| {
            letters.clone().map(|letter| [&word[..], &[letter]].concat()).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend_from_slice(&longest);
        if all.len() > MAX_EDITS {
            return None;
        }
    }
    Some(all)
}

/// The places of the numbers, if they are few and small.
fn few_numbers(text: &InputText) -> Vec<TokenPlace> {
    let numbers = text.numbers();
    let is_small = numbers.len() <= MAX_NUMBERS && numbers.iter().all(|one| one.number.abs() <= FARTHEST);
    if is_small { numbers.into_iter().map(|one| one.place).collect() } else { vec![] }
}

/// Values for a number: at most as far from 0 as the farthest of the first line, or of the lines below.
fn values(text: &InputText, place: TokenPlace) -> RangeInclusive<i128> {
    let mut alike = text.numbers();
    alike.retain(|other| (other.place.line == 0) == (place.line == 0));
    let farthest = alike.iter().map(|one| one.number.abs()).max().unwrap_or(0);
    if alike.iter().any(|one| one.number < 0) { -farthest..=farthest } else { 0..=farthest }
}
