//! Numbers of constants, validators, generators and data that disagree.

use super::{FAKES, WHOLE, fake_package, fake_text, flat, verified_fake, verify_really, verify_with};
use crate::fake_machine::USUAL_WISHES;
use kopek::verify::Wishes;

const MANIFEST: &str = "constants:\n  n_max: {value: 8, latex: \"7\"}\n";

/// Remarks on the package with these constants, and this line in its validator and in a generator.
#[track_caller]
fn remarks_on(constants: &str, validator: &str, generator: &str) -> Vec<String> {
    let manifest = format!("{}{constants}", WHOLE[0].1);
    let program = format!("{}say \"{validator}\"\n", FAKES[0].1);
    let (code, remarks) = verify_with(&[
        ("problem.yaml", Some(&manifest)),
        ("input_validators/strict.py", Some(&program)),
        ("generators/numbers.py", Some(generator)),
    ]);
    assert_eq!(code, 0, "{remarks:?}");
    remarks
}

#[test]
fn constants_validators_and_generators_that_disagree_are_both_named() {
    let max = |value: u32| format!("constants:\n  max_n: {value}\n");
    assert_eq!(
        remarks_on(&max(9), "(assert 1 <= n <= 20)", ""),
        [
            "warning input_validators/strict.py:6: has `n ≤ 20`, but problem.yaml:7 has `n ≤ 9` → fix the wrong one"
        ]
    );
    assert_eq!(
        remarks_on(&max(9), "", "MAX_N = 200\n"),
        [
            "warning generators/numbers.py:1: has `n ≤ 200`, but problem.yaml:7 has `n ≤ 9` → fix the wrong one"
        ]
    );
    assert_eq!(
        remarks_on("", "(assert 1 <= n <= 9)", "MAX_N = 200\n"),
        [
            "warning generators/numbers.py:1: has `n ≤ 200`, but input_validators/strict.py:6 has `n ≤ 9` → fix the wrong one"
        ]
    );
}

#[test]
fn bounds_that_agree_or_are_computed_are_only_counted() {
    let max = "constants: {max_n: 9}\n";
    for (validator, generator) in [
        ("(assert 1 <= n <= 9)", "MAX_N = 9\n"),
        // A little more is room in an array.
        ("", "MAX_N = 19\n"),
        ("", "max_n, max_m = 20000, 50000\n"),
        ("", "max_n = 0\n"),
        ("(assert 1 <= n <= 2 * m)", "MAX_N = 9 * M\n"),
        // Another group has it.
        ("(assert 1 <= m <= 20)", "MAX_M = 20\n"),
    ] {
        assert_eq!(remarks_on(max, validator, generator), Vec::<String>::new(), "{validator} {generator}");
    }
    let manifest = WHOLE[0].1.to_owned() + max;
    let shown = flat(&fake_text(&[("problem.yaml", Some(manifest.as_str()))], USUAL_WISHES));
    assert!(shown.contains("1 named bound compared"), "{shown}");
}

#[test]
fn a_bound_that_groups_are_told_otherwise_is_no_disagreement() {
    // Group 1 gives the validator 2 as its argument, and the constant is 2.
    assert_eq!(remarks_on("constants: {max_n: 2}\n", "(assert 1 <= n <= 9)", ""), Vec::<String>::new());
}

#[test]
fn a_variant_of_a_constant_that_disagrees_is_named() {
    assert_eq!(
        remarks_on(MANIFEST, "", ""),
        [
            "warning problem.yaml:7: the constant `n_max` is 8, but its variant `latex` is `7` → fix the wrong one"
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
    let expected = "error data/invalid_input/many.in: is rejected for another reason than `leading zero`: `";
    assert!(remarks.len() == 1 && remarks[0].starts_with(expected), "{remarks:?}");
    assert!(remarks[0].contains("too few"), "{remarks:?}");
}
