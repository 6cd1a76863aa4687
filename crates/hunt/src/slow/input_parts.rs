//! Parts of an input that can be longer or have another shape: lists of numbers, words, edges, and single numbers.
//! Pure: validators say which changes are valid.

use crate::form::{Arrangement, InputLayout, InputText, ItemGroup, ItemList, LaidInput, TokenPlace};
use kopek_plan::growth::SizeMeasure;
use kopek_sentences::{Decimal, Said};

/// A part of an input: a list of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InputPart {
    pub kind: InputPartKind,
    group: usize,
    list: usize,
    /// Where it begins in the case.
    first: TokenPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InputPartKind {
    /// All numbers of a list.
    Row,
    /// A number of each line of a block.
    Column,
    /// The first two numbers of each line.
    Edges,
    /// Words of one length.
    Words,
}

impl InputPart {
    /// The places of its numbers or words.
    pub fn places(self, input: &LaidInput) -> Vec<TokenPlace> {
        let list = input.structure.groups.get(self.group).and_then(|group| group.lists.get(self.list));
        let tokens: &[usize] = if self.kind == InputPartKind::Edges { &[0, 1] } else { &[self.first.token] };
        match list {
            Some(ItemList::Tokens { line, from, count }) => {
                (*from..from + count).map(|token| TokenPlace { line: *line, token }).collect()
            }
            Some(ItemList::Lines(starts)) => {
                let lines = || starts[..starts.len() - 1].iter();
                tokens
                    .iter()
                    .flat_map(|&token| lines().map(move |&line| TokenPlace { line, token }))
                    .collect()
            }
            Some(ItemList::Letters { words, .. }) => words.clone(),
            None => Vec::new(),
        }
    }

    pub fn can_stand_beside_edges(self) -> bool {
        self.kind != InputPartKind::Column || self.first.token > 1
    }
}

impl From<&InputPart> for Said {
    fn from(part: &InputPart) -> Said {
        let (line, token) = (part.first.line + 1, part.first.token + 1);
        match part.kind {
            InputPartKind::Column => Said::ColumnFromLine { column: token, line },
            InputPartKind::Edges => Said::PairsFromLine { line },
            InputPartKind::Words if token > 1 => Said::WordOfLine { word: token, line },
            InputPartKind::Row | InputPartKind::Words => Said::WholeLine { line },
        }
    }
}

/// Something that can be longer: a group of items, or the words of a group of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    group: usize,
    counter: Option<TokenPlace>,
    first: TokenPlace,
}

impl Size {
    pub fn of(self, input: &LaidInput) -> usize {
        input.structure.groups.get(self.group).map_or(0, |group| group.count)
    }

    /// Cuts or repeats the items until there are so many.
    pub fn resized(self, input: &LaidInput, count: usize) -> Option<InputText> {
        let group = input.structure.groups.get(self.group)?;
        let is_whole = group.lists.iter().all(|list| list.len() > 0 && list.len() + count > group.count);
        is_whole.then(|| group.arranged(&input.text, Arrangement::Resize(count)))
    }

    /// `n = 5`.
    pub fn said(self, count: usize) -> Said {
        match self.counter {
            Some(place) => Said::NumberIs { number: number_said(place).into(), value: Decimal::new(count) },
            None => {
                let place = Said::WholeLine { line: self.first.line + 1 };
                Said::About { place: place.into(), reason: Said::Letters { number: count }.into() }
            }
        }
    }
}

pub(super) fn number_said(place: TokenPlace) -> Said {
    match place {
        TokenPlace { line: 1.., token: 0 } => Said::FirstNumberOfLine { line: place.line + 1 },
        TokenPlace { line, token } => SizeMeasure::Number { line, token }.into(),
    }
}

/// Lines at the beginning whose numbers may grow.
const HEAD: usize = 2;
/// Shorter lists are no lists.
const MIN_ITEMS: usize = 3;
/// More lists than this are rows of a block.
const MAX_PARTS: usize = 8;
/// Columns of a block.
const MAX_COLUMNS: usize = 4;

/// The parts of an input and what makes them longer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct InputParts {
    pub sizes: Vec<Size>,
    pub parts: Vec<InputPart>,
    /// Other numbers of the first lines.
    pub numbers: Vec<TokenPlace>,
}

impl InputParts {
    pub fn read(input: &LaidInput) -> InputParts {
        let mut found = InputParts::default();
        let mut words = Vec::new();
        for (at, group) in input.structure.groups.iter().enumerate() {
            let first = first_place(group);
            let size = Size { group: at, counter: group.counter, first };
            let is_word = matches!(group.lists[..], [ItemList::Letters { .. }]);
            if group.counter.is_some() && group.count >= MIN_ITEMS && !is_tests(group) {
                found.sizes.push(size);
            } else if group.counter.is_none() && is_word {
                words.push(size);
            }
            // What nothing counts is there once more.
            if group.counter.is_some() || is_word || !matches!(group.lists[..], [ItemList::Lines(_)]) {
                found.add_parts(at, input);
            }
        }
        if found.sizes.is_empty() {
            found.sizes = words;
        }
        let is_number = |place: &TokenPlace| place.line < HEAD && input.text.number(*place).is_some();
        let is_counter = |place: TokenPlace| found.sizes.iter().any(|size| size.counter == Some(place));
        let is_item = |place: TokenPlace| found.parts.iter().any(|part| part.places(input).contains(&place));
        let single = input.structure.single.iter().copied().filter(is_number);
        found.numbers = single.filter(|&place| !is_counter(place) && !is_item(place)).collect();
        found
    }

    fn add_parts(&mut self, at: usize, input: &LaidInput) {
        let group = &input.structure.groups[at];
        for (list, items) in
            group.lists.iter().enumerate().filter(|(_, items)| items.len() >= MIN_ITEMS.min(2))
        {
            let part = |kind, first| InputPart { kind, group: at, list, first };
            let is_number = |place: &TokenPlace| input.text.number(*place).is_some();
            let new = match items {
                ItemList::Tokens { line, from, count } if *count >= MIN_ITEMS => {
                    let row = part(InputPartKind::Row, TokenPlace { line: *line, token: *from });
                    if row.places(input).iter().all(is_number) { vec![row] } else { Vec::new() }
                }
                ItemList::Lines(starts) if starts.len() > MIN_ITEMS => {
                    block_parts(input, starts).into_iter().map(|(kind, first)| part(kind, first)).collect()
                }
                // Letters that a number counts are there once more.
                ItemList::Letters { words, .. } if group.counter.is_none() => {
                    vec![part(InputPartKind::Words, words[0])]
                }
                _ => Vec::new(),
            };
            self.parts.extend(new);
        }
        let rows = self.parts.iter().filter(|part| part.kind == InputPartKind::Row).count();
        if rows > MAX_PARTS {
            self.parts.retain(|part| part.kind != InputPartKind::Row);
        }
    }
}

/// Pairs and columns of numbers in the lines of a block.
fn block_parts(input: &LaidInput, starts: &[usize]) -> Vec<(InputPartKind, TokenPlace)> {
    let is_row = starts.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let lines = starts[0]..starts[0] + starts.len() - 1;
    let width = if is_row { lines.clone().map(|line| input.text.lines[line].len()).min() } else { None };
    let is_number = |token: &usize| {
        lines.clone().all(|line| input.text.number(TokenPlace { line, token: *token }).is_some())
    };
    let columns: Vec<usize> = (0..width.unwrap_or(0).min(MAX_COLUMNS)).filter(is_number).collect();
    let first = |token| TokenPlace { line: starts[0], token };
    let mut parts = Vec::new();
    if columns.starts_with(&[0, 1]) {
        parts.push((InputPartKind::Edges, first(0)));
    }
    parts.extend(columns.into_iter().map(|token| (InputPartKind::Column, first(token))));
    parts
}

fn first_place(group: &ItemGroup) -> TokenPlace {
    match &group.lists[0] {
        ItemList::Lines(starts) => TokenPlace { line: starts[0], token: 0 },
        ItemList::Tokens { line, from, .. } => TokenPlace { line: *line, token: *from },
        ItemList::Letters { words, .. } => words[0],
    }
}

/// Whether the items are tests: blocks of several lines.
fn is_tests(group: &ItemGroup) -> bool {
    let first = Some(TokenPlace { line: 0, token: 0 });
    let is_long = |starts: &Vec<usize>| starts[starts.len() - 1] - starts[0] >= 2 * (starts.len() - 1);
    group.counter == first && matches!(&group.lists[..], [ItemList::Lines(starts)] if is_long(starts))
}

/// Tests of an input to try alone.
const MAX_TESTS: usize = 40;

/// What is one of several tests, and has sizes.
pub(super) fn single_tests(layout: &InputLayout, input: &LaidInput) -> Vec<LaidInput> {
    let mut found = Vec::new();
    for group in input.structure.groups.iter().filter(|group| is_tests(group) && group.count > 1) {
        for test in 0..group.count.min(MAX_TESTS) {
            let single = LaidInput::read(layout, group.arranged(&input.text, Arrangement::Only(test)));
            if !InputParts::read(&single).sizes.is_empty() {
                found.push(single);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(input: &str) -> LaidInput {
        LaidInput::of_form(None, InputText::read(input.as_bytes()))
    }

    #[test]
    fn sizes_and_parts_are_found() {
        for (input, sizes, parts, numbers) in [
            ("3\n7 8 9\n", "n", "line 2", ""),
            ("3 9\n7 8 9\n", "n", "line 2", "1.2"),
            (
                "4\n1 2\n2 3\n3 4\n",
                "n",
                "the pairs from line 2 on, column 1 from line 2 on, column 2 from line 2 on",
                "",
            ),
            (
                "9 3\n1 2\n2 3\n3 4\n",
                "number 2 of line 1",
                "the pairs from line 2 on, column 1 from line 2 on, column 2 from line 2 on",
                "1.1",
            ),
            ("abcab\nabba\n", "line 1: letters, line 2: letters", "line 1, line 2", ""),
            ("5\nabcab\n", "n", "line 2", ""),
            ("3 5\nab.de\n.....\n#.#.#\n", "n, number 2 of line 1", "line 2", ""),
            ("1000000007 3\n", "", "", "1.1 1.2"),
        ] {
            let found = InputParts::read(&laid(input));
            let place = |place: &TokenPlace| format!("{}.{}", place.line + 1, place.token + 1);
            let shown: Vec<String> = found
                .sizes
                .iter()
                .map(|size| size.said(0).to_string().replace(" = 0", "").replace("0 ", ""))
                .collect();
            assert_eq!(shown.join(", "), sizes, "{input}");
            let shown: Vec<String> = found.parts.iter().map(|part| Said::from(part).to_string()).collect();
            assert_eq!(shown.join(", "), parts, "{input}");
            assert_eq!(found.numbers.iter().map(place).collect::<Vec<_>>().join(" "), numbers, "{input}");
        }
    }

    #[test]
    fn a_test_of_several_is_an_input_of_one() {
        let singles = |input| {
            let input = laid(input);
            let found = single_tests(&InputLayout::of(None, &input.text), &input);
            found.iter().map(|one| String::from_utf8(one.text.bytes()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(singles("2\n1\n5\n3\n7 8 9\n"), ["1\n3\n7 8 9\n"]);
        assert_eq!(singles("3 2\n7 8 9\n"), [""; 0]);
    }
}
