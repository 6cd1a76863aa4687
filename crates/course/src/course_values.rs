//! The values of a course, each with the place where the teacher wrote it. A value is read from the file and from the
//! command line by one function.

use super::{
    late_rule::{LateRule, parse_lateness},
    worksheet_late::{Deadline, Extension},
};
use kopek_base::wording::span_text;
use kopek_package::{package::TimeFactor, points::Points};
use kopek_results::{FeedbackLevel, PageLanguage};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use std::{fmt, marker::PhantomData, path::PathBuf, time::Duration};

/// Where the teacher wrote a value, for errors that are found later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Option(&'static str),
    Line { file: String, line: usize },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Origin::Option(name) => f.write_str(name),
            Origin::Line { file, line } => write!(f, "{file}:{line}"),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Sourced<T> {
    pub value: T,
    pub from: Origin,
}

/// A value for a package, a language or a participant.
#[derive(Debug, Clone)]
pub struct Named<T> {
    pub name: String,
    pub value: T,
    pub from: Origin,
}

/// What a rule can be.
pub trait RuleValue: Sized {
    /// Whether the file may have a number.
    const FORM: ValueForm = ValueForm::TextOrNumber;

    fn read(text: &str) -> Result<Self, String>;

    /// As the file has it.
    fn show(&self) -> String;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    Text,
    TextOrNumber,
    Truth,
}

impl ValueForm {
    /// The name by which the reader of the file knows it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            ValueForm::Text => "text",
            ValueForm::TextOrNumber => "text or number",
            ValueForm::Truth => "true or false",
        }
    }
}

/// A number of points above 0.
#[derive(Debug, Clone)]
pub struct PositivePoints(pub Points);

/// What points are multiplied by.
#[derive(Debug, Clone)]
pub struct PointWeight(pub Points);

/// A time span that is not 0.
#[derive(Debug, Clone, Copy)]
pub struct TimeSpan(pub Duration);

/// Whether totals above the maximum count as the maximum.
#[derive(Debug, Clone, Copy)]
pub struct TotalCap(pub bool);

/// A number of problems, not 0.
#[derive(Debug, Clone, Copy)]
pub struct ProblemCount(pub usize);

/// CPU time for a hunt, in seconds.
#[derive(Debug, Clone, Copy)]
pub struct HuntTime(pub u64);

/// A late penalty as the teacher wrote it.
#[derive(Debug, Clone)]
pub struct LatePenalty {
    pub text: String,
    pub rule: LateRule,
}

/// The programs of a language may use its standard library only.
#[derive(Debug, Clone, Copy)]
pub struct OnlyStandardLibrary;

/// A string of the file.
pub fn quoted(text: &impl fmt::Display) -> String {
    toml::Value::String(text.to_string()).to_string()
}

fn number(points: &Points) -> String {
    points.exact_decimal().unwrap_or_else(|| quoted(points))
}

impl RuleValue for String {
    const FORM: ValueForm = ValueForm::Text;

    fn read(text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    fn show(&self) -> String {
        quoted(self)
    }
}

impl RuleValue for PathBuf {
    const FORM: ValueForm = ValueForm::Text;

    fn read(text: &str) -> Result<PathBuf, String> {
        Ok(text.into())
    }

    fn show(&self) -> String {
        quoted(&self.display())
    }
}

impl RuleValue for PositivePoints {
    fn read(text: &str) -> Result<PositivePoints, String> {
        let points: Option<Points> = text.parse().ok();
        let points = points.filter(|points| !points.is_negative() && !points.is_zero());
        points.map(PositivePoints).ok_or_else(|| "write a number above 0, such as 10".to_owned())
    }

    fn show(&self) -> String {
        number(&self.0)
    }
}

impl RuleValue for PointWeight {
    fn read(text: &str) -> Result<PointWeight, String> {
        let weight: Option<Points> = text.parse().ok().filter(|weight: &Points| !weight.is_negative());
        weight.map(PointWeight).ok_or_else(|| "write a weight such as 2 or 0.5".to_owned())
    }

    fn show(&self) -> String {
        number(&self.0)
    }
}

impl RuleValue for TimeSpan {
    fn read(text: &str) -> Result<TimeSpan, String> {
        let span = parse_lateness(text).filter(|span| !span.is_zero());
        span.map(TimeSpan).ok_or_else(|| "write a time span such as 15 min, 36 h or 2 days".to_owned())
    }

    fn show(&self) -> String {
        quoted(&span_text(self.0))
    }
}

impl RuleValue for ProblemCount {
    fn read(text: &str) -> Result<ProblemCount, String> {
        let count = text.parse().ok().filter(|count| *count > 0);
        count.map(ProblemCount).ok_or_else(|| "write a number of problems".to_owned())
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

impl RuleValue for TotalCap {
    const FORM: ValueForm = ValueForm::Truth;

    fn read(text: &str) -> Result<TotalCap, String> {
        text.parse().map(TotalCap).map_err(|_| "write true or false".to_owned())
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

impl RuleValue for HuntTime {
    fn read(text: &str) -> Result<HuntTime, String> {
        let seconds = TimeSpan::read(text)?.0.as_secs();
        let is_short = seconds <= 3600;
        if is_short { Ok(HuntTime(seconds)) } else { Err("write at most an hour, such as 10 s".to_owned()) }
    }

    fn show(&self) -> String {
        quoted(&format!("{} s", self.0))
    }
}

impl RuleValue for TimeFactor {
    fn read(text: &str) -> Result<TimeFactor, String> {
        TimeFactor::parse(text).ok_or_else(|| "write a factor from 0.1 to 100, such as 1.5".to_owned())
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl RuleValue for Deadline {
    fn read(text: &str) -> Result<Deadline, String> {
        text.parse()
    }

    fn show(&self) -> String {
        quoted(self)
    }
}

impl RuleValue for Extension {
    fn read(text: &str) -> Result<Extension, String> {
        text.parse()
    }

    fn show(&self) -> String {
        quoted(self)
    }
}

impl RuleValue for LatePenalty {
    const FORM: ValueForm = ValueForm::Text;

    fn read(text: &str) -> Result<LatePenalty, String> {
        let rule = LateRule::parse(text).map_err(|why| why.to_string())?;
        Ok(LatePenalty { text: text.to_owned(), rule })
    }

    fn show(&self) -> String {
        quoted(&self.text)
    }
}

impl RuleValue for FeedbackLevel {
    fn read(text: &str) -> Result<FeedbackLevel, String> {
        let level = FeedbackLevel::CHOICES.into_iter().find(|level| level.name() == text);
        level.ok_or_else(|| "write brief, names or full".to_owned())
    }

    fn show(&self) -> String {
        quoted(&self.name())
    }
}

impl RuleValue for PageLanguage {
    fn read(text: &str) -> Result<PageLanguage, String> {
        let language = PageLanguage::ALL.into_iter().find(|language| language.code() == text);
        let codes = PageLanguage::ALL.map(PageLanguage::code).join(", ");
        language.ok_or_else(|| format!("write one of {codes}"))
    }

    fn show(&self) -> String {
        quoted(&self.code())
    }
}

impl RuleValue for OnlyStandardLibrary {
    fn read(text: &str) -> Result<OnlyStandardLibrary, String> {
        let is_meant = text == "standard library";
        if is_meant { Ok(OnlyStandardLibrary) } else { Err("write \"standard library\"".to_owned()) }
    }

    fn show(&self) -> String {
        quoted(&"standard library")
    }
}

impl<T> Sourced<T> {
    /// A value of the command line.
    pub fn option(name: &'static str, value: T) -> Sourced<T> {
        Sourced { value, from: Origin::Option(name) }
    }
}

impl<T: RuleValue> Named<T> {
    /// `ada=1.5` of the command line.
    pub fn read(option: &'static str, text: &str) -> Result<Named<T>, String> {
        let (name, value) = text.rsplit_once('=').ok_or("write it as NAME=VALUE")?;
        Ok(Named { name: name.to_owned(), value: T::read(value)?, from: Origin::Option(option) })
    }
}

impl<T: RuleValue> Serialize for Sourced<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.value.show())
    }
}

impl<'de, T: RuleValue> Deserialize<'de> for Sourced<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sourced<T>, D::Error> {
        from.deserialize_tuple_struct(T::FORM.name(), 3, SourcedVisitor(PhantomData))
    }
}

struct SourcedVisitor<T>(PhantomData<T>);

impl<'de, T: RuleValue> Visitor<'de> for SourcedVisitor<T> {
    type Value = Sourced<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value with its file and line")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Sourced<T>, A::Error> {
        let mut part = || Ok(parts.next_element::<String>()?.unwrap_or_default());
        let (text, file) = (part()?, part()?);
        let line = part()?.parse().unwrap_or_default();
        Ok(Sourced { value: T::read(&text).map_err(A::Error::custom)?, from: Origin::Line { file, line } })
    }
}

/// For `#[serde(with = …)]`: a table of names and values.
pub(super) mod by_name {
    use super::*;

    pub fn serialize<T: RuleValue, S: Serializer>(all: &[Named<T>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(all.iter().map(|one| (&one.name, one.value.show())))
    }

    pub fn deserialize<'de, T: RuleValue, D: Deserializer<'de>>(from: D) -> Result<Vec<Named<T>>, D::Error> {
        from.deserialize_map(NamedVisitor(PhantomData))
    }

    struct NamedVisitor<T>(PhantomData<T>);

    impl<'de, T: RuleValue> Visitor<'de> for NamedVisitor<T> {
        type Value = Vec<Named<T>>;

        fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
            f.write_str("a table of names and values")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Vec<Named<T>>, A::Error> {
            let mut all = Vec::new();
            while let Some((name, Sourced { value, from })) = table.next_entry()? {
                all.push(Named { name, value, from });
            }
            Ok(all)
        }
    }
}
