//! How tests wait: for events (`tests/it/events.rs`), never for the clock, and no test tries until it passes.

use super::source_tree::{SourceFile, blank_literals, closing_brace, root, test_code};
use regex_lite::Regex;
use std::collections::BTreeMap;

/// A file, how many of its lines break the rule, and why they may.
type Exception = (&'static str, usize, &'static str);

/// Tests that let time pass or look at the clock.
const CLOCKS: [Exception; 7] = [
    ("tests/it/sandbox/held_up.rs", 1, "a machine stands still for longer than a limit"),
    ("tests/it/store/killed_processes.rs", 1, "a process is killed at any moment"),
    ("tests/it/grading/killed_runs.rs", 2, "a process is killed at any moment"),
    ("tests/it/grading/chaos.rs", 1, "files change at any moment"),
    ("tests/cluster/child.rs", 1, "a job takes time, as a real one does"),
    ("tests/cluster/workers.rs", 2, "a cluster tells its state only when it is asked"),
    ("tests/cluster/mishaps.rs", 6, "processes are killed and frozen at any moment, for as long as a lease"),
];

/// Counted loops around assertions that may end early.
const RETRIES: [Exception; 4] = [
    ("crates/sandbox/src/meters/idle_clock.rs", 1, "what the clock says first, of made-up readings"),
    ("tests/it/coins/plays.rs", 1, "the end of a game"),
    ("tests/it/grading/chaos.rs", 1, "files change until the run has ended"),
    ("tests/it/store/killed_processes.rs", 1, "a process writes until its disk is full"),
];

/// Lines that let time pass, or compare how much has passed.
fn clock_lines(code: &str) -> Vec<usize> {
    let clock = r"elapsed\(\)|Instant::now\(\)";
    let pattern = format!(r"\bsleep\(|(?:{clock})[^;{{]* [<>]=? | [<>]=? [^;{{]*(?:{clock})");
    let waits = Regex::new(&pattern).unwrap();
    let words = ["sleep(", "elapsed()", "Instant::now()"];
    let lines = code.lines().enumerate().filter(|(_, line)| words.iter().any(|word| line.contains(word)));
    lines.filter(|(_, line)| waits.is_match(line)).map(|(at, _)| at + 1).collect()
}

/// Lines that try until something goes well: in a counted loop around an assertion that may end early, or by a word for
/// that.
fn retry_lines(code: &str) -> Vec<usize> {
    let pattern = |text: &str| Regex::new(text).unwrap();
    let line_of = |at: usize| code[..at].matches('\n').count() + 1;
    let words = pattern(r"repeat_with\(|\[\d[\d_]*(?:, \d[\d_]*)+\]\.(?:into_)?iter\(\)\.any\(");
    let (ends, asserts) =
        (pattern(r"\b(?:break|return)\b"), pattern(r"\b(?:assert\w*|unwrap\w*|expect\w*|panic)\b"));
    // What cannot be tried here is left.
    let skips = pattern(r"else \{\s*return\s*\}");
    let mut lines: Vec<usize> = words.find_iter(code).map(|found| line_of(found.start())).collect();
    for (at, _) in code.match_indices("for ") {
        let Some(length) = code[at..].find(['{', ';']) else { continue };
        let (opens, head) = (at + length, &code[at..at + length]);
        if !head.contains(" in ") || !head.contains("..") || !code[opens..].starts_with('{') {
            continue;
        }
        let body = skips.replace_all(&code[opens..closing_brace(code, opens)], "");
        if ends.is_match(&body) && asserts.is_match(&body) {
            lines.push(line_of(at));
        }
    }
    lines
}

/// The files with more or fewer such lines than listed.
fn unnamed_lines(exceptions: &[Exception], find: impl Fn(&str) -> Vec<usize>) -> Vec<String> {
    let mut left: BTreeMap<&str, usize> = exceptions.iter().map(|(file, count, _)| (*file, *count)).collect();
    let mut wrong = Vec::new();
    for (place, code) in test_code() {
        let (lines, named) = (find(code), left.remove(place.as_str()).unwrap_or(0));
        if lines.len() != named {
            wrong.push(format!("{place}: {named} named, found in the lines {lines:?}"));
        }
    }
    wrong.extend(left.into_keys().map(|file| format!("{file}: an exception without a file")));
    wrong
}

#[test]
fn tests_wait_for_events_and_not_for_the_clock() {
    super::assert_none(
        &unnamed_lines(&CLOCKS, clock_lines),
        "wait for an event (tests/it/events.rs), or name the exception with its reason",
    );
}

#[test]
fn no_test_tries_until_it_passes() {
    super::assert_none(
        &unnamed_lines(&RETRIES, retry_lines),
        "make the test deterministic (scripted sandbox, fake machine), or name the exception with its reason",
    );
}

#[test]
fn a_retry_is_found_however_it_is_written() {
    let retries = [
        "for _ in 0..100 { match run() { Ok(ran) => assert!(ran), Err(_) => return } }",
        "for seconds in 1..=9 { if hunt(seconds).unwrap() { break; } }",
        "assert!([1, 10, 60].iter().any(hunt));",
        "let mut tries = repeat_with(|| slot.run(&tables)).take(3);",
    ];
    let others = [
        "for _ in 0..100 { assert_eq!(run(), 7); }",
        "for one in all { if one.is_it() { break; } }",
        "for n in 0..9 { assert!(f(n)) } return;",
        "for _ in 0..5 { let Some(server) = start() else { return }; assert!(server.is_up()); }",
        "assert!(all.iter().any(is_it));",
    ];
    for line in retries {
        assert_eq!(retry_lines(line), [1], "{line}");
    }
    for line in others {
        assert_eq!(retry_lines(line), [0usize; 0], "{line}");
    }
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
    assert!(root().join(CLOCKS[0].0).is_file());
}
