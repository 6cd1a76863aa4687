//! The number of items of an input, `3` in `3\n7 8 9\n`, and the smallest one with which a program fails. Pure: the
//! caller runs the programs.

use crate::form::{Arrangement, InputForm, InputText, LaidInput, TokenPlace};
use anyhow::Result;
use kopek_results::Boundary;

/// An input whose first number, or the first of its only test, counts items.
#[derive(Debug, Clone)]
pub(super) struct CountedItems {
    input: LaidInput,
    group: usize,
    pub count: u64,
}

impl CountedItems {
    pub fn read(form: Option<&InputForm>, input: &[u8]) -> Option<CountedItems> {
        let input = LaidInput::of_form(form, InputText::read(input));
        let is_single_test = input.text.lines[0] == [b"1"];
        let is_first = |place: TokenPlace| place.token == 0 && place.line <= usize::from(is_single_test);
        let groups = &input.structure.groups;
        let group = groups.iter().position(|group| group.count > 1 && group.counter.is_some_and(is_first))?;
        let count = groups[group].count as u64;
        Some(CountedItems { input, group, count })
    }

    /// The input with the first of the items.
    pub fn first(&self, count: u64) -> Vec<u8> {
        let size = usize::try_from(count).unwrap_or(usize::MAX);
        self.input.structure.groups[self.group].arranged(&self.input.text, Arrangement::Resize(size)).bytes()
    }
}

/// By bisection, a number of items with which a program fails, while it passes with one less. `fails` says whether it fails
/// on an input; `None`: the input is not valid, or something is undecided.
pub(super) fn boundary(
    items: &CountedItems,
    fails: &mut dyn FnMut(Vec<u8>) -> Result<Option<bool>>,
) -> Result<Option<Boundary>> {
    let mut found = Boundary { fails: items.count, passes: 0 };
    while found.fails - found.passes > 1 {
        let count = found.passes.midpoint(found.fails);
        match fails(items.first(count))? {
            Some(true) => found.fails = count,
            Some(false) => found.passes = count,
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_tokens_of_rows_or_lines() {
        for (input, first) in [
            ("3 9\n7 8 9\n", "2 9\n7 8\n"),
            ("1\n3\n7 8 9\n1 2 3\n", "1\n2\n7 8\n1 2\n"),
            ("3\n7 1\n8 1\n9 9\n", "2\n7 1\n8 1\n"),
            ("1\n3\n7\n8\n9", "1\n2\n7\n8"),
        ] {
            let found = CountedItems::read(None, input.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.first(2)).unwrap(), first);
        }
        for input in ["", "5\n", "5\n1 2 3\n", "1\n7\n", "x\n1 2\n"] {
            assert!(CountedItems::read(None, input.as_bytes()).is_none(), "{input}");
        }
    }

    #[test]
    fn a_boundary_lies_between_two_neighbours() {
        let items = CountedItems::read(None, b"9\n0 0 0 0 0 0 0 0 0\n").unwrap();
        for limit in [1, 4, 9] {
            let mut fails = |input: Vec<u8>| Ok(Some(input[0] - b'0' >= limit));
            let found = boundary(&items, &mut fails).unwrap();
            assert_eq!(found, Some(Boundary { fails: limit.into(), passes: u64::from(limit) - 1 }));
        }
        assert_eq!(boundary(&items, &mut |_| Ok(None)).unwrap(), None, "other inputs are not valid");
    }
}
