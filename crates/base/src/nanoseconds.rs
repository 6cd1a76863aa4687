//! Serialises durations as whole nanoseconds: the names of their parts were half of a fact about a short run.
//!
//! For `#[serde(with = …)]`. Also reads the form with parts (`{"secs": 0, "nanos": 7}`).

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};
use std::{fmt, time::Duration};

/// For `#[serde(with = "nanoseconds")]`.
pub fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(time.as_nanos()) {
        Ok(nanoseconds) => to.serialize_u64(nanoseconds),
        // More than five hundred years.
        Err(_) => time.serialize(to),
    }
}

/// For `#[serde(with = "nanoseconds")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    from.deserialize_any(DurationVisitor)
}

struct DurationVisitor;

impl<'de> Visitor<'de> for DurationVisitor {
    type Value = Duration;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("nanoseconds, or seconds and nanoseconds")
    }

    fn visit_u64<E: Error>(self, nanoseconds: u64) -> Result<Duration, E> {
        Ok(Duration::from_nanos(nanoseconds))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Duration, A::Error> {
        Duration::deserialize(MapAccessDeserializer::new(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Run(#[serde(with = "super")] Duration);

    #[test]
    fn times_survive_their_text_in_both_forms() {
        for (time, text) in [
            (Duration::ZERO, "0"),
            (Duration::new(2, 7), "2000000007"),
            (Duration::from_nanos(u64::MAX), "18446744073709551615"),
            (Duration::MAX, r#"{"secs":18446744073709551615,"nanos":999999999}"#),
        ] {
            assert_eq!(serde_json::to_string(&Run(time)).unwrap(), text);
            assert_eq!(serde_json::from_str::<Run>(text).unwrap(), Run(time));
        }
        let parts: Run = serde_json::from_str(r#"{"secs":2,"nanos":7}"#).unwrap();
        assert_eq!(parts, Run(Duration::new(2, 7)));
        assert!(serde_json::from_str::<Run>("-1").is_err() && serde_json::from_str::<Run>("\"1\"").is_err());
    }
}
