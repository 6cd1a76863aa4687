//! Finds similar programs in a class: tokens, fingerprints, shared passages, pairs, clusters.
//!
//! A shared passage is a hint for a person, never a verdict and never part of the points. Names, numbers,
//! layout, comments and the order of functions do not count. Code that everyone was given, or that many
//! programs contain, counts little or nothing. Runs nothing.
//!
//! ```text
//! ComparedProgram ──lex──► tokens ──fingerprints──► candidate pairs
//!        tokens of a pair ──find_tiles──► SharedPassages ──► SimilarPair ──► clusters
//! ComparedFile of earlier years ──► the most similar one of each program ──► EarlierMatch
//! ```

mod candidates;
mod clusters;
mod compared_tokens;
mod comparison;
mod earlier;
mod fingerprints;
mod pairs;
mod rarity;
mod source_text;
mod tiling;
mod token_stream;

pub use comparison::{
    Comparison, IdenticalPrograms, NotCompared, SimilarPair, SimilarityOptions, compare_programs,
    compare_with_earlier,
};
pub use earlier::{EarlierComparison, EarlierMatch, EarlierSource};
pub use pairs::{SharedPassage, SourceSpan, longest_passage};
pub use source_text::{ComparedFile, ComparedProgram, read_compared, read_texts};
