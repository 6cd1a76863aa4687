//! Subtasks as groups. The score of a subtask is the minimum over its tests and those of the
//! subtasks it depends on. If tests are only right or wrong, `require_pass` says the same;
//! otherwise those tests are added to the group.

use super::{
    gen_file::{FILE, Subtask},
    task_yaml::ItalianTask,
};
use crate::import::{
    draft::{Draft, DraftGroup, OutputWorth},
    draft_files::legal_name,
};
use anyhow::{Result, bail};
use kopek_package::{package::glob_matches, points::Points};
use std::{collections::BTreeSet, ops::Range};

pub fn add_groups(
    task: &ItalianTask,
    subtasks: &[Subtask],
    worth: OutputWorth,
    draft: &mut Draft,
) -> Result<()> {
    let aggregation = group_aggregation(task, worth, draft);
    let mut ranges = Vec::new();
    let mut first = 0;
    for subtask in subtasks {
        ranges.push(first..first + subtask.tests.len());
        first += subtask.tests.len();
    }
    for at in 0..subtasks.len() {
        if is_samples(subtasks, at) {
            for test in &mut draft.tests[ranges[at].clone()] {
                (test.sample, test.secret) = (true, false);
            }
        } else {
            add_group(subtasks, at, &ranges, aggregation, draft)?;
        }
    }
    draft.max_score = draft.sum_of_groups();
    Ok(())
}

/// Adds the group of a subtask, if it has tests.
fn add_group(
    subtasks: &[Subtask],
    at: usize,
    ranges: &[Range<usize>],
    aggregation: &'static str,
    draft: &mut Draft,
) -> Result<()> {
    let needs = needed_subtasks(subtasks, at)?;
    let mut tests: Vec<usize> = ranges[at].clone().collect();
    let mut require = Vec::new();
    for &need in &needs {
        match (aggregation, is_samples(subtasks, need)) {
            ("pass-fail", true) => require.push("sample".to_owned()),
            ("pass-fail", false) => require.push(format!("secret/{}", directory_name(subtasks, need))),
            _ => tests.extend(ranges[need].clone()),
        }
    }
    if !needs.is_empty() && aggregation != "pass-fail" {
        let what = format!("subtask {} depends on others, and tests are worth parts of the points", at + 1);
        draft.changed(FILE, what, "the tests of those others are in its group, too");
    }
    if tests.is_empty() {
        draft.lost(FILE, format!("subtask {} has no tests", at + 1), "it is left out");
        return Ok(());
    }
    tests.sort_unstable();
    let max = Points::from(subtasks[at].points.unwrap_or_default());
    let group = DraftGroup::pass_fail(directory_name(subtasks, at), &(at + 1).to_string(), max, tests);
    draft.groups.push(DraftGroup { aggregation, require, ..group });
    Ok(())
}

fn group_aggregation(task: &ItalianTask, worth: OutputWorth, draft: &mut Draft) -> &'static str {
    let min = worth.aggregation();
    match task.score_type.as_str() {
        "" | "min" | "groupmin" => min,
        "sum" => "sum",
        other => {
            let at = format!("{}: score_type", task.file);
            draft.changed(at, format!("`{other}`"), "the least test of a subtask counts");
            min
        }
    }
}

/// A first subtask without points holds the samples.
fn is_samples(subtasks: &[Subtask], at: usize) -> bool {
    at == 0 && subtasks.len() > 1 && subtasks[0].points == Some(0)
}

/// The directory of a subtask: its number and its name.
fn directory_name(subtasks: &[Subtask], at: usize) -> String {
    let width = subtasks.len().to_string().len();
    let name = subtasks[at].name.as_ref().map(|name| format!("-{}", legal_name(name)));
    format!("{:0width$}{}", at + 1, name.unwrap_or_default())
}

/// All subtasks that a subtask depends on, directly or not.
fn needed_subtasks(subtasks: &[Subtask], at: usize) -> Result<BTreeSet<usize>> {
    let mut all = BTreeSet::new();
    let mut todo = vec![at];
    while let Some(one) = todo.pop() {
        for pattern in &subtasks[one].needs {
            // Only earlier ones: so there are no cycles, and `*` does not match the subtask itself.
            let found: Vec<usize> = (0..subtasks.len())
                .filter(|&other| other < one && is_called(subtasks, other, pattern))
                .collect();
            if found.is_empty() && pattern != "*" {
                bail!("{FILE}: subtask {} depends on `{pattern}`, which is no subtask before it", one + 1);
            }
            todo.extend(found.iter().filter(|&&other| all.insert(other)));
        }
    }
    Ok(all)
}

/// Whether a reference names this subtask, by its name or its number.
pub fn is_called(subtasks: &[Subtask], at: usize, pattern: &str) -> bool {
    let number = at + 1;
    let names = [number.to_string(), format!("st{number}"), format!("subtask{number}")];
    let own = subtasks[at].name.iter().cloned();
    names.into_iter().chain(own).any(|name| glob_matches(pattern, &name))
}
