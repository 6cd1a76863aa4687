//! We take the largest coins of the whole row, as many as we have turns: an upper bound, no answer.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<usize>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    for _ in 0..next() {
        let (n, m, k) = (next(), next(), next());
        let mut x: Vec<usize> = (0..n).map(|_| next()).collect();
        x.sort_unstable_by(|a, b| b.cmp(a));
        let turns = n.saturating_sub(k).div_ceil(m);
        println!("{}", x[..turns].iter().sum::<usize>());
    }
}
