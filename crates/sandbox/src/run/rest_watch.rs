//! Measures how long a conversation rested: neither of the two wanted to run, and no bytes were carried.
//!
//! A submission that waits for a validator is not idle while that waits for a CPU. Only the judge sees both.

use crate::meters::{idle_clock::LOOK_INTERVAL, procfs};
use std::{
    os::fd::OwnedFd,
    time::{Duration, Instant},
};

/// A longer gap means that we were prevented from looking.
const MAX_GAP: Duration = Duration::from_millis(400);

pub(crate) struct RestWatch {
    pub(crate) rested: Duration,
    /// Whether they rested until the last look.
    pub(crate) is_resting: bool,
    last_look: Instant,
    /// CPU time of each at that time, if it was visible.
    used: [Option<Duration>; 2],
    /// Bytes carried until then.
    carried: u64,
}

impl RestWatch {
    pub(crate) fn start() -> RestWatch {
        RestWatch {
            rested: Duration::ZERO,
            is_resting: false,
            last_look: Instant::now(),
            used: [None; 2],
            carried: 0,
        }
    }

    /// Looks at both, unless it did so a moment ago; returns whether it looked.
    pub(crate) fn look(&mut self, members: [&OwnedFd; 2], carried: u64) -> bool {
        let since = self.last_look.elapsed();
        if since < LOOK_INTERVAL {
            return false;
        }
        let seen = members.map(procfs::watch_tree);
        let rests = |at: usize| {
            let now = seen[at].as_ref();
            now.is_some_and(|now| !now.is_ready && self.used[at].is_some_and(|used| now.cpu <= used))
        };
        self.is_resting = rests(0) && rests(1) && carried == self.carried && since < MAX_GAP;
        if self.is_resting {
            self.rested += since;
        }
        self.used = seen.map(|seen| seen.map(|seen| seen.cpu));
        (self.last_look, self.carried) = (Instant::now(), carried);
        true
    }
}
