//! Checks the comparison against a slow and simple one, with blocks of a few bytes.

use super::{
    CompareOptions, compare,
    compare::compare_tapes,
    decimal_token::{DecimalToken, MAX_LENGTH},
    tape::{Tape, is_space},
};
use proptest::{prelude::*, sample::select};

/// Pieces: white space with the token after it.
fn pieces(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut pieces = vec![(vec![], vec![])];
    for &byte in text {
        if is_space(byte) && !pieces.last().unwrap().1.is_empty() {
            pieces.push((vec![], vec![]));
        }
        let last = pieces.last_mut().unwrap();
        if is_space(byte) { last.0.push(byte) } else { last.1.push(byte) }
    }
    pieces
}

fn same_token(answer: &[u8], output: &[u8], options: &CompareOptions) -> bool {
    match (options.tolerance.is_set(), DecimalToken::read(answer)) {
        (true, Some(expected)) => {
            DecimalToken::read(output).is_some_and(|found| options.tolerance.accepts(&expected, &found))
        }
        _ if options.case_sensitive => answer == output,
        _ => answer.eq_ignore_ascii_case(output),
    }
}

fn slow_and_obvious(answer: &[u8], output: &[u8], options: &CompareOptions) -> bool {
    let (a, b) = (pieces(answer), pieces(output));
    let tokens = |pieces: &[(Vec<u8>, Vec<u8>)]| -> Vec<Vec<u8>> {
        pieces.iter().map(|piece| piece.1.clone()).filter(|token| !token.is_empty()).collect()
    };
    let spaces =
        |pieces: &[(Vec<u8>, Vec<u8>)]| -> Vec<Vec<u8>> { pieces.iter().map(|p| p.0.clone()).collect() };
    let (wanted, found) = (tokens(&a), tokens(&b));
    wanted.len() == found.len()
        && wanted.iter().zip(&found).all(|(a, b)| same_token(a, b, options))
        && (!options.space_change_sensitive || without_empty_end(spaces(&a)) == without_empty_end(spaces(&b)))
}

/// The white space without the empty piece after the last token.
fn without_empty_end(mut spaces: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    while spaces.last().is_some_and(Vec::is_empty) {
        spaces.pop();
    }
    spaces
}

pub fn some_options() -> impl Strategy<Value = CompareOptions> {
    let tolerance =
        select(vec!["", "float_tolerance 0.1", "float_absolute_tolerance 0", "float_relative_tolerance 0.5"]);
    (any::<bool>(), any::<bool>(), tolerance).prop_map(|(case, space, tolerance)| {
        let args: Vec<String> = tolerance.split_whitespace().map(str::to_owned).collect();
        CompareOptions {
            case_sensitive: case,
            space_change_sensitive: space,
            ..CompareOptions::parse(&args).unwrap()
        }
    })
}

pub fn some_text() -> impl Strategy<Value = Vec<u8>> {
    let parts = vec![
        " ", "\n", "\r\n", "\t", "\x0b\x0c", "a", "A", "ab", "0", "1", "1.0", "1.05", "-1e0", ".", "\0", "e",
    ];
    proptest::collection::vec(select(parts), 0..12).prop_map(|parts| parts.concat().into_bytes())
}

/// Another text, or the same with one part replaced: nearly equal pairs are the hard ones.
pub fn some_pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let near = (some_text(), some_text(), any::<proptest::sample::Index>(), 0..3usize).prop_map(
        |(text, other, at, gone)| {
            let at = at.index(text.len() + 1);
            let rest = &text[(at + gone).min(text.len())..];
            let few = &other[..other.len().min(2)];
            (text.clone(), [&text[..at], few, rest].concat())
        },
    );
    prop_oneof![near, (some_text(), some_text())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn blocks_of_any_size_decide_as_the_obvious_way((a, b) in some_pair(), options in some_options(), block in 1..17usize) {
        let decided = compare_tapes(Tape::Memory(&a), Tape::Memory(&b), &options, block).unwrap();
        prop_assert_eq!(decided.is_none(), slow_and_obvious(&a, &b, &options));
        prop_assert_eq!(decided, compare(&a, &b, &options));
    }

    #[test]
    fn arbitrary_bytes_are_compared_without_harm(a: Vec<u8>, b: Vec<u8>, options in some_options()) {
        prop_assert!(compare(&a, &a, &options).is_none());
        prop_assert_eq!(compare(&a, &b, &options).is_none(), slow_and_obvious(&a, &b, &options));
    }
}

#[test]
fn files_are_compared_as_memory_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("answer");
    for (answer, output) in
        [("", ""), ("", "\n"), ("1 2\n", "1\n2"), ("", "x"), ("1", ""), ("1 2 3", "1 2 4")]
    {
        std::fs::write(&path, answer).unwrap();
        std::fs::write(dir.path().join("output"), output).unwrap();
        let file = std::fs::File::open(dir.path().join("output")).unwrap();
        let decided = super::compare_files(&path, &file, &CompareOptions::default()).unwrap();
        assert_eq!(decided, compare(answer.as_bytes(), output.as_bytes(), &CompareOptions::default()));
    }
}

#[test]
fn letters_of_another_case_begin_a_token_that_white_space_ends() {
    let is_same = |answer: &str, output: &str| {
        compare(answer.as_bytes(), output.as_bytes(), &CompareOptions::default()).is_none()
    };
    assert!(is_same("A b", "a  B") && is_same("AB", "ab"));
    for (answer, output) in [("A b", "ab"), ("Ab", "a b"), ("x A b", "x ab")] {
        assert!(!is_same(answer, output) && !is_same(output, answer), "{answer} | {output}");
    }
}

#[test]
fn numbers_longer_than_reason_are_compared_as_text() {
    let args = ["float_tolerance".to_owned(), "1".to_owned()];
    let options = CompareOptions::parse(&args).unwrap();
    let long = |last: &str| format!("{}{last}", "1".repeat(MAX_LENGTH)).into_bytes();
    assert!(compare(&long("1"), &long("1"), &options).is_none());
    assert!(compare(&long("1"), &long("2"), &options).is_some());
    assert!(compare(b"1", &long("1"), &options).is_some());
}
