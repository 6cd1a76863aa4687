//! Chapter: grading, end to end: with an executor that runs nothing, and with the real one.

mod bad;
mod busy;
mod changing;
mod chaos;
pub mod claims;
mod decisions;
mod fake;
mod killed_runs;
mod one_run;
mod slow_witness;
mod surroundings;

use crate::{skip, toolchain_search::search};
use kopek::{language::LanguageTable, sandbox::Sandbox, toolchains::identify_toolchain};
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Output},
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The command, in the project's directory.
fn kopek() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(root()).env_remove("KOPEK_STORE");
    command
}

/// Grades a class of `testdata` on the first problem.
pub fn grade_class(class: &str, store: &Path, format: &str) -> Command {
    let mut command = kopek();
    command.args(["grade", "problems/from-russia-with-love", &format!("testdata/{class}")]);
    command.args(["--format", format, "--store"]).arg(store);
    command
}

pub fn json(output: &Output) -> Value {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"))
}

/// Whether a language has no toolchain here, which is reported.
pub fn lacks_toolchain(language: &str) -> bool {
    let table = LanguageTable::embedded();
    let mut slot = Sandbox::open(Path::new(env!("CARGO_BIN_EXE_kopek"))).unwrap().slot(None);
    match identify_toolchain(&mut slot, table.get(language).expect("a row"), &search()) {
        Ok(_) => false,
        Err(why) => {
            skip::report(&format!("{language} has no toolchain: {why}"));
            true
        }
    }
}
