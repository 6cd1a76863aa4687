//! Numbers of the format: decimal, perhaps with an exponent; no hexadecimal, no
//! infinity.

use std::time::Duration;

/// Reads the format's float grammar: `sign? (digits* . digits+ | digits+ .? ) (e sign? digits+)?`.
pub fn decimal(text: &str) -> Option<f64> {
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (body, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_holds = exponent.is_none_or(|text| {
        let text = text.strip_prefix(['+', '-']).unwrap_or(text);
        !text.is_empty() && digits(text)
    });
    let holds = digits(whole) && digits(rest) && !(whole.is_empty() && rest.is_empty()) && exponent_holds;
    holds.then(|| text.parse().ok()).flatten().filter(|number: &f64| number.is_finite())
}

/// Longest time that a limit may allow: a day.
const LONGEST: f64 = 86_400.0;

/// A positive time of at most a day.
pub fn seconds(number: f64) -> Option<Duration> {
    (number > 0.0 && number <= LONGEST)
        .then(|| Duration::from_secs_f64(number))
        .filter(|time| !time.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_read_exactly() {
        for text in ["1", "-1.5", ".5", "5.", "1e3", "+2.5E-1", "00.10"] {
            assert!(decimal(text).is_some(), "{text}");
        }
        for text in ["", ".", "e1", "1e", "0x1", "inf", "nan", "1_0", "1e999", " 1", "--1", "٣"] {
            assert!(decimal(text).is_none(), "{text}");
        }
    }

    #[test]
    fn a_time_is_positive_and_at_most_a_day() {
        assert_eq!(seconds(1.5), Some(Duration::from_millis(1500)));
        assert!([0.0, -1.0, 1e300, f64::NAN, 1e-30].into_iter().all(|number| seconds(number).is_none()));
    }
}
