//! Limits under which kopek was started: a shell's `ulimit`, a container's memory. They are checked before
//! anything runs, because a program that hits one of them was not stopped by its package's limits.

use crate::{exec::Limits, fault::Fault, meters::cgroup_discovery};
use kopek_base::Bytes;
use rustix::process::{Resource, getrlimit};

/// A limit of this process that programs inherit.
struct OuterRow {
    resource: Resource,
    name: &'static str,
    /// The shell's option for it.
    option: char,
    /// The shell's unit.
    unit: u64,
    /// The least value that a run needs.
    needed: fn(&Limits) -> u64,
}

/// The number of descriptors of a program, and almost the number that all programs of a user may have in
/// flight in sockets: the judge may be that user and needs room of its own. Runtimes and compilers need up to
/// 19.
pub(crate) const PROGRAM_DESCRIPTORS: u64 = 256;

const OUTER: &[OuterRow] = &[
    // The memory limit is the only limit of the stack.
    row(Resource::Stack, "stack", 's', 1024, |l| l.memory.0),
    // Runtimes reserve far more address space than they use.
    row(Resource::As, "address space", 'v', 1024, |l| l.memory.0.saturating_mul(4)),
    row(Resource::Data, "data", 'd', 1024, |l| l.memory.0),
    row(Resource::Fsize, "file size", 'f', 1024, |l| l.files.0.max(l.output.0).saturating_add(1)),
    row(Resource::Cpu, "CPU time", 't', 1, Limits::cpu_of_a_process),
    row(Resource::Nofile, "open files", 'n', 1, |_| PROGRAM_DESCRIPTORS),
    row(Resource::Nproc, "processes", 'u', 1, |l| l.processes.into()),
];

const fn row(
    resource: Resource,
    name: &'static str,
    option: char,
    unit: u64,
    needed: fn(&Limits) -> u64,
) -> OuterRow {
    OuterRow { resource, name, option, unit, needed }
}

/// Fails if runs with these limits would hit one under which kopek itself was started.
pub(crate) fn check_resource_limits(limits: &Limits) -> Result<(), Fault> {
    let too_low = OUTER.iter().find_map(|row| {
        let max = getrlimit(row.resource).maximum?;
        let needed = (row.needed)(limits);
        if max < needed { Some((row, max, needed)) } else { None }
    });
    let Some((OuterRow { name, option, unit, .. }, max, needed)) = too_low else { return Ok(()) };
    let max = max / unit;
    let needed = needed.div_ceil(*unit);
    Err(Fault::new(format!(
        "kopek was started with a hard limit of its {name} ({max}, `ulimit -H{option}`) below the limit of a \
         program ({needed}), so that a program could be stopped too early; start kopek with a higher limit: \
         `ulimit -{option} {needed}` in a shell that may raise it, or in the settings of the service"
    )))
}

/// Fails if a program may use more memory than the cgroup around kopek has.
pub(crate) fn check_memory_around(memory: Bytes) -> Result<(), Fault> {
    match cgroup_discovery::memory_around().filter(|around| *around < memory) {
        None => Ok(()),
        Some(around) => Err(Fault::new(format!(
            "kopek may use {around} of memory here (the limit of a container or of a service), but a program \
             may use {memory}; give kopek more memory, or lower `memory` below `limits` in problem.yaml"
        ))),
    }
}
