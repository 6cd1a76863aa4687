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
fn verifies(kind: TemplateKind) {
    verifies_with(kind, ToolLanguage::Python);
}

#[track_caller]
fn verifies_with(kind: TemplateKind, tools: ToolLanguage) {
    begins_sound(&["--type", kind.package_name(), "--tools", tools.option_name()]);
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
    verifies(TemplateKind::Optimisation);
}

/// The compiler that a language of tools needs, if it is missing.
fn missing_compiler(tools: ToolLanguage) -> Option<&'static str> {
    let compiler = match tools {
        ToolLanguage::Python => "python3",
        ToolLanguage::Cpp | ToolLanguage::Testlib { .. } => "g++",
        ToolLanguage::Rust => "rustc",
    };
    let ran = Command::new(compiler).arg("--version").output();
    (!ran.is_ok_and(|output| output.status.success())).then_some(compiler)
}

#[test]
fn tools_in_cpp_and_rust_verify() {
    for tools in [ToolLanguage::Cpp, ToolLanguage::Rust] {
        match missing_compiler(tools) {
            Some(compiler) => skip::report(&format!("there is no {compiler}: its tools are not verified")),
            None => verifies_with(TemplateKind::Scoring, tools),
        }
    }
}

/// Begins a package with tools for the stand-in of testlib.
fn begin_with_testlib(home: &Path, args: &[&str]) -> Output {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/import/tiny");
    let header = header.to_str().unwrap();
    kopek(home, &[&["init", "two-ends", "--tools", "testlib", "--testlib", header], args].concat())
}

#[test]
fn a_package_with_testlib_makes_its_data_and_verifies() {
    if let Some(compiler) = missing_compiler(ToolLanguage::Cpp) {
        return skip::report(&format!("there is no {compiler}: tools with testlib are not verified"));
    }
    verifies_with_testlib(&["--checker"]);
}

#[track_caller]
fn verifies_with_testlib(args: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let begun = begin_with_testlib(home.path(), args);
    let message = String::from_utf8_lossy(&begun.stdout).into_owned();
    assert!(begun.status.success(), "{}", String::from_utf8_lossy(&begun.stderr));
    assert!(
        message.ends_with("next: kopek generate two-ends --update; kopek verify two-ends\n"),
        "{message}"
    );
    assert!(kopek(home.path(), &["generate", "two-ends", "--update"]).status.success());
    is_sound_without_a_warning(home.path());
}

#[test]
fn testlib_is_its_users_and_is_copied_as_it_is() {
    let header = "// TITLE and UUID are words of it.\n";
    for kind in TemplateKind::ALL {
        let home = tempfile::tempdir().unwrap();
        let tools = ToolLanguage::Testlib { header };
        let template = PackageTemplate { kind, tools, judging: OutputJudging::Usual };
        let files = create(&home.path().join("a"), template).unwrap();
        let with_endings = |ending: &str| -> Vec<_> {
            files.iter().filter(|path| path.to_string_lossy().ends_with(ending)).collect()
        };
        let programs = with_endings(".cpp");
        assert!(programs.len() >= 2 && programs.len() == with_endings("testlib.h").len(), "{files:?}");
        for program in programs {
            let beside = home.path().join("a").join(program.with_file_name("testlib.h"));
            assert_eq!(fs::read_to_string(beside).unwrap(), header);
        }
    }
}

#[test]
fn tools_with_testlib_are_refused_where_there_is_none() {
    let home = tempfile::tempdir().unwrap();
    for (args, why) in [
        (&["--tools", "testlib", "--testlib", "/nowhere"][..], "--testlib /nowhere: there is no such file"),
        (&["--testlib", "/nowhere"], "needs --tools testlib"),
        (&["--tools", "testlib", "--testlib", "/etc/passwd"], "/etc/passwd is not testlib.h"),
    ] {
        let output = kopek(home.path(), &[&["init", "a"], args].concat());
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(why), "{message}");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_new_package_with_a_checker_verifies() {
    begins_sound(&["--checker"]);
}

#[test]
fn a_checker_is_in_the_language_of_the_tools_and_not_where_there_is_one_anyway() {
    for (tools, file) in [
        (ToolLanguage::Python, "check.py"),
        (ToolLanguage::Cpp, "check.cpp"),
        (ToolLanguage::Rust, "check.rs"),
    ] {
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
    for tools in [ToolLanguage::Cpp, ToolLanguage::Rust] {
        for kind in TemplateKind::ALL {
            let home = tempfile::tempdir().unwrap();
            let files = create(
                &home.path().join("a"),
                PackageTemplate { kind, tools, judging: OutputJudging::Usual },
            )
            .unwrap();
            let places = ["input_validators", "output_validator", "generators"];
            let in_tools = files.iter().filter(|file| places.iter().any(|place| file.starts_with(place)));
            // The solution of a submit-answer problem is a program of its author, not a tool.
            let python = in_tools.filter(|file| file.extension().is_some_and(|ending| ending == "py"));
            assert!(
                python.clone().all(|file| file.ends_with("factor.py")),
                "{:?}",
                python.collect::<Vec<_>>()
            );
            assert!(files.iter().any(|file| file.starts_with("input_validators")), "{files:?}");
            assert!(files.iter().all(|file| file.extension().is_none_or(|ending| ending != "template")));
        }
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
    #[ignore = "long: builds and verifies ten packages"]
    fn tools_in_every_language_verify_in_every_kind_of_package() {
        // Those in Python have a test for each kind.
        for tools in [ToolLanguage::Cpp, ToolLanguage::Rust] {
            match missing_compiler(tools) {
                Some(compiler) => {
                    skip::report(&format!("there is no {compiler}: its tools are not verified"))
                }
                None => TemplateKind::ALL.into_iter().for_each(|kind| verifies_with(kind, tools)),
            }
        }
    }

    #[test]
    #[ignore = "builds and verifies five packages: half a minute"]
    fn tools_with_testlib_verify_in_every_kind_of_package() {
        if let Some(compiler) = missing_compiler(ToolLanguage::Cpp) {
            return skip::report(&format!("there is no {compiler}: tools with testlib are not verified"));
        }
        for kind in TemplateKind::ALL {
            verifies_with_testlib(&["--type", kind.package_name()]);
        }
    }

    #[test]
    #[ignore = "builds and verifies five packages: half a minute"]
    fn checkers_in_every_language_verify() {
        begins_sound(&["--checker", "--type", "scoring"]);
        for tools in [ToolLanguage::Cpp, ToolLanguage::Rust] {
            match missing_compiler(tools) {
                Some(compiler) => {
                    skip::report(&format!("there is no {compiler}: its checker is not verified"))
                }
                None => ["pass-fail", "scoring"].into_iter().for_each(|kind| {
                    begins_sound(&["--checker", "--type", kind, "--tools", tools.option_name()]);
                }),
            }
        }
    }
}
