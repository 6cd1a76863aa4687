//! Where toolchains are searched for, and the table of languages.

use crate::language::{LanguageTable, Search};
use anyhow::{Context, Result};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The user's own environment.
pub(super) fn user_search() -> Search {
    Search {
        path: env::var_os("PATH").unwrap_or_default(),
        home: env::var_os("HOME").map(PathBuf::from),
        rustup_toolchain: env::var("RUSTUP_TOOLCHAIN").ok(),
        rustup_home: env::var_os("RUSTUP_HOME").map(PathBuf::from),
    }
}

/// The embedded table, with the user's rows if there is a file of them.
pub(super) fn language_table(file: Option<&Path>) -> Result<LanguageTable> {
    let embedded = LanguageTable::embedded();
    let Some(file) = file else { return Ok(embedded) };
    let text = fs::read_to_string(file).with_context(|| format!("read languages {}", file.display()))?;
    embedded.with(&text, &file.display().to_string())
}
