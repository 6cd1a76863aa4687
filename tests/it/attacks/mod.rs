//! Chapter: attacks. Hostile programs, a few lines each, run for real: as root if
//! we are, and as a user without rights. None may succeed, each must end as its
//! row says, and the next program in the same place must find nothing of it.

mod attempt;
pub mod bombs;
mod escape;
mod files;
mod hostile_sources;
mod kept_boxes;
mod kernel_doors;
mod machine_state;
mod memory;
mod network;
mod notes;
mod output;
mod processes;
mod promises;
mod system_calls;
mod unmediated;

use crate::{
    ordinary_user::{self, open_sandbox},
    skip,
    surroundings::{self, Surroundings},
};
use attempt::{Attack, AttackSite};
use kopek::sandbox::Slot;
use machine_state::{differences, machine_state};
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

/// All attacks by programs.
fn program_attacks() -> Vec<&'static Attack> {
    let sections = [
        files::ATTACKS,
        processes::ATTACKS,
        memory::ATTACKS,
        output::ATTACKS,
        network::ATTACKS,
        system_calls::ATTACKS,
        escape::ATTACKS,
        kernel_doors::ATTACKS,
    ];
    sections.into_iter().flatten().collect()
}

/// One attack: its name, and what tries it and reports how it went wrong.
type Attempt<'a> = (String, Box<dyn Fn(&mut Slot) -> Result<(), String> + Send + Sync + 'a>);

fn list_attempts(site: &AttackSite) -> Vec<Attempt<'_>> {
    let mut all: Vec<Attempt> = Vec::new();
    let promised = program_attacks().into_iter().enumerate().filter(|(_, attack)| attack.is_promised());
    for (number, attack) in promised {
        all.push((attack.name.into(), Box::new(move |slot| site.attempt(slot, number, attack))));
    }
    for row in kept_boxes::ATTACKS {
        all.push((row.name.into(), Box::new(move |slot| kept_boxes::attempt(slot, row))));
    }
    for row in notes::ATTACKS.iter().filter(|row| row.is_promised()) {
        all.push((row.name.into(), Box::new(move |slot| notes::attempt(slot, row))));
    }
    all
}

/// Tries all of them, side by side; what went wrong with those that did not end as they should.
fn try_all(attempts: &[Attempt]) -> Vec<String> {
    let (sandbox, next, wrong) = (open_sandbox(), AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        let mut slot = sandbox.slot(None);
        while let Some((name, attempt)) = attempts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = attempt(&mut slot) {
                wrong.lock().unwrap().push(format!("{name}: {what}"));
            }
        }
    };
    // Where processes are counted by user, those of a bomb beside it would be held against a program.
    let at_once =
        if sandbox.warnings().iter().any(|line| line.contains("processes are counted")) { 1 } else { 3 };
    std::thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work))));
    wrong.into_inner().unwrap()
}

/// Runs this test as an ordinary user, too; how many attacks it counted there.
fn count_as_user(test: &str) -> usize {
    count_of(&ordinary_user::run_tests(&["--exact", test, "--nocapture"]))
}

/// The count in the last line that a run printed of its attacks.
fn count_of(output: &str) -> usize {
    let line = output.lines().rev().find_map(|line| line.split_once(" attacks as user, 0 successes"));
    let count = line.and_then(|(before, _)| before.rsplit(' ').next()?.parse().ok());
    count.unwrap_or_else(|| panic!("the run prints no count: {output}"))
}

/// Prints how many attacks were tried, as root and as a user if we are root.
#[expect(clippy::print_stdout, reason = "root's run reads the count of the user's run")]
fn report_count(test: &str, count: usize) {
    if ordinary_user::is_root() && !surroundings::are_narrow() {
        println!("{count} attacks as root, {} as user, 0 successes", count_as_user(test));
    } else {
        println!("\n{count} attacks as user, 0 successes");
    }
}

#[test]
fn no_hostile_program_succeeds() {
    let site = AttackSite::new();
    let attempts = list_attempts(&site);
    let before = machine_state();
    let mut wrong = try_all(&attempts);
    wrong.extend(differences(&before, &machine_state()));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), attempts.len(), wrong.join("\n"));
    assert!(attempts.len() >= 330, "only {} attacks are left", attempts.len());
    report_count("attacks::no_hostile_program_succeeds", attempts.len());
}

#[test]
#[ignore = "the attacks twice more: run it alone, as .ci/run does"]
fn no_hostile_program_succeeds_where_a_machine_gives_less() {
    if ordinary_user::is_root() {
        // As root a bomb would be one of the machine's root, whose processes no kernel limits.
        let test = "attacks::no_hostile_program_succeeds_where_a_machine_gives_less";
        let told = ordinary_user::run_tests(&["--exact", test, "--nocapture", "--include-ignored"]);
        return told.lines().filter(|line| line.contains("gives less")).for_each(skip::note);
    }
    for place in [Surroundings::OneId, Surroundings::CoveredProc] {
        if place.can_be_had() {
            let count = count_in(place);
            skip::note(&format!("{count} attacks where a machine gives less ({place:?}), 0 successes"));
            assert!(count >= 320, "only {count} attacks are left in {place:?}");
        }
    }
}

/// How many attacks it counted there.
fn count_in(place: Surroundings) -> usize {
    let test = "attacks::no_hostile_program_succeeds";
    let output = surroundings::run_tests(place, &["--exact", test, "--nocapture"]);
    count_of(&output)
}

#[test]
#[ignore = "all attacks twice more, some minutes: run it alone, as .ci/run does"]
fn no_hostile_program_succeeds_in_a_container() {
    if crate::sandbox::has_weak_mode() {
        let count = count_in(Surroundings::Container);
        skip::note(&format!("{count} attacks in a container, 0 successes"));
        assert!(count >= 320, "only {count} attacks are left");
        if ordinary_user::is_root() {
            let test = "attacks::no_hostile_program_succeeds_in_a_container";
            ordinary_user::run_tests(&["--exact", test, "--nocapture", "--include-ignored"]);
        }
    }
}
