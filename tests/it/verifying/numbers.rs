//! Numbers of statement, constants, validators and data that disagree.

use super::{
    FAKES, WHOLE, fake_package, fake_text, flat, reports_only, verified_fake, verify_really, verify_with,
};
use crate::fake_machine::USUAL_WISHES;
use kopek::verify::Wishes;

/// The validator of the package with more in it, before it answers.
fn validator(more: &str) -> String {
    let (_, whole) = FAKES.iter().find(|(path, _)| *path == "input_validators/strict.py").unwrap();
    whole.replace("accept\n", &format!("n = input[0]\n{more}accept\n"))
}

fn statement(bounds: &str) -> String {
    format!("Print the sum.\n\n## Input\n\n{bounds}\n")
}

#[test]
fn a_statement_and_a_validator_that_disagree_are_both_named() {
    let (text, program) = (statement("$1 \\le n \\le 9$"), validator("if n < 1 or n > 20: refuse\n"));
    let changes =
        [("statement/problem.en.md", Some(text.as_str())), ("input_validators/strict.py", Some(&program))];
    reports_only(
        &changes,
        0,
        "warning statement/problem.en.md:5: says `n ≤ 9`, but input_validators/strict.py:6 has `n ≤ 20` → \
         mend the one that is wrong",
    );
}

#[test]
fn a_bound_in_words_is_compared_where_it_names_its_number() {
    let program = validator("if n < 1 or n > 20: refuse\n");
    for (words, expected) in [
        ("The first line has an integer $n$ between 1 and 9.", Some("`n ≤ 9`")),
        ("The sum of all $n$ does not exceed 9.", None),
    ] {
        let text = statement(words);
        let (_, remarks) = verify_with(&[
            ("statement/problem.en.md", Some(&text)),
            ("input_validators/strict.py", Some(&program)),
        ]);
        let found = remarks.iter().find(|remark| remark.contains("has `n ≤ 20`"));
        assert_eq!(found.is_some(), expected.is_some(), "{words}: {remarks:?}");
        assert!(found.is_none_or(|found| found.contains(expected.unwrap())), "{remarks:?}");
    }
}

#[test]
fn numbers_that_agree_are_only_counted() {
    let text =
        statement("$1 \\le n \\le 9$\n\n| Group | Points | Bounds |\n|-|-|-|\n| 1 | 40 | $n \\le 2$ |");
    let program = validator("if n < 1 or n > 9: refuse\n");
    let changes =
        [("statement/problem.en.md", Some(text.as_str())), ("input_validators/strict.py", Some(&program))];
    assert_eq!(verify_with(&changes), (0, vec![]));
    let shown = flat(&fake_text(&changes, USUAL_WISHES));
    assert!(shown.contains("3 bounds of the statement compared"), "{shown}");
}

#[test]
fn a_group_and_its_arguments_that_disagree_are_named() {
    let text = statement("| 1 | 40 | $n \\le 3$ |");
    reports_only(
        &[("statement/problem.en.md", Some(&text))],
        0,
        "warning statement/problem.en.md:5: says `n ≤ 3` in secret/1, but its input validators are told `n ≤ 2` → \
         mend the one that is wrong: the statement, or input_validator_args of data/secret/1",
    );
}

#[test]
fn bounds_that_nothing_agrees_with_are_warnings() {
    let text = statement("$1 \\le n \\le 20$");
    reports_only(
        &[("statement/problem.en.md", Some(&text))],
        0,
        "warning statement/problem.en.md:5: says `n ≤ 20`, and no input validator has that number → let an input \
         validator refuse what is beyond; nothing, if one does in another way",
    );
    let (text, program) = (statement("$1 \\le n \\le 9$"), validator("if n < 1 or n > 9: refuse\n"));
    reports_only(
        &[
            ("statement/problem.en.md", Some(&text)),
            ("input_validators/strict.py", Some(&program)),
            ("generators/numbers.py", Some("MAX_N = 200\n")),
        ],
        0,
        "warning generators/numbers.py:1: has `n ≤ 200`, but statement/problem.en.md:5 says `n ≤ 9` → mend the one \
         that is wrong; nothing, if the generator means another number",
    );
}

#[test]
fn a_constant_and_the_statement_that_disagree_are_named() {
    let manifest = WHOLE[0].1.to_owned() + "constants:\n  n_max: {value: 8, latex: \"7\"}\n";
    let (text, program) = (statement("$n \\le 9$"), validator("if n < 1 or n > 9: refuse\n"));
    let (code, remarks) = verify_with(&[
        ("problem.yaml", Some(&manifest)),
        ("statement/problem.en.md", Some(&text)),
        ("input_validators/strict.py", Some(&program)),
    ]);
    assert_eq!(code, 0);
    assert_eq!(
        remarks,
        [
            "warning problem.yaml:7: the constant `n_max` is 8, but its variant `latex` is `7` → mend the one that is \
         wrong",
            "warning problem.yaml:7: the constant `n_max` is 8, but statement/problem.en.md:5 says `n ≤ 9` → write \
         `{{n_max}}` into the statement, or mend the one that is wrong",
        ]
    );
}

#[test]
fn a_bound_of_a_validator_that_no_input_reaches_is_named() {
    let (_, whole) = WHOLE.iter().find(|(path, _)| *path == "input_validators/strict.py").unwrap();
    let last = "sys.exit(42 if ok else 43)\n";
    let more = "n = int(text.split()[0]) if ok else 1\n\
                def read_int(name, low, high, value):\n    return low <= value <= high\n\
                ok = ok and read_int('count', 1, 7, n)\n";
    let program = whole.replace(last, &format!("{more}{last}"));
    let expected = "warning input_validators/strict.py:12: no input reaches the bound `count ≤ 7` → add a case that does, \
                    or tighten the bound";
    let seen = verify_really(&[("input_validators/strict.py", Some(&program))]);
    assert_eq!(seen, (0, vec![expected.to_owned()]));
}

#[test]
fn the_least_and_greatest_numbers_are_shown_by_group() {
    let verified = verified_fake(&fake_package(&[]), USUAL_WISHES);
    let all = serde_json::to_value(&verified).unwrap();
    let numbers = all["numbers"].as_array().unwrap().iter();
    let shown: Vec<String> = numbers
        .map(|one| format!("{} {} {} {}", one["group"], one["place"], one["least"], one["greatest"]))
        .collect();
    assert!(shown.contains(&"\"secret/1\" \"line 1\" 1 2".to_owned()), "{shown:?}");
    assert!(shown.contains(&"\"secret/1\" \"line 2, all words\" 0 5".to_owned()), "{shown:?}");
    let text = fake_text(&[], Wishes { numbers: true, ..USUAL_WISHES });
    let words = flat(&text);
    assert!(words.contains("secret/2 line 1 3 to 3 line 2, all words 1 to 3"), "{text}");
}

#[test]
fn an_invalid_input_that_is_refused_for_another_reason_is_an_error() {
    let program = FAKES[0]
        .1
        .replace("if len(input) - 1", "if len(input) - 1 != input[0]: say \"too few\"\nif len(input) - 1");
    let with_reason = |reason: &str| {
        let yaml = format!("description: 'refused: {reason}'\n");
        verify_with(&[
            ("input_validators/strict.py", Some(&program)),
            ("data/invalid_input/many.yaml", Some(&yaml)),
        ])
    };
    assert_eq!(with_reason("TOO few"), (0, vec![]));
    let (code, remarks) = with_reason("leading zero");
    assert_eq!(code, 1);
    let expected = "error data/invalid_input/many.in: is refused for another reason than `leading zero`: `";
    assert!(remarks.len() == 1 && remarks[0].starts_with(expected), "{remarks:?}");
    assert!(remarks[0].contains("too few"), "{remarks:?}");
}
