//! Compares numbers with a few digits and no exponent, as most programs print them, in integers. This is as
//! exact as with fractions and much faster. Other numbers are left to fractions.

use super::tape::is_space;

/// The number of digits that always fits into a word.
const MAX_DIGITS: u32 = 18;

/// Powers of ten, up to the sum of two scales.
const POWERS: [u128; 2 * MAX_DIGITS as usize + 1] = {
    let mut powers = [1; 2 * MAX_DIGITS as usize + 1];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = 10 * powers[at - 1];
        at += 1;
    }
    powers
};

/// `mantissa / 10^scale`, with its sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShortDecimal {
    negative: bool,
    mantissa: u64,
    /// At most [`MAX_DIGITS`].
    scale: u32,
}

/// The tolerance in integers, where it fits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct ShortTolerance {
    pub absolute: Option<ShortDecimal>,
    pub relative: Option<ShortDecimal>,
}

impl ShortDecimal {
    /// The number at the start and its length; white space must follow within the slice.
    pub(super) fn read(bytes: &[u8]) -> Option<(ShortDecimal, usize)> {
        let (number, length) = ShortDecimal::read_digits(bytes)?;
        if is_space(*bytes.get(length)?) { Some((number, length)) } else { None }
    }

    /// The whole text, which may have an exponent.
    pub(super) fn parse(text: &[u8]) -> Option<ShortDecimal> {
        let (mut number, length) = ShortDecimal::read_digits(text)?;
        let exponent: i64 = match text.get(length) {
            None => return Some(number),
            Some(b'e' | b'E') => std::str::from_utf8(&text[length + 1..]).ok()?.parse().ok()?,
            Some(_) => return None,
        };
        let scale = i64::from(number.scale).checked_sub(exponent)?;
        let shift = u32::try_from(scale.min(0).checked_neg()?).ok()?;
        number.mantissa = number.mantissa.checked_mul(10u64.checked_pow(shift)?)?;
        number.scale = u32::try_from(scale.max(0)).ok().filter(|scale| *scale <= MAX_DIGITS)?;
        Some(number)
    }

    fn read_digits(bytes: &[u8]) -> Option<(ShortDecimal, usize)> {
        let negative = bytes.first() == Some(&b'-');
        let start = usize::from(negative || bytes.first() == Some(&b'+'));
        let (whole, point) = add_digits(0, bytes, start);
        let has_point = bytes.get(point) == Some(&b'.');
        let (mantissa, end) = if has_point { add_digits(whole, bytes, point + 1) } else { (whole, point) };
        let scale = if has_point { end - point - 1 } else { 0 };
        let digits = point - start + scale;
        // More digits would not fit.
        let fits = (1..=MAX_DIGITS as usize).contains(&digits);
        if fits { Some((ShortDecimal { negative, mantissa, scale: scale as u32 }, end)) } else { None }
    }

    fn signed(&self, scale: u32) -> i128 {
        // At most 18 digits, shifted by at most 18.
        let size = i128::from(self.mantissa) * POWERS[(scale - self.scale) as usize] as i128;
        if self.negative { -size } else { size }
    }
}

/// Appends the following digits and returns where they end. Too many digits wrap around.
#[inline]
fn add_digits(mut mantissa: u64, bytes: &[u8], mut at: usize) -> (u64, usize) {
    while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    (mantissa, at)
}

impl ShortTolerance {
    /// Whether the found number is certainly within the tolerance; `false` may mean that this is unknown.
    pub(super) fn surely_accepts(&self, answer: ShortDecimal, found: ShortDecimal) -> bool {
        let scale = answer.scale.max(found.scale);
        let off = answer.signed(scale).abs_diff(found.signed(scale));
        // off / 10^scale ≤ e.mantissa / 10^e.scale × size / 10^size_scale, without a division.
        let within = |e: ShortDecimal, size: u64, size_scale: u32| {
            let off = off.checked_mul(POWERS[(e.scale + size_scale) as usize])?;
            let bound = u128::from(e.mantissa) * u128::from(size);
            Some(!e.negative && off <= bound.checked_mul(POWERS[scale as usize])?)
        };
        let absolute = self.absolute.and_then(|e| within(e, 1, 0));
        absolute == Some(true)
            || self.relative.and_then(|e| within(e, answer.mantissa, answer.scale)) == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::decimal_token::{DecimalToken, Tolerance},
        *,
    };
    use proptest::prelude::*;

    fn read(text: &str) -> Option<(ShortDecimal, usize)> {
        ShortDecimal::read(text.as_bytes())
    }

    #[test]
    fn only_short_numbers_that_end_in_sight_are_read() {
        let half = ShortDecimal { negative: true, mantissa: 50, scale: 2 };
        assert_eq!(read("-0.50\n"), Some((half, 5)));
        assert_eq!(read("7. "), Some((ShortDecimal { negative: false, mantissa: 7, scale: 0 }, 2)));
        for text in ["1", "", "-", ". ", "1e5 ", "1.2.3 ", "1x ", "0x1 ", "+-1 ", "1234567890.123456789 "] {
            assert_eq!(read(text), None, "{text}");
        }
        assert!(read("1234567890.12345678 ").is_some());
    }

    #[test]
    fn a_tolerance_may_have_an_exponent() {
        let of = |mantissa, scale| Some(ShortDecimal { negative: false, mantissa, scale });
        for (text, short) in [
            ("1e-6", of(1, 6)),
            ("1.5E-3", of(15, 4)),
            ("2e3", of(2000, 0)),
            ("0.25e1", of(25, 1)),
            ("1e-19", None),
            ("1e20", None),
            ("1e", None),
            ("1e99999999999999999999", None),
            ("1e-9223372036854775808", None),
        ] {
            assert_eq!(ShortDecimal::parse(text.as_bytes()), short, "{text}");
        }
    }

    pub fn number() -> impl Strategy<Value = String> {
        "[-+]?[0-9]{1,12}(\\.[0-9]{0,9})?"
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_accepted_in_integers_is_accepted_in_fractions(
            answer in number(), off in -3..4i64, found in number(),
            tolerance in prop::sample::select(vec!["0", "1", "1e-6", "0.30", "1e-9", "2e-18", "5e17"]),
            near: bool,
        ) {
            let found = if near { format!("{}{}", answer.trim_end_matches('.'), off.abs()) } else { found };
            let (a, b) = (format!("{answer} "), format!("{found} "));
            if let (Some((a, _)), Some((b, _))) = (read(&a), read(&b)) {
                let exact = |text: &str| DecimalToken::read(text.as_bytes()).unwrap().into_owned();
                for (absolute, relative) in [(true, false), (false, true), (true, true)] {
                    let e = |set: bool| set.then(|| exact(tolerance));
                    let slow = Tolerance { absolute: e(absolute), relative: e(relative) };
                    let accepted = slow.accepts(&exact(&answer), &exact(&found));
                    let quick = slow.in_short().surely_accepts(a, b);
                    prop_assert!(!quick || accepted, "{} {} {}", answer, found, tolerance);
                    // Numbers of this size always fit.
                    prop_assert!(quick || !accepted || tolerance == "2e-18" || tolerance == "5e17");
                }
            }
        }
    }
}
