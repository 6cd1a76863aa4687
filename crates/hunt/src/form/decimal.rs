//! Numbers with digits behind a point.

/// A decimal number.
pub(super) struct Decimal {
    /// The number in units of the last of [`Decimal::MOST_DIGITS`].
    pub units: i128,
    /// How many digits stand behind the point.
    pub digits: usize,
}

impl Decimal {
    const MOST_DIGITS: usize = 12;
    /// So that the units of any decimal fit.
    const MOST_WHOLE: usize = 20;

    pub fn read(token: &str) -> Option<Decimal> {
        let (whole, part) = token.split_once('.').unwrap_or((token, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole_length, digits) = (whole.len(), part.len());
        let unsigned = whole.strip_prefix('-').unwrap_or(whole);
        // Such are rows of digits.
        let has_leading_zero = unsigned.len() > 1 && unsigned.starts_with('0');
        if !is_digits(unsigned)
            || has_leading_zero
            || !is_digits(part)
            || whole_length > Decimal::MOST_WHOLE
            || digits > Decimal::MOST_DIGITS
        {
            return None;
        }
        let number: i128 = format!("{whole}{part}").parse().ok()?;
        Some(Decimal { units: number * Decimal::units_of_last(digits), digits })
    }

    /// The value of one in the last digit, if there are `digits` behind the point.
    pub fn units_of_last(digits: usize) -> i128 {
        10_i128.pow((Decimal::MOST_DIGITS - digits) as u32)
    }

    /// Writes a number with the point before its last `digits` digits.
    pub fn text(number: i128, digits: usize) -> String {
        let sign = if number < 0 { "-" } else { "" };
        let text = format!("{:0>width$}", number.unsigned_abs(), width = digits + 1);
        let (whole, part) = text.split_at(text.len() - digits);
        format!("{sign}{whole}.{part}")
    }
}
