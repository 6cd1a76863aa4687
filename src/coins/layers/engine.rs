//! Which engine: number type, instruction set, shape and threads.
//!
//! An engine does one thing: it lifts a layer by some rounds. Values of games and
//! the checkpoints of the navigator are both made of that.

use super::super::game::Game;
#[cfg(target_arch = "x86_64")]
use super::super::vector::{Avx2, Avx512, F64x4, F64x8, I32x8, I32x16};
use super::super::vector::{Isa, Wide, Work};
use super::kinds::{Instructions, Number, Shape};
use super::lane::Lane;
use super::tiles::{self, Climb, Place, Plain};
use super::transposed::{PLAYERS, Transposed};
use super::{Watch, lowest, scalar, sweep};
use std::fmt;

/// A way to climb layers. All ways give the same values.
///
/// ```
/// use kopek::coins::{Game, layers::Engine};
/// let game = Game::new(vec![1, 1, 8, 5, 5], 3, 2)?;
/// let engine = Engine::choose(&game);
/// assert!(engine.suits(&game));
/// assert_eq!(engine.value(&game, &|_| {}), 5);
/// # Ok::<(), kopek::coins::GameError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Engine {
    /// Number type.
    pub number: Number,
    /// Instruction set.
    pub instructions: Instructions,
    /// Order of the work.
    pub shape: Shape,
    /// Threads of the ring; only tiles use more than one.
    pub threads: usize,
}

/// Below these sizes a layer by itself is at home in the cache.
const TILED_COINS: usize = 3_000;
const TILED_ROUNDS: usize = 64;

/// Below this size too much of a wide tile lies beyond the row.
const TRANSPOSED_COINS: usize = 2_000;

/// Vectors per transposed tile, up to so many coins: wider tiles waste less in filling and
/// draining, narrower ones less beyond the row.
const ROWS: [(usize, usize); 3] = [(12_000, 64), (50_000, 128), (usize::MAX, 192)];

/// From this many states on, starting threads is cheap beside the work.
const RING_STATES: u64 = 500_000_000;

const TILES: Shape = Shape::Tiles { width: 2048, block: 64 };

impl Engine {
    /// The fastest known for the game on this machine. O(n).
    pub fn choose(game: &Game) -> Engine {
        let (n, m) = (game.coins().len(), game.players());
        let instructions =
            *Instructions::ALL.iter().rev().find(|i| i.here()).unwrap_or(&Instructions::Portable);
        let number = Self::number(bound(game), instructions);
        let rows = ROWS.into_iter().find(|&(coins, _)| n <= coins).map_or(192, |(_, rows)| rows);
        let transposed = Shape::Transposed { rows, block: 192 };
        let mut engine = Engine { number, instructions, shape: transposed, threads: 1 };
        if n < TRANSPOSED_COINS || !engine.suits(game) {
            let small = n < TILED_COINS || n / m < TILED_ROUNDS;
            engine.shape = if small { Shape::Sweep } else { TILES };
        }
        if engine.shape != Shape::Sweep && super::states(game) >= RING_STATES {
            engine.threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        }
        engine
    }

    /// Narrow numbers first; where minima of integers are instructions, integers.
    fn number(bound: i64, instructions: Instructions) -> Number {
        let narrow = if instructions == Instructions::Portable { Number::F32 } else { Number::I32 };
        let order = [narrow, Number::I32, Number::F64, Number::I64];
        order.into_iter().find(|number| bound <= number.limit()).unwrap_or(Number::I64)
    }

    /// Whether the engine is exact for the game, has a kernel for it, and runs on this CPU. O(n).
    pub fn suits(&self, game: &Game) -> bool {
        let m = game.players();
        let shape = match self.shape {
            Shape::Scalar => self.number == Number::I64 && self.instructions == Instructions::Portable,
            Shape::Sweep => true,
            Shape::Tiles { width, block } => width > 0 && block > 0,
            Shape::Transposed { rows, block } => {
                PLAYERS.contains(&m)
                    && rows >= m
                    && block > 0
                    && self.instructions != Instructions::Portable
                    && matches!(self.number, Number::I32 | Number::F64)
            }
        };
        shape && m >= 2 && self.instructions.here() && bound(game) <= self.number.limit()
    }

    /// What `p_k` can be sure of, by layers. O(n²/m) time, O(n) memory.
    ///
    /// # Panics
    /// If the engine does not [`suit`](Self::suits) the game.
    pub fn value(&self, game: &Game, watch: &Watch<'_>) -> i64 {
        assert!(self.suits(game), "the engine {self} does not suit this game");
        let Some(top) = game.turns().checked_sub(1) else { return 0 };
        let length = game.last_length();
        let climb = Climb { n: game.coins().len(), m: game.players(), length, steps: top };
        let highest = self.climb(game.coins(), lowest(game.coins(), length), climb, watch);
        highest[..=game.me()].iter().copied().min().unwrap_or(0)
    }

    /// The layer `climb.steps` rounds above `states`. The engine must suit the game the row is from.
    pub(crate) fn climb(&self, x: &[i64], mut states: Vec<i64>, climb: Climb, watch: &Watch<'_>) -> Vec<i64> {
        match (self.shape, self.number) {
            (Shape::Scalar, _) => {
                scalar::climb(x, &mut states, climb.length, climb.m, climb.steps);
                states
            }
            #[cfg(target_arch = "x86_64")]
            (Shape::Transposed { rows, block }, number) => {
                let shape = (rows, block);
                match (self.instructions, number) {
                    (Instructions::Avx512, Number::I32) => {
                        self.wide::<I32x16>(x, &states, climb, shape, watch)
                    }
                    (Instructions::Avx512, _) => self.wide::<F64x8>(x, &states, climb, shape, watch),
                    (_, Number::I32) => self.wide::<I32x8>(x, &states, climb, shape, watch),
                    (_, _) => self.wide::<F64x4>(x, &states, climb, shape, watch),
                }
            }
            (_, Number::F32) => self.narrow::<f32>(x, &states, climb, watch),
            (_, Number::F64) => self.narrow::<f64>(x, &states, climb, watch),
            (_, Number::I32) => self.narrow::<i32>(x, &states, climb, watch),
            (_, Number::I64) => self.narrow::<i64>(x, &states, climb, watch),
        }
    }

    /// A climb over part of a row, layer by layer where tiles would not pay.
    pub(crate) fn lift(
        &self,
        row: &[i64],
        states: Vec<i64>,
        (m, length): (usize, usize),
        steps: usize,
    ) -> Vec<i64> {
        let climb = Climb { n: row.len(), m, length, steps };
        let small = row.len() < TILED_COINS || steps < TILED_ROUNDS;
        let wide = matches!(self.shape, Shape::Transposed { .. }) && row.len() < TRANSPOSED_COINS;
        let shape = if small {
            Shape::Sweep
        } else if wide {
            TILES
        } else {
            self.shape
        };
        let engine = Engine { shape, ..*self };
        engine.climb(row, states, climb, &|_| {})
    }

    #[cfg(target_arch = "x86_64")]
    fn wide<V: Wide>(
        &self,
        x: &[i64],
        states: &[i64],
        climb: Climb,
        (rows, block): (usize, usize),
        watch: &Watch<'_>,
    ) -> Vec<i64> {
        let isa = V::Isa::here().expect("an engine that suits runs on this CPU");
        let (x, mut w) = (lanes::<V::Lane>(x), lanes(states));
        let kernel = Transposed::<V>::new(isa, &x, climb.m, rows, block);
        tiles::climb(&kernel, &mut w, climb, self.threads, watch);
        values(&w)
    }

    fn narrow<T: Lane>(&self, x: &[i64], states: &[i64], climb: Climb, watch: &Watch<'_>) -> Vec<i64> {
        let (x, mut w) = (lanes::<T>(x), lanes(states));
        if let Shape::Tiles { width, block } = self.shape {
            let run = match self.instructions {
                Instructions::Portable => Plain::up,
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => Plain::up_with::<Avx2>,
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => Plain::up_with::<Avx512>,
                #[cfg(not(target_arch = "x86_64"))]
                Instructions::Avx2 | Instructions::Avx512 => unreachable!("not on this CPU"),
            };
            let kernel = Plain { coins: &x, m: climb.m, width, block, run };
            tiles::climb(&kernel, &mut w, climb, self.threads, watch);
        } else {
            let work = Sweeps { x, w: &mut w, climb };
            match self.instructions {
                Instructions::Portable => work.run(),
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => on::<Avx2, _>(work),
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx512 => on::<Avx512, _>(work),
                #[cfg(not(target_arch = "x86_64"))]
                Instructions::Avx2 | Instructions::Avx512 => unreachable!("not on this CPU"),
            }
            watch(climb.all_states());
        }
        values(&w)
    }
}

impl fmt::Display for Engine {
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

/// No state of the game is further from zero.
fn bound(game: &Game) -> i64 {
    let greatest = game.coins().iter().map(|x| x.unsigned_abs()).max().unwrap_or(0);
    let bound = u128::from(greatest) * game.turns().max(1) as u128;
    // The sum of absolute values bounds the states as well: above it no lane is needed.
    bound.min(super::super::game::GREATEST_TOTAL as u128) as i64
}

fn lanes<T: Lane>(values: &[i64]) -> Vec<T> {
    values.iter().map(|&value| T::of(value)).collect()
}

fn values<T: Lane>(lanes: &[T]) -> Vec<i64> {
    lanes.iter().map(|lane| lane.value()).collect()
}

fn on<I: Isa, W: Work>(work: W) -> W::Out {
    I::here().expect("an engine that suits runs on this CPU").run(work)
}

/// A climb by whole layers.
struct Sweeps<'a, T: Lane> {
    x: Vec<T>,
    w: &'a mut Vec<T>,
    climb: Climb,
}

impl<T: Lane> Work for Sweeps<'_, T> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        sweep::climb(self.x, self.w, self.climb);
    }
}

/// One plain tile up one block.
struct Up<'a, 'b, T: Lane> {
    kernel: &'a Plain<'b, T>,
    tile: &'a mut Vec<T>,
    place: Place,
    fence: &'a mut [T],
    spare: &'a mut Vec<T>,
}

impl<T: Lane> Work for Up<'_, '_, T> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        self.kernel.up(self.tile, self.place, self.fence, self.spare);
    }
}

impl<T: Lane> Plain<'_, T> {
    fn up_with<I: Isa>(&self, tile: &mut Vec<T>, place: Place, fence: &mut [T], spare: &mut Vec<T>) {
        on::<I, _>(Up { kernel: self, tile, place, fence, spare });
    }
}
