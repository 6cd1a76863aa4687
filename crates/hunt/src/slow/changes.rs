//! Changes of an input: another size, a shape of a part, another number. Pure: validators say which of them are valid.

use super::{
    input_parts::{Counter, Items, Part, Size, counted_length, items_of},
    shapes::{Bounds, GraphShape, Shape, WordPlace, WordShape},
};
use crate::stress::{InputText, TokenPlace};
use std::fmt;

/// Where an input has the number of nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeCount {
    /// The edges are counted by it.
    Counter,
    /// At this place, and at most this many.
    AtMost(TokenPlace, usize),
}

/// A change of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Another number of items, or length of a word: they are cut or repeated.
    Resize(Size, usize),
    Numbers(Part, Shape, Bounds),
    Word(Part, WordShape),
    /// The number of nodes becomes the one that the edges need. If that is too large, edges repeat.
    Graph(Part, GraphShape, NodeCount),
    Number(TokenPlace, i128),
}

impl Change {
    /// The part that it changes; `None`: single numbers.
    pub fn part(self) -> Option<Part> {
        match self {
            Change::Numbers(part, _, _) | Change::Word(part, _) | Change::Graph(part, _, _) => Some(part),
            Change::Resize(..) | Change::Number(..) => None,
        }
    }

    /// Whether neither changes what the other does.
    pub fn can_stand_beside(self, other: &Change) -> bool {
        match (self, *other) {
            // Pairs are two columns.
            (Change::Graph(..), Change::Numbers(Part::Column { token, .. }, ..))
            | (Change::Numbers(Part::Column { token, .. }, ..), Change::Graph(..)) => token > 1,
            (Change::Graph(_, _, NodeCount::AtMost(place, _)), Change::Number(other, _)) => place != other,
            _ => true,
        }
    }

    /// Whether both change the same part or number.
    pub fn is_about_same(self, other: &Change) -> bool {
        match (self, *other) {
            (Change::Number(place, _), Change::Number(other, _)) => place == other,
            (Change::Resize(size, _), Change::Resize(other, _)) => size == other,
            (one, other) => one.part().is_some() && one.part() == other.part(),
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Change::Resize(Size::Counted(counter), count) => {
                write!(f, "{} = {count}", number_name(counter.place))
            }
            Change::Resize(Size::Word(place), length) => {
                write!(f, "{}: {length} letters", Part::Word(*place))
            }
            Change::Numbers(part, shape, _) => write!(f, "{part}: {}", shape.words()),
            Change::Word(part, shape) => write!(f, "{part}: {}", shape.words()),
            Change::Graph(part, shape, _) => write!(f, "{part}: {}", shape.words()),
            Change::Number(place, number) => write!(f, "{} = {number}", number_name(*place)),
        }
    }
}

/// `n` is the first number of nearly every input.
fn number_name(place: TokenPlace) -> String {
    match place {
        TokenPlace { line: 0, token: 0 } => "n".to_owned(),
        TokenPlace { line, token: 0 } => format!("the first number of line {}", line + 1),
        TokenPlace { line, token } => format!("number {} of line {}", token + 1, line + 1),
    }
}

/// The input with these changes in order; `None`: one of them does not fit.
pub(super) fn changed(text: &InputText, changes: &[Change]) -> Option<InputText> {
    let mut text = text.clone();
    for change in changes {
        make_change(&mut text, *change)?;
    }
    Some(text)
}

fn make_change(text: &mut InputText, change: Change) -> Option<()> {
    match change {
        Change::Resize(Size::Counted(counter), count) => resize(text, counter, count)?,
        Change::Resize(Size::Word(place), length) => {
            cycle(&mut text.lines[place.line][place.token], 0, length)
        }
        Change::Number(place, number) => *text = text.with_number(place, number),
        Change::Numbers(part, shape, bounds) => {
            let places = part.places(text);
            let values: Vec<i128> = places.iter().map(|&place| text.number(place)).collect::<Option<_>>()?;
            if values.is_empty() {
                return None;
            }
            for (place, number) in places.iter().zip(shape.numbers(values.len(), &values, bounds)) {
                text.lines[place.line][place.token] = number.to_string().into_bytes();
            }
        }
        Change::Word(part, shape) => {
            let places = part.places(text);
            let mut letters: Vec<u8> = places.iter().flat_map(|place| text.token(*place)).copied().collect();
            letters.sort_unstable();
            letters.dedup();
            for (row, place) in places.into_iter().enumerate() {
                let word = &mut text.lines[place.line][place.token];
                *word = shape.word(WordPlace { row, length: word.len() }, word, &letters);
            }
        }
        Change::Graph(part, shape, nodes) => {
            let (from, lines) = (part.line(), text.full_lines());
            let count = match nodes {
                NodeCount::Counter => lines - from,
                NodeCount::AtMost(_, most) => (lines - from).min(most.saturating_sub(1)).max(1),
            };
            let edges = shape.edges(count, 1);
            for (line, [one, other]) in (from..lines).zip(edges.into_iter().cycle()) {
                text.lines[line][0] = one.to_string().into_bytes();
                text.lines[line][1] = other.to_string().into_bytes();
            }
            if let NodeCount::AtMost(place, _) = nodes {
                *text = text.with_number(place, shape.nodes(count) as i128);
            }
        }
    }
    Some(())
}

/// Sets a counter, and cuts or repeats all that it counts.
fn resize(text: &mut InputText, counter: Counter, count: usize) -> Option<()> {
    let length = counted_length(text, counter)?;
    let new = count.checked_sub(counter.more).filter(|new| *new > 0)?;
    *text = text.with_number(counter.place, count as i128);
    if let Some(from) = counter.from {
        let end = text.lines.split_off(text.full_lines());
        cycle(&mut text.lines, from, new);
        text.lines.extend(end);
    }
    for line in text.lines.iter_mut().skip(counter.place.line + 1).filter(|_| counter.has_items) {
        match items_of(line, length) {
            Some(Items::Tokens) => cycle(line, 0, new),
            Some(Items::Letters) => cycle(&mut line[0], 0, new),
            None => {}
        }
    }
    Some(())
}

/// Cuts or repeats the items from here on until there are so many.
fn cycle<T: Clone>(items: &mut Vec<T>, from: usize, count: usize) {
    let old = items.split_off(from);
    items.extend(old.iter().cycle().take(count).cloned());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(input: &str, changes: &[Change]) -> String {
        String::from_utf8(changed(&InputText::read(input.as_bytes()), changes).unwrap().bytes()).unwrap()
    }

    #[test]
    fn changes_keep_what_is_counted() {
        let first = TokenPlace { line: 0, token: 0 };
        let counter = Counter { place: first, more: 0, from: None, has_items: true };
        let row = Part::Row { line: 1 };
        let bounds = Bounds { least: 1, largest: 99 };
        let up = Change::Numbers(row, Shape::CountingUp, bounds);
        assert_eq!(after("3\n7 8 9\n", &[Change::Resize(Size::Counted(counter), 5)]), "5\n7 8 9 7 8\n");
        assert_eq!(
            after("3\n7 8 9\n1 1 1\n", &[Change::Resize(Size::Counted(counter), 4), up]),
            "4\n1 2 3 4\n1 1 1 1\n"
        );
        assert_eq!(
            after(
                "3\n7\n8\n9",
                &[Change::Resize(Size::Counted(Counter { from: Some(1), has_items: false, ..counter }), 2)]
            ),
            "2\n7\n8"
        );
        assert_eq!(after("4\nabcd\n", &[Change::Resize(Size::Counted(counter), 2)]), "2\nab\n");
        let tree = Counter { more: 1, from: Some(1), has_items: false, ..counter };
        let star = Change::Graph(Part::Edges { from: 1 }, GraphShape::Star, NodeCount::AtMost(first, 9));
        assert_eq!(
            after("4\n1 2 5\n2 3 6\n3 4 7\n", &[Change::Resize(Size::Counted(tree), 5), star]),
            "5\n1 2 5\n1 3 6\n1 4 7\n1 5 5\n"
        );
        assert_eq!(changed(&InputText::read(b"3\n7 8 9\n"), &[Change::Resize(Size::Counted(tree), 9)]), None);
    }
}
