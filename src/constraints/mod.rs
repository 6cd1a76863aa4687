//! Bounds of numbers as people write them: in statements, in programs, in names of constants and arguments.
//!
//! ```text
//! bound_words        a text as words, with numbers such as `10^5`, `1e5`, `100'000` as their values
//! comparisons        `1 <= n <= 100` among them
//! prose_bounds       what is said in words, as comparisons
//! statement_bounds   what a statement says, by group
//! program_bounds     what the text of a validator says
//! input_columns      which numbers inputs have, place by place
//! place_names        which of them a name of the statement means
//! edge_inputs        valid inputs with one number changed, and what it counts
//! ```
//!
//! Pure: takes texts. What is not understood is no bound; prose counts only where it names the number in a formula.

mod bound_words;
mod comparisons;
mod edge_inputs;
mod input_columns;
mod place_names;
mod program_bounds;
mod prose_bounds;
mod statement_bounds;

pub use edge_inputs::{EdgeInputs, PlainInput};
pub use input_columns::{ColumnRange, ColumnRanges, InputColumns, InputShape, add_range};
pub use place_names::{NamedPlace, named_places};
pub use program_bounds::{ProgramBounds, bound_of_argument, bound_of_name};
pub use statement_bounds::{StatedBound, StatedScope, statement_bounds, whole_number};

/// A bound of a number that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberBound {
    /// Of which number, without its index: `a` of `a_i`.
    pub name: String,
    /// Which end it is.
    pub end: BoundEnd,
    /// The least or greatest value that is allowed.
    pub value: i128,
    /// Where it stands, from 1.
    pub line: u32,
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundEnd {
    /// Nothing below.
    Least,
    /// Nothing above.
    Greatest,
}

impl std::fmt::Display for NumberBound {
    /// As a statement would say it.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let sign = match self.end {
            BoundEnd::Least => '≥',
            BoundEnd::Greatest => '≤',
        };
        write!(f, "{} {sign} {}", self.name, self.value)
    }
}

/// A name without its index, as bounds share it: `a_i`, `a[i]`, `a_%d` and `a_{1}` are all `a`.
fn without_index(name: &str) -> &str {
    let name = name.split(['[', '{', '%', '(']).next().unwrap_or(name).trim_end_matches('_');
    match name.rsplit_once('_') {
        Some((stem, index)) if !stem.is_empty() && index.chars().count() <= 1 => stem,
        _ => name,
    }
}
