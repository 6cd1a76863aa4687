//! The other side of the wall: supervisor and worker, and how a worker confines itself and runs a program.

pub(super) mod confinement;
pub(super) mod landlock_rules;
pub(super) mod mount_root;
pub(super) mod mount_table;
pub(super) mod run_program;
pub(super) mod seccomp;
pub(super) mod supervisor;
pub(super) mod syscall_row;
pub(super) mod syscall_table;
pub(super) mod syscall_table_weak;
pub(super) mod watch;
pub(super) mod worker;
pub(super) mod worker_memory;
pub(super) mod worker_state;
