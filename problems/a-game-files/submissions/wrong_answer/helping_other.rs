//! The second player is taken to help.

fn main() {
    let text = std::fs::read_to_string("game1.in").expect("game1.in can be read");
    let numbers: Vec<i64> =
        text.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
    let x = &numbers[1..=numbers[0] as usize];
    let first = solve(x);
    std::fs::write("game1.out", format!("{} {}\n", first, x.iter().sum::<i64>() - first))
        .expect("game1.out can be written");
}

fn solve(x: &[i64]) -> i64 {
    let n = x.len();
    let mut w = vec![0; n + 1];
    for length in 1..=n {
        let mine = if (n - length) % 2 == 0 { 1 } else { 0 };
        for i in 0..=n - length {
            w[i] = (mine * x[i] + w[i + 1]).max(mine * x[i + length - 1] + w[i]);
        }
    }
    w[0]
}
