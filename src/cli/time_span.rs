//! Time spans on the command line: `30s`, `10m`; `30` are seconds.

use std::time::Duration;

/// Parses a whole number of seconds, minutes or hours.
pub(super) fn parse_time_span(text: &str) -> Result<Duration, String> {
    let wrong = || "write it as 30s, 10m or 1h".to_owned();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..end].parse().map_err(|_| wrong())?;
    let (unit, max) = match &text[end..] {
        "" | "s" => (1, 7 * 86_400),
        "m" => (60, 7 * 1440),
        "h" => (3600, 7 * 24),
        _ => return Err(wrong()),
    };
    match number {
        1.. if number <= max => Ok(Duration::from_secs(number * unit)),
        _ => Err("write a time between 1s and a week".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_has_a_unit_and_is_neither_nothing_nor_endless() {
        assert_eq!(parse_time_span("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(parse_time_span("30"), parse_time_span("30s"));
        assert_eq!(parse_time_span("10m"), Ok(Duration::from_secs(600)));
        for bad in ["", "0", "0s", "s", "1d", "-1s", "1.5s", "99999999999999999999s", "9999h"] {
            assert!(parse_time_span(bad).is_err(), "{bad}");
        }
    }
}
