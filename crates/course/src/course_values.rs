//! The values of rules. The error of each says what to write.

use super::late_rule::parse_lateness;
use kopek_package::points::Points;
use std::{str::FromStr, time::Duration};

/// A number of points above 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositivePoints(pub Points);

/// What points are multiplied by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointWeight(pub Points);

/// A number of problems, not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemCount(pub usize);

/// A time span that is not 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeSpan(pub Duration);

/// CPU time for a hunt, in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HuntTime(pub u64);

/// The programs of a language may use its standard library only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OnlyStandardLibrary;

impl FromStr for PositivePoints {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<PositivePoints, &'static str> {
        let points: Option<Points> = text.parse().ok();
        let points = points.filter(|points| !points.is_negative() && !points.is_zero());
        points.map(PositivePoints).ok_or("write a number above 0, such as 10")
    }
}

impl FromStr for PointWeight {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<PointWeight, &'static str> {
        let weight: Option<Points> = text.parse().ok().filter(|weight: &Points| !weight.is_negative());
        weight.map(PointWeight).ok_or("write a weight such as 2 or 0.5")
    }
}

impl FromStr for ProblemCount {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ProblemCount, &'static str> {
        let count = text.parse().ok().filter(|count| *count > 0);
        count.map(ProblemCount).ok_or("write a number of problems")
    }
}

impl FromStr for TimeSpan {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<TimeSpan, &'static str> {
        let span = parse_lateness(text).filter(|span| !span.is_zero());
        span.map(TimeSpan).ok_or("write a time span such as 15 min, 36 h or 2 days")
    }
}

impl FromStr for HuntTime {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<HuntTime, &'static str> {
        let seconds = text.parse::<TimeSpan>()?.0.as_secs();
        if seconds <= 3600 { Ok(HuntTime(seconds)) } else { Err("write at most an hour, such as 10 s") }
    }
}

impl FromStr for OnlyStandardLibrary {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<OnlyStandardLibrary, &'static str> {
        if text == "standard library" { Ok(OnlyStandardLibrary) } else { Err("write \"standard library\"") }
    }
}
