//! Numbers of constants, validators, generators and data that disagree.

use super::{FAKES, WHOLE, fake_package, fake_text, flat, verified_fake, verify_with};
use crate::fake_machine::USUAL_WISHES;

/// Remarks on the package with these constants, a validator that names them, and this statement. The maximum `n` of
/// the data is 3, and its maximum number 6.
#[track_caller]
fn remarks_on(constants: &str, validator: &str, statement: &str) -> (i32, Vec<String>) {
    let manifest = format!("{}constants:\n  {constants}\n", WHOLE[0].1);
    let program = format!("{}say \"{validator}\"\n", FAKES[0].1);
    verify_with(&[
        ("problem.yaml", Some(&manifest)),
        ("input_validators/strict.py", Some(&program)),
        ("statement/problem.en.md", Some(statement)),
    ])
}

#[test]
fn a_constant_that_statement_validator_and_data_share_is_only_counted() {
    let shared = "n_max: {value: 3, latex: \"3\"}";
    for statement in ["$n \\le {{n_max}}$\n", "$n \\le {{n_max.latex}}$\n", "at most 3 numbers\n"] {
        assert_eq!(remarks_on(shared, "{{n_max}}", statement), (0, vec![]), "{statement}");
    }
    // Sizes of inputs count, too: there are at most 3 words in a line.
    assert_eq!(remarks_on("words_max: 3", "{{words_max}}", "{{words_max}}\n"), (0, vec![]));
    let manifest = format!("{}constants: {{n_max: 3, eps: 1e-9}}\n", WHOLE[0].1);
    let shown = flat(&fake_text(&[("problem.yaml", Some(manifest.as_str()))], USUAL_WISHES));
    assert!(shown.contains("1 constant compared with statements and data"), "{shown}");
}

#[test]
fn a_statement_with_another_bound_than_the_validator_is_an_error() {
    let expected = "error statement/problem.en.md: does not say the constant `n_max` (3), which input validators check \
                    → write `{{n_max}}` where the statement says another number, or nothing";
    let remarks = remarks_on("n_max: 3", "{{n_max}}", "$n \\le 500$\n");
    assert_eq!(remarks, (1, vec![expected.to_owned()]));
    // A group may give it to the validator: group 1 has `--max-n=2`.
    let (code, remarks) = remarks_on("n_max_1: 2", "", "$n \\le 500$\n");
    assert!(code == 1 && remarks[0].contains("does not say the constant `n_max_1` (2)"), "{remarks:?}");
}

#[test]
fn a_constant_that_no_input_reaches_is_named() {
    let warning = "warning problem.yaml:7: no input reaches the constant `n_max` (500) → add a case that does, or change \
                   the constant";
    assert_eq!(remarks_on("n_max: 500", "{{n_max}}", "{{n_max}}\n"), (0, vec![warning.to_owned()]));
    // Then nothing keeps the data below it.
    let error = "error problem.yaml:7: no validator names the constant `n_max`, and no input reaches it (500) → write \
                 `{{n_max}}` in the input validator and in the recipe";
    assert_eq!(remarks_on("n_max: 500", "", "{{n_max}}\n"), (1, vec![error.to_owned()]));
}

#[test]
fn a_variant_of_a_constant_that_disagrees_is_named() {
    let (code, remarks) = remarks_on("n_max: {value: 3, latex: \"7\"}", "{{n_max}}", "{{n_max}}\n");
    let expected = "warning problem.yaml:7: the constant `n_max` is 3, but its variant `latex` is `7` → fix the wrong one";
    assert_eq!((code, remarks), (0, vec![expected.to_owned()]));
}

#[test]
fn the_json_has_the_least_and_max_numbers_by_group() {
    let verified = verified_fake(&fake_package(&[]), USUAL_WISHES);
    let all = serde_json::to_value(&verified).unwrap();
    let numbers = all["numbers"].as_array().unwrap().iter();
    let shown: Vec<String> = numbers
        .map(|one| format!("{} {} {} {}", one["group"], one["place"], one["min"], one["max"]))
        .collect();
    assert!(shown.contains(&"\"secret/1\" \"line 1\" 1 2".to_owned()), "{shown:?}");
    assert!(shown.contains(&"\"secret/1\" \"line 2, all words\" 0 5".to_owned()), "{shown:?}");
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
