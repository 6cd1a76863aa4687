//! Is the input right to the byte? Arguments narrow the bounds, e.g. `--max-n=20`.

mod input;

use input::{Input, bounds};

fn main() {
    let mut max_n = 5000;
    bounds(&mut [("max-n", &mut max_n)]);
    let mut input = Input::all();
    let n = input.number("n", 1, max_n, b'\n');
    input.row("x", n, -1_000_000_000, 1_000_000_000);
    input.end()
}
