//! Late penalties: `10 %/day, at most 5 days`, `2 points/hour, at most 20 points`, or steps; and lateness as a CSV
//! `participant,late`, for platforms that do not record it.

use anyhow::{Context, Error, Result, ensure};
use kopek_base::{
    composed_name,
    table_text::{CsvRow, read_table},
};
use kopek_class::people_called;
use kopek_package::{
    package::{Lateness, Participant},
    points::Points,
};
use kopek_results::Deduction;
use kopek_sentences::{Decimal, Said};
use regex_lite::Regex;
use std::{collections::BTreeSet, fs, path::Path, str::FromStr, sync::LazyLock, time::Duration};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateRule {
    cost: LateCost,
    /// Zero points after this time.
    latest: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum LateCost {
    /// Every unit of time begun costs the same.
    Each { amount: LateAmount, per: TimeUnit, max: Option<LateAmount> },
    /// Each up to a time, the shortest first; the last time is the latest.
    Steps(Vec<(Duration, LateAmount)>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum LateAmount {
    /// Percent of the points reached.
    Percent(Points),
    Points(Points),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TimeUnit {
    Minute,
    Hour,
    Day,
    Week,
}

/// A text that is not a late penalty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a late penalty; write `10 %/day`, `10 %/day, at most 5 days` (zero points after that), \
        `2 points/hour, at most 20 points`, or steps such as `up to 3 days: 30 %`"
)]
pub struct NoLateRule(pub String);

static RULE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(\d{1,6}(?:\.\d{1,6})?)\s*(%|percent|points?)\s*(?:/|per|each|a)\s*(minute|hour|day|week)$",
    )
    .expect("a pattern of ours")
});
static AT_MOST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:at most|max|up to)\s+(\d{1,6}(?:\.\d{1,6})?)\s*(%|percent|[a-z]+)$")
        .expect("a pattern of ours")
});

static STEP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:at most|max|up to)\s+([^:]+):\s*(\d{1,6}(?:\.\d{1,6})?)\s*(%|percent|points?)$")
        .expect("a pattern of ours")
});

impl FromStr for LateRule {
    type Err = NoLateRule;

    fn from_str(text: &str) -> Result<LateRule, NoLateRule> {
        let wrong = || NoLateRule(text.to_owned());
        if let Some(found) = STEP.captures(text.trim()) {
            let until = parse_lateness(&found[1]).filter(|until| !until.is_zero()).ok_or_else(wrong)?;
            let amount = LateAmount::parse(&found[2], &found[3]).ok_or_else(wrong)?;
            return Ok(LateRule { cost: LateCost::Steps(vec![(until, amount)]), latest: Some(until) });
        }
        let mut parts = text.split(',').map(str::trim);
        let found = parts.next().and_then(|first| RULE.captures(first)).ok_or_else(wrong)?;
        let amount = LateAmount::parse(&found[1], &found[2]).ok_or_else(wrong)?;
        let per = TimeUnit::parse(&found[3]).ok_or_else(wrong)?;
        let (mut latest, mut max) = (None, None);
        for part in parts {
            let found = AT_MOST.captures(part).ok_or_else(wrong)?;
            let twice = match parse_lateness(&format!("{} {}", &found[1], &found[2])) {
                Some(time) => latest.replace(time).is_some(),
                None => max.replace(LateAmount::parse(&found[1], &found[2]).ok_or_else(wrong)?).is_some(),
            };
            if twice {
                return Err(wrong());
            }
        }
        Ok(LateRule { cost: LateCost::Each { amount, per, max }, latest })
    }
}

impl LateRule {
    /// Steps, and the next ones.
    pub fn then(self, next: &LateRule) -> Result<LateRule, String> {
        let (LateCost::Steps(mut steps), LateCost::Steps(more)) = (self.cost, &next.cost) else {
            return Err("a list has steps only, such as `up to 1 day: 10 %`, `up to 3 days: 30 %`".to_owned());
        };
        if self.latest >= next.latest {
            return Err("the steps are not in order; begin with the shortest time".to_owned());
        }
        steps.extend(more.iter().cloned());
        Ok(LateRule { cost: LateCost::Steps(steps), latest: next.latest })
    }

    /// The deduction from the points reached, if any.
    pub fn deduction(&self, points: &Points, late: Duration) -> Option<Deduction> {
        if late.as_secs() == 0 {
            return None;
        }
        let late_by = match &self.cost {
            LateCost::Each { per, .. } => per.counted(late.as_secs().div_ceil(per.seconds())),
            LateCost::Steps(_) => Said::SpanOf { span: late.into() },
        };
        let span = Box::new(late_by);
        if let Some(latest) = self.latest.filter(|latest| late > *latest) {
            let reason = Said::LaterThan { span, most: latest.into() };
            return Some(Deduction { points: points.clone(), reason });
        }
        let (taken, reason) = match &self.cost {
            LateCost::Each { amount, per, max } => {
                let taken = amount.of(points) * Points::from(late.as_secs().div_ceil(per.seconds()));
                let most = max.as_ref().map_or(taken.clone(), |max| max.of(points));
                let amount = Box::new(amount.said());
                let reason = match max {
                    Some(max) => Said::LateEachAtMost { span, amount, most: max.said().into() },
                    None => Said::LateEach { span, amount },
                };
                (taken.min(most), reason)
            }
            LateCost::Steps(steps) => {
                let (until, amount) = steps.iter().find(|(until, _)| late <= *until)?;
                let most = (*until).into();
                (amount.of(points), Said::LateUpTo { span, most, amount: amount.said().into() })
            }
        };
        Some(Deduction { points: taken.min(points.clone()), reason })
    }

    /// The rule in sentences.
    pub fn said(&self) -> Vec<Said> {
        let mut all = Vec::new();
        match &self.cost {
            LateCost::Each { amount, per, max } => {
                let rule = per.rule(amount.said());
                all.push(match max {
                    Some(max) => Said::AtMost { rule: rule.into(), most: max.said().into() },
                    None => rule,
                });
            }
            LateCost::Steps(steps) => {
                for (at, (until, amount)) in steps.iter().enumerate() {
                    let (span, amount) = ((*until).into(), Box::new(amount.said()));
                    let is_first = at == 0;
                    all.push(if is_first {
                        Said::LoseUpTo { amount, span }
                    } else {
                        Said::AlsoUpTo { amount, span }
                    });
                }
            }
        }
        all.extend(self.latest.map(|time| Said::LaterNothing { span: time.into() }));
        all
    }
}

impl LateAmount {
    fn parse(number: &str, unit: &str) -> Option<LateAmount> {
        let number: Points = number.parse().ok()?;
        match unit.to_lowercase().as_str() {
            "%" | "percent" if number <= Points::from(100) => Some(LateAmount::Percent(number)),
            "point" | "points" => Some(LateAmount::Points(number)),
            _ => None,
        }
    }

    fn of(&self, points: &Points) -> Points {
        match self {
            LateAmount::Percent(percent) => points.clone() * percent.clone() / 100,
            LateAmount::Points(fixed) => fixed.clone(),
        }
    }

    fn said(&self) -> Said {
        match self {
            LateAmount::Percent(percent) => Said::PercentReached { percent: Decimal::new(percent) },
            LateAmount::Points(points) => Said::Points { points: Decimal::new(points) },
        }
    }
}

impl TimeUnit {
    fn parse(text: &str) -> Option<TimeUnit> {
        match text.to_lowercase().as_str() {
            "min" | "mins" | "minute" | "minutes" => Some(TimeUnit::Minute),
            "h" | "hour" | "hours" => Some(TimeUnit::Hour),
            "d" | "day" | "days" => Some(TimeUnit::Day),
            "w" | "week" | "weeks" => Some(TimeUnit::Week),
            _ => None,
        }
    }

    fn seconds(self) -> u64 {
        match self {
            TimeUnit::Minute => 60,
            TimeUnit::Hour => 3600,
            TimeUnit::Day => 86_400,
            TimeUnit::Week => 7 * 86_400,
        }
    }

    fn counted(self, number: u64) -> Said {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        match self {
            TimeUnit::Minute => Said::Minutes { number },
            TimeUnit::Hour => Said::Hours { number },
            TimeUnit::Day => Said::Days { number },
            TimeUnit::Week => Said::Weeks { number },
        }
    }

    fn rule(self, amount: Said) -> Said {
        let amount = Box::new(amount);
        match self {
            TimeUnit::Minute => Said::LoseEachMinute { amount },
            TimeUnit::Hour => Said::LoseEachHour { amount },
            TimeUnit::Day => Said::LoseEachDay { amount },
            TimeUnit::Week => Said::LoseEachWeek { amount },
        }
    }
}

static SPAN: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(\d{1,6}(?:\.\d{1,6})?)\s*([A-Za-z]+)\s*").expect("a pattern of ours"));

/// Reads a lateness: `2 days`, `1d 3h`, `90 min`. An empty text or `0` means in time.
pub fn parse_lateness(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    if rest.is_empty() || rest == "0" {
        return Some(Duration::ZERO);
    }
    while !rest.is_empty() {
        let found = SPAN.captures(rest)?;
        let number: f64 = found[1].parse().ok()?;
        sum += number * seconds_of(&found[2])? as f64;
        rest = &rest[found[0].len()..];
    }
    // Rounds up to seconds, except for rounding errors: `0.1 day` is not exact in binary.
    Some(Duration::from_secs((sum - 1e-6).ceil() as u64))
}

/// The seconds of a unit of rules, or of a unit that only platforms use.
fn seconds_of(unit: &str) -> Option<u64> {
    match unit.to_lowercase().as_str() {
        "s" | "sec" | "secs" | "second" | "seconds" => Some(1),
        "year" | "years" => Some(365 * TimeUnit::Day.seconds()),
        unit => TimeUnit::parse(unit).map(TimeUnit::seconds),
    }
}

#[derive(Debug, Default)]
pub struct LateTable {
    file: String,
    rows: Vec<LateRow>,
}

#[derive(Debug)]
struct LateRow {
    participant: String,
    late: Duration,
    /// `None`: all.
    package: Option<String>,
    line: u64,
}

impl LateTable {
    /// Reads a CSV with the columns `participant` (name, number, e-mail or file), `late` (`2 days`, `36 h`) and perhaps
    /// `package`.
    pub fn read(file: &Path) -> Result<LateTable> {
        let name = file.display().to_string();
        let rows = || read_rows(&fs::read(file)?);
        let rows = rows().with_context(|| format!("read the late participants in {name}"))?;
        Ok(LateTable { file: name, rows })
    }
}

/// The participants that late tables list, and a warning for each row without one: it may be a typo, or someone who
/// handed nothing in.
#[derive(Debug, Default)]
pub struct LateRows {
    pub listed: BTreeSet<String>,
    pub warnings: Vec<String>,
}

/// Marks the late participants of a class. Fails for a row that could mean several participants, and for a second
/// row about the same one.
pub fn apply_late_tables(
    tables: &[LateTable],
    packages: &[&str],
    classes: &mut [Vec<Participant>],
) -> Result<LateRows> {
    let mut found = LateRows::default();
    let mut given = BTreeSet::new();
    let all = tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)));
    for (table, LateRow { participant, package, line, late }) in all {
        let place = format!("{}, line {line}", table.file);
        let is_known = package.as_ref().is_none_or(|package| packages.contains(&package.as_str()));
        ensure!(is_known, "{place}: no package `{}`", package.as_deref().unwrap_or_default());
        let mut own: Vec<usize> = (0..packages.len()).collect();
        own.retain(|at| package.as_ref().is_none_or(|package| package == packages[*at]));
        let names = people_called(classes, participant).with_context(|| place.clone())?;
        if names.is_empty() {
            found.warnings.push(format!("{place}: no participant `{participant}`"));
        }
        for name in names {
            for &at in &own {
                for member in classes[at].iter_mut().filter(|member| member.name == name) {
                    member.hand_in.late = if late.is_zero() { None } else { Some(Lateness::By(*late)) };
                }
                let is_new = given.insert((at, name.clone()));
                ensure!(is_new, "{place}: {name} is listed twice; remove one of the rows");
            }
            found.listed.insert(name);
        }
    }
    Ok(found)
}

fn read_rows(bytes: &[u8]) -> Result<Vec<LateRow>> {
    let table = read_table(bytes).map_err(Error::msg)?;
    let columns: Vec<&str> = table.head.iter().collect();
    ensure!(
        ["participant", "late", "package"].starts_with(&columns) && columns.len() > 1,
        "line 1: the columns are participant,late and, if you like, package"
    );
    let mut rows: Vec<LateRow> = Vec::new();
    for CsvRow { line, cells } in table.rows {
        let late = parse_lateness(&cells[1]).with_context(|| {
            format!("line {line}: `{}` is not a time; write 2 days, 36 h or 1d 3h", &cells[1])
        })?;
        let participant = composed_name(&cells[0]);
        ensure!(!participant.is_empty(), "line {line}: an empty cell");
        let package = cells.get(2).filter(|package| !package.is_empty()).map(str::to_owned);
        rows.push(LateRow { participant, late, package, line });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_sentences::PageLanguage;

    fn taken(rule: &str, points: u64, late: &str) -> Option<(String, String)> {
        let late = parse_lateness(late).unwrap();
        let deduction = rule.parse::<LateRule>().unwrap().deduction(&Points::from(points), late)?;
        Some((deduction.points.to_string(), deduction.reason.to_string()))
    }

    #[test]
    fn every_unit_begun_costs() {
        let rule = "10 %/day, at most 5 days";
        let cases = [
            ("0", None),
            ("1 min", Some(("8", "1 day late, 10 % of the points reached each"))),
            ("24h", Some(("8", "1 day late, 10 % of the points reached each"))),
            ("1d 1 min", Some(("16", "2 days late, 10 % of the points reached each"))),
            ("5 days", Some(("40", "5 days late, 10 % of the points reached each"))),
            ("121 hours", Some(("80", "6 days late, more than 5 days: no points"))),
        ];
        for (late, wanted) in cases {
            let wanted = wanted.map(|(points, reason)| (points.to_owned(), reason.to_owned()));
            assert_eq!(taken(rule, 80, late), wanted, "{late}");
        }
        assert_eq!(taken("2 points per hour, at most 7 points", 80, "3.5 h").unwrap().0, "7");
        assert_eq!(taken("40%/day", 80, "1 week").unwrap().0, "80", "never below nothing");
    }

    #[test]
    fn a_rule_says_itself_in_words() {
        let text = |rule: &str| PageLanguage::English.say_all(&rule.parse::<LateRule>().unwrap().said());
        assert_eq!(
            text("10 %/day, at most 5 days"),
            "late hand-ins lose 10 % of the points reached for each day begun; more than 5 days late: no points"
        );
        assert_eq!(
            text("1 POINT / Hour, max 3 points"),
            "late hand-ins lose 1 point for each hour begun, at most 3 points"
        );
    }

    #[test]
    fn steps_follow_each_other() {
        let parse = |text: &str| text.parse::<LateRule>().unwrap();
        let rule = parse("up to 1 day: 10%").then(&parse("Up to 36 h: 5 points")).unwrap();
        let taken = |late: &str| {
            let deduction = rule.deduction(&Points::from(80), parse_lateness(late).unwrap())?;
            Some((deduction.points.to_string(), deduction.reason.to_string()))
        };
        let some = |points: &str, reason: &str| Some((points.to_owned(), reason.to_owned()));
        assert_eq!(taken("0"), None);
        assert_eq!(taken("1 day"), some("8", "1 day late, up to 1 day: 10 % of the points reached"));
        assert_eq!(taken("25 h"), some("5", "1 day 1 hour late, up to 1 day 12 hours: 5 points"));
        assert_eq!(taken("2 days"), some("80", "2 days late, more than 1 day 12 hours: no points"));
        assert_eq!(
            PageLanguage::English.say_all(&rule.said()),
            "late hand-ins lose 10 % of the points reached up to 1 day late; 5 points up to 1 day 12 hours late; more \
                than 1 day 12 hours late: no points"
        );
        assert!(rule.clone().then(&parse("up to 1 day: 20%")).unwrap_err().contains("not in order"));
        assert!(rule.then(&parse("10%/day")).unwrap_err().contains("steps only"));
    }

    #[test]
    fn unclear_late_rules_are_refused() {
        for bad in [
            "",
            "10",
            "10 %",
            "110 %/day",
            "10 %/year",
            "10 %/day, 5 days",
            "1 point/day, at most 1 day, at most 2 days",
            "-1 point/day",
            "up to: 10%",
            "up to 1 day: 110%",
        ] {
            assert_eq!(bad.parse::<LateRule>(), Err(NoLateRule(bad.to_owned())), "{bad}");
        }
        for bad in ["2", "two days", "-1 day", "1 day ago"] {
            assert_eq!(parse_lateness(bad), None, "{bad}");
        }
    }
}
