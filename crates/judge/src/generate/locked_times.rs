//! How long the accepted submissions took on the machine of the time limit. The lock keeps this, so that kopek can
//! report that another machine is slower or faster.

use super::lock::{self, LockedTimes};
use anyhow::Result;
use kopek_engine::{machine::machine_class, package::Package};
use std::{collections::BTreeMap, path::Path, time::Duration};

/// The effect on the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimesRecorded {
    /// The lock has these times now.
    Recorded,
    /// The lock has similar times and is unchanged.
    Unchanged,
    /// There is no lock.
    NoLock,
}

/// The slowest case of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowestCase {
    /// Its name.
    pub case: String,
    /// The least time on it.
    pub least: Duration,
}

/// The lock is rewritten if a time changed by this factor: no two measurements are equal.
const REAL_CHANGE: f64 = 1.3;

/// From this factor on, it is a different machine. Well above the variation of a single machine.
const ANOTHER_MACHINE: f64 = 1.5;

/// Writes times into the lock of a package, unless it has similar ones.
pub fn record_times(
    package: &Path,
    limit: Duration,
    submissions: &BTreeMap<String, SlowestCase>,
) -> Result<TimesRecorded> {
    if lock::read(package)?.is_none() {
        return Ok(TimesRecorded::NoLock);
    }
    let time = |(name, slowest): (&String, &SlowestCase)| (name.clone(), rounded_seconds(slowest.least));
    let case = |(name, slowest): (&String, &SlowestCase)| (name.clone(), slowest.case.clone());
    let new = LockedTimes {
        limit: limit.as_secs_f64(),
        machine: machine_class(),
        submissions: submissions.iter().map(time).collect(),
        cases: submissions.iter().map(case).collect(),
    };
    if lock::read_times(package)?.is_some_and(|old| is_about_same(&old, &new)) {
        return Ok(TimesRecorded::Unchanged);
    }
    lock::write_times(package, new)?;
    Ok(TimesRecorded::Recorded)
}

/// The slowest case of each submission, as far as the lock has it.
pub fn slowest_cases(package: &Path) -> BTreeMap<String, String> {
    // `generate` and `verify` report an unreadable lock; it only improves the choice of a case here.
    lock::read_times(package).ok().flatten().map(|times| times.cases).unwrap_or_default()
}

/// A message if this machine is much slower or faster than that of the time limit. `least`: by submission, the least
/// time on its slowest case here.
pub fn compare_machines(package: &Package, least: &BTreeMap<String, Duration>) -> Result<Option<String>> {
    let Some(locked) = lock::read_times(&package.dir)? else { return Ok(None) };
    // Times under another limit cannot be compared.
    let same_limit = package.limits.time.is_some_and(|limit| limit.as_secs_f64() == locked.limit);
    Ok(if same_limit { difference_text(&locked, least) } else { None })
}

fn difference_text(locked: &LockedTimes, least: &BTreeMap<String, Duration>) -> Option<String> {
    let comparable = |name: &&String| locked.cases.contains_key(*name) && locked.submissions[*name] > 0.0;
    let name = locked.submissions.keys().filter(comparable).find(|name| least.contains_key(*name))?;
    let factor = least[name].as_secs_f64() / locked.submissions[name];
    let (word, factor) = if factor >= 1.0 { ("slower", factor) } else { ("faster", 1.0 / factor) };
    (factor >= ANOTHER_MACHINE).then(|| {
        format!(
            "this machine is {factor:.1}x {word} than the one of the time limit ({}), by {name}; `--limits \
                calibrated` measures the limit here",
            locked.machine
        )
    })
}

/// To the millisecond.
fn rounded_seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

fn is_about_same(old: &LockedTimes, new: &LockedTimes) -> bool {
    let near = |a: f64, b: f64| a.max(b) <= a.min(b) * REAL_CHANGE + 0.02;
    let same_names =
        old.submissions.keys().eq(new.submissions.keys()) && old.cases.keys().eq(new.cases.keys());
    let mut times = old.submissions.values().zip(new.submissions.values());
    (old.limit, &old.machine) == (new.limit, &new.machine)
        && same_names
        && times.all(|(old, new)| near(*old, *new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(seconds: f64) -> LockedTimes {
        LockedTimes {
            limit: 1.0,
            machine: "x86_64 a processor".into(),
            submissions: [("accepted/a.c".to_owned(), seconds)].into(),
            cases: [("accepted/a.c".to_owned(), "secret/1".to_owned())].into(),
        }
    }

    #[test]
    fn a_lock_is_written_again_only_where_something_really_changed() {
        let old = times(0.4);
        assert!(is_about_same(&old, &times(0.45)));
        assert!(!is_about_same(&old, &times(0.7)), "it takes longer");
        assert!(!is_about_same(&old, &LockedTimes { limit: 2.0, ..old.clone() }), "another limit");
        assert!(!is_about_same(&old, &LockedTimes { machine: "another".into(), ..old.clone() }));
        assert!(!is_about_same(&LockedTimes { cases: BTreeMap::new(), ..old.clone() }, &old), "no cases yet");
        let renamed = [("accepted/b.c".to_owned(), 0.4)].into();
        assert!(!is_about_same(&old, &LockedTimes { submissions: renamed, ..old.clone() }));
    }

    #[test]
    fn only_a_machine_that_is_much_slower_or_faster_is_named() {
        let text = |name: &str, millis: u64| {
            difference_text(&times(0.4), &[(name.to_owned(), Duration::from_millis(millis))].into())
        };
        assert_eq!((text("accepted/a.c", 560), text("accepted/a.c", 280)), (None, None));
        assert!(text("accepted/a.c", 720).unwrap().starts_with("this machine is 1.8x slower than the one"));
        assert!(text("accepted/a.c", 200).unwrap().starts_with("this machine is 2.0x faster than the one"));
        assert_eq!(text("accepted/b.c", 2000), None, "the lock does not know it");
    }
}
