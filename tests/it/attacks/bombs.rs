//! Fork bombs in a row, and a machine that is as it was.

use super::attempt::exec;
use crate::{child, leftovers::Leftovers, ordinary_user::open_sandbox};
use kopek::sandbox::*;
use std::{env, fs, thread, time::Duration};

/// How many bombs the child explodes.
const NUMBER: &str = "KOPEK_TEST_BOMBS";

/// Memory of this process in KiB.
fn resident_memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let memory = status.lines().find_map(|l| l.strip_prefix("RssAnon:")?.trim().strip_suffix(" kB"));
    memory.unwrap().parse().unwrap()
}

/// Whether the bomb went off before the limit ended it.
fn explode(slot: &mut Slot) -> bool {
    let mut bomb = exec(&["perl", "-e", "while (1) { fork }"]);
    (bomb.limits.wall, bomb.limits.cpu) = (Duration::from_millis(20), Duration::from_millis(12));
    let ran = slot.run(&bomb).unwrap();
    assert!(matches!(ran.exit, Exit::Exceeded(_)), "{ran:?}");
    assert!(ran.usage.left < 100, "{ran:?}");
    let alive = slot.run(&exec(&["true"])).unwrap();
    assert_eq!(alive.exit, Exit::Code(0), "{alive:?}");
    ran.usage.left > 2
}

pub fn explode_and_count() {
    let number: usize = env::var(NUMBER).unwrap().parse().unwrap();
    let sandbox = open_sandbox();
    let mut slot = sandbox.slot(None);
    (0..3).for_each(|_| {
        explode(&mut slot);
    });
    let (before, memory) = (Leftovers::count(), resident_memory());
    // On a busy machine the limit ends many before they have forked; those do not count.
    let exploded = (0..20 * number).filter(|_| explode(&mut slot)).take(number).count();
    assert_eq!(exploded, number, "the others did not go off in time");
    // Others mount and unmount, too; what we left would stay.
    let mut counts = (0..100).map(|_| {
        thread::sleep(Duration::from_millis(100));
        Leftovers::count()
    });
    let after = counts.find(|after| *after == before).unwrap_or_else(Leftovers::count);
    assert_eq!(after, before);
    let grown = resident_memory().saturating_sub(memory);
    assert!(grown < 16 * 1024, "{grown} KiB more memory");
}

#[test]
fn a_hundred_fork_bombs_leave_the_machine_as_it_was() {
    child::finish(child::command("explode bombs").env(NUMBER, "100"));
}

#[test]
#[ignore = "takes a minute"]
fn a_thousand_fork_bombs_leave_the_machine_as_it_was() {
    child::finish(child::command("explode bombs").env(NUMBER, "1000"));
}
