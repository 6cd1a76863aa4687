//! One change of an input: plain data, applied later.

use crate::form::{Arrangement, InputText, ItemList, LaidInput, Series, TokenPlace, number_of};

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
    /// Of the items of a group, by its index.
    Items {
        group: usize,
        arrangement: Arrangement,
    },
    /// A number that names a thing, and the items that name it; greater numbers move down by one.
    Value {
        counter: TokenPlace,
        value: i128,
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
    /// Some tokens become equal.
    Level {
        series: Series,
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

    pub fn of_items(group: usize, arrangement: Arrangement) -> Edit {
        Edit::of(Removal::Items { group, arrangement })
    }

    /// The same with another value of a number.
    #[must_use]
    pub fn with_number(&self, place: TokenPlace, number: i128) -> Edit {
        let numbers = self.numbers.iter().copied().chain([(place, number)]).collect();
        Edit { removal: self.removal.clone(), numbers }
    }

    pub fn applied_to(&self, input: &LaidInput) -> InputText {
        let mut changed = input.text.clone();
        for (place, number) in &self.numbers {
            changed.lines[place.line][place.token] = number.to_string().into_bytes();
        }
        match &self.removal {
            Removal::Items { group, arrangement } => {
                return input.structure.groups[*group].arranged(&changed, *arrangement);
            }
            Removal::Value { counter, value } => return without_value(input, *counter, *value),
            removal => removal.apply(&mut changed),
        }
        changed
    }
}

impl Removal {
    fn apply(&self, text: &mut InputText) {
        let lines = &mut text.lines;
        match *self {
            // They need the structure of the input.
            Removal::Nothing | Removal::Items { .. } | Removal::Value { .. } => {}
            Removal::Letter { place, at, becomes } => lines[place.line][place.token][at] = becomes,
            Removal::Word { place, ref becomes } => lines[place.line][place.token].clone_from(becomes),
            Removal::EqualLetters { letter, becomes } => change_letters(lines, letter, becomes),
            Removal::Equal { first_line, value, becomes } => {
                change_numbers(lines, first_line, |number| if number == value { becomes } else { number })
            }
            Removal::Above { first_line, above, by } => {
                change_numbers(lines, first_line, |number| if number > above { number - by } else { number })
            }
            Removal::Level { series, ref becomes } => {
                series.places().for_each(|place| lines[place.line][place.token].clone_from(becomes));
            }
            Removal::SortLine(line) => sort_tokens(&mut lines[line]),
            Removal::SortLines { from, count } => lines[from..from + count].sort(),
        }
    }
}

/// Removes the lines of all blocks that have a number, and lowers greater ones, and the number of things.
fn without_value(input: &LaidInput, counter: TokenPlace, value: i128) -> InputText {
    let LaidInput { text, structure } = input;
    let token = value.to_string().into_bytes();
    let mut changed = text.clone();
    let mut is_counted = false;
    // From the end, so that places stay; not in what changed already.
    let mut end = usize::MAX;
    for group in structure.groups.iter().rev() {
        let [ItemList::Lines(starts)] = &group.lists[..] else { continue };
        if starts[starts.len() - 1] > end {
            continue;
        }
        let names_it =
            |at: usize| text.lines[starts[at]..starts[at + 1]].iter().any(|line| line.contains(&token));
        let kept: Vec<usize> = (0..starts.len() - 1).filter(|&at| !names_it(at)).collect();
        if starts[0] > counter.line && group.counter.is_some() && kept.len() + 1 < starts.len() {
            let gone = (starts.len() - 1 - kept.len()) as i128;
            changed = group.with_items(&changed, -gone, &|_| kept.clone());
            end = starts[0];
            is_counted |= group.counter == Some(counter);
        }
    }
    change_numbers(
        &mut changed.lines,
        counter.line + 1,
        |number| {
            if number > value { number - 1 } else { number }
        },
    );
    match changed.number(counter) {
        Some(things) if !is_counted => changed.with_number(counter, things - 1),
        _ => changed,
    }
}

fn change_letters(lines: &mut [Vec<Vec<u8>>], letter: u8, becomes: u8) {
    let words = lines.iter_mut().flatten().filter(|token| number_of(token).is_none());
    words.flatten().filter(|other| **other == letter).for_each(|other| *other = becomes);
}

fn change_numbers(lines: &mut [Vec<Vec<u8>>], first_line: usize, change: impl Fn(i128) -> i128) {
    for token in lines.iter_mut().skip(first_line).flatten() {
        if let Some(number) = number_of(token) {
            let changed = change(number);
            if changed != number {
                *token = changed.to_string().into_bytes();
            }
        }
    }
}

fn sort_tokens(line: &mut [Vec<u8>]) {
    line.sort_by(|one, other| {
        let numbers = (number_of(one), number_of(other));
        match numbers {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => one.cmp(other),
        }
    });
}
