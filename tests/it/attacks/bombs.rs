//! Fork bombs in a row, and a machine that is as it was.

use super::attempt::exec;
use crate::{child, events::await_mounts, leftovers::Leftovers, ordinary_user::open_sandbox};
use kopek::sandbox::*;
use std::{env, fs, time::Duration};

/// How many bombs the child explodes.
const NUMBER: &str = "KOPEK_TEST_BOMBS";

/// Memory of this process in KiB.
fn resident_memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let memory = status.lines().find_map(|l| l.strip_prefix("RssAnon:")?.trim().strip_suffix(" kB"));
    memory.unwrap().parse().unwrap()
}

/// Ends when it has used its CPU time, however long it waits for a CPU.
fn explode(slot: &mut Slot) {
    let mut bomb = exec(&["perl", "-e", "while (1) { fork }"]);
    // Perl itself starts in 2 to 12 ms.
    bomb.limits.cpu = Duration::from_millis(30);
    let ran = slot.run(&bomb).unwrap();
    assert!(matches!(ran.exit, Exit::Exceeded(_)), "{ran:?}");
    assert!((3..100).contains(&ran.usage.left), "{ran:?}");
    let alive = slot.run(&exec(&["true"])).unwrap();
    assert_eq!(alive.exit, Exit::Code(0), "{alive:?}");
}

pub fn explode_and_count() {
    let number: usize = env::var(NUMBER).unwrap().parse().unwrap();
    let sandbox = open_sandbox();
    let mut slot = sandbox.slot(None);
    (0..3).for_each(|_| explode(&mut slot));
    let (before, memory) = (Leftovers::count(), resident_memory());
    (0..number).for_each(|_| explode(&mut slot));
    // Others mount and unmount, too; what we left would stay.
    await_mounts(|| Leftovers::count().mounts == before.mounts);
    assert_eq!(Leftovers { mounts: before.mounts, ..Leftovers::count() }, before);
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
