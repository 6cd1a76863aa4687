//! Chapter: commands without a reader, and with files of others.

use crate::skip;
use std::{
    fs,
    os::unix::fs::chown,
    process::{Command, Output},
};

/// The command in a shell, `$0` being kopek.
fn shell(script: &str) -> Output {
    let mut command = Command::new("bash");
    command.args(["-c", script, env!("CARGO_BIN_EXE_kopek")]).env_remove("KOPEK_STORE").output().unwrap()
}

#[test]
fn a_report_that_cannot_be_written_is_not_a_success() {
    for (script, code, message) in [
        (
            "\"$0\" completions bash > /dev/full",
            2,
            "error: write to standard output\n  No space left on device",
        ),
        ("\"$0\" languages > /dev/full", 2, "No space left on device"),
        // The reader is gone before kopek starts.
        (
            "{ (trap '' PIPE; while echo; do :; done) 2> /dev/null; \"$0\" completions bash; } | true; exit ${PIPESTATUS[0]}",
            141,
            "",
        ),
        ("\"$0\" completions bash > /dev/null", 0, ""),
        ("\"$0\" completions bash <&- > /dev/null", 0, ""),
        // The log of the messages is on a full disk.
        ("\"$0\" test nothing 2> /dev/full", 2, ""),
        ("\"$0\" nothing 2> /dev/full", 2, ""),
        ("exec > $(mktemp); ulimit -f 1; \"$0\" languages", 2, "hard limit of its file size (1,"),
        ("exec > $(mktemp); ulimit -f 1; \"$0\" completions bash", 2, "File too large"),
        ("ulimit -s 64; \"$0\" --version", 2, "error: the stack limit is 64 KiB, and kopek needs 512 KiB"),
    ] {
        let output = shell(script);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{script}: {errors}");
        assert!(errors.contains(message), "{script}: {errors}");
        assert!(code != 141 || errors.is_empty(), "{script}: {errors}");
    }
}

#[test]
fn a_store_of_another_user_is_refused_and_left_as_it_is() {
    if !rustix::process::geteuid().is_root() {
        return skip::report("only root can give a store to somebody else");
    }
    let home = tempfile::tempdir().unwrap();
    let store = home.path().join("store");
    let clean = format!("\"$0\" clean --store {}", store.display());
    drop(kopek::store::Store::open(&store).unwrap());
    assert_eq!(shell(&clean).status.code(), Some(0));
    chown(&store, Some(12_345), None).unwrap();
    let listed = || {
        let mut names: Vec<_> =
            walkdir::WalkDir::new(&store).into_iter().flatten().map(|e| e.into_path()).collect();
        names.sort();
        names
    };
    let before = listed();
    let output = shell(&clean);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("use a store of your own (--store DIR)"), "{errors}");
    assert_eq!(listed(), before);
    assert!(fs::metadata(&store).is_ok());
}
