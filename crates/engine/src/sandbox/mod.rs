//! Runs one program, or a pair, under limits. Knows no problems and no verdicts.
//!
//! Everything that runs foreign code goes through here: submissions, compilers,
//! validators, generators, interactors. A [`Sandbox`] is what the machine
//! offers; a [`Slot`] is a place where one program runs at a time, on one CPU,
//! with a warm worker behind it; an [`Exec`] says what to run, and a [`RunResult`] is
//! the result.
//!
//! ```text
//! judge (threads; tests, checkers, files)     slot, pair (joined_pair, carried_pair), worker_host,
//!  │                                          box_*, streams
//!  └─ supervisor: kopek again, small,          supervisor, program_ids, cgroup*
//!      │      in the cgroups
//!      └─ worker: pid 1 of its own             worker, confinement, mount_*, landlock_rules,
//!          │      namespaces, confined once    seccomp, syscall_*
//!          └─ the program and what it forks:   run_program, watch, start_readings, sys
//!                 dead before the next run starts
//! ```
//!
//! A run costs a message, a vfork, limits, an exec, a wait, a kill and a reply;
//! everything dear (namespaces, mounts, filters, cgroups) was done once, before.
//! When the judge dies the supervisor notices and removes all of it.
//!
//! Modes are found by trying, the strongest first; there is none without isolation:
//!
//! | isolation | cgroups | memory and CPU time of all processes | files and processes of others |
//! |---|---|---|---|
//! | namespaces | v2, v1 | held and measured exactly | not there |
//! | namespaces | none | measured every 10 ms; the largest process's peak | not there |
//! | Landlock | v2, v1 | held and measured exactly | closed, but their names can be found out |
//! | Landlock | none | measured every 10 ms; the largest process's peak | closed, but their names can be found out |
//!
//! As root, programs run as a user that is used for nothing else; otherwise, and where root has
//! no other users to give (`program_ids`), as the judge's own user, without its rights. A worker is replaced after every run that was
//! not quite clean; between submissions the caller says [`Slot::renew_worker`].

mod boxes;
mod errors;
mod exec;
mod exit_words;
mod inside;
mod machine;
mod meters;
mod run;
mod run_result;
mod sys;

pub use exec::{BoxFile, Exec, Input, Keep, Limits, ReadOnlyMount, SandboxView};
pub use inside::seccomp::{SyscallRule, list_syscall_rules};
pub use inside::supervisor::run_if_supervisor;
pub use inside::syscall_row::{ArgOp, ArgTest};
pub use machine::machine_check::{FindingLevel, MachineFinding, check_machine};
pub use machine::modes::{Sandbox, SandboxOptions};
pub(crate) use meters::idle_clock::MAX_WALL_EXTENSION;
pub use meters::spin::spin;
pub use run::messages::Isolation;
pub use run::person::{Person, Speaker, TalkEnd};
pub use run::run_programs::RunPrograms;
pub use run::slot::Slot;
pub use run::talk::PairOptions;
pub use run_result::{
    CapturedOutput, Exit, Fault, FaultSource, Limit, PairMember, PairMessage, PairResult, RunResult, Usage,
};
pub use sys::stdout_was_closed;
