//! Output validators on outputs that no right solution prints.

use super::{fake_text, flat, verify_really, verify_with};
use crate::fake_machine::USUAL_WISHES;

/// The package's only output is a number.
fn remarks_with(body: &str) -> (i32, Vec<String>) {
    let source = format!("answer = words(file(args[1]))\nseen = words(text)\n{body}accept\n");
    verify_with(&[("output_validator/check.py", Some(&source))])
}

#[test]
fn a_validator_that_reads_everything_is_asked_and_passes() {
    assert_eq!(remarks_with("if seen != answer: refuse\n"), (0, vec![]));
    let source = "if words(text) != words(file(args[1])): refuse\naccept\n";
    let text = flat(&fake_text(&[("output_validator/check.py", Some(source))], USUAL_WISHES));
    assert!(text.contains("junk outputs rejected by it"), "{text}");
}

#[test]
fn a_validator_that_crashes_on_junk_is_an_error_once() {
    let source = "import sys\nanswer = open(sys.argv[2]).read().split()\ntext = sys.stdin.buffer.read()\n\
                  words = text.split()\n\
                  sys.exit(42 if len(words) == 1 and int(words[0]) == int(answer[0]) else 43)\n";
    let (code, remarks) = verify_really(&[("output_validator/check.py", Some(source))]);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
    let error = &remarks[0];
    for part in [
        "error output_validator: on a word (`what?`) as the output for data/sample/1.in, the output validator \
         exited with 1 instead of 42 or 43: ValueError: invalid literal for int()",
        "(line 5) (and on ",
        "→ make it exit with 43 for any output it rejects",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert!(!error.contains("Traceback"), "{error}");
}

#[test]
fn a_validator_that_is_too_loose_is_a_warning_with_the_output() {
    let first_word = "if seen[0..1] != answer: refuse\n";
    let (code, remarks) = remarks_with(first_word);
    assert_eq!((code, remarks.len()), (0, 1), "{remarks:?}");
    let expected = "warning output_validator: the output validator accepts for data/sample/1.in: the answer with \
                    an extra word at its end (`7 what?`), the answer with an extra line behind it (`7\\nwhat?`), \
                    the answer twice (`7\\n7`) → make it exit with 43 for that";
    assert!(remarks[0].starts_with(expected), "{remarks:?}");
    let not_a_number = "if len(seen) == 1 and seen[0] == \"nan\": accept\nif seen != answer: refuse\n";
    let (code, remarks) = remarks_with(not_a_number);
    assert!(
        code == 0 && remarks.len() == 1 && remarks[0].contains("data/sample/1.in: `nan`, the"),
        "{remarks:?}"
    );
    let (code, remarks) = remarks_with("if text == \"6\\n\": refuse\n");
    assert!(
        code == 1 && remarks.iter().any(|one| one.contains("nothing at all, an empty line, a word")),
        "{remarks:?}"
    );
}

#[test]
fn acceptance_for_no_points_is_as_good_as_a_refusal() {
    let body = "write \"feedback/score_multiplier.txt\", seen == answer\n";
    let (_, remarks) = remarks_with(body);
    assert!(remarks.iter().all(|one| !one.contains("the output validator accepts for")), "{remarks:?}");
}
