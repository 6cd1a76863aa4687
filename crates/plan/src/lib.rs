//! Jobs and facts as values: plans, keys, outcomes, the policy for times, growth, scorecards.
//!
//! A **job** is a plain value with a key made of everything that can change its outcome; an **outcome** is a fact about
//! that key. Reads no file and runs nothing: of the sandbox it has only the types.
//!
//! A module uses only modules listed above it.

// Each module describes its purpose in its own head. The comments and blank lines below keep rustfmt from
// sorting the modules.

// Plans: jobs and their keys.
pub mod plan;

// Decides runs above the time limit with a witness.
pub mod timing;

// How the cost of a program grows with its input.
pub mod growth;

// Scorecards: a fold over facts.
pub mod score;
