//! `kopek-coins` as people and scripts see it.
#![expect(clippy::disallowed_methods, reason = "tests start the program")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// Runs `kopek-coins` with the words and the text on stdin.
fn coins(words: &str, input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_kopek-coins"))
        .args(words.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses may close its stdin first: then there is nothing to write to.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn fits_eighty_columns(text: &str) {
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{} columns: {line}", line.chars().count());
    }
}

/// Game, input, expected output.
const SAMPLES: &[(&str, &str, &str)] = &[
    (
        "from-russia-with-love",
        "3\n5 2 1\n1 3 2 5 4\n5 3 2\n1 1 8 5 5\n7 3 1\n100 100 1 1 8 5 5\n",
        "8\n5\n105\n",
    ),
    ("from-russia-with-love", "2\n2 500 499\n7 8\n1 1 0\n9\n", "0\n9\n"),
    ("burning-coins", "2\n3\n3 1 2\n4\n1 4 9 4\n", "4\n10\n"),
    ("a-game", "6\n4 7 2 9\n5 2\n", "18 11\n"),
    ("optimal-strategy", "4\n3 17 2 1\n", "18\n"),
    ("smart-and-dumb", "2\n4\n4 5 1 3\n1\n6\n", "9 8\n6 6\n"),
    ("removal-game", "3\n-3 -9 -2\n", "-11\n"),
    ("coins-in-a-row", "2\n1\n1000000000\n4\n2 1 0 1\n", "1000000000\n3\n"),
    ("rows-and-stacks", "2\nR 1\n0\nS 2\n0 1\n", "1 1\n"),
];

#[test]
fn value_turns_a_problems_input_into_its_output() {
    for (game, input, expected) in SAMPLES {
        for flag in ["", "--verify"] {
            let output = coins(&format!("value {game} {flag}"), input);
            assert_eq!(stdout(&output), *expected, "{game}: {output:?}");
            assert!(output.status.success() && output.stderr.is_empty(), "{game}: {output:?}");
        }
    }
}

#[test]
fn value_takes_small_rows_as_arguments() {
    assert_eq!(stdout(&coins("value from-russia-with-love -m 3 -k 2 1 1 8 5 5", "")), "5\n");
    assert_eq!(stdout(&coins("value removal-game -3 -9 -2", "")), "-11\n");
}

#[test]
fn wrong_input_is_refused_by_line_and_word() {
    let cases = [
        ("from-russia-with-love", "1\n3 2\n0\n1 2 x", "line 4: coin 3 of 3, `x`, is not a 64-bit integer"),
        ("from-russia-with-love", "1\n3 2 2\n1 2 3", "there is no player 2 among 2"),
        ("burning-coins", "2\n1\n5\n", "the input ends after line 3, where the number of coins should stand"),
        ("removal-game", "1\n5\n6\n", "line 3: `6` stands after the end of the input"),
        ("optimal-strategy", "1\n5\n", "even number of coins"),
        ("rows-and-stacks", "1\nT 1\n5\n", "line 2: component 1 begins with `T`"),
        ("coins-in-a-row", "1\n2\n9223372036854775807 1\n", "sum to more than 2^62"),
        ("coins-in-a-row", "1\n1\n9223372036854775808\n", "is not a 64-bit integer"),
    ];
    for (game, input, message) in cases {
        let output = coins(&format!("value {game}"), input);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(message), "{game}: {error}");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{game}");
    }
}

#[test]
fn a_piped_play_shows_the_row_the_worth_and_the_mistakes() {
    let output = coins("play 3 17 2 1 -m 2 -k 0 --seed 1", "?\nx\nl\nl\n");
    let text = stdout(&output);
    for part in ["(3) (17) (2) (1)", "left  (3): 5", "right (1): 18", "Right is better", "`x` is no move"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(text.contains("you could be sure of 18") && text.contains("turn 1: L was worth 5"), "{text}");
    fits_eighty_columns(&text);
}

#[test]
fn a_play_whose_input_ends_says_what_is_left() {
    let output = coins("play 3 17 2 1", "r\n");
    assert!(output.status.success());
    assert!(stdout(&output).contains("You leave with 1; 2 coins stay on the table."), "{output:?}");
}

#[test]
fn explain_shows_where_greed_fails() {
    let text = stdout(&coins("explain 3 17 2 1", ""));
    assert!(text.contains("can be sure of 18") && text.contains("wins only 5: at move 0"), "{text}");
    fits_eighty_columns(&text);
    let valley = stdout(&coins("explain 9 2 1 4 -m 3 -k 1", ""));
    assert!(valley.contains("Always taking the greater end also wins"), "{valley}");
}
