//! Points and groups. A group with points for the whole is one group here. A group whose tests
//! have points of their own becomes one group for each number of points, because the tests of a
//! group have equal points here.

use super::{
    checking::CheckerScores,
    problem_xml::{self, FILE, PolygonManifest, PolygonTestSet},
};
use crate::import::draft::{Draft, DraftGroup, legal_name};
use anyhow::{Context, Result, bail};
use kopek_engine::points::Points;
use std::collections::BTreeSet;

/// A group of the source.
struct SourceGroup<'a> {
    name: &'a str,
    declared: Option<&'a problem_xml::PolygonGroup>,
    tests: Vec<usize>,
}

pub fn add_groups(
    manifest: &PolygonManifest,
    set: &PolygonTestSet,
    scores: CheckerScores,
    draft: &mut Draft,
) -> Result<()> {
    let points =
        set.tests.iter().map(|test| parse_points(test.points.as_deref())).collect::<Result<Vec<_>>>()?;
    let own =
        set.groups.iter().map(|group| parse_points(group.points.as_deref())).collect::<Result<Vec<_>>>()?;
    draft.scoring = points.iter().chain(&own).any(|points| !points.is_zero());
    if set.groups.iter().any(|group| !group.feedback.is_empty() && group.feedback != "complete") {
        let what = "feedback policies of groups";
        draft.changes.add_loss(
            format!("{FILE}: groups"),
            what,
            "what participants see is up to the system that judges",
        );
    }
    let wholes = order_groups(source_groups(set))?;
    if wholes.len() < 2 && !draft.scoring {
        return Ok(());
    }
    let worth = GroupSplitter { points: &points, scores, percent: manifest.percent };
    let new_groups =
        wholes.iter().map(|whole| worth.split_group(whole, draft)).collect::<Result<Vec<_>>>()?;
    for index in new_groups.iter().flatten().flat_map(|group| &group.tests) {
        draft.tests[*index].secret = true;
    }
    let dirs = directory_names(&wholes, &new_groups);
    let required = required_groups(&wholes, &new_groups, &dirs, draft);
    for ((groups, dirs), required) in new_groups.into_iter().zip(dirs).zip(required) {
        let named = groups.into_iter().zip(dirs);
        draft.groups.extend(named.map(|(group, name)| DraftGroup {
            name,
            require: required.clone(),
            ..group
        }));
    }
    if draft.scoring {
        scale_points(draft)?;
        drop_lone_group(draft);
        report_parts(scores, draft);
    }
    Ok(())
}

fn report_parts(scores: CheckerScores, draft: &mut Draft) {
    if scores == CheckerScores::Parts {
        let what = "outputs that are worth a part of the points";
        let instead =
            "they are accepted, with that part: a solution that gets nothing worse is no wrong answer";
        draft.changes.add_change(format!("{FILE}: checker"), what, instead);
    }
}

/// Facts that decide how a group is split.
struct GroupSplitter<'a> {
    /// Of each test.
    points: &'a [Points],
    scores: CheckerScores,
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
    let mut wholes: Vec<SourceGroup> = set
        .groups
        .iter()
        .map(|group| SourceGroup { name: &group.name, declared: Some(group), tests: Vec::new() })
        .collect();
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
        let ready = |whole: &SourceGroup| {
            let needs = whole.declared.map_or(&[][..], |group| &group.dependencies);
            needs.iter().all(|need| !all.contains(need) || done.iter().any(|done| done.name == need))
        };
        // The first that is ready: this keeps the source's order where possible.
        let Some(at) = todo.iter().position(ready) else {
            bail!("{FILE}: the groups {} depend on each other in a circle", quoted_names(&todo));
        };
        done.push(todo.remove(at));
    }
    Ok(done)
}

fn quoted_names(groups: &[SourceGroup]) -> String {
    groups.iter().map(|group| format!("`{}`", group.name)).collect::<Vec<_>>().join(", ")
}

/// How a new group aggregates its tests.
struct GroupRule<'a> {
    aggregation: &'static str,
    max: Points,
    /// The points of a program for a right test.
    full_score: &'a Points,
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
        if complete || worth.is_zero() {
            let aggregation =
                if self.scores == CheckerScores::Parts && draft.scoring { "min" } else { "pass-fail" };
            let rule = GroupRule { aggregation, max: worth.clone(), full_score: &worth };
            return Ok(vec![self.new_group(whole, rule, whole.tests.clone(), draft)]);
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
            let aggregation = if each.is_zero() { "pass-fail" } else { "sum" };
            let max = tests.iter().map(|_| each.clone()).sum();
            self.new_group(whole, GroupRule { aggregation, max, full_score: each }, tests, draft)
        });
        Ok(groups.collect())
    }

    fn new_group(
        &self,
        whole: &SourceGroup,
        rule: GroupRule,
        tests: Vec<usize>,
        draft: &Draft,
    ) -> DraftGroup {
        let GroupRule { aggregation, max, full_score } = rule;
        let parts = draft.scoring && self.scores == CheckerScores::Parts && aggregation != "pass-fail";
        let output_args = match (parts, self.percent) {
            (false, _) => Vec::new(),
            (true, true) => vec!["--points=100".to_owned()],
            (true, false) => vec![format!("--points={full_score:.9}")],
        };
        let (name, origin) = (String::new(), whole.name.to_owned());
        DraftGroup {
            name,
            origin,
            max,
            aggregation,
            require: Vec::new(),
            tests,
            input_args: Vec::new(),
            output_args,
        }
    }
}

/// Directories in the order of the groups: a group can only require an earlier one.
fn directory_names(wholes: &[SourceGroup], new_groups: &[Vec<DraftGroup>]) -> Vec<Vec<String>> {
    let width = wholes.iter().map(|whole| whole.name.len()).max().unwrap_or(1);
    let numbers =
        wholes.iter().all(|whole| !whole.name.is_empty() && whole.name.bytes().all(|b| b.is_ascii_digit()));
    let plain = |whole: &SourceGroup| match (numbers, whole.name.is_empty()) {
        // Padded, since `10` comes before `2` in the order of names.
        (true, _) => format!("{:0>width$}", whole.name),
        (false, true) => "tests".to_owned(),
        (false, false) => legal_name(whole.name),
    };
    let mut names: Vec<String> = wholes.iter().map(plain).collect();
    if !names.is_sorted_by(|a, b| a < b) {
        let digits = names.len().to_string().len();
        names = names.iter().zip(1..).map(|(name, at)| format!("{at:0digits$}-{name}")).collect();
    }
    let parts = |(name, groups): (String, &Vec<DraftGroup>)| match groups.len() {
        0 => Vec::new(),
        1 => vec![name],
        n => (1..=n).map(|at| format!("{name}-{at:0w$}", w = n.to_string().len())).collect(),
    };
    names.into_iter().zip(new_groups).map(parts).collect()
}

/// The requirements of each group. Only pass-fail groups can be required.
fn required_groups(
    wholes: &[SourceGroup],
    new_groups: &[Vec<DraftGroup>],
    dirs: &[Vec<String>],
    draft: &mut Draft,
) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for whole in wholes {
        let mut required = Vec::new();
        let needs = whole.declared.map_or(&[][..], |group| &group.dependencies);
        for need in needs.iter().filter(|_| draft.scoring) {
            let Some(at) = wholes.iter().position(|other| other.name == need) else { continue };
            if new_groups[at].is_empty() {
                required.push("sample".to_owned());
            } else if new_groups[at].iter().all(|group| group.aggregation == "pass-fail") {
                required.extend(dirs[at].iter().map(|dir| format!("secret/{dir}")));
            } else {
                let what = format!(
                    "group `{}` depends on group `{need}`, which gives parts of its points",
                    whole.name
                );
                let instead =
                    "it is judged without asking: only groups that are all or nothing can be required";
                draft.changes.add_loss(format!("{FILE}: groups"), what, instead);
            }
        }
        all.push(required);
    }
    all
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
        draft.groups.iter_mut().for_each(|group| group.max = group.max.clone() * Points::from(scale));
        let what = "points that are no whole numbers";
        draft.changes.add_change(format!("{FILE}: points"), what, format!("all points are times {scale}"));
    }
    draft.max_score = Some(draft.groups.iter().map(|group| group.max.clone()).sum());
    Ok(())
}

/// A single group whose tests have equal points needs no directory.
fn drop_lone_group(draft: &mut Draft) {
    let parts: Vec<String> =
        draft.groups.iter().flat_map(|group| group.output_args.iter().cloned()).collect();
    if let Some(first) = parts.first() {
        draft.sample_output_args = vec![first.clone()];
    }
    let [only] = draft.groups.as_slice() else { return };
    if only.aggregation == "sum" && only.require.is_empty() {
        draft.output_args.extend(only.output_args.clone());
        draft.sample_output_args.clear();
        let inside = |index: usize| only.tests.contains(&index);
        draft.tests.iter_mut().enumerate().for_each(|(index, test)| test.secret = inside(index));
        draft.groups.clear();
    }
}
