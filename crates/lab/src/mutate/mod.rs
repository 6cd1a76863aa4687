//! Mistakes that the tests miss. Mutants are accepted submissions with one small mistake each.
//!
//! ```text
//! submission ──source_tokens──► tokens ──mutations, word_tables──► changes   pure
//!   changes ──mutants──► participants ──prepare──► plan             grade's plan: a mutant is a submission
//!   plan ──mutation_run──► builds, mutant_trials (killers first), survivors ──► stress
//! ```
//!
//! Sources are read by lexers, not by grammars: the compiler refuses mutants that a lexer gets wrong, so a grammar
//! would only save those builds, at the cost of a parser for each language.

mod mutant_trials;
mod mutants;
mod mutation_run;
mod mutations;
mod source_tokens;
mod word_tables;

pub use mutants::{MutantFiles, some_mutants};
pub use mutation_run::{MutationRequest, mutate};
