//! Waits for the end of a program, or stops it at a limit.

use super::worker_state::WorkerState;
use crate::{
    exec::Limits,
    meters::{
        idle_clock::{IdleClock, Idleness, LOOK_INTERVAL},
        procfs::{self, CountedMemory, ProcessView},
        start_readings::{LeftoverUsage, StartReadings},
    },
    run::messages::{Isolation, RunRequest, StopReason},
    sys::{self, ProcessEnd},
};
use kopek_base::Clock;
use rustix::{
    event::{PollFd, PollFlags, poll},
    time::Timespec,
};
use std::{
    io,
    time::{Duration, Instant},
};

/// The average interval of our measurements, if no cgroup measures.
const MEASURING_INTERVAL: Duration = Duration::from_millis(10);

/// The interval of checks after the wall limit, if other programs may be the reason.
const DOUBT_INTERVAL: Duration = Duration::from_millis(20);

/// How a program ended or was stopped.
pub(crate) struct WatchedEnd {
    pub(crate) stopped: StopReason,
    /// Whether it was stopped as idle although others had the CPU.
    pub(crate) starved: bool,
    pub(crate) main: ProcessEnd,
}

/// Waits for the end of the main process, or stops it.
pub(crate) fn watch(
    state: &WorkerState,
    request: &RunRequest,
    pid: u32,
    readings: &StartReadings,
) -> io::Result<WatchedEnd> {
    let l = &request.limits;
    let mut used = Duration::ZERO;
    let mut idle = IdleClock::start(state, Clock::default(), request, readings.at);
    let ended = |stopped, main| WatchedEnd { stopped, starved: false, main };
    let stop = |why| Ok(ended(why, stop_program(state, pid)?));
    loop {
        let wall_left = l.wall.saturating_sub(idle.elapsed()).max(DOUBT_INTERVAL);
        // Even with all CPUs busy, the CPU limit cannot be reached earlier than this.
        let cpu_left = (l.cpu.saturating_sub(used) / state.cpus).max(Duration::from_micros(300));
        let mut timeout = wall_left.min(cpu_left).min(LOOK_INTERVAL);
        if state.meters.is_none() {
            timeout = timeout.min(random_pause());
        }
        idle.expect_wake(timeout);
        match wait_for_event(state, pid, timeout)? {
            WatchEvent::Ended(end) => return Ok(ended(StopReason::NotStopped, end)),
            WatchEvent::StopRequested => return stop(StopReason::Judge),
            WatchEvent::Timeout => {}
        }
        // First, because the other checks query every process.
        if must_count_processes(state)
            && state.preopened.processes.as_ref().is_some_and(|view| view.has_more_than(l.processes))
        {
            return stop(StopReason::Processes);
        }
        used = readings.cpu_so_far(state);
        if used >= l.cpu {
            return stop(StopReason::Cpu);
        }
        idle.look(used);
        match idle.judge(l.wall, used) {
            Idleness::NotYet => {}
            Idleness::Idle => return stop(StopReason::Wall),
            Idleness::Starved => return Ok(WatchedEnd { starved: true, ..stop(StopReason::Wall)? }),
        }
        if holds_too_much(state, readings, l) {
            return stop(StopReason::Memory);
        }
    }
}

/// A random interval. A program notices each measurement, because it takes CPU time; at a fixed interval it
/// could end its children right before the next one.
fn random_pause() -> Duration {
    let mut bytes = [0; 4];
    match rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty()) {
        Ok(_) => MEASURING_INTERVAL.mul_f64(2.0 * f64::from(u32::from_ne_bytes(bytes)) / f64::from(u32::MAX)),
        Err(_) => MEASURING_INTERVAL,
    }
}

/// Whether it holds too much memory. A full cgroup stops a program at once, but one that barely exceeds its
/// limit may crawl until its time is up: the kernel drops the program's own code and reads it again, over and
/// over.
fn holds_too_much(state: &WorkerState, readings: &StartReadings, limits: &Limits) -> bool {
    let (max, counted) = match state.meters {
        None => (limits.memory.0, CountedMemory::All),
        // The mapped part of its output and files has limits of its own.
        Some(meters) if readings.charge_so_far(meters) > limits.most_memory() => {
            (limits.most_memory(), CountedMemory::Private)
        }
        Some(_) => return false,
    };
    procfs::memory_exceeds(state.preopened.processes.as_ref(), max, counted)
}

/// Whether the worker must count processes. The kernel counts those in a cgroup, and those of a user that
/// only the run has. It counts those of the judge's user only together with others, and root's never.
fn must_count_processes(state: &WorkerState) -> bool {
    state.meters.is_none() && state.user.is_none()
}

enum WatchEvent {
    Ended(ProcessEnd),
    StopRequested,
    Timeout,
}

fn wait_for_event(state: &WorkerState, pid: u32, timeout: Duration) -> io::Result<WatchEvent> {
    let end = Instant::now() + timeout;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut fds =
            [PollFd::new(&state.child_events, PollFlags::IN), PollFd::new(state.judge, PollFlags::IN)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(WatchEvent::Timeout),
            Ok(_) => {}
            Err(e) => return Err(e.into()),
        }
        if !fds[0].revents().is_empty() {
            // The event is read first and the child checked afterwards: one that ends in between causes a new
            // event.
            let _ = rustix::io::read(&state.child_events, &mut [0; 128]);
            if let Some(end) = sys::poll_child(pid)? {
                return Ok(WatchEvent::Ended(end));
            }
        }
        // A stop request, or the judge is gone: either way this run is over.
        if !fds[1].revents().is_empty() {
            return Ok(WatchEvent::StopRequested);
        }
        // An orphan ended; many of them must not keep us from measuring.
        if left.is_zero() {
            return Ok(WatchEvent::Timeout);
        }
    }
}

fn stop_program(state: &WorkerState, pid: u32) -> io::Result<ProcessEnd> {
    match state.isolation {
        Isolation::Namespaces => drop(sys::kill_all()),
        // The supervisor kills the rest: only it is outside their group.
        Isolation::Landlock => sys::kill_child(pid),
    }
    sys::wait_for_child(pid)
}

/// Kills and reaps until no process is left. Each round kills again, because a process may have forked during
/// the last one.
pub(crate) fn kill_leftovers(state: &WorkerState) -> io::Result<LeftoverUsage> {
    let mut usage = LeftoverUsage::default();
    // The common case; a kill makes the kernel scan every process of the machine.
    if sys::has_no_children() {
        return Ok(usage);
    }
    if state.isolation == Isolation::Landlock {
        // After a fork bomb, the supervisor kills the whole group at once, including us.
        if !state.preopened.processes.as_ref().is_some_and(|view| view.has_more_than(MAX_KILLED)) {
            kill_descendants(state, &mut usage);
        }
        return Ok(usage);
    }
    // Not `cgroup.kill`: kernels from 6.12 on then kill every process that starts in that cgroup later.
    while sys::kill_all() {
        let Ok(end) = sys::wait_for_any() else { continue };
        usage.add(&end);
    }
    while let Ok(end) = sys::wait_for_any() {
        usage.add(&end);
    }
    Ok(usage)
}

/// The most processes that are killed one by one.
const MAX_KILLED: u32 = 64;

/// Kills descendants one by one if there is no process namespace, so that their usage is known. The
/// supervisor kills the rest.
fn kill_descendants(state: &WorkerState, usage: &mut LeftoverUsage) {
    const ROUNDS: u32 = 100;
    for _ in 0..ROUNDS {
        while let Some(end) = sys::poll_any() {
            usage.add(&end);
        }
        if sys::has_no_children() {
            return;
        }
        let running = state.preopened.processes.as_ref().map(ProcessView::running).unwrap_or_default();
        running.iter().for_each(|pid| sys::kill_child(*pid));
        std::thread::sleep(Duration::from_micros(200));
    }
}
