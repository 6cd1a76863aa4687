//! Numbers in answers and outputs: the format's float grammar, decided exactly.
//!
//! Most comparisons are decided in binary floating point with a known bound on
//! its error; only what falls within that bound is worked out in fractions. So
//! `1.01` is within `0.01` of `1`, whatever binary fractions say.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::borrow::Cow;

/// Tokens longer than this are no numbers: parsers may limit digits, and this is far beyond the 30 on
/// either side that the format demands.
pub const LONGEST: usize = 4096;

/// Beyond this exponent a fraction would have more digits than anybody means.
const GREATEST_EXPONENT: i64 = 5000;

/// Whether a token is `sign? (digit* . digit+ | digit+ . | digit+) ([eE] sign? digit+)?`:
/// no hexadecimal digits, no infinity, no not-a-number.
pub fn is_number(token: &[u8]) -> bool {
    let unsigned = strip_sign(token);
    let (mantissa, exponent) = split_at_either(unsigned, b"eE");
    let (whole, rest) = split_at_either(mantissa, b".");
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let rest = rest.unwrap_or(b"");
    token.len() <= LONGEST
        && digits(whole)
        && digits(rest)
        && whole.len() + rest.len() > 0
        && exponent.is_none_or(|e| !strip_sign(e).is_empty() && digits(strip_sign(e)))
}

fn strip_sign(token: &[u8]) -> &[u8] {
    token.strip_prefix(b"-").or(token.strip_prefix(b"+")).unwrap_or(token)
}

fn split_at_either<'a>(text: &'a [u8], marks: &[u8]) -> (&'a [u8], Option<&'a [u8]>) {
    match text.iter().position(|byte| marks.contains(byte)) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    }
}

/// A token that follows the grammar.
#[derive(Debug, Clone, PartialEq)]
pub struct Number<'a> {
    text: Cow<'a, str>,
    /// The nearest binary fraction, infinite where there is none.
    near: f64,
}

impl<'a> Number<'a> {
    /// Reads a token; `None`: it is not a number.
    pub fn read(token: &'a [u8]) -> Option<Number<'a>> {
        if !is_number(token) {
            return None;
        }
        let text = std::str::from_utf8(token).ok()?;
        Some(Number { text: text.into(), near: text.parse().ok()? })
    }

    /// The same number, kept for longer than the token.
    pub fn kept(self) -> Number<'static> {
        Number { text: self.text.into_owned().into(), near: self.near }
    }

    /// The number itself; `None`: its exponent is beyond reason.
    fn exact(&self) -> Option<BigRational> {
        let (mantissa, exponent) = self.text.split_once(['e', 'E']).unwrap_or((&self.text, "0"));
        let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent = exponent.parse::<i64>().ok().filter(|e| e.abs() <= GREATEST_EXPONENT)?;
        let number = BigRational::from(format!("{whole}{rest}").parse::<BigInt>().ok()?);
        let shift = i32::try_from(exponent - rest.len() as i64).ok()?;
        Some(number * BigRational::from(BigInt::from(10)).pow(shift))
    }

    /// Whether it is below zero: `-0` is not.
    pub fn is_negative(&self) -> bool {
        self.near < 0.0
    }
}

/// How far a number may be off.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tolerance {
    /// `|s - a| ≤ e`.
    pub absolute: Option<Number<'static>>,
    /// `|s - a| ≤ e |a|`.
    pub relative: Option<Number<'static>>,
}

impl Tolerance {
    /// Whether numbers are compared as numbers at all.
    pub fn is_set(&self) -> bool {
        self.absolute.is_some() || self.relative.is_some()
    }

    /// Whether the found number is near enough.
    pub fn accepts(&self, answer: &Number, found: &Number) -> bool {
        let bound = |e: &Option<Number<'static>>, scale: Option<&Number>| match e {
            Some(e) => within(answer, found, e, scale),
            None => false,
        };
        bound(&self.absolute, None) || bound(&self.relative, Some(answer))
    }

    /// How far the found number is off, beside what was allowed.
    pub fn error(&self, answer: &Number, found: &Number) -> String {
        let off = distance(answer, found);
        let mut parts = Vec::new();
        if let Some(allowed) = &self.absolute {
            parts.push(format!("absolute error {}, allowed {}", shown(&off), allowed.text));
        }
        if let Some(allowed) = &self.relative {
            parts.push(format!("relative error {}, allowed {}", share(answer, &off), allowed.text));
        }
        parts.join("; ")
    }
}

/// `|answer - found| ≤ e * |scale|`, the scale being 1 if not given.
fn within(answer: &Number, found: &Number, e: &Number, scale: Option<&Number>) -> bool {
    let (a, s) = (answer.near, found.near);
    let bound = e.near * scale.map_or(1.0, |scale| scale.near.abs());
    let off = (s - a).abs();
    // Each of the three was rounded at most thrice; the smallest numbers lose digits.
    let doubt = 8.0 * f64::EPSILON * (s.abs() + a.abs() + bound) + 1e-300;
    if doubt.is_finite() && (off - bound).abs() > doubt {
        return off < bound;
    }
    exactly_within(answer, found, e, scale).unwrap_or(answer == found)
}

fn exactly_within(answer: &Number, found: &Number, e: &Number, scale: Option<&Number>) -> Option<bool> {
    let off = (answer.exact()? - found.exact()?).abs();
    let bound = match scale {
        Some(scale) => e.exact()? * scale.exact()?.abs(),
        None => e.exact()?,
    };
    Some(off <= bound)
}

fn distance(answer: &Number, found: &Number) -> Option<BigRational> {
    Some((answer.exact()? - found.exact()?).abs())
}

fn share(answer: &Number, off: &Option<BigRational>) -> String {
    let answer = answer.exact();
    match (off, answer) {
        (Some(_), Some(answer)) if answer.is_zero() => "infinite".to_owned(),
        (Some(off), Some(answer)) => shown(&Some(off / answer.abs())),
        _ => shown(&None),
    }
}

fn shown(number: &Option<BigRational>) -> String {
    match number.as_ref().and_then(BigRational::to_f64).filter(|number| number.is_finite()) {
        Some(0.0) => "0".to_owned(),
        Some(number) => format!("{number:.6e}"),
        None => "beyond measure".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number<'_> {
        Number::read(text.as_bytes()).unwrap_or_else(|| panic!("{text}"))
    }

    fn tolerance(absolute: &str, relative: &str) -> Tolerance {
        let read = |text: &str| Number::read(text.as_bytes()).map(Number::kept);
        Tolerance { absolute: read(absolute), relative: read(relative) }
    }

    #[test]
    fn the_float_grammar_of_the_format_is_followed() {
        for text in ["0", "-1", "+1", "1.", ".5", "1.5", "1e5", "1E-5", "-.5e+07", "00012", "1.e2"] {
            assert!(is_number(text.as_bytes()), "{text}");
        }
        let wrong =
            ["", ".", "-", "+-1", "e5", "1e", "1e+", ".e1", "0x10", "inf", "nan", "1,5", "1_0", "1e1.5"];
        for text in wrong {
            assert!(!is_number(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn thirty_digits_on_either_side_and_more_are_read() {
        let long = format!("{}.{}", "9".repeat(300), "1".repeat(300));
        assert!(is_number(long.as_bytes()));
        let off_by_a_little = format!("{}.{}2", "9".repeat(300), "1".repeat(299));
        let narrow = tolerance("1e-301", "");
        assert!(narrow.accepts(&number(&long), &number(&long)));
        assert!(!narrow.accepts(&number(&long), &number(&off_by_a_little)));
        assert!(tolerance("1e-300", "").accepts(&number(&long), &number(&off_by_a_little)));
    }

    #[test]
    fn the_edge_of_a_tolerance_is_decided_exactly() {
        for (answer, found, absolute, accepted) in [
            ("1", "1.000000001", "1e-9", true),
            ("1", "1.0000000010000000001", "1e-9", false),
            ("0.1", "0.3", "0.2", true),
            ("0.1", "0.3", "0.19999999999999999999", false),
            ("1e-320", "0", "1e-320", true),
            ("1e-320", "0", "1e-321", false),
            ("1e400", "1.0e400", "0", true),
            ("1e400", "1e401", "1", false),
            ("1e99999", "2e99999", "1", false),
        ] {
            let verdict = tolerance(absolute, "").accepts(&number(answer), &number(found));
            assert_eq!(verdict, accepted, "{answer} {found} {absolute}");
        }
        assert!(tolerance("", "0.01").accepts(&number("-200"), &number("-2.02e2")));
        assert!(!tolerance("", "0.01").accepts(&number("0"), &number("1e-30")));
        assert!(tolerance("", "0.01").accepts(&number("0"), &number("-0.0")));
    }

    #[test]
    fn the_error_of_a_number_is_told_as_it_is() {
        let told = tolerance("1e-6", "1e-6").error(&number("1"), &number("1.000002"));
        assert_eq!(
            told,
            "absolute error 2.000000e-6, allowed 1e-6; relative error 2.000000e-6, allowed 1e-6"
        );
        let told = tolerance("", "0.1").error(&number("0"), &number("1"));
        assert_eq!(told, "relative error infinite, allowed 0.1");
    }
}
