//! Counterexamples for a class whose programs ask for hidden tests: at most a third of each is shown.

use super::class::FakeClass;
use kopek::{
    results::{Counterexamples, Unexplained},
    verdict::Verdict,
};
use std::fs;

const LETTERS: &str = "qzxwvtkjhgfdspoiuytrewmnbvcxlkaqpwoeirutyalskdjfhgzmxncbvgtr";
const NUMBERS: &str =
    "812345678 900000001 734500219 112358132 998244353 123456789 667788990 450098761 309112775 271828182";

const ONE_WORD: &str = "if len(words(text)) != 1: refuse\nif text != lines(words(text)[0]): refuse\naccept\n";
const ROW: &str = "if len(input) < 1: refuse\nif text != lines(input): refuse\naccept\n";
const LENGTH: &str = "print len(text)\n";

/// A package without a generator, with a sample and a hidden case, which all programs fail.
fn class_of_case(programs: &[(&str, String)], validator: &str, cases: [&str; 2]) -> FakeClass {
    let programs: Vec<(&str, &str)> = programs.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut class = FakeClass::new(&programs);
    class.write("input_validators/validate.c", validator);
    class.write("submissions/accepted/right.c", LENGTH);
    let [sample, hidden] = cases;
    let recipe = format!(
        "solution: /submissions/accepted/right.c\ndata:\n  sample:\n    data:\n      one: {{in: \"{sample}\\n\"}}\n  \
         secret:\n    data:\n      only: {{in: \"{hidden}\\n\"}}\n"
    );
    class.write("generators/generators.yaml", &recipe);
    for program in &mut class.programs {
        program.failed = vec![("secret/only".to_owned(), Verdict::WrongAnswer)];
    }
    class
}

/// Prints another answer where a text occurs.
fn asks_for(part: &str) -> String {
    format!("if has(text, \"{part}\"): print 0\n{LENGTH}")
}

/// Counts the bytes of a case in its common runs with the inputs, of four bytes or more.
fn shown_bytes(case: &str, inputs: &[&str]) -> usize {
    let is_shown = |at: usize| {
        let runs = (at.saturating_sub(3)..=at).filter_map(|from| case.get(from..from + 4));
        runs.into_iter().any(|run| inputs.iter().any(|input| input.contains(run)))
    };
    (0..case.len()).filter(|&at| is_shown(at)).count()
}

fn inputs_of(found: &Counterexamples) -> Vec<&str> {
    found.inputs.iter().map(|example| example.input.text.as_str()).collect()
}

#[test]
fn a_program_that_asks_for_most_of_a_hidden_test_has_no_input() {
    let long = format!("if len(text) > 31: print 0\n{LENGTH}");
    let pairs = "if has(text, \"ab\"): print 0\nif has(text, \"qz\"): print 0\nprint len(text)\n";
    let programs = [("asks", asks_for(&LETTERS[..40])), ("long", long), ("pairs", pairs.to_owned())];
    let found = class_of_case(&programs, ONE_WORD, ["banana", LETTERS]).hunt("store").found;
    assert_eq!(found.unexplained.len(), 1, "{found:#?}");
    assert_eq!(found.unexplained[0].participants, ["asks"]);
    assert_eq!(found.unexplained[0].why, Unexplained::NoneFound);
    assert!(3 * shown_bytes(LETTERS, &inputs_of(&found)) <= LETTERS.len(), "{found:#?}");
}

#[test]
fn exact_numbers_of_a_hidden_test_are_not_shown() {
    let six = &NUMBERS[10..69];
    let programs = [("six", asks_for(six)), ("one", asks_for(&NUMBERS[20..29]))];
    let found = class_of_case(&programs, ROW, ["7 8 9", NUMBERS]).hunt("store").found;
    assert_eq!(inputs_of(&found), ["734500219\n"], "{found:#?}");
    assert_eq!(found.unexplained[0].participants, ["six"]);
}

#[test]
fn several_programs_and_later_hunts_show_no_more_together() {
    let programs: Vec<(&str, String)> = ["a", "b", "c", "d"]
        .iter()
        .zip([0, 15, 30, 45])
        .map(|(name, from)| (*name, asks_for(&LETTERS[from..from + 15])))
        .collect();
    let mut class = class_of_case(&programs, ONE_WORD, ["banana", LETTERS]);
    let first = class.hunt("store").found;
    assert_eq!(inputs_of(&first), [format!("{}\n", &LETTERS[..15])], "{first:#?}");
    assert_eq!(first.unexplained.len(), 3);
    class.programs.remove(0);
    assert_eq!(inputs_of(&class.hunt("store").found), [""; 0]);
    assert_eq!(inputs_of(&class.hunt("other").found), [format!("{}\n", &LETTERS[15..30])]);
}

#[test]
fn a_generator_that_makes_a_hidden_test_again_reveals_no_more_of_it() {
    let class_of = |programs: &[(&str, &str)]| {
        let class = FakeClass::new(programs);
        let recipe = fs::read_to_string(class.dir.join("generators/generators.yaml")).unwrap();
        class.write("generators/generators.yaml", &recipe.replace("{seed}", "7"));
        class
    };
    let class = class_of(&[]);
    class.hunt("store");
    let hidden = fs::read_to_string(class.dir.join("data/secret/random.in")).unwrap();
    let numbers: Vec<&str> = hidden.split_whitespace().collect();
    let asks = format!("if has(text, \"{}\"): print 9\nprint max(input[1..])\n", numbers[1..14].join(" "));
    let found = class_of(&[("asks", &asks)]).hunt("store").found;
    assert_eq!(inputs_of(&found), [""; 0], "{found:#?}");
}
