//! The coin games and their solvers, one game per file.
//!
//! Players take coins from the ends of a row. The crate is the source of truth for problems about these games
//! and does not know the judge: it reads no files, prints nothing and uses no other crate of the workspace.
//!
//! | file | game or question | cost |
//! |---|---|---|
//! | [`game`] | the rules: a row, `m` players, the player `p_k` | |
//! | [`brute`] | the literal tree; the definition itself | exponential |
//! | [`single_moves`] | `p_k` against hostile (or helping) others, one move at a time | n² |
//! | [`layers`] | the same, round by round | n²/m |
//! | [`row_fusion`] | two players, one row (Idziaszek) | n |
//! | [`forest`] | two players, rows and stacks (Idziaszek) | n log k |
//! | [`smart_dumb`] | two players, the second of them helping or hostile | n² |
//! | [`greedy`] | rows where greed is right for any `m` | n |
//! | [`navigator`] | the worth of both moves in every state of a play, any `m` | 1.5 × the value |
//! | [`line_of_play`] | whole plays, optimal or greedy | |
//! | [`adversary`] | opponents who play as well as possible | |
//! | [`explanation`] | what each move is worth, and where greed fails | |
//! | [`fastest`] | the fastest of all these for a game | |
//! | [`verified`] | an answer only if independent solvers agree | |
//!
//! # Notation
//!
//! `n` coins `x_0 … x_{n-1}`; a stretch `[i, j)` holds `x_i … x_{j-1}`; `p_k` moves at every index `k, k+m,
//! k+2m, …` of the game. The guaranteed value of `p_k` depends only on the remaining stretch, because its
//! length determines which player moves.
//!
//! # Invariants (all tested)
//!
//! Mirroring the row changes nothing. Scaling by `s >= 0` and adding `a` to every coin turns `V` into `s·V +
//! a·turns`. Raising one coin by `d` raises `V` by 0 to `d`. `V` is between the sums of the `turns` smallest
//! and greatest coins. For `k > 0`, `V(x, k) = min(V(x without first, k-1), V(x without last, k-1))`. The
//! guarantees of all players sum to at most the sum of the coins, and to exactly it for `m <= 2`. Hostile
//! players are not selfish players: for `m >= 3`, opponents who maximise their own winnings may leave `p_k`
//! more (`0 0 1 0`, m = 3, k = 2: 0 against hostile, 1 against selfish).

pub mod adversary;
pub mod brute;
pub mod explanation;
pub mod fastest;
pub mod forest;
pub mod game;
pub mod greedy;
pub mod layers;
pub mod line_of_play;
pub mod navigator;
pub mod row_fusion;
pub mod single_moves;
pub mod smart_dumb;
pub mod verified;

pub use fastest::guaranteed_winnings;
pub use game::{EndValues, Game, GameError, RowEnd};
