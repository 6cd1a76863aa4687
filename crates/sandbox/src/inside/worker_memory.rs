//! How much memory a worker holds. The kernel reports of a program that it held at least as
//! much as its spawner did when it was executed, so the spawner should hold little.

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
    /// Written to, it resets the highest mark of what we held.
    clear_refs: File,
}

impl WorkerMemory {
    /// To be called while its files can still be opened; without them it does nothing.
    pub(crate) fn open() -> WorkerMemory {
        let open_files = || {
            let smaps = File::open("/proc/self/smaps").ok()?;
            let clear_refs = File::options().write(true).open("/proc/self/clear_refs").ok()?;
            Some(MemoryFiles { smaps, clear_refs })
        };
        WorkerMemory(open_files())
    }

    /// Lets go of what the kernel can bring back from files, and resets the mark.
    pub(crate) fn drop_clean_pages(&mut self) {
        let Some(MemoryFiles { smaps, clear_refs }) = &mut self.0 else { return };
        if let Some(smaps) = read_text(smaps) {
            sys::drop_clean_pages(&smaps);
            // Nothing but a figure depends on it.
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
