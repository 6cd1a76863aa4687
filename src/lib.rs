//! kopek: a judge and grader for competitive-programming problems.
//!
//! This file is the map. Each part is a crate below `crates/`, and **a crate uses only crates above it in this
//! table**; cargo checks that. Within a crate, `lib.rs` lists the modules in order, and a module uses only modules
//! above it; `tests/it/rules.rs` checks that.
//!
//! | crate | holds | uses |
//! |---|---|---|
//! | [`kopek_base`] | general utilities: digests, sizes, files, archives, wording | |
//! | [`kopek_sentences`] | what participants read: keys with arguments, and a table of texts for each language | base |
//! | [`kopek_sandbox`] | runs a program, or a pair, under limits; usable on its own | base |
//! | `kopek_coins` | the coin games, their solvers, and the program `kopek-coins` | |
//! | [`kopek_package`] | packages, languages, checks, verdicts, points; reads files, runs nothing | sentences, sandbox's types |
//! | [`kopek_plan`] | jobs, keys, outcomes, the time policy, growth, scorecards; pure | package, sandbox's types |
//! | [`kopek_results`] | plain data: the results of a run | plan |
//! | [`kopek_class`] | hand-ins: participants, choice of the program, similar programs | results |
//! | [`kopek_engine`] | all that acts: store, toolchains, workers | plan, sandbox |
//! | `kopek-fakes` | a machine without sandbox and compilers, for tests only | engine |
//! | [`kopek_judge`] | loads packages, generates their data, grades a cohort or one solution | engine, results, class |
//! | [`kopek_hunt`] | inputs on which programs fail or are too slow, and the form of inputs | judge, results |
//! | [`kopek_lab`] | a setter's tools: verify, mutate | hunt |
//! | [`kopek_course`] | a course: its rules, gradebooks, totals, and the report of a class | judge, class, hunt |
//! | [`kopek_exchange`] | packages of other systems: import, pack, files for TeX | package |
//! | [`kopek_render`] | shows results: text, JSON, CSV, pages | results, class, exchange |
//! | `kopek` (`src/`) | the command line, the contestant's tools, the server for Moodle, parts on Slurm | all but coins and fakes |
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
//!                   ▼ grade::package_report
//!                Report                       plain data, in results
//!                   ▼ render::render           pure
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
//! kopek builds and runs foreign code only in jobs: *build* a program, *make* a
//! case, *check an input*, *check an output*, *try* a submission on a case, *check
//! a source*, *grade* a group, *draw* pictures. There are three exceptions: toolchains
//! are identified outside of jobs, because their identity is part of the keys, and
//! `kopek talk` and the programs of `kopek serve` ([`worker::PlainRunner`]) run outside of jobs, because the
//! user's input has no key. A job names files by digest, never by path; its worker gets the contents from a store.
//!
//! All jobs go through [`exec::Engine`]: it looks up known facts, runs equal jobs
//! once, and stores new facts. An executor owns the threads; a driver ([`grade`],
//! [`generate`], [`verify`]) is a plan, the engine and a fold. Drivers have no
//! threads, caches or retries of their own.
//!
//! Judging runs in waves, so that compilers do not disturb the timing of trials:
//!
//! 1. build the validators of the package ([`grade::prepare()`]);
//! 2. build the submissions, each distinct program once;
//! 3. check sources, if the package has a static validator;
//! 4. try the programs on the cases that can still change a score;
//! 5. run the custom grader of a legacy package, from inner groups to outer ones.
//!
//! # Invariants
//!
//! 1. A crate uses only crates above it, and a module only modules above it.
//! 2. `sandbox` knows no problem. `coins`, `verdict`, `points`, `plan`, `timing`, `score`,
//!    `results` and `render` touch no files: `render` only renders into strings. `package` reads
//!    and never writes. `store` writes facts and blobs, `toolchains` and `worker` write the files of
//!    jobs. Among the drivers, `generate`, `import`, `contest`, `pack` and `start` write their output,
//!    and `solution` saves failed cases; `loading` and `solution` also write scratch
//!    directories. `course` writes reports, gradebooks and feedback.
//! 3. Only `sandbox` starts processes, and `slurm` the batch engine's own programs, outside of it. Only `exec::local`, `machine::resources`, `base::parallel` and `web`
//!    start threads. Only `sandbox/sys/` is unsafe.
//! 4. Only `cli` and the program `kopek-coins` print, read the environment or exit; the supervisor and
//!    the workers of `sandbox` read their arguments and exit, too.
//! 5. A `Verdict` never speaks about us; a `Fault` never about the submission.
//! 6. Equal keys, equal outcomes: the key of a trial holds the source, the language
//!    row and the identity of its toolchain, the input, answer and arguments, the
//!    checker, the limits, the kind of isolation, the class of machine. Keys are
//!    made in `plan` only. Each begins with its kind of job and the number of that
//!    kind in [`plan::MEANINGS`]: raise it when you change the meaning of an outcome.
//! 7. Facts are added, or replaced by equal ones; `--fresh` replaces all. A fault is never stored, nor is
//!    an outcome that is not lasting ([`plan::Outcome::is_lasting`]). If a file lent to the
//!    store changes during a job, the result is a fault, never a fact.
//! 8. An unknown result is never a pass: a group with a trial without a fact has no
//!    points yet, and says so.
//! 9. Everything has a limit: time, memory, output, processes, retries, queue.
//! 10. Scores are exact; no binary floating point in points.

// Each module states its purpose at its top. The comments and blank lines below
// keep rustfmt from sorting the modules.

// The crates below. Their manifests say which crate may use which.
pub use {
    kopek_base as base, kopek_class as class,
    kopek_class::similar,
    kopek_course as course,
    kopek_engine::{exec, machine, store, toolchains, worker},
    kopek_exchange::{import, pack},
    kopek_hunt as hunt,
    kopek_hunt::{form, form_of_tests, slow, stress},
    kopek_judge::{generate, grade, loading, solution},
    kopek_lab::{mutate, verify},
    kopek_package::{check, language, package, points, verdict},
    kopek_plan::{growth, plan, score, timing},
    kopek_render as render, kopek_results as results, kopek_sandbox as sandbox, kopek_sentences as sentences,
};

// Statements as PDFs and pages, set by TeX.
pub mod typeset;

// Listens for HTTP requests of tools on this machine.
pub mod web;

// The problems of a contest, in order.
pub mod contest;

// Templates of new packages.
pub mod start_template;

// Creates a new package.
pub mod start;

// Programs and problems for Moodle, over HTTP.
pub mod serve;

// A class judged by parts on a cluster.
pub mod slurm;

// Subcommands: the only module that prints, reads the environment and exits.
pub mod cli;
