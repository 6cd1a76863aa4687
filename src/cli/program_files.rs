//! Programs on the command line that are not hand-ins: all their files are used.

use crate::{class, package::Submission};
use anyhow::{Context, Result};
use std::{fs, path::Path};

/// Reads the program in this file or directory, and names it after the file.
pub(super) fn read_program(path: &Path) -> Result<Submission> {
    let act = || format!("read {}", path.display());
    fs::symlink_metadata(path).with_context(act)?;
    let source = class::read_files_of(path).with_context(act)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Submission { name, source, contents: None, language: None, entry: None, tags: Vec::new() })
}
