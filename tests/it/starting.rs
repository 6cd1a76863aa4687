//! Chapter: starting. A new package is whole from its first minute.

use crate::{scratch, skip};
use kopek::{
    start::create,
    start_template::{OutputJudging, PackageTemplate, TemplateKind, ToolLanguage},
};
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn kopek(dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
    command.current_dir(dir).args(args).env("KOPEK_STORE", scratch::store()).output().unwrap()
}

#[track_caller]
fn begins_sound(args: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let begun = kopek(home.path(), &[&["init", "two-ends"], args].concat());
    let message = String::from_utf8_lossy(&begun.stdout).into_owned();
    assert!(begun.status.success() && message.ends_with("next: kopek verify two-ends\n"), "{message}");
    is_sound_without_a_warning(home.path());
    let locked = kopek(home.path(), &["generate", "two-ends", "--check"]);
    assert!(locked.status.success(), "{}", String::from_utf8_lossy(&locked.stderr));
}

#[track_caller]
fn is_sound_without_a_warning(home: &Path) {
    let verified = kopek(home, &["verify", "two-ends"]);
    let message = String::from_utf8_lossy(&verified.stdout);
    let sound = message.lines().any(|line| line.split_whitespace().eq(["verdict", "sound"]));
    assert!(!message.contains("warning"), "{message}");
    assert!(verified.status.success() && sound, "{message}{}", String::from_utf8_lossy(&verified.stderr));
}

#[test]
fn a_new_package_verifies() {
    begins_sound(&["--type", "scoring", "--checker"]);
}

/// Reports a skip where there is no C++.
fn lacks_cpp() -> bool {
    let ran = Command::new("g++").arg("--version").output();
    let lacks = !ran.is_ok_and(|output| output.status.success());
    if lacks {
        skip::report("there is no g++: tools in C++ are not verified");
    }
    lacks
}

#[test]
fn a_checker_is_in_the_language_of_the_tools_and_not_where_there_is_one_anyway() {
    for (tools, file) in [(ToolLanguage::Python, "check.py"), (ToolLanguage::Cpp, "check.cpp")] {
        for kind in TemplateKind::ALL {
            let home = tempfile::tempdir().unwrap();
            let template = PackageTemplate { kind, tools, judging: OutputJudging::Checker };
            match (create(&home.path().join("a"), template), kind) {
                (Ok(files), TemplateKind::PassFail | TemplateKind::Scoring) => {
                    let judges = files.iter().filter(|path| path.starts_with("output_validator"));
                    let names: Vec<_> = judges.map(|path| path.file_name().unwrap()).collect();
                    assert_eq!(names, [file]);
                    assert!(!files.iter().any(|path| path.ends_with("sum.py")), "{files:?}");
                }
                (made, _) => {
                    let message = format!("{:#}", made.unwrap_err());
                    assert!(message.contains("remove --checker"), "{message}");
                    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
                }
            }
        }
    }
}

#[test]
fn tools_are_in_one_language_only() {
    for kind in TemplateKind::ALL {
        let home = tempfile::tempdir().unwrap();
        let template = PackageTemplate { kind, tools: ToolLanguage::Cpp, judging: OutputJudging::Usual };
        let files = create(&home.path().join("a"), template).unwrap();
        let places = ["input_validators", "output_validator", "generators"];
        let in_tools = files.iter().filter(|file| places.iter().any(|place| file.starts_with(place)));
        // The solution of a submit-answer problem is a program of its author, not a tool.
        let python = in_tools.filter(|file| file.extension().is_some_and(|ending| ending == "py"));
        let python: Vec<_> = python.filter(|file| !file.ends_with("factor.py")).collect();
        assert!(python.is_empty(), "{python:?}");
        assert!(files.iter().any(|file| file.starts_with("input_validators")), "{files:?}");
    }
}

#[test]
fn an_interactive_package_shows_contestants_how_to_begin() {
    let home = tempfile::tempdir().unwrap();
    let begun = kopek(home.path(), &["init", "guess", "--type", "interactive"]);
    let message = String::from_utf8_lossy(&begun.stdout).into_owned();
    assert!(message.contains("  attachments/templates/     what contestants may begin with"), "{message}");
    let template = home.path().join("guess/attachments/templates/python3/solution.py");
    assert!(fs::read_to_string(template).unwrap().contains("flush=True"));
}

#[test]
fn a_new_contest_is_read_by_the_commands_for_contests() {
    let home = tempfile::tempdir().unwrap();
    let begun = kopek(home.path(), &["init", "--contest", "spring-finals", "pears", "apples"]);
    let message = String::from_utf8_lossy(&begun.stdout).into_owned();
    assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
    assert!(message.contains("next: kopek verify spring-finals"), "{message}");
    let contest = kopek::contest::read_contest(&home.path().join("spring-finals")).unwrap();
    assert_eq!(contest.name.as_deref(), Some("Spring Finals"));
    let shown = contest.problems.iter().map(|one| (&*one.label, &*one.id, one.colour.is_some()));
    assert_eq!(shown.collect::<Vec<_>>(), [("A", "pears", true), ("B", "apples", true)]);
}

#[test]
fn a_contest_that_cannot_be_begun_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("there")).unwrap();
    for (args, why) in [
        (&["--contest", "new", "a", "a"][..], "`a` is named twice"),
        (&["--contest", "new", "a", "B"], "`B` is not a name for a package"),
        (&["--contest", "new", "a", "b/c"], "give the name only"),
        (&["--contest", "there", "a"], "exists already"),
        (&["a", "b"], "needs --contest DIR"),
        (&["--contest", "new"], "required"),
    ] {
        let output = kopek(home.path(), &[&["init"], args].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(why), "{why}: {message}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "{why}");
    }
}

#[test]
fn every_kind_has_its_template_and_every_template_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/templates/package");
    let mut templates: Vec<String> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    templates.sort();
    let mut kinds = TemplateKind::ALL.map(TemplateKind::package_name).to_vec();
    kinds.push(TemplateKind::Optimisation.package_name());
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
        create(&dir, PackageTemplate::usual(TemplateKind::PassFail)).unwrap();
        kopek::package::read(&dir).unwrap().package.unwrap().about.uuid.unwrap()
    };
    assert_ne!(uuid("a"), uuid("b"));
}

mod long_runs {
    use super::*;

    #[test]
    #[ignore = "long: verifies eleven packages"]
    fn new_packages_of_every_kind_verify() {
        let kinds = TemplateKind::ALL.into_iter().chain([TemplateKind::Optimisation]);
        kinds.for_each(|kind| begins_sound(&["--type", kind.package_name()]));
        if lacks_cpp() {
            return;
        }
        for kind in TemplateKind::ALL {
            begins_sound(&["--type", kind.package_name(), "--tools", "cpp"]);
        }
    }

    #[test]
    #[ignore = "long: builds and verifies three packages"]
    fn checkers_in_every_language_verify() {
        begins_sound(&["--checker"]);
        if lacks_cpp() {
            return;
        }
        for kind in ["pass-fail", "scoring"] {
            begins_sound(&["--checker", "--type", kind, "--tools", "cpp"]);
        }
    }
}
