//! The layers: the guaranteed value of `p_k` among `m` players, round by round.
//!
//! Only states with `p_k` to move are computed. Their lengths are
//! `L_t = L_0 + t·m` with `L_0 = ((n-k-1) mod m) + 1`, for `t = 0 … T-1`,
//! `T = ceil((n-k)/m)`; if `n <= k`, `p_k` never moves. With `w_t(i)` the value of
//! the stretch of `L_t` coins that begins at `i`:
//!
//! ```text
//! w_0(i) = max(x_i, x_{i+L_0-1})
//! w_t(i) = max( x_i         + min w_{t-1}(i+1 ..= i+m),
//!               x_{i+L_t-1} + min w_{t-1}(i   ..= i+m-1) )
//! V      = min w_{T-1}(0 ..= k)
//! ```
//!
//! Reason: after `p_k`'s move the `m-1` others take `h` coins from the left and `m-1-h` from the right. Every
//! `h` is possible, their order does not matter to `p_k`, and a path of minimisers is a minimum over its
//! ends. All windows of a layer have the same size, hence O(1) per state and about `n²/2m` states.
//!
//! | file | what | about how fast (m = 3, AVX-512, ns per state) |
//! |---|---|---|
//! | `scalar` | one state at a time, checked arithmetic | 8 |
//! | `sweep` | a layer in one pass, in place | 0.09 |
//! | `tiles` | many layers of a few states; the ring of threads | 0.085 |
//! | `transposed` | neighbours in neighbouring vectors, several layers per pass | 0.035 |
//!
//! [`LayerEngine`] describes a combination; its `choose` selects one by the bound of the values, the size of
//! the game and the CPU.

mod engine;
mod engine_kinds;
mod layer_climb;
mod scalar;
mod sweep;
mod tiles;
mod transposed;

pub use engine::LayerEngine;
pub use engine_kinds::{Instructions, NumberType, Shape};
pub use layer_climb::LayerClimb;
pub(super) use layer_climb::lowest_layer;
pub use layer_climb::{ProgressFn, count_states};
