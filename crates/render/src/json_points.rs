//! Points in JSON, without rounding: a number that ends is a JSON number, `46.5`; any other a fraction in a
//! string, `"140/3"`.

use kopek_engine::points::Points;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::Error as _};
use serde_json::value::RawValue;

/// Points as JSON shows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPoints(pub(super) Points);

impl JsonPoints {
    pub(super) fn of(points: Option<&Points>) -> Option<JsonPoints> {
        points.cloned().map(JsonPoints)
    }
}

impl Serialize for JsonPoints {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0.exact_decimal() {
            // Not by way of a double, which neither holds 0.1 nor 1e400.
            Some(decimal) => RawValue::from_string(decimal).map_err(S::Error::custom)?.serialize(to),
            None => self.0.serialize(to),
        }
    }
}

impl<'de> Deserialize<'de> for JsonPoints {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonPoints, D::Error> {
        let json = Box::<RawValue>::deserialize(from)?;
        let text = json.get();
        let points = if text.starts_with('"') {
            serde_json::from_str(text).map_err(D::Error::custom)
        } else {
            text.parse().map_err(D::Error::custom)
        };
        points.map(JsonPoints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_keep_their_value_in_json() {
        let whole = |text: &str| text.parse::<Points>().unwrap();
        let large = format!("1{}", "0".repeat(400));
        for (points, json) in [
            (whole("20"), "20"),
            (whole("-0.1"), "-0.1"),
            (whole("49.99999999999999999999"), "49.99999999999999999999"),
            (whole("1e400"), &*large),
            (whole("140") / 3, "\"140/3\""),
            (whole("0.5") / 7, "\"1/14\""),
        ] {
            let points = JsonPoints(points);
            assert_eq!(serde_json::to_string(&points).unwrap(), json);
            assert_eq!(serde_json::from_str::<JsonPoints>(json).unwrap(), points);
        }
        for text in ["true", "\"1/0\"", "[1]", "\"x\""] {
            assert!(serde_json::from_str::<JsonPoints>(text).is_err(), "{text}");
        }
    }
}
