//! Fork bombs in a row, and a machine that is as it was.

use super::{hostile::exec, open};
use kopek::sandbox::*;
use std::{fs, time::Duration};

/// What bombs could leave: our descendants, mounts, groups, descriptors, and our memory in KiB.
fn count() -> [usize; 5] {
    let pid = std::process::id().to_string();
    let all: Vec<String> =
        fs::read_dir("/proc").unwrap().flatten().map(|e| e.file_name().into_string().unwrap()).collect();
    let parent = |pid: &String| -> Option<String> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        Some(stat.rsplit(") ").next()?.split(' ').nth(1)?.to_owned())
    };
    let mut family = vec![pid];
    for _ in 0..6 {
        let more =
            all.iter().filter(|p| !family.contains(p) && parent(p).is_some_and(|q| family.contains(&q)));
        family.extend(more.cloned().collect::<Vec<_>>());
    }
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap().lines().count();
    let walk = walkdir::WalkDir::new("/sys/fs/cgroup").max_depth(6).into_iter().flatten();
    let ours = |name: &str| family.iter().any(|pid| name.starts_with(&format!("kopek.{pid}.")));
    let groups = walk.filter(|e| e.file_type().is_dir() && ours(&e.file_name().to_string_lossy())).count();
    let files = fs::read_dir("/proc/self/fd").unwrap().count();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let memory =
        status.lines().find_map(|l| l.strip_prefix("RssAnon:")?.trim().strip_suffix(" kB")?.parse().ok());
    [family.len(), mounts, groups, files, memory.unwrap()]
}

fn bombs(number: usize) {
    let sandbox = open();
    let mut slot = sandbox.slot(None);
    let mut bomb = exec(&["perl", "-e", "while (1) { fork }"]);
    (bomb.limits.wall, bomb.limits.cpu) = (Duration::from_millis(20), Duration::from_millis(12));
    let explode = |slot: &mut Slot| {
        let ran = slot.run(&bomb).unwrap();
        assert!(matches!(ran.exit, Exit::Exceeded(_)), "{ran:?}");
        let alive = slot.run(&exec(&["true"])).unwrap();
        assert_eq!(alive.exit, Exit::Code(0), "{alive:?}");
        ran.usage.left
    };
    (0..3).for_each(|_| assert!(explode(&mut slot) < 100));
    let before = count();
    let many = (0..number).filter(|_| explode(&mut slot) > 2).count();
    // Others mount and unmount, too; what we left would stay.
    let mut counts = (0..100).map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        count()
    });
    let after = counts.find(|after| after[..3] == before[..3]).unwrap_or_else(count);
    assert!(many > number / 2, "only {many} of {number} bombs went off in time");
    assert_eq!(after[..3], before[..3], "processes, mounts, groups: before and after {number} bombs");
    // Other tests run beside this one: a leak would be one for each bomb.
    assert!(after[3] < before[3] + number / 2, "descriptors: {before:?}, {after:?}");
    assert!(after[4] < before[4] + 64 * 1024, "memory: {before:?}, {after:?}");
}

/// As a process of its own: other tests of this one start processes, too.
fn alone(test: &str) {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--include-ignored"]).env("KOPEK_TEST_ALONE", "1");
    let done = command.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn lonely() -> bool {
    std::env::var_os("KOPEK_TEST_ALONE").is_some()
}

#[test]
fn a_hundred_fork_bombs_leave_the_machine_as_it_was() {
    if lonely() {
        bombs(100)
    } else {
        alone("attacks::bombs::a_hundred_fork_bombs_leave_the_machine_as_it_was")
    }
}

#[test]
#[ignore = "takes a minute"]
fn a_thousand_fork_bombs_leave_the_machine_as_it_was() {
    if lonely() {
        bombs(1000)
    } else {
        alone("attacks::bombs::a_thousand_fork_bombs_leave_the_machine_as_it_was")
    }
}
