//! Asks "does the interval end before it begins?" with unsigned numbers, which wrap around.

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut numbers = text.split_whitespace().map(|word| word.parse::<usize>().unwrap());
    for _ in 0..numbers.next().unwrap() {
        let (n, m, k) = (numbers.next().unwrap(), numbers.next().unwrap(), numbers.next().unwrap());
        let x: Vec<usize> = numbers.by_ref().take(n).collect();
        // w[i] holds the layer of p_k's turns; how many layers there are goes wrong when n <= k.
        let layers = n.wrapping_sub(k).wrapping_sub(1) / m;
        let first = n.wrapping_sub(k).wrapping_sub(1) % m + 1;
        let mut w: Vec<usize> =
            (0..=n.wrapping_sub(first).min(n)).map(|i| x[i].max(x[i + first - 1])).collect();
        for layer in 1..=layers {
            let length = first + layer * m;
            let least = |i: usize| w[i..i + m].iter().min().unwrap();
            w = (0..=n - length).map(|i| (x[i] + least(i + 1)).max(x[i + length - 1] + least(i))).collect();
        }
        println!("{}", w[..=k].iter().min().unwrap());
    }
}
