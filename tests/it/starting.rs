//! Chapter: starting. A new package is whole from its first minute.

use kopek::start::{Kind, create};
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
fn verifies(kind: Kind) {
    let home = tempfile::tempdir().unwrap();
    let begun = kopek(home.path(), &["init", "two-ends", "--type", kind.name()]);
    let told = String::from_utf8_lossy(&begun.stdout).into_owned();
    assert!(begun.status.success() && told.ends_with("next: kopek verify two-ends\n"), "{told}");
    let verified = kopek(home.path(), &["verify", "two-ends"]);
    let told = String::from_utf8_lossy(&verified.stdout);
    let sound = told.lines().any(|line| line.split_whitespace().eq(["verdict", "sound"]));
    assert!(verified.status.success() && sound, "{told}{}", String::from_utf8_lossy(&verified.stderr));
    let locked = kopek(home.path(), &["generate", "two-ends", "--check"]);
    assert!(locked.status.success(), "{}", String::from_utf8_lossy(&locked.stderr));
}

#[test]
fn a_new_pass_fail_package_verifies() {
    verifies(Kind::PassFail);
}

#[test]
fn a_new_scoring_package_verifies() {
    verifies(Kind::Scoring);
}

#[test]
fn a_new_interactive_package_verifies() {
    verifies(Kind::Interactive);
}

#[test]
fn a_new_multi_pass_package_verifies() {
    verifies(Kind::MultiPass);
}

#[test]
fn a_new_submit_answer_package_verifies() {
    verifies(Kind::SubmitAnswer);
}

#[test]
fn every_kind_has_its_template_and_every_template_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/start");
    let mut templates: Vec<String> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    templates.sort();
    let mut kinds = Kind::ALL.map(Kind::name);
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
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains("exists already"), "{told}");
    }
    assert_eq!(fs::read_dir(home.path().join("mine")).unwrap().count(), 0);
}

#[test]
fn two_packages_have_different_identities() {
    let home = tempfile::tempdir().unwrap();
    let uuid = |name: &str| {
        let dir = home.path().join(name);
        create(&dir, Kind::PassFail).unwrap();
        kopek::package::read(&dir).unwrap().package.unwrap().about.uuid.unwrap()
    };
    assert_ne!(uuid("a"), uuid("b"));
}
