//! Bounds of numbers that literally have a name, and which numbers inputs have.
//!
//! ```text
//! literal_bounds     constants, calls and comparisons of programs with a name and a number
//! input_columns      which numbers inputs have, place by place
//! ```
//!
//! Pure: takes texts. A value that is computed is no bound.

mod input_columns;
mod literal_bounds;

pub use input_columns::{ColumnRange, ColumnRanges, InputColumns, InputPlace, InputShape, add_range};
pub use literal_bounds::{LiteralBounds, bound_of_argument, bound_of_name, literal_number};

/// A bound of a number that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberBound {
    /// Of which number, without its index: `a` of `a_i`.
    pub name: String,
    /// Which end it is.
    pub end: BoundEnd,
    /// The least or greatest value that is allowed.
    pub value: i128,
    /// Its line, from 1; 0: it has none.
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

impl NumberBound {
    /// Whether both bound the same end of the same number. Programs rarely tell `n` from `N`.
    pub fn is_same_end(&self, other: &NumberBound) -> bool {
        self.end == other.end && self.name.eq_ignore_ascii_case(&other.name)
    }
}
