//! What the inputs of a package look like, and new inputs of the same form.
//!
//! ```text
//! cases ──input_lines──► lines of tokens ──layout_search──► Layout          which number counts what
//!                                              │ facts                      ranges, orders, letters
//!                                              ▼
//!                                          InputForm ──► accepts, draw, description, validator
//! input   ──input_text──► text ──structure──► groups of items, each with the number that counts them
//! ```
//!
//! Pure: touches no files.

// Numbers that depend on a seed only.
mod random;

// A case as lines of tokens.
mod input_lines;

// The lines, lists and blocks of an input, and how they are read.
mod layout;

// Finds the layout that all cases share.
mod layout_search;

// Numbers with a point.
mod decimal;

// When a property counts.
mod evidence;

// The letters of a grid.
mod letters;

// What holds in a list or a column.
mod series;

// What holds in every case: kinds of tokens, ranges, orders.
mod facts;

// What holds in pairs of nodes.
mod pairs;

// Columns in which no two lines are equal.
mod row_keys;

// The form: layout and facts.
mod input_form;

#[cfg(test)]
mod form_tests;

// An input as lines of tokens, without loss.
mod input_text;

// What can be left out or repeated.
mod item_groups;

// The items of one input: what repeats, and which number counts it.
mod structure;

// New inputs of a form.
mod drawing;

// A form in words.
mod description;

// A form as an input validator.
mod form_validator;

pub(crate) use input_form::MAX_INPUT;
pub use input_form::{FormCase, InputForm, NoForm};
pub(crate) use input_text::{
    InputText, NumberToken, TokenPlace, compare_size, input_size, number_of, unrepeated_text,
};
pub(crate) use item_groups::{Arrangement, ItemGroup, ItemList, Series};
pub use random::RandomStream;
pub(crate) use structure::{InputLayout, LaidInput};
