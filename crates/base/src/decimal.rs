//! The only grammar of decimal numbers, as the package format defines it:
//! `sign? (digit* . digit+ | digit+ . | digit+) ([eE] sign? digit+)?`.
//!
//! No hexadecimal digits, no infinity, no not-a-number. The caller limits the length of a number: scores,
//! limits and outputs have different bounds.

use num_bigint::BigInt;
use num_rational::BigRational;

/// A text that follows the grammar, split into its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal<'a> {
    /// The sign and the digits before the point.
    whole: &'a [u8],
    /// The digits after the point.
    fraction: &'a [u8],
    /// The exponent with its sign.
    exponent: Option<&'a [u8]>,
}

impl<'a> Decimal<'a> {
    /// Splits a text; `None` if it does not follow the grammar.
    pub fn parse(text: &'a [u8]) -> Option<Decimal<'a>> {
        let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
        let (mantissa, exponent) = split_at_mark(text, b"eE");
        let (whole, fraction) = split_at_mark(mantissa, b".");
        let (unsigned, fraction) = (without_sign(whole), fraction.unwrap_or(b""));
        let exponent_holds = exponent.map(without_sign).is_none_or(|part| !part.is_empty() && digits(part));
        let holds =
            digits(unsigned) && digits(fraction) && unsigned.len() + fraction.len() > 0 && exponent_holds;
        if holds { Some(Decimal { whole, fraction, exponent }) } else { None }
    }

    /// The number of digits before or after the point, whichever is larger.
    pub fn longest_part(&self) -> usize {
        without_sign(self.whole).len().max(self.fraction.len())
    }

    /// The exact number; `None` if its exponent is above the maximum, or below its negative. The bound
    /// matters, because a fraction has as many digits as its exponent.
    pub fn exact(&self, max_exponent: i64) -> Option<BigRational> {
        let exponent = match self.exponent {
            Some(text) => std::str::from_utf8(text).ok()?.parse::<i64>().ok()?,
            None => 0,
        };
        if !(-max_exponent..=max_exponent).contains(&exponent) {
            return None;
        }
        let digits = BigInt::parse_bytes(&[self.whole, self.fraction].concat(), 10)?;
        let shift = i32::try_from(exponent - self.fraction.len() as i64).ok()?;
        Some(BigRational::from(digits) * BigRational::from(BigInt::from(10)).pow(shift))
    }
}

fn without_sign(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"-").or(text.strip_prefix(b"+")).unwrap_or(text)
}

fn split_at_mark<'a>(text: &'a [u8], marks: &[u8]) -> (&'a [u8], Option<&'a [u8]>) {
    match text.iter().position(|byte| marks.contains(byte)) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_the_format_is_read_and_nothing_else() {
        for text in ["0", "-1", "+1", "1.", ".5", "1.5", "1e5", "1E-5", "-.5e+07", "00012", "1.e2", "1e99999"]
        {
            assert!(Decimal::parse(text.as_bytes()).is_some(), "{text}");
        }
        for text in [
            "", ".", "-", "+-1", "--1", "e5", "1e", "1e+", ".e1", "0x10", "inf", "nan", "1,5", "1_0",
            "1e1.5", " 1", "1 ", "1.2.3", "٣",
        ] {
            assert!(Decimal::parse(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_number_is_exact_unless_its_exponent_is_beyond_reason() {
        let exact = |text: &str| Decimal::parse(text.as_bytes()).unwrap().exact(400);
        let ratio = |over: i64, under: i64| Some(BigRational::new(over.into(), under.into()));
        assert_eq!(exact("-0.25"), ratio(-1, 4));
        assert_eq!(exact("+.5e1"), ratio(5, 1));
        assert_eq!(exact("2.50"), ratio(5, 2));
        assert!(exact("1e401").is_none() && exact("1e-401").is_none());
    }
}
