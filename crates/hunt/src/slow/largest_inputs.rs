//! Finds the largest sizes and values that the validators accept in a case.

use super::{
    changed_cases::{Base, input_of, simple_shapes},
    changes::Change,
    input_parts::Size,
    shapes::Bounds,
};
use crate::{bench::TimedRuns, form::TokenPlace};
use anyhow::Result;
use std::time::Duration;

pub(super) struct LargestInputs<'a> {
    pub runs: &'a TimedRuns<'a>,
    /// CPU time of the validators.
    pub budget: Duration,
}

/// Sizes as statements have them.
const COUNTS: [i128; 20] = [
    10, 20, 50, 100, 200, 300, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 50_000, 100_000,
    200_000, 300_000, 500_000, 1_000_000,
];
/// The largest values are powers of ten, or between two of them.
fn usual_bounds() -> impl Iterator<Item = i128> {
    (1..19).map(|power| 10_i128.pow(power))
}

impl LargestInputs<'_> {
    /// Finds the largest sizes and values: values twice, because shapes of large inputs need values, and larger inputs may
    /// have larger values.
    pub fn measure(&self, base: &mut Base) -> Result<()> {
        self.find_values(base)?;
        self.find_sizes(base)?;
        self.find_values(base)
    }

    /// A case of several tests with one of them only, because sizes and lists are found in one test.
    pub fn with_one_test<'a>(&self, base: Base<'a>) -> Result<Base<'a>> {
        for single in base.single_tests() {
            if self.runs.is_valid(base.ground, &single.input.text.bytes())? {
                return Ok(single);
            }
        }
        Ok(base)
    }

    /// The largest values that the validators accept.
    fn find_values(&self, base: &mut Base) -> Result<()> {
        let mut bounds = Vec::new();
        for &part in &base.parts.parts {
            let places = part.places(&base.input);
            let numbers: Option<Vec<i128>> =
                places.iter().map(|&place| base.input.text.number(place)).collect();
            if let (Some(numbers), Some(&first)) = (numbers, places.first()) {
                let least = numbers.iter().copied().min().unwrap_or(0);
                let largest = numbers.iter().copied().max().unwrap_or(0);
                let known = base.bounds_of(part).map_or(largest, |bounds| bounds.largest);
                bounds.push((part, Bounds { least, largest: self.largest_value(base, first, known)? }));
            }
        }
        base.bounds = bounds;
        let mut numbers = Vec::new();
        for &place in &base.parts.numbers {
            let now = base.input.text.number(place).unwrap_or(0);
            numbers.push((place, self.largest_value(base, place, now)?));
        }
        base.numbers = numbers;
        Ok(())
    }

    /// At least `now`, which is accepted.
    fn largest_value(&self, base: &Base, place: TokenPlace, now: i128) -> Result<i128> {
        let bounds = usual_bounds().filter(|bound| *bound > now);
        largest_accepted(now, bounds, &mut |bound| {
            let change = [Change::Number(place, bound)];
            self.is_valid(base, &[&base.sized, base.sized_shape.as_slice(), &change].concat())
        })
    }

    /// The largest sizes that the validators accept with any simple shape.
    fn find_sizes(&self, base: &mut Base) -> Result<()> {
        for size in base.parts.sizes.clone() {
            let now = size.of(&base.input) as i128;
            let counts = COUNTS.into_iter().filter(|count| *count > now);
            let largest = largest_accepted(now, counts, &mut |count| {
                let shape = self.shape_of_size(base, size, count as usize)?;
                base.sized_shape = shape.unwrap_or(base.sized_shape);
                Ok(shape.is_some())
            })?;
            if largest > now {
                base.sized.push(Change::Resize(size, largest as usize));
            }
        }
        Ok(())
    }

    /// A shape with which the validators accept this size: `Some(None)` is none; the one of the size before comes first.
    fn shape_of_size(&self, base: &Base, size: Size, count: usize) -> Result<Option<Option<Change>>> {
        let shapes = std::iter::once(None).chain(simple_shapes(base, count).into_iter().map(Some));
        let mut shapes: Vec<Option<Change>> = shapes.collect();
        let part_before = base.sized_shape.and_then(Change::part);
        shapes.sort_by_key(|shape| shape.and_then(Change::part) != part_before);
        for shape in shapes {
            let resized = [Change::Resize(size, count)];
            if self.is_valid(base, &[&base.sized[..], &resized, shape.as_slice()].concat())? {
                return Ok(Some(shape));
            }
        }
        Ok(None)
    }

    fn is_valid(&self, base: &Base, changes: &[Change]) -> Result<bool> {
        let Some(input) = input_of(base, changes) else { return Ok(false) };
        let is_over = self.runs.is_stopped() || self.runs.spent() >= self.budget;
        Ok(!is_over && self.runs.is_valid(base.ground, &input)?)
    }
}

/// The largest number that is accepted: one of these, in ascending order, or one between two of them. Ascending, because
/// validators of large inputs take long.
fn largest_accepted(
    now: i128,
    numbers: impl Iterator<Item = i128>,
    accepts: &mut dyn FnMut(i128) -> Result<bool>,
) -> Result<i128> {
    let mut accepted = now;
    for number in numbers {
        if accepts(number)? {
            accepted = number;
            continue;
        }
        let mut refused = number;
        // Most bounds are round.
        let is_round = accepted > now && !accepts(accepted + 1)?;
        while !is_round && refused - accepted > (accepted / 64).max(1) {
            let middle = accepted.midpoint(refused);
            match accepts(middle)? {
                true => accepted = middle,
                false => refused = middle,
            }
        }
        break;
    }
    Ok(accepted)
}
