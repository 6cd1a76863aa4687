//! Is the input right to the byte? Bounds of a group come as arguments, e.g. `--max-n=2000 --max-t=3`.

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
    let (mut max_t, mut max_n, mut max_sum) = (100000, 1000000, 1000000);
    for word in std::env::args().skip(1) {
        let (key, value) = word.split_once('=').unwrap_or((&word, "0"));
        let Ok(value) = value.parse::<i64>() else {
            eprintln!("{word}: not a number");
            exit(2)
        };
        match key {
            "--max-t" => max_t = value,
            "--max-n" => max_n = value,
            "--max-sum" => max_sum = value,
            _ => {
                eprintln!("{word}: unknown argument");
                exit(2)
            }
        }
    }
    let mut input = Input { bytes: Vec::new(), at: 0, line: 1 };
    std::io::stdin().read_to_end(&mut input.bytes).expect("standard input can be read");
    let mut sum = 0;
    for _ in 0..input.number("t", 1, max_t, b'\n') {
        let n = input.number("n", 1, max_n, b'\n');
        sum += n;
        if sum > max_sum {
            input.refuse(&format!("more than {max_sum} coins in all"));
        }
        for i in 1..=n {
            input.number("value", 0, 1_000_000_000, if i == n { b'\n' } else { b' ' });
        }
    }
    if input.at != input.bytes.len() {
        input.refuse("more after the last value");
    }
    exit(42)
}
