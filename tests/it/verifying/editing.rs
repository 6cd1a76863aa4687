//! Builds that look for mistakes.

use super::{kopek, package};
use std::fs;

/// Right on every case, and adds beyond the range of its type on the way.
const OVERFLOWS: &str = "#include <cstdio>\nint main() {\n  int n, sum = 0, x;\n  std::scanf(\"%d\", &n);\n  \
                         volatile int top = 2147483647;\n  for (int i = 0; i < n; i++) std::scanf(\"%d\", &x), sum \
                         += x;\n  top = top + n;\n  std::printf(\"%d\\n\", sum);\n}\n";

#[test]
fn undefined_behaviour_of_an_accepted_submission_is_an_error_at_its_line() {
    let home = package(&[("submissions/accepted/over.cpp", Some(OVERFLOWS))]);
    assert_eq!(kopek(&home, &[]).status.code(), Some(0), "it is accepted");
    let output = kopek(&home, &["--sanitize", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let remarks = all[0]["remarks"].as_array().unwrap();
    assert_eq!((output.status.code(), remarks.len()), (Some(1), 1), "{remarks:?}");
    assert_eq!(remarks[0]["at"], "submissions/accepted/over.cpp:7");
    assert!(remarks[0]["what"].as_str().unwrap().contains("signed integer overflow"), "{remarks:?}");
    let mended = OVERFLOWS.replace("  top = top + n;\n", "");
    fs::write(home.path().join("sum/submissions/accepted/over.cpp"), mended).unwrap();
    let output = kopek(&home, &["--sanitize"]);
    let words = String::from_utf8_lossy(&output.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("1 accepted submission clean under sanitizers on 4 small cases"), "{words}");
}
