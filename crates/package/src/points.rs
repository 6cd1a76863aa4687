//! Exact scores: a third of a point stays a third.

use kopek_base::Decimal;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::IntoDeserializer};
use serde_json::value::RawValue;
use std::{fmt, iter::Sum, ops, str::FromStr};

/// An exact score. Parsed and shown as a decimal; stored as a fraction.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(BigRational);

impl Points {
    /// No points.
    pub fn zero() -> Points {
        Points(BigRational::zero())
    }

    pub fn one() -> Points {
        Points(BigRational::one())
    }

    /// Whether this is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// The integer part; 0 for a negative score.
    pub fn whole(&self) -> u64 {
        self.0.floor().to_integer().to_u64().unwrap_or(0)
    }

    /// All decimals, if they end: `46.5`.
    pub fn exact_decimal(&self) -> Option<String> {
        let mut rest = self.0.denom().clone();
        let mut remove_factor = |factor: u32| {
            let mut times = 0;
            while (&rest % factor).is_zero() {
                rest /= factor;
                times += 1;
            }
            times
        };
        let twos = remove_factor(2);
        let fives = remove_factor(5);
        if rest.is_one() { Some(self.decimal(twos.max(fives))) } else { None }
    }

    /// Rounded to a number of decimals.
    pub fn rounded(&self, digits: u32) -> Points {
        let scale = BigRational::from(BigInt::from(10).pow(digits));
        Points((&self.0 * &scale).round() / scale)
    }

    /// The nearest multiple of a step, which must not be zero; ties go up.
    pub fn rounded_to(&self, step: &Points) -> Points {
        let half = BigRational::new(BigInt::from(1), BigInt::from(2));
        Points((&self.0 / &step.0 + half).floor() * &step.0)
    }

    /// For reports, without rounding: a number of at most 15 digits is a JSON number, `46.5`; any other is a text with all
    /// decimals, or a fraction if they do not end, `"140/3"`.
    pub fn to_json(&self) -> Box<RawValue> {
        // Most readers of JSON read a number as a double, which keeps 15 digits.
        let is_short = |text: &String| text.bytes().filter(u8::is_ascii_digit).count() <= 15;
        let text = match self.exact_decimal() {
            Some(decimal) if is_short(&decimal) => decimal,
            Some(decimal) => format!("\"{decimal}\""),
            None => format!("\"{}\"", self.0),
        };
        RawValue::from_string(text).expect("decimals and quoted texts are JSON")
    }

    fn decimal(&self, digits: u32) -> String {
        let scale = BigInt::from(10).pow(digits);
        // Rounded only for printing: sums and comparisons use the exact fraction.
        let scaled = (&self.0 * BigRational::from(scale)).round().to_integer();
        let sign = if scaled.is_negative() { "-" } else { "" };
        let text = format!("{:0>width$}", scaled.abs().to_string(), width = digits as usize + 1);
        let (whole, rest) = text.split_at(text.len() - digits as usize);
        let rest = rest.trim_end_matches('0');
        if rest.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
    }
}

impl From<u64> for Points {
    fn from(n: u64) -> Points {
        Points(BigRational::from(BigInt::from(n)))
    }
}

/// Why a text is not a number of points.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a decimal number of reasonable length")]
pub struct NotPoints(pub String);

impl FromStr for Points {
    type Err = NotPoints;

    /// Parses a [`Decimal`] exactly, with at most 1000 digits before and after the point, and an exponent of
    /// at most 400.
    fn from_str(text: &str) -> Result<Points, NotPoints> {
        let decimal = Decimal::parse(text.as_bytes()).filter(|decimal| decimal.longest_part() <= 1000);
        let exact = decimal.and_then(|decimal| decimal.exact(400)).map(Points);
        exact.ok_or_else(|| NotPoints(text.chars().take(60).collect()))
    }
}

impl fmt::Display for Points {
    /// At most two decimals, or as many as the format's precision requires (`{:.6}`).
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad_integral(true, "", &self.decimal(f.precision().unwrap_or(2) as u32))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Points, D::Error> {
        let text = String::deserialize(from)?;
        // Facts on disk may be damaged: a fraction with a zero denominator is not a number.
        let fraction = text.split_once('/').is_none_or(|(_, below)| below.bytes().any(|b| b != b'0'));
        let number = text.parse().ok().filter(|_| fraction).map(Points);
        number.ok_or_else(|| serde::de::Error::custom(format!("`{text}` is not a fraction")))
    }
}

/// For `#[serde(with = …)]`: points as [`Points::to_json`] writes them, or null.
pub mod exact_json {
    use super::*;

    pub fn serialize<'p, S: Serializer>(
        points: impl Into<Option<&'p Points>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        points.into().map(Points::to_json).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Points>, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Whole(i64),
            Decimal(f64),
            Text(String),
        }
        let text = match Option::<Written>::deserialize(from)? {
            None => return Ok(None),
            Some(Written::Whole(number)) => number.to_string(),
            Some(Written::Decimal(number)) => number.to_string(),
            Some(Written::Text(text)) if text.contains('/') => {
                return Points::deserialize(text.into_deserializer()).map(Some);
            }
            Some(Written::Text(text)) => text,
        };
        text.parse().map(Some).map_err(serde::de::Error::custom)
    }

    /// For points that are always known.
    pub fn known<'de, D: Deserializer<'de>>(from: D) -> Result<Points, D::Error> {
        deserialize(from)?.ok_or_else(|| serde::de::Error::custom("points that are null"))
    }
}

impl ops::Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl ops::Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0 - other.0)
    }
}

impl ops::Mul for Points {
    type Output = Points;
    fn mul(self, other: Points) -> Points {
        Points(self.0 * other.0)
    }
}

impl ops::Div<u64> for Points {
    type Output = Points;
    /// The equal share of `parts`, which must not be zero.
    fn div(self, parts: u64) -> Points {
        Points(self.0 / BigRational::from(BigInt::from(parts)))
    }
}

impl ops::Div for Points {
    type Output = Points;
    /// The divisor must not be zero.
    fn div(self, other: Points) -> Points {
        Points(self.0 / other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::zero(), |a, b| a + b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_thirds_are_a_whole() {
        let third = Points::one() / 3;
        assert_eq!(third.to_string(), "0.33");
        assert_eq!([third.clone(), third.clone(), third].into_iter().sum::<Points>(), Points::one());
    }

    #[test]
    fn a_fact_keeps_a_score_exactly() {
        for points in [Points::one() / 3, Points::zero(), Points::zero() - Points::from(7) / 2] {
            let text = serde_json::to_string(&points).unwrap();
            assert_eq!(serde_json::from_str::<Points>(&text).unwrap(), points, "{text}");
        }
        for text in ["\"1/0\"", "\"1/\"", "\"\"", "\"x\"", "1"] {
            assert!(serde_json::from_str::<Points>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_tie_is_rounded_up() {
        let points = |text: &str| text.parse::<Points>().unwrap();
        for (exact, step, rounded) in [
            ("7.25", "0.5", "7.5"),
            ("7.24", "0.5", "7"),
            ("7.5", "1", "8"),
            ("-0.25", "0.5", "0"),
            ("8.1", "0.25", "8"),
        ] {
            assert_eq!(points(exact).rounded_to(&points(step)), points(rounded), "{exact}");
        }
        assert_eq!((Points::from(20) / 3).rounded_to(&points("0.5")), points("6.5"));
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Reported(#[serde(with = "exact_json")] Option<Points>);

    #[test]
    fn points_keep_their_value_in_reports() {
        let whole = |text: &str| Some(text.parse::<Points>().unwrap());
        let large = format!("\"1{}\"", "0".repeat(400));
        for (points, json) in [
            (None, "null"),
            (whole("20"), "20"),
            (whole("-0.1"), "-0.1"),
            (whole("123456789.012345"), "123456789.012345"),
            (whole("49.99999999999999999999"), "\"49.99999999999999999999\""),
            (whole("1e400"), &*large),
            (whole("140").map(|points| points / 3), "\"140/3\""),
            (whole("0.5").map(|points| points / 7), "\"1/14\""),
        ] {
            let points = Reported(points);
            assert_eq!(serde_json::to_string(&points).unwrap(), json);
            assert_eq!(serde_json::from_str::<Reported>(json).unwrap(), points);
        }
        for text in ["true", "\"1/0\"", "[1]", "\"x\""] {
            assert!(serde_json::from_str::<Reported>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_decimal_of_reasonable_length_is_read_and_shown_shortly() {
        for (text, shown) in
            [("12", "12"), ("0.5", "0.5"), (".25", "0.25"), ("5.", "5"), ("-1e2", "-100"), ("2.50", "2.5")]
        {
            assert_eq!(text.parse::<Points>().unwrap().to_string(), shown, "{text}");
        }
        for text in ["", ".", "1e401", " 1", "1 ", &"1".repeat(1001)] {
            assert!(text.parse::<Points>().is_err(), "{text}");
        }
        let long = format!("{0}.{0}e-30", "123".repeat(20));
        assert!(long.parse::<Points>().is_ok());
    }
}
