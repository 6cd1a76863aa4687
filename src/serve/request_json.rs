//! Reads the JSON of requests field by field. A value of another type than expected is skipped and not kept: a tree of
//! nested lists needs ten times the memory of its text.

use super::reply::RefusedRequest;
use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};
use std::{fmt, marker::PhantomData};

/// A text or a number.
#[derive(Debug, Default)]
pub(super) enum JsonScalar {
    /// `null`, or no such field.
    #[default]
    Absent,
    Text(String),
    Number(f64),
    /// Of another type.
    Other,
}

#[derive(Debug, Default)]
pub(super) enum JsonList<T> {
    #[default]
    Absent,
    Items(Vec<T>),
    /// Of another type, or longer than [`MAX_ITEMS`].
    Other,
}

/// An object with known fields; all others are skipped.
#[derive(Debug, Default)]
pub(super) enum JsonObject<T> {
    /// Also an empty list: PHP writes an empty table of names so.
    #[default]
    Absent,
    Fields(T),
    Other,
}

/// More items than a request has arguments or files.
pub(super) const MAX_ITEMS: usize = 1000;

/// Reads the body of a request, which must be an object.
pub(super) fn read_body<'de, T: Deserialize<'de>>(body: &'de [u8]) -> Result<T, RefusedRequest> {
    match serde_json::from_slice(body) {
        Ok(JsonObject::Fields(fields)) => Ok(fields),
        Ok(JsonObject::Absent | JsonObject::Other) => {
            Err(RefusedRequest::bad("the body of the request is not a JSON object"))
        }
        Err(error) => Err(RefusedRequest::bad(format!("the body of the request is not JSON: {error}"))),
    }
}

impl JsonScalar {
    pub(super) fn text(self, key: &str) -> Result<Option<String>, RefusedRequest> {
        match self {
            JsonScalar::Absent => Ok(None),
            JsonScalar::Text(text) => Ok(Some(text)),
            JsonScalar::Number(_) | JsonScalar::Other => {
                Err(RefusedRequest::bad(format!("{key} is not a text")))
            }
        }
    }
}

/// A value that is read from JSON of any type.
trait OfAnyJson<'de>: Sized {
    fn absent() -> Self;
    fn other() -> Self;

    fn of_text(_: String) -> Self {
        Self::other()
    }

    fn of_number(_: f64) -> Self {
        Self::other()
    }

    fn of_list<A: SeqAccess<'de>>(list: A) -> Result<Self, A::Error> {
        skip_list(list).map(|_| Self::other())
    }

    fn of_object<A: MapAccess<'de>>(object: A) -> Result<Self, A::Error> {
        IgnoredAny.visit_map(object).map(|_| Self::other())
    }
}

/// Skips the rest of a list, and returns its length.
fn skip_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<usize, A::Error> {
    let mut length = 0;
    while list.next_element::<IgnoredAny>()?.is_some() {
        length += 1;
    }
    Ok(length)
}

impl OfAnyJson<'_> for JsonScalar {
    fn absent() -> JsonScalar {
        JsonScalar::Absent
    }

    fn other() -> JsonScalar {
        JsonScalar::Other
    }

    fn of_text(text: String) -> JsonScalar {
        JsonScalar::Text(text)
    }

    fn of_number(number: f64) -> JsonScalar {
        JsonScalar::Number(number)
    }
}

impl<'de, T: Deserialize<'de>> OfAnyJson<'de> for JsonList<T> {
    fn absent() -> JsonList<T> {
        JsonList::Absent
    }

    fn other() -> JsonList<T> {
        JsonList::Other
    }

    fn of_list<A: SeqAccess<'de>>(mut list: A) -> Result<JsonList<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
            if items.len() == MAX_ITEMS {
                let more = skip_list(list)?;
                return Ok(if more == 0 { JsonList::Items(items) } else { JsonList::Other });
            }
        }
        Ok(JsonList::Items(items))
    }
}

impl<'de, T: Deserialize<'de>> OfAnyJson<'de> for JsonObject<T> {
    fn absent() -> JsonObject<T> {
        JsonObject::Absent
    }

    fn other() -> JsonObject<T> {
        JsonObject::Other
    }

    fn of_list<A: SeqAccess<'de>>(list: A) -> Result<JsonObject<T>, A::Error> {
        Ok(if skip_list(list)? == 0 { JsonObject::Absent } else { JsonObject::Other })
    }

    fn of_object<A: MapAccess<'de>>(object: A) -> Result<JsonObject<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(object)).map(JsonObject::Fields)
    }
}

struct AnyVisitor<T>(PhantomData<T>);

impl<'de, T: OfAnyJson<'de>> Visitor<'de> for AnyVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Ok(T::absent())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<T, E> {
        Ok(T::other())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        Ok(T::of_number(number as f64))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        Ok(T::of_number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        Ok(T::of_number(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        Ok(T::of_text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::of_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        T::of_object(object)
    }
}

impl<'de> Deserialize<'de> for JsonScalar {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonScalar, D::Error> {
        from.deserialize_any(AnyVisitor(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for JsonList<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonList<T>, D::Error> {
        from.deserialize_any(AnyVisitor(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for JsonObject<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<JsonObject<T>, D::Error> {
        from.deserialize_any(AnyVisitor(PhantomData))
    }
}
