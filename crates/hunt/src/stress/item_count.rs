//! The number of items of an input, `3` in `3\n7 8 9\n`, and the smallest one with which a program fails. Pure: the
//! caller runs the programs.

use crate::form::{Arrangement, InputForm, InputText, LaidInput, TokenPlace};
use anyhow::Result;
use kopek_results::Boundary;
use std::collections::{BTreeMap, BTreeSet};

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

/// An input with fewer items, and the programs to try on it.
#[derive(Debug, Clone)]
pub(super) struct SmallerInput {
    pub input: Vec<u8>,
    pub programs: Vec<usize>,
}

/// The programs that fail on an input; `None`: it is not valid, or something is undecided.
pub(super) type Failing = Option<BTreeSet<usize>>;

/// By bisection, a number of items with which each program fails, while it passes with the next smaller one. Some problems
/// have even numbers only. If other inputs are not valid, no program has one.
pub(super) fn boundaries(
    items: &CountedItems,
    programs: &[usize],
    attempt: &dyn Fn(Vec<SmallerInput>) -> Result<Vec<Failing>>,
) -> Result<BTreeMap<usize, Boundary>> {
    let found = boundaries_in_steps(1, items, programs, attempt)?;
    if !found.is_empty() {
        return Ok(found);
    }
    boundaries_in_steps(2, items, programs, attempt)
}

fn boundaries_in_steps(
    step: u64,
    items: &CountedItems,
    programs: &[usize],
    attempt: &dyn Fn(Vec<SmallerInput>) -> Result<Vec<Failing>>,
) -> Result<BTreeMap<usize, Boundary>> {
    let mut found: BTreeMap<usize, Boundary> = BTreeMap::new();
    for &program in programs {
        found.insert(program, Boundary { fails: items.count, passes: items.count % step });
    }
    loop {
        let mut open: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (&program, Boundary { fails, passes }) in &found {
            let steps = (fails - passes) / step;
            if steps > 1 {
                open.entry(passes + steps / 2 * step).or_default().push(program);
            }
        }
        if open.is_empty() {
            return Ok(found);
        }
        let input = |(&count, programs): (&u64, &Vec<usize>)| SmallerInput {
            input: items.first(count),
            programs: programs.clone(),
        };
        let results = attempt(open.iter().map(input).collect())?;
        for ((count, programs), failing) in open.into_iter().zip(results) {
            let Some(failing) = failing else { return Ok(BTreeMap::new()) };
            for program in programs {
                let Some(boundary) = found.get_mut(&program) else { continue };
                match failing.contains(&program) {
                    true => boundary.fails = count,
                    false => boundary.passes = count,
                }
            }
        }
    }
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
    fn each_program_has_its_own_boundary() {
        let items = CountedItems::read(None, b"9\n0 0 0 0 0 0 0 0 0\n").unwrap();
        let limits = [4, 9, 1];
        let fails = |smaller: &SmallerInput| -> Failing {
            let count = smaller.input[0] - b'0';
            Some(smaller.programs.iter().copied().filter(|&program| count >= limits[program]).collect())
        };
        let found = boundaries(&items, &[0, 1, 2], &|inputs| Ok(inputs.iter().map(fails).collect())).unwrap();
        let boundaries: Vec<(u64, u64)> = found.values().map(|one| (one.fails, one.passes)).collect();
        assert_eq!(boundaries, [(4, 3), (9, 8), (1, 0)]);
        let even = |smaller: &SmallerInput| fails(smaller).filter(|_| smaller.input[0].is_multiple_of(2));
        let items = CountedItems::read(None, b"8\n0 0 0 0 0 0 0 0\n").unwrap();
        let found = super::boundaries(&items, &[0], &|inputs| Ok(inputs.iter().map(even).collect())).unwrap();
        assert_eq!(found[&0], Boundary { fails: 4, passes: 2 });
        let refuses = |inputs: Vec<SmallerInput>| Ok(inputs.iter().map(|_| None).collect());
        assert_eq!(super::boundaries(&items, &[0], &refuses).unwrap(), BTreeMap::new());
    }
}
