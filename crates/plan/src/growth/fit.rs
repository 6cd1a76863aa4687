//! Fits a power of the size to the costs of runs. Knows nothing of packages and programs.

use super::input_sizes::{InputSizes, SizeMeasure};
use serde::Serialize;
use std::{cmp::Reverse, time::Duration};

/// What runs of growing inputs cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CostKind {
    Time,
    Memory,
}

impl CostKind {
    /// Smaller costs are start-up and noise: milliseconds of CPU time, and MiB.
    fn least(self) -> f64 {
        match self {
            CostKind::Time => 5.0,
            CostKind::Memory => 4.0,
        }
    }
}

/// A run that ended by itself, with the sizes of its input. Runs that were stopped are only lower bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct SizedRun {
    pub sizes: InputSizes,
    /// Milliseconds of CPU time, or MiB.
    pub cost: f64,
}

impl SizedRun {
    pub fn timed(sizes: InputSizes, cpu: Duration) -> SizedRun {
        SizedRun { sizes, cost: cpu.as_secs_f64() * 1e3 }
    }

    /// Whether two runs of one program on one input cost so differently that no growth can be told from such runs.
    pub fn is_far_from(&self, again: &SizedRun, kind: CostKind) -> bool {
        let [low, high] = [self.cost.min(again.cost), self.cost.max(again.cost)];
        high >= kind.least() && high > low * MAX_SPREAD
    }
}

/// How the cost of a program grows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Growth {
    #[serde(rename = "size")]
    pub measure: SizeMeasure,
    /// The factor of the cost when the size doubles.
    #[serde(rename = "factor_per_doubling")]
    pub factor: f64,
    /// The largest factor when single runs are left out, divided by the smallest.
    pub spread: f64,
    /// The smallest size of the runs.
    pub from: u64,
    pub to: u64,
}

/// Fewer sizes can lie on a line by chance.
pub const MIN_SIZES: usize = 4;
/// The largest size is at least this many times the smallest.
const MIN_SPAN: f64 = 3.0;
/// The measure must order the costs this well.
const MIN_CORRELATION: f64 = 0.9;
/// Sizes closer than this are one size: its slowest run counts, because others were fast by luck.
const SAME_SIZE: f64 = 1.2;
/// The cheapest run shows the start-up if the others' inputs are at least this many times as large.
const START_SPAN: f64 = 8.0;
/// The run highest above the fitted power is at most this many times as high as the lowest: more shows another law, such as a full cache.
const MAX_DEVIATION: f64 = 1.4;
/// Two factors that differ by a quarter of a doubling can be told apart.
const MAX_SPREAD: f64 = 1.189;

/// The growth by the measure that orders the costs best; `None`: the runs do not show one.
pub fn growth(runs: &[SizedRun], kind: CostKind) -> Option<Growth> {
    let measures = runs.first()?.sizes.measures();
    let fits = measures.filter_map(|measure| {
        let points = points_by(measure, runs, kind)?;
        Some((correlation(&points), measure, points))
    });
    let ordered = fits.filter(|(order, _, _)| *order >= MIN_CORRELATION);
    // Equal correlations up to rounding: the first measure.
    let best = ordered.min_by_key(|(order, measure, _)| (Reverse((order * 1e6) as u64), *measure));
    best.and_then(|(_, measure, points)| fit(measure, &points))
}

/// The growth by this measure.
pub fn growth_by(measure: SizeMeasure, runs: &[SizedRun], kind: CostKind) -> Option<Growth> {
    fit(measure, &points_by(measure, runs, kind)?)
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    size: f64,
    cost: f64,
}

/// Costs without the start-up, in order of the sizes.
fn points_by(measure: SizeMeasure, runs: &[SizedRun], kind: CostKind) -> Option<Vec<Point>> {
    let point = |run: &SizedRun| Some(Point { size: run.sizes.by(measure)? as f64, cost: run.cost });
    let all: Vec<Point> = runs.iter().map(point).collect::<Option<_>>()?;
    let start = all.iter().copied().min_by(|one, other| one.cost.total_cmp(&other.cost))?;
    let is_larger = |one: &Point| one.size >= start.size * START_SPAN;
    let is_large = |one: &&Point| one.cost - start.cost >= kind.least() && is_larger(one);
    let without_start: Vec<Point> =
        all.iter().filter(is_large).map(|one| Point { cost: one.cost - start.cost, ..*one }).collect();
    let mut points = if has_enough(&without_start) {
        without_start
    } else {
        all.into_iter().filter(|one| one.cost >= kind.least()).collect()
    };
    points.retain(|one| one.size > 0.0);
    points.sort_by(|one, other| one.size.total_cmp(&other.size).then(one.cost.total_cmp(&other.cost)));
    has_enough(&points).then_some(points)
}

fn has_enough(points: &[Point]) -> bool {
    let sizes = || points.iter().map(|point| point.size);
    let span = sizes().fold(0.0, f64::max) / sizes().fold(f64::INFINITY, f64::min);
    span >= MIN_SPAN && slowest_of_sizes(points).len() >= MIN_SIZES
}

/// The slowest run of each size, for points in order of the sizes.
fn slowest_of_sizes(points: &[Point]) -> Vec<Point> {
    let mut slowest: Vec<Point> = Vec::new();
    let mut smallest = 0.0;
    for &point in points {
        match slowest.last_mut() {
            Some(last) if point.size < smallest * SAME_SIZE => {
                if point.cost > last.cost {
                    *last = point;
                }
            }
            Some(_) | None => {
                smallest = point.size;
                slowest.push(point);
            }
        }
    }
    slowest
}

fn fit(measure: SizeMeasure, points: &[Point]) -> Option<Growth> {
    let slowest = slowest_of_sizes(points);
    let doublings = slope(&slowest)?;
    let without = |left_out: usize| {
        let others = slowest.iter().enumerate().filter(|(at, _)| *at != left_out);
        slope(&others.map(|(_, point)| *point).collect::<Vec<_>>())
    };
    let slopes: Vec<f64> = (0..slowest.len()).filter_map(without).collect();
    let spread = range_of(&slopes).exp2();
    let height = |point: &Point| point.cost.log2() - doublings * point.size.log2();
    let deviation = range_of(&slowest.iter().map(height).collect::<Vec<_>>()).exp2();
    let (from, to) = (slowest.first()?.size as u64, slowest.last()?.size as u64);
    let growth = Growth { measure, factor: doublings.exp2(), spread, from, to };
    (spread <= MAX_SPREAD && deviation <= MAX_DEVIATION).then_some(growth)
}

/// The largest value minus the smallest.
fn range_of(values: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest - values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The median of the slopes between all pairs, in doublings of the cost for each doubling of the size. (Theil-Sen)
fn slope(points: &[Point]) -> Option<f64> {
    let mut slopes = Vec::new();
    for (at, one) in points.iter().enumerate() {
        for other in &points[at + 1..] {
            slopes.push((other.cost / one.cost).log2() / (other.size / one.size).log2());
        }
    }
    slopes.sort_by(f64::total_cmp);
    let middle = slopes.len() / 2;
    match slopes.len() % 2 {
        0 => Some((slopes.get(middle.checked_sub(1)?)? + slopes[middle]) / 2.0),
        _ => Some(slopes[middle]),
    }
}

/// Of the ranks of sizes and costs. (Spearman)
fn correlation(points: &[Point]) -> f64 {
    let sizes = ranks(points.iter().map(|point| point.size).collect());
    let costs = ranks(points.iter().map(|point| point.cost).collect());
    let mean = (points.len() as f64 + 1.0) / 2.0;
    let product = |one: &[f64], other: &[f64]| -> f64 {
        one.iter().zip(other).map(|(one, other)| (one - mean) * (other - mean)).sum()
    };
    product(&sizes, &costs) / (product(&sizes, &sizes) * product(&costs, &costs)).sqrt()
}

/// The ranks of values; equal values share the mean of theirs.
fn ranks(values: Vec<f64>) -> Vec<f64> {
    let rank = |value: &f64| {
        let lower = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        lower as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(sizes: &[u64], cost: impl Fn(usize, f64) -> f64) -> Vec<SizedRun> {
        let run = |(at, size): (usize, &u64)| SizedRun {
            // Other sizes are noise.
            sizes: InputSizes::of(format!("{size} {}\n", at * 7919 % 10).as_bytes()),
            cost: cost(at, *size as f64),
        };
        sizes.iter().enumerate().map(run).collect()
    }

    #[test]
    fn the_factor_is_that_of_the_program() {
        let sizes = [10, 5_000, 9_000, 12_500, 17_500, 25_000, 35_000, 50_000];
        let noise = [1.0, 1.06, 0.97, 1.05, 1.0, 1.08, 0.98, 1.03];
        for (power, factor) in [(1.0, 2.0), (1.5, 2.83), (2.0, 4.0), (3.0, 8.0)] {
            for start in [1.0, 30.0] {
                let cost = |at: usize, size: f64| start + 200.0 * (size / 50_000.0).powf(power) * noise[at];
                let found = growth(&runs(&sizes, cost), CostKind::Time).map(|found| found.factor);
                let is_near = found.is_none_or(|found| (found / factor - 1.0).abs() < 0.15);
                assert!(is_near && (found.is_some() || power > 2.0), "{power} {start}: {found:?}");
            }
        }
    }

    #[test]
    fn runs_that_show_no_growth_have_none() {
        let square = |_: usize, size: f64| size * size / 1e4;
        let measured = |sizes: &[u64]| growth(&runs(sizes, square), CostKind::Time);
        assert_eq!(measured(&[]), None);
        assert_eq!(measured(&[1000, 2000, 4000]), None, "three sizes");
        assert_eq!(measured(&[1000, 1300, 1700, 2200]), None, "a span of 2.2");
        assert_eq!(measured(&[1000, 1010, 1020, 4000]), None, "two sizes");
        assert_eq!(measured(&[10, 20, 40, 80]), None, "less than 5 ms");
        assert!(measured(&[1000, 1300, 1700, 4000]).is_some());
        let random = |at: usize, _: f64| [50.0, 10.0, 90.0, 30.0, 70.0, 20.0][at];
        assert_eq!(growth(&runs(&[100, 200, 400, 800, 1600, 3200], random), CostKind::Time), None);
        let cliff = |_: usize, size: f64| if size > 900.0 { 500.0 } else { size / 10.0 };
        assert_eq!(growth(&runs(&[100, 200, 400, 800, 1600, 3200], cliff), CostKind::Time), None);
    }

    #[test]
    fn equal_runs_that_cost_differently_are_far_from_each_other() {
        let run = |cost: f64| SizedRun { sizes: InputSizes::of(b"1\n"), cost };
        let is_far = |one: f64, other: f64| run(one).is_far_from(&run(other), CostKind::Time);
        assert!(!is_far(100.0, 110.0) && !is_far(1.0, 4.0), "noise");
        assert!(is_far(100.0, 130.0) && is_far(130.0, 100.0));
    }

    #[test]
    fn the_slowest_run_of_a_size_counts() {
        let sizes = [1000, 2000, 2010, 4000, 4100, 8000];
        let cost = |at: usize, size: f64| if [1, 4].contains(&at) { 6.0 } else { size / 10.0 };
        let found = growth_by(SizeMeasure::Number { line: 0, token: 0 }, &runs(&sizes, cost), CostKind::Time);
        assert!(found.is_some_and(|found| (found.factor - 2.0).abs() < 0.05), "{found:?}");
    }
}
