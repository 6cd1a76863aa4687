//! Is the input right to the byte? Bounds of a group come as arguments, e.g. `--min-m=2 --max-m=2`.

mod input;

use input::{Input, bounds};

fn main() {
    let (mut max_g, mut max_n, mut min_m, mut max_m) = (20, 500, 1, 500);
    bounds(&mut [
        ("max-g", &mut max_g),
        ("max-n", &mut max_n),
        ("min-m", &mut min_m),
        ("max-m", &mut max_m),
    ]);
    let mut input = Input::all();
    for _ in 0..input.number("g", 1, max_g, b'\n') {
        let n = input.number("n", 1, max_n, b' ');
        let m = input.number("m", min_m, max_m, b' ');
        input.number("k", 0, m - 1, b'\n');
        input.row("x", n, 0, 1024);
    }
    input.end()
}
