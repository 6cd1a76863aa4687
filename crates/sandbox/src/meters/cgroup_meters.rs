//! Measures and limits with a cgroup through files that are opened once: a confined worker cannot open files,
//! and opening costs more than reading.

use crate::errors::while_doing;
use serde::{Deserialize, Serialize};
use std::{
    cell::Cell,
    fs::{File, OpenOptions},
    io,
    os::unix::fs::FileExt,
    path::Path,
    time::Duration,
};

/// How to get the peak of one run from that of a cgroup.
#[derive(Debug)]
enum PeakReset {
    /// Writing to its file resets it.
    ByWriting,
    /// It only rises, and belongs to the run once it is above this value.
    OnlyRises(Cell<u64>),
}

/// The runs for which the peak of all processes together is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PeakSupport {
    All,
    /// Runs that need more than earlier ones in the same cgroup.
    Highest,
    None,
}

impl PeakSupport {
    pub(crate) fn to_byte(self) -> u8 {
        self as u8
    }

    pub(crate) fn from_byte(byte: u8) -> PeakSupport {
        let known = [PeakSupport::All, PeakSupport::Highest];
        known.into_iter().find(|peaks| peaks.to_byte() == byte).unwrap_or(PeakSupport::None)
    }
}

/// Open files of a cgroup.
pub(crate) struct CgroupMeters {
    cpu: File,
    /// The key in `cpu`: a bare number of nanoseconds, or `usage_usec`.
    cpu_key: Option<&'static str>,
    usage: File,
    peak: Option<(File, PeakReset)>,
    limit: File,
    swap: Option<SwapLimit>,
    events: File,
    pids_limit: File,
    pids_events: Option<File>,
    /// The limits that were set last.
    memory_set: Cell<u64>,
    processes_set: Cell<u64>,
    /// Counts at their last reading.
    oom_kills_read: Cell<u64>,
    fork_refusals_read: Cell<u64>,
}

enum SwapLimit {
    /// Version 1: of memory and swap together.
    WithMemory(File),
    /// Version 2: of swap alone.
    Alone(File),
}

fn open_file(dir: &Path, name: &str) -> io::Result<File> {
    let path = dir.join(name);
    let both = OpenOptions::new().read(true).write(true).open(&path).or_else(|_| File::open(&path));
    both.or_else(|_| OpenOptions::new().write(true).open(&path))
        .map_err(while_doing(format!("open {}", path.display())))
}

/// Reads one number: the whole file, or the value of a key.
fn read_number(file: &File, key: Option<&str>) -> Option<u64> {
    let mut buffer = [0; 1024];
    let n = file.read_at(&mut buffer, 0).ok()?;
    let text = std::str::from_utf8(&buffer[..n]).ok()?;
    match key {
        None => text.trim().parse().ok(),
        Some(key) => text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse().ok()),
    }
}

impl CgroupMeters {
    pub(crate) fn open_v1(memory: &Path, pids: &Path, cpu: &Path) -> io::Result<CgroupMeters> {
        Ok(CgroupMeters {
            cpu: open_file(cpu, "cpuacct.usage")?,
            cpu_key: None,
            usage: open_file(memory, "memory.usage_in_bytes")?,
            peak: Some((open_file(memory, "memory.max_usage_in_bytes")?, PeakReset::ByWriting)),
            limit: open_file(memory, "memory.limit_in_bytes")?,
            swap: open_file(memory, "memory.memsw.limit_in_bytes").ok().map(SwapLimit::WithMemory),
            events: open_file(memory, "memory.oom_control")?,
            pids_limit: open_file(pids, "pids.max")?,
            pids_events: open_file(pids, "pids.events").ok(),
            memory_set: Cell::new(0),
            processes_set: Cell::new(0),
            oom_kills_read: Cell::new(0),
            fork_refusals_read: Cell::new(0),
        })
    }

    pub(crate) fn open_v2(dir: &Path) -> io::Result<CgroupMeters> {
        // Since 6.12 a write resets the peak for this descriptor; before, it is refused.
        let reset_of = |file: &File| match file.write_at(b"0", 0) {
            Ok(_) => PeakReset::ByWriting,
            Err(_) => PeakReset::OnlyRises(Cell::new(0)),
        };
        let peak = open_file(dir, "memory.peak").ok().map(|file| (reset_of(&file), file));
        Ok(CgroupMeters {
            cpu: open_file(dir, "cpu.stat")?,
            cpu_key: Some("usage_usec "),
            usage: open_file(dir, "memory.current")?,
            peak: peak.map(|(reset, file)| (file, reset)),
            limit: open_file(dir, "memory.max")?,
            swap: open_file(dir, "memory.swap.max").ok().map(SwapLimit::Alone),
            events: open_file(dir, "memory.events")?,
            pids_limit: open_file(dir, "pids.max")?,
            pids_events: open_file(dir, "pids.events").ok(),
            memory_set: Cell::new(0),
            processes_set: Cell::new(0),
            oom_kills_read: Cell::new(0),
            fork_refusals_read: Cell::new(0),
        })
    }

    /// CPU time of all processes that ever ran in the cgroup.
    pub(crate) fn cpu_time(&self) -> Duration {
        let n = read_number(&self.cpu, self.cpu_key).unwrap_or(0);
        if self.cpu_key.is_some() { Duration::from_micros(n) } else { Duration::from_nanos(n) }
    }

    /// The memory that is charged to it now.
    pub(crate) fn memory_charge(&self) -> u64 {
        read_number(&self.usage, None).unwrap_or(0)
    }

    /// The highest charge since [`CgroupMeters::reset_peak`]; `None` if the kernel does not keep it.
    pub(crate) fn memory_peak(&self) -> Option<u64> {
        let (file, reset) = self.peak.as_ref()?;
        let peak = read_number(file, None)?;
        match reset {
            PeakReset::ByWriting => Some(peak),
            PeakReset::OnlyRises(earlier) => Some(peak).filter(|peak| *peak > earlier.get()),
        }
    }

    /// From now on, the peak is that of a new run.
    pub(crate) fn reset_peak(&self) {
        match &self.peak {
            Some((file, PeakReset::ByWriting)) => drop(file.write_at(b"0", 0)),
            Some((file, PeakReset::OnlyRises(earlier))) => {
                earlier.set(read_number(file, None).unwrap_or(u64::MAX))
            }
            None => {}
        }
    }

    /// The runs for which [`CgroupMeters::memory_peak`] is known.
    pub(crate) fn peak_support(&self) -> PeakSupport {
        match &self.peak {
            Some((_, PeakReset::ByWriting)) => PeakSupport::All,
            Some((_, PeakReset::OnlyRises(_))) => PeakSupport::Highest,
            None => PeakSupport::None,
        }
    }

    /// The number of processes that the kernel killed for lack of memory since the last call.
    pub(crate) fn new_oom_kills(&self) -> u64 {
        let before = self.oom_kills_read.get();
        let now = read_number(&self.events, Some("oom_kill ")).unwrap_or(before);
        self.oom_kills_read.set(now);
        now.saturating_sub(before)
    }

    /// Forks refused at the process limit since the last call.
    pub(crate) fn new_fork_refusals(&self) -> u64 {
        let before = self.fork_refusals_read.get();
        let now =
            self.pids_events.as_ref().and_then(|file| read_number(file, Some("max "))).unwrap_or(before);
        self.fork_refusals_read.set(now);
        now.saturating_sub(before)
    }

    /// Limits the memory of the whole cgroup, including swap, to within 384 KiB of this: charges come in
    /// batches anyway.
    pub(crate) fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        if bytes.abs_diff(self.memory_set.get()) <= 384 << 10 {
            return Ok(());
        }
        self.memory_set.set(bytes);
        self.write_memory_limit(bytes)
    }

    /// Removes the limits of the last program: the next worker must have room to start.
    pub(crate) fn remove_limits(&self) -> io::Result<()> {
        // The process limit stays; forgetting its value makes the next run write its own.
        self.memory_set.set(u64::MAX);
        self.processes_set.set(u64::MAX);
        self.write_memory_limit(i64::MAX as u64)
    }

    fn write_memory_limit(&self, bytes: u64) -> io::Result<()> {
        let text = bytes.to_string();
        let write_to = |file: &File| file.write_at(text.as_bytes(), 0).map(drop);
        match &self.swap {
            None => write_to(&self.limit),
            Some(SwapLimit::Alone(swap)) => {
                swap.write_at(b"0", 0)?;
                write_to(&self.limit)
            }
            // The memory limit may never exceed that of memory and swap: the order depends on the direction.
            Some(SwapLimit::WithMemory(both)) if write_to(both).is_ok() => write_to(&self.limit),
            Some(SwapLimit::WithMemory(both)) => {
                write_to(&self.limit)?;
                write_to(both)
            }
        }
    }

    pub(crate) fn limit_processes(&self, n: u64) -> io::Result<()> {
        if n == self.processes_set.get() {
            return Ok(());
        }
        self.processes_set.set(n);
        self.pids_limit.write_at(n.to_string().as_bytes(), 0).map(drop)
    }
}
