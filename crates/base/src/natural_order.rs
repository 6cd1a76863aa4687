//! Sorts names in natural order: `case-2` before `case-10`.

use std::cmp::Ordering;

/// Compares runs of digits by value and everything else character by character. Names that differ only in
/// leading zeros are compared as text, so that the order is total.
pub fn natural_order(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    while let (Some(a), Some(b)) = (left.chars().next(), right.chars().next()) {
        let order = if a.is_ascii_digit() && b.is_ascii_digit() {
            let (x, y) = (take_digits(&mut left), take_digits(&mut right));
            x.len().cmp(&y.len()).then_with(|| x.cmp(y))
        } else {
            (left, right) = (&left[a.len_utf8()..], &right[b.len_utf8()..]);
            a.cmp(&b)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| one.cmp(other))
}

/// The digits at the beginning, without leading zeros: the longer one is greater.
fn take_digits<'a>(text: &mut &'a str) -> &'a str {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    *text = rest;
    digits.trim_start_matches('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["b", "a10", "a2", "a02", "a", "a2b", "2", "10", "a1", "ä1", ""];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["", "2", "10", "a", "a1", "a02", "a2", "a2b", "a10", "b", "ä1"]);
        let huge = "9".repeat(100);
        assert_eq!(natural_order(&huge, &format!("1{huge}")), Ordering::Less);
    }
}
