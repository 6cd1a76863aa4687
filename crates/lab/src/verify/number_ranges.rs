//! The least and greatest number in every place of the inputs, by group; and bounds in validators that no input
//! reaches.

use super::{
    measures::NumberRange,
    named_bounds::ReadText,
    remarks::{Level, Remark, Section},
    tables::flat_groups,
    verification::Verification,
    verified::Verified,
};
use crate::constraints::{
    BoundEnd, ColumnRange, ColumnRanges, InputColumns, InputShape, NumberBound, add_range, bound_of_argument,
};
use kopek_base::map_in_parallel;
use kopek_engine::package::Case;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// Larger inputs are skipped.
const LARGEST: u64 = 16 << 20;

/// The numbers of an input.
struct InputNumbers {
    ranges: ColumnRanges,
    /// Whether these are all its numbers: a number that was not recognized may reach a bound.
    are_all: bool,
}

impl InputNumbers {
    fn of(case: &Case, columns: &InputColumns) -> InputNumbers {
        let mut ranges = ColumnRanges::new();
        let Some(text) = small_input(case) else { return InputNumbers { ranges, are_all: false } };
        columns.add_input(&text, &mut ranges);
        InputNumbers { ranges, are_all: has_plain_words(&text) }
    }
}

/// A range of numbers in a call of a validator.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ReadRange {
    name: String,
    file: String,
    line: u32,
    least: Option<i128>,
    greatest: Option<i128>,
}

/// The numbers in the inputs.
pub(super) struct NumberSurvey {
    /// The common layout of the inputs.
    columns: InputColumns,
    /// By case.
    of_case: Vec<InputNumbers>,
    /// Over all cases.
    whole: ColumnRanges,
}

/// Reads all inputs.
pub(super) fn survey_numbers(cases: &[Case]) -> NumberSurvey {
    // Inputs are read twice, because all inputs at once may not fit into memory.
    let shape = |case: &Case| small_input(case).map(|text| InputShape::of(&text));
    let shapes: Vec<InputShape> = map_in_parallel(cases, usize::MAX, shape).into_iter().flatten().collect();
    let columns = InputColumns::of(&shapes);
    let of_case = map_in_parallel(cases, usize::MAX, |case| InputNumbers::of(case, &columns));
    let mut whole = ColumnRanges::new();
    of_case.iter().for_each(|numbers| add_ranges(&mut whole, &numbers.ranges));
    NumberSurvey { columns, of_case, whole }
}

impl NumberSurvey {
    /// Whether all numbers in the inputs were recognized.
    fn are_all(&self) -> bool {
        self.of_case.iter().all(|numbers| numbers.are_all)
    }
}

/// Lists all ranges, and reports bounds that are never reached.
pub(super) fn check_ranges(
    verification: &Verification,
    validators: &[ReadText],
    seen: &NumberSurvey,
    verified: &mut Verified,
) {
    let NumberSurvey { columns, of_case, whole } = seen;
    let read = read_ranges(validators);
    for group in flat_groups(verification.tests) {
        let mut ranges = ColumnRanges::new();
        group.cases.iter().for_each(|&case| add_ranges(&mut ranges, &of_case[case].ranges));
        verified.numbers.extend(ranges.iter().map(|(place, range)| NumberRange {
            group: group.name.clone(),
            place: columns.place_name(*place),
            least: range.least,
            greatest: range.greatest,
        }));
    }
    if seen.are_all() && !whole.is_empty() {
        verified.remarks.extend(missed_bounds(verification, whole, &read));
    }
}

fn small_input(case: &Case) -> Option<String> {
    (fs::metadata(&case.input).ok()?.len() <= LARGEST).then_some(())?;
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

fn add_ranges(whole: &mut ColumnRanges, part: &ColumnRanges) {
    part.iter().for_each(|(place, range)| add_range(whole, *place, *range));
}

/// The ranges in the reading calls of all validators.
fn read_ranges(validators: &[ReadText]) -> BTreeSet<ReadRange> {
    let mut found: BTreeMap<(&str, &str, u32), ReadRange> = BTreeMap::new();
    for ReadText { file, bounds } in validators {
        for NumberBound { name, end, value, line } in &bounds.read {
            let blank = || ReadRange {
                name: name.clone(),
                file: file.clone(),
                line: *line,
                least: None,
                greatest: None,
            };
            let range = found.entry((file, name, *line)).or_insert_with(blank);
            match end {
                BoundEnd::Least => range.least = Some(*value),
                BoundEnd::Greatest => range.greatest = Some(*value),
            }
        }
    }
    found.into_values().collect()
}

/// Bounds of validators that no number in the inputs reaches.
fn missed_bounds(
    verification: &Verification,
    whole: &ColumnRanges,
    read: &BTreeSet<ReadRange>,
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for one in read {
        let ends = [(BoundEnd::Least, one.least), (BoundEnd::Greatest, one.greatest)];
        for (end, value) in ends {
            let Some(value) = value else { continue };
            let reaches = |range: &ColumnRange| match end {
                BoundEnd::Least => range.least == value,
                BoundEnd::Greatest => range.greatest == value,
            };
            // A bound that is an argument is checked elsewhere, by running the validator.
            if is_argument(verification, &one.name, end) || whole.values().any(reaches) {
                continue;
            }
            let bound = NumberBound { name: one.name.clone(), end, value, line: one.line };
            let what = format!("no input reaches the bound `{bound}`");
            let remark =
                Remark::new(Section::Data, Level::Warning, what).at(format!("{}:{}", one.file, one.line));
            remarks.push(remark.todo("add a case that does, or tighten the bound"));
        }
    }
    remarks
}

fn is_argument(verification: &Verification, name: &str, end: BoundEnd) -> bool {
    let cases = verification.tests.cases.iter();
    let mut args = cases.flat_map(|case| case.input_validator_args.values().flatten());
    args.any(|arg| {
        let (key, value) = arg.split_once('=').unwrap_or((arg, "0"));
        bound_of_argument(key, value)
            .is_some_and(|(other, of, _)| other == end && of.eq_ignore_ascii_case(name))
    })
}
