//! The participants whose submissions are judged.

use super::Submission;
use crate::{
    points::Points,
    verdict::{Verdict, short_verdict},
};
use kopek_sentences::Said;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr, time::Duration};

/// A participant of a cohort, from the folder where the submission was found to the report.
#[derive(Debug, Clone)]
pub struct Participant {
    pub name: String,
    /// The name of the submission in its folder: `ada.rs`, `ada/nim.py`.
    pub file: String,
    /// Details of the participant and the hand-in.
    pub hand_in: HandIn,
    /// The submission, or why it cannot be judged.
    pub submission: Result<Submission, NoSubmission>,
}

/// Details of a participant and the hand-in, apart from the program. A report keeps those that people look up; the row has
/// the effects of the others.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HandIn {
    /// The name that several participants have; an addition tells them apart in tables.
    #[serde(skip)]
    pub shared_name: Option<String>,
    /// The number or login from the learning platform.
    pub id: Option<String>,
    /// The e-mail address, if the platform exports it.
    pub email: Option<String>,
    /// The members of a group hand-in, in the platform's order.
    pub group: Option<String>,
    /// `None`: in time, as far as known.
    #[serde(flatten, with = "late_keys")]
    pub late: Option<Lateness>,
    /// How much later than the others the participant may hand in.
    #[serde(skip)]
    pub extension: Duration,
    /// The number of the judged attempt, from 1, if there are several.
    pub attempt: Option<u32>,
    /// The file that is run, relative to the hand-in; for a linked language the one with the entry point.
    pub entry: Option<String>,
    /// Number of the hand-in's other files, without litter.
    pub other_files: usize,
    /// Those of them that the program does not get, because it does not name them.
    #[serde(skip)]
    pub left_out: Vec<String>,
    /// The factor on the time limit of this participant, if it is not 1.
    #[serde(with = "factor_text")]
    pub time_factor: Option<TimeFactor>,
    /// Changes to the files before judging, and files that were left out.
    #[serde(skip)]
    pub notes: Vec<Said>,
    /// Manual decisions on cases that no run could decide.
    #[serde(skip)]
    pub decisions: Vec<CaseDecision>,
    /// Points and comments that a person gave for the package or its groups.
    #[serde(skip)]
    pub by_hand: Vec<PointsByHand>,
    /// Points and a comment for several packages together.
    #[serde(skip)]
    pub total_by_hand: Option<PointsByHand>,
}

/// Points that a person gave, a comment, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointsByHand {
    /// The group as the teacher names it; `None`: the whole.
    pub group: Option<String>,
    pub change: Option<PointsChange>,
    pub comment: Option<String>,
    /// The name of the person who gave them.
    pub by: String,
    pub place: RowPlace,
}

impl PointsByHand {
    /// Whether a name of a group, `secret/2` or short `2`, means the group with this path.
    pub fn is_name_of(name: &str, path: &str) -> bool {
        name == path || path.strip_prefix("secret/") == Some(name)
    }

    /// The points after this change; `None`: not known.
    pub fn points_after(&self, before: Option<&Points>) -> Option<Points> {
        match &self.change {
            None => before.cloned(),
            Some(PointsChange::Excuse) => None,
            Some(PointsChange::Set(points)) => Some(points.clone()),
            Some(PointsChange::Add(points)) => {
                let before = before?.clone();
                let least = before.clone().min(Points::zero());
                Some((before + points.clone()).max(least))
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PointsChange {
    Set(Points),
    /// Added, never to less than no points.
    Add(Points),
    /// No points and no grade: the participant is excused.
    Excuse,
}

/// A row in one of the tables of decisions.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct RowPlace {
    pub file: String,
    pub line: u64,
}

impl fmt::Display for RowPlace {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, line {}", self.file, self.line)
    }
}

/// A manual decision on a case that no run could decide, or on all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseDecision {
    /// The case's name: `secret/1/03`; [`CaseDecision::ALL`] for all that stay open.
    pub case: String,
    #[serde(with = "short_verdict")]
    pub verdict: Verdict,
    pub reason: String,
    /// The name of the person who decided.
    pub by: String,
    #[serde(skip)]
    pub place: RowPlace,
}

impl CaseDecision {
    pub const ALL: &str = "*";

    pub fn is_on_all(&self) -> bool {
        self.case == CaseDecision::ALL
    }
}

/// A factor on the time limit, in millionths, so that the product of two with three decimals is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeFactor(u64);

impl FromStr for TimeFactor {
    type Err = &'static str;

    /// Reads `1.5`: from 0.1 to 100, with at most three decimals.
    fn from_str(text: &str) -> Result<TimeFactor, &'static str> {
        let wrong = "write a factor from 0.1 to 100, such as 1.5";
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits =
            |text: &str| !text.is_empty() && text.len() <= 3 && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(part) {
            return Err(wrong);
        }
        let number = |text: &str| text.parse::<u64>().map_err(|_| wrong);
        let thousandths = number(whole)? * 1000 + number(&format!("{part:0<3}"))?;
        if (100..=100_000).contains(&thousandths) { Ok(TimeFactor(thousandths * 1000)) } else { Err(wrong) }
    }
}

impl TimeFactor {
    /// Both factors together.
    pub fn times(self, other: TimeFactor) -> TimeFactor {
        TimeFactor(self.0 * other.0 / 1_000_000)
    }

    /// The time limit multiplied by this factor.
    pub fn of(self, limit: Duration) -> Duration {
        Duration::from_nanos_u128(limit.as_nanos() * u128::from(self.0) / 1_000_000)
    }
}

impl fmt::Display for TimeFactor {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = format!("{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// As reports have a factor: `"1.5"`.
mod factor_text {
    use super::*;

    pub fn serialize<S: Serializer>(factor: &Option<TimeFactor>, to: S) -> Result<S::Ok, S::Error> {
        factor.map(|factor| factor.to_string()).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<TimeFactor>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
        // A product has six decimals, and `parse` reads three.
        let millionths = text.parse::<f64>().map(|factor| (factor * 1e6).round() as u64);
        millionths.map(|factor| Some(TimeFactor(factor))).map_err(de::Error::custom)
    }
}

/// How late a hand-in is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lateness {
    /// The platform marks it as late without a time.
    Marked,
    /// This long after the deadline.
    By(Duration),
}

/// As reports have it: `"late": true, "late_seconds": 60`.
mod late_keys {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct LateKeys {
        late: bool,
        late_seconds: Option<u64>,
    }

    pub fn serialize<S: Serializer>(late: &Option<Lateness>, to: S) -> Result<S::Ok, S::Error> {
        let late_seconds = match late {
            Some(Lateness::By(time)) => Some(time.as_secs()),
            Some(Lateness::Marked) | None => None,
        };
        LateKeys { late: late.is_some(), late_seconds }.serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Lateness>, D::Error> {
        let LateKeys { late, late_seconds } = LateKeys::deserialize(from)?;
        let by = late_seconds.map(|seconds| Lateness::By(Duration::from_secs(seconds)));
        Ok(if late { by.or(Some(Lateness::Marked)) } else { None })
    }
}

/// Why there is nothing to judge.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSubmission {
    /// No submission for this package.
    #[error("{0}")]
    Absent(Said),
    /// The submission is not a program: the participant's own mistake.
    #[error("{0}")]
    Refused(Said),
    /// The program to judge is ambiguous and a person must decide: never a verdict. Names the remedy.
    #[error("{0}")]
    Undecided(String),
}

/// An example submission becomes a participant under its own name.
impl From<&Submission> for Participant {
    fn from(submission: &Submission) -> Participant {
        let name = submission.name.clone();
        let hand_in = HandIn::default();
        Participant { file: name.clone(), name, hand_in, submission: Ok(submission.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_factor_is_a_plain_number() {
        let limit =
            |text: &str| text.parse::<TimeFactor>().ok().map(|factor| factor.of(Duration::from_secs(2)));
        assert_eq!(limit("1.5"), Some(Duration::from_secs(3)));
        assert_eq!(limit("0.125"), Some(Duration::from_millis(250)));
        assert_eq!("2".parse::<TimeFactor>().unwrap().to_string(), "2");
        let factor = |text: &str| text.parse::<TimeFactor>().unwrap();
        assert_eq!(factor("1.25").to_string(), "1.25");
        assert_eq!(factor("1.125").times(factor("1.5")).to_string(), "1.6875");
        for bad in ["", "1.", ".5", "0", "0.05", "101", "-1", "1e3", "1,5", "1.2345"] {
            assert!(bad.parse::<TimeFactor>().is_err(), "{bad}");
        }
    }
}
