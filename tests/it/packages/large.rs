//! A package of very many small cases.

use kopek::package;
use std::{fs, path::Path};

const CASES: usize = 4_000;

#[test]
fn a_package_of_thousands_of_cases_is_read() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path());
    let reading = package::read(dir.path()).unwrap();
    let (set, findings) = package::read_tests(&reading.package.unwrap()).unwrap();
    assert_eq!(set.cases.len(), CASES);
    assert!(findings.is_empty(), "{findings:?}");
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
