//! The kernel's statistics of the CPUs: how long each was idle, and how long it was stolen.
//!
//! An idle CPU has no process that waits for it: while a slot's CPU was idle, its programs had nothing to do.

use rustix::param::clock_ticks_per_second;
use std::{fs::File, os::unix::fs::FileExt, time::Duration};

/// How a CPU has spent its time since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CpuTimes {
    /// With nothing to do, or waiting for a disk.
    pub idle: Duration,
    /// Stolen by the host of this virtual machine.
    pub stolen: Duration,
    /// Anything else.
    pub busy: Duration,
}

/// An open `/proc/stat`; a confined worker cannot open files.
#[derive(Debug)]
pub(crate) struct CpuStat {
    file: File,
    /// Its unit. Read before the confinement, because a worker cannot read it afterwards.
    tick: Duration,
}

impl CpuStat {
    pub(crate) fn open() -> Option<CpuStat> {
        let tick = Duration::from_nanos(1_000_000_000 / clock_ticks_per_second().max(1));
        Some(CpuStat { file: File::open("/proc/stat").ok()?, tick })
    }

    pub(crate) fn read(&self, cpu: usize) -> Option<CpuTimes> {
        // The lines of the CPUs come first, at most a hundred bytes each.
        let mut buffer = vec![0; 1024 + 110 * (cpu + 2)];
        let n = self.file.read_at(&mut buffer, 0).ok()?;
        times_of_cpu(&String::from_utf8_lossy(&buffer[..n]), cpu, self.tick)
    }
}

fn times_of_cpu(text: &str, cpu: usize, tick: Duration) -> Option<CpuTimes> {
    let name = format!("cpu{cpu}");
    let line = text.lines().find_map(|line| line.strip_prefix(name.as_str())?.strip_prefix(' '))?;
    let ticks: Vec<u64> = line.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    let time = |ticks: u64| tick * u32::try_from(ticks).unwrap_or(u32::MAX);
    // user, nice, system, idle, iowait, irq, softirq, steal; guests are included in user and nice.
    let [user, nice, system, idle, wait, irq, soft, steal, ..] = ticks[..] else { return None };
    Some(CpuTimes {
        idle: time(idle) + time(wait),
        stolen: time(steal),
        busy: time(user) + time(nice) + time(system) + time(irq) + time(soft),
    })
}

impl CpuTimes {
    /// The difference to an earlier reading.
    pub fn since(&self, earlier: &CpuTimes) -> CpuTimes {
        CpuTimes {
            idle: self.idle.saturating_sub(earlier.idle),
            stolen: self.stolen.saturating_sub(earlier.stolen),
            busy: self.busy.saturating_sub(earlier.busy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_cpu_is_read() {
        let text =
            "cpu  9 9 9 9 9 9 9 9 0 0\ncpu1 100 20 30 400 50 1 2 7 0 0\ncpu11 1 1 1 1 1 1 1 1 0 0\nintr 5\n";
        let tick = Duration::from_millis(10);
        let one = times_of_cpu(text, 1, tick).unwrap();
        assert_eq!((one.idle, one.stolen, one.busy), (tick * 450, tick * 7, tick * 153));
        assert_eq!(times_of_cpu(text, 2, tick), None);
    }
}
