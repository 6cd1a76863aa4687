//! The minimum and maximum number in every place of the inputs, by group.

use super::{
    input_columns::{ColumnRanges, InputColumns, InputShape, add_range},
    verification::flat_groups,
};
use kopek_base::map_in_parallel;
use kopek_package::package::{Case, TestSet};
use kopek_results::NumberRange;
use std::{collections::BTreeSet, fs};

/// Larger inputs are skipped.
const MAX_SIZE: u64 = 16 << 20;

/// The numbers of an input.
struct InputNumbers {
    ranges: ColumnRanges,
    /// Its sizes: its lines, and the most words in a line and letters in a word.
    sizes: [usize; 3],
    /// Whether these are all its numbers: a number that was not recognized may reach a bound.
    are_all: bool,
}

impl InputNumbers {
    fn of(case: &Case, columns: &InputColumns) -> InputNumbers {
        let mut ranges = ColumnRanges::new();
        let Some(text) = small_input(case) else {
            return InputNumbers { ranges, sizes: [0; 3], are_all: false };
        };
        columns.add_input(&text, &mut ranges);
        let width = |line: &str| line.split_ascii_whitespace().count();
        let words = text.lines().map(width).max();
        let letters = text.split_ascii_whitespace().map(str::len).max();
        let sizes = [text.lines().count(), words.unwrap_or(0), letters.unwrap_or(0)];
        InputNumbers { ranges, sizes, are_all: has_plain_words(&text) }
    }
}

/// The numbers in the inputs.
pub(super) struct NumberSurvey {
    pub(super) ranges: Vec<NumberRange>,
    sizes: BTreeSet<usize>,
    are_all: bool,
}

pub(super) fn survey_numbers(tests: &TestSet) -> NumberSurvey {
    // Inputs are read twice, because all inputs at once may not fit into memory.
    let shape = |case: &Case| small_input(case).map(|text| InputShape::of(&text));
    let shapes: Vec<InputShape> =
        map_in_parallel(&tests.cases, usize::MAX, shape).into_iter().flatten().collect();
    let columns = InputColumns::of(&shapes);
    let of_case = map_in_parallel(&tests.cases, usize::MAX, |case| InputNumbers::of(case, &columns));
    let mut ranges = Vec::new();
    for group in flat_groups(tests) {
        let mut of_group = ColumnRanges::new();
        for &case in &group.cases {
            of_case[case].ranges.iter().for_each(|(place, range)| add_range(&mut of_group, *place, *range));
        }
        ranges.extend(of_group.iter().map(|(place, range)| NumberRange {
            group: group.name.clone(),
            place: columns.place_name(*place),
            min: range.min,
            max: range.max,
        }));
    }
    let sizes = of_case.iter().flat_map(|numbers| numbers.sizes).collect();
    NumberSurvey { ranges, sizes, are_all: of_case.iter().all(|numbers| numbers.are_all) }
}

impl NumberSurvey {
    /// Whether all numbers in the inputs were recognized.
    pub(super) fn are_all(&self) -> bool {
        self.are_all
    }

    /// Whether a value is the end of a range in some group, or a size of some input.
    pub(super) fn reaches(&self, is_end: fn(&NumberRange) -> i128, value: i128) -> bool {
        let has_size = usize::try_from(value).is_ok_and(|value| self.sizes.contains(&value));
        has_size || self.ranges.iter().any(|range| is_end(range) == value)
    }
}

fn small_input(case: &Case) -> Option<String> {
    if fs::metadata(&case.input).ok()?.len() > MAX_SIZE {
        return None;
    }
    String::from_utf8(fs::read(&case.input).ok()?).ok()
}

/// Whether every word is an integer or has no digit.
fn has_plain_words(text: &str) -> bool {
    let is_plain = |word: &str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.len() <= 38;
        number || !word.bytes().any(|byte| byte.is_ascii_digit())
    };
    text.split_ascii_whitespace().all(is_plain)
}
