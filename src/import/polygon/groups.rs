//! Points and groups. A group that is worth points as a whole is one group here; one
//! whose tests have points of their own becomes one for each number of points, as
//! the tests of a group are worth the same here.

use super::{
    checking::Scores,
    manifest::{self, FILE, Manifest, TestSet},
};
use crate::{
    import::draft::{Draft, Group, legal},
    points::Points,
};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;

/// A group as the source has it.
struct Whole<'a> {
    name: &'a str,
    said: Option<&'a manifest::Group>,
    tests: Vec<usize>,
}

/// Adds the groups.
pub fn add(said: &Manifest, set: &TestSet, scores: Scores, draft: &mut Draft) -> Result<()> {
    let points = set.tests.iter().map(|test| of(test.points.as_deref())).collect::<Result<Vec<_>>>()?;
    let own = set.groups.iter().map(|group| of(group.points.as_deref())).collect::<Result<Vec<_>>>()?;
    draft.scoring = points.iter().chain(&own).any(|points| !points.is_zero());
    if set.groups.iter().any(|group| !group.feedback.is_empty() && group.feedback != "complete") {
        let what = "feedback policies of groups";
        draft.changes.lost(
            format!("{FILE}: groups"),
            what,
            "what participants see is up to the system that judges",
        );
    }
    let wholes = ordered(wholes(set))?;
    if wholes.len() < 2 && !draft.scoring {
        return Ok(());
    }
    let worth = Worth { points: &points, scores, percent: said.percent };
    let made = wholes.iter().map(|whole| worth.split(whole, draft)).collect::<Result<Vec<_>>>()?;
    for index in made.iter().flatten().flat_map(|group| &group.tests) {
        draft.tests[*index].secret = true;
    }
    let dirs = name(&wholes, &made);
    let required = required(&wholes, &made, &dirs, draft);
    for ((groups, dirs), required) in made.into_iter().zip(dirs).zip(required) {
        let named = groups.into_iter().zip(dirs);
        draft.groups.extend(named.map(|(group, name)| Group { name, require: required.clone(), ..group }));
    }
    if draft.scoring {
        whole_points(draft)?;
        lone(draft);
        tell_parts(scores, draft);
    }
    Ok(())
}

fn tell_parts(scores: Scores, draft: &mut Draft) {
    if scores == Scores::Parts {
        let what = "outputs that are worth a part of the points";
        let instead =
            "they are accepted, with that part: a solution that gets nothing worse is no wrong answer";
        draft.changes.changed(format!("{FILE}: checker"), what, instead);
    }
}

/// What decides how a group becomes groups.
struct Worth<'a> {
    /// Of each test.
    points: &'a [Points],
    scores: Scores,
    /// Whether programs give percents of a test's points.
    percent: bool,
}

fn of(text: Option<&str>) -> Result<Points> {
    let text = text.unwrap_or("0");
    let points: Points =
        text.parse().ok().with_context(|| format!("{FILE}: {text:?} is not a number of points"))?;
    if points.is_negative() {
        bail!("{FILE}: {text} points: points cannot be negative here");
    }
    Ok(points)
}

fn wholes(set: &TestSet) -> Vec<Whole<'_>> {
    let mut wholes: Vec<Whole> = set
        .groups
        .iter()
        .map(|said| Whole { name: &said.name, said: Some(said), tests: Vec::new() })
        .collect();
    for (index, test) in set.tests.iter().enumerate() {
        let name = test.group.as_deref().unwrap_or("");
        match wholes.iter_mut().find(|whole| whole.name == name) {
            Some(whole) => whole.tests.push(index),
            None => wholes.push(Whole { name, said: None, tests: vec![index] }),
        }
    }
    wholes.retain(|whole| !whole.tests.is_empty());
    wholes
}

/// Groups behind all they depend on.
fn ordered(mut todo: Vec<Whole>) -> Result<Vec<Whole>> {
    let all: BTreeSet<String> = todo.iter().map(|whole| whole.name.to_owned()).collect();
    let mut done: Vec<Whole> = Vec::new();
    while !todo.is_empty() {
        let ready = |whole: &Whole| {
            let needs = whole.said.map_or(&[][..], |said| &said.dependencies);
            needs.iter().all(|need| !all.contains(need) || done.iter().any(|done| done.name == need))
        };
        let Some(at) = todo.iter().position(ready) else {
            bail!("{FILE}: the groups {} depend on each other in a circle", names(&todo));
        };
        done.push(todo.remove(at));
    }
    Ok(done)
}

fn names(groups: &[Whole]) -> String {
    groups.iter().map(|group| format!("`{}`", group.name)).collect::<Vec<_>>().join(", ")
}

impl Worth<'_> {
    /// The groups that one becomes; none: it is the samples, and worth nothing.
    fn split(&self, whole: &Whole, draft: &Draft) -> Result<Vec<Group>> {
        let complete = whole.said.is_some_and(|said| said.policy == "complete-group");
        let own = of(whole.said.and_then(|said| said.points.as_deref()))?;
        let sum = whole.tests.iter().map(|&test| self.points[test].clone()).sum::<Points>();
        let worth = if complete && !own.is_zero() { own } else { sum };
        let shown = |test: &usize| draft.tests[*test].sample;
        if worth.is_zero() && whole.tests.iter().all(shown) {
            return Ok(Vec::new());
        }
        if complete || worth.is_zero() {
            let aggregation = if self.scores == Scores::Parts && draft.scoring { "min" } else { "pass-fail" };
            return Ok(vec![self.group(
                whole,
                worth.clone(),
                (aggregation, &worth),
                whole.tests.clone(),
                draft,
            )]);
        }
        let mut buckets: Vec<(&Points, Vec<usize>)> = Vec::new();
        for &test in &whole.tests {
            match buckets.iter_mut().find(|(each, _)| **each == self.points[test]) {
                Some((_, tests)) => tests.push(test),
                None => buckets.push((&self.points[test], vec![test])),
            }
        }
        // Samples that are worth nothing are only shown.
        buckets.retain(|(each, tests)| !each.is_zero() || !tests.iter().all(shown));
        let groups = buckets.into_iter().map(|(each, tests)| {
            let aggregation = if each.is_zero() { "pass-fail" } else { "sum" };
            let max = tests.iter().map(|_| each.clone()).sum();
            self.group(whole, max, (aggregation, each), tests, draft)
        });
        Ok(groups.collect())
    }

    /// `all`: what a program gives for a test that is wholly right.
    fn group(
        &self,
        whole: &Whole,
        max: Points,
        (aggregation, all): (&'static str, &Points),
        tests: Vec<usize>,
        draft: &Draft,
    ) -> Group {
        let parts = draft.scoring && self.scores == Scores::Parts && aggregation != "pass-fail";
        let output_args = match (parts, self.percent) {
            (false, _) => Vec::new(),
            (true, true) => vec!["--points=100".to_owned()],
            (true, false) => vec![format!("--points={all:.9}")],
        };
        let (name, origin) = (String::new(), whole.name.to_owned());
        Group {
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

/// Directories whose order is that of the groups: those behind must be able to ask for those before.
fn name(wholes: &[Whole], made: &[Vec<Group>]) -> Vec<Vec<String>> {
    let width = wholes.iter().map(|whole| whole.name.len()).max().unwrap_or(1);
    let numbers =
        wholes.iter().all(|whole| !whole.name.is_empty() && whole.name.bytes().all(|b| b.is_ascii_digit()));
    let plain = |whole: &Whole| match (numbers, whole.name.is_empty()) {
        (true, _) => format!("{:0>width$}", whole.name),
        (false, true) => "tests".to_owned(),
        (false, false) => legal(whole.name),
    };
    let mut names: Vec<String> = wholes.iter().map(plain).collect();
    if !names.is_sorted_by(|a, b| a < b) {
        let digits = names.len().to_string().len();
        names = names.iter().zip(1..).map(|(name, at)| format!("{at:0digits$}-{name}")).collect();
    }
    let parts = |(name, groups): (String, &Vec<Group>)| match groups.len() {
        0 => Vec::new(),
        1 => vec![name],
        n => (1..=n).map(|at| format!("{name}-{at:0w$}", w = n.to_string().len())).collect(),
    };
    names.into_iter().zip(made).map(parts).collect()
}

/// What each group asks for. Only groups that are all or nothing can be asked for.
fn required(
    wholes: &[Whole],
    made: &[Vec<Group>],
    dirs: &[Vec<String>],
    draft: &mut Draft,
) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for whole in wholes {
        let mut required = Vec::new();
        let needs = whole.said.map_or(&[][..], |said| &said.dependencies);
        for need in needs.iter().filter(|_| draft.scoring) {
            let Some(at) = wholes.iter().position(|other| other.name == need) else { continue };
            if made[at].is_empty() {
                required.push("sample".to_owned());
            } else if made[at].iter().all(|group| group.aggregation == "pass-fail") {
                required.extend(dirs[at].iter().map(|dir| format!("secret/{dir}")));
            } else {
                let what = format!(
                    "group `{}` depends on group `{need}`, which gives parts of its points",
                    whole.name
                );
                let instead =
                    "it is judged without asking: only groups that are all or nothing can be required";
                draft.changes.lost(format!("{FILE}: groups"), what, instead);
            }
        }
        all.push(required);
    }
    all
}

/// Points of groups are whole numbers in this format.
fn whole_points(draft: &mut Draft) -> Result<()> {
    let is_whole =
        |points: &Points| points.to_string().parse::<u64>().is_ok_and(|n| Points::from(n) == *points);
    let scales = [1u64, 10, 100, 1000, 10_000];
    let fits =
        |scale: &u64| draft.groups.iter().all(|group| is_whole(&(group.max.clone() * Points::from(*scale))));
    let scale = scales.into_iter().find(fits).context("points with more than four decimals")?;
    if scale > 1 {
        draft.groups.iter_mut().for_each(|group| group.max = group.max.clone() * Points::from(scale));
        let what = "points that are no whole numbers";
        draft.changes.changed(format!("{FILE}: points"), what, format!("all points are times {scale}"));
    }
    draft.max_score = Some(draft.groups.iter().map(|group| group.max.clone()).sum());
    Ok(())
}

/// A single group whose tests have equal points needs no directory.
fn lone(draft: &mut Draft) {
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
