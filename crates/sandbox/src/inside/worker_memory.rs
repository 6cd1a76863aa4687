//! Keeps the memory of a worker small. The kernel reports for a program at least as much memory as its
//! spawner had when it was executed.

use crate::sys;
use std::{
    fs::File,
    io::{Read, Seek, Write},
};

#[derive(Default)]
pub(crate) struct WorkerMemory(Option<MemoryFiles>);

struct MemoryFiles {
    /// Its mappings.
    smaps: File,
    /// Writing to it resets our peak.
    clear_refs: File,
}

impl WorkerMemory {
    /// Call it while its files can still be opened; without them it does nothing.
    pub(crate) fn open() -> WorkerMemory {
        let open_files = || {
            let smaps = File::open("/proc/self/smaps").ok()?;
            let clear_refs = File::options().write(true).open("/proc/self/clear_refs").ok()?;
            Some(MemoryFiles { smaps, clear_refs })
        };
        WorkerMemory(open_files())
    }

    /// Drops pages that the kernel can read again from files, and resets the peak.
    pub(crate) fn drop_clean_pages(&mut self) {
        let Some(MemoryFiles { smaps, clear_refs }) = &mut self.0 else { return };
        if let Some(smaps) = read_text(smaps) {
            sys::drop_clean_pages(&smaps);
            // It only affects a reported number.
            let _ = clear_refs.write_all(b"5");
        }
    }
}

fn read_text(smaps: &mut File) -> Option<String> {
    let mut text = String::new();
    smaps.rewind().ok()?;
    smaps.read_to_string(&mut text).ok()?;
    Some(text)
}
