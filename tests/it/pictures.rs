//! The pictures of the README and the guide show real output: they are made by these tests alone.

use crate::{pages::browser, problems::release_program, scratch, serving};
use anstyle_svg::Term;
use regex_lite::Regex;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const COMMAND: &str = "kopek grade problems/from-russia-with-love testdata/class --counterexamples";

fn picture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures").join(name)
}

fn is_update() -> bool {
    std::env::var_os("KOPEK_UPDATE_PAGES").is_some()
}

/// The output of the README's main command, as a terminal of 80 columns shows it.
fn terminal_picture(output: &str) -> String {
    Term::new().render_svg(&format!("\x1b[1m$ {COMMAND}\x1b[0m\n{output}"))
}

#[test]
fn the_picture_of_the_readme_shows_its_snapshot() {
    let svg = terminal_picture(&fs::read_to_string(picture("grade.ansi")).unwrap());
    let path = picture("grade.svg");
    if is_update() {
        fs::write(&path, svg).unwrap();
        return;
    }
    assert!(
        fs::read_to_string(path).unwrap() == svg,
        "docs/pictures/grade.svg is stale: run this test with KOPEK_UPDATE_PAGES=1"
    );
}

/// Up to the processor's name; proposals for the next command follow it.
fn without_machine(output: &str) -> String {
    let end = output.rfind(" · ").unwrap_or(output.len());
    format!("{}\n", &output[..end])
}

/// Without measured numbers and the spaces that align them.
fn without_measurements(output: &str) -> String {
    let number = Regex::new(r"\d+(\.\d+)?( s| %|x)|\d+ (jobs? done|cached|known)|= \d+").unwrap();
    let spaces = Regex::new(r"[ \n]+").unwrap();
    spaces.replace_all(&number.replace_all(output, "#"), " ").into_owned()
}

#[test]
#[ignore = "grades a class, which measures times: run it alone, as .ci/nightly does"]
fn the_snapshot_of_the_readme_is_real_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().unwrap();
    let mut kopek = Command::new(release_program());
    kopek.args(COMMAND.split(' ').skip(1)).args(["--color", "always", "--out"]).arg(out.path());
    let done = kopek.current_dir(root).env("KOPEK_STORE", scratch::release_store()).output().unwrap();
    let output = without_machine(&String::from_utf8(done.stdout).unwrap());
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    if is_update() {
        fs::write(picture("grade.ansi"), &output).unwrap();
        take_pictures(out.path());
        return;
    }
    let committed = fs::read_to_string(picture("grade.ansi")).unwrap();
    assert_eq!(
        without_measurements(&output),
        without_measurements(&committed),
        "docs/pictures is stale: run both tests here with KOPEK_UPDATE_PAGES=1"
    );
}

/// Pages of the report for the guide.
fn take_pictures(report: &Path) {
    let answer = report.join("answer.html");
    fs::write(&answer, serving::answer_page("erdos.c")).unwrap();
    browser::take_picture(&report.join("index.html"), (1280, 800), &picture("class.png"));
    browser::take_picture(&report.join("pages/erdos.html"), (1280, 1100), &picture("participant.png"));
    browser::take_picture(&answer, (900, 850), &picture("moodle.png"));
}
