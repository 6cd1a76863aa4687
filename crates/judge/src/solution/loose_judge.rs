//! How outputs are judged without a package: by the default comparison, or by a program of the user's.

use anyhow::{Context, Result, bail};
use kopek_base::files::name_of;
use kopek_class::read_files_of;
use kopek_package::{
    language::{SourceFiles, TESTLIB_HEADER},
    package::{Judge, PackageProgram, missing_path},
};
use std::{fs, path::Path};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum LooseJudge<'a> {
    Comparison,
    /// An output validator, or a checker for testlib.
    Checker(&'a Path),
    /// An output validator that talks to the solution.
    Interactor(&'a Path),
}

/// Writes a checker for testlib and its adapter into a new directory, as an output validator.
pub type AdaptChecker<'a> = dyn Fn(&Path, &Path) -> Result<()> + 'a;

impl LooseJudge<'_> {
    pub fn is_interactive(self) -> bool {
        matches!(self, LooseJudge::Interactor(_))
    }

    /// Reads the program in its place. Writes an adapter into the directory `aside`.
    pub fn read(self, aside: &Path, adapt: &AdaptChecker) -> Result<Judge> {
        let (LooseJudge::Checker(path) | LooseJudge::Interactor(path)) = self else {
            return Ok(Judge::Default);
        };
        let for_testlib = asks_for_testlib(path);
        if for_testlib && self.is_interactive() {
            bail!(
                "{}: a testlib interactor needs its package; `kopek import` reads packages of Polygon",
                path.display()
            );
        }
        if !path.exists() {
            return Err(missing_path("read the judge's program", path));
        }
        let adapted = aside.join("checker");
        if for_testlib {
            adapt(path, &adapted).with_context(|| format!("adapt {}", path.display()))?;
        }
        let source = source_of(if for_testlib { &adapted } else { path })?;
        let program = PackageProgram { name: name_of(path), source };
        Ok(Judge::Programs { programs: vec![program], scores: true })
    }
}

/// The files of a program, read without following links, like a hand-in.
fn source_of(path: &Path) -> Result<SourceFiles> {
    read_files_of(path).map_err(|why| anyhow::anyhow!("{}: {why}", path.display()))
}

fn asks_for_testlib(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.contains(TESTLIB_HEADER))
}
