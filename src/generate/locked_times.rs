//! How long the accepted submissions took on the machine of the time limit, beside its yardstick: kept in
//! the lock, so that another machine learns that it is slower or quicker.

use super::lock::{self, LockedTimes};
use crate::{
    exec::{Machine, machine_class},
    package::Package,
    sandbox::YardstickTimes,
};
use anyhow::Result;
use std::{collections::BTreeMap, path::Path, time::Duration};

/// What became of the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimesRecorded {
    /// It has these times now.
    Recorded,
    /// It has about the same, which stay.
    Unchanged,
    /// There is none.
    NoLock,
    /// It is not known how quick this machine is in quiet.
    NoYardstick,
}

/// So much must change that a lock is written anew: what is measured is never the same.
const REAL_CHANGE: f64 = 1.3;

/// From this factor on a machine is another one. Well above what one machine differs from itself.
const ANOTHER_MACHINE: f64 = 1.5;

/// Puts times into the lock of a package, unless it has about the same.
pub fn record_times(
    package: &Path,
    machine: &Machine,
    (limit, submissions): (Duration, &BTreeMap<String, Duration>),
) -> Result<TimesRecorded> {
    if lock::read(package)?.is_none() {
        return Ok(TimesRecorded::NoLock);
    }
    let Some(yardstick) = machine.quiet_yardstick() else { return Ok(TimesRecorded::NoYardstick) };
    let new = LockedTimes {
        limit: limit.as_secs_f64(),
        machine: machine_class(),
        build: build_name().to_owned(),
        yardstick,
        submissions: submissions.iter().map(|(name, time)| (name.clone(), rounded_seconds(*time))).collect(),
    };
    if lock::read_times(package)?.is_some_and(|old| is_about_same(&old, &new)) {
        return Ok(TimesRecorded::Unchanged);
    }
    lock::write_times(package, new)?;
    Ok(TimesRecorded::Recorded)
}

/// What to say where this machine is much slower or quicker than that of the time limit.
pub fn compare_machines(package: &Package, machine: &Machine) -> Result<Option<String>> {
    let Some(locked) = lock::read_times(&package.dir)? else { return Ok(None) };
    let same_limit = package.limits.time.is_some_and(|limit| limit.as_secs_f64() == locked.limit);
    // Of another limit, or by another build, nothing can be said.
    if !same_limit || locked.build != build_name() {
        return Ok(None);
    }
    Ok(machine.quiet_yardstick().and_then(|here| difference_text(&locked, &here)))
}

fn difference_text(locked: &LockedTimes, here: &YardstickTimes) -> Option<String> {
    let factor = here.factor_over(&locked.yardstick);
    let (word, factor) = if factor >= 1.0 { ("slower", factor) } else { ("quicker", 1.0 / factor) };
    (factor >= ANOTHER_MACHINE).then(|| {
        format!(
            "this machine is {factor:.1} × {word} than the one that the time limit was measured on ({}); \
             `--limits calibrated` judges with a limit that is measured here",
            locked.machine
        )
    })
}

fn build_name() -> &'static str {
    if cfg!(debug_assertions) { "unoptimised" } else { "optimised" }
}

/// To the millisecond.
fn rounded_seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

fn is_about_same(old: &LockedTimes, new: &LockedTimes) -> bool {
    let near = |a: f64, b: f64| a.max(b) <= a.min(b) * REAL_CHANGE + 0.02;
    let same_names = old.submissions.keys().eq(new.submissions.keys());
    let mut times = old.submissions.values().zip(new.submissions.values());
    old.limit == new.limit
        && (&old.machine, &old.build) == (&new.machine, &new.build)
        && near(new.yardstick.factor_over(&old.yardstick), 1.0)
        && same_names
        && times.all(|(old, new)| near(*old, *new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::PARTS;

    fn times(yardstick: u64, seconds: f64) -> LockedTimes {
        LockedTimes {
            limit: 1.0,
            machine: "x86_64 a processor".into(),
            build: "optimised".into(),
            yardstick: YardstickTimes::from_parts([yardstick; PARTS]),
            submissions: [("accepted/a.c".to_owned(), seconds)].into(),
        }
    }

    #[test]
    fn a_lock_is_written_anew_only_where_something_really_changed() {
        let old = times(1000, 0.4);
        assert!(is_about_same(&old, &times(1200, 0.45)));
        assert!(!is_about_same(&old, &times(1000, 0.7)), "it takes longer");
        assert!(!is_about_same(&old, &times(1600, 0.4)), "another machine");
        assert!(!is_about_same(&old, &LockedTimes { limit: 2.0, ..old.clone() }), "another limit");
        let renamed = [("accepted/b.c".to_owned(), 0.4)].into();
        assert!(!is_about_same(&old, &LockedTimes { submissions: renamed, ..old.clone() }));
    }

    #[test]
    fn only_a_machine_that_is_much_slower_or_quicker_is_named() {
        let text = |here: u64| difference_text(&times(1000, 0.4), &times(here, 0.4).yardstick);
        assert_eq!((text(1400), text(700)), (None, None));
        assert!(text(1800).unwrap().starts_with("this machine is 1.8 × slower than the one"));
        assert!(text(500).unwrap().starts_with("this machine is 2.0 × quicker than the one"));
    }
}
