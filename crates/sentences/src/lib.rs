//! What kopek says to participants: a sentence is a value, and its text is a row in the table of each language.
//!
//! Knows no results: callers make sentences of them.

mod arguments;
mod said;
mod speech;

pub use arguments::{Decimal, Listed, Names, Span};
pub use said::Said;
pub use speech::{PageLanguage, WithText, serialize_all_said, serialize_said};
