//! Where `testlib.h` is: it belongs to its user, and is looked for, never brought along.

use super::source::ForeignPackage;
use anyhow::{Result, bail, ensure};
use std::path::PathBuf;

/// Where to look.
#[derive(Debug, Clone, Default)]
pub struct Testlib {
    /// The file, or its directory, as the user gave it.
    pub given: Option<PathBuf>,
    /// Directories where compilers look.
    pub path: Vec<PathBuf>,
}

const NAME: &str = "testlib.h";

impl Testlib {
    /// The header: as given, in the package, or where compilers look.
    pub(crate) fn find_header(&self, source: &ForeignPackage, wanted_by: &str) -> Result<PathBuf> {
        if let Some(given) = &self.given {
            let file = if given.is_dir() { given.join(NAME) } else { given.clone() };
            ensure!(file.is_file(), "--testlib {}: there is no such file", given.display());
            return Ok(file);
        }
        let own = source.paths().find(|path| path.rsplit('/').next() == Some(NAME));
        if let Some(own) = own {
            return source.path_of(own);
        }
        match self.path.iter().map(|dir| dir.join(NAME)).find(|file| file.is_file()) {
            Some(found) => Ok(found),
            None => bail!(
                "{wanted_by} needs testlib.h, which is neither in the source nor in {}; \
                 say where it is: --testlib PATH",
                self.path.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}
