//! Reads `game1.in` and writes `game1.out`; where there is no such file, reads standard input and
//! prints, so that the answers can be made with it.

use std::io::Read;

fn main() {
    let file = std::fs::read_to_string("game1.in");
    let text = file.as_ref().map_or_else(|_| from_standard_input(), String::clone);
    let numbers: Vec<i64> =
        text.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
    let x = &numbers[1..=numbers[0] as usize];
    let first = solve(x);
    let answer = format!("{} {}\n", first, x.iter().sum::<i64>() - first);
    match file {
        Ok(_) => std::fs::write("game1.out", answer).expect("game1.out can be written"),
        Err(_) => print!("{answer}"),
    }
}

fn from_standard_input() -> String {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    text
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
