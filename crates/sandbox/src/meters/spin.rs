//! A fixed piece of arithmetic: its CPU time shows how slow the machine is at this moment.

use rustix::time::{ClockId, clock_gettime};
use std::{hint::black_box, time::Duration};

/// 20 ms in the release profile: 40 spins of 10 million steps on an idle Xeon (virtual machine, turbo at 4
/// GHz) took at least 14.8 ms and in the median 16.5 ms, hence 1.5 ns a step.
const STEPS: u64 = 13_500_000;

/// The CPU time of a fixed piece of arithmetic, about 20 ms on a usual CPU. Runs in the calling thread.
pub fn spin() -> Duration {
    spin_steps(STEPS)
}

fn spin_steps(steps: u64) -> Duration {
    let start = thread_time();
    // Each step needs the one before. The shift keeps a compiler from folding several into one.
    let end = (0..black_box(steps)).fold(black_box(1u64), |at, _| {
        let next = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        next ^ next >> 29
    });
    black_box(end);
    thread_time().saturating_sub(start)
}

/// CPU time of the calling thread.
fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_step_is_left_out() {
        // 10 GHz at one cycle a step would be 100 ps; a step has a multiplication, so it takes at least three cycles.
        assert!(spin_steps(1_000_000) >= Duration::from_micros(100));
        assert_eq!(spin_steps(0).as_millis(), 0);
    }
}
