//! Half-open intervals of 100 numbers need 101 places.

fn main() {
    let text = std::fs::read_to_string("game1.in").expect("there is game1.in");
    let numbers: Vec<i64> =
        text.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
    let x = &numbers[1..=numbers[0] as usize];
    let first = solve(x);
    let answer = format!("{} {}\n", first, x.iter().sum::<i64>() - first);
    std::fs::write("game1.out", answer).expect("game1.out can be written");
}

fn solve(x: &[i64]) -> i64 {
    let mut w = vec![vec![0; 100]; 100];
    for j in 1..=x.len() {
        for i in (0..j).rev() {
            w[i][j] = (x[i] - w[i + 1][j]).max(x[j - 1] - w[i][j - 1]);
        }
    }
    (x.iter().sum::<i64>() + w[0][x.len()]) / 2
}
