// Neighbours among the sorted suffixes share most.
fn main() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    let text = line.trim_end().as_bytes();
    let mut suffixes: Vec<&[u8]> = (0..text.len()).map(|from| &text[from..]).collect();
    suffixes.sort();
    let mut best: &[u8] = b"";
    for pair in suffixes.windows(2) {
        let same = pair[0].iter().zip(pair[1]).take_while(|(a, b)| a == b).count();
        if same > best.len() {
            best = &pair[0][..same];
        }
    }
    match best {
        b"" => println!("0"),
        part => println!("{} {}", part.len(), String::from_utf8_lossy(part)),
    }
}
