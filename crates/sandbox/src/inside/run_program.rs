//! One run from the worker's side: start, watch, kill the remaining processes, read the meters.

use super::{
    watch::{WatchedEnd, kill_leftovers, watch},
    worker_state::WorkerState,
};
use crate::{
    machine::outer_limits,
    meters::start_readings::{RunEnd, StartReadings},
    run::{
        messages::{RunReply, RunRequest, StopReason, tag},
        wire::send_tagged,
    },
    sys::{self, CStringArray, Launch, LaunchFailure, LaunchStep, ResourceLimit},
};
use kopek_base::Bytes;
use std::{
    ffi::CString,
    fs::File,
    io,
    os::{
        fd::{AsFd, AsRawFd, OwnedFd},
        unix::fs::FileExt,
    },
    path::Path,
};

/// Directories for names without a path.
const SEARCH_PATH: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

/// Runs one program to its end. An error is a fault of ours.
pub(crate) fn run_program(
    state: &mut WorkerState,
    request: &RunRequest,
    stdio: Vec<File>,
) -> io::Result<RunReply> {
    let [stdin, stdout, stderr] = &stdio[..] else {
        return Err(io::Error::other("a request came without its three streams"));
    };
    let programs = c_strings(candidate_paths(request))?;
    let argv = c_strings(request.argv.clone())?;
    let envp = c_strings(request.env.clone())?;
    let cwd = CString::new(request.cwd.as_str())?;
    let limits = resource_limits(state, request);
    let mut launch = Launch {
        programs: &programs,
        argv: &argv,
        envp: &envp,
        // The worker is already there.
        cwd: Some(&*cwd).filter(|cwd| *cwd != c"/box"),
        stdio: [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()],
        limits: &limits,
        user: state.user,
        domain: state.preopened.program_domain.as_ref().map(|fd| fd.as_raw_fd()),
        wants_pidfd: request.wants_pidfd,
        failure: None,
    };
    let readings = StartReadings::take(state, request)?;
    let (pid, pidfd) = start_first_in_line(state, &mut launch)?;
    let failure = launch.failure;
    // Only the program may hold these: our own end of a pipe would hide that it was closed.
    drop(stdio);
    if let Some(failure) = failure {
        sys::wait_for_child(pid)?;
        return reply_of_unfit_program(state, request, failure).ok_or_else(|| launch_error(request, failure));
    }
    if let Some(pidfd) = pidfd {
        send_tagged(state.judge, tag::STARTED, b"", &[pidfd.as_fd()])?;
    }
    let WatchedEnd { stopped, starved, main } = watch(state, request, pid, &readings)?;
    // Before the remaining processes are killed: the kill takes our time, not the program's.
    let wall = readings.at.elapsed();
    let leftovers = kill_leftovers(state)?;
    if (main.killed || main.status != 0)
        && stopped == StopReason::NotStopped
        && leftovers.killed == 0
        && state.may_have_been_refused_processes()
    {
        return Err(io::Error::other(
            "count the processes of a run: the judge's user started many others in the meantime; run it again",
        ));
    }
    Ok(RunReply { starved, ..readings.reply(state, RunEnd { stopped, wall, main, leftovers }) })
}

fn c_strings(list: Vec<String>) -> io::Result<CStringArray> {
    Ok(CStringArray::new(list.into_iter().map(CString::new).collect::<Result<_, _>>()?))
}

/// The candidate paths of the program: its own path, or one in each directory of `PATH`.
fn candidate_paths(request: &RunRequest) -> Vec<String> {
    let name = request.argv.first().cloned().unwrap_or_default();
    if name.contains('/') {
        return vec![name];
    }
    let path = request.env.iter().find_map(|e| e.strip_prefix("PATH="));
    match path {
        Some(path) => path.split(':').map(|dir| format!("{dir}/{name}")).collect(),
        None => SEARCH_PATH.iter().map(|dir| format!("{dir}/{name}")).collect(),
    }
}

/// Errors of a start that may succeed the next time: not the author's fault.
const MACHINES_ERRORS: [i32; 6] =
    [libc::ETXTBSY, libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE, libc::EIO];

/// The end of a built program that exists and cannot be executed (it names a missing loader, or is not a
/// program). That is its author's fault: it ends as a shell would report it.
fn reply_of_unfit_program(
    state: &WorkerState,
    request: &RunRequest,
    failure: LaunchFailure,
) -> Option<RunReply> {
    let program = Path::new(request.argv.first()?);
    let is_built = state.built_dirs.iter().any(|dir| program.starts_with(dir));
    let exists = std::fs::metadata(program).is_ok_and(|m| m.is_file());
    (failure.step == LaunchStep::Execute && is_built && exists && !MACHINES_ERRORS.contains(&failure.errno))
        .then(|| RunReply { status: 126, ..RunReply::default() })
}

fn launch_error(request: &RunRequest, failure: LaunchFailure) -> io::Error {
    let act = match failure.step {
        LaunchStep::Streams => "set up the standard streams".into(),
        LaunchStep::Domain => "enter a domain of its own".into(),
        LaunchStep::CloseDescriptors => "close descriptors".into(),
        LaunchStep::Limits => match outer_limits::check_resource_limits(&request.limits) {
            Err(fault) => return io::Error::other(fault.what),
            Ok(()) => "set a limit".into(),
        },
        LaunchStep::User => "change the user".into(),
        LaunchStep::Directory => format!("enter the directory {}", request.cwd),
        LaunchStep::Execute => format!("execute {}", request.argv[0]),
    };
    let error = io::Error::from_raw_os_error(failure.errno);
    io::Error::new(error.kind(), format!("{act}: {error}"))
}

/// Limits of each process; the cgroup and we limit all of them together.
#[allow(clippy::unnecessary_cast, reason = "the type of these numbers differs between C libraries")]
fn resource_limits(state: &WorkerState, request: &RunRequest) -> Vec<ResourceLimit> {
    let l = &request.limits;
    let limit = |resource, value| ResourceLimit { resource, value };
    let mut limits = vec![
        limit(libc::RLIMIT_CPU as u32, l.cpu_of_a_process()),
        // One byte more than allowed: a file of that size shows that the limit was exceeded.
        limit(libc::RLIMIT_FSIZE as u32, l.files.0.max(l.output.0).saturating_add(1)),
        limit(libc::RLIMIT_NOFILE as u32, state.descriptors),
    ];
    if state.meters.is_none() {
        // A second defence for each process: we measure the memory that all of them touched, and runtimes
        // reserve more than that.
        let slack = l.memory.0.saturating_add(Bytes::mib(1024).0);
        if !request.reserves {
            limits.push(limit(libc::RLIMIT_DATA as u32, slack));
        }
        limits.push(limit(libc::RLIMIT_NPROC as u32, u64::from(l.processes) + state.resident_processes()));
    }
    limits
}

/// Starts it with the same process numbers as every run, and as the first process to kill when memory runs
/// out.
fn start_first_in_line(state: &mut WorkerState, launch: &mut Launch) -> io::Result<(u32, Option<OwnedFd>)> {
    let set = |file: &Option<File>, text: &[u8]| file.as_ref().map(|f| f.write_at(text, 0));
    set(&state.preopened.last_pid, b"1");
    // Inherited, because we cannot write to that of a child of another user.
    set(&state.preopened.oom_score, b"1000");
    let started = sys::start_program(&mut state.stack, launch);
    set(&state.preopened.oom_score, &state.preopened.own_score);
    started
}
