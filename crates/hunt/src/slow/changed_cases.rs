//! Changed cases that may be slow: which changes a case allows, and which of them to try first. Pure: runs nothing.

use super::{
    changes::{Change, NodeCount, changed},
    input_parts::{InputPart, InputPartKind, InputParts, single_tests},
    shapes::{Bounds, GRAPH_SHAPES, NUMBER_SHAPES, Shape, WORD_SHAPES},
};
use crate::form::{InputForm, InputLayout, InputText, LaidInput, TokenPlace};
use kopek_plan::plan::ProbeGround;

/// Longer inputs cost more than they show.
pub(super) const MAX_BYTES: usize = 16 << 20;

/// A case and what can be changed in it.
pub(super) struct Base<'a> {
    pub name: String,
    pub ground: &'a ProbeGround,
    layout: InputLayout,
    pub input: LaidInput,
    pub parts: InputParts,
    /// The largest sizes.
    pub sized: Vec<Change>,
    /// A shape with which validators accept the largest sizes, if they do not accept repetitions.
    pub sized_shape: Option<Change>,
    /// Bounds of the values of parts, and of single numbers.
    pub bounds: Vec<(InputPart, Bounds)>,
    pub numbers: Vec<(TokenPlace, i128)>,
}

/// A changed case.
#[derive(Debug, Clone)]
pub(super) struct ChangedCase {
    pub base: usize,
    pub changes: Vec<Change>,
}

pub(super) fn input_of(base: &Base, changes: &[Change]) -> Option<Vec<u8>> {
    let input = changed(&base.layout, &base.input, changes)?.bytes();
    (input.len() <= MAX_BYTES).then_some(input)
}

/// Shapes that validators of lists without repetitions, and of trees, accept.
pub(super) fn simple_shapes(base: &Base, count: usize) -> Vec<Change> {
    let mut shapes = Vec::new();
    for part in &base.parts.parts {
        let bounds = base.bounds_of(*part);
        shapes.extend(
            bounds.map(|bounds| Change::Numbers(*part, Shape::CountingUp, with_largest(bounds, count))),
        );
        if part.kind == InputPartKind::Edges {
            shapes.push(Change::Graph(*part, GRAPH_SHAPES[0], base.nodes()));
        }
    }
    shapes
}

/// Permutations have values up to the number of items.
fn with_largest(bounds: Bounds, count: usize) -> Bounds {
    Bounds { largest: bounds.largest.max(count as i128), ..bounds }
}

/// The largest case with every change, with two changes at once, and as it is.
pub(super) fn first_cases(at: usize, base: &Base) -> Vec<ChangedCase> {
    let with = |more: &[Change]| ChangedCase { base: at, changes: [&base.sized, more].concat() };
    let mut cases = Vec::new();
    if !base.sized.is_empty() {
        cases.extend([with(&[]), with(base.sized_shape.as_slice())]);
    }
    cases.extend(shape_changes(base).into_iter().map(|change| with(&[change])));
    let leading = leading_changes(base);
    for (place, changes) in leading.iter().enumerate() {
        for others in &leading[place + 1..] {
            let pairs = changes.iter().flat_map(|change| others.iter().map(move |other| [*change, *other]));
            cases.extend(pairs.filter(|[one, other]| one.can_stand_beside(other)).map(|pair| with(&pair)));
        }
    }
    cases.push(ChangedCase { base: at, changes: Vec::new() });
    cases
}

/// For each part, number and size the changes that are tried together with those of others: loops over a difference
/// are slow for unlike numbers, and the search of a word in one of twice its length.
fn leading_changes(base: &Base) -> Vec<Vec<Change>> {
    const SHAPES: usize = 4;
    let mut leading: Vec<Vec<Change>> =
        base.parts.parts.iter().map(|part| shapes_of(base, *part, SHAPES)).collect();
    leading.extend(base.numbers.iter().map(|&(place, largest)| {
        [largest, largest / 2, 1].map(|value| Change::Number(place, value)).to_vec()
    }));
    leading.extend(smaller_sizes(base, &[2]).into_iter().map(|half| vec![half]));
    leading
}

/// Parts of the largest sizes: some algorithms are slowest if one part is shorter than another.
pub(super) fn smaller_sizes(base: &Base, parts: &[usize]) -> Vec<Change> {
    let mut changes = Vec::new();
    for change in &base.sized {
        if let Change::Resize(size, count) = *change {
            changes.extend(parts.iter().map(|by| Change::Resize(size, count / by)));
        }
    }
    changes
}

/// The first shapes of a part, between the bounds of its values.
fn shapes_of(base: &Base, part: InputPart, most: usize) -> Vec<Change> {
    match part.kind {
        InputPartKind::Row | InputPartKind::Column => {
            let Some(bounds) = base.bounds_of(part) else { return Vec::new() };
            NUMBER_SHAPES.iter().take(most).map(|&shape| Change::Numbers(part, shape, bounds)).collect()
        }
        InputPartKind::Edges => {
            GRAPH_SHAPES.iter().take(most).map(|&shape| Change::Graph(part, shape, base.nodes())).collect()
        }
        InputPartKind::Words => {
            WORD_SHAPES.iter().take(most).map(|&shape| Change::Word(part, shape)).collect()
        }
    }
}

pub(super) fn shape_changes(base: &Base) -> Vec<Change> {
    let counts = base.sized.iter().filter_map(|change| match change {
        Change::Resize(_, count) => Some(*count),
        _ => None,
    });
    let count = counts.max().unwrap_or(0);
    let mut changes = Vec::new();
    for &part in &base.parts.parts {
        changes.extend(shapes_of(base, part, usize::MAX));
        if let (InputPartKind::Row | InputPartKind::Column, Some(bounds)) = (part.kind, base.bounds_of(part))
        {
            let bounds = with_largest(Bounds { largest: 0, ..bounds }, count);
            changes.extend(NUMBER_SHAPES.map(|shape| Change::Numbers(part, shape, bounds)));
        }
    }
    for (place, largest) in &base.numbers {
        let values = [*largest, largest - 1, largest_prime(*largest), largest / 2, 1];
        changes.extend(values.map(|value| Change::Number(*place, value)));
    }
    changes
}

/// The largest prime up to a bound: trial division is slowest there.
fn largest_prime(bound: i128) -> i128 {
    // Primes are dense, and a larger bound would take longer than the program.
    let bound = bound.min(1_000_000_007_000);
    let is_prime = |number: &i128| {
        (2..).take_while(|divisor| divisor * divisor <= *number).all(|divisor| number % divisor != 0)
    };
    (2..=bound).rev().find(is_prime).unwrap_or(bound)
}

impl<'a> Base<'a> {
    /// A case of which nothing is measured yet.
    pub fn new(name: String, ground: &'a ProbeGround, form: Option<&InputForm>, text: InputText) -> Base<'a> {
        let layout = InputLayout::of(form, &text);
        Base::of_input(name, ground, layout.clone(), LaidInput::read(&layout, text))
    }

    fn of_input(name: String, ground: &'a ProbeGround, layout: InputLayout, input: LaidInput) -> Base<'a> {
        let parts = InputParts::read(&input);
        let (sized, sized_shape, bounds, numbers) = Default::default();
        Base { name, ground, layout, input, parts, sized, sized_shape, bounds, numbers }
    }

    /// The same with one of its tests only.
    pub fn single_tests(&self) -> Vec<Base<'a>> {
        let name = format!("{}, one test", self.name);
        let tests = single_tests(&self.layout, &self.input).into_iter();
        tests.map(|input| Base::of_input(name.clone(), self.ground, self.layout.clone(), input)).collect()
    }

    pub fn bounds_of(&self, part: InputPart) -> Option<Bounds> {
        self.bounds.iter().find(|(other, _)| *other == part).map(|(_, bounds)| *bounds)
    }

    /// The first number counts the nodes of a graph.
    fn nodes(&self) -> NodeCount {
        let first = TokenPlace { line: 0, token: 0 };
        let largest = self.numbers.iter().find(|(place, _)| *place == first);
        let most = largest.and_then(|(_, largest)| usize::try_from(*largest).ok());
        most.map_or(NodeCount::Counter, |most| NodeCount::AtMost(first, most))
    }
}
