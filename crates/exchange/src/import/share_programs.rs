//! Checkers and validators in C, C++ or Python behind an adapter in their language: a checker prints a share
//! of the points, a validator ends with 0.

use super::{
    adapt::{ProgramSources, base_name, rename_main},
    draft::{Content, DraftFiles, legal_name},
    program_files::{adapter_ending, is_python},
    python_modules::imported_modules,
};
use anyhow::Result;

const ADAPTER: &str = include_str!("adapters/adapter.h");

/// What calls the original, by the language of the original.
pub struct Adapter {
    pub c: &'static str,
    pub python: &'static str,
}

/// Prints a share from 0 to 1.
pub const SHARE_CHECKER: Adapter = Adapter {
    c: include_str!("adapters/italian_checker.c"),
    python: include_str!("adapters/italian_checker.py"),
};

/// The original and an adapter in its language. `called`: what the adapter knows it by.
pub fn adapted_program(
    sources: &ProgramSources,
    path: &str,
    adapter: &Adapter,
    called: &str,
) -> Result<DraftFiles> {
    let mut files = DraftFiles::new();
    if is_python(path) {
        let name = legal_name(base_name(path));
        files.extend(imported_modules(sources.source, path, sources.headers)?);
        let text = adapter.python.replace("@ORIGINAL@", &name).replace("@NAME@", called);
        files.insert("__main__.py".into(), Content::text(text));
        files.insert(name, Content::File(sources.source.path_of(path)?));
        return Ok(files);
    }
    let ending = adapter_ending(path)?;
    files.extend(sources.original_files(path)?);
    files.insert(format!("adapter.{ending}"), Content::text(adapter.c.replace("@NAME@", called)));
    let original = rename_main(path, &sources.source.read_text(path)?);
    files.insert(format!("original.{ending}"), Content::text(original));
    files.insert("adapter.h".into(), Content::text(ADAPTER));
    Ok(files)
}
