//! Is the input right to the byte? Bounds of a group come as arguments: `--max-coins=10`, `--rows-only`.

mod input;

use input::{Input, bounds};

fn main() {
    let (mut max_coins, mut rows_only) = (500000, 0);
    bounds(&mut [("max-coins", &mut max_coins), ("rows-only", &mut rows_only)]);
    let mut input = Input::all();
    let mut left = max_coins;
    let c = input.number("c", 1, max_coins, b'\n');
    for _ in 0..c {
        input.letter(if rows_only == 1 { b"R" } else { b"RS" });
        let coins = input.number("number of coins", 1, left, b'\n');
        left -= coins;
        input.row("value", coins, 0, 1_000_000_000);
    }
    input.end()
}
