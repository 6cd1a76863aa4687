//! How tests wait: for events (`tests/it/events.rs`), never for the clock.

use super::source_tree::{SourceFile, blank_literals, root, test_files, test_modules};
use regex_lite::Regex;
use std::collections::BTreeMap;

/// Files whose tests let time pass or look at the clock, how often, and why.
const EXCEPTIONS: [(&str, usize, &str); 7] = [
    ("tests/it/sandbox/held_up.rs", 1, "a machine stands still for longer than a limit"),
    ("tests/it/store/killed_processes.rs", 1, "a process is killed at any moment"),
    ("tests/it/grading/killed_runs.rs", 2, "a process is killed at any moment"),
    ("tests/it/grading/chaos.rs", 1, "files change at any moment"),
    ("tests/cluster/child.rs", 1, "a job takes time, as a real one does"),
    ("tests/cluster/workers.rs", 2, "a cluster tells its state only when it is asked"),
    ("tests/cluster/mishaps.rs", 6, "processes are killed and frozen at any moment, for as long as a lease"),
];

/// Lines that let time pass, or compare how much has passed.
fn clock_lines(code: &str) -> Vec<usize> {
    let clock = r"elapsed\(\)|Instant::now\(\)";
    let pattern = format!(r"\bsleep\(|(?:{clock})[^;{{]* [<>]=? | [<>]=? [^;{{]*(?:{clock})");
    let waits = Regex::new(&pattern).unwrap();
    code.lines().enumerate().filter(|(_, line)| waits.is_match(line)).map(|(at, _)| at + 1).collect()
}

/// The files with more or fewer such lines than listed.
fn unnamed_waits<'a>(files: impl IntoIterator<Item = (String, &'a str)>) -> Vec<String> {
    let mut left: BTreeMap<&str, usize> = EXCEPTIONS.map(|(file, count, _)| (file, count)).into();
    let mut wrong = Vec::new();
    for (place, code) in files {
        let (lines, named) = (clock_lines(code), left.remove(place.as_str()).unwrap_or(0));
        if lines.len() != named {
            wrong.push(format!("{place}: {named} named, found in the lines {lines:?}"));
        }
    }
    wrong.extend(left.into_keys().map(|file| format!("{file}: an exception without a file")));
    wrong
}

#[test]
fn tests_wait_for_events_and_not_for_the_clock() {
    let all: Vec<(String, String)> = test_files().chain(test_modules()).collect();
    let wrong = unnamed_waits(all.iter().map(|(place, code)| (place.clone(), code.as_str())));
    super::assert_none(
        &wrong,
        "wait for an event (tests/it/events.rs), or name the exception with its reason",
    );
}

#[test]
fn a_wait_for_the_clock_is_found_however_it_is_written() {
    let waits = [
        "thread::sleep(PAUSE);",
        "while start.elapsed() < PATIENCE {",
        "assert!(begun.elapsed().as_secs() < 20);",
        "if PATIENCE <= start.elapsed() { return }",
        "while Instant::now() < end || games < 3 {",
    ];
    let others = [
        "fn asleep(used: u64) -> u128 {",
        "let took = start.elapsed();",
        "let found: Vec<Duration> = measure(start.elapsed());",
        "let run = \"time.sleep(1)\";",
        "// no sleep(1)",
    ];
    for line in waits {
        assert_eq!(clock_lines(&blank_literals(line)), [1], "{line}");
    }
    for line in others {
        assert_eq!(clock_lines(&blank_literals(line)), [0usize; 0], "{line}");
    }
    let file = SourceFile::new(
        "src",
        "a.rs".as_ref(),
        "fn f() { sleep(1) }\n#[cfg(test)]\nmod tests { fn g() { sleep(2) } }\n",
    );
    assert_eq!(clock_lines(&file.test_code()), [3], "what ships may wait");
    assert!(root().join(EXCEPTIONS[0].0).is_file());
}
