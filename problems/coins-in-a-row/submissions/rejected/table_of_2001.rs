//! A table for 2000 coins, made once for all cases.

use std::io::Read;

const SIDE: usize = 2001;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    let mut table = vec![0; SIDE * SIDE];
    for _ in 0..next() {
        let n = next() as usize;
        let x: Vec<i64> = (0..n).map(|_| next()).collect();
        println!("{}", solve(&x, &mut table));
    }
}

fn solve(x: &[i64], table: &mut [i64]) -> i64 {
    let mut w: Vec<&mut [i64]> = table.chunks_mut(SIDE).take(x.len() + 1).collect();
    for j in 1..=x.len() {
        for i in (0..j).rev() {
            w[i][j] = (x[i] - w[i + 1][j]).max(x[j - 1] - w[i][j - 1]);
        }
    }
    (x.iter().sum::<i64>() + w[0][x.len()]) / 2
}
