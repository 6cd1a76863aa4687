//! The command itself, with real programs in a real sandbox.

use super::{grade_class, json, lacks_toolchain, root};
use crate::scratch;
use serde_json::Value;
use std::{collections::BTreeMap, path::Path};

#[derive(serde::Deserialize)]
pub struct Claims {
    package: String,
    groups: Vec<u64>,
    pub participants: BTreeMap<String, Claim>,
}

#[derive(serde::Deserialize)]
pub struct Claim {
    language: String,
    pub points: Vec<u64>,
    verdicts: Vec<String>,
}

pub fn read_claims() -> Claims {
    toml::from_str(&std::fs::read_to_string(root().join("testdata/class.toml")).unwrap()).unwrap()
}

#[test]
fn the_example_class_gets_what_its_claims_say() {
    let (claims, store) = (read_claims(), scratch::store());
    let output = grade_class(&store, "json").output().unwrap();
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
        if lacks_toolchain(&claim.language) {
            assert!(row["points"].is_null(), "{name}: a missing toolchain is no verdict");
            continue;
        }
        if row["points"].is_null() && is_undecided(name, &graded) {
            continue; // The machine was too busy to tell.
        }
        assert_eq!(row["points"], claim.points.iter().sum::<u64>(), "{name}: {row:#}");
        assert_eq!(row["language"], claim.language.as_str(), "{name}");
        let verdict = row["verdict"].as_str().unwrap_or("none");
        assert!(claim.verdicts.iter().any(|v| v == verdict), "{name}: {verdict}, not {:?}", claim.verdicts);
    }
    if graded["faults"].as_array().unwrap().is_empty() {
        a_second_run_does_nothing(&store, &graded);
    }
}

/// Whether it was said of a participant that others disturbed.
pub fn is_undecided(name: &str, graded: &Value) -> bool {
    let faults = graded["faults"].as_array().unwrap().iter().filter_map(Value::as_str);
    faults.into_iter().any(|fault| fault.contains(&format!(" {name} on ")) && fault.contains("undecided"))
}

fn a_second_run_does_nothing(store: &Path, first: &Value) {
    assert_eq!(json(&grade_class(store, "json").output().unwrap())["participants"], first["participants"]);
    let text = String::from_utf8(grade_class(store, "text").output().unwrap().stdout).unwrap();
    assert!(text.contains(" 0 jobs done"), "{text}");
}
