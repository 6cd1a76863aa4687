//! Chapter: attacks. Hostile programs, a few lines each, run for real: as root if
//! we are, and as a user without rights. None may succeed, each must end as its
//! row says, and the next program in the same place must find nothing of it.

mod attempt;
pub mod bombs;
mod descriptors;
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
use attempt::{Attack, AttackSite, DISTURBED};
use kopek::sandbox::Slot;
use machine_state::{differences, machine_state};
use std::{
    env,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
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

/// Tries all of them, side by side, and those alone that others disturbed, as the judge does; what went wrong with
/// those that did not end as they should.
fn try_all(attempts: &[Attempt]) -> Vec<String> {
    let (sandbox, next, wrong) = (open_sandbox(), AtomicUsize::new(0), Mutex::new(vec![]));
    let work = || {
        let mut slot = sandbox.slot(None);
        while let Some(tried) = attempts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(what) = tried.1(&mut slot) {
                wrong.lock().unwrap().push((tried, what));
            }
        }
    };
    // Where processes are counted by user, those of a bomb beside it would be held against a program.
    let at_once =
        if sandbox.warnings().iter().any(|line| line.contains("processes are counted")) { 1 } else { 3 };
    std::thread::scope(|scope| (0..at_once).for_each(|_| drop(scope.spawn(work))));
    let mut slot = sandbox.slot(None);
    let mut messages = Vec::new();
    for ((name, attempt), mut what) in wrong.into_inner().unwrap() {
        if what.starts_with(DISTURBED) {
            let Err(again) = attempt(&mut slot) else { continue };
            what = again;
        }
        messages.push(format!("{name}: {what}"));
    }
    messages
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
        print_users_count(count);
    }
}

/// Prints what [`count_of`] reads.
#[expect(clippy::print_stdout, reason = "root's run reads the count of the user's run")]
fn print_users_count(count: usize) {
    println!("\n{count} attacks as user, 0 successes");
}

/// Which of how many parts of all attacks a process tries, as `0/3`; unset: all.
const PART: &str = "KOPEK_TEST_ATTACKS";

/// Leaves those of the part that was chosen; whether that is all.
fn choose_part(attempts: &mut Vec<Attempt>) -> bool {
    let Ok(part) = env::var(PART) else { return true };
    let (part, parts) = part.split_once('/').expect("a part of how many");
    let [part, parts]: [usize; 2] = [part, parts].map(|number| number.parse().expect("a number"));
    let mut at = 0..;
    attempts.retain(|_| at.next().is_some_and(|at| at % parts == part));
    false
}

#[test]
fn no_hostile_program_succeeds() {
    let site = AttackSite::new();
    let mut attempts = list_attempts(&site);
    let are_all = choose_part(&mut attempts);
    let before = machine_state();
    let mut wrong = try_all(&attempts);
    wrong.extend(differences(&before, &machine_state()));
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), attempts.len(), wrong.join("\n"));
    assert!(!are_all || attempts.len() >= 330, "only {} attacks are left", attempts.len());
    report_count("attacks::no_hostile_program_succeeds", attempts.len());
}

/// Where a machine gives less; processes are counted by user there, so that one attack is tried at a time.
const NARROW: [Surroundings; 2] = [Surroundings::OneId, Surroundings::CoveredProc];

/// The only place in which a process tries its part, as a user of its own.
const PLACE: &str = "KOPEK_TEST_PLACE";

/// The number of users, each of whom tries a part.
const USERS: usize = 3;

/// The one of these places that was chosen for this process, if it is one that tries a part.
fn chosen_place(places: &[Surroundings]) -> Option<Surroundings> {
    let chosen = env::var(PLACE).ok()?;
    Some(*places.iter().find(|place| format!("{place:?}") == chosen).expect("a place"))
}

#[test]
#[ignore = "the attacks twice more: run it alone, as .ci/run does"]
fn no_hostile_program_succeeds_where_a_machine_gives_less() {
    let possible = |place: &Surroundings| place.can_be_had();
    if let Some(place) = chosen_place(&NARROW) {
        return print_users_count(if possible(&place) { count_in(place) } else { 0 });
    }
    let counts: Vec<(Surroundings, usize)> = match ordinary_user::is_root() {
        true => {
            let test = "attacks::no_hostile_program_succeeds_where_a_machine_gives_less";
            // Where none can be tried, that was reported.
            let counts = std::thread::scope(|scope| {
                let places = NARROW.map(|place| scope.spawn(move || count_by_users(test, place)));
                places.map(|count| count.join().unwrap())
            });
            NARROW.into_iter().zip(counts).filter(|(_, count)| *count > 0).collect()
        }
        false => NARROW.into_iter().filter(possible).map(|place| (place, count_in(place))).collect(),
    };
    for (place, count) in counts {
        skip::note(&format!("{count} attacks where a machine gives less ({place:?}), 0 successes"));
        assert!(count >= 320, "only {count} attacks are left in {place:?}");
    }
}

/// All attacks in a place, each part by a user of its own, side by side. As root a bomb would be one of the
/// machine's root, whose processes no kernel limits.
fn count_by_users(test: &str, place: Surroundings) -> usize {
    let count_part = |part: usize| {
        let chosen = [(PLACE, format!("{place:?}")), (PART, format!("{part}/{USERS}"))];
        let arguments = ["--exact", test, "--nocapture", "--include-ignored"];
        count_of(&ordinary_user::run_tests_with(&arguments, &chosen))
    };
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..USERS).map(|part| scope.spawn(move || count_part(part))).collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    })
}

/// How many attacks it counted there.
fn count_in(place: Surroundings) -> usize {
    let test = "attacks::no_hostile_program_succeeds";
    let output = surroundings::run_tests(place, &["--exact", test, "--nocapture"]);
    count_of(&output)
}

#[test]
#[ignore = "all attacks twice more: run it alone, as .ci/run does"]
fn no_hostile_program_succeeds_in_a_container() {
    let possible = crate::sandbox::has_weak_mode();
    let place = Surroundings::Container;
    if chosen_place(&[place]).is_some() {
        return print_users_count(if possible { count_in(place) } else { 0 });
    }
    if !possible {
        return;
    }
    let by_users = || {
        let test = "attacks::no_hostile_program_succeeds_in_a_container";
        ordinary_user::is_root().then(|| count_by_users(test, place))
    };
    let (count, by_users) = std::thread::scope(|scope| {
        let by_users = scope.spawn(by_users);
        (count_in(place), by_users.join().unwrap())
    });
    // Where users cannot try any, that was reported.
    for count in [Some(count), by_users.filter(|count| *count > 0)].into_iter().flatten() {
        skip::note(&format!("{count} attacks in a container, 0 successes"));
        assert!(count >= 320, "only {count} attacks are left");
    }
}
