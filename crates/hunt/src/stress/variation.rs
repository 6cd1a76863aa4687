//! Variations of existing cases. Most are not valid, which validators find at little cost. Pure.

use super::{
    RandomStream,
    input_text::{InputText, NumberToken, TokenPlace, number_of},
};

/// An input with one to four changes.
pub(super) fn vary_input(base: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let mut text = InputText::read(base);
    for _ in 0..=random.below(4) {
        change_once(&mut text, random);
    }
    text.bytes()
}

fn change_once(text: &mut InputText, random: &mut RandomStream) {
    let lines = text.full_lines();
    if lines == 0 {
        return;
    }
    let line = random.below(lines);
    match random.below(14) {
        0..=4 => change_number(text, random),
        5 => swap_tokens(text, line, random),
        6 => {
            let one = random.below(lines);
            text.lines.swap(one, random.below(lines));
        }
        7 => level_line(text, line, random),
        8 => text.lines[line].reverse(),
        9 => change_letter(text, line, random),
        10 => change_length(text, line, random),
        11 => change_lines(text, line, random),
        _ => repeat_letters(text, line, random),
    }
}

fn change_number(text: &mut InputText, random: &mut RandomStream) {
    let numbers = text.numbers();
    let Some(last) = numbers.last() else { return };
    // The last number often controls a loop.
    let NumberToken { place, number } = if random.is_once_in(6) { *last } else { *random.choose(&numbers) };
    let other = random.choose(&numbers).number;
    let max = numbers.iter().map(|one| one.number).max().unwrap_or(number);
    let changed = match random.below(8) {
        0 => number + 1,
        1 => number - 1,
        2 | 3 => other,
        4 => random.between(0, max),
        5 => random.between(0, 3),
        6 => -number,
        _ => random.between(0, number.abs()),
    };
    *text = text.with_number(place, changed);
}

fn swap_tokens(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let tokens = &mut text.lines[line];
    let one = random.below(tokens.len());
    let other = random.below(tokens.len());
    tokens.swap(one, other);
}

/// All tokens of a line become equal to one of them.
fn level_line(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let token = random.choose(&text.lines[line]).clone();
    text.lines[line].fill(token);
}

fn change_letter(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let which = random.below(text.lines[line].len());
    let token = &mut text.lines[line][which];
    if !token.is_empty() {
        let at = random.below(token.len());
        let from = random.below(token.len());
        token[at] = token[from];
    }
}

/// Adds or removes a token of a line, and adjusts a number that may count them.
fn change_length(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let length = text.lines[line].len();
    let at = random.below(length);
    let by = if length > 1 && random.is_once_in(2) { -1 } else { 1 };
    count_along(text, TokenPlace { line, token: 0 }, length, by, random);
    let tokens = &mut text.lines[line];
    match by {
        1 => tokens.insert(at, tokens[random.below(length)].clone()),
        _ => drop(tokens.remove(at)),
    }
}

/// Adds or removes a line, and adjusts a number that may count them.
fn change_lines(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let lines = text.full_lines();
    let by = if lines > 1 && random.is_once_in(2) { -1 } else { 1 };
    count_along(text, TokenPlace { line, token: 0 }, lines - line, by, random);
    match by {
        1 => text.lines.insert(line, text.lines[random.below(lines)].clone()),
        _ => drop(text.lines.remove(line)),
    }
}

/// Adjusts a counter above a place: a number that equals the count, otherwise any of the first line.
fn count_along(text: &mut InputText, before: TokenPlace, count: usize, by: i128, random: &mut RandomStream) {
    let mut counters = text.numbers();
    counters.retain(|one| one.place.line < before.line);
    if counters.iter().any(|one| one.number == count as i128) {
        counters.retain(|one| one.number == count as i128);
    } else {
        counters.retain(|one| one.place.line == 0);
    }
    if !counters.is_empty() {
        let counter = random.choose(&counters);
        *text = text.with_number(counter.place, counter.number + by);
    }
}

/// Repeats or removes some letters of a token, unless it is a number.
fn repeat_letters(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let token = random.below(text.lines[line].len());
    let place = TokenPlace { line, token };
    let letters = &mut text.lines[line][token];
    if letters.is_empty() || number_of(letters).is_some() {
        return;
    }
    let length = letters.len();
    let from = random.below(length);
    let other = random.below(length);
    let range = from.min(other)..=from.max(other);
    let some = letters[range.clone()].to_vec();
    if random.is_once_in(2) {
        letters.splice(from..from, some.iter().copied());
        count_along(text, place, length, some.len() as i128, random);
    } else if some.len() < length {
        letters.drain(range);
        count_along(text, place, length, -(some.len() as i128), random);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_varies_in_the_same_way_and_does_no_harm() {
        for base in [&b""[..], b"\n", b"3\n1 2 3\nabc\n", b"\xff \n  \n"] {
            for seed in 0..200 {
                let vary = || vary_input(base, &mut RandomStream::new(seed, 1));
                assert_eq!(vary(), vary());
            }
        }
    }

    /// Whether a number is followed by a line with that number of tokens.
    fn is_counted(bytes: &[u8]) -> bool {
        let text = InputText::read(bytes);
        let count = text.number(TokenPlace { line: 0, token: 0 });
        text.lines.len() == 3 && count == Some(text.lines[1].len() as i128)
    }

    #[test]
    fn what_is_counted_becomes_longer_and_shorter_with_its_count() {
        let mut lengths = std::collections::BTreeSet::new();
        for seed in 0..2000 {
            let varied = vary_input(b"3\n7 8 9\n", &mut RandomStream::new(seed, 1));
            if is_counted(&varied) {
                lengths.insert(InputText::read(&varied).lines[1].len());
            }
        }
        assert!(lengths.is_superset(&[1, 2, 3, 4, 5].into()), "{lengths:?}");
    }
}
