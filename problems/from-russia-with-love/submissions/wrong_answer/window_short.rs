//! Between two turns the others' moves are tried for h < m - 1 only: the last way is forgotten.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_whitespace().map(|word| word.parse::<usize>().unwrap());
    for _ in 0..numbers.next().unwrap() {
        let (n, m, k) = (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap());
        let x: Vec<usize> = numbers.by_ref().take(n).collect();
        println!("{}", solve(&x, m, k));
    }
}

fn solve(x: &[usize], m: usize, k: usize) -> usize {
    let n = x.len();
    if n <= k {
        return 0;
    }
    let mut length = (n - k - 1) % m + 1;
    let mut w: Vec<usize> = (0..=n - length).map(|i| x[i].max(x[i + length - 1])).collect();
    while length + m <= n - k {
        length += m;
        let window = |i: usize| w[i..i + (m - 1).max(1)].iter().min().unwrap();
        w = (0..=n - length).map(|i| (x[i] + window(i + 1)).max(x[i + length - 1] + window(i))).collect();
    }
    *w[..=k].iter().min().unwrap()
}
