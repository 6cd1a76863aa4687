//! One change of an input: plain data, applied later.

use super::input_text::{InputText, TokenPlace};

/// A change of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edit {
    pub removal: Removal,
    /// New values of numbers, by their places before the removal.
    pub numbers: Vec<(TokenPlace, i128)>,
}

/// A removal from an input, or another change of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Removal {
    Nothing,
    Lines {
        from: usize,
        count: usize,
    },
    /// All lines of a range except some in its middle.
    AllBut {
        range: (usize, usize),
        from: usize,
        count: usize,
    },
    Tokens {
        line: usize,
        from: usize,
        count: usize,
    },
    /// Tokens of all lines with this number of tokens.
    Columns {
        width: usize,
        from: usize,
        count: usize,
    },
    /// A row and the column with the same number, in a square that begins at a line.
    Square {
        first: usize,
        width: usize,
        at: usize,
    },
    Letters {
        place: TokenPlace,
        from: usize,
        count: usize,
    },
    Letter {
        place: TokenPlace,
        at: usize,
        becomes: u8,
    },
    Word {
        place: TokenPlace,
        becomes: Vec<u8>,
    },
    /// All letters equal to one, in tokens that are not numbers.
    EqualLetters {
        letter: u8,
        becomes: u8,
    },
    /// Lines from here on that contain a number; greater numbers move down by one.
    Value {
        first_line: usize,
        value: i128,
    },
    /// All numbers from a line on that equal one.
    Equal {
        first_line: usize,
        value: i128,
        becomes: i128,
    },
    /// All numbers from a line on that are greater than one.
    Above {
        first_line: usize,
        above: i128,
        by: i128,
    },
    /// Tokens of a line become equal.
    LevelTokens {
        line: usize,
        from: usize,
        count: usize,
        becomes: Vec<u8>,
    },
    /// Tokens at the same position of several lines become equal.
    LevelColumn {
        from: usize,
        count: usize,
        token: usize,
        becomes: Vec<u8>,
    },
    SortLine(usize),
    SortLines {
        from: usize,
        count: usize,
    },
}

impl Edit {
    pub fn of(removal: Removal) -> Edit {
        Edit { removal, numbers: Vec::new() }
    }

    pub fn of_number(place: TokenPlace, number: i128) -> Edit {
        Edit { removal: Removal::Nothing, numbers: vec![(place, number)] }
    }

    /// The same, with a number lowered.
    #[must_use]
    pub fn lowering(&self, place: TokenPlace, to: i128) -> Edit {
        let numbers = self.numbers.iter().copied().chain([(place, to)]).collect();
        Edit { removal: self.removal.clone(), numbers }
    }

    pub fn applied_to(&self, text: &InputText) -> InputText {
        let mut changed = text.clone();
        for (place, number) in &self.numbers {
            changed.lines[place.line][place.token] = number.to_string().into_bytes();
        }
        self.removal.apply(&mut changed);
        changed
    }
}

impl Removal {
    fn apply(&self, text: &mut InputText) {
        let lines = &mut text.lines;
        match *self {
            Removal::Nothing => {}
            Removal::Lines { from, count } => drop(lines.drain(from..from + count)),
            Removal::AllBut { range: (start, end), from, count } => {
                lines.drain(from + count..end);
                lines.drain(start..from);
            }
            Removal::Tokens { line, from, count } => drop(lines[line].drain(from..from + count)),
            Removal::Columns { width, from, count } => {
                let wide = lines.iter_mut().filter(|line| line.len() == width);
                wide.for_each(|line| drop(line.drain(from..from + count)));
            }
            Removal::Square { first, width, at } => {
                lines[first..first + width].iter_mut().for_each(|line| drop(line.remove(at)));
                lines.remove(first + at);
            }
            Removal::Letters { place, from, count } => {
                drop(lines[place.line][place.token].drain(from..from + count));
            }
            Removal::Letter { place, at, becomes } => lines[place.line][place.token][at] = becomes,
            Removal::Word { place, ref becomes } => lines[place.line][place.token].clone_from(becomes),
            Removal::EqualLetters { letter, becomes } => change_letters(lines, letter, becomes),
            Removal::Value { first_line, value } => remove_value(lines, first_line, value),
            Removal::Equal { first_line, value, becomes } => {
                change_numbers(lines, first_line, |number| if number == value { becomes } else { number })
            }
            Removal::Above { first_line, above, by } => {
                change_numbers(lines, first_line, |number| if number > above { number - by } else { number })
            }
            Removal::LevelTokens { line, from, count, ref becomes } => {
                lines[line][from..from + count].fill(becomes.clone());
            }
            Removal::LevelColumn { from, count, token, ref becomes } => {
                let column = lines[from..from + count].iter_mut().filter_map(|line| line.get_mut(token));
                column.for_each(|value| value.clone_from(becomes));
            }
            Removal::SortLine(line) => sort_tokens(&mut lines[line]),
            Removal::SortLines { from, count } => lines[from..from + count].sort(),
        }
    }
}

fn change_letters(lines: &mut [Vec<Vec<u8>>], letter: u8, becomes: u8) {
    let words = lines.iter_mut().flatten().filter(|token| super::input_text::number_of(token).is_none());
    words.flatten().filter(|other| **other == letter).for_each(|other| *other = becomes);
}

fn change_numbers(lines: &mut [Vec<Vec<u8>>], first_line: usize, change: impl Fn(i128) -> i128) {
    for token in lines.iter_mut().skip(first_line).flatten() {
        if let Some(number) = super::input_text::number_of(token) {
            let changed = change(number);
            if changed != number {
                *token = changed.to_string().into_bytes();
            }
        }
    }
}

fn remove_value(lines: &mut Vec<Vec<Vec<u8>>>, first_line: usize, value: i128) {
    let text = value.to_string().into_bytes();
    let mut number = 0;
    lines.retain(|line| {
        number += 1;
        number <= first_line || !line.contains(&text)
    });
    change_numbers(lines, first_line, |number| if number > value { number - 1 } else { number });
}

fn sort_tokens(line: &mut [Vec<u8>]) {
    line.sort_by(|one, other| {
        let numbers = (super::input_text::number_of(one), super::input_text::number_of(other));
        match numbers {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => one.cmp(other),
        }
    });
}
