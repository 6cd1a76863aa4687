//! Runs one program, or a pair, under limits. Knows no problems and no verdicts.
//!
//! Everything that runs foreign code goes through here: submissions, compilers,
//! validators, generators, interactors. A [`Sandbox`] is what the machine
//! offers; a [`Slot`] is a place where one program runs at a time, on one CPU,
//! with a warm worker behind it; an [`Exec`] says what to run and a [`Ran`]
//! what came of it.
//!
//! ```text
//! judge (threads; tests, checkers, files)        slot, seat, place, settle, open
//!  └─ keeper: kopek again, small, in the cgroups  keeper, groups
//!      └─ worker: pid 1 of its own namespaces,    worker, inside, mounts, filter, run
//!          │      filtered and landlocked once
//!          └─ the program and what it forks: dead before the next run starts
//! ```
//!
//! A run costs a message, a vfork, limits, an exec, a wait, a kill and a reply;
//! everything dear (namespaces, mounts, filters, cgroups) was done once, before.
//! When the judge dies the keeper notices and removes all of it.
//!
//! Modes are found by trying, the strongest first; there is none without isolation:
//!
//! | walls | groups | memory and CPU time of all processes | files and processes of others |
//! |---|---|---|---|
//! | namespaces | v2, v1 | held and measured exactly | not there |
//! | namespaces | none | looked at every 10 ms; the largest process's peak | not there |
//! | Landlock | v2, v1 | held and measured exactly | closed, but their names can be found out |
//! | Landlock | none | of the main process; the largest process's peak | closed, but their names can be found out |
//!
//! As root, programs run as a user that nobody else is; otherwise as the judge's
//! own user, without its rights. A worker is replaced after every run that was
//! not quite clean; between submissions the caller says [`Slot::renew`].

mod census;
mod exec;
mod fair;
mod filter;
mod groups;
mod hierarchy;
mod inside;
mod keeper;
mod mounts;
mod open;
mod order;
mod pair;
mod place;
mod remedy;
mod run;
mod seat;
mod settle;
mod slot;
mod sys;
mod weight;
mod wire;
mod worker;

pub use exec::{
    Captured, Ended, Exec, Exit, Fault, Input, Keep, Limit, Limits, Pair, Placed, Ran, Shown, Transcript,
    Usage, View,
};
pub use fair::{Finding, Grade, look};
pub use filter::{Op, Rule, Test, calls};
pub use open::{Sandbox, Wish};
pub use order::Walls;
pub use pair::Talk;
pub use slot::Slot;

/// The first thing `main` calls: if this process was started as a sandbox
/// worker, does that work and never returns; otherwise returns at once.
pub fn worker_entry() {
    if std::env::args_os().next().is_some_and(|name| name == keeper::NAME) {
        keeper::live()
    }
}
