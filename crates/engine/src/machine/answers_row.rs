//! The row for files in no language: submitted outputs, and a base for other rows outside the table.

use kopek_base::{Bytes, Digest};
use kopek_package::language::{EntryPoint, Language, StartRule, Toolchain};
use std::path::PathBuf;

/// The code of that row.
pub(crate) const CODE: &str = "answers";

/// The row for files in no language.
pub(crate) fn row_of_answers() -> Language {
    Language {
        code: CODE.into(),
        name: "answers".into(),
        endings: vec![String::new()],
        declared_endings: Vec::new(),
        sign: None,
        detect: false,
        entry: EntryPoint::Linked,
        start: StartRule::Script,
        one_start: false,
        hydro: None,
        lone: None,
        own_name: vec![],
        tools: Default::default(),
        install: String::new(),
        install_with: Default::default(),
        optional: false,
        build: None,
        warm: None,
        run: vec![],
        probe: vec![],
        extras: vec![],
        env: Default::default(),
        needs: vec![],
        parts: vec![],
        surroundings: vec![],
        proc: false,
        build_proc: false,
        scratch: false,
        processes: 0,
        spare: Bytes(0),
        reserves: false,
        exhausted: vec![],
        lacking: vec![],
        module: None,
        hello: None,
        lexer: None,
        precompiled: None,
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
        stamps: vec![],
        guard: None,
    }
}
