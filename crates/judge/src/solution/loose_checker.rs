//! A checker of the user's that judges outputs without a package.

use anyhow::{Context, Result};
use kopek_base::files::name_of;
use kopek_class::read_files_of;
use kopek_package::{
    language::TESTLIB_HEADER,
    package::{Judge, PackageProgram, missing_path},
};
use std::{fs, path::Path};

/// Writes a checker for testlib and its adapter into a new directory, as an output validator.
pub type AdaptChecker<'a> = dyn Fn(&Path, &Path) -> Result<()> + 'a;

/// Reads an output validator, or a checker for testlib, in its place. Writes an adapter into the directory `aside`.
pub(super) fn read_checker(path: &Path, aside: &Path, adapt: &AdaptChecker) -> Result<Judge> {
    if !path.exists() {
        return Err(missing_path("read the judge's program", path));
    }
    let adapted = aside.join("checker");
    let for_testlib = fs::read_to_string(path).is_ok_and(|text| text.contains(TESTLIB_HEADER));
    if for_testlib {
        adapt(path, &adapted).with_context(|| format!("adapt {}", path.display()))?;
    }
    let place = if for_testlib { &adapted } else { path };
    // Without following links, like a hand-in.
    let source = read_files_of(place).map_err(|why| anyhow::anyhow!("{}: {why}", place.display()))?;
    let program = PackageProgram { name: name_of(path), source };
    Ok(Judge::Programs { programs: vec![program], scores: true })
}
