//! The toolchain of a task on this machine. Scripts get all tools that they can rely on.

use super::{
    answers_row::{self, no_toolchain},
    resources::Machine,
    scripts,
};
use kopek_base::{Digest, DigestFields};
use kopek_package::language::Toolchain;
use kopek_plan::plan::BuildTask;
use kopek_sandbox::Fault;
use std::{path::Path, sync::Arc};

/// The toolchain that a task names, on this machine.
pub(crate) fn toolchain_of_task(machine: &Machine, task: &BuildTask) -> Result<Arc<Toolchain>, Fault> {
    machine.toolchains.resolve(task, || match task.language.code.as_str() {
        answers_row::CODE => Ok(no_toolchain()),
        scripts::CODE => Ok(script_toolchain(machine)),
        _ => machine.toolchain(&task.language).map_err(Fault::from),
    })
}

/// All tools that scripts may call, as far as they are installed.
pub(super) fn script_toolchain(machine: &Machine) -> Toolchain {
    let mut whole = Toolchain { code: scripts::CODE.into(), ..no_toolchain() };
    let shell = Digest::of_file(Path::new("/bin/sh")).unwrap_or(Digest::of(b"no shell"));
    let mut fields = DigestFields::new("scripts").with("shell", shell.as_bytes());
    for code in scripts::PROMISED {
        let Some(Ok(toolchain)) = machine.table.get(code).map(|row| machine.toolchain(row)) else {
            continue;
        };
        fields = fields.with(code, toolchain.digest.as_bytes());
        whole.roots.extend(toolchain.roots);
        whole.guards.extend(toolchain.guards);
    }
    // Several toolchains may share a root.
    whole.roots.sort();
    whole.roots.dedup();
    whole.digest = fields.digest();
    whole
}
