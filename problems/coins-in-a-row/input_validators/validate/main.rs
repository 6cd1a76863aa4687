//! Is the input right to the byte? Bounds of a group come as arguments, e.g. `--max-n=2000 --max-t=3`.

mod input;

use input::{Input, bounds};

fn main() {
    let (mut max_t, mut max_n, mut max_sum) = (100000, 1000000, 1000000);
    bounds(&mut [("max-t", &mut max_t), ("max-n", &mut max_n), ("max-sum", &mut max_sum)]);
    let mut input = Input::all();
    let mut sum = 0;
    for _ in 0..input.number("t", 1, max_t, b'\n') {
        let n = input.number("n", 1, max_n, b'\n');
        sum += n;
        if sum > max_sum {
            input.refuse(&format!("more than {max_sum} coins in all"));
        }
        input.row("value", n, 0, 1_000_000_000);
    }
    input.end()
}
