//! Plays as if it were always the last of the players.

use std::io::{BufRead, Write};

fn main() {
    let mut lines = std::io::stdin().lock().lines().map(|line| line.expect("standard input is text"));
    let mut next = || lines.next().expect("a line comes");
    let games: usize = next().parse().expect("a number");
    for _ in 0..games {
        let head = numbers(&next());
        let x = numbers(&next());
        let worth = table(&x, head[1], head[1] - 1);
        let (mut from, mut to) = (0, x.len());
        loop {
            let others = next();
            if others == "." {
                break;
            }
            from += others.matches('L').count();
            to -= others.matches('R').count();
            let shorter = &worth[to - from - 1];
            let left = x[from] + shorter[from + 1] >= x[to - 1] + shorter[from];
            println!("{}", if left { "L" } else { "R" });
            std::io::stdout().flush().expect("the judge listens");
            from += usize::from(left);
            to -= usize::from(!left);
        }
    }
}

fn numbers(line: &str) -> Vec<usize> {
    line.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect()
}

/// `[length][i]`: what we get of the coins `i..i + length`.
fn table(x: &[usize], m: usize, k: usize) -> Vec<Vec<usize>> {
    let n = x.len();
    let mut worth = vec![vec![0; n + 1]];
    for length in 1..=n {
        let shorter = &worth[length - 1];
        let row = (0..=n - length).map(|i| match (n - length) % m == k {
            true => (x[i] + shorter[i + 1]).max(x[i + length - 1] + shorter[i]),
            false => shorter[i + 1].min(shorter[i]),
        });
        let row = row.collect();
        worth.push(row);
    }
    worth
}
