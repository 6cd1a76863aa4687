//! The other one is taken to help.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    for _ in 0..next() {
        let n = next() as usize;
        let x: Vec<i64> = (0..n).map(|_| next()).collect();
        println!("{}", solve(&x));
    }
}

fn solve(x: &[i64]) -> i64 {
    let n = x.len();
    let mut w = vec![0; n + 1];
    for length in 1..=n {
        let mine = if (n - length) % 2 == 0 { 1 } else { 0 };
        for i in 0..=n - length {
            w[i] = (mine * x[i] + w[i + 1]).max(mine * x[i + length - 1] + w[i]);
        }
    }
    w[0]
}
