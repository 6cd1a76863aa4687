//! One layer in one pass, in place.
//!
//! State `i` of the new layer reads only old states `i ..= i+m`, so ascending order needs no second buffer.
//! Up to eight players the window minimum is computed directly; above, by doubling (minima of 2, 4, 8, …
//! neighbours) in pieces that fit into the first-level cache. Plain loops: the compiler vectorises them, with
//! wider vectors if the caller runs inside [`vector`](crate::vector).

use super::layer_climb::LayerClimb;
use crate::lane_number::LaneNumber;
use crate::vector::VectorTask;

/// The most players whose window minimum is computed directly: each needs its own compiled loop, and for more
/// players doubling takes fewer steps.
const DIRECT: usize = 8;

/// States per piece of the doubling minimum: its two buffers stay in the first-level cache.
const PIECE: usize = 1024;

/// `w[i] = max(left[i] + min w[i+1 ..= i+m], right[i] + min w[i .. i+m])` for every `i`
/// of `left`; `w` is `m` longer than `left` and `right`.
#[inline(always)]
pub(super) fn sweep_layer<T: LaneNumber>(w: &mut [T], left: &[T], right: &[T], m: usize, spare: &mut Vec<T>) {
    debug_assert!(w.len() == left.len() + m && left.len() == right.len());
    match m {
        2 => sweep_direct::<T, 2>(w, left, right),
        3 => sweep_direct::<T, 3>(w, left, right),
        4 => sweep_direct::<T, 4>(w, left, right),
        5 => sweep_direct::<T, 5>(w, left, right),
        6 => sweep_direct::<T, 6>(w, left, right),
        7 => sweep_direct::<T, 7>(w, left, right),
        DIRECT => sweep_direct::<T, DIRECT>(w, left, right),
        _ => sweep_by_doubling(w, left, right, m, spare),
    }
}

#[inline(always)]
fn sweep_direct<T: LaneNumber, const M: usize>(w: &mut [T], left: &[T], right: &[T]) {
    let count = left.len();
    // States the equal lengths once, so that no index below needs a bounds check.
    let (w, right) = (&mut w[..count + M], &right[..count]);
    for i in 0..count {
        // The common part of both windows is computed once: m + 3 operations per state.
        let mut inner = w[i + 1];
        for h in 2..M {
            inner = inner.least(w[i + h]);
        }
        let (after_left, after_right) = (inner.least(w[i + M]), inner.least(w[i]));
        w[i] = left[i].plus(after_left).most(right[i].plus(after_right));
    }
}

#[inline(always)]
fn sweep_by_doubling<T: LaneNumber>(w: &mut [T], left: &[T], right: &[T], m: usize, spare: &mut Vec<T>) {
    // Neighbouring pieces overlap by m states: with at least 2m, at most half is computed twice.
    let piece = PIECE.max(2 * m);
    let mut from = 0;
    while from < left.len() {
        let count = piece.min(left.len() - from);
        let minima = doubled_minima(&w[from..from + count + m], m, spare);
        let (left, right) = (&left[from..from + count], &right[from..from + count]);
        let (w, minima) = (&mut w[from..from + count], &minima[..count + 1]);
        for i in 0..count {
            w[i] = left[i].plus(minima[i + 1]).most(right[i].plus(minima[i]));
        }
        from += count;
    }
}

/// The minima of all windows of `m` neighbours. Alternates between two buffers: in place, the unknown
/// distance between reads and writes would prevent vectorisation.
#[inline(always)]
fn doubled_minima<'a, T: LaneNumber>(cells: &[T], m: usize, spare: &'a mut Vec<T>) -> &'a [T] {
    spare.resize(2 * cells.len(), T::default());
    let (mut from, mut to) = spare.split_at_mut(cells.len());
    from.copy_from_slice(cells);
    let (mut size, mut end) = (1, cells.len());
    while size < m {
        // The last step overlaps: a window of m is two windows of `size`, `step` apart.
        let step = size.min(m - size);
        end -= step;
        let (low, high) = (&from[..end], &from[step..step + end]);
        for (to, (low, high)) in to[..end].iter_mut().zip(low.iter().zip(high)) {
            *to = low.least(*high);
        }
        (from, to) = (to, from);
        size += step;
    }
    &from[..end]
}

/// Layers are swept in whole steps of this many states, so that no compiled loop ends with single states: at
/// n = 500 those cost more than all vectors.
const SWEEP_STEP: usize = 64;

/// Replaces the layer in `w` by the one `climb.rounds` rounds longer.
///
/// Up to `SWEEP_STEP - 1` cells after the last state are computed from padding; their contents are garbage
/// that no state reads.
#[inline(always)]
fn climb_by_sweeps<T: LaneNumber>(mut x: Vec<T>, w: &mut Vec<T>, climb: LayerClimb) {
    let (m, mut spare) = (climb.m, Vec::new());
    x.resize(climb.n + SWEEP_STEP, T::default());
    w.resize(w.len() + SWEEP_STEP, T::default());
    for round in 1..=climb.rounds {
        let length = climb.length + round * m;
        let count = climb.states_after(round).next_multiple_of(SWEEP_STEP);
        sweep_layer(&mut w[..count + m], &x[..count], &x[length - 1..][..count], m, &mut spare);
    }
    w.truncate(climb.states_after(climb.rounds));
}

/// A climb by whole layers.
pub(super) struct SweepTask<'a, T: LaneNumber> {
    pub x: Vec<T>,
    pub w: &'a mut Vec<T>,
    pub climb: LayerClimb,
}

impl<T: LaneNumber> VectorTask for SweepTask<'_, T> {
    #[inline(always)]
    fn run(self) {
        climb_by_sweeps(self.x, self.w, self.climb);
    }
}
