//! Rows and stacks of coins: `tables.rs SHAPE key=value… seed={seed}`.
//!
//! The same arguments always give the same bytes: the random stream is written out below and must
//! never change, because the digests of all generated files hang on it.
//!
//! Shapes of a single row or stack: uniform, plateaus, mountains, valleys, teeth, equal.
//! Keys: `c` (how many rows and stacks, a range `a..b`), `len` (of each), `x` (values), `stacks`
//! (which of ten are stacks, 0..10), `total` (stop at so many coins), `seed`.

/// SplitMix64, and Lemire's way to draw below a bound without bias.
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        let mut wide = u128::from(self.next()) * u128::from(bound);
        let floor = bound.wrapping_neg() % bound;
        while (wide as u64) < floor {
            wide = u128::from(self.next()) * u128::from(bound);
        }
        (wide >> 64) as u64
    }

    fn within(&mut self, (low, high): (i64, i64)) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

fn die(why: &str) -> ! {
    eprintln!("tables: {why}");
    std::process::exit(1)
}

fn range(text: &str) -> (i64, i64) {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if low <= high => (low, high),
        _ => die(&format!("{text}: not a range a..b")),
    }
}

struct Wish {
    c: (i64, i64),
    len: (i64, i64),
    x: (i64, i64),
    stacks: i64,
    total: i64,
    seed: i64,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let shape = words.next().unwrap_or_else(|| die("which shape?"));
    let mut wish = Wish { c: (1, 1), len: (1, 9), x: (0, 9), stacks: 5, total: 500_000, seed: 0 };
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or_else(|| die(&format!("{word}: want key=value")));
        match key {
            "c" => wish.c = range(value),
            "len" => wish.len = range(value),
            "x" => wish.x = range(value),
            "stacks" => wish.stacks = range(value).0,
            "total" => wish.total = range(value).0,
            "seed" => wish.seed = range(value).0,
            _ => die(&format!("{key}: no such key")),
        }
    }
    print!("{}", table(&shape, &wish));
}

fn table(shape: &str, wish: &Wish) -> String {
    let mut rng = Stream(wish.seed as u64);
    let (mut left, mut count, mut text) = (wish.total, 0, String::new());
    for _ in 0..rng.within(wish.c) {
        let len = rng.within(wish.len).min(left);
        if len == 0 {
            break;
        }
        let letter = if rng.within((1, 10)) <= wish.stacks { 'S' } else { 'R' };
        let words: Vec<String> =
            coins(&mut rng, shape, len as usize, wish.x).iter().map(i64::to_string).collect();
        text += &format!("{letter} {len}\n{}\n", words.join(" "));
        left -= len;
        count += 1;
    }
    format!("{count}\n{text}")
}

fn coins(rng: &mut Stream, shape: &str, n: usize, x: (i64, i64)) -> Vec<i64> {
    let mut row: Vec<i64> = (0..n).map(|_| rng.within(x)).collect();
    let cut = rng.below(n as u64 + 1) as usize;
    match shape {
        "uniform" => {}
        "equal" => row.fill(x.1),
        "mountains" | "valleys" => {
            row[..cut].sort_unstable();
            row[cut..].sort_unstable_by(|a, b| b.cmp(a));
            if shape == "valleys" {
                row.rotate_left(cut);
            }
        }
        "plateaus" => {
            for i in 1..n {
                if rng.below(4) > 0 {
                    row[i] = row[i - 1];
                }
            }
        }
        "teeth" => {
            let mut from = 0;
            while from < n {
                let to = (from + rng.within((2, 9)) as usize).min(n);
                row[from..to].sort_unstable();
                from = to;
            }
        }
        _ => die(&format!("{shape}: no such shape")),
    }
    row
}
