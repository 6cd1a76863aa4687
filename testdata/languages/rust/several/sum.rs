pub fn of(text: &str) -> i64 {
    text.split_whitespace().skip(1).map(|x| x.parse::<i64>().unwrap()).sum()
}
