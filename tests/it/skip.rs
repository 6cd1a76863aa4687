//! What a machine cannot try is printed, and is a failure where everything is required.

use crate::ordinary_user;
use std::{env, io::Write};

/// Whether `KOPEK_REQUIRE_ALL=1` makes a skip a failure.
/// Not in the run of an ordinary user that root starts: it may lack what root has just tried.
pub fn everything_is_required() -> bool {
    env::var_os("KOPEK_REQUIRE_ALL").is_some_and(|value| value == "1") && !ordinary_user::is_started_by_root()
}

/// Reports that something is not tried here.
#[track_caller]
pub fn report(what: &str) {
    assert!(!everything_is_required(), "everything is required here, but {what}");
    note(&format!("skipped: {what}"));
}

/// Writes a line that is shown of tests that pass, too: the test harness catches what `eprintln` writes.
pub fn note(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}
