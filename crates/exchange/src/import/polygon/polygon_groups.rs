//! Points and groups. A group with points for the whole is one group here. A group whose tests
//! have points of their own becomes one group for each number of points, because the tests of a
//! group have equal points here.

use super::problem_xml::{FILE, PolygonGroup, PolygonManifest, PolygonTestSet};
use crate::import::{
    draft::{Draft, DraftGroup, OutputWorth},
    draft_files::legal_name,
};
use anyhow::{Context, Result, bail};
use kopek_package::points::Points;
use std::collections::BTreeSet;

struct SourceGroup<'a> {
    name: &'a str,
    declared: Option<&'a PolygonGroup>,
    tests: Vec<usize>,
}

impl SourceGroup<'_> {
    fn needs(&self) -> &[String] {
        self.declared.map_or(&[], |group| &group.dependencies)
    }
}

pub fn add_groups(
    manifest: &PolygonManifest,
    set: &PolygonTestSet,
    scores: OutputWorth,
    draft: &mut Draft,
) -> Result<()> {
    let points =
        set.tests.iter().map(|test| parse_points(test.points.as_deref())).collect::<Result<Vec<_>>>()?;
    let own =
        set.groups.iter().map(|group| parse_points(group.points.as_deref())).collect::<Result<Vec<_>>>()?;
    draft.scoring = points.iter().chain(&own).any(|points| !points.is_zero());
    if set.groups.iter().any(|group| !group.feedback.is_empty() && group.feedback != "complete") {
        let instead = "what participants see is up to the system that judges";
        draft.lost(format!("{FILE}: groups"), "feedback policies of groups", instead);
    }
    let wholes = order_groups(source_groups(set))?;
    if wholes.len() < 2 && !draft.scoring {
        return Ok(());
    }
    let worth = GroupSplitter { points: &points, scores, percent: manifest.percent };
    let mut new_groups = Vec::new();
    for whole in &wholes {
        new_groups.push(worth.split_group(whole, draft)?);
    }
    name_groups(&wholes, &mut new_groups);
    for index in new_groups.iter().flatten().flat_map(|group| &group.tests) {
        draft.tests[*index].secret = true;
    }
    for (at, whole) in wholes.iter().enumerate() {
        let require = required_groups(whole, &wholes, &new_groups, draft);
        for group in &new_groups[at] {
            draft.groups.push(DraftGroup { require: require.clone(), ..group.clone() });
        }
    }
    if draft.scoring {
        scale_points(draft)?;
        drop_lone_group(draft);
    }
    if draft.scoring && scores == OutputWorth::Parts {
        let what = "outputs that are worth a part of the points";
        let instead =
            "they are accepted, with that part: a solution that gets nothing worse is no wrong answer";
        draft.changed(format!("{FILE}: checker"), what, instead);
    }
    Ok(())
}

/// Facts that decide how a group is split.
struct GroupSplitter<'a> {
    points: &'a [Points],
    scores: OutputWorth,
    /// Whether programs give percents of a test's points.
    percent: bool,
}

fn parse_points(text: Option<&str>) -> Result<Points> {
    let text = text.unwrap_or("0");
    let points: Points =
        text.parse().ok().with_context(|| format!("{FILE}: {text:?} is not a number of points"))?;
    if points.is_negative() {
        bail!("{FILE}: {text} points: points cannot be negative here");
    }
    Ok(points)
}

fn source_groups(set: &PolygonTestSet) -> Vec<SourceGroup<'_>> {
    let mut wholes = Vec::new();
    for group in &set.groups {
        wholes.push(SourceGroup { name: &group.name, declared: Some(group), tests: Vec::new() });
    }
    for (index, test) in set.tests.iter().enumerate() {
        let name = test.group.as_deref().unwrap_or("");
        match wholes.iter_mut().find(|whole| whole.name == name) {
            Some(whole) => whole.tests.push(index),
            None => wholes.push(SourceGroup { name, declared: None, tests: vec![index] }),
        }
    }
    wholes.retain(|whole| !whole.tests.is_empty());
    wholes
}

/// Groups in an order in which each follows its dependencies.
fn order_groups(mut todo: Vec<SourceGroup>) -> Result<Vec<SourceGroup>> {
    let all: BTreeSet<String> = todo.iter().map(|whole| whole.name.to_owned()).collect();
    let mut done: Vec<SourceGroup> = Vec::new();
    while !todo.is_empty() {
        let is_done = |need: &String| !all.contains(need) || done.iter().any(|done| done.name == need);
        // The first that is ready: this keeps the source's order where possible.
        let Some(at) = todo.iter().position(|whole| whole.needs().iter().all(is_done)) else {
            let names: Vec<String> = todo.iter().map(|whole| format!("`{}`", whole.name)).collect();
            bail!("{FILE}: the groups {} depend on each other in a circle", names.join(", "));
        };
        done.push(todo.remove(at));
    }
    Ok(done)
}

impl GroupSplitter<'_> {
    /// The groups that a group becomes; none for samples, which have no points.
    fn split_group(&self, whole: &SourceGroup, draft: &Draft) -> Result<Vec<DraftGroup>> {
        let complete = whole.declared.is_some_and(|group| group.policy == "complete-group");
        let own = parse_points(whole.declared.and_then(|group| group.points.as_deref()))?;
        let sum = whole.tests.iter().map(|&test| self.points[test].clone()).sum::<Points>();
        let worth = if complete && !own.is_zero() { own } else { sum };
        let is_sample = |test: &usize| draft.tests[*test].sample;
        if worth.is_zero() && whole.tests.iter().all(is_sample) {
            return Ok(Vec::new());
        }
        let parts = draft.scoring && self.scores == OutputWorth::Parts;
        if complete || worth.is_zero() {
            let mut group = DraftGroup::pass_fail(String::new(), whole.name, worth, whole.tests.clone());
            if parts {
                group.aggregation = "min";
                group.output_args = vec![self.points_argument(&group.max)];
            }
            return Ok(vec![group]);
        }
        let mut buckets: Vec<(&Points, Vec<usize>)> = Vec::new();
        for &test in &whole.tests {
            match buckets.iter_mut().find(|(each, _)| **each == self.points[test]) {
                Some((_, tests)) => tests.push(test),
                None => buckets.push((&self.points[test], vec![test])),
            }
        }
        // Samples without points are only shown.
        buckets.retain(|(each, tests)| !each.is_zero() || !tests.iter().all(is_sample));
        let groups = buckets.into_iter().map(|(each, tests)| {
            let max = tests.iter().map(|_| each.clone()).sum();
            let mut group = DraftGroup::pass_fail(String::new(), whole.name, max, tests);
            if !each.is_zero() {
                group.aggregation = "sum";
                if parts {
                    group.output_args = vec![self.points_argument(each)];
                }
            }
            group
        });
        Ok(groups.collect())
    }

    /// Tells the adapter the points that a program gives for a right test.
    fn points_argument(&self, full: &Points) -> String {
        if self.percent { "--points=100".to_owned() } else { format!("--points={full:.9}") }
    }
}

/// Names the new groups of each group, in its order: a group can only require an earlier one.
fn name_groups(wholes: &[SourceGroup], new_groups: &mut [Vec<DraftGroup>]) {
    let width = wholes.iter().map(|whole| whole.name.len()).max().unwrap_or(1);
    let numbers =
        wholes.iter().all(|whole| !whole.name.is_empty() && whole.name.bytes().all(|b| b.is_ascii_digit()));
    let mut names: Vec<String> = Vec::new();
    for whole in wholes {
        names.push(match whole.name {
            // Padded, since `10` comes before `2` in the order of names.
            name if numbers => format!("{name:0>width$}"),
            "" => "tests".to_owned(),
            name => legal_name(name),
        });
    }
    if !names.is_sorted_by(|a, b| a < b) {
        let digits = names.len().to_string().len();
        names = names.iter().zip(1..).map(|(name, at)| format!("{at:0digits$}-{name}")).collect();
    }
    for (name, groups) in names.into_iter().zip(new_groups) {
        let count = groups.len();
        let digits = groups.len().to_string().len();
        for (group, at) in groups.iter_mut().zip(1..) {
            group.name = if count == 1 { name.clone() } else { format!("{name}-{at:0digits$}") };
        }
    }
}

/// The requirements of a group. Only pass-fail groups can be required.
fn required_groups(
    whole: &SourceGroup,
    wholes: &[SourceGroup],
    new_groups: &[Vec<DraftGroup>],
    draft: &mut Draft,
) -> Vec<String> {
    let mut required = Vec::new();
    let needs = if draft.scoring { whole.needs() } else { &[] };
    for need in needs {
        let Some(at) = wholes.iter().position(|other| other.name == need) else { continue };
        let needed = &new_groups[at];
        if needed.is_empty() {
            required.push("sample".to_owned());
        } else if needed.iter().all(|group| group.aggregation == "pass-fail") {
            required.extend(needed.iter().map(|group| format!("secret/{}", group.name)));
        } else {
            let what =
                format!("group `{}` depends on group `{need}`, which gives parts of its points", whole.name);
            let instead = "it is judged without asking: only groups that are all or nothing can be required";
            draft.lost(format!("{FILE}: groups"), what, instead);
        }
    }
    required
}

/// Points of groups are whole numbers in this format.
fn scale_points(draft: &mut Draft) -> Result<()> {
    let is_whole =
        |points: &Points| points.to_string().parse::<u64>().is_ok_and(|n| Points::from(n) == *points);
    let scales = [1u64, 10, 100, 1000, 10_000];
    let fits =
        |scale: &u64| draft.groups.iter().all(|group| is_whole(&(group.max.clone() * Points::from(*scale))));
    let scale = scales.into_iter().find(fits).context("points with more than four decimals")?;
    if scale > 1 {
        for group in &mut draft.groups {
            group.max = group.max.clone() * Points::from(scale);
        }
        let what = "points that are no whole numbers";
        draft.changed(format!("{FILE}: points"), what, format!("all points are times {scale}"));
    }
    draft.max_score = draft.sum_of_groups();
    Ok(())
}

/// A single group whose tests have equal points needs no directory.
fn drop_lone_group(draft: &mut Draft) {
    let args = draft.groups.iter().flat_map(|group| &group.output_args).next().cloned();
    match draft.groups.as_slice() {
        [only] if only.aggregation == "sum" && only.require.is_empty() => {
            for (index, test) in draft.tests.iter_mut().enumerate() {
                test.secret = only.tests.contains(&index);
            }
            draft.output_args.extend(args);
            draft.groups.clear();
        }
        _ => draft.sample_output_args.extend(args),
    }
}
