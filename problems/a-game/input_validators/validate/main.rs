//! Is the input right to the byte? Arguments narrow the bounds, e.g. `--max-n=20`.

mod input;

use input::{Input, bounds};

fn main() {
    let (mut max_n, mut max_x) = (100, 200);
    bounds(&mut [("max-n", &mut max_n), ("max-x", &mut max_x)]);
    let mut input = Input::all();
    let n = input.number("N", 2, max_n, b'\n');
    input.row("number", n, 1, max_x);
    input.end()
}
