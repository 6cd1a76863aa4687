//! What the inputs of a package look like, and new inputs of the same form.
//!
//! ```text
//! cases ──input_lines──► lines of tokens ──layout_search──► Layout          which number counts what
//!                                              │ facts                      ranges, orders, letters
//!                                              ▼
//!                                          InputForm ──► accepts, draw, description, validator
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

// What holds in every case: kinds of tokens, ranges, orders.
mod facts;

// The form: layout and facts.
mod input_form;

// New inputs of a form.
mod drawing;

// A form in words.
mod description;

// A form as an input validator.
mod form_validator;

pub use input_form::{FormCase, InputForm, NoForm};
pub use random::RandomStream;
