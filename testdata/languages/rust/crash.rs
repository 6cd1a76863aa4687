fn main() {
    let numbers: Vec<i64> = std::env::args().skip(7).map(|_| 1).collect();
    println!("{}", numbers[7]);
}
