//! A package of very many small cases.

use kopek::package;
use std::{fs, path::Path, time::Instant};

/// Twenty thousand in a release build; fewer where nothing is optimised.
const CASES: usize = if cfg!(debug_assertions) { 4_000 } else { 20_000 };

#[test]
#[expect(clippy::print_stderr, reason = "a figure for whoever looks at it")]
fn a_package_of_thousands_of_cases_is_read_quickly() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let before = resident();
    let start = Instant::now();
    let reading = package::read(dir.path()).unwrap();
    let (set, findings) = package::tests(&reading.package.unwrap()).unwrap();
    let took = start.elapsed();
    let grown = resident().saturating_sub(before) >> 10;
    assert_eq!(set.cases.len(), CASES);
    assert!(findings.is_empty(), "{findings:?}");
    eprintln!("{CASES} cases read in {took:?}, {grown} KiB more resident");
    assert!(took.as_secs() < 20, "{took:?}");
    assert!(grown < 300 << 10, "{grown} KiB");
}

fn write(dir: &Path) {
    let file = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    file("problem.yaml", "problem_format_version: 2025-09\nname: Many\nuuid: 5\ntype: scoring\n");
    for group in 0..10 {
        file(&format!("data/secret/{group}/test_group.yaml"), "max_score: 10\n");
        for case in 0..CASES / 10 {
            file(&format!("data/secret/{group}/{case:05}.in"), &format!("{case}\n"));
            file(&format!("data/secret/{group}/{case:05}.ans"), &format!("{}\n", case * 2));
        }
    }
}

/// Resident memory of this process in bytes.
fn resident() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").unwrap();
    statm.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}
