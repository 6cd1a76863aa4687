//! A class that several machines judge in parts: the stores, joined, hold what one machine would know.

use super::graded::{HALF, SUM, WRONG, kopek, sums_package, write_file};
use std::{
    collections::BTreeSet,
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// The rows of a report: names and points.
fn graded(home: &Path, args: &[&str]) -> Vec<(String, Option<u64>)> {
    let output = kopek(home, &[&["grade", "sums", "class", "--format", "json"], args].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // A part without participants is a report about no package.
    let rows = report["participants"].as_array().into_iter().flatten();
    rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row["points"].as_u64())).collect()
}

#[test]
fn a_class_judged_in_parts_is_the_class_judged_at_once() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    for number in 0..9 {
        let text = [SUM, HALF, WRONG][number % 3];
        // Two of each are equal, letter by letter.
        write_file(&home.join(format!("class/p{number}.py")), &format!("{text}# {}\n", number / 6));
    }
    let parts: Vec<_> = (1..=3)
        .map(|part| graded(home, &["--shard", &format!("{part}/3"), "--store", &format!("part{part}")]))
        .collect();
    let mut names: Vec<&String> = parts.iter().flatten().map(|row| &row.0).collect();
    names.sort();
    assert_eq!(names.len(), 9, "nobody is lost, and nobody is judged twice: {names:?}");
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), 9);
    let together = |one: &str, other: &str| {
        let has = |part: &Vec<(String, Option<u64>)>, name: &str| part.iter().any(|row| row.0 == name);
        parts.iter().any(|part| has(part, one) && has(part, other))
    };
    assert!(together("p0", "p3") && together("p1", "p4"), "equal programs are in one part");

    let merged = kopek(home, &["merge", "part1", "part2", "part3", "--store", "all"]);
    let text = String::from_utf8_lossy(&merged.stdout);
    assert!(merged.status.success() && text.lines().count() == 3, "{text}");
    let table = kopek(home, &["grade", "sums", "class", "--store", "all"]);
    let table = String::from_utf8_lossy(&table.stdout);
    assert!(table.contains(" 0 jobs done, "), "everything is known: {text}{table}");
    let alone = graded(home, &["--store", "alone"]);
    assert_eq!(graded(home, &["--store", "all"]), alone);
    assert_eq!(alone.iter().filter(|row| row.1 == Some(60)).count(), 3);
}

#[test]
fn wrong_stores_and_wrong_shards_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    sums_package(&home.join("sums"));
    write_file(&home.join("class/a.py"), SUM);
    let refused = |args: &[&str], part: &str| {
        let output = kopek(home, args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && message.contains(part), "{message}");
    };
    refused(&["merge", "partt", "--store", "all"], "partt is not a kopek store: it has no facts.sqlite");
    assert!(!home.join("partt").exists() && !home.join("all").exists(), "nothing was made");
    refused(&["grade", "sums", "class", "--shard", "4/3"], "write the first of three parts as 1/3");
    graded(home, &["--store", "all"]);
    refused(&["merge", "all", "--store", "all"], "all is the target store itself");
}

/// The first block of the guide's page about parts that begins so.
fn guide_block(start: &str) -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/many-machines.md");
    let guide = fs::read_to_string(guide).unwrap();
    let mut blocks = guide.split("```").skip(1).step_by(2);
    blocks.find_map(|block| block.strip_prefix(start)).unwrap().to_owned()
}

/// Runs lines of the guide as they stand, with this kopek and a local disk of this test.
fn run_lines(home: &Path, lines: &str) -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_kopek"));
    let mut path = vec![home.join("programs"), program.parent().unwrap().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let disk = home.join("disk");
    fs::create_dir_all(&disk).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-ec", &lines.replace("/tmp", &disk.display().to_string())]);
    shell.current_dir(home).env_remove("KOPEK_STORE");
    let output = shell.env("PATH", env::join_paths(path).unwrap()).output().unwrap();
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{lines}\n{text}");
    text
}

/// Runs a command for each word after `:::`, here instead of on the machines.
const PARALLEL: &str = "#!/bin/sh
shift 2
command=$1
shift 2
for word; do sh -c \"$(echo \"$command\" | sed \"s/{}/$word/g\")\" || exit; done
";

/// The command of a pod, with the index that Kubernetes gives it.
fn pod_lines() -> String {
    let job = guide_block("yaml\n");
    let command = job.split("command: [sh, -ec, '").nth(1).unwrap().split("']").next().unwrap();
    format!("for JOB_COMPLETION_INDEX in $(seq 0 15); do\n{command}\nrm -rf /tmp/part\ndone")
}

#[test]
fn the_lines_of_the_guide_judge_a_class_in_parts() {
    let parallel = guide_block("sh\npart=");
    let (parts, join) = parallel.split_once("cd class\n").unwrap();
    assert!(join.starts_with("kopek merge part*/"), "{join}");
    for (lines, folder) in [(format!("part={parts}"), "class"), (pod_lines(), ".")] {
        let home = tempfile::tempdir().unwrap();
        let class = home.path().join(folder);
        sums_package(&class.join("problems/sums"));
        for number in 0..5 {
            let text = [SUM, HALF, WRONG][number % 3];
            write_file(&class.join(format!("hand-ins/p{number}.py")), &format!("{text}# {number}\n"));
        }
        let program = home.path().join("programs/parallel");
        write_file(&program, PARALLEL);
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        run_lines(home.path(), &lines);
        let is_store = |part: u32| class.join(format!("part{part}/facts.sqlite")).is_file();
        assert!((1..=16).all(is_store) && !is_store(17), "16 stores");
        let joined = run_lines(&class, join);
        assert!(joined.contains(" 0 jobs done"), "everything was known: {joined}");
        let grades = |folder: &str| -> Vec<Vec<String>> {
            let text = fs::read_to_string(class.join(folder).join("report.csv")).unwrap();
            // Times differ between two runs.
            text.lines().map(|line| line.split(',').take(4).map(str::to_owned).collect()).collect()
        };
        run_lines(&class, "kopek grade problems hand-ins --store alone --out at-once");
        assert!(grades("grades").len() > 5);
        assert_eq!(grades("grades"), grades("at-once"));
    }
}
