//! The layout of an input: lines, lists and blocks, and which number counts what. Does not know what tokens mean, but
//! for the numbers that count.

use super::input_lines::{InputLine, integer};
use std::ops::Range;

/// How often something repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Fixed(usize),
    /// As often as the number at a place says, less this.
    Number {
        place: usize,
        less: usize,
    },
    /// To the end of the line, or of the input.
    Free,
}

/// A token of a line, a list of them, or a whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Token,
    List(Count),
    Text,
}

/// An item, with the number of its place in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub place: usize,
    pub item: Item,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Line(Vec<Field>),
    Block(Count, Vec<Part>),
}

impl Part {
    /// The places in it, which are in order.
    pub fn places(&self) -> Range<usize> {
        match self {
            Part::Line(fields) => match (fields.first(), fields.last()) {
                (Some(first), Some(last)) => first.place..last.place + 1,
                _ => 0..0,
            },
            Part::Block(_, body) => {
                let places: Vec<Range<usize>> =
                    body.iter().map(Part::places).filter(|places| !places.is_empty()).collect();
                match (places.first(), places.last()) {
                    (Some(first), Some(last)) => first.start..last.end,
                    _ => 0..0,
                }
            }
        }
    }

    /// The fields of a block with one line only.
    pub fn row(&self) -> Option<&[Field]> {
        match self {
            Part::Block(_, body) => match &body[..] {
                [Part::Line(fields)] => Some(fields),
                _ => None,
            },
            Part::Line(_) => None,
        }
    }
}

/// The fields of all lines.
pub(super) fn fields(parts: &[Part]) -> Vec<Field> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::Line(line) => found.extend(line),
            Part::Block(_, body) => found.extend(fields(body)),
        }
    }
    found
}

/// All counts of a layout.
pub(super) fn counts(parts: &[Part]) -> Vec<Count> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            Part::Line(fields) => found.extend(fields.iter().filter_map(|field| match field.item {
                Item::List(count) => Some(count),
                Item::Token | Item::Text => None,
            })),
            Part::Block(count, body) => {
                found.push(*count);
                found.extend(counts(body));
            }
        }
    }
    found
}

/// The number or the length that was read at a place.
#[derive(Debug, Clone, Copy)]
enum Known {
    Number(i128),
    /// Of a word, or of a list that nothing counts.
    Length(i128),
}

/// The single tokens read so far, by place.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope(Vec<Option<Known>>);

impl Scope {
    pub fn number(&self, place: usize) -> Option<i128> {
        match self.0.get(place) {
            Some(Some(Known::Number(number))) => Some(*number),
            _ => None,
        }
    }

    /// The number, or the length of the word or of the list.
    pub fn size(&self, place: usize) -> Option<i128> {
        let (Known::Number(size) | Known::Length(size)) = self.0.get(place).copied().flatten()?;
        Some(size)
    }

    /// The sizes of all places before this one; those of later places are of the line before.
    pub fn before(&self, place: usize) -> impl Iterator<Item = (usize, i128)> + '_ {
        (0..place.min(self.0.len())).filter_map(|at| Some((at, self.size(at)?)))
    }

    pub fn set_token(&mut self, place: usize, token: &str) {
        let length = Known::Length(token.chars().count() as i128);
        self.set(place, Some(integer(token).map_or(length, Known::Number)));
    }

    pub fn set_length(&mut self, place: usize, length: usize) {
        self.set(place, Some(Known::Length(length as i128)));
    }

    pub fn clear(&mut self, place: usize) {
        self.set(place, None);
    }

    fn set(&mut self, place: usize, known: Option<Known>) {
        if self.0.len() <= place {
            self.0.resize(place + 1, None);
        }
        self.0[place] = known;
    }
}

/// Looks at the tokens of an input; returns whether to go on.
pub(super) trait Visitor<'a> {
    fn token(&mut self, _place: usize, _token: &'a str, _scope: &Scope) -> bool {
        true
    }

    /// The tokens of a list, or of a column of a block.
    fn series(&mut self, _place: usize, _tokens: &[&'a str], _scope: &Scope) -> bool {
        true
    }

    /// The columns of a block, with their places: single tokens of its lines.
    fn columns(&mut self, _columns: &[Column<'a>], _scope: &Scope) -> bool {
        true
    }

    /// Where the reader is.
    fn step(&mut self, _step: Step) {}
}

/// A part of an input that was read. Lines and tokens are counted from 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step<'p> {
    /// Tokens of a line, from one on.
    Item { place: usize, item: Item, line: usize, from: usize, count: usize, is_plain: bool },
    /// The end of a line with these fields.
    Line(usize, &'p [Field]),
    /// Into a block.
    Enter,
    /// A repetition of the block begins at a line.
    Repeat(usize),
    /// Out of a block, which ends before a line.
    Leave(Count, usize),
}

/// The tokens of a place since its block began.
#[derive(Debug)]
pub(super) struct Column<'a> {
    pub place: usize,
    pub tokens: Vec<&'a str>,
}

/// Looks at nothing.
pub(super) struct Nobody;

impl Visitor<'_> for Nobody {}

/// More repetitions than any input has.
const MAX_COUNT: i128 = 1 << 24;

/// Reads an input, part by part.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    lines: &'a [InputLine<'a>],
    pub at: usize,
    pub scope: Scope,
    /// The tokens of each place since its block began.
    columns: Vec<Vec<&'a str>>,
}

impl<'a> Reader<'a> {
    pub fn new(lines: &'a [InputLine<'a>]) -> Reader<'a> {
        Reader { lines, at: 0, scope: Scope::default(), columns: Vec::new() }
    }

    pub fn rest(&self) -> &'a [InputLine<'a>] {
        &self.lines[self.at..]
    }

    /// Reads parts; returns whether the input has them.
    pub fn read(&mut self, parts: &[Part], visitor: &mut dyn Visitor<'a>) -> bool {
        parts.iter().all(|part| match part {
            Part::Line(fields) => self.read_line(fields, visitor),
            Part::Block(count, body) => {
                self.read_block(*count, body, visitor) && self.end_columns(part.places(), visitor)
            }
        })
    }

    fn read_line(&mut self, fields: &[Field], visitor: &mut dyn Visitor<'a>) -> bool {
        let Some(line) = self.lines.get(self.at) else { return false };
        let at = self.at;
        let is_plain = line.is_plain();
        self.at += 1;
        let mut rest = &line.tokens[..];
        for &Field { place, item } in fields {
            let length = match item {
                Item::Token => Some(1),
                Item::List(Count::Free) | Item::Text => Some(rest.len()),
                Item::List(count) => count.value(&self.scope),
            };
            let Some((tokens, others)) = length.and_then(|length| rest.split_at_checked(length)) else {
                return false;
            };
            let from = line.tokens.len() - rest.len();
            rest = others;
            let is_right = match item {
                Item::Text => visitor.token(place, line.text, &self.scope),
                Item::Token | Item::List(_) => is_plain && self.read_item(place, item, tokens, visitor),
            };
            if !is_right {
                return false;
            }
            visitor.step(Step::Item { place, item, line: at, from, count: tokens.len(), is_plain });
        }
        visitor.step(Step::Line(at, fields));
        rest.is_empty()
    }

    fn read_item(
        &mut self,
        place: usize,
        item: Item,
        tokens: &[&'a str],
        visitor: &mut dyn Visitor<'a>,
    ) -> bool {
        if !tokens.iter().all(|token| visitor.token(place, token, &self.scope)) {
            return false;
        }
        if item != Item::Token {
            let is_right = visitor.series(place, tokens, &self.scope);
            if item == Item::List(Count::Free) {
                self.scope.set_length(place, tokens.len());
            }
            return is_right;
        }
        self.scope.set_token(place, tokens[0]);
        if self.columns.len() <= place {
            self.columns.resize(place + 1, Vec::new());
        }
        self.columns[place].push(tokens[0]);
        true
    }

    fn read_block(&mut self, count: Count, body: &[Part], visitor: &mut dyn Visitor<'a>) -> bool {
        let Some(wanted) = count.value(&self.scope) else { return false };
        visitor.step(Step::Enter);
        let mut done = 0;
        while done < wanted {
            // A block without a counter ends with the input.
            if wanted == usize::MAX && done > 0 && self.rest().is_empty() {
                break;
            }
            visitor.step(Step::Repeat(self.at));
            if !self.read(body, visitor) {
                return false;
            }
            done += 1;
        }
        visitor.step(Step::Leave(count, self.at));
        true
    }

    /// Shows the columns of a block that ended; its numbers are out of scope.
    fn end_columns(&mut self, places: Range<usize>, visitor: &mut dyn Visitor<'a>) -> bool {
        let mut columns = Vec::new();
        for place in places {
            self.scope.clear(place);
            let Some(column) = self.columns.get_mut(place) else { continue };
            let tokens = std::mem::take(column);
            if !tokens.is_empty() {
                columns.push(Column { place, tokens });
            }
        }
        let scope = &self.scope;
        columns.iter().all(|column| visitor.series(column.place, &column.tokens, scope))
            && visitor.columns(&columns, scope)
    }
}

impl Count {
    /// The number of repetitions; of a block without a counter, more than there are lines.
    pub fn value(self, scope: &Scope) -> Option<usize> {
        match self {
            Count::Fixed(count) => Some(count),
            Count::Free => Some(usize::MAX),
            Count::Number { place, less } => {
                let number = scope.number(place)?;
                usize::try_from(number).ok().filter(|_| number < MAX_COUNT)?.checked_sub(less)
            }
        }
    }
}
