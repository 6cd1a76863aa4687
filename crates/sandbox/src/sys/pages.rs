//! Letting go of memory of our own that the kernel can bring back from files.

use std::{ffi::c_void, ops::Range};

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
pub(crate) fn drop_clean_pages(smaps: &str) {
    for Range { start, end } in list_clean_mappings(smaps) {
        // SAFETY: nothing was changed in there; the kernel brings the pages back when they are used.
        unsafe { libc::madvise(start as *mut c_void, end - start, libc::MADV_DONTNEED) };
    }
}
