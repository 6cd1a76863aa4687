//! Programs of a task, by their file names.

use crate::import::source::ForeignPackage;
use anyhow::{Result, bail, ensure};

/// The source of a program, by its possible endings; an executable alone does not count.
pub fn find_program<'a>(source: &'a ForeignPackage, stems: &[&str]) -> Result<Option<&'a str>> {
    let is = |path: &&str, stem: &str| {
        path.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.') && !rest[1..].contains('.'))
    };
    for stem in stems {
        let mut found: Vec<&str> = source.paths().filter(|path| is(path, stem)).collect();
        found.retain(|path| !path.ends_with(".o") && !path.ends_with(".exe") && !path.ends_with(".h"));
        match found.as_slice() {
            [] if source.has(stem) => {
                bail!("{stem} is a program without its source: add the source beside it")
            }
            [] => {}
            [only] => return Ok(Some(only)),
            many => bail!("{}: which of them is the program? remove the others", many.join(", ")),
        }
    }
    Ok(None)
}

pub fn is_python(path: &str) -> bool {
    path.ends_with(".py")
}

/// The ending of the adapter, which is compiled together with the program.
pub fn adapter_ending(path: &str) -> Result<&'static str> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ensure!(
        ["c", "cpp", "cc", "cxx"].contains(&ending),
        "{path} is neither C, C++ nor Python: the adapter cannot call it; translate it"
    );
    Ok(if ending == "c" { "c" } else { "cpp" })
}
