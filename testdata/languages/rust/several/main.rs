mod sum;

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    println!("{}", sum::of(&text));
}
