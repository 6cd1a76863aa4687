//! Runs one program, or a pair, under limits. Knows no problems and no verdicts.
//!
//! All untrusted code runs here: submissions, compilers, validators, generators, interactors. Programs see no
//! files outside their view, no network and no other processes. Their CPU time, wall time, memory, output,
//! files and processes are limited and measured.
//!
//! # How to use it
//!
//! The sandbox executes the calling program again as a small *supervisor*, so `main` calls
//! [`run_if_supervisor`] before anything else. Then [`Sandbox::open`] determines the abilities of the
//! machine, [`Sandbox::slot`] makes a place where one program runs at a time, an [`Exec`] describes the run,
//! and a [`RunResult`] describes its end:
//!
//! ```standalone_crate
//! use kopek_base::Bytes;
//! use kopek_sandbox::{Exec, Exit, Limits, Sandbox, run_if_supervisor};
//! use std::{env, error::Error, time::Duration};
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     run_if_supervisor();
//!     let sandbox = Sandbox::open(&env::current_exe()?)?;
//!     let (cpu, wall, mib) = (Duration::from_secs(1), Duration::from_secs(5), Bytes::mib(1));
//!     let limits = Limits { cpu, wall, memory: Bytes::mib(64), output: mib, files: mib, processes: 4 };
//!     let ran = sandbox.slot(None).run(&Exec::new(["echo", "hello"], limits))?;
//!     assert_eq!(ran.exit, Exit::Code(0));
//!     assert_eq!(ran.stdout.bytes()?, b"hello\n");
//!     assert!(ran.usage.cpu < cpu);
//!     Ok(())
//! }
//! ```
//!
//! [`Slot::run_pair`] runs two programs that talk with each other, [`Slot::run_with_person`] one that talks
//! with a person. An error is a [`Fault`]: a failure of the sandbox, not of the program. Between submissions
//! the caller calls [`Slot::renew_worker`].
//!
//! # Isolation modes
//!
//! The sandbox tries modes, the strongest first, and there is no mode without isolation. [`SandboxOptions`]
//! can demand one; [`Sandbox::mode_name`], [`Sandbox::guarantees`] and [`Sandbox::warnings`] describe the one
//! in use.
//!
//! | isolation | cgroups | memory and CPU time of all processes | files and processes of others |
//! |---|---|---|---|
//! | namespaces | v2, v1 | limited and measured exactly | not there |
//! | namespaces | none | measured every 10 ms; the largest process's peak | not there |
//! | Landlock | v2, v1 | limited and measured exactly | closed, but their names can be found out |
//! | Landlock | none | measured every 10 ms; the largest process's peak | closed, but their names can be found out |
//!
//! As root, programs run as users that nothing else uses. Otherwise, or if root has no other users to use
//! (`program_ids`), they run as the judge's own user, without its rights.
//!
//! # How it works
//!
//! ```text
//! judge (threads; tests, checkers, files)     run: slot, pair, streams, worker_host; boxes; machine: modes
//!  │
//!  └─ supervisor: the same program again,     inside: supervisor; meters: cgroup*
//!      │      small, in the cgroups
//!      └─ worker: pid 1 of its own            inside: worker, confinement, mount_*, landlock_rules,
//!          │      namespaces, confined once           seccomp, syscall_*
//!          └─ the program and what it forks:  inside: run_program, watch; meters: start_readings; sys
//!                 dead before the next run starts
//! ```
//!
//! A run costs a message, a vfork, limits, an exec, a wait, a kill and a reply; all expensive steps
//! (namespaces, mounts, filters, cgroups) are done once, before. A worker is replaced after every run that
//! was not entirely clean. When the judge dies, the supervisor notices and removes everything.

// Other programs may use this crate by itself.
#![warn(missing_docs)]

mod boxes;
mod captured_output;
mod errors;
mod exec;
mod fault;
mod inside;
mod machine;
mod meters;
mod run;
mod run_result;
mod sys;

pub use captured_output::CapturedOutput;
pub use exec::{BoxFile, Exec, Input, Keep, Limits, ReadOnlyMount, SandboxView};
pub use fault::{Fault, FaultSource};
pub use inside::seccomp::{SyscallRule, list_syscall_rules};
pub use inside::supervisor::run_if_supervisor;
pub use inside::syscall_row::{ArgOp, ArgTest};
pub use machine::machine_check::{FindingLevel, MachineFinding, check_machine, load_text};
pub use machine::modes::{Sandbox, SandboxOptions};
pub use meters::idle_clock::MAX_WALL_EXTENSION;
pub use meters::spin::spin;
pub use run::messages::Isolation;
pub use run::person::{EndedTalk, Person, Speaker, TalkEnd};
pub use run::run_programs::RunPrograms;
pub use run::slot::Slot;
pub use run::talk::PairOptions;
pub use run_result::{Exit, Limit, PairMember, PairMessage, PairResult, RunNote, RunResult, Usage};
