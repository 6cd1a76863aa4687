//! Selects an engine: number type, instruction set, shape and threads.
//!
//! An engine climbs from a layer to one some rounds above. The values of games and the checkpoints of the
//! navigator are both computed that way.

use super::engine_kinds::{Instructions, NumberType, Shape};
use super::layer_climb::{LayerClimb, ProgressFn, count_states, lowest_layer};
use super::scalar;
use super::sweep::SweepTask;
use super::tiles::{PlainTiles, climb_by_tiles};
use super::transposed::{PLAYERS, TransposedTiles};
use crate::game::{Game, MAX_TOTAL};
use crate::lane_number::LaneNumber;
#[cfg(target_arch = "x86_64")]
use crate::vector::{Avx2, Avx512, F64x4, F64x8, I32x8, I32x16};
use crate::vector::{CpuFeatures, VectorTask, WideVector, run_with};
use std::fmt;

/// A way to climb layers. All engines give the same values.
///
/// ```
/// use kopek_coins::{Game, layers::LayerEngine};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// let engine = LayerEngine::choose(&game);
/// assert!(engine.suits(&game));
/// assert_eq!(engine.value(&game, &|_| {}), 5);
/// # Ok::<(), kopek_coins::GameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LayerEngine {
    pub number: NumberType,
    pub instructions: Instructions,
    /// Order of the work.
    pub shape: Shape,
    /// The number of threads in the ring; only tiles use more than one.
    pub threads: usize,
}

/// Below these sizes a single layer stays in the cache, and tiles gain nothing.
const TILED_COINS: usize = 3_000;
const TILED_ROUNDS: usize = 64;

/// Below this size, too much of a wide tile is outside the row.
const TRANSPOSED_COINS: usize = 2_000;

/// Vectors per transposed tile, up to this many coins: wider tiles waste less for filling and draining,
/// narrower ones waste less outside the row.
const ROWS: [(usize, usize); 3] = [(12_000, 64), (50_000, 128), (usize::MAX, 192)];

/// From this many states on, the cost of starting threads is negligible compared with the work (20 to 40 ms).
const RING_STATES: u64 = 500_000_000;

/// In 32-bit numbers a tile, the coins at both ends of its stretches and its fence take 25 KiB and fit
/// together into the first-level cache.
const TILES: Shape = Shape::Tiles { width: 2048, block: 64 };

/// A climb with its inputs and its progress callback.
struct ClimbTask<'a> {
    coins: &'a [i64],
    states: &'a [i64],
    climb: LayerClimb,
    progress: &'a ProgressFn<'a>,
}

impl LayerEngine {
    /// The fastest known engine for the game on this machine. O(n).
    pub fn choose(game: &Game) -> LayerEngine {
        let (n, m) = (game.coins().len(), game.players());
        let instructions =
            *Instructions::ALL.iter().rev().find(|i| i.is_available()).unwrap_or(&Instructions::Portable);
        let number = Self::narrowest_number(bound_of_states(game), instructions);
        let rows = ROWS.into_iter().find(|&(coins, _)| n <= coins).map_or(192, |(_, rows)| rows);
        let transposed = Shape::Transposed { rows, block: 192 };
        let mut engine = LayerEngine { number, instructions, shape: transposed, threads: 1 };
        // With few coins or layers, cutting out a tile costs more than it saves.
        if n < TRANSPOSED_COINS || !engine.suits(game) {
            let small = n < TILED_COINS || n / m < TILED_ROUNDS;
            engine.shape = if small { Shape::Sweep } else { TILES };
        }
        if engine.shape != Shape::Sweep && count_states(game) >= RING_STATES {
            engine.threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        }
        engine
    }

    /// The narrowest exact type: half the width means twice the states per vector.
    fn narrowest_number(bound: i64, instructions: Instructions) -> NumberType {
        // Plain x86-64 has vector minima of floats but not of integers: f32 takes half the time of i32 there,
        // and needs neither dispatch nor unsafe code.
        let narrow = if instructions == Instructions::Portable { NumberType::F32 } else { NumberType::I32 };
        let order = [narrow, NumberType::I32, NumberType::F64, NumberType::I64];
        order.into_iter().find(|number| bound <= number.limit()).unwrap_or(NumberType::I64)
    }

    /// Whether the engine is exact for the game, has a kernel for it, and can run on this CPU. O(n).
    pub fn suits(&self, game: &Game) -> bool {
        let m = game.players();
        let shape = match self.shape {
            Shape::Scalar => self.number == NumberType::I64 && self.instructions == Instructions::Portable,
            Shape::Sweep => true,
            Shape::Tiles { width, block } => width > 0 && block > 0,
            Shape::Transposed { rows, block } => {
                PLAYERS.contains(&m)
                    && rows >= m
                    && block > 0
                    && self.instructions != Instructions::Portable
                    && matches!(self.number, NumberType::I32 | NumberType::F64)
            }
        };
        shape && m >= 2 && self.instructions.is_available() && bound_of_states(game) <= self.number.limit()
    }

    /// The guaranteed value of `p_k`, by layers. O(n²/m) time, O(n) memory.
    ///
    /// # Panics
    /// If the engine does not [`suit`](Self::suits) the game.
    pub fn value(&self, game: &Game, progress: &ProgressFn<'_>) -> i64 {
        assert!(self.suits(game), "the engine {self} does not suit this game");
        let Some(rounds) = game.turns().checked_sub(1) else { return 0 };
        let length = game.last_length();
        let climb = LayerClimb { n: game.coins().len(), m: game.players(), length, rounds };
        let states = lowest_layer(game.coins(), length);
        let highest = self.climb_layers(&ClimbTask { coins: game.coins(), states: &states, climb, progress });
        highest[..=game.me()].iter().copied().min().unwrap_or(0)
    }

    /// The layer `climb.rounds` above `states`, over part of the row of a game that suits the engine; layer
    /// by layer if tiles would not be faster.
    pub fn climb_part(&self, row: &[i64], states: Vec<i64>, climb: LayerClimb) -> Vec<i64> {
        let small = row.len() < TILED_COINS || climb.rounds < TILED_ROUNDS;
        let wide = matches!(self.shape, Shape::Transposed { .. }) && row.len() < TRANSPOSED_COINS;
        let shape = if small {
            Shape::Sweep
        } else if wide {
            TILES
        } else {
            self.shape
        };
        let engine = LayerEngine { shape, ..*self };
        engine.climb_layers(&ClimbTask { coins: row, states: &states, climb, progress: &|_| {} })
    }

    /// The layer `task.climb.rounds` above `task.states`. The engine must suit the game of the row.
    fn climb_layers(&self, task: &ClimbTask<'_>) -> Vec<i64> {
        match (self.shape, self.number) {
            (Shape::Scalar, _) => scalar::climb_by_queue(task.coins, task.states.to_vec(), task.climb),
            #[cfg(target_arch = "x86_64")]
            (Shape::Transposed { rows, block }, number) => match (self.instructions, number) {
                (Instructions::Avx512, NumberType::I32) => self.climb_wide::<I32x16>(task, rows, block),
                (Instructions::Avx512, _) => self.climb_wide::<F64x8>(task, rows, block),
                (_, NumberType::I32) => self.climb_wide::<I32x8>(task, rows, block),
                (_, _) => self.climb_wide::<F64x4>(task, rows, block),
            },
            (_, NumberType::F32) => self.climb_in::<f32>(task),
            (_, NumberType::F64) => self.climb_in::<f64>(task),
            (_, NumberType::I32) => self.climb_in::<i32>(task),
            (_, NumberType::I64) => self.climb_in::<i64>(task),
        }
    }

    /// A climb by transposed tiles of `rows` vectors.
    #[cfg(target_arch = "x86_64")]
    fn climb_wide<V: WideVector>(&self, task: &ClimbTask<'_>, rows: usize, block: usize) -> Vec<i64> {
        let cpu = V::Features::detect().expect("an engine that suits runs on this CPU");
        let (x, mut w) = (to_lanes::<V::Lane>(task.coins), to_lanes(task.states));
        let kernel = TransposedTiles::<V>::new(cpu, &x, task.climb.m, rows, block);
        climb_by_tiles(&kernel, &mut w, task.climb, self.threads, task.progress);
        from_lanes(&w)
    }

    /// A climb with plain loops, by tiles or by whole layers.
    fn climb_in<T: LaneNumber>(&self, task: &ClimbTask<'_>) -> Vec<i64> {
        let (x, mut w) = (to_lanes::<T>(task.coins), to_lanes(task.states));
        if let Shape::Tiles { width, block } = self.shape {
            // A function pointer per instruction set, so that the kernel needs no type for it.
            let run = match self.instructions {
                Instructions::Portable => PlainTiles::climb_tile,
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => PlainTiles::climb_tile_with::<Avx2>,
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => PlainTiles::climb_tile_with::<Avx512>,
                #[cfg(not(target_arch = "x86_64"))]
                Instructions::Avx2 | Instructions::Avx512 => unreachable!("not on this CPU"),
            };
            let kernel = PlainTiles { coins: &x, m: task.climb.m, width, block, run };
            climb_by_tiles(&kernel, &mut w, task.climb, self.threads, task.progress);
        } else {
            let sweeps = SweepTask { x, w: &mut w, climb: task.climb };
            match self.instructions {
                Instructions::Portable => sweeps.run(),
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => run_with::<Avx2, _>(sweeps),
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => run_with::<Avx512, _>(sweeps),
                #[cfg(not(target_arch = "x86_64"))]
                Instructions::Avx2 | Instructions::Avx512 => unreachable!("not on this CPU"),
            }
            (task.progress)(task.climb.all_states());
        }
        from_lanes(&w)
    }
}

impl fmt::Display for LayerEngine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Scalar => write!(out, "scalar")?,
            Shape::Sweep => write!(out, "sweep")?,
            Shape::Tiles { .. } => write!(out, "tiles")?,
            Shape::Transposed { .. } => write!(out, "transposed")?,
        }
        let (number, set) = (format!("{:?}", self.number), format!("{:?}", self.instructions));
        write!(out, " {} {}", number.to_lowercase(), set.to_lowercase())?;
        if self.threads > 1 { write!(out, " x{}", self.threads) } else { Ok(()) }
    }
}

/// An upper bound on the absolute values of the states.
fn bound_of_states(game: &Game) -> i64 {
    let greatest = game.coins().iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
    let bound = u128::from(greatest) * game.turns().max(1) as u128;
    // The sum of absolute values bounds the states, too; number types need not hold more.
    bound.min(MAX_TOTAL as u128) as i64
}

fn to_lanes<T: LaneNumber>(values: &[i64]) -> Vec<T> {
    values.iter().map(|&value| T::of(value)).collect()
}

fn from_lanes<T: LaneNumber>(lanes: &[T]) -> Vec<i64> {
    lanes.iter().map(|lane| lane.value()).collect()
}
