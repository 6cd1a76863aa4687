//! Numbers of manifests: factors and times.

use kopek_base::Decimal;
use std::time::Duration;

/// A decimal number that fits into a binary floating-point number.
pub(super) fn decimal(text: &str) -> Option<f64> {
    // First, because Rust's own parser also accepts `inf` and `nan`.
    Decimal::parse(text.as_bytes())?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The longest time limit: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// A positive time of at most a day.
pub(super) fn positive_seconds(number: f64) -> Option<Duration> {
    (number > 0.0 && number <= MAX_SECONDS)
        .then(|| Duration::from_secs_f64(number))
        // Less than a nanosecond is rounded to zero.
        .filter(|time| !time.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_decimal_and_finite() {
        assert_eq!(decimal("+2.5E-1"), Some(0.25));
        assert!(["", "inf", "nan", "0x1", "1e999"].into_iter().all(|text| decimal(text).is_none()));
    }

    #[test]
    fn a_time_is_positive_and_at_most_a_day() {
        assert_eq!(positive_seconds(1.5), Some(Duration::from_millis(1500)));
        assert!(
            [0.0, -1.0, 1e300, f64::NAN, 1e-30].into_iter().all(|number| positive_seconds(number).is_none())
        );
    }
}
