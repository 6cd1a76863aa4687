//! A real problem, packed and judged for real: the same points per group.

use super::{names, unpack};
use crate::scratch;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const PROBLEM: &str = "problems/from-russia-with-love";

fn kopek(args: &[&str], store: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env_remove("KOPEK_STORE");
    command.args(args).arg("--store").arg(store).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!("{e}: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    })
}

/// A participant, its points, and those of each group of `secret`.
type Row = (String, Value, Vec<(String, Value)>);

fn points(graded: &Value) -> Vec<Row> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let groups = |row: &Value| {
        let all = row["groups"].as_array().unwrap().iter();
        let all = all.map(|group| (text(&group["name"]), group["points"].clone()));
        all.filter(|(name, _)| name != "sample").collect()
    };
    let rows = graded["participants"].as_array().unwrap().iter();
    rows.map(|row| (text(&row["name"]), row["points"].clone(), groups(row))).collect()
}

fn class(home: &Path) -> PathBuf {
    let class = home.join("class");
    fs::create_dir(&class).unwrap();
    let submissions = Path::new(env!("CARGO_MANIFEST_DIR")).join(PROBLEM).join("submissions");
    for name in ["accepted/reference.rs", "wrong_answer/sum_minus_least.py"] {
        let from = submissions.join(name);
        fs::copy(&from, class.join(from.file_name().unwrap())).unwrap();
    }
    class
}

#[test]
fn the_first_problem_is_worth_the_same_when_packed() {
    let home = tempfile::tempdir().unwrap();
    let (home, store) = (home.path(), scratch::store());
    let class = class(home);
    let grade = |package: &str, reading: &str| {
        let args = ["grade", package, class.to_str().unwrap(), "--format", "json", "--scoring", reading];
        points(&json(&kopek(&args, &store)))
    };
    let here = grade(PROBLEM, "kattis");
    assert_eq!(here.len(), 2, "{here:?}");
    assert_ne!(here[0].1, here[1].1, "one right, one partly right: {here:?}");
    for (system, root) in [("kattis", "fromrussiawithlove"), ("domjudge", "")] {
        let out = home.join(system);
        let packed = kopek(&["pack", PROBLEM, "--for", system, "-o", &format!("{}/", out.display())], &store);
        assert_eq!(packed.status.code(), Some(0), "{}", String::from_utf8_lossy(&packed.stderr));
        let zip = fs::read_dir(&out).unwrap().next().unwrap().unwrap().path();
        unpack(&zip, &out);
        assert_eq!(grade(out.join(root).to_str().unwrap(), system), here, "for {system}");
    }
}

#[test]
fn an_interactive_problem_is_packed_with_its_referee() {
    let home = tempfile::tempdir().unwrap();
    let store = scratch::store();
    let zip = home.path().join("beat.zip");
    let args = ["pack", "problems/beat-them-all", "--for", "domjudge", "--format", "json"];
    let packed = json(&kopek(&[&args[..], &["-o", zip.to_str().unwrap()]].concat(), &store));
    assert_eq!(packed[0]["system"], "DOMjudge");
    let notes = packed[0]["notes"].as_array().unwrap();
    assert!(
        notes.iter().any(|note| note["what"].as_str().unwrap().contains("a validator in Rust")),
        "{notes:?}"
    );
    let names = names(&zip);
    for name in [
        "output_validators/referee/referee.rs",
        "output_validators/referee/build",
        "problem_statement/problem.html",
        "data/secret/1/testdata.yaml",
        "submissions/accepted/",
    ] {
        assert!(names.iter().any(|have| have == name), "{name}: {names:?}");
    }
    let out = home.path().join("out");
    unpack(&zip, &out);
    let read = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert!(
        read("problem.yaml").contains("type: scoring\nvalidation: custom interactive\n"),
        "{}",
        read("problem.yaml")
    );
    let settings = read("domjudge-problem.ini");
    let name = "beat-them-all";
    let expected = format!("timelimit = '1'\nexternalid = '{name}'\nshort-name = '{name}'\n");
    assert!(settings.ends_with(&expected), "{settings}");
    assert!(read("problem_statement/problem.html").contains("data:image/svg+xml;base64,"));
    super::read(&out);
}
