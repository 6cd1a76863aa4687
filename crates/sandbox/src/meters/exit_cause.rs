//! Computes from raw figures how a program ended and what it used. Pure.

use crate::{
    exec::Limits,
    run::messages::{RunReply, StopReason},
    run_result::{Exit, Limit, RunNote, Usage},
};
use kopek_base::Bytes;

/// The judge's own measurements after a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct JudgeReadings {
    /// Bytes written to standard output.
    pub(crate) stdout: u64,
    /// Bytes written to standard error.
    pub(crate) stderr: u64,
    /// Bytes that it wrote in the box.
    pub(crate) files: u64,
    /// Whether the box ran out of space or inodes.
    pub(crate) box_full: bool,
}

/// The least memory of a process: its kernel stack, page tables and a page of stack. The kernel charges less
/// than a batch only now and then.
const MIN_MEMORY: u64 = 48 << 10;

/// How it ended. The order matters: a program stopped at one limit often shows signs of others.
pub(crate) fn classify_exit(reply: &RunReply, limits: &Limits, readings: &JudgeReadings) -> Exit {
    match reply.stopped {
        StopReason::Cpu => return Exit::Exceeded(Limit::Cpu),
        StopReason::Wall => return Exit::Exceeded(Limit::Wall),
        StopReason::Memory => return Exit::Exceeded(Limit::Memory),
        StopReason::Processes => return Exit::Exceeded(Limit::Processes),
        StopReason::NotStopped | StopReason::Judge => {}
    }
    if reply.cpu > limits.cpu || (reply.killed && reply.status == libc::SIGXCPU) {
        return Exit::Exceeded(Limit::Cpu);
    }
    if readings.stdout > limits.output.0 || readings.stderr > limits.output.0 {
        return Exit::Exceeded(Limit::Output);
    }
    if readings.files > limits.files.0 || readings.box_full || (reply.killed && reply.status == libc::SIGXFSZ)
    {
        return Exit::Exceeded(Limit::Files);
    }
    if reply.oom > 0 || memory_exceeded(reply, limits) {
        return Exit::Exceeded(Limit::Memory);
    }
    let ended_well = !reply.killed && reply.status == 0;
    if reply.refused_forks > 0 && !ended_well {
        return Exit::Exceeded(Limit::Processes);
    }
    if reply.killed { Exit::Signal(reply.status) } else { Exit::Code(reply.status) }
}

/// Whether it exceeded the memory limit. Files that were written and removed again are in the peak too, and
/// have a limit of their own; but they are not in any process.
fn memory_exceeded(reply: &RunReply, limits: &Limits) -> bool {
    // Page cache and shared pages are in the cgroup's peak but do not belong to the program: both values must
    // exceed.
    let surely = run_memory(reply).min(reply.resident) > limits.most_memory();
    surely || run_memory(reply) > limits.most_memory_and_files()
}

/// Whether the kernel stopped it for lack of memory although it was far from its own limit: then a container
/// or the machine ran out. Unknown without a peak of the group.
pub(crate) fn ran_out_elsewhere(reply: &RunReply, limits: &Limits) -> bool {
    let max = limits.group_capacity().saturating_add(reply.before);
    let knows_peak = reply.before > 0;
    reply.oom > 0 && knows_peak && reply.peak.saturating_add(ELSEWHERE_SLACK) < max
}

/// A full group may be below its limit by the size of the last request: a large page, and the rounding of the
/// limit.
const ELSEWHERE_SLACK: u64 = 6 << 20;

/// Whether memory of ended processes, which the kernel reclaimed too late, helped to fill the group: then the
/// rest may have been within the limit. Memory of living processes is also reclaimed late, above all page
/// tables, and counts. So only as much is subtracted as processes beyond the allowed number can have held.
pub(crate) fn filled_by_ended_processes(reply: &RunReply, limits: &Limits) -> bool {
    let ended = reply.started.saturating_sub(limits.processes.into());
    let late = reply.released_late.min(ended.saturating_mul(MAX_OF_ENDED));
    reply.oom > 0 && late > limits.doubtful_release()
}

/// The most memory that an ended process leaves for later: its kernel stack, page tables and descriptors. For
/// small programs it is some 70 KiB.
const MAX_OF_ENDED: u64 = 256 << 10;

/// Whether files may hide that its processes together exceeded the memory limit. Files that the kernel reads
/// for a program are charged to it until the end, but those read after the peak are not part of the peak.
/// There is no doubt if the sum of all resident sets is within the limit. A retry helps, because the files
/// are then in memory already.
pub(crate) fn hidden_by_files(reply: &RunReply, limits: &Limits, readings: &JudgeReadings) -> bool {
    let written = readings.stdout + readings.stderr + readings.files;
    let with_files = reply.peak.saturating_sub(reply.before).saturating_sub(written);
    let max = with_files.min(reply.resident_sum.unwrap_or(u64::MAX));
    !memory_exceeded(reply, limits) && max > limits.most_memory()
}

/// The peak without the initial charge, and without the charge that remains: output, files, page cache.
fn run_memory(reply: &RunReply) -> u64 {
    reply.peak.saturating_sub(reply.before.max(reply.after))
}

pub(crate) fn usage_of(reply: &RunReply) -> Usage {
    Usage {
        cpu: reply.cpu,
        wall: reply.wall,
        memory: Bytes(run_memory(reply).max(MIN_MEMORY)),
        left: reply.left as u32,
    }
}

pub(crate) fn notes_on(reply: &RunReply, readings: &JudgeReadings) -> Vec<RunNote> {
    let mut notes = Vec::new();
    if reply.refused_forks > 0 {
        notes.push(RunNote::ProcessLimit);
    }
    if reply.killed && reply.status == libc::SIGSYS {
        notes.push(RunNote::ForbiddenCall);
    }
    if reply.oom > 0 {
        notes.push(RunNote::NoMemory);
    }
    if readings.box_full {
        notes.push(RunNote::BoxFull);
    }
    if reply.left > 0 {
        notes.push(RunNote::LeftProcesses(reply.left));
    }
    notes
}

/// Whether the next program should get a new worker.
pub(crate) fn is_abnormal(reply: &RunReply, exit: Exit) -> bool {
    reply.stopped != StopReason::NotStopped
        || reply.left > 0
        || reply.oom > 0
        || reply.refused_forks > 0
        || matches!(exit, Exit::Exceeded(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn limits() -> Limits {
        let second = Duration::from_secs(1);
        let mib = Bytes::mib(1);
        Limits { cpu: second, wall: second, memory: Bytes::mib(64), output: mib, files: mib, processes: 1 }
    }

    #[test]
    fn a_program_far_from_its_limit_was_not_stopped_by_it() {
        let stopped = RunReply { oom: 1, killed: true, status: 9, before: 1 << 20, ..RunReply::default() };
        let at = |peak: u64| ran_out_elsewhere(&RunReply { peak: peak << 20, ..stopped }, &limits());
        // 64 MiB, plus one for files and for each output.
        assert_eq!([at(40), at(60), at(63), at(68)], [true, true, false, false]);
        assert!(!ran_out_elsewhere(&RunReply { peak: 0, before: 0, ..stopped }, &limits()), "nobody knows");
    }

    #[test]
    fn memory_released_late_belonged_to_ended_processes() {
        let stopped = RunReply { oom: 1, killed: true, status: 9, ..RunReply::default() };
        let late = |mib: u64, started: u64| {
            let reply = RunReply { released_late: mib << 20, started, ..stopped };
            filled_by_ended_processes(&reply, &limits())
        };
        assert!(late(60, 1000) && late(9, 1000));
        assert!(!late(8, 1000), "too little to matter");
        assert!(!late(0, 1000), "files stay, and memory is released at once");
        assert!(
            !late(60, 1) && !late(60, 30),
            "so few processes cannot have left that much: living ones held it"
        );
        assert!(!late(60, 0), "nobody counted them");
        let in_time = RunReply { oom: 0, released_late: 60 << 20, started: 1000, ..stopped };
        assert!(!filled_by_ended_processes(&in_time, &limits()), "nothing was stopped");
    }

    #[test]
    fn memory_that_files_may_hide_is_in_doubt() {
        // `resident`: of each process, if they are known.
        let held = |peak: u64, after: u64, resident: &[u64], written: u64| {
            let [before, peak, after] = [10, 10 + peak, 10 + after].map(|mib| mib << 20);
            let largest = resident.iter().max().map_or(35 << 20, |mib| mib << 20);
            let resident_sum = resident.iter().map(|mib| mib << 20).reduce(|sum, one| sum + one);
            let reply =
                RunReply { peak, before, after, resident: largest, resident_sum, ..RunReply::default() };
            let readings = JudgeReadings { stdout: written << 20, ..JudgeReadings::default() };
            hidden_by_files(&reply, &limits(), &readings)
        };
        assert!(held(70, 8, &[70], 0));
        assert!(!held(70, 0, &[70], 0), "it surely held too much");
        assert!(!held(64, 8, &[70], 0), "all of it is not too much");
        assert!(!held(70, 8, &[60], 0), "its process was smaller");
        assert!(held(70, 8, &[35, 35], 0), "its processes were not smaller together");
        assert!(!held(70, 8, &[30, 30], 0), "these were");
        assert!(held(70, 8, &[], 0), "their resident sets are not known");
        assert!(!held(64, 8, &[], 0), "all of it is not too much");
        assert!(!held(70, 8, &[70], 8), "it was written, not read");
    }

    #[test]
    fn each_sign_of_a_limit_is_reported_as_that_limit() {
        let clean = RunReply::default();
        let readings = JudgeReadings::default();
        let cases = [
            (RunReply { stopped: StopReason::Wall, ..clean }, readings, Exit::Exceeded(Limit::Wall)),
            (RunReply { cpu: Duration::from_millis(1001), ..clean }, readings, Exit::Exceeded(Limit::Cpu)),
            (RunReply { peak: 66 << 20, ..clean }, readings, Exit::Code(0)),
            (RunReply { oom: 1, killed: true, status: 9, ..clean }, readings, Exit::Exceeded(Limit::Memory)),
            (RunReply { peak: 67 << 20, ..clean }, readings, Exit::Exceeded(Limit::Memory)),
            (RunReply { peak: 67 << 20, after: 2 << 20, ..clean }, readings, Exit::Code(0)),
            (
                RunReply { peak: 66 << 20, resident: 66 << 20, ..clean },
                readings,
                Exit::Exceeded(Limit::Memory),
            ),
            (RunReply { peak: 66 << 20, resident: 60 << 20, ..clean }, readings, Exit::Code(0)),
            (RunReply { peak: 60 << 20, resident: 99 << 20, ..clean }, readings, Exit::Code(0)),
            (clean, JudgeReadings { stdout: (1 << 20) + 1, ..readings }, Exit::Exceeded(Limit::Output)),
            (clean, JudgeReadings { files: (1 << 20) + 1, ..readings }, Exit::Exceeded(Limit::Files)),
            (RunReply { refused_forks: 1, status: 1, ..clean }, readings, Exit::Exceeded(Limit::Processes)),
            (RunReply { refused_forks: 1, ..clean }, readings, Exit::Code(0)),
            (RunReply { killed: true, status: 9, ..clean }, readings, Exit::Signal(9)),
            (RunReply { status: 3, ..clean }, readings, Exit::Code(3)),
        ];
        for (reply, readings, wanted) in cases {
            assert_eq!(classify_exit(&reply, &limits(), &readings), wanted, "{reply:?} {readings:?}");
        }
    }
}
