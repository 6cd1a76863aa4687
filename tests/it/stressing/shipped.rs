//! Shrinking with the validators of the packages that ship: whatever fails everywhere ends at their least input.

use super::{inputs_of, kopek, report};
use crate::scratch;
use std::{fs, path::Path};

/// The least input that the validators of a package accept.
const MINIMAL: [(&str, &str); 3] = [
    ("burning-coins", "1\n1\n1\n"),
    ("optimal-strategy", "2\n0 0\n"),
    ("from-russia-with-love", "1\n1 1 0\n0\n"),
];

#[test]
fn shrinking_never_leaves_the_language_of_the_validators() {
    let home = tempfile::tempdir().unwrap();
    let silent = home.path().join("silent.c");
    fs::write(&silent, "int main(void) { return 0; }\n").unwrap();
    for (name, min) in MINIMAL {
        let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems").join(name);
        let (package, silent) = (package.to_str().unwrap(), silent.to_str().unwrap());
        let args = ["stress", package, silent, "--format", "json", "--time", "60s"];
        let report = report(&kopek(&scratch::store(), &args));
        assert_eq!(inputs_of(&report), [("silent.c", min)], "{report:#}");
        assert_eq!(report["findings"][0]["shrinking"], "minimal", "{report:#}");
    }
}
