//! Host ids for programs: users that are used for nothing else, where the judge has some to give.
//! A judge that is root in name only (one id, or no right to change users) has none; then programs
//! are its own user, as they are of an ordinary user.

use rustix::thread::CapabilitySet;
use serde::{Deserialize, Serialize};
use std::{fs, sync::OnceLock};

/// The first of the ids that are taken where all are mapped; far from those of people and services,
/// and from the ranges given to containers.
const FIRST_ID: u32 = 0x6000_0000;

/// Two for every process number that Linux gives.
const WANTED: u32 = 2 * (4 << 20);

/// Of a smaller map what lies below belongs to people and services, and the end to nobody.
const FIRST_OF_FEW: u32 = 20_000;
const LAST_OF_FEW: u32 = 65_533;

/// Fewer would be given to several programs at once too often.
const LEAST: u32 = 64;

/// What it takes to run programs as others, to end them, and to clean up after them.
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

/// Two ids for the worker and the program of the supervisor with this process number; none when
/// this process has none to give. No two supervisors that live at the same time share them, unless the
/// map of ids is small.
pub(crate) fn ids_for(supervisor: u32) -> Option<u32> {
    let range = own_range()?;
    Some(range.first + 2 * (supervisor % (range.count / 2)))
}

/// As whom programs run on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ProgramUsers {
    /// As users that are used for nothing else.
    Own,
    /// As the judge, who is root and has no other users to give: in a container with one id, or without rights.
    RootItself,
    /// As the judge, an ordinary user.
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
        // Where groups cannot be left a program would keep ours.
        let denied = fs::read_to_string("/proc/self/setgroups").is_ok_and(|text| text.trim() == "deny");
        let read = |name: &str| fs::read_to_string(format!("/proc/self/{name}")).ok();
        if !rustix::process::geteuid().is_root() || !may_change || denied {
            return None;
        }
        spare_range(&read("uid_map")?, &read("gid_map")?)
    })
}

/// Ids that both maps have and nobody else is likely to use.
fn spare_range(users: &str, groups: &str) -> Option<IdRange> {
    let (users, groups) = (mapped_ranges(users), mapped_ranges(groups));
    let common = users.iter().flat_map(|a| groups.iter().map(move |b| overlap(*a, *b)));
    common.filter_map(unused_part).max_by_key(|range| range.count)
}

/// Lines of `inside outside count`.
fn mapped_ranges(map: &str) -> Vec<IdRange> {
    let range = |line: &str| {
        let mut words = line.split_whitespace().map(|word| word.parse::<u32>().ok());
        let (first, _outside, count) = (words.next()??, words.next()??, words.next()??);
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
    Some(overlap(range, few)).filter(|part| part.count >= LEAST)
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
