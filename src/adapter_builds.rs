//! Compiles the adapters of a packed package: a mistake in one would be a compile error of every submission there.
//!
//! A driver: the compiler runs as a build.

use crate::{
    base::ScratchDir,
    exec::{Engine, NoProgram},
    language::SourceFiles,
    pack::{Bundle, PackContents},
    plan::MAKE_LIMITS,
};
use anyhow::{Context, Result, bail};
use std::{collections::BTreeMap, fs, path::Path};

/// Compiles each adapter of a bundle. Fails with the message of the compiler; warns of those that nothing compiles here.
pub fn compile_adapters(engine: &Engine, bundle: &Bundle) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    for path in &bundle.adapters {
        let PackContents::Bytes(bytes) = &bundle.files[path].contents else { continue };
        let name = Path::new(path).file_name().unwrap_or_default();
        let aside = ScratchDir::new().context("make a directory to compile in")?;
        fs::write(aside.path().join(name), bytes).context("write the adapter")?;
        let source = SourceFiles { root: aside.path().to_owned(), files: vec![name.into()] };
        let request = engine.tool_request(path, &source, &BTreeMap::new(), MAKE_LIMITS);
        match engine.build_program(request)? {
            Ok(_) => {}
            Err(NoProgram::Fault(fault)) => warnings.push(format!("{path} was not compiled here: {fault}")),
            Err(NoProgram::Interrupted) => bail!("interrupted while {path} was compiled"),
            Err(why @ (NoProgram::Refused(_) | NoProgram::DoesNotCompile(_))) => {
                bail!("{} is not written, because {path} in it would not work: {why}", bundle.name)
            }
        }
    }
    Ok(warnings)
}
