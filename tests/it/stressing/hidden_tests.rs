//! Counterexamples for a class whose programs ask for hidden tests: nothing of them is shown.

use super::class::FakeClass;
use kopek::{
    results::{Counterexamples, Unexplained},
    verdict::Verdict,
};
use std::fs;

const LETTERS: &str = "qzxwvtkjhgfdspoiuytrewmnbvcxlkaqpwoeirutyalskdjfhgzmxncbvgtr";

const ONE_WORD: &str = "if len(words(text)) != 1: refuse\nif text != lines(words(text)[0]): refuse\naccept\n";
const LENGTH: &str = "print len(text)\n";

/// A package without a generator, with a sample and a hidden case, which all programs fail.
fn class_of_case(programs: &[(&str, String)], [sample, hidden]: [&str; 2]) -> FakeClass {
    let programs: Vec<(&str, &str)> = programs.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut class = FakeClass::new(&programs);
    class.write("input_validators/validate.c", ONE_WORD);
    class.write("submissions/accepted/right.c", LENGTH);
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

fn inputs_of(found: &Counterexamples) -> Vec<&str> {
    found.inputs.iter().map(|example| example.input.text.as_str()).collect()
}

#[test]
fn programs_that_ask_for_parts_of_a_hidden_word_have_no_input_that_shows_them() {
    // Each keeps another part of the word, by wrong answers to all inputs with it; the last fails on any long word.
    let mut programs: Vec<(&str, String)> = Vec::new();
    for (name, from) in [("a", 0), ("b", 15), ("c", 30), ("d", 45)] {
        let part = &LETTERS[from..from + 15];
        programs.push((name, format!("if has(text, \"{part}\"): print 0\n{LENGTH}")));
    }
    programs.push(("long", format!("if len(text) > 31: print 0\n{LENGTH}")));
    let found = class_of_case(&programs, ["banana", LETTERS]).hunt("store").found;
    for input in inputs_of(&found) {
        let has_part =
            LETTERS.as_bytes().windows(4).any(|run| input.as_bytes().windows(4).any(|own| own == run));
        assert!(!has_part, "{input}");
    }
    let unexplained: Vec<&str> = found.unexplained.iter().map(|one| one.participants[0].as_str()).collect();
    assert_eq!(unexplained[..4], ["a", "b", "c", "d"], "{found:#?}");
    assert!(found.unexplained.iter().all(|one| one.why == Unexplained::NoneFound));
}

#[test]
fn a_generator_that_makes_a_hidden_test_again_shows_nothing_of_it() {
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
