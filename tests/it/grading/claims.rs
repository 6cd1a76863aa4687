//! What the hand-ins of the example class claim to be worth.

use super::root;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(serde::Deserialize)]
pub struct Claims {
    pub package: String,
    pub groups: Vec<u64>,
    pub participants: BTreeMap<String, Claim>,
}

#[derive(serde::Deserialize)]
pub struct Claim {
    pub language: String,
    pub points: Vec<u64>,
    pub verdicts: Vec<String>,
}

pub fn read_claims() -> Claims {
    toml::from_str(&std::fs::read_to_string(root().join("testdata/class.toml")).unwrap()).unwrap()
}

/// Whether it was said of a participant that others disturbed.
pub fn is_undecided(name: &str, graded: &Value) -> bool {
    let faults = graded["faults"].as_array().unwrap().iter().filter_map(Value::as_str);
    let is_of_others = |fault: &str| {
        ["undecided", "run again when the machine is quiet"].iter().any(|part| fault.contains(part))
    };
    faults.into_iter().any(|fault| fault.contains(&format!(" {name} on ")) && is_of_others(fault))
}
