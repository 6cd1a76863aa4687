//! The arguments of the format's default output validator.

use super::decimal_token::{DecimalToken, Tolerance};

/// How outputs are compared with answers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompareOptions {
    /// Whether upper and lower case differ.
    pub case_sensitive: bool,
    /// Whether white space must be equal, byte for byte.
    pub space_change_sensitive: bool,
    /// The tolerance for numbers; without one they are compared as text.
    pub tolerance: Tolerance,
}

/// Why arguments are invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadOption {
    /// The default validator has no such argument.
    #[error(
        "the default output validator knows no argument `{0}`; it knows case_sensitive, \
         space_change_sensitive, float_tolerance, float_relative_tolerance and float_absolute_tolerance"
    )]
    Unknown(String),
    /// A tolerance without its number.
    #[error("`{0}` must be followed by a number")]
    NoValue(String),
    /// A tolerance that is not a number, or is negative.
    #[error("`{0} {1}`: the tolerance must be a decimal number of at least 0")]
    BadValue(String, String),
    /// A tolerance that is set twice, possibly by `float_tolerance`.
    #[error("`{0}` sets a tolerance that is already set; give each at most once")]
    Repeated(String),
}

/// How to handle a tolerance that is already set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repetition {
    Refused,
    Replaces,
}

impl CompareOptions {
    /// Parses the arguments by the rules of 2025-09: a tolerance may be set only once.
    pub fn parse(args: &[String]) -> Result<CompareOptions, BadOption> {
        parse_options(args, Repetition::Refused)
    }

    /// Parses the arguments by the rules of `legacy`, where flags of a group follow those of the problem: the
    /// last one counts.
    pub fn parse_legacy(args: &[String]) -> Result<CompareOptions, BadOption> {
        parse_options(args, Repetition::Replaces)
    }
}

fn parse_options(args: &[String], repetition: Repetition) -> Result<CompareOptions, BadOption> {
    let mut options = CompareOptions::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let Tolerance { absolute, relative } = &mut options.tolerance;
        match arg.as_str() {
            "case_sensitive" => options.case_sensitive = true,
            "space_change_sensitive" => options.space_change_sensitive = true,
            "float_absolute_tolerance" => set_tolerance(arg, args.next(), repetition, &mut [absolute])?,
            "float_relative_tolerance" => set_tolerance(arg, args.next(), repetition, &mut [relative])?,
            "float_tolerance" => set_tolerance(arg, args.next(), repetition, &mut [absolute, relative])?,
            _ => return Err(BadOption::Unknown(arg.clone())),
        }
    }
    Ok(options)
}

fn set_tolerance(
    name: &str,
    value: Option<&String>,
    repetition: Repetition,
    places: &mut [&mut Option<DecimalToken<'static>>],
) -> Result<(), BadOption> {
    let value = value.ok_or_else(|| BadOption::NoValue(name.to_owned()))?;
    let number = DecimalToken::read(value.as_bytes()).filter(|number| !number.is_negative());
    let number = number.ok_or_else(|| BadOption::BadValue(name.to_owned(), value.clone()))?;
    for place in places {
        if place.is_some() && repetition == Repetition::Refused {
            return Err(BadOption::Repeated(name.to_owned()));
        }
        **place = Some(number.clone().into_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn arguments_set_what_they_name() {
        let options = CompareOptions::parse(&words("case_sensitive float_tolerance 1e-6")).unwrap();
        assert!(options.case_sensitive && !options.space_change_sensitive);
        assert_eq!(options.tolerance.absolute, options.tolerance.relative);
        assert_eq!(options.tolerance.absolute, DecimalToken::read(b"1e-6"));
        let both = words("float_absolute_tolerance 1 float_relative_tolerance 2 space_change_sensitive");
        let options = CompareOptions::parse(&both).unwrap();
        assert_eq!(options.tolerance.relative, DecimalToken::read(b"2"));
        assert!(options.space_change_sensitive);
    }

    #[test]
    fn senseless_arguments_are_refused() {
        for (line, message) in [
            ("float_tolerance", "must be followed by a number"),
            ("float_tolerance x", "`float_tolerance x`"),
            ("float_tolerance -1", "at least 0"),
            ("float_tolerance inf", "decimal number"),
            ("float_tolerance 1 float_tolerance 1", "already set"),
            ("float_tolerance 1 float_relative_tolerance 1", "already set"),
            ("float_absolute_tolerance 1 float_tolerance 1", "already set"),
            ("float_absolute_tolerance 1 float_absolute_tolerance 1", "already set"),
            ("tolerance 1", "knows no argument `tolerance`"),
        ] {
            let error = CompareOptions::parse(&words(line)).expect_err(line).to_string();
            assert!(error.contains(message), "{line}: {error}");
        }
    }

    #[test]
    fn in_legacy_packages_the_last_tolerance_counts() {
        let options =
            CompareOptions::parse_legacy(&words("float_tolerance 1 float_absolute_tolerance 2")).unwrap();
        assert_eq!(options.tolerance.absolute, DecimalToken::read(b"2"));
        assert_eq!(options.tolerance.relative, DecimalToken::read(b"1"));
    }
}
