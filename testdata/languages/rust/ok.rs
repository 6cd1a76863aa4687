fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().skip(1).map(|x| x.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
