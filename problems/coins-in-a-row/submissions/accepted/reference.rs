//! One walk with a stack, then the greater end all the way: O(n).

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number is left");
    for _ in 0..next() {
        let n = next() as usize;
        let x: Vec<i64> = (0..n).map(|_| next()).collect();
        println!("{}", solve(&x));
    }
}

/// Fuses what may be fused: of x, M, y with M not smaller than both, one coin of value x - M + y is
/// left. The row is a valley then, and there the greatest coin is always at an end: both take it.
fn solve(x: &[i64]) -> i64 {
    let mut row: Vec<i64> = Vec::with_capacity(x.len());
    for &value in x {
        row.push(value);
        while let [.., a, peak, b] = row[..] {
            if a > peak || b > peak {
                break;
            }
            row.truncate(row.len() - 3);
            row.push(a - peak + b);
        }
    }
    let (mut low, mut high, mut ahead, mut sign) = (0, row.len(), 0, 1);
    while low < high {
        if row[low] >= row[high - 1] {
            ahead += sign * row[low];
            low += 1;
        } else {
            ahead += sign * row[high - 1];
            high -= 1;
        }
        sign = -sign;
    }
    (x.iter().sum::<i64>() + ahead) / 2
}
