//! Inputs that differ a little from cases that are there. Most are not valid, which validators find
//! out at little cost. Pure.

use super::{
    input_text::{InputText, TokenPlace},
    random::RandomStream,
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
    match random.below(10) {
        0..=4 => change_number(text, random),
        5 => swap_tokens(text, line, random),
        6 => {
            let (one, other) = (random.below(lines), random.below(lines));
            text.lines.swap(one, other);
        }
        7 => level_line(text, line, random),
        8 => text.lines[line].reverse(),
        _ => change_letter(text, line, random),
    }
}

fn change_number(text: &mut InputText, random: &mut RandomStream) {
    let places: Vec<(TokenPlace, i128)> =
        text.places().into_iter().filter_map(|place| Some((place, text.number(place)?))).collect();
    if places.is_empty() {
        return;
    }
    let (place, number) = *random.choose(&places);
    let (_, other) = *random.choose(&places);
    let greatest = places.iter().map(|(_, number)| *number).max().unwrap_or(number);
    let changed = match random.below(8) {
        0 => number + 1,
        1 => number - 1,
        2 | 3 => other,
        4 => random.between(0, greatest),
        5 => random.between(0, 3),
        6 => -number,
        _ => random.between(0, number.abs()),
    };
    *text = text.with_number(place, changed);
}

fn swap_tokens(text: &mut InputText, line: usize, random: &mut RandomStream) {
    let tokens = &mut text.lines[line];
    let (one, other) = (random.below(tokens.len()), random.below(tokens.len()));
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
        let (at, from) = (random.below(token.len()), random.below(token.len()));
        token[at] = token[from];
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
}
