//! When a property counts: it holds in all cases, and enough of them show it.

use std::collections::BTreeMap;

/// A property counts if this many tokens show it.
pub(super) const SHOWN: usize = 3;

/// How often something was seen, and whether it held each time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evidence {
    pub holds: bool,
    pub shown: usize,
}

impl Evidence {
    pub fn counts(&self) -> bool {
        self.holds && self.shown >= SHOWN
    }
}

pub(super) fn note<K: Ord>(all: &mut BTreeMap<K, Evidence>, key: K, seen: Evidence) {
    let known = all.entry(key).or_insert(Evidence { holds: true, shown: 0 });
    known.holds &= seen.holds;
    known.shown += seen.shown;
}
