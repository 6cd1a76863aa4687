//! One state at a time, with a queue of candidates for the sliding minimum.
//!
//! The textbook method for layers in O(1) per state: an independent check for the vector engines, and the
//! baseline of the benchmark. Its arithmetic is checked: an overflow is a panic, never a number.

use super::layer_climb::LayerClimb;
use std::collections::VecDeque;

/// The layer `climb.rounds` above `w`, over the row `x`.
pub(super) fn climb_by_queue(x: &[i64], mut w: Vec<i64>, climb: LayerClimb) -> Vec<i64> {
    for round in 1..=climb.rounds {
        let length = climb.length + round * climb.m;
        let least = queue_minima(&w, climb.m);
        let count = climb.states_after(round);
        for i in 0..count {
            let left = x[i].checked_add(least[i + 1]).expect("`Game` bounds all sums");
            let right = x[i + length - 1].checked_add(least[i]).expect("`Game` bounds all sums");
            w[i] = left.max(right);
        }
        w.truncate(count);
    }
    w
}

/// Minima of all windows of `m` neighbours.
fn queue_minima(w: &[i64], m: usize) -> Vec<i64> {
    let mut rising: VecDeque<usize> = VecDeque::new();
    let mut minima = Vec::with_capacity(w.len() + 1 - m);
    for (at, &value) in w.iter().enumerate() {
        // A candidate that is not less than a later one can no longer be a minimum.
        while rising.back().is_some_and(|&last| w[last] >= value) {
            rising.pop_back();
        }
        rising.push_back(at);
        if rising[0] + m <= at {
            rising.pop_front();
        }
        if at + 1 >= m {
            minima.push(w[rising[0]]);
        }
    }
    minima
}
