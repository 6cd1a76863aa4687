//! The row for files in no language: submitted outputs, and a base for other rows outside the table.

use kopek_base::Digest;
use kopek_package::language::{Language, Toolchain};
use std::path::PathBuf;

/// The code of that row.
pub(crate) const CODE: &str = "answers";

/// The row for files in no language.
pub(crate) fn row_of_answers() -> Language {
    Language {
        code: CODE.into(),
        name: "answers".into(),
        endings: vec![String::new()],
        ..Language::default()
    }
}

/// The empty toolchain of that row.
pub fn no_toolchain() -> Toolchain {
    Toolchain {
        code: CODE.into(),
        program: PathBuf::new(),
        tools: Default::default(),
        extras: Default::default(),
        version: String::new(),
        digest: Digest::of(b""),
        roots: vec![],
        warm: None,
        guards: vec![],
    }
}
