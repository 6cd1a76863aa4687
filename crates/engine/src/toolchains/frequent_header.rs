//! A header that many programs of no package begin with, compiled before the first of them comes.

use super::{
    leading_includes::leading_includes,
    precompiled_headers::{HeaderBuild, HeaderList, must_be_built_alone},
    prove::PREPARE,
    standard_headers::HeaderRun,
};
use kopek_package::language::{ReadyLanguage, WARM, show_in_place};
use kopek_sandbox::Exec;
use std::path::{Path, PathBuf};

/// A standard header, compiled for builds with other arguments than those of the row.
pub struct FrequentHeader {
    headers: HeaderRun,
    at: PathBuf,
    give: Vec<String>,
}

impl FrequentHeader {
    /// Compiles this header for builds with these arguments, unless an earlier run did. The error says why it cannot be
    /// used.
    pub(crate) fn make(build: HeaderBuild, name: &str, arguments: &str) -> Result<FrequentHeader, String> {
        let HeaderBuild { store, slot, language, is_unchanged } = build;
        let mut row = language.row.clone();
        let Some(precompiled) = &mut row.precompiled else { return Err("its row makes none".into()) };
        let compiler = precompiled.make.iter().position(|word| word == "{cxx}");
        precompiled.make.truncate(compiler.map_or(0, |compiler| compiler + 1));
        precompiled.make.extend(arguments.split_whitespace().map(str::to_owned));
        let give = precompiled.give.clone();
        let mut headers = HeaderRun::default();
        headers.push(name);
        let list = HeaderList { store, row: &row, toolchain: &language.toolchain.digest };
        let mut header = list.find(&headers).ok_or("the cache has no id")?;
        let own = ReadyLanguage { row: &row, toolchain: language.toolchain };
        let build = HeaderBuild { store, slot: &mut *slot, language: own, is_unchanged };
        header.make(build).map_err(|why| format!("{}: {why}", row.name))?;
        let at = header.at.clone();
        // Whether programs can reach it, which depends on the isolation.
        let mut look = Exec::new(["true"], PREPARE);
        look.view.mounts = show_in_place(std::slice::from_ref(&at));
        slot.run(&look).map_err(|fault| format!("{}: {}", row.name, fault.what))?;
        Ok(FrequentHeader { headers, at, give })
    }

    /// Whether the build of a program with this source may use it. It may have been deleted since.
    pub fn helps(&self, source: &str) -> bool {
        let source = source.as_bytes();
        leading_includes(source).begins_with(&self.headers)
            && !must_be_built_alone(source)
            && self.at.is_dir()
    }

    /// The arguments with which the compiler uses it.
    pub fn arguments(&self) -> Vec<String> {
        let at = self.at.to_string_lossy();
        self.give.iter().map(|argument| argument.replace(WARM, &at)).collect()
    }

    /// Its directory, which a build must see.
    pub fn dir(&self) -> &Path {
        &self.at
    }
}
