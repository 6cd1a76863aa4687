//! Reads the meters before a run, and builds the reply from the differences after it.

use super::{
    cgroup_meters::CgroupMeters,
    procfs::{self, ObservedTimes},
};
use crate::{
    exec::Limits,
    inside::worker_state::WorkerState,
    run::messages::{RunReply, RunRequest, StopReason},
    sys::{self, ProcessEnd},
};
use std::{
    cell::RefCell,
    io,
    time::{Duration, Instant},
};

pub(crate) struct StartReadings {
    pub(crate) at: Instant,
    cpu: Duration,
    own_cpu: Duration,
    charge: u64,
    /// The amount that the cgroup may hold above that charge.
    headroom: u64,
    limits: Limits,
    /// Observed times, if no cgroup measures.
    seen: RefCell<ObservedTimes>,
}

/// The usage of the processes besides the main one.
#[derive(Default)]
pub(crate) struct LeftoverUsage {
    pub(crate) cpu: Duration,
    /// The largest resident set of any of them, in KiB.
    pub(crate) maxrss: u64,
    /// The sum of their peak resident sets, in KiB.
    pub(crate) resident_sum: u64,
    pub(crate) killed: u64,
    pub(crate) pids: Vec<u32>,
}

impl LeftoverUsage {
    pub(crate) fn add(&mut self, end: &ProcessEnd) {
        self.cpu += end.cpu;
        self.maxrss = self.maxrss.max(end.maxrss);
        self.resident_sum += end.maxrss;
        self.killed += u64::from(end.killed && end.status == libc::SIGKILL);
        self.pids.push(end.pid);
    }
}

/// How a run ended, and the usage that its processes report.
pub(crate) struct RunEnd {
    pub(crate) stopped: StopReason,
    pub(crate) wall: Duration,
    pub(crate) main: ProcessEnd,
    pub(crate) leftovers: LeftoverUsage,
}

impl StartReadings {
    /// Reads the meters and sets the limits of the cgroup.
    pub(crate) fn take(state: &WorkerState, request: &RunRequest) -> io::Result<StartReadings> {
        let mut readings = StartReadings {
            at: Instant::now(),
            cpu: Duration::ZERO,
            own_cpu: sys::own_cpu_time(),
            charge: 0,
            headroom: request.limits.group_capacity(),
            limits: request.limits,
            seen: RefCell::default(),
        };
        if let Some(meters) = state.meters {
            readings.charge = meters.memory_charge();
            meters.limit_memory(readings.charge.saturating_add(readings.headroom))?;
            meters.limit_processes(u64::from(readings.limits.processes) + state.resident_processes())?;
            meters.reset_peak();
            readings.cpu = meters.cpu_time();
            // The clock starts when all of this is done.
            readings.at = Instant::now();
        }
        Ok(readings)
    }

    /// CPU time of the run so far.
    pub(crate) fn cpu_so_far(&self, state: &WorkerState) -> Duration {
        match state.meters {
            // Without our own usage: no program is stopped for that.
            Some(meters) => {
                let ours = sys::own_cpu_time().saturating_sub(self.own_cpu);
                meters.cpu_time().saturating_sub(self.cpu).saturating_sub(ours)
            }
            None => {
                let processes = state.preopened.processes.as_ref();
                let at = self.at.elapsed();
                procfs::total_cpu_time(processes, at, &mut self.seen.borrow_mut())
            }
        }
    }

    /// The memory that is charged for the run now.
    pub(crate) fn charge_so_far(&self, meters: &CgroupMeters) -> u64 {
        meters.memory_charge().saturating_sub(self.charge)
    }

    pub(crate) fn reply(&self, state: &WorkerState, end: RunEnd) -> RunReply {
        let RunEnd { stopped, wall, main, leftovers } = end;
        let resident = main.maxrss.max(leftovers.maxrss) << 10;
        let mut reply = RunReply {
            status: main.status,
            killed: main.killed,
            stopped,
            cpu: main.cpu + leftovers.cpu,
            wall,
            peak: resident,
            resident,
            left: leftovers.killed,
            ..RunReply::default()
        };
        match state.meters {
            Some(_) => {
                self.add_cgroup_figures(state, &mut reply);
                // Threads have no resident set of their own, and children that their parents wait for are not
                // reported to us.
                let known = reply.started == 1 + leftovers.pids.len() as u64;
                reply.resident_sum = known.then(|| (main.maxrss + leftovers.resident_sum) << 10);
            }
            // Without a count of refusals, this many survivors are as good as one.
            None => {
                reply.cpu = reply.cpu.max(self.seen.borrow().total());
                let waited_for = [&leftovers.pids[..], &[main.pid]].concat();
                reply.unseen = self.unseen_cpu_time(state, &reply, &waited_for);
                reply.refused_forks =
                    u64::from(reply.left > 0 && reply.left + 1 >= self.limits.processes.into());
            }
        }
        reply
    }

    /// The CPU time that its processes may have used unseen: the whole time until the end of the last one for
    /// which we did not wait ourselves.
    fn unseen_cpu_time(&self, state: &WorkerState, reply: &RunReply, waited_for: &[u32]) -> Duration {
        let until = match state.preopened.processes {
            Some(_) => self.seen.borrow().unaccounted_until(waited_for, reply.wall),
            None => reply.wall,
        };
        (until * state.cpus).min((reply.wall * state.cpus).saturating_sub(reply.cpu))
    }

    fn add_cgroup_figures(&self, state: &WorkerState, reply: &mut RunReply) {
        let Some(meters) = state.meters else { return };
        let ours = sys::own_cpu_time().saturating_sub(self.own_cpu);
        // The larger: each may lag behind the other.
        reply.cpu = reply.cpu.max((meters.cpu_time() - self.cpu).saturating_sub(ours));
        reply.before = self.charge;
        reply.after = meters.memory_charge();
        let peak = meters.memory_peak();
        reply.refused_forks = meters.new_fork_refusals();
        // This reads another file, so it is done only if the count may be above zero.
        let ended_well =
            !reply.killed && reply.status == 0 && reply.left == 0 && reply.stopped == StopReason::NotStopped;
        let limit = self.charge.saturating_add(self.headroom);
        if !ended_well || peak.is_none_or(|peak| peak.saturating_add(2 << 20) > limit) {
            reply.oom = meters.new_oom_kills();
        }
        let held = peak.unwrap_or(0).saturating_sub(self.charge);
        if reply.oom > 0 || held > self.limits.most_memory() {
            reply.started = state.preopened.started_processes().unwrap_or(0);
        }
        if reply.oom > 0 {
            self.add_late_release(meters, reply);
        }
        match peak {
            Some(peak) => reply.peak = peak,
            // The peak is that of a process, which does not include these charges.
            None => (reply.before, reply.after) = (0, 0),
        }
    }

    /// The kernel reclaims stacks and tables of ended processes only after a grace period. When no process is
    /// left, any decrease of the charge is such late memory, and the rest is files. The total charge is used,
    /// because it is exact in both versions of cgroups; user memory is released before a process is waited
    /// for.
    fn add_late_release(&self, meters: &CgroupMeters, reply: &mut RunReply) {
        // A grace period takes 10 to 40 ms on an idle machine.
        const MAX_WAIT: Duration = Duration::from_secs(1);
        const LOOK_INTERVAL: Duration = Duration::from_millis(5);
        let at_end = reply.after;
        let start = Instant::now();
        let doubtful = self.limits.doubtful_release();
        // So few processes leave a negligible amount; that of living ones comes back late as well, but
        // counts.
        let few = reply.started <= self.limits.processes.into();
        if few || at_end.saturating_sub(self.charge) <= doubtful {
            return;
        }
        while reply.released_late <= doubtful && start.elapsed() < MAX_WAIT {
            std::thread::sleep(LOOK_INTERVAL);
            reply.after = meters.memory_charge().min(at_end);
            reply.released_late = at_end - reply.after;
        }
    }
}
