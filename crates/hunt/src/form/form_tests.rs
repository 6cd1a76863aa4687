//! Which form usual inputs have, and that drawn inputs keep to it.

use super::{
    input_form::{FormCase, InputForm, MAX_INPUT, NoForm},
    input_lines::is_numeral,
    random::RandomStream,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn form_of(inputs: &[&str]) -> Result<InputForm, NoForm> {
    let mut cases = Vec::new();
    for (at, input) in inputs.iter().enumerate() {
        let name = format!("secret/{at}");
        cases.push(FormCase { name, input: input.as_bytes().to_vec(), is_sample: at == 0 });
    }
    InputForm::read(&cases)
}

/// Some drawn inputs.
fn drawn(inputs: &[&str]) -> BTreeSet<String> {
    let form = form_of(inputs).unwrap();
    let mut random = RandomStream::new(1, 1);
    let mut found = BTreeSet::new();
    for size in 0..200 {
        let input = form.draw(1 + size / 10, &mut random);
        found.extend(input.map(|bytes| String::from_utf8(bytes).unwrap()));
    }
    assert!(found.len() > 5, "{found:?}");
    found
}

fn numbers(input: &str) -> Vec<i64> {
    input.split_whitespace().map(|token| token.parse().unwrap()).collect()
}

#[test]
fn usual_inputs_have_a_form() {
    for (inputs, expected) in [
        (&["1 2 3\n", "-10 5 5\n", "100 0 7\n", "3 3 3\n"][..], "three integers, −10 to 100"),
        (&["3\n7 8 9\n", "1\n4\n", "5\n1 2 3 3 0\n"], "n (1 to 5); n integers, 0 to 9"),
        (&["3 7 8 9\n", "1 4\n", "5 1 2 3 3 0\n"], "n (1 to 5), n integers (0 to 9)"),
        (
            &["2\n1\n5\n2\n6 2\n", "1\n3\n9 1 1\n", "1\n4\n1 3 1 2\n"],
            "n (1 to 2); n times (m (1 to 4); m integers, 1 to 9)",
        ),
        (
            &["4\n1 2\n2 3\n3 4\n", "2\n1 2\n", "3\n1 2\n3 1\n", "5\n1 2\n1 3\n1 4\n1 5\n"],
            "n (2 to 5); n − 1 times (two integers, 1 to 5, in ascending order)",
        ),
        (
            &["3 4\n#..#\n....\n####\n", "1 2\n..\n", "2 2\n##\n.#\n"],
            "n (1 to 3), m (2 to 4); n times (a word, 2 to 4 letters of #., of one length)",
        ),
        (&["abc\n", "hello\n", "xyzzy\n"], "a word, 3 to 5 letters of a-z"),
        (&["hello world\n", "a b c d\n", "good\n"], "a line of text, 4 to 11 letters of a-z␣"),
        (&["1.50\n", "2.25\n", "100.00\n"], "a decimal, 1.50 to 100.00"),
        (
            &["3\n1 2\n4 5\n7 8\n2\n1 1\n3 3\n", "1\n5 5\n3\n1 2\n3 4\n5 6\n"],
            "n (1 to 3); n times (two integers, 1 to 8); m (2 to 3); m times (two integers, 1 to 6, increasing)",
        ),
        (
            &[
                "3\n1 1 5\n1 2 5\n2 1 4\n",
                "2\n1 1 5\n2 2 4\n",
                "4\n2 2 4\n1 2 4\n2 1 5\n1 1 4\n",
                "4\n1 1 5\n1 2 5\n2 1 4\n2 2 5\n",
            ],
            "n (2 to 4); n times (three integers, 1 to 5; no two lines equal in columns 1 and 2)",
        ),
        (
            &["2\n100 70\n9 31\n", "3\n100 5\n5 78\n100 78\n", "1\n9 9\n"],
            "n (1 to 3); n times (two integers, 5 to 100; no line twice)",
        ),
        (
            &["2\nanna\nbo\n", "3\ncarl\nanna\neve\n", "1\nanna\n"],
            "n (1 to 3); n times (a word, 2 to 4 letters of a-z, all different)",
        ),
        (
            &["2 3\n010\n110\n", "3 2\n01\n10\n01\n", "1 1\n0\n"],
            "n (1 to 3), m (1 to 3); n times (a word, 1 to 3 letters of 01, of one length)",
        ),
        (&["12345678901234567890123456789012345\n", "-7\n", "5\n"], "an integer, 1 to 35 digits"),
        (&["6\n", "10\n", "2\n", "4\n", "8\n", "100\n"], "an integer, 2 to 100, even"),
    ] {
        let form = form_of(inputs).unwrap();
        let shown = form.description();
        assert!(shown.starts_with(expected), "{shown}");
        assert!(inputs.iter().all(|input| form.accepts(input.as_bytes())), "{inputs:?}");
    }
}

#[test]
fn cases_without_a_common_form_have_none() {
    let long = "1 ".repeat(MAX_INPUT as usize / 2 + 1);
    for (inputs, why) in [
        (&[][..], NoForm::TooFew(0)),
        (&["1\n", "1\n"], NoForm::TooFew(1)),
        (&["1\n", "\0\n"], NoForm::NotText("secret/1".into())),
        (&["1\n", &long], NoForm::TooLarge("secret/1".into())),
        (&["3\npush 1\npop\npush 2\n", "2\npop\npop\n", "1\npush 9\n"], NoForm::Unlike),
        (&["1 2\n3\n", "abc\n"], NoForm::Unlike),
    ] {
        assert_eq!(form_of(inputs).map(|form| form.description()), Err(why));
    }
}

#[test]
fn all_decimals_of_a_place_are_in_its_range() {
    let lines: Vec<String> = (0..100).map(|at| format!("{at}.5\n")).collect();
    let inputs = [format!("100\n{}", lines.concat()), "1\n-0.25\n".to_owned()];
    let form = form_of(&[&inputs[0], &inputs[1]]).unwrap();
    assert_eq!(form.description(), "n (1 to 100); n times (a decimal, −0.25 to 99.50)");
}

#[test]
fn drawn_numbers_stay_in_their_ranges_and_orders() {
    let inputs = drawn(&["5 2\n9 3 1 4 4\n", "8 8\n1 1 1 9 1 1 1 2\n", "3 1\n2 7 5\n", "4 2\n1 2 3 9\n"]);
    for input in inputs {
        let numbers = numbers(&input);
        let items = &numbers[2..];
        assert!(items.len() as i64 == numbers[0] && (3..=8).contains(&numbers[0]), "{input}");
        assert!((1..=numbers[0]).contains(&numbers[1]), "k is at most n: {input}");
        assert!(items.iter().all(|item| (1..=9).contains(item)), "{input}");
    }
}

#[test]
fn a_range_of_which_every_value_is_a_case_grows() {
    let largest = |inputs: &[&str]| drawn(inputs).iter().flat_map(|input| numbers(input)).max();
    assert_eq!(largest(&["1\n", "2\n", "3\n", "4\n"]), Some(8));
    assert_eq!(largest(&["1\n", "20\n", "3\n", "4\n"]), Some(20));
}

#[test]
fn what_all_lists_are_stays_so() {
    let sorted = drawn(&["3\n1 5 9\n", "4\n2 2 7 8\n", "2\n1 4\n"]);
    assert!(sorted.iter().all(|input| numbers(input)[1..].is_sorted()));
    let permutations = drawn(&["3\n2 3 1\n", "4\n4 1 3 2\n", "5\n5 4 1 2 3\n"]);
    for input in permutations {
        let mut items = numbers(&input).split_off(1);
        items.sort_unstable();
        assert!(items.iter().copied().eq(1..=items.len() as i64), "{input}");
    }
    let even = drawn(&[
        "2\n6 8\n",
        "4\n1 2 3 4\n",
        "6\n1 1 1 2 2 2\n",
        "8\n1 2 3 4 5 6 7 8\n",
        "10\n1 1 1 1 1 1 1 1 1 1\n",
        "12\n1 2 1 2 1 2 1 2 1 2 1 2\n",
    ]);
    assert!(even.iter().all(|input| numbers(input)[0] % 2 == 0));
}

#[test]
fn lines_of_which_all_cases_have_no_two_equal_are_drawn_so() {
    let cases = [
        "3\n1 5 1\n1 5 2\n2 4 1\n",
        "2\n1 5 1\n2 4 2\n",
        "4\n2 4 2\n1 4 2\n2 5 1\n1 4 1\n",
        "4\n1 5 1\n1 5 2\n2 4 1\n2 5 2\n",
    ];
    let form = form_of(&cases).unwrap();
    assert!(form.description().ends_with("no two lines equal in columns 1 and 3)"), "{}", form.description());
    assert!(!form.accepts(b"3\n1 4 1\n2 4 1\n1 5 1\n"));
    assert!(form.accepts(b"3\n1 4 1\n2 4 1\n1 4 2\n"));
    for input in drawn(&cases) {
        let numbers = numbers(&input);
        let points: BTreeSet<[i64; 2]> = numbers[1..].chunks(3).map(|line| [line[0], line[2]]).collect();
        assert_eq!(points.len() as i64, numbers[0], "{input}");
    }
}

#[test]
fn digits_are_drawn_as_they_are_written() {
    let large = "98765432109876543210987654321098765";
    for input in drawn(&[&format!("{large}\n"), "-60\n", "5\n", "120\n"]) {
        assert!(is_numeral(input.trim_end()), "{input}");
    }
    let grids = drawn(&["2 3\n010\n110\n", "3 2\n01\n10\n01\n", "1 1\n0\n"]);
    assert!(
        grids.iter().any(|input| input.contains("\n00\n")) && grids.iter().all(|input| !input.contains('.'))
    );
}

#[test]
fn lengths_of_words_and_lists_are_sizes_as_numbers_are() {
    for input in drawn(&["hello\n3\n", "abc\n1\n", "ab\n2\n", "abcdefg\n7\n"]) {
        let (word, number) = input.split_once('\n').unwrap();
        assert!((1..=word.len()).contains(&number.trim().parse().unwrap()), "{input}");
    }
    for input in drawn(&["1 2 3\n4 4 4\n", "7 2\n5 2\n", "1\n8\n", "1 5 2 2 1\n1 3 2 2 2\n"]) {
        let lengths: Vec<usize> = input.lines().map(|line| line.split(' ').count()).collect();
        assert_eq!(lengths[0], lengths[1], "{input}");
    }
    for input in drawn(&["3\nabc\nxyz\n", "1\nb\nz\n", "5\nhello\nworld\n", "2\nno\nof\n"]) {
        let lengths: Vec<usize> = input.lines().map(str::len).collect();
        assert!(lengths[1] == lengths[2], "{input}");
    }
}

#[test]
fn lists_whose_length_follows_oddly_have_no_form() {
    // Half of the number before.
    let halves = ["2\n7\n", "4\n1 6\n", "6\n1 8 3\n", "8\n1 2 2 9\n"];
    assert_eq!(form_of(&halves).map(|form| form.description()), Err(NoForm::Unlike));
    // Lines of any lists read everything.
    let any = ["1 2\n3\n", "1\n4 4 4\n2\n", "2 2\n1 1 1 1\n"];
    assert_eq!(form_of(&any).map(|form| form.description()), Err(NoForm::Unlike));
}

#[test]
fn nodes_before_each_node_are_drawn_as_a_tree() {
    let cases = ["5\n1 2 2 4\n", "2\n1\n", "7\n1 1 1 3 5 6\n", "9\n1 2 3 4 5 6 6 1\n", "4\n1 2 1\n"];
    let form = form_of(&cases).unwrap();
    assert_eq!(form.description(), "n (2 to 9); n − 1 integers, 1 to 6, number i at most i");
    assert!(!form.accepts(b"3\n2 1\n"));
    for input in drawn(&cases) {
        let numbers = numbers(&input);
        let is_before = |(at, node): (usize, &i64)| *node <= at as i64 + 1;
        assert!(numbers[1..].iter().enumerate().all(is_before), "{input}");
    }
}

#[test]
fn grids_keep_what_is_once_in_all_of_them() {
    let cases = [
        "2 3\n..S\n#..\n",
        "1 2\n.S\n",
        "3 3\n.#.\n##.\nS#.\n",
        "2 2\n.S\n#.\n",
        "1 4\n.#S#\n",
        "3 1\n.\nS\n#\n",
        "4 4\n.###\n##.#\n####\nS..#\n",
        "1 3\n.S#\n",
    ];
    let form = form_of(&cases).unwrap();
    assert_eq!(
        form.description(),
        "n (1 to 4), m (1 to 4); n times (a word, 1 to 4 letters of #.S, of one length, one S, . first)"
    );
    for input in ["1 2\n..\n", "1 3\n.SS\n", "1 2\n#S\n"] {
        assert!(!form.accepts(input.as_bytes()), "{input}");
    }
    for input in drawn(&cases) {
        let (_, grid) = input.split_once('\n').unwrap();
        assert!(grid.matches('S').count() == 1 && grid.starts_with('.'), "{input}");
    }
}

#[test]
fn of_few_digits_that_are_often_there_no_others_are_drawn() {
    let row = |at: usize| "0123401234".repeat(4)[at % 5..at % 5 + 25].to_owned() + "\n";
    let grid = |lines: usize| format!("{lines} 25\n{}", (0..lines).map(row).collect::<String>());
    let inputs = drawn(&[&grid(9), &grid(7), &grid(8)]);
    assert!(inputs.iter().all(|input| !input.split_once('\n').unwrap().1.contains(['5', '7', '9'])));
}

#[test]
fn drawn_trees_are_trees() {
    for input in
        drawn(&["4\n1 2\n2 3\n3 4\n", "2\n1 2\n", "6\n1 2\n3 1\n4 3\n3 5\n6 1\n", "5\n1 2\n1 3\n1 4\n1 5\n"])
    {
        let numbers = numbers(&input);
        let mut reached = BTreeSet::from([1]);
        for _ in 0..numbers[0] {
            for pair in numbers[1..].chunks(2) {
                if reached.contains(&pair[0]) || reached.contains(&pair[1]) {
                    reached.extend(pair);
                }
            }
        }
        assert!(reached.iter().copied().eq(1..=numbers[0]), "{input}");
    }
}

proptest! {
    #[test]
    fn any_cases_have_the_form_that_they_show(inputs in prop::collection::vec("([0-3]{1,2}[ \n]){0,6}", 2..5)) {
        let texts: Vec<&str> = inputs.iter().map(String::as_str).collect();
        if let Ok(form) = form_of(&texts) {
            prop_assert!(texts.iter().all(|text| form.accepts(text.as_bytes())));
            let drawn = form.draw(3, &mut RandomStream::new(1, 1));
            prop_assert!(drawn.is_none_or(|drawn| form.accepts(&drawn)));
        }
    }
}
