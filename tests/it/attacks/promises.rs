//! `kopek doctor` tells the truth: what it promises with a `+` has attacks that try to break it, in every mode.

use super::{kept_boxes, notes, program_attacks};
use crate::{
    ordinary_user::{self, worker},
    sandbox,
};
use kopek::sandbox::{Isolation, Sandbox, SandboxOptions};

/// A line of the doctor, and attacks that would succeed if it were not true.
const PROMISES: &[(&str, &[&str])] = &[
    (
        "no network, and only the system calls of the table",
        &["opens the internet", "traces", "asks about files by number"],
    ),
    (
        "writes only to its own box; has only its three streams open",
        &["makes files outside the box", "changes the system", "holds descriptors that are not its own"],
    ),
    ("killed at its CPU and wall limits", &["spins", "spins, deaf to signals", "sleeps for ever"]),
    (
        "sees only the files that it is shown, and only its own processes",
        &["reads the passwords", "climbs out by dots", "reads the command lines of others"],
    ),
    (
        "sees only the files that it is shown, and can signal only its own processes",
        &["reads the passwords", "climbs out by dots", "kills process 1", "looks into process 1"],
    ),
    (
        "everything it started is dead before the next program starts",
        &["becomes a daemon", "spins after the main process has ended", "a process that stays"],
    ),
    (
        "runs as a user of its own",
        &["becomes another user", "becomes another group", "runs a set-user-id copy"],
    ),
    ("CPU time, memory and processes are limited and measured for all its processes together", TOGETHER),
    ("CPU time, memory and processes are limited for all its processes together", TOGETHER),
    (
        "peak memory is that of all its processes together where it is the highest so far, \
         else that of the largest (this kernel cannot start it again; Linux 6.12 can)",
        TOGETHER,
    ),
    (
        "peak memory is that of its largest process \
         (this kernel does not keep that of all together; Linux 5.19 does)",
        TOGETHER,
    ),
];

const TOGETHER: &[&str] = &[
    "spins in children",
    "computes in children that nobody waits for",
    "spreads memory over children",
    "forks without end",
];

/// The sandboxes that this machine can make, weak ones too.
pub fn all_sandboxes() -> Vec<Sandbox> {
    let wishes = [Isolation::Namespaces, Isolation::Landlock].into_iter().flat_map(|isolation| {
        [false, true].map(|without_cgroups| SandboxOptions { isolation: Some(isolation), without_cgroups })
    });
    wishes.filter_map(|wish| Sandbox::open_with(&worker(), wish).ok()).collect()
}

#[test]
fn every_promise_of_the_doctor_has_attacks_that_try_to_break_it() {
    let programs = program_attacks().into_iter().map(|attack| attack.name);
    let others =
        notes::ATTACKS.iter().map(|row| row.name).chain(kept_boxes::ATTACKS.iter().map(|row| row.name));
    let known: Vec<&str> = programs.chain(others).collect();
    for (line, attacks) in PROMISES {
        let missing: Vec<_> = attacks.iter().filter(|name| !known.contains(name)).collect();
        assert!(!attacks.is_empty() && missing.is_empty(), "no such attacks on {line:?}: {missing:?}");
    }
    let sandboxes = all_sandboxes();
    assert!(!sandboxes.is_empty());
    for sandbox in &sandboxes {
        for line in sandbox.guarantees() {
            let has_row = PROMISES.iter().any(|(promise, _)| *promise == line);
            assert!(has_row, "{}: no attack tries to break {line:?}", sandbox.mode_name());
        }
    }
    assert!(sandboxes.len() >= 2 || !sandbox::has_weak_mode() || !ordinary_user::is_root());
}
