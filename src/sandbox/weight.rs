//! What a worker weighs. The kernel says of a program that it held at least as much
//! memory as its spawner did when it was executed, so the spawner should hold little.

use super::sys;
use std::{
    fs::File,
    io::{Read, Seek, Write},
    os::fd::OwnedFd,
};

/// Our own memory.
#[derive(Default)]
pub struct Weight(Option<Scales>);

struct Scales {
    /// Its mappings.
    smaps: File,
    /// The mark of the most that we held.
    mark: File,
    /// Lives as long as pages come one by one; older kernels bring their neighbours, too.
    _singly: Option<OwnedFd>,
}

impl Weight {
    /// While all of it can be opened.
    pub fn open() -> Weight {
        let scales = || {
            let mut smaps = File::open("/proc/self/smaps").ok()?;
            let mark = File::options().write(true).open("/proc/self/clear_refs").ok()?;
            let _singly = sys::fetch_pages_singly(&text(&mut smaps)?).ok();
            Some(Scales { smaps, mark, _singly })
        };
        Weight(scales())
    }

    /// Lets go of what the kernel can bring back from files, and begins the mark anew.
    pub fn lose(&mut self) {
        let Some(Scales { smaps, mark, .. }) = &mut self.0 else { return };
        if let Some(smaps) = text(smaps) {
            sys::forget_clean_pages(&smaps);
            // Nothing but a figure depends on it.
            let _ = mark.write_all(b"5");
        }
    }
}

fn text(smaps: &mut File) -> Option<String> {
    let mut text = String::new();
    smaps.rewind().ok()?;
    smaps.read_to_string(&mut text).ok()?;
    Some(text)
}
