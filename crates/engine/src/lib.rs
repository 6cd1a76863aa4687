//! What acts in kopek: the store, this machine's toolchains, the workers and the engine that gives them jobs.
//!
//! This crate prints nothing and reads no environment. How a job passes through it:
//!
//! 1. [`kopek_package`] reads a problem and finds the languages of programs; [`toolchains`] finds their compilers on
//!    this machine. [`machine`] makes builds of sources, [`kopek_plan`] jobs of builds and cases.
//! 2. [`exec::Engine`] looks up known facts in the [`store`], does equal jobs once and gives the rest to an executor,
//!    whose workers do one job after the other.
//! 3. A [`worker`] runs the programs of a job in the [`kopek_sandbox`], under limits. [`kopek_package::check`] compares
//!    the output with the answer; [`kopek_plan::timing`] decides runs above the time limit by runs of a witness.
//! 4. The outcome is stored as a fact, and [`kopek_plan::score`] folds the facts of a submission into a scorecard.
//!
//! A module uses only modules listed above it.

// Each module describes its purpose in its own head. The comments and blank lines below keep rustfmt from
// sorting the modules.

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
