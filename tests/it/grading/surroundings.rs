//! The surroundings of a toolchain are part of the key: a module that is installed later, a
//! program that is replaced while it is in use.

use crate::events::Gate;
use serde_json::Value;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Child, Command, Output, Stdio},
};
use tempfile::TempDir;

/// A package, a class, and a place where toolchains are installed.
struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let yaml = "problem_format_version: 2025-09\nname: Seven\nuuid: 7e1f32ca-8a92-4f1f-9c1e-0123456789ac\n\
                    license: cc0\nlimits:\n  time_limit: 5.0\n";
        place.write("seven/problem.yaml", yaml);
        place.write("seven/data/secret/1.in", "7\n");
        place.write("seven/data/secret/1.ans", "7\n");
        fs::set_permissions(place.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn start(&self) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kopek"));
        command.current_dir(self.0.path()).args(["grade", "seven", "class", "--store", "store"]);
        command.env("KOPEK_LANGUAGES", "languages.toml").args(["--format", "json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The only row, and what else is said.
    fn result(output: &Output) -> (Option<String>, String) {
        let text = String::from_utf8_lossy(&output.stdout);
        let graded: Value = serde_json::from_str(&text)
            .unwrap_or_else(|e| panic!("{e}: {text} {}", String::from_utf8_lossy(&output.stderr)));
        let verdict = graded["participants"][0]["verdict"].as_str().map(str::to_owned);
        (verdict, format!("{} {}", graded["faults"], graded["warnings"]))
    }

    fn grade(&self) -> (Option<String>, String) {
        Place::result(&self.start().wait_with_output().unwrap())
    }
}

#[test]
fn a_module_that_is_installed_later_is_found_though_the_failure_without_it_is_known() {
    let place = Place::new();
    place.write("modules/empty/readme", "");
    let modules = place.at("modules").display().to_string();
    let row = format!(
        "[[language]]\ncode = 'python3'\nrun = ['{{python}}', '-s', '-B', '/exe/{{entry}}']\n\
         env = {{ PYTHONPATH = '{modules}' }}\nneeds = ['{modules}']\n"
    );
    place.write("languages.toml", &row);
    place.write("class/ada.py", "import seven\nprint(seven.SEVEN)\n");
    assert_eq!(place.grade().0, None, "the hand-in is open");
    place.write("modules/seven.py", "SEVEN = 7\n");
    assert_eq!(place.grade().0.as_deref(), Some("AC"));
    place.write("modules/seven.py", "SEVEN = 8\n");
    assert_eq!(place.grade().0.as_deref(), Some("WA"), "a module that is edited by hand");
}

const TOOL: &str = "#!/bin/sh\nif [ \"$1\" = --version ]; then echo seven 1; exit; fi\n. \"$1\"\n";

/// Grades a program that waits, after it has read a module, and then prints what it read; meanwhile this happens.
fn grade_during(change: impl Fn(&Place)) -> (Place, (Option<String>, String)) {
    let place = Place::new();
    place.write("toolchain/bin/sevensh", TOOL);
    // Shown with the tools, but no part of them.
    fs::create_dir(place.at("toolchain/gates")).unwrap();
    let gate = Gate::below(&place.at("toolchain/gates"));
    fs::set_permissions(place.at("toolchain/bin/sevensh"), fs::Permissions::from_mode(0o755)).unwrap();
    place.write("modules/deep/seven", "7\n");
    let row = format!(
        "[[language]]\ncode = 'sevensh'\nendings = ['.seven']\nentry = {{ file = 'main.seven' }}\n\
         tools = {{ sh = ['{}'] }}\nrun = ['{{sh}}', '/exe/{{entry}}']\nprobe = ['{{sh}}', '--version']\n\
         needs = ['{}']\n",
        place.at("toolchain/bin/sevensh").display(),
        place.at("modules").display(),
    );
    place.write("languages.toml", &row);
    let module = place.at("modules/deep/seven");
    let program =
        format!("read seven < {}; read line < {}; echo $seven\n", module.display(), gate.file().display());
    place.write("class/ada.seven", &program);
    let run = place.start();
    gate.await_arrival();
    change(&place);
    gate.open();
    let result = Place::result(&run.wait_with_output().unwrap());
    (place, result)
}

#[test]
fn runs_during_a_replacement_of_the_toolchain_are_judged_again() {
    let (_, (verdict, said)) = grade_during(|place| {
        place.write("toolchain/bin/sevensh", &(TOOL.to_owned() + "# another one\n"));
        place.write("toolchain/bin/sevensh", TOOL);
    });
    assert_eq!(verdict.as_deref(), Some("AC"), "{said}");
    assert!(said.contains("sevensh changed during this run"), "{said}");
}

#[test]
fn a_module_that_is_edited_while_a_program_uses_it_is_judged_with_its_new_contents() {
    let (place, (verdict, said)) = grade_during(|place| place.write("modules/deep/seven", "8\n"));
    assert_eq!(verdict.as_deref(), Some("WA"), "{said}");
    assert!(said.contains("sevensh changed during this run"), "{said}");
    place.write("modules/deep/seven", "7\n");
    assert_eq!(place.grade().0.as_deref(), Some("AC"));
}
