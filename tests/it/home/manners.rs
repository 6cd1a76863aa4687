//! What every command does alike: colours, languages, where the store is.

use super::{Desk, ended, run::sums};
use crate::{
    fake_machine::{USUAL_WISHES, fake_machine, verify_package},
    ordinary_user, surroundings,
};
use kopek::{
    language::check_code,
    render::{Page, verified_document},
    verify::Wishes,
};
use std::{fs, os::unix::fs::PermissionsExt, process::Command};

#[test]
fn colours_are_shown_when_asked_for() {
    let desk = sums();
    let run = |when: &str| ended(&desk.kopek(&["--color", when, "run", "sums", "wrong.py"])).1;
    assert!(run("always").contains("\x1b[31m"));
    assert!(!run("never").contains('\x1b') && !run("auto").contains('\x1b'));
}

/// What a command does that looks for its store, in a folder of the desk.
fn searching(desk: &Desk, dir: &str, args: &[&str]) -> (i32, String, String) {
    let mut command = desk.command(args);
    command.current_dir(desk.path().join(dir)).env_remove("KOPEK_STORE");
    command.env("XDG_CACHE_HOME", desk.path().join("cache")).env("XDG_STATE_HOME", desk.path().join("state"));
    ended(&command.output().unwrap())
}

#[test]
fn the_store_goes_to_the_nearest_package_or_to_the_cache() {
    let desk = sums();
    let (code, _, err) = searching(&desk, "sums/data", &["run", "..", "../../wrong.py", "--samples"]);
    let place = desk.path().canonicalize().unwrap().join("sums/.kopek");
    assert_eq!((code, err), (0, format!("store: {}\n", place.display())));
    assert_eq!(fs::read_to_string(desk.path().join("sums/.kopek/.gitignore")).unwrap(), "*\n");
    searching(&desk, ".", &["run", "sums", "wrong.py", "--samples"]);
    assert!(desk.path().join("cache/kopek/facts.sqlite").is_file() && !desk.path().join(".kopek").exists());
}

#[test]
fn a_store_that_came_with_a_hand_in_is_not_believed() {
    let desk = sums();
    desk.write("class/eve/src/main.py", "print(7)\n");
    // Somewhere else all cases have this answer, and the facts are kept for later.
    desk.write("eve/wrong.py", "print(7)\n");
    desk.write("class/eve/problem.yaml", "");
    let plant = desk.path().join("class/eve/.kopek");
    let mut planted = desk.command(&["run", "sums", "eve/wrong.py"]);
    planted.env("KOPEK_STORE", &plant).env("XDG_STATE_HOME", desk.path().join("eve/state"));
    assert_eq!(ended(&planted.output().unwrap()).0, 1);
    let accept = "UPDATE facts SET outcome = replace(outcome, 'wrong_answer', 'accepted')";
    let database = rusqlite::Connection::open(plant.join("facts.sqlite")).unwrap();
    assert!(database.execute(accept, []).unwrap() > 0);
    drop(database);
    for (dir, args) in [
        ("class/eve", &["run", "../../sums", "src/main.py"][..]),
        ("class/eve/src", &["run", "../../../sums", "main.py"]),
        ("class/eve", &["grade", "../../sums", ".."]),
        ("class/eve", &["grade", "../../sums", "../../class"]),
        ("class/eve", &["stress", "../../sums", "src/main.py", "--time", "1s"]),
        ("class/eve", &["test", "src/main.py", "../../sums/data/sample"]),
        ("class/eve", &["mutate", "../../sums", "src/main.py", "--budget", "1s", "--hunt", "1s"]),
    ] {
        let (code, out, err) = searching(&desk, dir, args);
        assert!(!err.contains("changed"), "{args:?}: the planted store was opened: {code} {out}{err}");
        assert!(err.contains("class/eve/.kopek, which may have come with"), "{args:?}: {err}");
    }
    // Who names it trusts it.
    let named = ["run", "sums", "class/eve/src/main.py", "--store", "class/eve/.kopek"];
    let (code, out, err) = searching(&desk, ".", &named);
    assert!(code == 2 && err.contains("was changed"), "{code} {out}{err}");
}

#[test]
fn examples_in_a_language_can_be_left_out_of_verify() {
    let desk = Desk::new();
    desk.write("sums/problem.yaml", "problem_format_version: 2025-09\nname: Sums\nuuid: 1\n");
    desk.write("sums/data/sample/1.in", "1 2\n");
    desk.write("sums/data/sample/1.ans", "3\n");
    desk.write("sums/submissions/accepted/a.py", "print sum(input)\n");
    desk.write("sums/submissions/accepted/wrong.sh", "print 1\n");
    let machine = fake_machine(desk.path());
    let verify = |excluded: &[String]| {
        let wishes = Wishes { excluded, ..USUAL_WISHES };
        verified_document(&verify_package(&desk.path().join("sums"), &machine, wishes))
            .to_text(Page::default())
    };
    let broken = verify(&[]);
    assert!(broken.contains("wrong.sh") && !broken.contains("its language is left out"), "{broken}");
    let text = verify(&["bash".to_owned()]);
    assert!(text.contains("its language is left out") && !text.contains("as its directory claims"), "{text}");
    let error = check_code(&machine.table, "bsh").unwrap_err().to_string();
    assert!(error.contains("no language `bsh`; did you mean `bash`?"), "{error}");
}

#[test]
fn no_umask_changes_a_verdict() {
    if ordinary_user::is_root() && !surroundings::are_narrow() {
        ordinary_user::run_tests(&["--exact", "home::manners::no_umask_changes_a_verdict"]);
    }
    let source = "#include <stdio.h>\nint main(void) { puts(\"1\"); return 0; }\n";
    for mask in ["077", "177", "377", "577", "777"] {
        let desk = Desk::new();
        desk.write("one.c", source);
        desk.write("1.in", "");
        desk.write("1.ans", "1\n");
        let mut shell = Command::new("sh");
        shell.args(["-c", "umask $1 && exec \"$0\" test one.c"]).arg(ordinary_user::worker()).arg(mask);
        shell.current_dir(desk.path()).env("KOPEK_STORE", desk.path().join("store"));
        let (code, out, err) = ended(&shell.output().unwrap());
        assert_eq!(code, 0, "{mask}: {out}{err}");
        let mode = fs::metadata(desk.path().join("store/facts.sqlite")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{mask}: others may not read it");
    }
}
