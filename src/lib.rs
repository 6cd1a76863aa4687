//! kopek: a judge and grader for competitive-programming problems.
//!
//! This file is the map. Modules stand in the order of the flow, and **a module
//! uses only modules above it**; `tests/it/tidy.rs` reads the order from here.
//!
//! ```text
//! problem.yaml, files         sources
//!       │ package::read          │ cohort::read, package submissions
//!       ▼                        ▼
//!    Package ──generate──► TestSet      [Submission]
//!       └───────────┬───────┴──────────────┘
//!                   ▼ plan::plan               pure
//!                  Plan    rows of jobs: wave 1 builds, wave 2 trials
//!                   ▼ exec::Executor::run      build, run, check: the only hands
//!                Outcomes ──► store (facts)
//!                   ▼ score::score             a pure fold
//!              Scorecards
//!                   ▼ report::render           pure
//!             text · json · csv
//! ```
//!
//! # One idea
//!
//! A **job** is a plain value with a key made of everything that can change its
//! outcome. An **outcome** is a fact about a key. The **store** keeps facts and
//! nothing else. Everything a person sees is a fold over facts. Resuming,
//! caching and judging equal hand-ins once all follow from it.
//!
//! # Invariants
//!
//! 1. A module uses only modules listed above it.
//! 2. `sandbox` knows no problem; `plan` and `score` do no IO; `report` only
//!    writes into a string.
//! 3. Only `sandbox` starts processes; only `sandbox/sys/` and the vector
//!    kernels of `coins` are unsafe.
//! 4. Only `cli` prints, reads the environment or exits.
//! 5. A `Verdict` never speaks about us; a `Fault` never about the submission.
//! 6. Equal keys, equal outcomes: the key holds the source, the language row and
//!    the identity of its toolchain, the input, answer and arguments, the
//!    checker, the limits, the kind of isolation, the class of machine.
//! 7. Facts are only added; what can be derived is not stored.
//! 8. The unknown is never a pass: a group with a trial that has no fact has no
//!    points yet, and says so.
//! 9. Everything has a limit: time, memory, output, processes, retries, queue.
//! 10. Scores are exact; no binary floating point in points.

// ground: matter; knows nothing of contests
/// Matter without opinion about contests: digests, sizes, files, wording.
pub mod base;

/// The coin games and their solvers; uses nothing; one game, one file.
pub mod coins;

/// Runs one program, or a pair, under limits; knows no problems, no verdicts.
pub mod sandbox;

// first storey: words; pure, except `package::read`
/// What a trial can end in.
pub mod verdict;

/// Exact scores.
pub mod points;

/// The table of languages; detection; toolchain identity.
pub mod language;

/// Output against answer.
pub mod check;

/// A problem as read from disk and believed.
pub mod package;

// second storey: thought; pure, always
/// What is to be done: jobs and their keys.
pub mod plan;

/// Scorecards: a fold over facts.
pub mod score;

// third storey: hands
/// What is already known: facts and blobs.
pub mod store;

/// Who does the jobs.
pub mod exec;

/// How results are shown.
pub mod report;

// fourth storey: drivers; combine; no printing
/// Recipe to test set.
pub mod generate;

/// A folder of hand-ins.
pub mod cohort;

/// The loop.
pub mod grade;

/// Packages of other systems.
pub mod import;

/// A package against its own claims.
pub mod verify;

/// A package as other judges take it.
pub mod pack;

/// A new package to begin with.
pub mod start;

// roof
/// Subcommands: alone prints, reads the environment and exits.
pub mod cli;
