//! The number of items of an input: `3` in `3\n7 8 9\n`. Pure.

use super::input_text::{InputText, TokenPlace};

/// A number of items, and the input with one item less.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemCount {
    pub count: u64,
    pub with_one_less: Vec<u8>,
    /// The same items with the lower number: only if this is not valid, the number counts the items.
    pub miscounted: Vec<u8>,
}

impl ItemCount {
    /// Reads the first number of an input, or of its only test, if it may count the items of the lines below.
    pub fn read(input: &[u8]) -> Option<ItemCount> {
        let text = InputText::read(input);
        let is_single_test = text.lines[0].len() == 1 && text.lines[0][0] == b"1" && text.full_lines() > 2;
        let head = usize::from(is_single_test);
        let place = TokenPlace { line: head, token: 0 };
        let count = u64::try_from(text.number(place)?).ok().filter(|count| *count > 1)?;
        let miscounted = text.with_number(place, i128::from(count) - 1);
        let mut less = miscounted.clone();
        let end = text.full_lines();
        let rows = &mut less.lines[head + 1..end];
        let is_row = |row: &Vec<Vec<u8>>| row.len() as u64 == count;
        if rows.len() as u64 == count {
            less.lines.remove(end - 1);
        } else if !rows.is_empty() && rows.iter().all(is_row) {
            rows.iter_mut().for_each(|row| drop(row.pop()));
        } else {
            return None;
        }
        Some(ItemCount { count, with_one_less: less.bytes(), miscounted: miscounted.bytes() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_tokens_of_rows_or_lines() {
        for (input, less, miscounted) in [
            ("3 9\n7 8 9\n", "2 9\n7 8\n", "2 9\n7 8 9\n"),
            ("1\n3\n7 8 9\n1 2 3\n", "1\n2\n7 8\n1 2\n", "1\n2\n7 8 9\n1 2 3\n"),
            ("2\n7 1\n8 1\n", "1\n7 1\n", "1\n7 1\n8 1\n"),
            ("1\n2\n7\n8", "1\n1\n7", "1\n1\n7\n8"),
        ] {
            let found = ItemCount::read(input.as_bytes()).unwrap();
            assert_eq!(String::from_utf8(found.with_one_less).unwrap(), less);
            assert_eq!(String::from_utf8(found.miscounted).unwrap(), miscounted);
        }
        for input in ["", "5\n", "5\n1 2 3\n", "1\n7\n", "x\n1 2\n"] {
            assert_eq!(ItemCount::read(input.as_bytes()), None, "{input}");
        }
    }
}
