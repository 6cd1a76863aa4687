//! Decimal numbers in answers and outputs: the format's float grammar, compared exactly.
//!
//! Most comparisons are decided in binary floating point with a known bound on the error; only those within
//! that bound are computed in fractions. So `1.01` is within `0.01` of `1`, despite binary rounding.

use kopek_base::Decimal;
use kopek_sentences::Said;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::borrow::Cow;

/// Longer tokens are not numbers: parsers may limit the digits, and this is far more than the 30 on either
/// side that the format demands.
pub(crate) const MAX_LENGTH: usize = 4096;

/// Beyond this exponent a fraction would have absurdly many digits.
const MAX_EXPONENT: i64 = 5000;

/// Whether a token is a [`DecimalToken`] of reasonable length.
pub(crate) fn is_number(token: &[u8]) -> bool {
    token.len() <= MAX_LENGTH && Decimal::parse(token).is_some()
}

/// A token that follows the grammar.
#[derive(Debug, Clone, PartialEq)]
pub struct DecimalToken<'a> {
    text: Cow<'a, str>,
    /// The nearest binary floating-point number, or infinity.
    near: f64,
}

impl<'a> DecimalToken<'a> {
    /// Parses a token; `None` if it is not a number.
    pub fn read(token: &'a [u8]) -> Option<DecimalToken<'a>> {
        if !is_number(token) {
            return None;
        }
        let text = std::str::from_utf8(token).ok()?;
        Some(DecimalToken { text: text.into(), near: text.parse().ok()? })
    }

    /// The same number, independent of the token's lifetime.
    pub(crate) fn into_owned(self) -> DecimalToken<'static> {
        DecimalToken { text: self.text.into_owned().into(), near: self.near }
    }

    /// The exact number; `None` if its exponent is too large.
    fn exact(&self) -> Option<BigRational> {
        Decimal::parse(self.text.as_bytes())?.exact(MAX_EXPONENT)
    }

    /// Whether it is below zero; `-0` is not.
    pub(crate) fn is_negative(&self) -> bool {
        self.near < 0.0
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tolerance {
    /// `|s - a| ≤ e`.
    pub absolute: Option<DecimalToken<'static>>,
    /// `|s - a| ≤ e |a|`.
    pub relative: Option<DecimalToken<'static>>,
}

impl Tolerance {
    pub(crate) fn is_set(&self) -> bool {
        self.absolute.is_some() || self.relative.is_some()
    }

    /// Whether the found number is within the tolerance.
    pub(crate) fn accepts(&self, answer: &DecimalToken, found: &DecimalToken) -> bool {
        let bound = |e: &Option<DecimalToken<'static>>, scale: Option<&DecimalToken>| match e {
            Some(e) => is_within(answer, found, e, scale),
            None => false,
        };
        bound(&self.absolute, None) || bound(&self.relative, Some(answer))
    }

    /// The error of the found number, and the allowed error.
    pub(crate) fn error(&self, answer: &DecimalToken, found: &DecimalToken) -> Said {
        let off = exact_distance(answer, found);
        let mut parts = Vec::new();
        if let Some(DecimalToken { text, .. }) = &self.absolute {
            let (error, allowed) = (Box::new(scientific(&off)), kopek_sentences::Decimal::new(text));
            parts.push(Said::AbsoluteError { error, allowed });
        }
        if let Some(DecimalToken { text, .. }) = &self.relative {
            let (error, allowed) =
                (Box::new(relative_error(answer, &off)), kopek_sentences::Decimal::new(text));
            parts.push(Said::RelativeError { error, allowed });
        }
        Said::Several { parts }
    }
}

/// `|answer - found| ≤ e * |scale|`; `scale` defaults to 1.
fn is_within(
    answer: &DecimalToken,
    found: &DecimalToken,
    e: &DecimalToken,
    scale: Option<&DecimalToken>,
) -> bool {
    let a = answer.near;
    let s = found.near;
    let bound = e.near * scale.map_or(1.0, |scale| scale.near.abs());
    let off = (s - a).abs();
    // Each of the three was rounded at most three times; the smallest numbers lose digits.
    let doubt = 8.0 * f64::EPSILON * (s.abs() + a.abs() + bound) + 1e-300;
    if doubt.is_finite() && (off - bound).abs() > doubt {
        return off < bound;
    }
    // With too large an exponent, only the same text is within the tolerance.
    is_exactly_within(answer, found, e, scale).unwrap_or(answer == found)
}

fn is_exactly_within(
    answer: &DecimalToken,
    found: &DecimalToken,
    e: &DecimalToken,
    scale: Option<&DecimalToken>,
) -> Option<bool> {
    let off = (answer.exact()? - found.exact()?).abs();
    let bound = match scale {
        Some(scale) => e.exact()? * scale.exact()?.abs(),
        None => e.exact()?,
    };
    Some(off <= bound)
}

fn exact_distance(answer: &DecimalToken, found: &DecimalToken) -> Option<BigRational> {
    Some((answer.exact()? - found.exact()?).abs())
}

fn relative_error(answer: &DecimalToken, off: &Option<BigRational>) -> Said {
    let answer = answer.exact();
    match (off, answer) {
        (Some(_), Some(answer)) if answer.is_zero() => Said::Infinite,
        (Some(off), Some(answer)) => scientific(&Some(off / answer.abs())),
        _ => Said::BeyondMeasure,
    }
}

fn scientific(number: &Option<BigRational>) -> Said {
    let number = match number.as_ref().and_then(BigRational::to_f64).filter(|number| number.is_finite()) {
        Some(0.0) => kopek_sentences::Decimal::new(0),
        Some(number) => kopek_sentences::Decimal::new(format!("{number:.6e}")),
        None => return Said::BeyondMeasure,
    };
    Said::Number { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> DecimalToken<'_> {
        DecimalToken::read(text.as_bytes()).unwrap_or_else(|| panic!("{text}"))
    }

    fn tolerance(absolute: &str, relative: &str) -> Tolerance {
        let read = |text: &str| DecimalToken::read(text.as_bytes()).map(DecimalToken::into_owned);
        Tolerance { absolute: read(absolute), relative: read(relative) }
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
    fn the_error_of_a_number_is_reported_as_it_is() {
        let message = tolerance("1e-6", "1e-6").error(&number("1"), &number("1.000002"));
        assert_eq!(
            message.to_string(),
            "absolute error 2.000000e-6, allowed 1e-6; relative error 2.000000e-6, allowed 1e-6"
        );
        let message = tolerance("", "0.1").error(&number("0"), &number("1"));
        assert_eq!(message.to_string(), "relative error infinite, allowed 0.1");
    }
}
