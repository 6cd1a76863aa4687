//! Is the input right to the byte? Bounds of a group come as arguments, e.g. `--max-n=500`.

mod input;

use input::{Input, bounds};

fn main() {
    let (mut max_t, mut max_n) = (30, 2500);
    bounds(&mut [("max-t", &mut max_t), ("max-n", &mut max_n)]);
    let mut input = Input::all();
    for _ in 0..input.number("t", 1, max_t, b'\n') {
        let n = input.number("n", 1, max_n, b'\n');
        input.row("value", n, 1, 1000);
    }
    input.end()
}
