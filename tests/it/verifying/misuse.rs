//! Validators and graders that break the rules of the format: errors of the package, not of the machine.

use super::{LEGACY, code_and_remarks, fake_text, flat, verified_fake, verify_with};
use crate::{fake_machine::USUAL_WISHES, scratch::memory_dir};
use std::fs;

/// A validator that runs a statement before it accepts the answer of one case.
fn validator(statement: &str) -> String {
    format!("if words(text) != words(file(args[1])): refuse\nif text == \"3\\n\": {statement}\naccept\n")
}

#[test]
fn a_score_file_that_is_no_number_is_an_error_of_the_package() {
    let source = validator("write \"feedback/score.txt\", \"many\"");
    let changes = [("output_validator/check.py", Some(source.as_str()))];
    let expected = "error output_validator: judging accepted/sum.py on secret/1/a: the output validator's \
                    score.txt: `many` is not a decimal number of reasonable length (and on 1 more output) → fix it; \
                    it must exit with 43 for any output it rejects";
    let (code, remarks) = verify_with(&changes);
    assert!(code == 1 && remarks.iter().any(|remark| remark == expected), "{remarks:?}");
    assert!(!remarks.iter().any(|remark| remark.starts_with("fault ")), "{remarks:?}");
    let text = flat(&fake_text(&changes, USUAL_WISHES));
    assert!(!text.contains("skipped"), "{text}");
}

#[test]
fn a_score_file_in_a_pass_fail_group_is_reported_with_the_remedy() {
    let source = validator("write \"feedback/score.txt\", \"1\"");
    let (code, remarks) = verify_with(&[("output_validator/check.py", Some(&source))]);
    let expected = "error output_validator: judging accepted/sum.py: secret/1/a: a score file in a pass-fail group: \
                    set its `score_aggregation` to `sum` or `min`, or write none";
    assert!(code == 1 && remarks[0].starts_with(expected), "{remarks:?}");
}

#[test]
fn a_grader_that_fails_or_does_not_compile_is_an_error_of_the_package_with_the_submission() {
    for (grader, expected) in [
        ("if has(text, \"WA\"): exit 1\nprint \"AC 1\"\n", "grader g failed on secret/2: it exited with 1"),
        ("build refused\n", "grader g: it does not compile"),
    ] {
        let home = memory_dir();
        let files = [
            ("graders/g.py", grader),
            ("data/testdata.yaml", "grading: custom\n"),
            ("submissions/wrong_answer/x.py", "print 7\n"),
        ];
        for (path, text) in LEGACY.iter().copied().chain(files) {
            let path = home.path().join("sum").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let (code, remarks) = code_and_remarks(&verified_fake(&home, USUAL_WISHES));
        assert_eq!(code, 1, "{remarks:?}");
        let expected = format!("judging wrong_answer/x.py: {expected}");
        assert!(remarks.iter().any(|remark| remark.contains(&expected)), "{remarks:?}");
        assert!(!remarks.iter().any(|remark| remark.starts_with("fault grading")), "{remarks:?}");
    }
}
