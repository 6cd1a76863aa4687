//! The points that the hand-ins of the classes in `testdata` must get.

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

/// The example class, and participants in languages whose compilers few machines have.
pub const CLASSES: [&str; 2] = ["class", "polyglots"];

pub fn read_claims(class: &str) -> Claims {
    let file = root().join("testdata").join(class).with_extension("toml");
    toml::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

/// Whether it was said of a participant that others disturbed.
pub fn is_undecided(name: &str, graded: &Value) -> bool {
    let faults = graded["faults"].as_array().unwrap().iter().filter_map(Value::as_str);
    let is_of_others =
        |fault: &str| ["undecided", "run again on an idle machine"].iter().any(|part| fault.contains(part));
    faults.into_iter().any(|fault| fault.contains(&format!(" {name} on ")) && is_of_others(fault))
}

#[test]
fn the_example_class_needs_only_a_c_and_cpp_compiler_python_and_rust() {
    let claims = read_claims("class");
    let names: Vec<&str> = claims.participants.keys().map(String::as_str).collect();
    assert_eq!(names.len(), 13, "{names:?}");
    for (name, claim) in &claims.participants {
        let language = claim.language.as_str();
        assert!(["c", "cpp", "python3", "rust"].contains(&language), "{name}: {language}");
    }
    let files = std::fs::read_dir(root().join("testdata/class")).unwrap();
    let mut handed_in: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    handed_in.sort();
    let handed_in: Vec<_> =
        handed_in.iter().map(|file| file.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(handed_in, names);
}
