//! One state at a time, with a queue of candidates for the sliding minimum.
//!
//! The textbook way to do layers in O(1) per state: a witness for the vector
//! engines, and the row of the race table that shows what they gain. Its
//! arithmetic is checked: a sum that does not fit is a panic, never a number.

use std::collections::VecDeque;

/// Replaces the layer of `length` coins in `w` by the one `steps` rounds longer.
pub(super) fn climb(x: &[i64], w: &mut Vec<i64>, mut length: usize, m: usize, steps: usize) {
    for _ in 0..steps {
        length += m;
        let least = window_minima(w, m);
        let count = x.len() - length + 1;
        for i in 0..count {
            let left = x[i].checked_add(least[i + 1]).expect("Game bounds all sums");
            let right = x[i + length - 1].checked_add(least[i]).expect("Game bounds all sums");
            w[i] = left.max(right);
        }
        w.truncate(count);
    }
}

/// Minima of all windows of `m` neighbours.
fn window_minima(w: &[i64], m: usize) -> Vec<i64> {
    let mut rising: VecDeque<usize> = VecDeque::new();
    let mut minima = Vec::with_capacity(w.len() + 1 - m);
    for (at, &value) in w.iter().enumerate() {
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
