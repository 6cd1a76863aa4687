//! The cost of large inputs: a package of 20 000 cases to read, 12 000 facts to write and read, 20 000 cases
//! to score.
//!
//! `cargo bench --bench large`. The targets are generous: they detect quadratic time, or a disk flush per
//! fact.
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use kopek::{
    base::Digest,
    package::{self, TestSet},
    plan::{Key, Outcome, Trial},
    sandbox::Exit,
    score::{LegacyReading, Mark, Progress, ScoringFacts, ScoringRules, score},
    store::Store,
    verdict::Verdict,
};
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    time::{Duration, Instant},
};

const CASES: usize = 20_000;
const FACTS: u64 = 12_000;
const READ_TARGET: Duration = Duration::from_secs(4);
/// The most memory for a package of that size, in MiB.
const MEMORY_TARGET: u64 = 300;
const WRITE_TARGET: Duration = Duration::from_secs(60);
const RECALL_TARGET: Duration = Duration::from_secs(1);
const SCORE_TARGET: Duration = Duration::from_secs(1);

fn main() {
    let home = tempfile::tempdir().expect("a directory");
    let tests = measure_package(&home.path().join("many"));
    measure_store(&home.path().join("store"));
    measure_scoring(&tests);
}

fn report(what: &str, time: Duration, target: Duration) {
    println!("{}: {what} in {time:.2?} (target {target:?})", if time <= target { "PASS" } else { "FAIL" });
}

fn measure_package(dir: &Path) -> TestSet {
    write_package(dir);
    let (before, start) = (resident_memory(), Instant::now());
    let package = package::read(dir).unwrap().package.expect("a sound package");
    let (tests, findings) = package::read_tests(&package).unwrap();
    assert_eq!((tests.cases.len(), findings.len()), (CASES, 0));
    report("a package of 20000 cases is read", start.elapsed(), READ_TARGET);
    let grown = resident_memory().saturating_sub(before) >> 20;
    let verdict = if grown <= MEMORY_TARGET { "PASS" } else { "FAIL" };
    println!("{verdict}: {grown} MiB more resident (target {MEMORY_TARGET} MiB)");
    tests
}

fn write_package(dir: &Path) {
    let write = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a file has a parent")).unwrap();
        fs::write(path, text).unwrap();
    };
    write("problem.yaml", "problem_format_version: 2025-09\nname: Many\nuuid: 5\ntype: scoring\n");
    for group in 0..10 {
        write(&format!("data/secret/{group}/test_group.yaml"), "max_score: 10\n");
        for case in 0..CASES / 10 {
            write(&format!("data/secret/{group}/{case:05}.in"), &format!("{case}\n"));
            write(&format!("data/secret/{group}/{case:05}.ans"), &format!("{}\n", case * 2));
        }
    }
}

fn measure_store(dir: &Path) {
    let fact = Outcome::Trial(Trial::ended(Verdict::Accepted, Exit::Code(0)));
    let keys: Vec<Key> = (0..FACTS).map(|n| Digest::of(&n.to_le_bytes())).collect();
    let store = Store::open(dir).unwrap();
    let start = Instant::now();
    keys.iter().for_each(|key| store.put(key, &fact).unwrap());
    report("12000 facts are written one by one", start.elapsed(), WRITE_TARGET);
    drop(store);
    let start = Instant::now();
    let found = Store::open(dir).unwrap().get_many(&keys).unwrap();
    assert!(found.iter().all(|found| found.as_ref() == Some(&fact)));
    report("a store is opened and 12000 facts are read", start.elapsed(), RECALL_TARGET);
}

fn measure_scoring(tests: &TestSet) {
    let rules = ScoringRules { tests, scoring: true, score_files: false, reading: LegacyReading::Kattis };
    let mark = || Mark { verdict: Verdict::Accepted, score: None, cpu: Duration::from_millis(5) };
    let start = Instant::now();
    let mut progress = Progress::new(&rules);
    let mut marks = vec![None; tests.cases.len()];
    while let Some(case) = progress.take() {
        progress.record(case, &mark());
        marks[case] = Some(mark());
    }
    let card =
        score("all", &rules, &ScoringFacts { marks: &marks, statics: &BTreeMap::new(), grader: &|_| None });
    assert_eq!(card.points.map(|points| points.to_string()).as_deref(), Some("100"));
    report("20000 cases are ordered, recorded and scored", start.elapsed(), SCORE_TARGET);
}

/// The resident memory of this process, in bytes.
fn resident_memory() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").expect("Linux");
    let pages: u64 = statm.split(' ').nth(1).expect("the second field").parse().expect("a number");
    pages * 4096
}
