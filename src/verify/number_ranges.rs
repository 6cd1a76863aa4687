//! The least and greatest number in every place of the inputs, by group; and bounds of validators that no
//! input reaches.

use super::{
    Level, Remark, Section, Verification, Verified, stated_numbers::program_texts, tables::flat_groups,
};
use crate::{
    base::map_in_parallel,
    constraints::{BoundEnd, ColumnRange, InputColumns, InputShape, NumberBound, bound_of_argument},
    package::Case,
};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The numbers of a group in one place of its inputs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NumberRange {
    /// The group: `sample`, `secret/1`, or `secret`.
    pub group: String,
    /// Which words of the inputs.
    pub place: String,
    /// What validators call the number, where that is clear.
    pub name: Option<String>,
    /// The least one.
    pub least: i128,
    /// The greatest one.
    pub greatest: i128,
}

/// Greater inputs are not looked at.
const LARGEST: u64 = 16 << 20;

type Ranges = BTreeMap<(usize, usize), ColumnRange>;

/// A range of numbers that a validator reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ReadRange {
    name: String,
    file: String,
    line: u32,
    least: Option<i128>,
    greatest: Option<i128>,
}

/// Finds all ranges, and reports bounds that are never reached.
pub(super) fn check_ranges(verification: &Verification, verified: &mut Verified) {
    let cases = &verification.tests.cases;
    let texts = map_in_parallel(cases, usize::MAX, small_input);
    let known: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
    let columns = InputColumns::of(&map_in_parallel(&known, usize::MAX, |text| InputShape::of(text)));
    let of_case = map_in_parallel(&texts, usize::MAX, |text| {
        let mut ranges = Ranges::new();
        columns.add_input(text.as_deref().unwrap_or_default(), &mut ranges);
        ranges
    });
    let mut whole = Ranges::new();
    of_case.iter().for_each(|ranges| add_ranges(&mut whole, ranges));
    let read = read_ranges(verification);
    let names = clear_names(&whole, &read);
    for group in flat_groups(verification.tests) {
        let mut ranges = Ranges::new();
        group.cases.iter().for_each(|&case| add_ranges(&mut ranges, &of_case[case]));
        verified.numbers.extend(ranges.iter().map(|(place, range)| NumberRange {
            group: group.name.clone(),
            place: columns.place_name(*place),
            name: names.get(place).cloned(),
            least: range.least,
            greatest: range.greatest,
        }));
    }
    // A number that cannot be seen may be the one that reaches a bound.
    let all_seen = texts.iter().all(|text| text.as_deref().is_some_and(has_plain_words));
    if all_seen && !whole.is_empty() {
        verified.remarks.extend(missed_bounds(verification, &whole, &read));
    }
}

fn small_input(case: &Case) -> Option<String> {
    (fs::metadata(&case.input).ok()?.len() <= LARGEST).then_some(())?;
    String::from_utf8(fs::read(&case.input).ok()?).ok()
}

/// Whether every word is a whole number or has no digit.
fn has_plain_words(text: &str) -> bool {
    let is_plain = |word: &str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        let number = digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.len() <= 38;
        number || !word.bytes().any(|byte| byte.is_ascii_digit())
    };
    text.split_ascii_whitespace().all(is_plain)
}

fn add_ranges(whole: &mut Ranges, part: &Ranges) {
    for (place, range) in part {
        let known = whole.entry(*place).or_insert(*range);
        known.least = known.least.min(range.least);
        known.greatest = known.greatest.max(range.greatest);
    }
}

/// What the calls of all validators read.
fn read_ranges(verification: &Verification) -> BTreeSet<ReadRange> {
    let mut found: BTreeMap<(String, String, u32), ReadRange> = BTreeMap::new();
    for program in &verification.package.input_validators {
        for (file, bounds) in program_texts(verification.package, program) {
            for NumberBound { name, end, value, line } in bounds.read {
                let blank =
                    ReadRange { name: name.clone(), file: file.clone(), line, least: None, greatest: None };
                let range = found.entry((file.clone(), name, line)).or_insert(blank);
                match end {
                    BoundEnd::Least => range.least = Some(value),
                    BoundEnd::Greatest => range.greatest = Some(value),
                }
            }
        }
    }
    found.into_values().collect()
}

impl ReadRange {
    fn holds(&self, range: &ColumnRange) -> bool {
        self.least.is_none_or(|least| least <= range.least)
            && self.greatest.is_none_or(|greatest| range.greatest <= greatest)
    }
}

/// Places and numbers that belong together: same count of both, in order, and every number within its bounds.
fn clear_names(whole: &Ranges, read: &BTreeSet<ReadRange>) -> BTreeMap<(usize, usize), String> {
    let mut in_order: Vec<&ReadRange> = read.iter().collect();
    in_order.sort_by_key(|one| (&one.file, one.line));
    let fits = in_order.len() == whole.len()
        && in_order.iter().zip(whole.values()).all(|(read, range)| read.holds(range));
    if !fits {
        return BTreeMap::new();
    }
    whole.keys().copied().zip(in_order.iter().map(|one| one.name.clone())).collect()
}

/// Bounds that no place reaches whose numbers are all within them.
fn missed_bounds(verification: &Verification, whole: &Ranges, read: &BTreeSet<ReadRange>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for one in read {
        let ends = [(BoundEnd::Least, one.least), (BoundEnd::Greatest, one.greatest)];
        for (end, value) in ends {
            let Some(value) = value else { continue };
            let reaches = |range: &ColumnRange| match end {
                BoundEnd::Least => range.least == value,
                BoundEnd::Greatest => range.greatest == value,
            };
            // A number that is bounded by an argument is looked at with that, by asking the validator.
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
