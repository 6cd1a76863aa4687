// table for up to 1000 coins, that was the limit last year
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let numbers: Vec<usize> = text.split_whitespace().map(|w| w.parse().unwrap()).collect();
    let mut at = 1;
    for _ in 0..numbers[0] {
        let (n, m, k) = (numbers[at], numbers[at + 1], numbers[at + 2]);
        let x = &numbers[at + 3..at + 3 + n];
        at += 3 + n;
        let mut table = vec![[0usize; 1001]; 1001];
        for j in 1..=n {
            for i in (0..j).rev() {
                let (a, b) = (table[i + 1][j], table[i][j - 1]);
                let mine = (n - (j - i)) % m == k;
                table[i][j] = if mine { (a + x[i]).max(b + x[j - 1]) } else { a.min(b) };
            }
        }
        println!("{}", table[0][n]);
    }
}
