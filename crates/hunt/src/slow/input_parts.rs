//! Parts of an input that can be longer or have another shape: lists of numbers, words, edges, and single numbers.
//! Pure: validators say which changes are valid.

use crate::stress::{InputText, TokenPlace, number_of};
use std::fmt;

/// A part of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All numbers of a line.
    Row { line: usize },
    /// A number of each line from this one on.
    Column { from: usize, token: usize },
    /// The first two numbers of each line from this one on.
    Edges { from: usize },
    /// A word.
    Word(TokenPlace),
    /// The words of each line from this one on.
    Words { from: usize },
}

impl Part {
    /// The line where it begins.
    pub fn line(self) -> usize {
        match self {
            Part::Row { line } => line,
            Part::Column { from, .. } | Part::Edges { from } | Part::Words { from } => from,
            Part::Word(place) => place.line,
        }
    }
}

impl Part {
    /// The places of its numbers or words.
    pub fn places(self, text: &InputText) -> Vec<TokenPlace> {
        let below =
            |from: usize, token: usize| (from..text.full_lines()).map(move |line| TokenPlace { line, token });
        match self {
            Part::Row { line } => {
                (0..text.lines[line].len()).map(|token| TokenPlace { line, token }).collect()
            }
            Part::Column { from, token } => below(from, token).collect(),
            Part::Words { from } => below(from, 0).collect(),
            Part::Edges { from } => below(from, 0).chain(below(from, 1)).collect(),
            Part::Word(place) => vec![place],
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let line = self.line() + 1;
        match self {
            Part::Row { .. } => write!(f, "line {line}"),
            Part::Column { token, .. } => write!(f, "column {} from line {line} on", token + 1),
            Part::Edges { .. } => write!(f, "the pairs from line {line} on"),
            Part::Word(place) if place.token > 0 => write!(f, "word {} of line {line}", place.token + 1),
            Part::Word(_) => write!(f, "line {line}"),
            Part::Words { .. } => write!(f, "the lines from line {line} on"),
        }
    }
}

/// A number that counts items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counter {
    pub place: TokenPlace,
    /// A tree with n nodes has n - 1 lines.
    pub more: usize,
    /// It counts the lines from this one on.
    pub from: Option<usize>,
    /// It counts the items of lines that have as many.
    pub has_items: bool,
}

/// Something that can be longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Size {
    Counted(Counter),
    Word(TokenPlace),
}

impl Size {
    pub fn of(self, text: &InputText) -> usize {
        match self {
            Size::Counted(counter) => {
                text.number(counter.place).and_then(|size| usize::try_from(size).ok()).unwrap_or(0)
            }
            Size::Word(place) => text.token(place).len(),
        }
    }
}

/// Lines at the beginning that may have numbers of items.
const HEAD: usize = 2;
/// Shorter lists are no lists.
const MIN_ITEMS: usize = 3;

/// The parts of an input and the numbers that count them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct InputParts {
    pub counters: Vec<Counter>,
    pub parts: Vec<Part>,
    /// Other numbers of the first lines.
    pub numbers: Vec<TokenPlace>,
}

impl InputParts {
    pub fn read(text: &InputText) -> InputParts {
        InputParts::read_heads(text, head_numbers(text))
    }

    /// With another choice of equal numbers.
    pub fn read_otherwise(text: &InputText) -> InputParts {
        InputParts::read_heads(text, head_numbers(text).into_iter().rev().collect())
    }

    /// The first of the numbers that may count something counts it.
    fn read_heads(text: &InputText, places: Vec<TokenPlace>) -> InputParts {
        let mut found = InputParts::default();
        for &place in &places {
            let is_same = |other: &&TokenPlace| text.number(**other) == text.number(place);
            let free = Uncounted {
                lines: found.counters.iter().all(|other| other.from.is_none()),
                items_of_lines: places.iter().filter(is_same).count() == 1,
            };
            match counter_at(text, place, &free) {
                Some(counter) => found.counters.push(counter),
                None => found.numbers.push(place),
            }
        }
        found.parts = parts_of(text);
        // A number that is an item of a list is no number of its own.
        let is_item = |place: &TokenPlace| found.parts.iter().any(|part| covers(*part, *place));
        found.numbers.retain(|place| !is_item(place));
        found
    }

    /// Whether equal numbers could count the same.
    pub fn is_ambiguous(&self, text: &InputText) -> bool {
        let head = self.counters.iter().map(|counter| counter.place).chain(self.numbers.iter().copied());
        let mut values: Vec<Option<i128>> = head.map(|place| text.number(place)).collect();
        values.sort_unstable();
        values.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// What can be longer: what is counted, otherwise single words.
    pub fn sizes(&self) -> Vec<Size> {
        let counted: Vec<Size> = self.counters.iter().copied().map(Size::Counted).collect();
        let words = self.parts.iter().filter_map(|part| match part {
            Part::Word(place) => Some(Size::Word(*place)),
            Part::Row { .. } | Part::Column { .. } | Part::Edges { .. } | Part::Words { .. } => None,
        });
        if counted.is_empty() { words.collect() } else { counted }
    }
}

/// Numbers that may count items.
fn head_numbers(text: &InputText) -> Vec<TokenPlace> {
    let short = (0..text.full_lines().min(HEAD)).filter(|&line| text.lines[line].len() <= 4);
    let places =
        short.flat_map(|line| (0..text.lines[line].len()).map(move |token| TokenPlace { line, token }));
    places.filter(|&place| text.number(place).is_some()).collect()
}

fn covers(part: Part, place: TokenPlace) -> bool {
    match part {
        Part::Row { line } => line == place.line,
        Part::Column { from, .. } | Part::Edges { from } | Part::Words { from } => place.line >= from,
        Part::Word(word) => word == place,
    }
}

pub(super) fn counted_length(text: &InputText, counter: Counter) -> Option<usize> {
    let count = usize::try_from(text.number(counter.place)?).ok()?;
    count.checked_sub(counter.more).filter(|length| *length >= MIN_ITEMS)
}

/// What no earlier number counts.
struct Uncounted {
    lines: bool,
    /// Also of lines that are counted by the same number.
    items_of_lines: bool,
}

/// A number that counts something. Of equal numbers, the first counts lines and the second items.
fn counter_at(text: &InputText, place: TokenPlace, free: &Uncounted) -> Option<Counter> {
    let lines = text.full_lines();
    let block = |counter: &Counter| {
        let from = lines.checked_sub(counted_length(text, *counter)?)?;
        // Not the end of a longer block.
        let is_whole = || from == place.line + 1 || text.lines[from - 1].len() != text.lines[from].len();
        let is_block = from > place.line && from < lines && is_even(text, from, lines) && is_whole();
        // Lines of trees are pairs.
        (free.lines && is_block && (counter.more == 0 || text.lines[from].len() >= 2)).then_some(from)
    };
    let tree = Counter { place, more: 1, from: None, has_items: false };
    let plain = Counter { more: 0, ..tree };
    let from = block(&plain);
    let has_items = (from.is_none() || free.items_of_lines)
        && counted_length(text, plain).is_some_and(|length| {
            (place.line + 1..lines).any(|line| items_of(&text.lines[line], length).is_some())
        });
    match (from, has_items) {
        (None, false) => block(&tree).map(|from| Counter { from: Some(from), ..tree }),
        _ => Some(Counter { from, has_items, ..plain }),
    }
}

/// Items of a line.
pub(super) enum Items {
    Tokens,
    /// Of its only word.
    Letters,
}

/// What there is of this number in a line.
pub(super) fn items_of(line: &[Vec<u8>], length: usize) -> Option<Items> {
    match line {
        tokens if tokens.len() == length => Some(Items::Tokens),
        [word] if word.len() == length && number_of(word).is_none() => Some(Items::Letters),
        _ => None,
    }
}

/// Whether these lines have equally many tokens.
fn is_even(text: &InputText, from: usize, to: usize) -> bool {
    text.lines[from..to].iter().all(|line| line.len() == text.lines[from].len())
}

/// Lists, columns, words and edges.
fn parts_of(text: &InputText) -> Vec<Part> {
    let mut parts = Vec::new();
    let lines = text.full_lines();
    for line in 0..lines {
        let tokens = &text.lines[line];
        let is_number = |token: usize| text.number(TokenPlace { line, token }).is_some();
        if tokens.len() >= MIN_ITEMS && line > 0 && (0..tokens.len()).all(is_number) {
            parts.push(Part::Row { line });
        }
        let words = (0..tokens.len().min(4)).filter(|&token| !is_number(token) && tokens[token].len() > 1);
        parts.extend(words.map(|token| Part::Word(TokenPlace { line, token })));
        if parts.len() > MAX_PARTS {
            parts.clear();
            break;
        }
    }
    // The largest block of equal lines at the end.
    let from = (1..lines).find(|&from| lines - from >= MIN_ITEMS && is_even(text, from, lines));
    if let Some(from) = from {
        // Words of a block change together.
        parts.retain(|part| !matches!(part, Part::Word(place) if place.line >= from));
        parts.extend(block_parts(text, from, lines));
    }
    parts
}

/// More lists than this are rows of a block.
const MAX_PARTS: usize = 8;

fn block_parts(text: &InputText, from: usize, lines: usize) -> Vec<Part> {
    let width = text.lines[from].len();
    let is_number =
        |token: usize| (from..lines).all(|line| text.number(TokenPlace { line, token }).is_some());
    let columns: Vec<usize> = (0..width.min(4)).filter(|&token| is_number(token)).collect();
    let mut parts = Vec::new();
    if columns.starts_with(&[0, 1]) {
        parts.push(Part::Edges { from });
    }
    parts.extend(columns.iter().map(|&token| Part::Column { from, token }));
    if width == 1 && columns.is_empty() {
        parts.push(Part::Words { from });
    }
    parts
}

/// Lines of a test of an input of several tests, and tests to try.
const MAX_TEST: usize = 40;
/// Bytes of these lines: all pairs of longer ones take seconds.
const MAX_HEAD: usize = 16 << 10;

/// What may be one of several tests, and has sizes: the number of tests becomes 1.
pub(super) fn single_tests(text: &InputText) -> Vec<InputText> {
    let place = TokenPlace { line: 0, token: 0 };
    let is_several = text.lines[0].len() == 1 && text.number(place).is_some_and(|number| number > 1);
    let lines = text.full_lines().min(MAX_TEST);
    let mut head = text.clone();
    head.lines.drain(lines..text.full_lines());
    if !is_several || head.bytes().len() > MAX_HEAD {
        return Vec::new();
    }
    let mut found = Vec::new();
    for from in 1..lines {
        for end in from + 1..=lines {
            let mut single = head.with_number(place, 1);
            single.lines.drain(end..lines);
            single.lines.drain(1..from);
            if found.len() < MAX_TEST && !InputParts::read(&single).sizes().is_empty() {
                found.push(single);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str) -> (InputText, InputParts) {
        let text = InputText::read(input.as_bytes());
        let parts = InputParts::read(&text);
        (text, parts)
    }

    #[test]
    fn counters_and_parts_are_found() {
        for (input, counters, parts, numbers) in [
            ("3\n7 8 9\n", "1.1", "line 2", ""),
            ("3 9\n7 8 9\n", "1.1", "line 2", "1.2"),
            (
                "4\n1 2\n2 3\n3 4\n",
                "1.1+1",
                "the pairs from line 2 on, column 1 from line 2 on, column 2 from line 2 on",
                "",
            ),
            (
                "9 3\n1 2\n2 3\n3 4\n",
                "1.2",
                "the pairs from line 2 on, column 1 from line 2 on, column 2 from line 2 on",
                "1.1",
            ),
            ("abcab\nabba\n", "", "line 1, line 2", ""),
            ("5\nabcab\n", "1.1", "line 2", ""),
            ("3 5\nab.de\n.....\n#.#.#\n", "1.1 1.2", "the lines from line 2 on", ""),
            ("3 3\n#..\n...\n..#\n", "1.1 1.2", "the lines from line 2 on", ""),
            (
                "4 5\n1 2 9\n2 3 9\n3 4 9\n1 4 9\n2 4 9\n",
                "1.2",
                "line 2, line 3, line 4, line 5, line 6, the pairs from line 2 on, column 1 from line 2 on, \
                 column 2 from line 2 on, column 3 from line 2 on",
                "1.1",
            ),
            ("1000000007 3\n", "", "", "1.1 1.2"),
        ] {
            let (_, found) = read(input);
            let place = |place: &TokenPlace| format!("{}.{}", place.line + 1, place.token + 1);
            let more = |one: &Counter| if one.more > 0 { format!("+{}", one.more) } else { String::new() };
            let shown: Vec<String> =
                found.counters.iter().map(|one| place(&one.place) + &more(one)).collect();
            assert_eq!(shown.join(" "), counters, "{input}");
            assert_eq!(
                found.parts.iter().map(Part::to_string).collect::<Vec<_>>().join(", "),
                parts,
                "{input}"
            );
            assert_eq!(found.numbers.iter().map(place).collect::<Vec<_>>().join(" "), numbers, "{input}");
        }
    }

    #[test]
    fn of_equal_numbers_either_may_count() {
        let text = read("4 4\n1 2 9\n2 3 9\n3 4 9\n1 4 9\n").0;
        let places =
            |parts: InputParts| parts.counters.iter().map(|counter| counter.place.token).collect::<Vec<_>>();
        assert!(InputParts::read(&text).is_ambiguous(&text));
        assert_eq!(places(InputParts::read(&text)), [0]);
        assert_eq!(places(InputParts::read_otherwise(&text)), [1]);
    }

    #[test]
    fn a_test_of_several_is_an_input_of_one() {
        let singles = |input| {
            let found = single_tests(&read(input).0);
            found.iter().map(|text| String::from_utf8(text.bytes()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(singles("2\n1\n5\n3\n7 8 9\n"), ["1\n3\n7 8 9\n"]);
        assert_eq!(singles("1\n3\n7 8 9\n"), [""; 0]);
        assert_eq!(singles("3 2\n7 8 9\n"), [""; 0]);
    }
}
