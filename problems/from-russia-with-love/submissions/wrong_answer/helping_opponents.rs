//! The others are taken to help us: a maximum where the minimum belongs.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_whitespace().map(|word| word.parse::<usize>().unwrap());
    for _ in 0..numbers.next().unwrap() {
        let (n, m, k) = (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap());
        let x: Vec<usize> = numbers.by_ref().take(n).collect();
        let mut w = vec![0; n + 1];
        for length in 1..=n {
            let mine = usize::from((n - length) % m == k);
            for i in 0..=n - length {
                w[i] = (mine * x[i] + w[i + 1]).max(mine * x[i + length - 1] + w[i]);
            }
        }
        println!("{}", w[0]);
    }
}
