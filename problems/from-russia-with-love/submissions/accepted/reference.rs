//! Layers: p_k is on move only at every m-th length, so only those lengths are kept. Between two of
//! them the others take m - 1 coins, h from the left and the rest from the right, for every h:
//! a minimum over a window of the layer before, found with a monotone queue. O(n + n²/m) a case.

use std::collections::VecDeque;
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    for _ in 0..next() {
        let (n, m, k) = (next() as usize, next() as usize, next() as usize);
        let x: Vec<i64> = (0..n).map(|_| next()).collect();
        println!("{}", guaranteed(&x, m, k));
    }
}

fn guaranteed(x: &[i64], m: usize, k: usize) -> i64 {
    let n = x.len();
    if n <= k {
        return 0;
    }
    // p_k's last move is made with `length` coins on the table.
    let mut length = (n - k - 1) % m + 1;
    let mut w: Vec<i64> = (0..=n - length).map(|i| x[i].max(x[i + length - 1])).collect();
    while length + m <= n - k {
        length += m;
        let least = window_minima(&w, m);
        w = (0..=n - length).map(|i| (x[i] + least[i + 1]).max(x[i + length - 1] + least[i])).collect();
    }
    w[..=k].iter().copied().min().expect("k + 1 states are left")
}

/// The least of `w[i..i + m]`, for each i for which that many are there.
fn window_minima(w: &[i64], m: usize) -> Vec<i64> {
    let mut rising: VecDeque<usize> = VecDeque::new();
    let mut minima = Vec::with_capacity(w.len());
    for (i, value) in w.iter().enumerate() {
        while rising.back().is_some_and(|&b| w[b] >= *value) {
            rising.pop_back();
        }
        rising.push_back(i);
        if rising[0] + m <= i {
            rising.pop_front();
        }
        if i + 1 >= m {
            minima.push(w[rising[0]]);
        }
    }
    minima
}
