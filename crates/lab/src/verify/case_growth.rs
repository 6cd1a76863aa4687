//! How the times of submissions grow with the sizes of the cases.

use anyhow::Result;
use kopek_hunt::slow::CaseSizes;
use kopek_package::package::{Case, TestSet};
use kopek_plan::growth::{CostKind, Growth, SizedRun, growth, growth_by};
use std::{cmp::Reverse, time::Duration};

/// The growth of each submission, from its times on cases. All have one measure, so that they can be compared: that of
/// the slowest submission that shows a growth.
pub(super) fn growth_of_each(
    tests: &TestSet,
    times: &[Vec<(usize, Duration)>],
) -> Result<Vec<Option<Growth>>> {
    let mut sizes = CaseSizes::default();
    let mut runs: Vec<Vec<SizedRun>> = Vec::new();
    for times in times {
        let mut own = Vec::new();
        for (case, time) in times {
            let Case { input, answer, .. } = &tests.cases[*case];
            let sizes = sizes.of(input, answer)?;
            own.extend(sizes.map(|sizes| SizedRun::timed(sizes.clone(), *time)));
        }
        runs.push(own);
    }
    let mut slowest_first: Vec<usize> = (0..times.len()).collect();
    slowest_first.sort_by_key(|&at| Reverse(times[at].iter().map(|(_, time)| *time).max()));
    let first = slowest_first.into_iter().find_map(|at| growth(&runs[at], CostKind::Time));
    let of_runs = |runs: &Vec<SizedRun>| growth_by(first?.measure, runs, CostKind::Time);
    Ok(runs.iter().map(of_runs).collect())
}
