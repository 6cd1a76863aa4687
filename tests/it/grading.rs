//! The main job end to end: with hands that only believe, and with real ones.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a test tells its figures, and what it skips")]

mod bad;
mod fake;
mod killed;
mod real;

use serde_json::Value;
use std::{
    path::{Path, PathBuf},
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

/// An empty store of this name, below the build directory.
fn store(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if dir.exists() {
        std::fs::remove_dir_all(&dir).unwrap();
    }
    dir
}

/// Grades the example class against the first problem, as JSON.
fn grade(store: &Path) -> Command {
    let mut command = kopek();
    command.args(["grade", "problems/from-russia-with-love", "testdata/class", "--format", "json"]);
    command.arg("--store").arg(store);
    command
}

fn json(output: &Output) -> Value {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}\n{out}\n{err}"))
}

/// Whether a language has no toolchain here: told by name, and not allowed where all are required.
fn missing(language: &str) -> bool {
    let output = kopek().args(["languages", "--format", "json"]).output().unwrap();
    let rows = json(&output);
    let row = rows.as_array().unwrap().iter().find(|row| row["code"] == language).expect("a row");
    let missing = row["missing"].is_string();
    if missing {
        assert!(std::env::var_os("KOPEK_REQUIRE_ALL").is_none(), "{language} is required here: {row}");
        eprintln!("skipped: {language}: {}", row["missing"]);
    }
    missing
}
