//! Is the input right to the byte? Arguments narrow the bounds, e.g. `--max-n=12`.

mod input;

use input::{Input, bounds};

fn main() {
    let mut max_n = 2000;
    bounds(&mut [("max-n", &mut max_n)]);
    let mut input = Input::all();
    let n = input.number("n", 2, max_n, b'\n');
    if n % 2 == 1 {
        input.refuse(&format!("n = {n} is odd"));
    }
    input.row("card", n, 0, 1_000_000);
    input.end()
}
