//! The default comparison in the words of systems with archives of their own.

use super::{
    losses::Loss,
    packed::{PackSource, Packed},
    target::Target,
};
use anyhow::{Context, Result};
use kopek_package::package::{Judge, Package, TestSet};
use std::{collections::BTreeSet, fs};

/// How a system with an archive of its own compares an output with the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnComparison {
    /// The words of each line.
    Lines,
    /// All bytes.
    Bytes,
    /// The words of each line, numbers with an error of at most 10^-precision.
    Numbers {
        precision: u32,
        /// `default` (absolute or relative), `absolute` or `relative`.
        error: &'static str,
    },
}

/// The tolerances of the default comparison, and their names in DMOJ.
const TOLERANCES: [(&str, &str); 3] = [
    ("float_tolerance", "default"),
    ("float_absolute_tolerance", "absolute"),
    ("float_relative_tolerance", "relative"),
];
/// A `double` has fewer digits.
const MAX_PRECISION: u32 = 18;

/// Arguments of the output validator, if they differ between cases.
pub fn varying_arguments(tests: &TestSet) -> Option<String> {
    let all: BTreeSet<String> = tests.cases.iter().map(|case| case.arguments.output.join(" ")).collect();
    let shown: Vec<String> = all.iter().map(|args| format!("`{args}`")).collect();
    if all.len() > 1 { Some(shown.join(", ")) } else { None }
}

/// Arguments of the default comparison that the target has no word for.
pub fn unknown_arguments(package: &Package, tests: &TestSet, target: Target) -> Option<String> {
    let args = arguments(tests);
    let is_unknown = matches!(package.judge, Judge::Default) && own_comparison(args, target).is_none();
    is_unknown.then(|| args.join(" "))
}

/// The comparison of a package that is not refused. Reports outputs that are right here and wrong there.
pub fn choose_comparison(source: &PackSource, packed: &mut Packed) -> Result<OwnComparison> {
    let args = arguments(source.tests);
    let comparison = own_comparison(args, source.target).context("unknown arguments were not refused")?;
    if comparison != OwnComparison::Bytes {
        packed.report_loss(Loss::LineBreaks, "data", &[]);
    }
    if !args.iter().any(|arg| arg == "case_sensitive") && has_letters(source.tests)? {
        packed.report_loss(Loss::LetterCase, "data", &[]);
    }
    Ok(comparison)
}

/// The arguments of all cases, which are the same.
fn arguments(tests: &TestSet) -> &[String] {
    tests.cases.first().map_or(&[], |case| &case.arguments.output)
}

fn own_comparison(args: &[String], target: Target) -> Option<OwnComparison> {
    let place = |flag: &str| args.iter().position(|arg| arg == flag);
    let tolerances: Vec<(&String, &'static str)> =
        TOLERANCES.iter().filter_map(|(flag, error)| Some((args.get(place(flag)? + 1)?, *error))).collect();
    match (target, place("space_change_sensitive"), tolerances.as_slice()) {
        (_, None, []) => Some(OwnComparison::Lines),
        (Target::Dmoj, Some(_), []) => Some(OwnComparison::Bytes),
        (Target::Dmoj, None, [(tolerance, error)]) => {
            Some(OwnComparison::Numbers { precision: precision_of(tolerance)?, error })
        }
        _ => None,
    }
}

/// `n` of the tolerance 10^-n.
fn precision_of(tolerance: &str) -> Option<u32> {
    let tolerance: f64 = tolerance.parse().ok()?;
    (0..=MAX_PRECISION).find(|precision| format!("1e-{precision}").parse() == Ok(tolerance))
}

/// Whether an answer has a letter whose case could matter.
fn has_letters(tests: &TestSet) -> Result<bool> {
    for case in &tests.cases {
        let answer = fs::read(&case.answer).with_context(|| format!("read {}", case.answer.display()))?;
        if answer.iter().any(u8::is_ascii_alphabetic) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::{OwnComparison::*, *};

    #[test]
    fn arguments_become_what_each_system_has() {
        let numbers = |precision, error| Some(Numbers { precision, error });
        for (args, cms, dmoj) in [
            ("", Some(Lines), Some(Lines)),
            ("case_sensitive", Some(Lines), Some(Lines)),
            ("case_sensitive space_change_sensitive", None, Some(Bytes)),
            ("float_tolerance 1e-6", None, numbers(6, "default")),
            ("case_sensitive float_relative_tolerance .001", None, numbers(3, "relative")),
            ("float_absolute_tolerance 1E-09", None, numbers(9, "absolute")),
            ("float_tolerance 0.002", None, None),
            ("float_tolerance 1e-6 space_change_sensitive", None, None),
            ("float_absolute_tolerance 1e-6 float_relative_tolerance 1e-9", None, None),
        ] {
            let words: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
            let own = [Target::Cms, Target::Dmoj].map(|target| own_comparison(&words, target));
            assert_eq!(own, [cms, dmoj], "{args}");
        }
    }
}
