//! A table for the 100 coins of another task.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_whitespace().map(|word| word.parse::<usize>().unwrap());
    for _ in 0..numbers.next().unwrap() {
        let (n, m, k) = (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap());
        let x: Vec<usize> = numbers.by_ref().take(n).collect();
        let mut w = vec![[0; 101]; 101];
        for length in 1..=n {
            for i in 0..=n - length {
                let j = i + length;
                let (left, right) = (w[i + 1][j], w[i][j - 1]);
                let mine = (n - length) % m == k;
                w[i][j] = if mine { (x[i] + left).max(x[j - 1] + right) } else { left.min(right) };
            }
        }
        println!("{}", w[0][n]);
    }
}
