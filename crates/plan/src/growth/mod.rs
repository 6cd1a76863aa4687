//! How much longer a program takes, or how much more memory it needs, when the size of its input doubles.
//!
//! ```text
//! input ──input_sizes──► sizes that can be read without the statement
//! runs of known sizes ──fit──► Growth, or nothing if the runs do not show one
//! ```
//!
//! Pure. A factor per doubling is a fact about runs; a complexity class would be a guess.

mod fit;
mod input_sizes;

pub use fit::{CostKind, Growth, MIN_SIZES, SizedRun, growth, growth_by};
pub use input_sizes::{InputSizes, SizeMeasure};
