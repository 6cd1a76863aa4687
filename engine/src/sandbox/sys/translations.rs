//! The address translations that a CPU remembers.
//!
//! The kernel takes the marks of touched pages away, but leaves what the CPU remembers of them (the TLB): a page that
//! stands there is not marked again. Measured: of a program that used all of 4 MiB, 0.2 were marked, and 4.0 after this.

use rustix::{
    mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous},
    param::page_size,
};
use std::{hint::black_box, io, ptr, sync::OnceLock};

/// More pages than a CPU remembers: those of today remember up to 4096, large ones not counted.
const PAGES: usize = 16_384;

/// Words of the cache lines in a page: other ones are read each time, as one would not lie in different sets.
const LINES: usize = 64;
const LINE_BYTES: usize = 64;

/// Has the CPU that this thread runs on forget the translations of other processes' small pages, which takes a tenth
/// of a millisecond.
pub(in crate::sandbox) fn crowd_out_translations() -> io::Result<()> {
    static MAPPED: OnceLock<Option<usize>> = OnceLock::new();
    let start = MAPPED.get_or_init(|| map_empty_pages().ok()).ok_or(io::ErrorKind::OutOfMemory)?;
    for page in 0..PAGES {
        let at = start + page * page_size() + page % LINES * LINE_BYTES;
        // SAFETY: within the mapping, which stays and can only be read.
        black_box(unsafe { ptr::read_volatile(at as *const u8) });
    }
    Ok(())
}

/// Pages that hold no memory: all show the same zeros.
fn map_empty_pages() -> io::Result<usize> {
    let length = PAGES * page_size();
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping, wherever there is room.
    let start = unsafe { mmap_anonymous(ptr::null_mut(), length, ProtFlags::READ, flags)? };
    // SAFETY: of our own mapping. Where the kernel knows no huge pages it refuses, and needs not be told.
    let _ = unsafe { madvise(start, length, Advice::LinuxNoHugepage) };
    Ok(start as usize)
}
