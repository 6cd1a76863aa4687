//! Variations of existing cases. Most are not valid, which validators find at little cost. Pure.

use crate::form::{Arrangement, InputLayout, InputText, LaidInput, NumberToken, RandomStream};

/// An input with one to four changes.
pub(super) fn vary_input(layout: &InputLayout, base: &[u8], random: &mut RandomStream) -> Vec<u8> {
    let mut text = InputText::read(base);
    for _ in 0..=random.below(4) {
        change_once(layout, &mut text, random);
    }
    text.bytes()
}

fn change_once(layout: &InputLayout, text: &mut InputText, random: &mut RandomStream) {
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
        _ => change_items(layout, text, random),
    }
}

/// Removes or repeats items, with the number that counts them.
fn change_items(layout: &InputLayout, text: &mut InputText, random: &mut RandomStream) {
    let input = LaidInput::read(layout, text.clone());
    let groups = &input.structure.groups;
    if groups.is_empty() {
        return;
    }
    let group = random.choose(groups);
    let some = 1 + random.below(group.count.clamp(1, 3));
    let arrangement = if group.count > some && random.is_once_in(2) {
        Arrangement::Remove { from: random.below(group.count), count: some }
    } else {
        Arrangement::Resize(group.count + some)
    };
    *text = group.arranged(text, arrangement);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::TokenPlace;

    #[test]
    fn the_same_seed_varies_in_the_same_way_and_does_no_harm() {
        for base in [&b""[..], b"\n", b"3\n1 2 3\nabc\n", b"\xff \n  \n"] {
            for seed in 0..200 {
                let layout = InputLayout::of(None, &InputText::read(base));
                let vary = || vary_input(&layout, base, &mut RandomStream::new(seed, 1));
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
        let base = b"3\n7 8 9\n";
        let layout = InputLayout::of(None, &InputText::read(base));
        for seed in 0..2000 {
            let varied = vary_input(&layout, base, &mut RandomStream::new(seed, 1));
            if is_counted(&varied) {
                lengths.insert(InputText::read(&varied).lines[1].len());
            }
        }
        assert!(lengths.is_superset(&[1, 2, 3, 4, 5].into()), "{lengths:?}");
    }
}
