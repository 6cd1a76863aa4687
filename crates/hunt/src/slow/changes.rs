//! Changes of an input: another size, a shape of a part, another number. Pure: validators say which of them are valid.

use super::{
    input_parts::{InputPart, Size, number_said},
    shapes::{Bounds, GraphShape, Shape, WordPlace, WordShape},
};
use crate::form::{InputLayout, InputText, LaidInput, TokenPlace};
use kopek_sentences::{Decimal, Said};

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
    Numbers(InputPart, Shape, Bounds),
    Word(InputPart, WordShape),
    /// The number of nodes becomes the one that the edges need. If that is too large, edges repeat.
    Graph(InputPart, GraphShape, NodeCount),
    Number(TokenPlace, i128),
}

impl Change {
    /// The part that it changes; `None`: single numbers.
    pub fn part(self) -> Option<InputPart> {
        match self {
            Change::Numbers(part, _, _) | Change::Word(part, _) | Change::Graph(part, _, _) => Some(part),
            Change::Resize(..) | Change::Number(..) => None,
        }
    }

    /// Whether neither changes what the other does.
    pub fn can_stand_beside(self, other: &Change) -> bool {
        match (self, *other) {
            // Pairs are two columns.
            (Change::Graph(..), Change::Numbers(part, ..))
            | (Change::Numbers(part, ..), Change::Graph(..)) => part.can_stand_beside_edges(),
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

impl From<&Change> for Said {
    /// `line 2: counting up`.
    fn from(change: &Change) -> Said {
        let about = |part: &InputPart, shape: Said| Said::About {
            place: Box::new(part.into()),
            reason: shape.into(),
        };
        match change {
            Change::Resize(size, count) => size.said(*count),
            Change::Numbers(part, shape, _) => about(part, shape.said()),
            Change::Word(part, shape) => about(part, shape.said()),
            Change::Graph(part, shape, _) => about(part, shape.said()),
            Change::Number(place, value) => {
                Said::NumberIs { number: number_said(*place).into(), value: Decimal::new(value) }
            }
        }
    }
}

/// The input with these changes in order; `None`: one of them does not fit.
pub(super) fn changed(layout: &InputLayout, input: &LaidInput, changes: &[Change]) -> Option<InputText> {
    let mut input = input.clone();
    for change in changes {
        if let Change::Resize(size, count) = *change {
            input = LaidInput::read(layout, size.resized(&input, count)?);
        } else {
            make_change(&mut input, *change)?;
        }
    }
    Some(input.text)
}

fn make_change(input: &mut LaidInput, change: Change) -> Option<()> {
    let places = change.part().map(|part| part.places(input)).unwrap_or_default();
    let text = &mut input.text;
    // Another size may have made another structure.
    let fits = !places.is_empty() && places.iter().all(|&place| text.has(place));
    if change.part().is_some() && !fits {
        return None;
    }
    match change {
        // Changes the structure.
        Change::Resize(..) => return None,
        Change::Number(place, _) if !text.has(place) => return None,
        Change::Number(place, number) => *text = text.with_number(place, number),
        Change::Numbers(_, shape, bounds) => {
            let values: Vec<i128> = places.iter().map(|&place| text.number(place)).collect::<Option<_>>()?;
            for (place, number) in places.iter().zip(shape.numbers(values.len(), &values, bounds)) {
                text.lines[place.line][place.token] = number.to_string().into_bytes();
            }
        }
        Change::Word(_, shape) => {
            let mut letters: Vec<u8> = places.iter().flat_map(|place| text.token(*place)).copied().collect();
            letters.sort_unstable();
            letters.dedup();
            for (row, place) in places.into_iter().enumerate() {
                let word = &mut text.lines[place.line][place.token];
                *word = shape.word(WordPlace { row, length: word.len() }, word, &letters);
            }
        }
        Change::Graph(_, shape, nodes) => {
            // The first numbers of the lines, then the second ones.
            let lines = places.len() / 2;
            let count = match nodes {
                NodeCount::Counter => lines,
                NodeCount::AtMost(_, most) => lines.min(most.saturating_sub(1)).max(1),
            };
            let edges = shape.edges(count, 1);
            for (place, [one, other]) in places[..lines].iter().zip(edges.into_iter().cycle()) {
                text.lines[place.line][0] = one.to_string().into_bytes();
                text.lines[place.line][1] = other.to_string().into_bytes();
            }
            if let NodeCount::AtMost(place, _) = nodes {
                *text = text.with_number(place, shape.nodes(count) as i128);
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{super::input_parts::InputParts, *};

    /// An input with its first size changed to one, and its first part to a shape.
    fn after(input: &str, size: usize, shape: &dyn Fn(InputPart) -> Change) -> String {
        let text = InputText::read(input.as_bytes());
        let layout = InputLayout::of(None, &text);
        let input = LaidInput::read(&layout, text);
        let InputParts { sizes, parts, .. } = InputParts::read(&input);
        let changes = [Change::Resize(sizes[0], size), shape(parts[0])];
        String::from_utf8(changed(&layout, &input, &changes).unwrap().bytes()).unwrap()
    }

    #[test]
    fn changes_keep_what_is_counted() {
        let up = |part| Change::Numbers(part, Shape::CountingUp, Bounds { least: 1, largest: 99 });
        assert_eq!(after("3\n7 8 9\n", 5, &up), "5\n1 2 3 4 5\n");
        assert_eq!(after("3\n7 8 9\n1 1 1\n", 4, &up), "4\n1 2 3 4\n1 1 1 1\n");
        assert_eq!(after("4\nabcd\n", 2, &|part| Change::Word(part, WordShape::OneLetter)), "2\naa\n");
        let first = TokenPlace { line: 0, token: 0 };
        let star = |part| Change::Graph(part, GraphShape::Star, NodeCount::AtMost(first, 9));
        assert_eq!(after("4\n1 2 5\n2 3 6\n3 4 7\n", 5, &star), "5\n1 2 5\n1 3 6\n1 4 7\n1 5 5\n");
    }

    #[test]
    fn a_change_of_what_is_no_longer_there_does_not_fit() {
        let text = InputText::read(b"4 4\n1 2 5\n2 3 6\n3 4 7\n1 4 8\n");
        let layout = InputLayout::of(None, &text);
        let input = LaidInput::read(&layout, text);
        let InputParts { sizes, parts, .. } = InputParts::read(&input);
        for size in sizes {
            for part in &parts {
                for count in [1, 2, 9] {
                    let up = Change::Numbers(*part, Shape::CountingUp, Bounds { least: 1, largest: 9 });
                    let same = changed(&layout, &input, &[Change::Resize(size, count), up]);
                    assert!(same.is_none_or(|text| !text.bytes().is_empty()));
                }
            }
        }
        let gone = Change::Number(TokenPlace { line: 9, token: 0 }, 1);
        assert!(changed(&layout, &input, &[gone]).is_none());
    }
}
