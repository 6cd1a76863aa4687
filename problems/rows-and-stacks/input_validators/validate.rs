//! Is the input right to the byte? Bounds of a group come as arguments: `--max-coins=10`, `--rows-only`.

use std::io::Read;
use std::process::exit;

struct Input {
    bytes: Vec<u8>,
    at: usize,
    line: usize,
}

impl Input {
    fn refuse(&self, why: &str) -> ! {
        eprintln!("line {}: {why}", self.line);
        exit(43)
    }

    /// A number without sign of plus, leading zeros or "-0", within the bounds, then exactly `end`.
    fn number(&mut self, name: &str, low: i64, high: i64, end: u8) -> i64 {
        let rest = &self.bytes[self.at..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|b| b.is_ascii_digit()).count();
        let text = String::from_utf8_lossy(&rest[..sign + digits]).into_owned();
        if digits == 0 || digits > 18 || (rest[sign] == b'0' && sign + digits > 1) {
            self.refuse(&format!("{name}: not a plain number"));
        }
        let value: i64 = text.parse().expect("at most 18 digits");
        if value < low || value > high {
            self.refuse(&format!("{name} = {value} is not in {low}..={high}"));
        }
        self.at += text.len();
        if self.bytes.get(self.at) != Some(&end) {
            self.refuse(&format!("after {name}: want {:?}", end as char));
        }
        self.at += 1;
        self.line += usize::from(end == b'\n');
        value
    }
}

fn main() {
    let (mut max_coins, mut rows_only) = (500000, false);
    for word in std::env::args().skip(1) {
        let (key, value) = word.split_once('=').unwrap_or((&word, "0"));
        let Ok(value) = value.parse::<i64>() else {
            eprintln!("{word}: not a number");
            exit(2)
        };
        match key {
            "--max-coins" => max_coins = value,
            "--rows-only" => rows_only = true,
            _ => {
                eprintln!("{word}: unknown argument");
                exit(2)
            }
        }
    }
    let mut input = Input { bytes: Vec::new(), at: 0, line: 1 };
    std::io::stdin().read_to_end(&mut input.bytes).expect("standard input can be read");
    let mut left = max_coins;
    let c = input.number("c", 1, max_coins, b'\n');
    for _ in 0..c {
        match input.bytes.get(input.at) {
            Some(b'R') => {}
            Some(b'S') if !rows_only => {}
            _ => input.refuse("want the letter of a row or stack that may be here"),
        }
        if input.bytes.get(input.at + 1) != Some(&b' ') {
            input.refuse("after the letter: want ' '");
        }
        input.at += 2;
        let coins = input.number("number of coins", 1, left, b'\n');
        left -= coins;
        for i in 1..=coins {
            input.number("value", 0, 1_000_000_000, if i == coins { b'\n' } else { b' ' });
        }
    }
    if input.at != input.bytes.len() {
        input.refuse("more after the last value");
    }
    exit(42)
}
