//! Changed cases that may be slow: which changes a case allows, and which of them to try first. Pure: runs nothing.

use super::{
    input_parts::{Change, InputParts, NodeCount, Part, changed},
    shapes::{Bounds, GRAPH_SHAPES, NUMBER_SHAPES, Shape, WORD_SHAPES},
};
use crate::stress::{InputText, TokenPlace};
use kopek_plan::plan::ProbeGround;

/// Longer inputs cost more than they show.
pub(super) const MAX_BYTES: usize = 16 << 20;

/// A case and what can be changed in it.
pub(super) struct Base<'a> {
    pub name: &'a str,
    pub ground: &'a ProbeGround,
    pub text: InputText,
    pub parts: InputParts,
    /// The largest sizes.
    pub sized: Vec<Change>,
    /// Bounds of the values of parts, and of single numbers.
    pub bounds: Vec<(Part, Bounds)>,
    pub numbers: Vec<(TokenPlace, i128)>,
}

/// A changed case.
#[derive(Debug, Clone)]
pub(super) struct Form {
    pub base: usize,
    pub changes: Vec<Change>,
}

pub(super) fn input_of(base: &Base, changes: &[Change]) -> Option<Vec<u8>> {
    let input = changed(&base.text, changes)?.bytes();
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
        if matches!(part, Part::Edges { .. }) {
            shapes.push(Change::Graph(*part, GRAPH_SHAPES[0], base.nodes()));
        }
    }
    shapes
}

/// Permutations have values up to the number of items.
fn with_largest(bounds: Bounds, count: usize) -> Bounds {
    Bounds { largest: bounds.largest.max(count as i128), ..bounds }
}

/// The largest case as it is, with every shape, and with special numbers.
pub(super) fn first_forms(at: usize, base: &Base) -> Vec<Form> {
    let form =
        |more: Option<Change>| Form { base: at, changes: base.sized.iter().copied().chain(more).collect() };
    let shaped = shape_changes(base).into_iter().map(|change| form(Some(change)));
    let original = Form { base: at, changes: Vec::new() };
    [original, form(None)].into_iter().chain(shaped).chain(number_pairs(at, base)).collect()
}

/// Two numbers at once: greatest common divisors and loops over a difference are slow for unlike numbers.
fn number_pairs(at: usize, base: &Base) -> Vec<Form> {
    let mut forms = Vec::new();
    for (place, largest) in &base.numbers {
        for (other, _) in base.numbers.iter().filter(|(other, _)| other != place) {
            let changes =
                [base.sized.clone(), vec![Change::Number(*place, *largest), Change::Number(*other, 1)]];
            forms.push(Form { base: at, changes: changes.concat() });
        }
    }
    let all = base.numbers.iter().map(|(place, largest)| Change::Number(*place, *largest));
    forms.push(Form { base: at, changes: base.sized.iter().copied().chain(all).collect() });
    forms
}

/// Some algorithms are slowest if one part is shorter than another.
pub(super) fn smaller_sizes(base: &Base) -> Vec<Change> {
    let shorter = |change: &Change| match *change {
        Change::Count(counter, count) => [2, 4, 16].map(|by| Change::Count(counter, count / by)).to_vec(),
        Change::Length(place, length) => [2, 4, 16].map(|by| Change::Length(place, length / by)).to_vec(),
        Change::Numbers(..) | Change::Word(..) | Change::Graph(..) | Change::Number(..) => Vec::new(),
    };
    base.sized.iter().flat_map(shorter).collect()
}

pub(super) fn shape_changes(base: &Base) -> Vec<Change> {
    let mut changes = Vec::new();
    let count = base.sized.iter().filter_map(|change| match change {
        Change::Count(_, count) => Some(*count),
        Change::Length(..)
        | Change::Numbers(..)
        | Change::Word(..)
        | Change::Graph(..)
        | Change::Number(..) => None,
    });
    let count = count.max().unwrap_or(0);
    for &part in &base.parts.parts {
        match part {
            Part::Row { .. } | Part::Column { .. } => {
                let Some(bounds) = base.bounds_of(part) else { continue };
                for bounds in [bounds, with_largest(Bounds { largest: 0, ..bounds }, count)] {
                    changes.extend(NUMBER_SHAPES.map(|shape| Change::Numbers(part, shape, bounds)));
                }
            }
            Part::Edges { .. } => {
                changes.extend(GRAPH_SHAPES.map(|shape| Change::Graph(part, shape, base.nodes())))
            }
            Part::Word(_) | Part::Words { .. } => {
                changes.extend(WORD_SHAPES.map(|shape| Change::Word(part, shape)))
            }
        }
    }
    for (place, largest) in &base.numbers {
        let values = [*largest, largest - 1, largest_prime(*largest), 1];
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

impl Base<'_> {
    fn bounds_of(&self, part: Part) -> Option<Bounds> {
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
