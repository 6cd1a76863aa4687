//! Sorts names: those of files in natural order, `case-2` before `case-10`, and those of people as in a list of a class.

use std::cmp::Ordering;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// The name of a person, in the order of letters: `Çetin` is among those with C, and `Zoë` after `yann`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonName<'a>(pub &'a str);

impl Ord for PersonName<'_> {
    fn cmp(&self, other: &PersonName) -> Ordering {
        // Names that differ in accents or capitals only still have an order.
        letters(self.0).cmp(letters(other.0)).then_with(|| self.0.cmp(other.0))
    }
}

impl PartialOrd for PersonName<'_> {
    fn partial_cmp(&self, other: &PersonName) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Small letters without accents.
fn letters(name: &str) -> impl Iterator<Item = char> {
    name.nfd().filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase)
}

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
    fn people_are_in_the_order_of_letters() {
        let mut names = ["Zoë", "Çetin", "yann", "Émile", "Zoe", "Dora", "Emil", "cem", ""];
        names.sort_by_key(|name| PersonName(name));
        assert_eq!(names, ["", "cem", "Çetin", "Dora", "Emil", "Émile", "yann", "Zoe", "Zoë"]);
    }

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["b", "a10", "a2", "a02", "a", "a2b", "2", "10", "a1", "ä1", ""];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["", "2", "10", "a", "a1", "a02", "a2", "a2b", "a10", "b", "ä1"]);
        let huge = "9".repeat(100);
        assert_eq!(natural_order(&huge, &format!("1{huge}")), Ordering::Less);
    }
}
