//! How the times of submissions grow with the sizes of the cases.

use anyhow::{Context, Result};
use kopek_package::package::TestSet;
use kopek_plan::growth::{CostKind, Growth, InputSizes, SizedRun, growth, growth_by};
use std::{cmp::Reverse, fs, time::Duration};

/// The growth of each submission, from its times on cases. All have one measure, so that they can be compared: that of
/// the slowest submission that shows a growth.
pub(super) fn growth_of_each(
    tests: &TestSet,
    times: Vec<Vec<(usize, Duration)>>,
) -> Result<Vec<Option<Growth>>> {
    let mut sizes = Vec::new();
    for case in &tests.cases {
        let input = fs::read(&case.input).with_context(|| format!("read {}", case.input.display()))?;
        sizes.push(InputSizes::of(&input));
    }
    let run = |(case, time): &(usize, Duration)| SizedRun {
        sizes: sizes[*case].clone(),
        cost: time.as_secs_f64() * 1e3,
    };
    let runs: Vec<Vec<SizedRun>> = times.iter().map(|times| times.iter().map(run).collect()).collect();
    let mut slowest_first: Vec<usize> = (0..times.len()).collect();
    slowest_first.sort_by_key(|&at| Reverse(times[at].iter().map(|(_, time)| *time).max()));
    let first = slowest_first.into_iter().find_map(|at| growth(&runs[at], CostKind::Time));
    let of_runs = |runs: &Vec<SizedRun>| growth_by(first?.measure, runs, CostKind::Time);
    Ok(runs.iter().map(of_runs).collect())
}
