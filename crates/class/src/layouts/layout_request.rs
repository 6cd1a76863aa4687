//! The input of a layout: the entries of a folder.

use crate::found_person::file_name;
use std::path::{Path, PathBuf};

/// The input of a layout.
#[derive(Clone, Copy)]
pub struct LayoutRequest<'a> {
    pub entries: &'a [PathBuf],
    /// Names of the packages.
    pub packages: &'a [String],
}

/// Whether more than half of the entries have a property.
pub(super) fn most_have(entries: &[PathBuf], has: impl Fn(&str, &Path) -> bool) -> bool {
    let number = entries.iter().filter(|path| has(&file_name(path), path)).count();
    number > 0 && number * 2 > entries.len()
}
