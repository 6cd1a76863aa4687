//! Host ids for programs: users that nothing else uses, if the judge has such ids. A judge that is root in
//! name only (one id, or no right to change users) has none; then programs run as its own user, like those of
//! an ordinary user.

use rustix::thread::CapabilitySet;
use serde::{Deserialize, Serialize};
use std::{fs, sync::OnceLock};

/// The first id to use if all ids are mapped: far from those of people, services and containers.
const FIRST_ID: u32 = 0x6000_0000;

/// Two for every Linux process number.
const WANTED: u32 = 2 * (4 << 20);

/// In a smaller map, lower ids are for people and services, and the last one is user 65534.
const FIRST_OF_FEW: u32 = 20_000;
const LAST_OF_FEW: u32 = 65_533;

/// With fewer ids, programs that run at once would share them too often.
const MIN_COUNT: u32 = 64;

/// The rights to run programs as other users, to kill them, and to clean up after them.
const RIGHTS: CapabilitySet = CapabilitySet::SETUID
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::CHOWN)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::DAC_OVERRIDE);

#[derive(Debug, Clone, Copy, PartialEq)]
struct IdRange {
    first: u32,
    count: u32,
}

/// Two ids for the worker and the program of the supervisor with this process number; `None` if this process
/// has no such ids. Supervisors that are alive at the same time do not share ids, unless the map of ids is
/// small.
pub(crate) fn ids_for(supervisor: u32) -> Option<u32> {
    let range = own_range()?;
    Some(range.first + 2 * (supervisor % (range.count / 2)))
}

/// The host user of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ProgramUsers {
    /// Users that nothing else uses.
    Own,
    /// The judge, who is root without other users: in a container with one id, or without rights.
    RootItself,
    /// The judge, an ordinary user.
    Judge,
}

impl ProgramUsers {
    pub(crate) fn find() -> ProgramUsers {
        match own_range() {
            Some(_) => ProgramUsers::Own,
            None if rustix::process::geteuid().is_root() => ProgramUsers::RootItself,
            None => ProgramUsers::Judge,
        }
    }
}

fn own_range() -> Option<IdRange> {
    static RANGE: OnceLock<Option<IdRange>> = OnceLock::new();
    *RANGE.get_or_init(|| {
        let may_change = rustix::thread::capabilities(None).is_ok_and(|sets| sets.effective.contains(RIGHTS));
        // If groups cannot be left, a program would keep ours.
        let denied = fs::read_to_string("/proc/self/setgroups").is_ok_and(|text| text.trim() == "deny");
        let read = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).ok();
        if !rustix::process::geteuid().is_root() || !may_change || denied {
            return None;
        }
        spare_range(&read("uid_map")?, &read("gid_map")?)
    })
}

/// Ids that both maps have and that others are unlikely to use.
fn spare_range(users: &str, groups: &str) -> Option<IdRange> {
    let users = mapped_ranges(users);
    let groups = mapped_ranges(groups);
    let common = users.iter().flat_map(|a| groups.iter().map(move |b| overlap(*a, *b)));
    common.filter_map(unused_part).max_by_key(|range| range.count)
}

/// Parses lines of `inside outside count`.
fn mapped_ranges(map: &str) -> Vec<IdRange> {
    let range = |line: &str| {
        let mut words = line.split_whitespace().map(|word| word.parse::<u32>().ok());
        let first = words.next()??;
        let _outside = words.next()??;
        let count = words.next()??;
        Some(IdRange { first, count })
    };
    map.lines().filter_map(range).collect()
}

fn overlap(a: IdRange, b: IdRange) -> IdRange {
    let end = a.first.saturating_add(a.count).min(b.first.saturating_add(b.count));
    let first = a.first.max(b.first);
    IdRange { first, count: end.saturating_sub(first) }
}

fn unused_part(range: IdRange) -> Option<IdRange> {
    let whole = IdRange { first: FIRST_ID, count: WANTED };
    if overlap(range, whole) == whole {
        return Some(whole);
    }
    let few = IdRange { first: FIRST_OF_FEW, count: LAST_OF_FEW - FIRST_OF_FEW };
    Some(overlap(range, few)).filter(|part| part.count >= MIN_COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_taken_from_what_is_mapped() {
        let all = "         0          0 4294967295\n";
        let container = "0 1000 1\n1 100000 65536\n";
        let whole = Some(IdRange { first: FIRST_ID, count: WANTED });
        assert_eq!(spare_range(all, all), whole);
        let few = Some(IdRange { first: FIRST_OF_FEW, count: LAST_OF_FEW - FIRST_OF_FEW });
        assert_eq!(spare_range(container, container), few);
        assert_eq!(spare_range(all, container), few);
        assert_eq!(spare_range("0 0 1\n", "0 0 1\n"), None, "one id only");
        assert_eq!(spare_range("0 1000 1\n", all), None, "one user, all groups");
        assert_eq!(spare_range("0 100000 20010\n", all), None, "too few");
    }
}
