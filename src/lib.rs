//! kopek: a judge and grader for competitive-programming problems.
//!
//! This file is the map. Each part is a crate below `crates/`, and **a crate uses only crates above it in this
//! table**; cargo checks that. Within a crate the modules stand in the order of its `lib.rs`, and a module uses only
//! modules above it; `tests/it/tidy.rs` checks that.
//!
//! | crate | holds | uses |
//! |---|---|---|
//! | [`kopek_base`] | what knows no contest: digests, sizes, files, archives, wording | |
//! | [`kopek_sandbox`] | runs a program, or a pair, under limits; usable on its own | base |
//! | `kopek_coins` | the coin games, their solvers, and the program `kopek-coins` | |
//! | [`kopek_engine`] | languages, packages, checks, jobs, facts, scores, workers | base, sandbox |
//! | [`kopek_report`] | reports and pages in all formats | engine |
//! | [`kopek_judge`] | what grades a cohort, and what makes the data of a package | engine, report |
//! | [`kopek_class`] | hand-ins: participants, the choice of the program, lateness | engine, report |
//! | [`kopek_lab`] | a setter's tools: verify, stress, mutate | judge, report |
//! | [`kopek_exchange`] | packages of other systems: import, pack, statements | engine |
//! | `kopek_cluster` | jobs on other machines | engine |
//! | `kopek` (`src/`) | the command line and the contestant's tools | all but coins |
//!
//! ```text
//! problem.yaml, files              sources
//!       │ package::read               │ class::read, example submissions
//!       ▼                             ▼
//!    Package ──generate──► TestSet   [Participant]
//!       └───────────┬─────────────────┘
//!                   ▼ grade::prepare           reads sources once, builds the package's programs
//!                   ▼ plan::plan               pure
//!                  Plan    programs, rows, cases
//!                   ▼ grade::grade             waves of jobs
//!    exec::Engine ──► Executor ──► Worker      known facts, else: build, run, check
//!                Outcomes ──► store (facts)
//!                   ▼ score::score             a pure fold
//!              Scorecards
//!                   ▼ report::render           pure
//!         text · json · csv · html
//! ```
//!
//! # One idea
//!
//! A **job** is a plain value with a key made of everything that can change its
//! outcome. An **outcome** is a fact about a key. The **store** keeps facts, and
//! the blobs that they name. Everything a person sees is a fold over facts.
//! Resuming, caching and judging equal hand-ins once all follow from it.
//!
//! Everything foreign that is built or run is a job: *build* a program, *make* a
//! case, *check an input*, *check an output*, *try* a submission on a case, *check
//! a source*, *grade* a group, *draw* pictures. Only toolchains are asked outside
//! of jobs, because their identity is part of the keys; and a person talks with programs
//! outside of jobs, because what they say has no key. A job names files by
//! digest, never by a path; the worker that does it gets the contents from a store.
//!
//! [`exec::Engine`] is the one way to have jobs done: it looks up known facts, does
//! equal jobs once, and stores new facts. An executor owns the threads; a driver
//! ([`grade`], [`generate`], [`verify`]) is a plan, the engine and a fold. Drivers
//! have no threads, no cache and no retries of their own.
//!
//! Judging goes in waves, so that compilers do not disturb the timing of trials:
//!
//! 1. build the validators of the package ([`grade::prepare()`]);
//! 2. build the submissions, each distinct program once;
//! 3. check sources, where the package has a static validator;
//! 4. try the programs on the cases that can still change a score;
//! 5. ask the custom grader of a legacy package, from the groups below to those above.
//!
//! # Invariants
//!
//! 1. A crate uses only crates above it, and a module only modules above it.
//! 2. `sandbox` knows no problem. `coins`, `verdict`, `points`, `plan`, `score` and
//!    `report` touch no files: `report` only renders into strings. `package` reads
//!    and never writes. `store` writes facts and blobs, `toolchains` and `worker` what jobs need; of
//!    the drivers, `generate`, `import`, `contest`, `pack`, `start`, `ci_template` and `editor_template` write what they
//!    make, and `verify` a measured limit.
//! 3. Only `sandbox` starts processes. Only `exec::local`, `machine::resources`, `base::parallel`, `web`, `cluster` and
//!    `coins` start threads. Only `sandbox/sys/` and the vector kernels of `coins` are unsafe.
//! 4. Only `cli` and the program `kopek-coins` print, read the environment or exit; the supervisor and
//!    the workers of `sandbox` read their arguments and exit, too.
//! 5. A `Verdict` never speaks about us; a `Fault` never about the submission.
//! 6. Equal keys, equal outcomes: the key of a trial holds the source, the language
//!    row and the identity of its toolchain, the input, answer and arguments, the
//!    checker, the limits, the kind of isolation, the class of machine. Keys are
//!    made in `plan` only. Each begins with its kind of job and the number of that
//!    kind in [`plan::MEANINGS`]: who changes what an outcome means raises it.
//! 7. Facts are added, or replaced by their equals; `--fresh` replaces all. A fault is never stored, nor is
//!    an outcome that is not lasting ([`plan::Outcome::is_lasting`]). What was lent to
//!    the store and changed during a job makes a fault of it, never a fact.
//! 8. The unknown is never a pass: a group with a trial that has no fact has no
//!    points yet, and says so.
//! 9. Everything has a limit: time, memory, output, processes, retries, queue.
//! 10. Scores are exact; no binary floating point in points.

// Each module says at its own head what it is for. The comments and blank lines
// below keep rustfmt from sorting the modules.

// The crates below. Their manifests say which crate may use which.
#[cfg(feature = "cluster")]
pub use kopek_cluster as cluster;
pub use {
    kopek_base as base, kopek_class as class,
    kopek_engine::{
        check, exec, language, machine, package, plan, points, score, similar, store, timing, toolchains,
        verdict, worker,
    },
    kopek_exchange::{import, pack, typeset},
    kopek_judge::{generate, grade},
    kopek_lab::{constraints, last_results, mutate, package_stats, stress, verify},
    kopek_report as report, kopek_sandbox as sandbox,
};

// A small HTTP server for browsers and tools on this machine.
pub mod web;

// The problems of a contest, in its order.
pub mod contest;

// What new packages begin with.
pub mod start_template;

// A new package to begin with.
pub mod start;

// Files that make others verify packages on every push.
pub mod ci_template;

// Files that make editors run kopek.
pub mod editor_template;

// Problems that a browser posts.
pub mod receive;

// Subcommands: the only module that prints, reads the environment and exits.
pub mod cli;
