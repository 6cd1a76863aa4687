fn main() {
    let text: i64 = "not a number";
    println!("{text}");
}
