//! Releases pages of our own memory that the kernel can read again from files.

use std::{ffi::c_void, ops::Range};

/// The range of a mapping, and whether it is a read-only mapping of a file; `None` if these words are not the
/// first line of a mapping in `smaps`.
fn mapping_head<'a>(words: &[&'a str]) -> Option<(&'a str, bool)> {
    match words {
        [range, modes, _, _, inode, ..] if range.contains('-') => {
            Some((range, *inode != "0" && !modes.contains('w')))
        }
        _ => None,
    }
}

/// Unchanged and unchangeable mappings of files. `smaps` is our own.
fn list_clean_mappings(smaps: &str) -> Vec<Range<usize>> {
    let hex = |text| usize::from_str_radix(text, 16).ok();
    let mut all = Vec::new();
    let mut mapping = None;
    for line in smaps.lines() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if let Some((range, is_file)) = mapping_head(&words) {
            mapping = if is_file { range.split_once('-') } else { None };
        } else if matches!(words[..], ["Anonymous:", "0", _]) {
            all.extend(mapping.and_then(|(start, end)| Some(hex(start)?..hex(end)?)));
        }
    }
    all
}

/// Releases all pages of our program and its libraries that equal their files.
pub(crate) fn drop_clean_pages(smaps: &str) {
    for Range { start, end } in list_clean_mappings(smaps) {
        // SAFETY: nothing was changed in there; the kernel brings the pages back when they are used.
        unsafe { libc::madvise(start as *mut c_void, end - start, libc::MADV_DONTNEED) };
    }
}
