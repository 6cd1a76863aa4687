//! How the time or the memory of a program grows with its input, beside that of the accepted submissions. Plain data.

use kopek_base::wording::short_seconds;
use kopek_package::package::Audience;
use kopek_plan::growth::{CostKind, Growth};
use kopek_sentences::{Decimal, Said};
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub struct ProgramGrowth {
    pub kind: CostKind,
    pub growth: Growth,
    pub accepted: AcceptedGrowth,
    /// `None`: participants may not see the sizes of the cases.
    pub chart: Option<GrowthChart>,
}

/// The runs that show the growth.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowthChart {
    pub own: Vec<ChartPoint>,
    pub accepted: Vec<ChartPoint>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChartPoint {
    pub size: f64,
    /// Milliseconds, or MiB.
    pub cost: f64,
}

/// The accepted submissions on the same inputs.
#[derive(Debug, Clone, PartialEq)]
pub enum AcceptedGrowth {
    /// The least and the largest factor.
    Factors(f64, f64),
    /// They are too fast to show a growth: their slowest run took this time.
    AtMost(Duration),
    Unknown,
}

impl ProgramGrowth {
    /// Completes `solution.py …`. A program can choose its time by its input, so everyone reads a whole factor, which
    /// tells no more of a hidden case than a verdict, and no sizes.
    pub fn sentence(&self, audience: Audience) -> Said {
        let Growth { from, to, .. } = self.growth;
        let own = match audience {
            Audience::Teacher if to > 0 => Said::WithSizes {
                what: self.factor_said(audience).into(),
                from: grouped(from),
                to: grouped(to),
            },
            // A public report has no sizes, whoever reads it.
            Audience::Teacher | Audience::Everyone => self.factor_said(audience),
        };
        let parts = [own].into_iter().chain(self.accepted_said()).collect();
        Said::Several { parts }
    }

    /// The sentence without sizes and accepted solutions.
    pub fn factor_said(&self, audience: Audience) -> Said {
        let Growth { measure, factor, .. } = self.growth;
        let factor = match audience {
            Audience::Teacher => Decimal::new(format!("{factor:.1}")),
            Audience::Everyone => Decimal::new(format!("{factor:.0}")),
        };
        let reason = Box::new(measure.into());
        match self.kind {
            CostKind::Time => Said::TakesTimes { factor, reason },
            CostKind::Memory => Said::NeedsTimes { factor, reason },
        }
    }

    /// As participants may see it.
    #[must_use]
    pub fn public(&self) -> ProgramGrowth {
        let growth =
            Growth { factor: self.growth.factor.round(), spread: 1.0, from: 0, to: 0, ..self.growth };
        ProgramGrowth { growth, chart: None, ..self.clone() }
    }

    fn accepted_said(&self) -> Option<Said> {
        match &self.accepted {
            AcceptedGrowth::Factors(least, largest) => {
                let [least, most] = [least, largest].map(|factor| Decimal::new(format!("{factor:.1}")));
                let is_one = least == most;
                let factor = least.clone();
                Some(if is_one {
                    Said::AcceptedTimes { factor }
                } else {
                    Said::AcceptedBetween { least, most }
                })
            }
            AcceptedGrowth::AtMost(time) => {
                let time = short_seconds((*time).max(Duration::from_millis(1)));
                Some(Said::AcceptedAtMost { time: Decimal::new(time) })
            }
            AcceptedGrowth::Unknown => None,
        }
    }
}

/// `48 000`, with a space that does not break.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b' ')).replace(' ', "\u{a0}")
}

/// As `report.json` has it.
impl Serialize for ProgramGrowth {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Growth { measure, factor, spread, from, to: largest } = self.growth;
        let mut json = to.serialize_map(None)?;
        json.serialize_entry("of", &self.kind)?;
        json.serialize_entry("size", &measure)?;
        json.serialize_entry("factor_per_doubling", &factor)?;
        json.serialize_entry("spread", &spread)?;
        if largest > 0 {
            json.serialize_entry("from", &from)?;
            json.serialize_entry("to", &largest)?;
        }
        json.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kopek_plan::growth::SizeMeasure;

    #[test]
    fn the_sentence_compares_with_accepted_solutions() {
        let measure = SizeMeasure::Number { line: 0, token: 0 };
        let growth = Growth { measure, factor: 3.96, spread: 1.0, from: 500, to: 48_000 };
        let of = |accepted| ProgramGrowth { kind: CostKind::Time, growth, accepted, chart: None };
        let text = of(AcceptedGrowth::Factors(2.0, 2.2)).sentence(Audience::Teacher).to_string();
        let expected = "takes about 4.0 times as long when n doubles (500 to 48\u{a0}000); accepted solutions: 2.0 to 2.2 times";
        assert_eq!(text, expected);
        let public = of(AcceptedGrowth::Unknown).public().sentence(Audience::Teacher).to_string();
        assert_eq!(public, "takes about 4.0 times as long when n doubles");
        let text = of(AcceptedGrowth::AtMost(Duration::ZERO)).sentence(Audience::Everyone).to_string();
        assert_eq!(
            text,
            "takes about 4 times as long when n doubles; accepted solutions take at most 0.001 s on these inputs"
        );
    }
}
