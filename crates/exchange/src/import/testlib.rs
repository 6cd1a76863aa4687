//! Finds `testlib.h`, which kopek does not ship.

use super::source::ForeignPackage;
use anyhow::{Result, bail, ensure};
use kopek_package::language::TESTLIB_HEADER;
use std::path::PathBuf;

#[derive(Debug, Clone, Default)]
pub struct Testlib {
    /// The file, or its directory, as the user gave it.
    pub given: Option<PathBuf>,
    /// Directories where compilers look.
    pub path: Vec<PathBuf>,
}

impl Testlib {
    /// The header: as given, in the package, or where compilers look.
    pub fn find_header(&self, source: &ForeignPackage, wanted_by: &str) -> Result<PathBuf> {
        if let Some(given) = self.named_header()? {
            return Ok(given);
        }
        // Directories may have variants of their own.
        let beside = wanted_by.rsplit_once('/').map(|(dir, _)| format!("{dir}/{TESTLIB_HEADER}"));
        let any = || source.paths().find(|path| path.rsplit('/').next() == Some(TESTLIB_HEADER));
        let own = beside.as_deref().filter(|path| source.has(path)).or_else(any);
        if let Some(own) = own {
            return source.path_of(own);
        }
        match self.installed_header() {
            Some(found) => Ok(found),
            None => bail!(
                "{wanted_by} needs testlib.h, which is neither in the source nor in {}; \
                 say where it is: --testlib PATH",
                self.looked_at()
            ),
        }
    }

    fn named_header(&self) -> Result<Option<PathBuf>> {
        let Some(given) = &self.given else { return Ok(None) };
        let file = if given.is_dir() { given.join(TESTLIB_HEADER) } else { given.clone() };
        ensure!(file.is_file(), "--testlib {}: there is no such file", given.display());
        Ok(Some(file))
    }

    fn installed_header(&self) -> Option<PathBuf> {
        let mut files = self.path.iter().map(|dir| dir.join(TESTLIB_HEADER));
        files.find(|file| file.is_file())
    }

    fn looked_at(&self) -> String {
        let dirs: Vec<String> = self.path.iter().map(|dir| dir.display().to_string()).collect();
        dirs.join(", ")
    }
}
