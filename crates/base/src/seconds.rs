//! Durations in reports: seconds to the microsecond; whole ones as whole numbers.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Number;
use std::time::Duration;

/// Seconds as a JSON number.
pub fn seconds_number(time: Duration) -> Number {
    let micros = time.as_micros();
    let whole = u64::try_from(micros / 1_000_000).unwrap_or(u64::MAX);
    if micros.is_multiple_of(1_000_000) {
        return Number::from(whole);
    }
    Number::from_f64(micros as f64 / 1e6).expect("a number of microseconds is finite")
}

/// For `#[serde(serialize_with = …)]`: a duration, or an optional one.
pub fn serialize_seconds<'t, S: Serializer>(
    time: impl Into<Option<&'t Duration>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    time.into().map(|time| seconds_number(*time)).serialize(to)
}

/// For `#[serde(deserialize_with = …)]`: what [`serialize_seconds`] writes of a duration.
pub fn deserialize_seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let micros = (f64::deserialize(from)? * 1e6).round();
    Ok(Duration::from_micros(micros as u64))
}
