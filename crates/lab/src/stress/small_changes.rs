//! Steps for inputs so small that whole neighbourhoods can be tried: several changes at once, each to
//! anything as small as what is there already. Pure.

use super::{
    edits::{Edit, Removal},
    input_text::{InputText, TokenPlace, compare_size},
};
use std::{cmp::Ordering, ops::RangeInclusive};

/// Longer neighbourhoods are neither tried nor listed, nor inputs of more numbers, nor of greater ones.
const MOST_EDITS: usize = 1000;
const MOST_LISTED: usize = 20_000;
const MOST_NUMBERS: usize = 24;
const FARTHEST: i128 = 100;

/// All other numbers below the first line where these are few, else two numbers that become any others.
pub(super) fn changed_numbers(text: &InputText) -> Vec<Edit> {
    let places = few_numbers(text);
    let below: Vec<TokenPlace> = places.iter().copied().filter(|place| place.line > 0).collect();
    if let Some(all) = all_values(text, &Edit::of(Removal::Nothing), &below) {
        return few_smaller(text, all);
    }
    let mut edits = Vec::new();
    for (at, &one) in places.iter().enumerate() {
        for &other in &places[at + 1..] {
            let pair = [one, other];
            edits.extend(all_values(text, &Edit::of(Removal::Nothing), &pair).unwrap_or_default());
        }
        if edits.len() > MOST_LISTED {
            return vec![];
        }
    }
    few_smaller(text, edits)
}

/// A line goes, what may count it is lowered, and of the numbers below the first line all become any others where
/// these are few, else one.
pub(super) fn removals_with_change(text: &InputText) -> Vec<Edit> {
    let places = few_numbers(text);
    let mut edits = Vec::new();
    for from in 1..text.full_lines().min(MOST_NUMBERS) {
        for &counter in places.iter().filter(|place| place.line < from) {
            let Some(count) = text.number(counter).filter(|count| *count > 0) else { continue };
            let removal = Edit::of(Removal::Lines { from, count: 1 }).lowering(counter, count - 1);
            let is_left = |place: &&TokenPlace| **place != counter && ![0, from].contains(&place.line);
            let left: Vec<TokenPlace> = places.iter().filter(is_left).copied().collect();
            match all_values(text, &removal, &left) {
                Some(all) => edits.extend(all),
                None => edits.extend(
                    left.iter().flat_map(|&place| all_values(text, &removal, &[place]).unwrap_or_default()),
                ),
            }
            if edits.len() > MOST_LISTED {
                return vec![];
            }
        }
    }
    few_smaller(text, edits)
}

/// A step with all values that these numbers may have, if they are not too many.
fn all_values(text: &InputText, step: &Edit, places: &[TokenPlace]) -> Option<Vec<Edit>> {
    let mut edits = vec![step.clone()];
    for &place in places {
        let values = values(text, place);
        if edits.len() * (values.end() - values.start() + 1) as usize > MOST_LISTED {
            return None;
        }
        let with_all =
            |edit: &Edit| values.clone().map(|value| edit.lowering(place, value)).collect::<Vec<_>>();
        edits = edits.iter().flat_map(with_all).collect();
    }
    Some(edits)
}

/// Those that make the input smaller, unless they are too many to be tried.
fn few_smaller(text: &InputText, mut edits: Vec<Edit>) -> Vec<Edit> {
    let bytes = text.bytes();
    edits.retain(|edit| compare_size(&edit.applied_to(text).bytes(), &bytes) == Ordering::Less);
    if edits.len() > MOST_EDITS { vec![] } else { edits }
}

/// All words of the letters below the greatest of a short word, as long as it is, or shorter.
pub(super) fn other_words(text: &InputText) -> Vec<Edit> {
    let mut edits = Vec::new();
    let words = text.places().into_iter().filter(|place| text.number(*place).is_none());
    for place in words {
        let word = text.token(place);
        let (Some(&greatest), true) = (word.iter().max(), word.iter().all(u8::is_ascii_alphabetic)) else {
            continue;
        };
        let least = if greatest.is_ascii_lowercase() { b'a' } else { b'A' };
        let Some(all) = words_up_to(word.len(), least..=greatest) else { continue };
        edits.extend(all.into_iter().map(|becomes| Edit::of(Removal::Word { place, becomes })));
        if edits.len() > MOST_EDITS {
            return vec![];
        }
    }
    few_smaller(text, edits)
}

fn words_up_to(length: usize, letters: RangeInclusive<u8>) -> Option<Vec<Vec<u8>>> {
    let (mut all, mut longest) = (Vec::new(), vec![Vec::new()]);
    for _ in 0..length {
        let longer = |word: &Vec<u8>| {
            letters.clone().map(|letter| [&word[..], &[letter]].concat()).collect::<Vec<_>>()
        };
        longest = longest.iter().flat_map(longer).collect();
        all.extend_from_slice(&longest);
        if all.len() > MOST_EDITS {
            return None;
        }
    }
    Some(all)
}

/// Where the numbers stand, if they are few and small.
fn few_numbers(text: &InputText) -> Vec<TokenPlace> {
    let numbers: Vec<(TokenPlace, i128)> =
        text.places().into_iter().filter_map(|place| Some((place, text.number(place)?))).collect();
    let is_small =
        numbers.len() <= MOST_NUMBERS && numbers.iter().all(|(_, number)| number.abs() <= FARTHEST);
    if is_small { numbers.into_iter().map(|(place, _)| place).collect() } else { vec![] }
}

/// What a number may become: nothing farther from 0 than the farthest of the first line, or of those below.
fn values(text: &InputText, place: TokenPlace) -> RangeInclusive<i128> {
    let alike = |other: &TokenPlace| (other.line == 0) == (place.line == 0);
    let of_kind = || text.places().into_iter().filter(alike).filter_map(|other| text.number(other));
    let farthest = of_kind().map(i128::abs).max().unwrap_or(0);
    if of_kind().any(|number| number < 0) { -farthest..=farthest } else { 0..=farthest }
}
