//! Letting go of memory of our own that the kernel can bring back from files.

use super::raw::check;
use std::{
    ffi::{c_int, c_void},
    io,
    ops::Range,
    os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
};

/// The range of a mapping, and whether it is of a file and cannot be written; none if it is not the first line of one
/// in `smaps`, of which these are the words.
fn mapping_head<'a>(words: &[&'a str]) -> Option<(&'a str, bool)> {
    match words {
        [range, modes, _, _, inode, ..] if range.contains('-') => {
            Some((range, *inode != "0" && !modes.contains('w')))
        }
        _ => None,
    }
}

/// Mappings of files in which nothing was changed, and nothing can be. `smaps` is our own.
fn list_clean_mappings(smaps: &str) -> Vec<Range<usize>> {
    let hex = |text| usize::from_str_radix(text, 16).ok();
    let (mut all, mut mapping) = (Vec::new(), None);
    for line in smaps.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if let Some((range, is_file)) = mapping_head(&words) {
            mapping = range.split_once('-').filter(|_| is_file);
        } else if matches!(words[..], ["Anonymous:", "0", _]) {
            all.extend(mapping.and_then(|(start, end)| Some(hex(start)?..hex(end)?)));
        }
    }
    all
}

/// Lets go of all pages of our program and its libraries that are as they are in their files.
pub(in crate::sandbox) fn drop_clean_pages(smaps: &str) {
    for Range { start, end } in list_clean_mappings(smaps) {
        // SAFETY: nothing was changed in there; the kernel brings the pages back when they are used.
        unsafe { libc::madvise(start as *mut c_void, end - start, libc::MADV_DONTNEED) };
    }
}

/// From now on pages of our program and its libraries come one by one, not with all their neighbours,
/// while the descriptor lives.
///
/// There is no call that says so. But the kernel does not map neighbours ("fault-around") where a
/// userfaultfd is registered, so one is, for an event that never happens.
pub(in crate::sandbox) fn fetch_single_pages(smaps: &str) -> io::Result<OwnedFd> {
    const USER_MODE_ONLY: c_int = 1;
    // UFFDIO_API with UFFD_FEATURE_WP_ASYNC, UFFDIO_REGISTER with UFFDIO_REGISTER_MODE_WP.
    // The type of a request differs between C libraries.
    const API: (libc::Ioctl, [u64; 3]) = (0xc018_aa3f_u32 as libc::Ioctl, [0xaa, 1 << 15, 0]);
    const REGISTER: (libc::Ioctl, u64) = (0xc020_aa00_u32 as libc::Ioctl, 1 << 1);
    // SAFETY: no memory involved.
    let fd = check(unsafe { libc::syscall(libc::SYS_userfaultfd, USER_MODE_ONLY | libc::O_CLOEXEC) })?;
    // SAFETY: the kernel just made this descriptor for us alone.
    let fd = unsafe { OwnedFd::from_raw_fd(fd as RawFd) };
    let mut api = API.1;
    // SAFETY: a valid structure of that request for the kernel to read and write.
    check(unsafe { libc::ioctl(fd.as_raw_fd(), API.0, api.as_mut_ptr()) }.into())?;
    for Range { start, end } in list_clean_mappings(smaps) {
        let mut register = [start as u64, (end - start) as u64, REGISTER.1, 0];
        // SAFETY: as above; write protection in the asynchronous way never stops a thread.
        check(unsafe { libc::ioctl(fd.as_raw_fd(), REGISTER.0, register.as_mut_ptr()) }.into())?;
    }
    Ok(fd)
}
