//! Chapter: what the sandbox promises, tried for real: as root if we are, and as
//! a user without rights.

mod busy;
mod containers;
mod doctor;
mod held_limits;
pub mod held_up;
mod hidden_time;
mod late_release;
mod modes;
mod pairs;
mod refused_calls;
pub mod survival;
mod toolchains;
mod views;

use crate::{
    ordinary_user::{self, open_sandbox, worker},
    skip,
};
use kopek::{base::Bytes, sandbox::*};
use std::time::Duration;

/// Whether there is a sandbox without namespaces on this machine.
pub fn has_weak_mode() -> bool {
    modes::without_namespaces().is_some()
}

fn limits() -> Limits {
    Limits {
        cpu: Duration::from_secs(2),
        wall: Duration::from_secs(5),
        memory: Bytes::mib(256),
        output: Bytes::mib(1),
        files: Bytes::mib(16),
        processes: 16,
    }
}

/// A sandbox whose programs' memory is limited together with the kernel's own, and in which processes are counted.
fn sandbox_with_group() -> Option<Sandbox> {
    let sandbox = open_sandbox();
    let mode = sandbox.mode_name();
    if mode.contains("namespaces") && !mode.ends_with("no cgroup") {
        return Some(sandbox);
    }
    skip::report("no cgroup limits the memory of all processes together, or nothing counts these");
    None
}

fn exec(argv: &[&str]) -> Exec {
    Exec::new(argv.iter().copied(), limits())
}

fn sh(script: &str) -> Exec {
    exec(&["sh", "-c", script])
}

/// A program in C, built in the sandbox as `name`.
fn built_c(slot: &mut Slot, name: &str, source: &str, options: &[&str]) -> tempfile::TempDir {
    let (out, file, program) = (tempfile::tempdir().unwrap(), format!("{name}.c"), format!("out/{name}"));
    let mut gcc = writable(exec(&[&["gcc"], options, &["-o", &program, &file]].concat()));
    gcc.files = vec![BoxFile::Bytes(file.clone().into(), source.into()), BoxFile::Dir("out".into())];
    gcc.keep = Keep::Below("out".into(), out.path().into());
    assert_eq!(slot.run(&gcc).unwrap().exit, Exit::Code(0));
    out
}

/// A view in which the box can be written to.
fn writable(mut exec: Exec) -> Exec {
    exec.view.writable = true;
    exec
}
