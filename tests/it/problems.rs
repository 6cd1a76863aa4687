//! Every problem that ships is what it claims to be: walked, not listed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let mut all: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.join("problem.yaml").is_file());
    all.sort();
    assert!(all.len() >= 9, "the problems are not where they were: {all:?}");
    all
}

#[test]
#[ignore = "takes minutes and measures time limits: run it alone, as .ci/run does"]
fn every_problem_verifies_cleanly() {
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("problems");
    let mut verify = Command::new(env!("CARGO_BIN_EXE_kopek"));
    verify.arg("verify").args(packages()).arg("--store").arg(store);
    let output = verify.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn generated_files_are_those_of_the_locks() {
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("locks");
    for package in packages() {
        assert!(package.join("generators/lock.toml").is_file(), "{} has no lock", package.display());
    }
    let mut check = Command::new(env!("CARGO_BIN_EXE_kopek"));
    check.arg("generate").arg("--check").args(packages()).arg("--store").arg(store);
    let output = check.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
}
