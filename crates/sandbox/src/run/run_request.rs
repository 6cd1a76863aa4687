//! Translates an [`Exec`] into the request to a worker: environment, limits, paths.

use super::messages::{Isolation, RunRequest, WorkerSetup};
use crate::{
    boxes::{box_dir::MAX_INODES, box_fill::placed_size},
    exec::{Exec, Limits},
    fault::Fault,
    machine::modes::Sandbox,
    meters::idle_clock::MAX_WALL_EXTENSION,
};
use kopek_base::Bytes;
use std::time::Duration;

const ENVIRONMENT: [(&str, &str); 3] =
    [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/box"), ("LANG", "C.UTF-8")];

/// The setup of the worker for a program.
pub(crate) fn worker_setup_for(
    sandbox: &Sandbox,
    cpu: Option<usize>,
    exec: &Exec,
) -> Result<WorkerSetup, Fault> {
    let mut size = 0;
    if exec.view.writable {
        // One page more than allowed: using it shows that the limit was exceeded.
        size += exec.limits.files.0.saturating_add(4096);
    }
    if !exec.files.is_empty() {
        // In steps, so that similar programs have equal boxes and can share a worker.
        size += placed_size(&exec.files)?.max(1 << 20).next_power_of_two();
    }
    let smallest = sandbox.smallest_setup()?;
    let box_size = Bytes(size).max(smallest.box_size);
    Ok(WorkerSetup { cpu, view: exec.view.clone(), box_size, inodes: MAX_INODES, ..smallest })
}

/// Whether its box is empty and stays so: then no check is needed.
pub(crate) fn has_untouchable_box(exec: &Exec) -> bool {
    exec.files.is_empty() && !exec.view.writable
}

/// Its limits; without a writable directory there is no space for files.
pub(crate) fn effective_limits(exec: &Exec) -> Limits {
    let files = if exec.view.writable { exec.limits.files } else { Bytes(0) };
    Limits { files, ..exec.limits }
}

/// A request for a run whose program's end only the worker sees.
pub(crate) fn run_request_for(exec: &Exec, setup: &WorkerSetup) -> RunRequest {
    let overridden = |name: &str| exec.env.iter().any(|(k, _)| k == name);
    // With namespaces, `/tmp` belongs to the program anyway.
    let needs_temporary = exec.view.writable && setup.isolation == Isolation::Landlock;
    let temporary = if needs_temporary { Some(("TMPDIR", "/tmp")) } else { None };
    let basis = ENVIRONMENT.into_iter().chain(temporary).filter(|(k, _)| !overridden(k));
    let all = basis.chain(exec.env.iter().map(|(k, v)| (k.as_str(), v.as_str())));
    RunRequest {
        argv: exec.argv.iter().map(|arg| to_host_paths(setup, arg)).collect(),
        env: all.map(|(k, v)| format!("{k}={}", to_host_paths(setup, v))).collect(),
        cwd: to_host_paths(setup, &exec.cwd),
        limits: effective_limits(exec),
        wants_pidfd: false,
        reserves: exec.reserves,
        extension: wall_extension(exec),
    }
}

/// How far a busy machine may extend the wall limit.
pub(crate) fn wall_extension(exec: &Exec) -> Duration {
    exec.extension.unwrap_or(exec.limits.wall.saturating_mul(MAX_WALL_EXTENSION))
}

/// Replaces inside paths by host paths if there is no mount namespace: in words that begin with one, or have
/// one after a `:` or `=`.
fn to_host_paths(setup: &WorkerSetup, word: &str) -> String {
    if setup.isolation == Isolation::Namespaces {
        return word.to_owned();
    }
    let parts =
        ["box", "tmp"].map(|part| (format!("/{part}"), setup.host_box.join(part).display().to_string()));
    let shown =
        setup.view.mounts.iter().map(|s| (s.inside.display().to_string(), s.host.display().to_string()));
    let names: Vec<(String, String)> = parts.into_iter().chain(shown).collect();
    let translate = |piece: &str| {
        let hit = names.iter().find_map(|(inside, host)| {
            let rest = piece.strip_prefix(inside.as_str())?;
            if rest.is_empty() || rest.starts_with('/') { Some(format!("{host}{rest}")) } else { None }
        });
        hit.unwrap_or_else(|| piece.to_owned())
    };
    word.split_inclusive([':', '='])
        .map(|piece| match piece.strip_suffix([':', '=']) {
            Some(bare) => translate(bare) + &piece[bare.len()..],
            None => translate(piece),
        })
        .collect()
}
