//! Control groups: where they can be made, what they measure, and how none is left behind.
//!
//! A keeper makes one group for itself and lives in it; its workers and their
//! programs are born there, so nothing is attached per run. A group is named
//! after its keeper, so that one whose keeper died can be told and removed.

use super::wire::{Get, Put};
use std::{
    cell::Cell,
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io,
    os::unix::{ffi::OsStrExt, fs::FileExt},
    path::{Path, PathBuf},
    time::Duration,
};

/// Where groups are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Groups {
    /// Nowhere.
    None,
    /// Version 1: below our own group of each hierarchy.
    V1 {
        /// Our group of the memory hierarchy.
        memory: PathBuf,
        /// Of the pids hierarchy.
        pids: PathBuf,
        /// Of the cpuacct hierarchy.
        cpu: PathBuf,
    },
    /// Version 2.
    V2 {
        /// The group that holds ours.
        base: PathBuf,
        /// Where a keeper goes before it removes its own.
        home: PathBuf,
    },
}

impl Groups {
    /// As bytes.
    pub fn put(&self, put: &mut Put) {
        let paths: Vec<&Path> = match self {
            Groups::None => vec![],
            Groups::V1 { memory, pids, cpu } => vec![memory, pids, cpu],
            Groups::V2 { base, home } => vec![base, home],
        };
        put.strings(paths.iter().map(|p| p.as_os_str().as_bytes()));
    }

    /// From bytes.
    pub fn get(get: &mut Get) -> io::Result<Groups> {
        let paths: Vec<PathBuf> = get.strings()?.iter().map(|b| OsStr::from_bytes(b).into()).collect();
        Ok(match &paths[..] {
            [memory, pids, cpu] => {
                Groups::V1 { memory: memory.clone(), pids: pids.clone(), cpu: cpu.clone() }
            }
            [base, home] => Groups::V2 { base: base.clone(), home: home.clone() },
            _ => Groups::None,
        })
    }

    /// The directories in which groups are made, each with where a keeper goes on leaving.
    fn bases(&self) -> Vec<(&Path, &Path)> {
        match self {
            Groups::None => vec![],
            Groups::V1 { memory, pids, cpu } => vec![(memory, memory), (pids, pids), (cpu, cpu)],
            Groups::V2 { base, home } => vec![(base, home)],
        }
    }

    /// Removes groups whose keeper is dead.
    pub fn sweep(&self) {
        for (base, _) in self.bases() {
            for entry in fs::read_dir(base).into_iter().flatten().flatten() {
                if owner_is_dead(&entry.file_name().to_string_lossy()) {
                    let _ = remove(&entry.path());
                }
            }
        }
    }
}

/// `kopek.<pid>.<start time>`: a number alone is given out again.
pub fn name_of(pid: u32) -> io::Result<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let start = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(19)).unwrap_or("0");
    Ok(format!("kopek.{pid}.{start}"))
}

fn owner_is_dead(name: &str) -> bool {
    let pid = name.strip_prefix("kopek.").and_then(|rest| rest.split('.').next()?.parse().ok());
    pid.is_some_and(|pid| name_of(pid).map_or(true, |living| living != name))
}

fn remove(dir: &Path) -> io::Result<()> {
    // Version 1 keeps charges of removed groups until somebody needs the memory; give them back now.
    let _ = fs::write(dir.join("memory.force_empty"), "0");
    fs::remove_dir(dir)
}

/// A keeper's own group.
pub struct Group {
    made: Vec<(PathBuf, PathBuf)>,
}

impl Group {
    /// Makes a group and moves the calling process into it.
    pub fn make(groups: &Groups) -> io::Result<Group> {
        let name = name_of(std::process::id())?;
        let mut group = Group { made: Vec::new() };
        for (base, home) in groups.bases() {
            let dir = base.join(&name);
            let named =
                |e: io::Error| io::Error::new(e.kind(), format!("make control group {}: {e}", dir.display()));
            fs::create_dir(&dir).map_err(named)?;
            group.made.push((dir.clone(), home.to_owned()));
            fs::write(dir.join("cgroup.procs"), "0").map_err(named)?;
        }
        Ok(group)
    }

    /// Opens everything a worker reads and sets.
    pub fn meters(&self) -> io::Result<Option<Meters>> {
        match &self.made[..] {
            [] => Ok(None),
            [(dir, _)] => Meters::v2(dir).map(Some),
            [(memory, _), (pids, _), (cpu, _), ..] => Meters::v1(memory, pids, cpu).map(Some),
            [_, _] => unreachable!("one hierarchy or three"),
        }
    }
}

impl Drop for Group {
    /// Leaves and removes it. Processes that are still dying hold it for a moment.
    fn drop(&mut self) {
        for (dir, home) in &self.made {
            let _ = fs::write(home.join("cgroup.procs"), "0");
            for _ in 0..200 {
                match remove(dir) {
                    Err(e) if e.kind() == io::ErrorKind::ResourceBusy => {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// How a group's peak is that of one run.
#[derive(Debug)]
enum Start {
    /// Writing to it starts it again.
    Anew,
    /// It only ever rises, and once above this is the run's.
    Above(Cell<u64>),
}

/// Of what runs the peak of all processes together is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peaks {
    /// Of every run.
    All,
    /// Of runs that need more than those before them in the same group.
    Rising,
    /// Of none.
    None,
}

impl Peaks {
    /// As a byte.
    pub fn put(self) -> u8 {
        self as u8
    }

    /// From a byte.
    pub fn get(byte: u8) -> Peaks {
        [Peaks::All, Peaks::Rising].into_iter().find(|peaks| peaks.put() == byte).unwrap_or(Peaks::None)
    }
}

/// Open files of a group.
pub struct Meters {
    cpu: File,
    /// Key and unit of `cpu`: a bare number of nanoseconds, or `usage_usec`.
    cpu_key: Option<&'static str>,
    usage: File,
    peak: Option<(File, Start)>,
    limit: File,
    swap: Option<(File, bool)>,
    events: File,
    pids_limit: File,
    pids_events: Option<File>,
    /// What the limits were set to last.
    set: Cell<(u64, u64)>,
    /// The counts of [`Meters::new_oom`] and [`Meters::new_refusals`] at their last reading.
    seen: Cell<(u64, u64)>,
}

fn open(dir: &Path, name: &str) -> io::Result<File> {
    let path = dir.join(name);
    let both = OpenOptions::new().read(true).write(true).open(&path).or_else(|_| File::open(&path));
    both.or_else(|_| OpenOptions::new().write(true).open(&path))
        .map_err(|e| io::Error::new(e.kind(), format!("open {}: {e}", path.display())))
}

/// Reads one number: the whole file, or what follows a key.
fn read(file: &File, key: Option<&str>) -> Option<u64> {
    let mut buffer = [0; 1024];
    let n = file.read_at(&mut buffer, 0).ok()?;
    let text = std::str::from_utf8(&buffer[..n]).ok()?;
    match key {
        None => text.trim().parse().ok(),
        Some(key) => text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse().ok()),
    }
}

impl Meters {
    fn v1(memory: &Path, pids: &Path, cpu: &Path) -> io::Result<Meters> {
        Ok(Meters {
            cpu: open(cpu, "cpuacct.usage")?,
            cpu_key: None,
            usage: open(memory, "memory.usage_in_bytes")?,
            peak: Some((open(memory, "memory.max_usage_in_bytes")?, Start::Anew)),
            limit: open(memory, "memory.limit_in_bytes")?,
            swap: open(memory, "memory.memsw.limit_in_bytes").ok().map(|file| (file, true)),
            events: open(memory, "memory.oom_control")?,
            pids_limit: open(pids, "pids.max")?,
            pids_events: open(pids, "pids.events").ok(),
            set: Cell::new((0, 0)),
            seen: Cell::new((0, 0)),
        })
    }

    fn v2(dir: &Path) -> io::Result<Meters> {
        // Since 6.12 a write starts the peak again for this descriptor; before, it is refused.
        let start = |file: &File| match file.write_at(b"0", 0) {
            Ok(_) => Start::Anew,
            Err(_) => Start::Above(Cell::new(0)),
        };
        let peak = open(dir, "memory.peak").ok().map(|file| (start(&file), file));
        Ok(Meters {
            cpu: open(dir, "cpu.stat")?,
            cpu_key: Some("usage_usec "),
            usage: open(dir, "memory.current")?,
            peak: peak.map(|(start, file)| (file, start)),
            limit: open(dir, "memory.max")?,
            swap: open(dir, "memory.swap.max").ok().map(|file| (file, false)),
            events: open(dir, "memory.events")?,
            pids_limit: open(dir, "pids.max")?,
            pids_events: open(dir, "pids.events").ok(),
            set: Cell::new((0, 0)),
            seen: Cell::new((0, 0)),
        })
    }

    /// CPU time of everything that ever ran in the group.
    pub fn cpu(&self) -> Duration {
        let n = read(&self.cpu, self.cpu_key).unwrap_or(0);
        if self.cpu_key.is_some() { Duration::from_micros(n) } else { Duration::from_nanos(n) }
    }

    /// The charge now.
    pub fn usage(&self) -> u64 {
        read(&self.usage, None).unwrap_or(0)
    }

    /// The highest charge since [`Meters::restart_peak`]; none where the kernel cannot tell.
    pub fn peak(&self) -> Option<u64> {
        let (file, start) = self.peak.as_ref()?;
        let peak = read(file, None)?;
        match start {
            Start::Anew => Some(peak),
            Start::Above(earlier) => Some(peak).filter(|peak| *peak > earlier.get()),
        }
    }

    /// Starts the peak again.
    pub fn restart_peak(&self) {
        match &self.peak {
            Some((file, Start::Anew)) => drop(file.write_at(b"0", 0)),
            Some((file, Start::Above(earlier))) => earlier.set(read(file, None).unwrap_or(u64::MAX)),
            None => {}
        }
    }

    /// Of what runs [`Meters::peak`] tells.
    pub fn peaks(&self) -> Peaks {
        match &self.peak {
            Some((_, Start::Anew)) => Peaks::All,
            Some((_, Start::Above(_))) => Peaks::Rising,
            None => Peaks::None,
        }
    }

    /// Processes the kernel killed for want of memory since we last asked.
    pub fn new_oom(&self) -> u64 {
        let (oom, refusals) = self.seen.get();
        let now = read(&self.events, Some("oom_kill ")).unwrap_or(oom);
        self.seen.set((now, refusals));
        now.saturating_sub(oom)
    }

    /// Forks refused since we last asked.
    pub fn new_refusals(&self) -> u64 {
        let (oom, refusals) = self.seen.get();
        let now = self.pids_events.as_ref().and_then(|file| read(file, Some("max "))).unwrap_or(refusals);
        self.seen.set((oom, now));
        now.saturating_sub(refusals)
    }

    /// Limits the memory of the whole group, swap included, to within 384 KiB of this: charges
    /// come in batches anyway.
    pub fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let (memory, processes) = self.set.get();
        if bytes.abs_diff(memory) <= 384 << 10 {
            return Ok(());
        }
        self.set.set((bytes, processes));
        self.write_memory_limit(bytes)
    }

    /// Takes the limits of the last program away: the next worker must have room to start in.
    pub fn unlimit(&self) -> io::Result<()> {
        self.set.set((u64::MAX, u64::MAX));
        self.write_memory_limit(i64::MAX as u64)
    }

    fn write_memory_limit(&self, bytes: u64) -> io::Result<()> {
        let text = bytes.to_string();
        let Some((swap, together)) = &self.swap else {
            return self.limit.write_at(text.as_bytes(), 0).map(drop);
        };
        if !together {
            swap.write_at(b"0", 0)?;
            return self.limit.write_at(text.as_bytes(), 0).map(drop);
        }
        // Memory may never be above memory and swap: the order depends on the direction.
        if swap.write_at(text.as_bytes(), 0).is_ok() {
            self.limit.write_at(text.as_bytes(), 0)?;
        } else {
            self.limit.write_at(text.as_bytes(), 0)?;
            swap.write_at(text.as_bytes(), 0)?;
        }
        Ok(())
    }

    /// Limits the processes of the whole group.
    pub fn limit_processes(&self, n: u64) -> io::Result<()> {
        let (memory, processes) = self.set.get();
        if n == processes {
            return Ok(());
        }
        self.set.set((memory, n));
        self.pids_limit.write_at(n.to_string().as_bytes(), 0).map(drop)
    }
}
