//! The judge of kopek: jobs and their facts, and scores.
//!
//! This crate prints nothing and reads no environment. The crate `kopek` above it has the command line, reports, and the
//! drivers that grade, generate and verify. A **job** is a plain value with a key made of everything that can change its
//! outcome; an **outcome** is a fact about that key, and the store keeps facts.
//!
//! How a job passes through the crate:
//!
//! 1. [`kopek_package`] reads a problem: its limits, test cases and programs, and finds the language of a submission.
//!    [`toolchains`] finds its compiler on this machine.
//! 2. [`plan`] makes jobs of them: build a program, try it on a case, check an output.
//! 3. [`exec::Engine`] looks up known facts in the [`store`], does equal jobs once and gives the rest to an executor,
//!    whose workers do one job after the other.
//! 4. [`kopek_sandbox`] runs the programs of a job under limits. [`kopek_package::check`] compares the output with the answer, and
//!    a verdict says how it ended. [`timing`] decides runs above the time limit by runs of a witness.
//! 5. [`score`] folds the facts of a submission into a scorecard, in exact points.
//!
//! A module uses only modules listed above it.

// Each module describes its purpose in its own head. The comments and blank lines below keep rustfmt from
// sorting the modules.

// Second layer: planning and scoring, always pure.

// Plans: jobs and their keys.
pub mod plan;

// Decides runs above the time limit with a witness.
pub mod timing;

// Scorecards: a fold over facts.
pub mod score;

// Third layer: everything that acts.

// Known facts and blobs.
pub mod store;

// Finds, identifies and tests the tools of a language on this machine.
pub mod toolchains;

// The resources of this machine for planning and doing jobs.
pub mod machine;

// Does one job: builds, runs, checks.
pub mod worker;

// Runs jobs: the engine and its executors.
pub mod exec;

// Finds similar programs in a class; reads their texts.
pub mod similar;
