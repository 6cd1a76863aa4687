//! Peaks are fused, the bottoms of stacks that nobody wants to open are set aside, and what is left
//! is taken in falling order: O(n log n).

use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("standard input is text");
    let mut words = text.split_ascii_whitespace();
    let mut next = || words.next().expect("a word is left");
    let c: usize = next().parse().expect("a number");
    let table: Vec<(bool, Vec<i64>)> = (0..c)
        .map(|_| {
            let stack = next() == "S";
            let len: usize = next().parse().expect("a number");
            (stack, (0..len).map(|_| next().parse().expect("a number")).collect())
        })
        .collect();
    let sum: i64 = table.iter().flat_map(|(_, coins)| coins).sum();
    let ahead = value(&table);
    println!("{} {}", ahead, (sum + ahead) / 2);
}

/// By how much the first player will be ahead.
fn value(table: &[(bool, Vec<i64>)]) -> i64 {
    let coins: usize = table.iter().map(|(_, coins)| coins.len()).sum();
    // Whoever is forced to open a stack for the other one is decided by the parity of all coins.
    let sign = if coins % 2 == 0 { 1 } else { -1 };
    let (mut free, mut ahead) = (Vec::with_capacity(coins), 0);
    for (stack, coins) in table {
        let mut row = fused(coins);
        if *stack {
            // A bottom coin not smaller than the one above it is a trap: nobody opens it until the end.
            while let [.., above, bottom] = row[..] {
                if above > bottom {
                    break;
                }
                ahead += sign * (above - bottom);
                row.truncate(row.len() - 2);
            }
        }
        free.append(&mut row);
    }
    // The greatest coin can be taken at every step now.
    free.sort_unstable_by(|a, b| b.cmp(a));
    ahead + free.iter().enumerate().map(|(i, v)| if i % 2 == 0 { *v } else { -v }).sum::<i64>()
}

/// Of x, M, y with M not smaller than both, one coin of value x - M + y is left.
fn fused(coins: &[i64]) -> Vec<i64> {
    let mut row: Vec<i64> = Vec::new();
    for &coin in coins {
        row.push(coin);
        while let [.., x, peak, y] = row[..] {
            if x > peak || y > peak {
                break;
            }
            row.truncate(row.len() - 3);
            row.push(x - peak + y);
        }
    }
    row
}
