//! What judges: from single files and processes to jobs and their facts.
//!
//! The lower storeys of kopek, in a crate of their own, because they are built with more care than what is
//! above them. Their map, and the invariants, stand in `src/lib.rs` of the crate above; the order of the
//! modules is told here.

// Each module says at its own head what it is for. The comments and blank lines
// below keep rustfmt from sorting the modules.

// ground: matter; knows nothing of contests

// What knows no contest: digests, sizes, files, wording.
pub mod base;

// The coin games and their solvers; uses nothing; one game, one file.
pub mod coins;

// Runs one program, or a pair, under limits; knows no problems, no verdicts.
pub mod sandbox;

// first storey: words; `language`, `check` and `package` read files

// What a trial can end in.
pub mod verdict;

// Exact scores.
pub mod points;

// The table of languages; detection; toolchain identity.
pub mod language;

// Output against answer, in this process or by a validator.
pub mod check;

// A problem as read from disk.
pub mod package;

// second storey: thought; pure, always

// What is to be done: jobs and their keys.
pub mod plan;

// What exceeds its time limit, by runs of a witness.
pub mod timing;

// Scorecards: a fold over facts.
pub mod score;

// third storey: hands

// What is already known: facts and blobs.
pub mod store;

// Who does the jobs: the engine, executors and workers.
pub mod exec;

// Which programs of a class look alike; reads their texts.
pub mod similar;
