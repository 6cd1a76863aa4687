//! Files that participants are shown: outputs beside the answers, and pictures of validators.

use super::{fake_package, verified_fake, verify_with};
use crate::fake_machine::USUAL_WISHES;
use kopek::verify::{Gallery, Wishes};

#[test]
fn an_output_beside_the_answer_of_a_secret_case_must_be_accepted() {
    let (code, remarks) = verify_with(&[("data/secret/2/c.out", Some("8\n"))]);
    let refused =
        "error data/secret/2/c.out: the output validator rejects it: line 1: expected `6`, found `8`";
    assert!(code == 1 && remarks.len() == 1 && remarks[0].starts_with(refused), "{remarks:?}");
}

#[test]
fn an_answer_of_a_sample_that_is_not_shown_may_be_refused() {
    let check =
        "if words(text) == words(\"see picture\"): refuse\nif words(text) == words(\"4\"): refuse\naccept\n";
    let refused = |more: &[(&str, Option<&str>)]| {
        let changes = [
            ("output_validator/check.py", Some(check)),
            ("data/invalid_output/wrong.out", Some("4\n")),
            ("data/sample/1.ans", Some("see picture\n")),
        ];
        let (_, remarks) = verify_with(&[&changes[..], more].concat());
        remarks.iter().any(|remark| remark.contains("data/sample/1.ans: the output validator rejects it"))
    };
    assert!(refused(&[]));
    let shown = [("data/sample/1.ans.statement", Some("7\n")), ("data/sample/1.ans.download", Some("7\n"))];
    assert!(!refused(&shown));
}

#[test]
fn pictures_of_a_validator_need_no_visualizer() {
    let check = "write \"feedback/teamimage-2.svg\", \"<svg>\" + text + \"</svg>\"\n\
                 write \"feedback/judgeimage.svg\", \"<svg/>\"\n\
                 if words(text) != words(file(args[1])): refuse\naccept\n";
    let home = fake_package(&[("output_validator/check.py", Some(check))]);
    let pictures = |gallery| {
        let drawn = verified_fake(&home, Wishes { gallery, ..USUAL_WISHES }).pictures;
        let names = drawn.into_iter().map(|(path, _)| path.display().to_string());
        names.filter(|name| name.starts_with("secret/2/")).collect::<Vec<_>>()
    };
    assert_eq!(pictures(Gallery::Whole), ["secret/2/c.judgeimage.svg", "secret/2/c.teamimage-2.svg"]);
    assert_eq!(pictures(Gallery::Specimens), [""; 0], "only if pictures are asked for");
}

#[test]
fn samples_and_figures_that_a_statement_asks_for_must_exist() {
    let with = |text: &str| {
        verify_with(&[("statement/problem.en.md", Some(text)), ("statement/a.svg", Some("<svg/>"))])
    };
    assert_eq!(
        with("Sum.\n\n{{nextsample}}\n{{remainingsamples}}\n![a row](a.svg) ![](https://x.org/b.png)\n"),
        (0, vec![])
    );
    let error = "error statement/problem.en.md:3: asks for sample 2, but the package has 1 → remove the command, or \
                 add a sample";
    assert_eq!(with("{{nextsample}}\n\n{{nextsample}}\n"), (1, vec![error.to_owned()]));
    let warning = "warning statement/problem.en.md:2: shows b.png, which is not in statement/ → add the figure, or fix \
                   its name";
    assert_eq!(with("Sum.\n![a row](b.png)\n"), (0, vec![warning.to_owned()]));
}
