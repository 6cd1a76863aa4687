//! The numbers in inputs, place by place. The layout that all inputs share is inferred from them.
//!
//! A layout is some lines at the head and then a block of lines that repeats any number of times. A line either
//! always has the same number of words, each a place of its own, or is one place as a whole. If inputs share no
//! layout, everything after the head is one place.

use std::collections::BTreeMap;

/// The layout of all inputs of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputColumns {
    /// How many lines come before the block.
    head: usize,
    /// How many lines the block has; 0 if there is no block.
    period: usize,
    /// Number of words in the lines of head and block; `None` if it varies.
    widths: Vec<Option<usize>>,
    /// Whether all inputs have the same number of lines.
    fixed: bool,
}

/// The numbers in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ColumnRange {
    pub min: i128,
    pub max: i128,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct InputPlace {
    /// A row of the layout.
    row: usize,
    /// A word in it, from 1; 0: all of them.
    word: usize,
}

pub(super) type ColumnRanges = BTreeMap<InputPlace, ColumnRange>;

/// Extends the range of a place.
pub(super) fn add_range(ranges: &mut ColumnRanges, place: InputPlace, more: ColumnRange) {
    let known = ranges.entry(place).or_insert(more);
    known.min = known.min.min(more.min);
    known.max = known.max.max(more.max);
}

/// The part of an input that shows its layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputShape {
    /// Numbers of words of its lines.
    widths: Vec<usize>,
    /// The numbers of its first lines; `None`: another word.
    head: Vec<Vec<Option<i128>>>,
}

impl InputShape {
    /// The shape of a text.
    pub fn of(text: &str) -> InputShape {
        let number = |word: &str| word.parse().ok();
        let numbers = |line: &str| line.split_ascii_whitespace().take(MAX_WORDS).map(number).collect();
        let width = |line: &str| line.split_ascii_whitespace().count();
        InputShape {
            widths: text.lines().map(width).collect(),
            head: text.lines().take(MAX_HEAD).map(numbers).collect(),
        }
    }
}

/// The most lines before a block: designed heads are not longer.
const MAX_HEAD: usize = 4;
/// The most lines in a block.
const MAX_BLOCK: usize = 4;
/// Inputs of up to this many lines may have a place for each line.
const MAX_LINES: usize = 12;
/// A line with more words is one row, not several places.
const MAX_WORDS: usize = 8;

impl InputColumns {
    /// The layout of these inputs.
    pub fn of(shapes: &[InputShape]) -> InputColumns {
        let first = shapes.first().map(|shape| shape.widths.len()).unwrap_or_default();
        if first <= MAX_LINES && shapes.iter().all(|shape| shape.widths.len() == first) {
            return InputColumns { head: first, period: 0, widths: widths(shapes, first, 0), fixed: true };
        }
        let layouts = (0..=MAX_HEAD).flat_map(|head| (1..=MAX_BLOCK).map(move |period| (head, period)));
        let fits = |&(head, period): &(usize, usize)| {
            let whole = |lines: usize| lines >= head && (lines - head).is_multiple_of(period);
            shapes.iter().all(|shape| whole(shape.widths.len()))
        };
        let found = layouts.filter(fits).min_by_key(|&(head, period)| {
            let free = widths(shapes, head, period).iter().filter(|width| width.is_none()).count();
            // A number in the head that counts the blocks proves the layout; otherwise the fewest rows win.
            (!is_counted(shapes, head, period), 2 * free > period, free, head + period)
        });
        let (head, period) = found.unwrap_or((1.min(first), 1));
        InputColumns { head, period, widths: widths(shapes, head, period), fixed: false }
    }

    /// Adds the numbers of an input to the ranges, by place.
    pub fn add_input(&self, text: &str, ranges: &mut ColumnRanges) {
        for (at, line) in text.lines().enumerate() {
            let row = self.row_of(at);
            for (word, text) in line.split_ascii_whitespace().enumerate() {
                let Ok(value) = text.parse::<i128>() else { continue };
                let word = if self.widths.get(row).copied().flatten().is_some() { word + 1 } else { 0 };
                add_range(ranges, InputPlace { row, word }, ColumnRange { min: value, max: value });
            }
        }
    }

    /// The row of the layout for a line, counted from 0.
    fn row_of(&self, line: usize) -> usize {
        if line < self.head || self.period == 0 {
            return line.min(self.head);
        }
        self.head + (line - self.head) % self.period
    }

    /// A place in words: `line 1, word 2`; `lines 3, 5, …`.
    pub fn place_name(&self, InputPlace { row, word }: InputPlace) -> String {
        let first = row + 1;
        let line = if row < self.head || self.fixed {
            format!("line {first}")
        } else if self.period == 1 {
            format!("lines from {first}")
        } else {
            format!("lines {first}, {}, …", first + self.period)
        };
        match (word, self.widths.get(row).copied().flatten()) {
            (_, Some(1)) => line,
            (0, _) => format!("{line}, all words"),
            (word, _) => format!("{line}, word {word}"),
        }
    }
}

/// The constant width of each line of head and block.
fn widths(shapes: &[InputShape], head: usize, period: usize) -> Vec<Option<usize>> {
    let mut widths: Vec<Option<Option<usize>>> = vec![None; head + period];
    for shape in shapes {
        for (at, &width) in shape.widths.iter().enumerate() {
            let row = if at < head || period == 0 { at } else { head + (at - head) % period };
            let Some(known) = widths.get_mut(row) else { continue };
            *known = match *known {
                None if width <= MAX_WORDS => Some(Some(width)),
                None => Some(None),
                Some(one) => Some(one.filter(|one| *one == width)),
            };
        }
    }
    widths.into_iter().map(Option::flatten).collect()
}

/// Whether a number in the head gives the number of blocks in every input, or that number plus one, as for trees.
fn is_counted(shapes: &[InputShape], head: usize, period: usize) -> bool {
    let counts = |line: usize, word: usize, more: i128| {
        shapes.iter().all(|shape| {
            let blocks = i128::try_from((shape.widths.len() - head) / period).unwrap_or(-1);
            shape.head.get(line).and_then(|words| words.get(word)) == Some(&Some(blocks + more))
        })
    };
    let words = (0..head).flat_map(|line| (0..MAX_WORDS).map(move |word| (line, word)));
    words.into_iter().any(|(line, word)| counts(line, word, 0) || counts(line, word, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(inputs: &[&str]) -> Vec<String> {
        let columns = InputColumns::of(&inputs.iter().map(|text| InputShape::of(text)).collect::<Vec<_>>());
        let mut found = BTreeMap::new();
        inputs.iter().for_each(|text| columns.add_input(text, &mut found));
        let shown = |(place, range): (&InputPlace, &ColumnRange)| {
            format!("{}: {}..{}", columns.place_name(*place), range.min, range.max)
        };
        found.iter().map(shown).collect()
    }

    #[test]
    fn places_are_found_from_the_inputs_alone() {
        assert_eq!(ranges(&["2\n3 4\n", "3\n-5 6 7\n"]), ["line 1: 2..3", "line 2, all words: -5..7"]);
        let cases = ["2\n1\n5\n2\n6 7\n", "1\n3\n1 1 9\n", "1\n12\n1 1 1 1 1 1 1 1 1 1 1 1\n"];
        assert_eq!(
            ranges(&cases),
            ["line 1: 1..2", "lines 2, 4, …: 1..12", "lines 3, 5, …, all words: 1..9"]
        );
        let graph = ["2 1\n1 2\n", "3 3\n1 2\n2 3\n1 3\n"];
        assert_eq!(
            ranges(&graph),
            [
                "line 1, word 1: 2..3",
                "line 1, word 2: 1..3",
                "lines from 2, word 1: 1..2",
                "lines from 2, word 2: 2..3"
            ]
        );
        assert!(ranges(&[]).is_empty());
        assert_eq!(ranges(&["a 5\n", "b 6\n"]), ["line 1, word 2: 5..6"]);
    }
}
