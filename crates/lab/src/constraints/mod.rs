//! Bounds of numbers that have a literal name, and the numbers that inputs have.
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

/// A bound of a named number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberBound {
    /// The name of the number, without its index: `a` for `a_i`.
    pub name: String,
    /// Which end it is.
    pub end: BoundEnd,
    /// The least or greatest allowed value.
    pub value: i128,
    /// Its line, from 1; 0 if it has none.
    pub line: u32,
}

/// An end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoundEnd {
    /// The lower end.
    Least,
    /// The upper end.
    Greatest,
}

impl std::fmt::Display for NumberBound {
    /// In the notation of a statement.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let sign = match self.end {
            BoundEnd::Least => '≥',
            BoundEnd::Greatest => '≤',
        };
        write!(f, "{} {sign} {}", self.name, self.value)
    }
}

impl NumberBound {
    /// Whether both bound the same end of the same number. `n` and `N` are taken as the same name.
    pub fn is_same_end(&self, other: &NumberBound) -> bool {
        self.end == other.end && self.name.eq_ignore_ascii_case(&other.name)
    }
}
