//! Chapter: starting. A new package is whole from its first minute.

use kopek::start::{TemplateKind, create};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn kopek(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(dir).args(args).output().unwrap()
}

#[track_caller]
fn verifies(kind: TemplateKind) {
    let home = tempfile::tempdir().unwrap();
    let begun = kopek(home.path(), &["init", "two-ends", "--type", kind.package_name()]);
    let message = String::from_utf8_lossy(&begun.stdout).into_owned();
    assert!(begun.status.success() && message.ends_with("next: kopek verify two-ends\n"), "{message}");
    let verified = kopek(home.path(), &["verify", "two-ends"]);
    let message = String::from_utf8_lossy(&verified.stdout);
    let sound = message.lines().any(|line| line.split_whitespace().eq(["verdict", "sound"]));
    assert!(verified.status.success() && sound, "{message}{}", String::from_utf8_lossy(&verified.stderr));
    let locked = kopek(home.path(), &["generate", "two-ends", "--check"]);
    assert!(locked.status.success(), "{}", String::from_utf8_lossy(&locked.stderr));
}

#[test]
fn a_new_pass_fail_package_verifies() {
    verifies(TemplateKind::PassFail);
}

#[test]
fn a_new_scoring_package_verifies() {
    verifies(TemplateKind::Scoring);
}

#[test]
fn a_new_interactive_package_verifies() {
    verifies(TemplateKind::Interactive);
}

#[test]
fn a_new_multi_pass_package_verifies() {
    verifies(TemplateKind::MultiPass);
}

#[test]
fn a_new_submit_answer_package_verifies() {
    verifies(TemplateKind::SubmitAnswer);
}

#[test]
fn every_kind_has_its_template_and_every_template_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/start");
    let mut templates: Vec<String> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    templates.sort();
    let mut kinds = TemplateKind::ALL.map(TemplateKind::package_name);
    kinds.sort();
    assert_eq!(templates, kinds);
}

#[test]
fn nothing_is_overwritten() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("mine")).unwrap();
    fs::write(home.path().join("file"), "mine").unwrap();
    std::os::unix::fs::symlink("gone", home.path().join("link")).unwrap();
    for name in ["mine", "file", "link"] {
        let output = kopek(home.path(), &["init", name]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("exists already"), "{message}");
    }
    assert_eq!(fs::read_dir(home.path().join("mine")).unwrap().count(), 0);
}

#[test]
fn two_packages_have_different_identities() {
    let home = tempfile::tempdir().unwrap();
    let uuid = |name: &str| {
        let dir = home.path().join(name);
        create(&dir, TemplateKind::PassFail).unwrap();
        kopek::package::read(&dir).unwrap().package.unwrap().about.uuid.unwrap()
    };
    assert_ne!(uuid("a"), uuid("b"));
}
