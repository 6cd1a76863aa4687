//! Smaller values to try for a number. Pure.

use std::collections::BTreeSet;

/// Smaller values for a number, the least first.
fn lower_values(number: i128, less: Option<i128>) -> Vec<i128> {
    let mut values = far_values(number, less);
    values.push(number - number.signum());
    distinct_values(number, values)
}

/// The same with distances that halve: an unnamed bound is found in a logarithmic number of steps. Only for few
/// numbers: for many, most distances would be tried in vain.
fn approached_values(number: i128, less: Option<i128>) -> Vec<i128> {
    let mut values = far_values(number, less);
    let halved = std::iter::successors(Some(number / 8), |distance| Some(distance / 2));
    values.extend(halved.take_while(|distance| *distance != 0).map(|distance| number - distance));
    values.push(number - number.signum());
    distinct_values(number, values)
}

fn far_values(number: i128, less: Option<i128>) -> Vec<i128> {
    let mut values = vec![0, 1, -number, -1, number / 2];
    values.extend(less);
    if number > 10 {
        values.extend([2, 3, 10i128.pow(number.ilog10()), number - number / 4]);
    }
    values
}

fn distinct_values(number: i128, mut values: Vec<i128>) -> Vec<i128> {
    let mut known = BTreeSet::from([number]);
    values.retain(|value| known.insert(*value));
    values
}

/// With more numbers than these, distances are not halved.
const FEW_NUMBERS: usize = 64;

pub(super) fn values_among(numbers: usize) -> fn(i128, Option<i128>) -> Vec<i128> {
    if numbers <= FEW_NUMBERS { approached_values } else { lower_values }
}
