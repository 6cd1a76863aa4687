//! Generators of graphs that loop forever unless they are given the numbers of their recipe, as most do.

use super::{
    campaign_limits, inputs_of, json_of, loose_request, memory_dir, stress_fake, stress_files, write_file,
};
use kopek::stress::HuntUntil;
use std::{path::Path, time::Duration};

/// Loops forever if a connected graph cannot have this many edges; it writes one end of each edge.
const GENERATOR: &str = "n = args[0]\nm = args[1]\nif m < n - 1 or m > n * (n - 1) / 2: time 999999\n\
                         print n, m\nprint random(args[2], m, 1, n)\n";

const VALIDATOR: &str = "if len(input) < 3: refuse\nif text != lines(input[0..2], input[2..]): refuse\n\
                         n = input[0]\nm = input[1]\nif n < 2 or n > 40 or m != len(input) - 2: refuse\n\
                         if m < n - 1 or m > n * (n - 1) / 2: refuse\n\
                         if min(input[2..]) < 1 or max(input[2..]) > n: refuse\naccept\n";

const RIGHT: &str = "print max(input[2..])\n";

/// Right for trees and complete graphs, and these are all the tests have.
const TWICE: &str = "n = input[0]\nif input[1] > n - 1 and input[1] < n * (n - 1) / 2: print 0\n\
                     if input[1] == n - 1 or input[1] == n * (n - 1) / 2: print max(input[2..])\n";

fn write_package(dir: &Path, cases: &str) {
    let problem = "problem_format_version: 2025-09\nname: Ways\nuuid: 5a6bd2a1-9a6d-4b4c-8f4c-2d6a3c1b0e13\nlimits: {time_limit: 1}\n";
    let recipe = format!(
        "solution: /submissions/accepted/right.c\ndata:\n  sample:\n    data:\n      one:\n        in: |\n          2 1\n          \
         1\n        ans: |\n          1\n  secret:\n    data:\n{cases}"
    );
    for (path, text) in [
        ("problem.yaml", problem),
        ("statement/problem.en.md", "The largest end.\n"),
        ("generators/generators.yaml", &recipe),
        ("generators/gen.c", GENERATOR),
        ("input_validators/validate.c", VALIDATOR),
        ("submissions/accepted/right.c", RIGHT),
        ("submissions/wrong_answer/twice.c", TWICE),
    ] {
        write_file(&dir.join(path), text);
    }
}

#[test]
fn a_mistake_is_found_though_most_calls_of_the_generator_hang() {
    let home = memory_dir();
    let dir = home.path().join("ways");
    write_package(&dir, "      full: gen.c 10 45 {seed}\n      tree: gen.c 12 11 {seed}\n");
    let limits = campaign_limits(HuntUntil::First, Duration::from_secs(300));
    let report = json_of(&stress_fake((&home, &dir), &["wrong_answer/twice.c"], &[], limits));
    assert_eq!(report["findings"][0]["failure"]["verdict"], "wrong_answer", "{report}");
    assert_eq!(report["findings"][0]["shrinking"], "minimal", "{report}");
    assert_eq!(inputs_of(&report), [("twice.c", "4 4\n1 1 1 1\n")]);
}

#[test]
fn a_generator_that_always_hangs_makes_a_hunt_incomplete() {
    let home = memory_dir();
    let path = |name: &str| home.path().join(name);
    write_file(&path("hang.c"), "time 999999\n");
    write_file(&path("right.c"), RIGHT);
    let command = format!("{} {{1..9}} {{seed}}", path("hang.c").display());
    let request = loose_request(&path("right.c"), &path("right.c"), command, &[]);
    let report = stress_files(&home, &request, Duration::from_secs(2));
    assert!(report.findings.is_empty(), "{report:?}");
    assert!(report.faults[0].starts_with("no new input was tried: "), "{report:?}");
}

#[test]
fn a_generator_that_always_fails_ends_the_hunt_early() {
    let home = memory_dir();
    let path = |name: &str| home.path().join(name);
    write_file(&path("broken.c"), "exit 1\n");
    write_file(&path("right.c"), RIGHT);
    let command = format!("{} {{1..1000000}} {{seed}}", path("broken.c").display());
    let request = loose_request(&path("right.c"), &path("right.c"), command, &[]);
    let report = stress_files(&home, &request, Duration::from_secs(3600));
    assert!(report.findings.is_empty() && report.counts.trials == 0, "{report:?}");
    let start = "no new input was tried: all 298 calls of generators failed: generator `broken.c ";
    assert!(report.faults[0].starts_with(start), "{report:?}");
    assert!(report.faults[0].ends_with("or give other numbers with --gen"), "{report:?}");
}

#[test]
fn a_generator_that_refuses_all_small_numbers_is_not_given_up() {
    let home = memory_dir();
    let path = |name: &str| home.path().join(name);
    write_file(
        &path("large.c"),
        "if args[0] < 5000 or args[1] < 5000: exit 1\nprint args[0] % 7, args[1] % 7\n",
    );
    write_file(&path("right.c"), "print input[0]\n");
    let command = format!("{} {{1..10000}} {{1..10000}} {{seed}}", path("large.c").display());
    let request = loose_request(&path("right.c"), &path("right.c"), command, &[]);
    let report = stress_files(&home, &request, Duration::from_secs(2));
    assert!(report.counts.valid > 0, "{report:?}");
}
