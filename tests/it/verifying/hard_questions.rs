//! Output validators on outputs that no right solution prints.

use super::{kopek, package, verify_with};

/// The package's only output is a number.
fn validator(body: &str) -> String {
    format!("import sys\nanswer = open(sys.argv[2]).read().split()\ntext = sys.stdin.buffer.read()\n{body}")
}

fn remarks_with(body: &str) -> (i32, Vec<String>) {
    let source = validator(body);
    verify_with(&[("output_validator/check.py", Some(&source))])
}

#[test]
fn a_validator_that_reads_everything_is_asked_and_passes() {
    let body = "words = text.decode('latin-1').split()\nsys.exit(42 if words == answer else 43)\n";
    assert_eq!(remarks_with(body), (0, vec![]));
    let source = validator(body);
    let home = package(&[("output_validator/check.py", Some(&source))]);
    let text = String::from_utf8_lossy(&kopek(&home, &[]).stdout).into_owned();
    assert!(
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains("junk outputs refused by it"),
        "{text}"
    );
}

#[test]
fn a_validator_that_crashes_on_junk_is_an_error_once() {
    let body =
        "words = text.split()\nsys.exit(42 if len(words) == 1 and int(words[0]) == int(answer[0]) else 43)\n";
    let (code, remarks) = remarks_with(body);
    assert_eq!((code, remarks.len()), (1, 1), "{remarks:?}");
    let error = &remarks[0];
    for part in [
        "error output_validator: on a word (`what?`) as the output for data/sample/1.in, the output validator \
         exited with 1 instead of 42 or 43: ValueError: invalid literal for int()",
        "(line 5) (and on ",
        "→ let it exit with 43 for whatever a program can print",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert!(!error.contains("Traceback"), "{error}");
}

#[test]
fn a_validator_that_is_too_loose_is_a_warning_with_the_output() {
    let first_word = "words = text.decode('latin-1').split()\nsys.exit(42 if words[:1] == answer else 43)\n";
    let (code, remarks) = remarks_with(first_word);
    assert_eq!((code, remarks.len()), (0, 1), "{remarks:?}");
    let expected = "warning output_validator: the output validator accepts for data/sample/1.in: the answer with \
                    an extra word at its end (`7 what?`), the answer with an extra line behind it (`7\\nwhat?`), \
                    the answer twice (`7\\n7`) → let it exit with 43 for that";
    assert!(remarks[0].starts_with(expected), "{remarks:?}");
    let not_a_number = "try: sys.exit(43 if abs(float(text) - float(answer[0])) > 1e-6 else 42)\n\
                        except ValueError: sys.exit(43)\n";
    let (code, remarks) = remarks_with(not_a_number);
    assert!(
        code == 0 && remarks.len() == 1 && remarks[0].contains("data/sample/1.in: `nan`, the"),
        "{remarks:?}"
    );
    let (code, remarks) = remarks_with("sys.exit(42 if text != b'6\\n' else 43)\n");
    assert!(
        code == 1 && remarks.iter().any(|one| one.contains("nothing at all, an empty line, a word")),
        "{remarks:?}"
    );
}

#[test]
fn what_is_accepted_for_no_points_is_as_good_as_refused() {
    let body = "right = text.decode('latin-1').split() == answer\n\
                open(sys.argv[3] + 'score_multiplier.txt', 'w').write('1' if right else '0')\nsys.exit(42)\n";
    let (_, remarks) = remarks_with(body);
    assert!(remarks.iter().all(|one| !one.contains("the output validator accepts for")), "{remarks:?}");
}
