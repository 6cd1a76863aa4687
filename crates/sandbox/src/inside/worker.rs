//! The worker: process 1 of its own namespaces. It confines itself once, and then runs programs one after the
//! other at the judge's request until it is killed.
#![expect(clippy::disallowed_methods, reason = "a process of its own, which exits")]

use super::{confinement::Confinement, run_program::run_program, worker_state::WorkerState};
use crate::{
    machine::outer_limits::PROGRAM_DESCRIPTORS,
    meters::cgroup_meters::CgroupMeters,
    run::{
        messages::{Isolation, RunRequest, WorkerSetup, tag},
        wire::{self, MAX_MESSAGE, send_tagged},
    },
    sys,
};
use rustix::process::Resource;
use std::{fs::File, os::fd::OwnedFd, path::PathBuf};

/// Runs a worker until its judge is gone.
pub(crate) fn run_worker(judge: &OwnedFd, confinement: Confinement, meters: Option<&CgroupMeters>) -> ! {
    let _ = rustix::thread::set_name(c"kopek-worker");
    let setup = confinement.setup;
    let cpus = setup.cpu.map_or_else(available_cpus, |_| 1);
    let built_dirs = built_program_dirs(setup);
    let confined = confinement.confine(judge);
    let (preopened, child_events) =
        match confined.and_then(|preopened| Ok((preopened, sys::watch_children()?))) {
            Ok(both) => both,
            Err(e) => {
                let _ = send_tagged(judge, tag::FAULT, e.to_string().as_bytes(), &[]);
                std::process::exit(1);
            }
        };
    if let Some(meters) = meters {
        // Events of earlier workers do not belong to our first run.
        (_, _) = (meters.new_oom_kills(), meters.new_fork_refusals());
    }
    let inner_user = |first: u32| if setup.isolation == Isolation::Namespaces { 1000 } else { first + 1 };
    let mut state = WorkerState {
        meters,
        preopened,
        cpu: setup.cpu,
        cpus,
        user: setup.ids.map(inner_user),
        isolation: setup.isolation,
        built_dirs,
        descriptors: program_descriptors(),
        stack: sys::ChildStack::new(),
        judge,
        child_events,
    };
    // The streams of programs then arrive at 0, 1 and 2, so that a child need not move them.
    sys::close_standard_streams();
    let mut buffer = vec![0; MAX_MESSAGE];
    // Until the judge hangs up; then the supervisor kills us, unless we end first.
    while serve_request(&mut state, &mut buffer) {}
    std::process::exit(0)
}

/// The directories of built programs: the mount at `/exe`, and the box.
fn built_program_dirs(setup: &WorkerSetup) -> Vec<PathBuf> {
    match setup.isolation {
        Isolation::Namespaces => vec!["/exe".into(), "/box".into()],
        Isolation::Landlock => {
            let shown = setup.view.mounts.iter().filter(|s| s.inside.starts_with("/exe"));
            shown.map(|s| s.host.clone()).chain([setup.host_box.join("box")]).collect()
        }
    }
}

/// As many as programs may have, or the hard limit, which cannot be raised here.
fn program_descriptors() -> u64 {
    let max = rustix::process::getrlimit(Resource::Nofile).maximum;
    max.unwrap_or(PROGRAM_DESCRIPTORS).min(PROGRAM_DESCRIPTORS)
}

fn available_cpus() -> u32 {
    rustix::thread::sched_getaffinity(None).map_or(1, |set| set.count().max(1))
}

/// Serves one request; returns false when the judge is gone.
fn serve_request(state: &mut WorkerState, buffer: &mut [u8]) -> bool {
    let Ok((length, fds)) = wire::receive_for_program(state.judge, buffer) else { return false };
    if length == 0 {
        return false;
    }
    // A stop request that came after its run had ended.
    if length == 1 {
        return true;
    }
    let files: Vec<File> = fds.into_iter().map(File::from).collect();
    let request = wire::decode::<RunRequest>(&buffer[..length]);
    let reply = request.and_then(|request| wire::encode(&run_program(state, &request, files)?));
    match reply {
        Ok(reply) => send_tagged(state.judge, tag::REPLY, &reply, &[]).is_ok(),
        Err(e) => send_tagged(state.judge, tag::FAULT, e.to_string().as_bytes(), &[]).is_ok(),
    }
}
