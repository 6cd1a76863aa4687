//! Tasks of CMS: statements in all their forms, and inputs that are missing.

use super::courses::{folder, imported};
use std::fs;

const TASK: &str = "name: somma\ntitle: Sum\ninfile: ''\noutfile: ''\n";

#[test]
fn statements_are_kept_in_all_forms_and_languages() {
    for (keys, files, expected) in [
        ("", &["statement/statement.pdf"][..], "fig.png problem.en.pdf"),
        ("primary_language: it\n", &["statement/statement.pdf"], "fig.png problem.it.pdf"),
        ("", &["testo/testo.tex", "testo/testo.pdf"], "fig.png problem.it.pdf problem.it.tex"),
        ("", &["statement/english.md", "statement/german.tex"], "fig.png problem.de.tex problem.en.md"),
        ("", &["statement/statement.md", "statement/it.pdf"], "fig.png problem.en.md problem.it.pdf"),
        ("nome: Somma\n", &["statement/statement.md"], "fig.png problem.it.md"),
    ] {
        let task = format!("{TASK}{keys}");
        let tests =
            [("task.yaml", task.as_str()), ("input/input0.txt", "1\n"), ("output/output0.txt", "1\n")];
        let texts: Vec<(&str, &str)> = files.iter().map(|file| (*file, "Sum it up.\n")).collect();
        let others = [("statement/fig.png", "x"), ("statement/notes.odt", "x")];
        let home = folder(&[&tests[..], &texts, &others].concat());
        let (code, out, err) = imported(&home, &[]);
        assert_eq!(code, Some(0), "{files:?}: {out} {err}");
        assert!(out.contains("statement/notes.odt: no statement by its name"), "{out}");
        let kept = fs::read_dir(home.path().join("made/statement")).unwrap();
        let mut kept: Vec<String> =
            kept.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        kept.sort();
        assert_eq!(kept.join(" "), expected, "{files:?}");
    }
}

#[test]
fn a_missing_input_is_named() {
    for (keys, inputs, generated, message) in [
        ("", &[0, 1, 3][..], false, "input/input2.txt is missing: the task has 4 tests"),
        ("n_input: 3\n", &[0, 1], false, "input/input2.txt is missing: the task has 3 tests"),
        ("score_type_parameters: [[50, 1], [50, 2]]\n", &[0, 1], false, "input/input2.txt is missing"),
        ("", &[0, 1], true, "input/input2.txt is missing there is no gen/generator.* or gen/generatore.*"),
    ] {
        let task = format!("{TASK}{keys}");
        let places: Vec<[String; 2]> = inputs
            .iter()
            .map(|number| [format!("input/input{number}.txt"), format!("output/output{number}.txt")])
            .collect();
        let tests = places.iter().flatten().map(|place| (place.as_str(), "1\n"));
        let mut files: Vec<(&str, &str)> = tests.chain([("task.yaml", task.as_str())]).collect();
        files.extend(generated.then_some(("gen/GEN", "1\n2\n3\n")));
        let (code, _, err) = imported(&folder(&files), &[]);
        assert!(code == Some(2) && err.contains(message), "{message}: {err}");
    }
}
