//! The README's commands do what it says, in order, as a newcomer would type them.

use crate::{
    problems::{is_clean, release_program},
    scratch, skip,
};
use std::{collections::BTreeSet, fs, path::Path, process::Command};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// Commands of the console blocks, with the exit codes that the README names.
fn commands() -> Vec<(String, Vec<i32>)> {
    let text = readme();
    let lines = text.lines().filter_map(|line| line.strip_prefix("$ "));
    lines
        .map(|line| line.split_once('#').unwrap_or((line, "")))
        .map(|(c, note)| (c.trim().into(), codes(note)))
        .collect()
}

fn codes(note: &str) -> Vec<i32> {
    let named: Vec<i32> = note.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if named.is_empty() { vec![0] } else { named }
}

/// What the commands of the tour make.
const RESULTS: [&str; 9] = [
    "target/found",
    "target/anonymous",
    "target/graded",
    "target/first-steps",
    "target/somma",
    "target/pebbles",
    "target/results",
    "target/packed",
    "target/similar",
];

#[test]
#[ignore = "grades and verifies, which measures times: run it alone, as .ci/run does"]
fn the_tour_runs() {
    // Neither a new package nor an import goes where something lies.
    let remove_results = || RESULTS.iter().for_each(|dir| drop(fs::remove_dir_all(root().join(dir))));
    remove_results();
    let kopek = release_program();
    let mut ran = 0;
    for (command, codes) in commands() {
        if command == "cargo test" {
            continue; // That is what is running.
        }
        let words = command.strip_prefix("cargo run --release --").or(command.strip_prefix("kopek"));
        let real = format!("{}{}", kopek.display(), words.expect("a command of kopek"));
        let mut shell = Command::new("sh");
        shell.args(["-c", &real]).current_dir(root()).env("KOPEK_STORE", scratch::release_store());
        let output = shell.output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().expect("an exit code");
        skip::note(&format!("{command}: {code}"));
        // A machine that is disturbed for minutes leaves runs undecided, and says so; not many.
        let as_said = codes.contains(&code) || (code == 3 && is_clean(&output));
        assert!(as_said, "`{command}` ended with {code}, not {codes:?}:\n{message}");
        assert!(!output.stdout.is_empty() || command.contains("clean"), "`{command}` printed nothing");
        ran += 1;
    }
    remove_results();
    assert!(ran >= 12, "the tour lost its commands: {ran}");
}

#[test]
fn the_readme_mentions_every_subcommand() {
    let help = Command::new(env!("CARGO_BIN_EXE_kopek")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let list = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let listed: BTreeSet<&str> =
        list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let text = readme();
    for command in listed.into_iter().filter(|name| !name.is_empty() && *name != "help") {
        assert!(text.contains(&format!("kopek {command}")), "README.md does not mention `kopek {command}`");
    }
}
