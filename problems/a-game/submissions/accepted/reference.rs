//! By how much is the one on move ahead? One row of the table at a time.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    let n = next() as usize;
    let x: Vec<i64> = (0..n).map(|_| next()).collect();
    let first = solve(&x);
    println!("{} {}", first, x.iter().sum::<i64>() - first);
}

fn solve(x: &[i64]) -> i64 {
    let n = x.len();
    // w[i]: by how much the one on move can be ahead in the row that starts at i
    let mut w = vec![0; n + 1];
    for length in 1..=n {
        for i in 0..=n - length {
            w[i] = (x[i] - w[i + 1]).max(x[i + length - 1] - w[i]);
        }
    }
    (x.iter().sum::<i64>() + w[0]) / 2
}
