//! Reads `course.toml`: a deserializer whose errors name the line, the key, and the key that is near.

use super::course_values::ValueForm;
use anyhow::{Context, Result, anyhow};
use kopek_package::package::nearest_word;
use serde::{
    Deserializer,
    de::{
        self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor,
        value::StrDeserializer,
    },
    forward_to_deserialize_any,
};
use std::{
    fmt::{self, Display},
    fs,
    ops::Range,
    path::Path,
    vec,
};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

pub(super) fn read_file<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text = fs::read_to_string(file).with_context(|| format!("read the course {}", file.display()))?;
    let source = SourceText { file, text: &text };
    let root = DeTable::parse(&text)
        .map_err(|error| anyhow!("{}", source.wrong(&error.span().unwrap_or(0..0), error.message())))?;
    let whole = 0..0;
    let value = DeValue::Table(root.into_inner());
    let root = CourseEntry { source, key: "", key_span: whole.clone(), span: whole, value: &value };
    T::deserialize(root).map_err(|error| anyhow!("{}", error.text))
}

/// The known word that is meant, or all of them.
pub(super) fn near_or_all(word: &str, known: &[&str], all: &str) -> String {
    match nearest_word(word, known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{all} are {}", known.join(", ")),
    }
}

#[derive(Clone, Copy)]
struct SourceText<'a> {
    file: &'a Path,
    text: &'a str,
}

impl SourceText<'_> {
    fn line(&self, span: &Range<usize>) -> usize {
        let before = &self.text.as_bytes()[..span.start.min(self.text.len())];
        before.iter().filter(|byte| **byte == b'\n').count() + 1
    }

    fn wrong(&self, span: &Range<usize>, why: impl Display) -> WrongCourse {
        let text = format!("{}:{}: {why}", self.file.display(), self.line(span));
        WrongCourse { text, has_place: true }
    }
}

#[derive(Debug)]
struct WrongCourse {
    text: String,
    has_place: bool,
}

impl Display for WrongCourse {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for WrongCourse {}

impl de::Error for WrongCourse {
    fn custom<T: Display>(what: T) -> WrongCourse {
        WrongCourse { text: what.to_string(), has_place: false }
    }
}

/// A key with its value.
#[derive(Clone)]
struct CourseEntry<'a> {
    source: SourceText<'a>,
    key: &'a str,
    key_span: Range<usize>,
    span: Range<usize>,
    value: &'a DeValue<'a>,
}

impl<'a> CourseEntry<'a> {
    fn wrong(&self, why: impl Display) -> WrongCourse {
        self.source.wrong(&self.span, format!("`{}` {why}", self.key))
    }

    /// With the place, if it has none.
    fn place(&self, error: WrongCourse) -> WrongCourse {
        if error.has_place {
            return error;
        }
        self.source.wrong(&self.span, format!("`{}`: {}", self.key, error.text))
    }

    /// Its keys and values in the order of the file.
    fn entries(&self) -> Result<Vec<CourseEntry<'a>>, WrongCourse> {
        let DeValue::Table(table) = self.value else {
            return Err(self.wrong("is a table of keys and values"));
        };
        let entry = |(key, value): (&'a Spanned<_>, &'a Spanned<DeValue<'a>>)| {
            let name: &'a std::borrow::Cow<'a, str> = key.get_ref();
            let source = self.source;
            CourseEntry {
                source,
                key: name,
                key_span: key.span(),
                span: value.span(),
                value: value.get_ref(),
            }
        };
        let mut all: Vec<CourseEntry> = table.iter().map(entry).collect();
        all.sort_by_key(|entry| entry.key_span.start);
        Ok(all)
    }

    /// A text, number or time, read from its digits, so that numbers stay exact.
    fn text(&self, form: &str) -> Result<String, WrongCourse> {
        Ok(match self.value {
            DeValue::Boolean(value) if form == ValueForm::Truth.name() => value.to_string(),
            _ if form == ValueForm::Truth.name() => return Err(self.wrong("is true or false")),
            DeValue::String(text) => text.to_string(),
            _ if form == ValueForm::Text.name() => return Err(self.wrong("is a text in quotes")),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Datetime(_) => self.source.text[self.span.clone()].to_owned(),
            DeValue::Boolean(_) | DeValue::Array(_) | DeValue::Table(_) => {
                return Err(self.wrong("is a text or a number"));
            }
        })
    }
}

impl<'de> Deserializer<'de> for CourseEntry<'de> {
    type Error = WrongCourse;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongCourse> {
        visitor.visit_string(self.text(ValueForm::TextOrNumber.name())?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongCourse> {
        visitor.visit_some(self)
    }

    /// A value, with its file and line.
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        form: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, WrongCourse> {
        let file = self.source.file.display().to_string();
        let parts = vec![self.text(form)?, file, self.source.line(&self.span).to_string()];
        visitor.visit_seq(ValueParts(parts.into_iter()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WrongCourse> {
        let rest = self.entries()?.into_iter();
        visitor.visit_map(TableEntries { rest, known: Some(known), current: None })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongCourse> {
        visitor.visit_map(TableEntries { rest: self.entries()?.into_iter(), known: None, current: None })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WrongCourse> {
        let DeValue::Array(items) = self.value else {
            // A list of one needs no brackets.
            return visitor.visit_seq(ListItems(vec![self].into_iter()));
        };
        let item = |item: &'de Spanned<DeValue<'de>>| CourseEntry {
            span: item.span(),
            value: item.get_ref(),
            ..self.clone()
        };
        visitor.visit_seq(ListItems(items.iter().map(item).collect::<Vec<_>>().into_iter()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct tuple enum identifier ignored_any
    }
}

struct TableEntries<'a> {
    rest: vec::IntoIter<CourseEntry<'a>>,
    /// `None`: all keys are.
    known: Option<&'static [&'static str]>,
    current: Option<CourseEntry<'a>>,
}

impl<'de> MapAccess<'de> for TableEntries<'de> {
    type Error = WrongCourse;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, WrongCourse> {
        self.current = self.rest.next();
        let Some(entry) = &self.current else { return Ok(None) };
        if let Some(known) = self.known.filter(|known| !known.contains(&entry.key)) {
            let near = near_or_all(entry.key, known, "the keys here");
            let why = format!("unknown key `{}`; {near}", entry.key);
            return Err(entry.source.wrong(&entry.key_span, why));
        }
        let key: StrDeserializer<WrongCourse> = entry.key.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, WrongCourse> {
        let entry = self.current.take().expect("a key comes before its value");
        seed.deserialize(entry.clone()).map_err(|error| entry.place(error))
    }
}

struct ListItems<'a>(vec::IntoIter<CourseEntry<'a>>);

impl<'de> SeqAccess<'de> for ListItems<'de> {
    type Error = WrongCourse;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, WrongCourse> {
        let Some(item) = self.0.next() else { return Ok(None) };
        seed.deserialize(item.clone()).map(Some).map_err(|error| item.place(error))
    }
}

struct ValueParts(vec::IntoIter<String>);

impl<'de> SeqAccess<'de> for ValueParts {
    type Error = WrongCourse;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, WrongCourse> {
        self.0.next().map(|part| seed.deserialize(part.into_deserializer())).transpose()
    }
}
