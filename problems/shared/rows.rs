//! Rows of coins as test inputs: `rows.rs FAMILY key=value… seed={seed}`.
//!
//! The same arguments always give the same bytes: the random stream is written out below and must
//! never change, because the digests of all generated files hang on it.
//!
//! Keys: `form` (players: `t`, then `n m k` and values; cases: `t`, then `n` and values; single:
//! `n` and values), `cases`, `n` (ranges `a..b` separated by commas, taken in turn), `x` (range of
//! the values), `m` (ranges, as `n`), `k` (`any`, `first`, `last`, or ranges taken modulo m),
//! `even=yes` (lengths are rounded up to even ones), `part=i/p` (of `exhaustive`), `seed`.

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

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}

const KEYS: [&str; 9] = ["form", "cases", "n", "x", "m", "k", "even", "part", "seed"];

/// Each key with its value.
struct Args(Vec<(String, String)>);

impl Args {
    fn text<'a>(&'a self, key: &str, default: &'a str) -> &'a str {
        self.value(key).unwrap_or(default)
    }

    /// The last one counts.
    fn value(&self, key: &str) -> Option<&str> {
        self.0.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn number(&self, key: &str, default: u64) -> u64 {
        self.value(key).map_or(default, |text| {
            text.parse().unwrap_or_else(|_| die(&format!("{key}={text}: not a number")))
        })
    }

    fn ranges(&self, key: &str, default: &str) -> Vec<(i64, i64)> {
        self.text(key, default).split(',').map(range).collect()
    }
}

fn range(text: &str) -> (i64, i64) {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if low <= high => (low, high),
        _ => die(&format!("{text}: not a range a..b")),
    }
}

fn die(why: &str) -> ! {
    eprintln!("rows: {why}");
    std::process::exit(1)
}

struct Case {
    x: Vec<i64>,
    m: i64,
    k: i64,
}

fn main() {
    let mut words = std::env::args().skip(1);
    let family = words.next().unwrap_or_else(|| die("which family?"));
    let args = Args(
        words
            .map(|word| match word.split_once('=') {
                Some((key, value)) if KEYS.contains(&key) => (key.to_string(), value.to_string()),
                _ => die(&format!("{word}: want key=value, a known key")),
            })
            .collect(),
    );
    let mut rng = Stream(args.number("seed", 0));
    let cases = match family.as_str() {
        "exhaustive" => exhaustive(&args),
        "edges" => edges(&args, &mut rng),
        "same" => same(&args, &mut rng),
        "hill" => rows(&args, &mut rng, &mut |rng, n, x, m, k| climb(rng, n, x, m, k)),
        name => match shape(name) {
            Some(make) => rows(&args, &mut rng, &mut |rng, n, x, _, _| make(rng, n, x)),
            None => die(&format!("{name}: no such family")),
        },
    };
    print(args.text("form", "players"), &cases);
}

fn print(form: &str, cases: &[Case]) {
    let mut out = String::new();
    if form != "single" {
        out += &format!("{}\n", cases.len());
    } else if cases.len() != 1 {
        die("form=single takes one case");
    }
    for case in cases {
        match form {
            "players" => out += &format!("{} {} {}\n", case.x.len(), case.m, case.k),
            "cases" | "single" => out += &format!("{}\n", case.x.len()),
            _ => die(&format!("{form}: no such form")),
        }
        let words: Vec<String> = case.x.iter().map(i64::to_string).collect();
        out += &words.join(" ");
        out.push('\n');
    }
    print!("{out}");
}

/// One case per turn through the ranges of `n`, `m` and `k`.
fn rows(
    args: &Args,
    rng: &mut Stream,
    make: &mut dyn FnMut(&mut Stream, usize, (i64, i64), i64, i64) -> Vec<i64>,
) -> Vec<Case> {
    let (ns, ms, x) = (args.ranges("n", "1..10"), args.ranges("m", "2"), range(args.text("x", "0..9")));
    (0..args.number("cases", 1) as usize)
        .map(|i| {
            let n = length(args, rng.within(ns[i % ns.len()]));
            let m = rng.within(ms[i % ms.len()]);
            let k = turn(args, rng, i, m);
            Case { x: make(rng, n, x, m, k), m, k }
        })
        .collect()
}

fn length(args: &Args, n: i64) -> usize {
    let even = args.text("even", "no") == "yes";
    (if even { n + n % 2 } else { n }) as usize
}

fn turn(args: &Args, rng: &mut Stream, i: usize, m: i64) -> i64 {
    match args.text("k", "any") {
        "any" => rng.within((0, m - 1)),
        "first" => 0,
        "last" => m - 1,
        _ => {
            let ks = args.ranges("k", "0");
            rng.within(ks[i % ks.len()]) % m
        }
    }
}

/// So many values. Every compiled copy of a loop is waited for by whoever grades, so there is one.
fn fill(n: usize, value: &mut dyn FnMut(usize) -> i64) -> Vec<i64> {
    (0..n).map(value).collect()
}

type Shape = fn(&mut Stream, usize, (i64, i64)) -> Vec<i64>;

fn shape(name: &str) -> Option<Shape> {
    Some(match name {
        "uniform" => |rng, n, x| fill(n, &mut |_| rng.within(x)),
        "equal" => |_, n, x| vec![x.1; n],
        "zeros" => |_, n, _| vec![0; n],
        "greatest_or_less" => |rng, n, x| fill(n, &mut |_| if rng.one_in(2) { x.1 } else { rng.within(x) }),
        "spikes" => |rng, n, x| {
            let low = (x.0, x.0 + (x.1 - x.0) / 100);
            fill(n, &mut |_| if rng.one_in(12) { x.1 - rng.within(low) + x.0 } else { rng.within(low) })
        },
        "alternating" => |rng, n, x| {
            let first = rng.below(2) as usize;
            fill(n, &mut |i| if (i + first).is_multiple_of(2) { x.1 } else { x.0 })
        },
        "bitonic" => bitonic,
        "monotone" => |rng, n, x| {
            let mut row = fill(n, &mut |_| rng.within(x));
            row.sort_unstable();
            if rng.one_in(2) {
                row.reverse();
            }
            row
        },
        "plateaus" => |rng, n, x| {
            let mut row = Vec::with_capacity(n);
            while row.len() < n {
                let (value, run) = (rng.within(x), rng.within((1, 6)) as usize);
                row.extend(std::iter::repeat_n(value, run.min(n - row.len())));
            }
            row
        },
        "walk" => |rng, n, x| {
            let step = ((x.1 - x.0) / 200).max(1);
            let mut at = rng.within(x);
            fill(n, &mut |_| {
                at = (at + rng.within((-step, step))).clamp(x.0, x.1);
                at
            })
        },
        "teeth" => |rng, n, x| {
            // Ramps of random length: local peaks of every height, which fuse in long chains.
            let mut row = Vec::with_capacity(n);
            while row.len() < n {
                let (mut from, mut to) = (rng.within(x), rng.within(x));
                let run = rng.within((2, 9));
                if rng.one_in(2) {
                    std::mem::swap(&mut from, &mut to);
                }
                row.extend((0..run).map(|i| from + (to - from) * i / run).take(n - row.len()));
            }
            row
        },
        _ => return None,
    })
}

/// A mountain or a valley, a tenth of its height being noise.
fn bitonic(rng: &mut Stream, n: usize, x: (i64, i64)) -> Vec<i64> {
    let (height, top, valley) = (x.1 - x.0, rng.below(n as u64) as i64, rng.one_in(2));
    let side = |i: i64| {
        if i <= top { (top - i) * height / top.max(1) } else { (i - top) * height / (n as i64 - top) }
    };
    fill(n, &mut |i| {
        let noise = rng.within((0, height / 10)) - height / 20;
        let fall = (side(i as i64) + noise).clamp(0, height);
        if valley { x.0 + fall } else { x.1 - fall }
    })
}

/// Every row over the values `x` with lengths `n`, in order; a `part` of them.
fn exhaustive(args: &Args) -> Vec<Case> {
    let (x, n) = (range(args.text("x", "0..1")), range(args.text("n", "1..4")));
    let mut all = Vec::new();
    for length in n.0..=n.1 {
        let mut row = vec![x.0; length as usize];
        loop {
            all.push(row.clone());
            let Some(i) = row.iter().rposition(|&v| v < x.1) else { break };
            row[i] += 1;
            row[i + 1..].fill(x.0);
        }
    }
    let (part, parts) = args.text("part", "1/1").split_once('/').unwrap_or_else(|| die("part=i/p"));
    let (part, parts): (usize, usize) = (part.parse().unwrap_or(1), parts.parse().unwrap_or(1));
    let (from, to) = (all.len() * (part - 1) / parts, all.len() * part / parts);
    let m = args.number("m", 2) as i64;
    all[from..to].iter().map(|x| Case { x: x.clone(), m, k: turn(args, &mut Stream(0), 0, m) }).collect()
}

/// Rows about as long as the table of players, and much shorter: m > n, k >= n, n = 1, m = 1.
fn edges(args: &Args, rng: &mut Stream) -> Vec<Case> {
    let (ms, x) = (range(args.text("m", "1..500")), range(args.text("x", "0..9")));
    let mut all = Vec::new();
    for n in [1, 2, 3, 5, 8] {
        for m in [1, 2, 3, n, n + 1, n + 2, 50, 500] {
            for k in [0, n - 1, n, m - 1] {
                let wanted = args.text("k", "any") != "last" || k == m - 1;
                if k < m && wanted && ms.0 <= m && m <= ms.1 {
                    all.push((n, m, k));
                }
            }
        }
    }
    rng.shuffle(&mut all);
    let cases = args.number("cases", 30) as usize;
    all.iter()
        .cycle()
        .take(cases)
        .map(|&(n, m, k)| Case { x: fill(n as usize, &mut |_| rng.within(x)), m, k })
        .collect()
}

/// One row under all players and turns, then reversed, then with every coin raised by one.
fn same(args: &Args, rng: &mut Stream) -> Vec<Case> {
    let (ms, x, n) = (
        range(args.text("m", "1..4")),
        range(args.text("x", "0..9")),
        rng.within(range(args.text("n", "6..9"))),
    );
    let row = fill(n as usize, &mut |_| rng.within((x.0, x.1 - 1)));
    let back = fill(row.len(), &mut |i| row[row.len() - 1 - i]);
    let more = fill(row.len(), &mut |i| row[i] + 1);
    let mut cases = Vec::new();
    for row in [row, back, more] {
        for m in ms.0..=ms.1 {
            for k in if args.text("k", "any") == "last" { m - 1..=m - 1 } else { 0..=m - 1 } {
                cases.push(Case { x: row.clone(), m, k });
            }
        }
    }
    cases
}

/// Random rows pushed towards a great difference between hostile and merely greedy opponents.
fn climb(rng: &mut Stream, n: usize, x: (i64, i64), m: i64, k: i64) -> Vec<i64> {
    let mut best = fill(n, &mut |_| rng.within(x));
    let mut gap = regret(&best, m, k);
    for _ in 0..300 {
        let mut row = best.clone();
        row[rng.below(n as u64) as usize] = rng.within(x);
        let found = regret(&row, m, k);
        if found >= gap {
            (best, gap) = (row, found);
        }
    }
    best
}

/// How far greedy opponents are from hostile ones, and greedy play of p_k from the best.
fn regret(x: &[i64], m: i64, k: i64) -> i64 {
    let right = value(x, m, k, false, false);
    (value(x, m, k, true, false) - right) + (right - value(x, m, k, false, true))
}

fn value(x: &[i64], m: i64, k: i64, greedy_others: bool, greedy_me: bool) -> i64 {
    let n = x.len();
    let mut w = vec![0; n + 1];
    for length in 1..=n {
        let mine = (n - length) as i64 % m == k;
        for i in 0..=n - length {
            let (a, b) = (x[i], x[i + length - 1]);
            let (left, right) = (w[i + 1] + if mine { a } else { 0 }, w[i] + if mine { b } else { 0 });
            w[i] = match (mine, if mine { greedy_me } else { greedy_others }) {
                (_, true) => {
                    if a >= b {
                        left
                    } else {
                        right
                    }
                }
                (true, false) => left.max(right),
                (false, false) => left.min(right),
            };
        }
    }
    w[0]
}
