//! The kinds of arguments that sentences have.

use super::{
    said::Said,
    speech::{PageLanguage, Speech},
};
use fluent_bundle::FluentValue;
use kopek_base::wording::one_line;
use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

/// An argument as a text of a language.
pub(super) trait Argument {
    fn value(&self, speech: &Speech) -> FluentValue<'static>;

    /// A value that no other argument of a sentence has.
    #[cfg(test)]
    fn example(name: &str) -> Self
    where
        Self: Sized;
}

/// A number with decimals, perhaps with its unit: `6.75`, `0.31 s`. The comma is the language's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Decimal(String);

impl Decimal {
    pub fn new(number: impl fmt::Display) -> Decimal {
        Decimal(number.to_string())
    }
}

/// A span of time in seconds: `1 day 2 hours`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub u64);

impl From<Duration> for Span {
    fn from(time: Duration) -> Span {
        Span(time.as_secs())
    }
}

/// The first of several names, and the number of the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Names {
    names: Vec<String>,
    more: usize,
}

impl Names {
    pub fn first(names: &[String], max: usize) -> Names {
        let shown = names.len().min(max);
        Names { names: names[..shown].to_vec(), more: names.len() - shown }
    }
}

/// As [`Names`], of groups and cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    items: Vec<Said>,
    more: usize,
}

impl Listed {
    pub fn first(mut items: Vec<Said>, max: usize) -> Listed {
        let more = items.len().saturating_sub(max);
        items.truncate(max);
        Listed { items, more }
    }
}

fn text(text: String) -> FluentValue<'static> {
    FluentValue::String(text.into())
}

/// The first names, and the number of the others. A name with a comma is no two names.
fn list(names: &[String], more: usize, speech: &Speech) -> FluentValue<'static> {
    let separator = if names.iter().any(|name| name.contains(", ")) { "; " } else { ", " };
    let names = names.join(separator);
    if more == 0 {
        return text(names);
    }
    // The names are in the form of the speech already.
    let plain = Speech::new(speech.language);
    text(plain.say(&Said::NamesAndMore { names, number: more }))
}

impl Argument for String {
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        text((speech.quote)(&one_line(self)))
    }

    #[cfg(test)]
    fn example(name: &str) -> String {
        format!("<{name}>")
    }
}

impl Argument for Decimal {
    /// A whole number decides the plural form.
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        match self.0.parse::<u32>() {
            Ok(whole) => FluentValue::from(whole),
            Err(_) => text(speech.language.decimals(&self.0)),
        }
    }

    #[cfg(test)]
    fn example(name: &str) -> Decimal {
        Decimal(format!("1.5 <{name}>"))
    }
}

impl Argument for Span {
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        let mut rest = self.0;
        let mut parts = Vec::new();
        for seconds in [86_400, 3600, 60, 1] {
            let number = usize::try_from(rest / seconds).unwrap_or(usize::MAX);
            rest %= seconds;
            let part = match seconds {
                86_400 => Said::Days { number },
                3600 => Said::Hours { number },
                60 => Said::Minutes { number },
                _ => Said::Seconds { number },
            };
            if number > 0 || seconds == 1 && parts.is_empty() {
                parts.push(speech.say(&part));
            }
        }
        text(parts.join(" "))
    }

    #[cfg(test)]
    fn example(name: &str) -> Span {
        Span(name.bytes().map(u64::from).sum())
    }
}

/// Decides the plural form.
impl Argument for usize {
    fn value(&self, _: &Speech) -> FluentValue<'static> {
        FluentValue::from(*self)
    }

    #[cfg(test)]
    fn example(name: &str) -> usize {
        name.bytes().map(usize::from).sum()
    }
}

/// Any size, with all digits.
impl Argument for u64 {
    fn value(&self, _: &Speech) -> FluentValue<'static> {
        text(self.to_string())
    }

    #[cfg(test)]
    fn example(name: &str) -> u64 {
        u64::MAX - name.len() as u64
    }
}

impl Argument for i32 {
    fn value(&self, _: &Speech) -> FluentValue<'static> {
        text(self.to_string())
    }

    #[cfg(test)]
    fn example(name: &str) -> i32 {
        -(name.len() as i32)
    }
}

impl Argument for Box<Said> {
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        text(speech.say(self))
    }

    #[cfg(test)]
    fn example(name: &str) -> Box<Said> {
        Said::Foreign { text: format!("<{name}>") }.into()
    }
}

impl Argument for Vec<Said> {
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        text(speech.say_all(self))
    }

    #[cfg(test)]
    fn example(name: &str) -> Vec<Said> {
        [name, "other"].map(|name| *Box::<Said>::example(name)).to_vec()
    }
}

impl Argument for Names {
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        let names: Vec<String> = self.names.iter().map(|name| (speech.quote)(&one_line(name))).collect();
        list(&names, self.more, speech)
    }

    #[cfg(test)]
    fn example(name: &str) -> Names {
        Names { names: vec![format!("<{name}>")], more: 3 }
    }
}

impl Argument for Listed {
    fn value(&self, speech: &Speech) -> FluentValue<'static> {
        let items: Vec<String> = self.items.iter().map(|item| speech.say(item)).collect();
        list(&items, self.more, speech)
    }

    #[cfg(test)]
    fn example(name: &str) -> Listed {
        Listed { items: Argument::example(name), more: 3 }
    }
}

impl PageLanguage {
    /// With the language's comma between digits.
    pub fn decimals(self, number: &str) -> String {
        if self == PageLanguage::English {
            return number.to_owned();
        }
        let letters: Vec<char> = number.chars().collect();
        let is_digit =
            |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let is_point =
            |at: usize| letters[at] == '.' && is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
        (0..letters.len()).map(|at| if is_point(at) { ',' } else { letters[at] }).collect()
    }
}
