//! The program's side of a run: the supervisor, and the worker, which confines itself and runs programs.

mod confinement;
mod landlock_rules;
mod mount_root;
mod mount_table;
mod run_program;
pub(super) mod seccomp;
pub(super) mod supervisor;
pub(super) mod syscall_row;
mod syscall_table;
mod syscall_table_weak;
pub(super) mod watch;
pub(super) mod worker;
pub(super) mod worker_state;
