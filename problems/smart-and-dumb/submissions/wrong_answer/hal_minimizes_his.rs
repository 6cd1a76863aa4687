//! With Hal both numbers are those of a player who minimises what he takes himself.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    for _ in 0..next() {
        let n = next() as usize;
        let x: Vec<i64> = (0..n).map(|_| next()).collect();
        println!("{} {}", helped(&x), hostile(&x));
    }
}

/// Sam's sum against a player who picks one of two values with `choose`.
fn play(x: &[i64], choose: fn(i64, i64) -> i64) -> i64 {
    let n = x.len();
    let mut w = vec![0; n + 1];
    for length in 1..=n {
        for i in 0..=n - length {
            let (left, right) = (w[i + 1], w[i]);
            w[i] = match (n - length) % 2 {
                0 => (x[i] + left).max(x[i + length - 1] + right),
                _ => choose(left, right),
            };
        }
    }
    w[0]
}

fn helped(x: &[i64]) -> i64 {
    play(x, i64::max)
}

fn hostile(x: &[i64]) -> i64 {
    // Hal's own sum as small as he can make it, Sam's as great as Sam can
    let n = x.len();
    let mut w = vec![(0, 0); n + 1];
    for length in 1..=n {
        for i in 0..=n - length {
            let (left, right, a, b) = (w[i + 1], w[i], x[i], x[i + length - 1]);
            w[i] = if (n - length) % 2 == 0 {
                let (l, r) = ((a + left.0, left.1), (b + right.0, right.1));
                if l.0 >= r.0 { l } else { r }
            } else {
                let (l, r) = ((left.0, a + left.1), (right.0, b + right.1));
                if l.1 <= r.1 { l } else { r }
            };
        }
    }
    w[0].0
}
