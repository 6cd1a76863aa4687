//! Search paths of toolchains, and the table of languages.
#![expect(clippy::disallowed_methods, reason = "reads settings of the user")]

use crate::{import::Testlib, language::LanguageTable, toolchains::Search};
use anyhow::{Context, Result};
use std::{env, fs, path::PathBuf};

/// The search in the user's environment.
pub(super) fn user_search() -> Search {
    Search {
        path: env::var_os("PATH").unwrap_or_default(),
        home: env::var_os("HOME").map(PathBuf::from),
        rustup_toolchain: env::var("RUSTUP_TOOLCHAIN").ok(),
        rustup_home: env::var_os("RUSTUP_HOME").map(PathBuf::from),
    }
}

/// The built-in table, extended by the file that `KOPEK_LANGUAGES` names.
pub(super) fn language_table() -> Result<LanguageTable> {
    let embedded = LanguageTable::embedded();
    let Some(file) = env::var_os("KOPEK_LANGUAGES").filter(|file| !file.is_empty()) else {
        return Ok(embedded);
    };
    let file = PathBuf::from(file);
    let text = fs::read_to_string(&file);
    let text = text.with_context(|| format!("read the languages of KOPEK_LANGUAGES, {}", file.display()))?;
    embedded.with(&text, &file.display().to_string())
}

/// Include directories of compilers besides `CPATH`.
const INCLUDE: [&str; 2] = ["/usr/local/include", "/usr/include"];

/// The places to search for `testlib.h`; `given` is the user's path.
pub(super) fn user_testlib(given: Option<PathBuf>) -> Testlib {
    let own = env::var_os("CPATH").map(|list| env::split_paths(&list).collect::<Vec<_>>());
    let own = own.unwrap_or_default().into_iter().filter(|dir| !dir.as_os_str().is_empty());
    Testlib { given, path: own.chain(INCLUDE.map(PathBuf::from)).collect() }
}
