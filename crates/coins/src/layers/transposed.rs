//! Transposed tiles: neighbouring states in neighbouring *vectors*.
//!
//! A tile of `lanes · rows` states is stored as `rows` vectors; lane `l` of vector `j` holds state
//! `l · rows + j`. The states `i+1 … i+m` that a state reads are in the same lane of the next vectors, so every load is
//! aligned, and minima of windows stay in registers from step to step. After the last vector the first ones
//! follow, shifted by one lane, and the fence fills the free one.
//!
//! One pass climbs several layers: layer `u` follows layer `u-1` at a distance of `m` vectors, and the states
//! between them stay in registers. The coins at right ends, `x[i + length - 1]`, shift by `m` from layer to
//! layer, so one transposed range of coins serves the whole block.

use super::tiles::{TileKernel, TilePosition};
use crate::vector::{CpuFeatures, VectorTask, WideVector};

/// The supported numbers of players.
pub(super) const PLAYERS: std::ops::RangeInclusive<usize> = 2..=6;

/// The kernel: the transposed row, and the shape of tiles.
pub(super) struct TransposedTiles<V: WideVector> {
    cpu: V::Features,
    n: usize,
    m: usize,
    rows: usize,
    block: usize,
    /// Vector `c · rows + q`: lane `l` holds coin `(c · lanes + l) · rows + q`.
    coins: Vec<V>,
}

impl<V: WideVector> TransposedTiles<V> {
    /// Transposes the row. `rows >= m`. O(n).
    pub fn new(cpu: V::Features, coins: &[V::Lane], m: usize, rows: usize, block: usize) -> Self {
        debug_assert!(PLAYERS.contains(&m) && rows >= m);
        let n = coins.len();
        // Tiles reach one width past the row, their right ends another, and a shift reads one further.
        let reach = n + 3 * rows * V::LANES + (block + 1) * m;
        let mut padded = coins.to_vec();
        padded.resize(reach.next_multiple_of(rows * V::LANES), V::Lane::default());
        let coins =
            padded.chunks(rows * V::LANES).flat_map(|chunk| transpose_states(cpu, chunk, rows)).collect();
        TransposedTiles { cpu, n, m, rows, block, coins }
    }

    /// `count` vectors whose lane `l` begins with the coin `from + l · rows`.
    #[inline(always)]
    fn coins_from(&self, from: usize, count: usize, to: &mut Vec<V>) {
        to.clear();
        to.reserve(count);
        let mut at = from;
        while to.len() < count {
            // A run up to the next multiple of `rows` shifts by the same number of lanes.
            let (strip, q) = (at / self.rows, at % self.rows);
            let (chunk, by) = (strip / V::LANES, strip % V::LANES);
            let run = (self.rows - q).min(count - to.len());
            let this = &self.coins[chunk * self.rows + q..][..run];
            let next = &self.coins[(chunk + 1) * self.rows + q..][..run];
            for q in 0..run {
                to.push(this[q].slide(next[q], by));
            }
            at += run;
        }
    }
}

fn transpose_states<V: WideVector>(
    cpu: V::Features,
    states: &[V::Lane],
    rows: usize,
) -> impl Iterator<Item = V> {
    let mut lanes = vec![V::Lane::default(); V::LANES];
    (0..rows).map(move |j| {
        lanes.iter_mut().enumerate().for_each(|(l, lane)| *lane = states[l * rows + j]);
        V::load(cpu, &lanes)
    })
}

impl<V: WideVector> TileKernel<V::Lane, V> for TransposedTiles<V> {
    fn width(&self) -> usize {
        self.rows * V::LANES
    }

    fn block(&self) -> usize {
        self.block
    }

    fn new_tile(&self, states: &[V::Lane]) -> Vec<V> {
        transpose_states::<V>(self.cpu, states, self.rows).collect()
    }

    fn states_of(&self, tile: Vec<V>) -> Vec<V::Lane> {
        let mut states = vec![V::Lane::default(); self.width()];
        let mut lanes = vec![V::Lane::default(); V::LANES];
        for (j, vector) in tile.iter().enumerate() {
            vector.store(&mut lanes);
            lanes.iter().enumerate().for_each(|(l, &lane)| states[l * self.rows + j] = lane);
        }
        states
    }

    fn climb_block(
        &self,
        tile: &mut Vec<V>,
        position: TilePosition,
        fence: &mut [V::Lane],
        spare: &mut Vec<V>,
    ) {
        self.cpu.run_task(TransposedTask { kernel: self, tile, position, fence, spare });
    }
}

struct TransposedTask<'a, V: WideVector> {
    kernel: &'a TransposedTiles<V>,
    tile: &'a mut Vec<V>,
    position: TilePosition,
    fence: &'a mut [V::Lane],
    spare: &'a mut Vec<V>,
}

impl<V: WideVector> VectorTask for TransposedTask<'_, V> {
    #[inline(always)]
    fn run(self) {
        match self.kernel.m {
            // Three layers per pass while the windows fit into registers, two above.
            2 => self.climb_by_passes::<2, 3>(),
            3 => self.climb_by_passes::<3, 3>(),
            4 => self.climb_by_passes::<4, 3>(),
            5 => self.climb_by_passes::<5, 2>(),
            6 => self.climb_by_passes::<6, 2>(),
            m => unreachable!("{m} players are outside {PLAYERS:?}"),
        }
    }
}

impl<V: WideVector> TransposedTask<'_, V> {
    /// Climbs the whole block, `U` layers per pass while that many remain.
    #[inline(always)]
    fn climb_by_passes<const M: usize, const U: usize>(self) {
        let TransposedTask { kernel, tile, position, fence, spare } = self;
        let (rows, cpu) = (kernel.rows, kernel.cpu);
        // Layers that still have a state in this tile; the fences above them are never read.
        let states = (kernel.n + 1).saturating_sub(position.at + position.length);
        let layers = position.layers.min(states.div_ceil(M));
        let chunk = position.at / (rows * V::LANES);
        let left = &kernel.coins[chunk * rows..][..rows];
        kernel.coins_from(position.at + position.length + M - 1, rows + layers * M, spare);
        let mut done = 0;
        while done + U <= layers && rows >= U * M {
            LayerPass::<V, M, U>::new(cpu).climb_tile(
                tile,
                left,
                &spare[done * M..],
                &mut fence[done * M..][..U * M],
            );
            done += U;
        }
        // The remaining layers, and tiles too narrow for several layers at once.
        while done < layers {
            LayerPass::<V, M, 1>::new(cpu).climb_tile(
                tile,
                left,
                &spare[done * M..],
                &mut fence[done * M..][..M],
            );
            done += 1;
        }
    }
}

/// The running minimum of the last `M` vectors.
#[derive(Clone, Copy)]
struct RunningMinimum<V, const M: usize> {
    /// The last vector.
    last: V,
    /// Minima of two: up to the last vector, and one earlier.
    pairs: [V; 2],
    /// Minima of four: likewise.
    fours: [V; 2],
    /// The minimum of the `M` last ones.
    minimum: V,
}

impl<V: WideVector, const M: usize> RunningMinimum<V, M> {
    /// Adds one vector; returns the minimum of the last `M` ones.
    #[inline(always)]
    fn push(&mut self, next: V) -> V {
        let pair = self.last.least(next);
        let four = self.pairs[1].least(pair);
        // From minima of two and of four: at most three operations per vector for any M.
        self.minimum = match M {
            2 => pair,
            3 => self.pairs[0].least(next),
            4 => four,
            5 => self.fours[0].least(next),
            _ => self.fours[1].least(pair),
        };
        self.last = next;
        self.pairs = [pair, self.pairs[0]];
        self.fours = [four, self.fours[0]];
        self.minimum
    }

    /// The next vector of the layer above, `M` behind the input vector.
    #[inline(always)]
    fn next_state(&mut self, vector: V, left: V, right: V) -> V {
        let before = self.minimum;
        let after = self.push(vector);
        left.plus(after).most(right.plus(before))
    }
}

/// `U` layers in one pass over a tile.
struct LayerPass<V: WideVector, const M: usize, const U: usize> {
    cpu: V::Features,
    windows: [RunningMinimum<V, M>; U],
    /// The first `M` vectors of each input layer.
    first: [[V; M]; U],
}

impl<V: WideVector, const M: usize, const U: usize> LayerPass<V, M, U> {
    #[inline(always)]
    fn new(cpu: V::Features) -> Self {
        let zero = V::splat(cpu, V::Lane::default());
        let window = RunningMinimum { last: zero, pairs: [zero; 2], fours: [zero; 2], minimum: zero };
        LayerPass { cpu, windows: [window; U], first: [[zero; M]; U] }
    }

    /// Reads vector `s` of the oldest layer and writes vector `s - U·M` of the newest. Needs at least `U·M`
    /// vectors.
    #[inline(always)]
    fn climb_tile(mut self, tile: &mut [V], left: &[V], right: &[V], fence: &mut [V::Lane]) {
        let rows = left.len();
        let (tile, right) = (&mut tile[..rows], &right[..rows + U * M]);
        assert!(rows >= U * M, "a pass of several layers needs room for all of them");
        // The number of the layer is a constant in each call: windows stay in registers. No closures here:
        // one that is not inlined is compiled without the vector instructions.
        self.begin_layer::<0>(tile, left, right);
        if U > 1 {
            self.begin_layer::<1>(tile, left, right);
        }
        if U > 2 {
            self.begin_layer::<2>(tile, left, right);
        }
        self.climb_middle(tile, left, right);
        self.end_layer::<0>(tile, left, right, fence);
        if U > 1 {
            self.end_layer::<1>(tile, left, right, fence);
        }
        if U > 2 {
            self.end_layer::<2>(tile, left, right, fence);
        }
        for u in 0..U {
            for h in 0..M {
                fence[u * M + h] = self.first[u][h].first();
            }
        }
    }

    /// Layer `LATE` gets its first `M` vectors, while those before it already produce output.
    #[inline(always)]
    fn begin_layer<const LATE: usize>(&mut self, tile: &[V], left: &[V], right: &[V]) {
        for h in 0..M {
            let s = LATE * M + h;
            let mut vector = tile[s];
            for u in 0..LATE {
                vector = self.windows[u].next_state(vector, left[s - (u + 1) * M], right[s - M]);
            }
            self.first[LATE][h] = vector;
            self.windows[LATE].push(vector);
        }
    }

    /// All layers read and write. Their right ends are the same coins: layer `u` is `u·M` vectors behind, and
    /// its stretches are longer by the same amount.
    #[inline(always)]
    fn climb_middle(&mut self, tile: &mut [V], left: &[V], right: &[V]) {
        // Slices of equal, known lengths: without them every index below has a bounds check.
        let count = left.len() - U * M;
        let tile = &mut tile[..count + U * M];
        let lefts: [&[V]; U] = std::array::from_fn(|u| &left[(U - 1 - u) * M..][..count]);
        let right = &right[(U - 1) * M..][..count];
        // A copy that only constants index.
        let mut windows = self.windows;
        for t in 0..count {
            let mut vector = tile[t + U * M];
            for u in 0..U {
                vector = windows[u].next_state(vector, lefts[u][t], right[t]);
            }
            tile[t] = vector;
        }
        self.windows = windows;
    }

    /// Layer `EARLY` gets its last `M` vectors, which are its first ones shifted by a lane.
    #[inline(always)]
    fn end_layer<const EARLY: usize>(&mut self, tile: &mut [V], left: &[V], right: &[V], fence: &[V::Lane]) {
        let (rows, tile) = (left.len(), &mut tile[left.len() - (U - EARLY) * M..]);
        for h in 0..M {
            let s = rows + EARLY * M + h;
            let mut vector = self.first[EARLY][h].slide(V::splat(self.cpu, fence[EARLY * M + h]), 1);
            for u in EARLY..U {
                vector = self.windows[u].next_state(vector, left[s - (u + 1) * M], right[s - M]);
            }
            tile[h] = vector;
        }
    }
}
