//! Is the input right to the byte? Bounds of a group come as arguments, e.g.
//! `--max-n=2000 --min-m=2 --max-m=2 --last` (p_k moves last); without them the task's limits hold.

mod input;

use input::{Input, bounds};

fn main() {
    let (mut max_t, mut max_n, mut min_m, mut max_m, mut max_x, mut last) = (30, 2000, 1, 500, 1024, 0);
    bounds(&mut [
        ("max-t", &mut max_t),
        ("max-n", &mut max_n),
        ("min-m", &mut min_m),
        ("max-m", &mut max_m),
        ("max-x", &mut max_x),
        ("last", &mut last),
    ]);
    let mut input = Input::all();
    for _ in 0..input.number("t", 1, max_t, b'\n') {
        let n = input.number("n", 1, max_n, b' ');
        let m = input.number("m", min_m, max_m, b' ');
        input.number("k", if last == 1 { m - 1 } else { 0 }, m - 1, b'\n');
        input.row("x", n, 0, max_x);
    }
    input.end()
}
