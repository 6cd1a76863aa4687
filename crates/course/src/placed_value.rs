//! A value of the file of a course: what its text means, and where it is.

use serde::{
    Deserialize, Deserializer,
    de::{
        Error, MapAccess, SeqAccess, Visitor,
        value::{MapAccessDeserializer, SeqAccessDeserializer},
    },
};
use std::{
    fmt::{self, Display},
    marker::PhantomData,
    ops::Range,
    str::FromStr,
};
use toml::{Spanned, value::Datetime};

/// A value, and its bytes in the file, for errors that are found later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    pub value: T,
    pub span: Range<usize>,
}

impl<T> Placed<T> {
    /// A value of the command line, which is in no file.
    pub fn option(value: T) -> Placed<T> {
        Placed { value, span: 0..0 }
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Placed<T>, D::Error> {
        let value: Spanned<Parsed<T>> = Spanned::deserialize(from)?;
        let span = value.span();
        Ok(Placed { value: value.into_inner().0, span })
    }
}

/// Parsed from a text, or from the text of a number or a time. A visitor does it, because its errors get the line of
/// an item in a list, which those of `deserialize` do not.
struct Parsed<T>(T);

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Parsed<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Parsed<T>, D::Error> {
        from.deserialize_any(TextVisitor(PhantomData)).map(Parsed)
    }
}

struct TextVisitor<T>(PhantomData<T>);

impl<'de, T: FromStr<Err: Display>> Visitor<'de> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        // The shortest digits that give this number: those of the file, so that points are exact.
        self.visit_str(&number.to_string())
    }

    fn visit_map<A: MapAccess<'de>>(self, moment: A) -> Result<T, A::Error> {
        let moment = Datetime::deserialize(MapAccessDeserializer::new(moment))?;
        self.visit_str(&moment.to_string())
    }
}

/// For `#[serde(deserialize_with = …)]`: a list, whose brackets may be left out around one item.
pub fn list<'de, T, D>(from: D) -> Result<Vec<Placed<T>>, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let whole: Spanned<OneOrMany<T>> = Spanned::deserialize(from)?;
    let span = whole.span();
    Ok(match whole.into_inner() {
        OneOrMany::One(value) => vec![Placed { value, span }],
        OneOrMany::Many(items) => items,
    })
}

/// Not an untagged enum, which forgets the places of items.
enum OneOrMany<T> {
    One(T),
    Many(Vec<Placed<T>>),
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<OneOrMany<T>, D::Error> {
        from.deserialize_any(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: FromStr<Err: Display>> Visitor<'de> for ListVisitor<T> {
    type Value = OneOrMany<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a text in quotes, or a list of texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<OneOrMany<T>, E> {
        text.parse().map(OneOrMany::One).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<OneOrMany<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(OneOrMany::Many)
    }
}
