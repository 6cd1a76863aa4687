//! Every problem that ships is what it claims to be: walked, not listed.

use crate::{scratch, skip};
use kopek::machine::available_cpus;
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

pub fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let mut all: Vec<PathBuf> = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.retain(|path| path.join("problem.yaml").is_file());
    all.sort();
    assert!(all.len() >= 9, "the problems are not where they were: {all:?}");
    all
}

/// The program as it is given away, where `KOPEK_TEST_RELEASE` names it; else that of the tests, which is slower.
pub fn release_program() -> PathBuf {
    env::var_os("KOPEK_TEST_RELEASE").map_or_else(|| env!("CARGO_BIN_EXE_kopek").into(), Into::into)
}

/// How many runs may be undecided where the machine is alone: as many as run at once, for one disturbance hits all of
/// them. A machine with more disturbances cannot measure, and the test fails.
pub fn most_undecided() -> usize {
    available_cpus().len()
}

/// Whether nothing is wrong, but for at most [`most_undecided`] undecided runs.
pub fn is_clean(output: &Output) -> bool {
    let report = String::from_utf8_lossy(&output.stdout);
    let faults: Vec<&str> = report.split("fault: ").skip(1).collect();
    let undecided = |fault: &&str| fault.split_whitespace().any(|word| word == "undecided:");
    match output.status.code() {
        Some(0) => true,
        Some(3) => {
            (1..=most_undecided()).contains(&faults.len())
                && faults.iter().all(undecided)
                && !report.contains("error:")
        }
        _ => false,
    }
}

#[test]
#[ignore = "takes minutes and measures time limits: run it alone, as .ci/nightly does"]
fn every_problem_verifies_cleanly() {
    let mut verify = Command::new(release_program());
    verify.arg("verify").args(packages()).arg("--store").arg(scratch::release_store());
    let output = verify.output().unwrap();
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(is_clean(&output), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
    let undecided = report.matches("undecided:").count();
    skip::note(&format!("{} packages verified, {undecided} runs undecided", packages().len()));
}
