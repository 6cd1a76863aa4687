//! Shrinking on languages that are defined here: it keeps inputs valid, ends, and is deterministic.

use super::{
    edits::Edit,
    reductions::REDUCTIONS,
    shrinking::{ShrinkReply, ShrunkInput, shrink_input},
};
use crate::form::{InputText, LaidInput, compare_size};
use proptest::prelude::*;
use std::cmp::Ordering;

fn laid(bytes: &[u8]) -> LaidInput {
    LaidInput::of_form(None, InputText::read(bytes))
}

type Predicate = fn(&[u8]) -> bool;

/// Shrinks an input under a predicate: that it is valid and fails.
fn shrink(input: &[u8], holds: Predicate) -> ShrunkInput {
    let attempt = &mut |candidates: Vec<Vec<u8>>| {
        let first = candidates.iter().position(|bytes| holds(bytes));
        Ok(reply_of(first))
    };
    shrink_input(None, input, attempt).unwrap()
}

fn reply_of(first_that_fails: Option<usize>) -> ShrinkReply {
    match first_that_fails {
        Some(at) => ShrinkReply::Fails(at),
        None => ShrinkReply::NoneFails,
    }
}

/// Numbers line by line, if blanks and newlines are in canonical form.
fn read_rows(bytes: &[u8]) -> Option<Vec<Vec<i64>>> {
    let text = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let number = |word: &str| word.parse::<i64>().ok().filter(|number| number.to_string() == word);
    text.split('\n').map(|line| line.split(' ').map(number).collect()).collect()
}

/// `n`, then a row of `n` numbers; fails if a number occurs twice with a greater one between.
fn valley(bytes: &[u8]) -> bool {
    let Some([head, row]) = read_rows(bytes).and_then(|rows| <[Vec<i64>; 2]>::try_from(rows).ok()) else {
        return false;
    };
    let n = row.len();
    let is_valid = head == [n as i64] && n <= 1000 && row.iter().all(|x| (1..=1_000_000_000).contains(x));
    is_valid && (0..n).any(|i| (i + 1..n).any(|j| (j + 1..n).any(|k| row[i] == row[k] && row[j] > row[i])))
}

/// `n m`, then `m` edges between different nodes from 1 to `n`; fails if there is a triangle.
fn triangle(bytes: &[u8]) -> bool {
    let Some(rows) = read_rows(bytes) else { return false };
    let [n, m] = rows[0][..] else { return false };
    let is_valid = rows.len() as i64 == m + 1
        && (1..=100).contains(&n)
        && rows[1..].iter().all(|e| e.len() == 2 && e[0] != e[1] && e.iter().all(|v| (1..=n).contains(v)));
    let has = |a: i64, b: i64| rows[1..].iter().any(|e| e[..] == [a, b] || e[..] == [b, a]);
    is_valid && (1..=n).any(|a| (a + 1..=n).any(|b| has(a, b) && (b + 1..=n).any(|c| has(a, c) && has(b, c))))
}

/// `t` tests, each of `n` and a row of `n`; fails if the maximum of some row is above 100.
fn several_tests(bytes: &[u8]) -> bool {
    let Some(rows) = read_rows(bytes) else { return false };
    let is_valid = rows[0].len() == 1
        && rows.len() as i64 == 1 + 2 * rows[0][0]
        && rows[1..].chunks(2).all(|test| test[0].len() == 1 && test[0][0] == test[1].len() as i64);
    is_valid && rows[1..].chunks(2).any(|test| test[1].iter().any(|x| *x > 100))
}

#[test]
fn what_counts_is_lowered_with_what_it_counts() {
    for (input, holds, smallest) in [
        ("9\n5 900 31 7 88 1000000 31 2 999\n", valley as Predicate, "3\n1 2 1\n"),
        ("7 6\n1 7\n7 5\n2 4\n5 1\n6 3\n4 6\n", triangle, "3 3\n1 2\n1 3\n2 3\n"),
        ("3\n2\n5 5\n4\n1 700 8 1\n1\n9\n", several_tests, "1\n1\n101\n"),
    ] {
        assert!(holds(input.as_bytes()), "{input}");
        let shrunk = shrink(input.as_bytes(), holds);
        assert_eq!(String::from_utf8_lossy(&shrunk.bytes), smallest, "{:?}", shrunk.steps);
        assert!(shrunk.is_minimal);
    }
}

#[test]
fn two_changes_at_once_reach_what_no_single_one_does() {
    for (input, smallest) in [
        ("3\n1 2 0\n", "3\n0 2 1\n"),
        ("2\n1\n1\n", "1\n0\n"),
        ("abba\n", "aabb\n"),
        ("2\n1 -1\n", "2\n-1 1\n"),
    ] {
        let mut attempt = |candidates: Vec<Vec<u8>>| {
            let found = candidates.iter().position(|bytes| bytes == smallest.as_bytes());
            Ok(reply_of(found))
        };
        let shrunk = shrink_input(None, input.as_bytes(), &mut attempt).unwrap();
        assert_eq!(String::from_utf8_lossy(&shrunk.bytes), smallest);
        assert!(shrunk.is_minimal && shrunk.tried < 2000, "{input}: {} tried", shrunk.tried);
    }
}

/// A row of numbers; fails if one does not fit into 16 bits and another is at least a third of it.
fn great_numbers(bytes: &[u8]) -> bool {
    let Some(rows) = read_rows(bytes) else { return false };
    let is_great = |x: &i64| (32_768..=1_000_000_000).contains(x);
    rows.len() == 1 && rows[0].iter().any(|x| is_great(x) && rows[0].iter().any(|y| y != x && y * 3 >= *x))
}

#[test]
fn a_bound_that_nothing_names_is_found_in_few_steps() {
    let input = b"5 812345678 77 900000001 3\n";
    assert!(great_numbers(input));
    let shrunk = shrink(input, great_numbers);
    assert_eq!(String::from_utf8_lossy(&shrunk.bytes), "10923 32768\n");
    assert!(shrunk.tried < 3000, "{}", shrunk.tried);
}

/// `n` and `n` equal numbers; fails if `n` is odd and at least 3.
fn odd_row(bytes: &[u8]) -> bool {
    let Some([head, row]) = read_rows(bytes).and_then(|rows| <[Vec<i64>; 2]>::try_from(rows).ok()) else {
        return false;
    };
    head == [row.len() as i64] && row.len() >= 3 && row.len() % 2 == 1 && row.iter().all(|x| *x == row[0])
}

#[test]
fn what_is_odd_stays_odd_and_becomes_small() {
    let shrunk = shrink(b"15\n7 7 7 7 7 7 7 7 7 7 7 7 7 7 7\n", odd_row);
    assert_eq!(String::from_utf8_lossy(&shrunk.bytes), "3\n0 0 0\n", "{:?}", shrunk.steps);
}

/// A word; fails if three letters in a row and the three after the first two are the same.
fn repeats_itself(bytes: &[u8]) -> bool {
    let Some(word) = bytes.strip_suffix(b"\n") else { return false };
    word.iter().all(u8::is_ascii_lowercase)
        && (0..word.len()).any(|at| {
            (1..3).any(|by| word.len() >= at + by + 3 && word[at..at + 3] == word[at + by..at + by + 3])
        })
}

#[test]
fn equal_letters_become_others_together() {
    let shrunk = shrink(b"pyiyiyq\n", repeats_itself);
    assert_eq!(String::from_utf8_lossy(&shrunk.bytes), "aaaa\n", "{:?}", shrunk.steps);
}

#[test]
fn shrinking_stops_when_it_is_asked_to() {
    let mut replies = [ShrinkReply::NoneFails, ShrinkReply::Fails(0), ShrinkReply::Stop].into_iter();
    let attempt = &mut |_: Vec<Vec<u8>>| Ok(replies.next().expect("nothing is asked after a stop"));
    let shrunk = shrink_input(None, b"4\n9 8 7 6\n", attempt).unwrap();
    assert_eq!((shrunk.steps.len(), shrunk.is_minimal), (1, false));
}

/// A row with a valley somewhere.
fn valleys() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(1..9i64, 3..40).prop_map(|row| {
        let row: Vec<String> = row.iter().chain(&[1, 2, 1]).map(i64::to_string).collect();
        format!("{}\n{}\n", row.len(), row.join(" ")).into_bytes()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn what_is_shrunk_is_valid_fails_and_is_always_the_same(input in valleys()) {
        let shrunk = shrink(&input, valley);
        prop_assert!(valley(&shrunk.bytes));
        prop_assert_eq!(&shrunk, &shrink(&input, valley));
        prop_assert!(compare_size(&shrunk.bytes, &input) != Ordering::Greater);
        prop_assert_eq!(&shrunk.bytes[..], b"3\n1 2 1\n");
    }

    #[test]
    fn what_is_shrunk_stays_among_graphs_and_among_files_of_tests(
        edges in prop::collection::vec((1..30usize, 1..30usize), 0..40),
        rows in prop::collection::vec(prop::collection::vec(1..300i64, 1..6), 0..6),
    ) {
        let edge = |(a, b): &(usize, usize)| if a == b { format!("{a} 31\n") } else { format!("{a} {b}\n") };
        let graph: String = edges.iter().chain(&[(3, 5), (7, 3), (5, 7)]).map(edge).collect();
        let graph = format!("31 {}\n{graph}", edges.len() + 3);
        let words = |row: &Vec<i64>| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let rows: Vec<Vec<i64>> = rows.into_iter().chain([vec![8, 299]]).collect();
        let tests: String = rows.iter().map(|row| format!("{}\n{}\n", row.len(), words(row))).collect();
        let tests = format!("{}\n{tests}", rows.len());
        for (input, holds) in [(graph, triangle as Predicate), (tests, several_tests)] {
            prop_assert!(holds(input.as_bytes()), "{}", input);
            let shrunk = shrink(input.as_bytes(), holds);
            prop_assert!(holds(&shrunk.bytes) && shrunk.is_minimal);
            prop_assert!(compare_size(&shrunk.bytes, input.as_bytes()) != Ordering::Greater);
            prop_assert_eq!(&shrunk, &shrink(input.as_bytes(), holds));
        }
    }

    #[test]
    fn no_single_step_makes_it_smaller(input in valleys()) {
        let shrunk = shrink(&input, valley);
        let text = laid(&shrunk.bytes);
        let smaller = |edit: &Edit| edit.applied_to(&text).bytes();
        for reduction in REDUCTIONS {
            for bytes in (reduction.list)(&text).map(|edit| smaller(&edit)) {
                let is_less = compare_size(&bytes, &shrunk.bytes) == Ordering::Less;
                prop_assert!(!is_less || !valley(&bytes), "{}", reduction.name);
            }
        }
    }

    #[test]
    fn steps_on_arbitrary_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let text = laid(&bytes);
        for reduction in REDUCTIONS {
            (reduction.list)(&text).for_each(|edit| drop(edit.applied_to(&text).bytes()));
        }
    }

    #[test]
    fn steps_on_nearly_inputs_do_no_harm(text in "[0-4 \n]{0,40}") {
        let text = laid(text.as_bytes());
        for reduction in REDUCTIONS {
            (reduction.list)(&text).for_each(|edit| drop(edit.applied_to(&text).bytes()));
        }
    }
}
