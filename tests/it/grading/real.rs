//! The command itself, with real programs in a real sandbox.

use super::{grade, json, missing, root, store};
use serde_json::Value;
use std::{collections::BTreeMap, path::Path, process::Command};

#[derive(serde::Deserialize)]
struct Claims {
    package: String,
    groups: Vec<u64>,
    participants: BTreeMap<String, Claim>,
}

#[derive(serde::Deserialize)]
struct Claim {
    language: String,
    points: Vec<u64>,
    verdicts: Vec<String>,
}

fn claims() -> Claims {
    toml::from_str(&std::fs::read_to_string(root().join("testdata/class.toml")).unwrap()).unwrap()
}

#[test]
fn the_example_class_gets_what_its_claims_say() {
    let (claims, store) = (claims(), store("class"));
    let output = grade(&store).output().unwrap();
    let graded = json(&output);
    assert_eq!(graded["package"], claims.package.as_str());
    let maxima: Vec<u64> =
        graded["groups"].as_array().unwrap().iter().filter_map(|g| g["max"].as_u64()).collect();
    assert_eq!(maxima, claims.groups);
    let rows: BTreeMap<&str, &Value> = graded["participants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["name"].as_str().unwrap(), row))
        .collect();
    assert_eq!(rows.keys().copied().collect::<Vec<_>>(), claims.participants.keys().collect::<Vec<_>>());
    for (name, claim) in &claims.participants {
        let row = rows[name.as_str()];
        if missing(&claim.language) {
            assert!(row["points"].is_null(), "{name}: a missing toolchain is no verdict");
            continue;
        }
        assert_eq!(row["points"], claim.points.iter().sum::<u64>(), "{name}: {row:#}");
        assert_eq!(row["language"], claim.language.as_str(), "{name}");
        let verdict = row["verdict"].as_str().unwrap_or("none");
        assert!(claim.verdicts.iter().any(|v| v == verdict), "{name}: {verdict}, not {:?}", claim.verdicts);
    }
    a_second_run_does_nothing(&store, &graded);
}

/// No build, no trial, and hardly any time of our own.
fn a_second_run_does_nothing(store: &Path, first: &Value) {
    assert_eq!(json(&grade(store).output().unwrap())["participants"], first["participants"]);
    let script = r#""$0" grade problems/from-russia-with-love testdata/class --store "$1"; times"#;
    let mut timed = Command::new("sh");
    timed.args(["-c", script, env!("CARGO_BIN_EXE_kopek")]).arg(store).current_dir(root());
    let output = timed.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(" 0 jobs done"), "{text}");
    let cpu: f64 = text.lines().last().unwrap().split(' ').map(seconds).sum();
    println!("a run over an unchanged class: {cpu:.3} s of CPU");
    assert!(cpu < 0.5, "{cpu} s of CPU for nothing");
}

/// `0m0.030s` as the shell's `times` prints it.
fn seconds(text: &str) -> f64 {
    let (minutes, seconds) = text.trim_end_matches('s').split_once('m').unwrap();
    minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
}
