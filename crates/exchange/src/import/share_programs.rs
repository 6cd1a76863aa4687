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

/// The adapter, by the language of the original.
pub struct Adapter {
    pub c: &'static str,
    pub python: &'static str,
}

/// Prints a share from 0 to 1.
pub const SHARE_CHECKER: Adapter = Adapter {
    c: include_str!("adapters/italian_checker.c"),
    python: include_str!("adapters/italian_checker.py"),
};

/// A generator with the files it needs, as a program of this name.
pub fn generator_files(sources: &ProgramSources, path: &str, name: &str) -> Result<DraftFiles> {
    let mut files = sources.companion_files(path)?;
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    // Of several Python files the one of this name is the entry point.
    let file = match is_python(path) && !files.is_empty() {
        true => "__main__.py".to_owned(),
        false => format!("{name}.{ending}"),
    };
    files.insert(file, Content::File(sources.source.path_of(path)?));
    Ok(files)
}

/// The original and an adapter in its language. `called`: its name in the adapter.
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
    files.insert(format!("original.{ending}"), Content::text(rename_main(path)));
    files.insert("adapter.h".into(), Content::text(ADAPTER));
    Ok(files)
}
