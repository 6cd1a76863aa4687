//! Waits for a condition that passes by itself: the only loop of this kind.

use std::{
    thread,
    time::{Duration, Instant},
};

/// How to wait for a condition that passes by itself.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// How long to retry.
    pub max: Duration,
    /// The pause between attempts.
    pub pause: Duration,
}

impl Patience {
    /// Retries until success, a permanent failure, or a timeout. Returns the last result.
    pub fn retry<T, E>(
        self,
        passes: impl Fn(&E) -> bool,
        mut act: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        let since = Instant::now();
        loop {
            match act() {
                Err(error) if passes(&error) && since.elapsed() < self.max => thread::sleep(self.pause),
                done => return done,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_passes_is_waited_for() {
        let count_to = |max: Duration, wanted: u32| {
            let mut count = 0;
            let done = Patience { max, pause: Duration::ZERO }.retry(
                |count| *count < 3,
                || {
                    count += 1;
                    if count == wanted { Ok(count) } else { Err(count) }
                },
            );
            (done, count)
        };
        assert_eq!(count_to(Duration::MAX, 2), (Ok(2), 2));
        assert_eq!(count_to(Duration::MAX, 9), (Err(3), 3), "the third failure does not pass");
        assert_eq!(count_to(Duration::ZERO, 2), (Err(1), 1), "time is up");
    }
}
