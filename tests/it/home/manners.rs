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

/// Runs a command without `--store` and `KOPEK_STORE`, with these variables.
fn without_store(desk: &Desk, variables: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = desk.command(&["run", "../sums", "../wrong.py", "--samples"]);
    command.current_dir(desk.path().join("beside"));
    for name in ["KOPEK_STORE", "XDG_CACHE_HOME", "HOME"] {
        command.env_remove(name);
    }
    for (name, below) in variables {
        command.env(name, desk.path().join(below));
    }
    ended(&command.output().unwrap())
}

#[test]
fn the_store_is_in_the_users_cache() {
    let desk = sums();
    desk.write("beside/.kopek/facts.sqlite", "not a database");
    desk.write("file", "");
    let (code, _, err) = without_store(&desk, &[("XDG_CACHE_HOME", "cache"), ("HOME", "home")]);
    assert_eq!((code, &*err), (0, ""));
    assert!(desk.path().join("cache/kopek/facts.sqlite").is_file() && !desk.path().join("home").exists());
    assert_eq!(fs::read_to_string(desk.path().join("cache/kopek/.gitignore")).unwrap(), "*\n");
    assert_eq!(without_store(&desk, &[("HOME", "home")]).0, 0);
    assert!(desk.path().join("home/.cache/kopek/facts.sqlite").is_file());
    for (variables, said) in [
        (&[][..], "neither HOME nor XDG_CACHE_HOME is set; choose one with --store"),
        (&[("HOME", "file")], "remedy: name another store with --store"),
    ] {
        let (code, out, err) = without_store(&desk, variables);
        assert!(code == 2 && err.contains(said), "{code} {out}{err}");
    }
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
