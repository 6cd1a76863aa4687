//! From the worker's raw figures to how a program ended: pure.

use super::{
    exec::{Exit, Limit, Limits, Usage},
    order::{Reply, Stopped},
};
use crate::base::Bytes;

/// What the judge itself saw of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// Size of standard output.
    pub stdout: u64,
    /// Size of standard error.
    pub stderr: u64,
    /// Bytes in the box that it wrote.
    pub files: u64,
    /// Whether the box ran out of room or of inodes.
    pub full: bool,
    /// Retired instructions.
    pub instructions: Option<u64>,
}

/// Charges are made in batches of up to this much; less than it above a limit is not above it.
const BATCH: u64 = 1 << 20;

/// What every process holds at the least: its kernel stack, page tables and a page of stack. Less
/// than a batch is charged to a group only now and then.
const LEAST: u64 = 48 << 10;

/// How it ended.
pub fn exit(reply: &Reply, limits: &Limits, seen: &Seen) -> Exit {
    match reply.stopped {
        Stopped::Cpu => return Exit::Exceeded(Limit::Cpu),
        Stopped::Wall => return Exit::Exceeded(Limit::Wall),
        Stopped::Memory => return Exit::Exceeded(Limit::Memory),
        Stopped::No | Stopped::Told => {}
    }
    if reply.cpu > limits.cpu || (reply.killed && reply.status == libc::SIGXCPU) {
        return Exit::Exceeded(Limit::Cpu);
    }
    if seen.stdout > limits.output.0 || seen.stderr > limits.output.0 {
        return Exit::Exceeded(Limit::Output);
    }
    if seen.files > limits.files.0 || seen.full || (reply.killed && reply.status == libc::SIGXFSZ) {
        return Exit::Exceeded(Limit::Files);
    }
    if reply.oom > 0 || beyond(reply, limits) {
        return Exit::Exceeded(Limit::Memory);
    }
    let well = !reply.killed && reply.status == 0;
    if reply.refused_forks > 0 && !well {
        return Exit::Exceeded(Limit::Processes);
    }
    if reply.killed { Exit::Signal(reply.status) } else { Exit::Code(reply.status) }
}

/// Whether it held more than it may. Files that were written and removed again are in the peak too,
/// and have a limit of their own; but they are in no process.
fn beyond(reply: &Reply, limits: &Limits) -> bool {
    let most = limits.memory.0.saturating_add(BATCH);
    let surely = memory(reply).min(reply.resident) > most;
    surely || memory(reply) > most.saturating_add(limits.files.0)
}

/// The peak without what was there before, and without what stays: output, files, page cache.
fn memory(reply: &Reply) -> u64 {
    reply.peak.saturating_sub(reply.before.max(reply.after))
}

/// What it used.
pub fn usage(reply: &Reply, seen: &Seen) -> Usage {
    Usage {
        cpu: reply.cpu,
        wall: reply.wall,
        memory: Bytes(memory(reply).max(LEAST)),
        instructions: seen.instructions,
        left: reply.left as u32,
    }
}

/// Remarks for the reader.
pub fn notes(reply: &Reply, seen: &Seen) -> Vec<String> {
    let mut notes = Vec::new();
    if reply.refused_forks > 0 {
        notes.push("process limit hit".into());
    }
    if reply.killed && reply.status == libc::SIGSYS {
        notes.push("forbidden system call".into());
    }
    if reply.oom > 0 {
        notes.push("the kernel stopped it for want of memory".into());
    }
    if seen.full {
        notes.push("the box was full".into());
    }
    if reply.left > 0 {
        notes.push(format!("left processes: {}", reply.left));
    }
    notes
}

/// Whether the next program should get a new worker.
pub fn abnormal(reply: &Reply, exit: Exit) -> bool {
    reply.stopped != Stopped::No
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
    fn each_sign_of_a_limit_is_told_as_that_limit() {
        let clean = Reply::default();
        let seen = Seen::default();
        let cases = [
            (Reply { stopped: Stopped::Wall, ..clean }, seen, Exit::Exceeded(Limit::Wall)),
            (Reply { cpu: Duration::from_millis(1001), ..clean }, seen, Exit::Exceeded(Limit::Cpu)),
            (Reply { peak: 66 << 20, ..clean }, seen, Exit::Code(0)),
            (Reply { oom: 1, killed: true, status: 9, ..clean }, seen, Exit::Exceeded(Limit::Memory)),
            (Reply { peak: 67 << 20, ..clean }, seen, Exit::Exceeded(Limit::Memory)),
            (Reply { peak: 67 << 20, after: 2 << 20, ..clean }, seen, Exit::Code(0)),
            (Reply { peak: 66 << 20, resident: 66 << 20, ..clean }, seen, Exit::Exceeded(Limit::Memory)),
            (Reply { peak: 66 << 20, resident: 60 << 20, ..clean }, seen, Exit::Code(0)),
            (Reply { peak: 60 << 20, resident: 99 << 20, ..clean }, seen, Exit::Code(0)),
            (clean, Seen { stdout: (1 << 20) + 1, ..seen }, Exit::Exceeded(Limit::Output)),
            (clean, Seen { files: (1 << 20) + 1, ..seen }, Exit::Exceeded(Limit::Files)),
            (Reply { refused_forks: 1, status: 1, ..clean }, seen, Exit::Exceeded(Limit::Processes)),
            (Reply { refused_forks: 1, ..clean }, seen, Exit::Code(0)),
            (Reply { killed: true, status: 9, ..clean }, seen, Exit::Signal(9)),
            (Reply { status: 3, ..clean }, seen, Exit::Code(3)),
        ];
        for (reply, seen, wanted) in cases {
            assert_eq!(exit(&reply, &limits(), &seen), wanted, "{reply:?} {seen:?}");
        }
    }
}
