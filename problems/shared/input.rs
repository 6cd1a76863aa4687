//! Reads an input to the byte, for input validators: whatever is not exactly as
//! the task says is refused with its line. Part of every validator, by a link.

// Each task needs some of it.
#![allow(dead_code)]

use std::io::Read;
use std::process::exit;

/// An input, read up to `at`.
pub struct Input {
    bytes: Vec<u8>,
    at: usize,
    line: usize,
}

impl Input {
    /// All of standard input, from its beginning.
    pub fn all() -> Input {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).expect("standard input can be read");
        Input { bytes, at: 0, line: 1 }
    }

    /// Ends with the code of a wrong input.
    pub fn refuse(&self, why: &str) -> ! {
        eprintln!("line {}: {why}", self.line);
        exit(43)
    }

    /// A number without sign of plus, leading zeros or "-0", within the bounds, then exactly `end`.
    pub fn number(&mut self, name: &str, low: i64, high: i64, end: u8) -> i64 {
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
        self.then(name, end);
        value
    }

    /// A line of so many numbers within the bounds.
    pub fn row(&mut self, name: &str, count: i64, low: i64, high: i64) {
        for i in 1..=count {
            self.number(name, low, high, if i == count { b'\n' } else { b' ' });
        }
    }

    /// One of these letters, then a space.
    pub fn letter(&mut self, letters: &[u8]) {
        match self.bytes.get(self.at) {
            Some(letter) if letters.contains(letter) => self.at += 1,
            _ => self.refuse(&format!("want one of {:?}", String::from_utf8_lossy(letters))),
        }
        self.then("the letter", b' ');
    }

    fn then(&mut self, name: &str, end: u8) {
        if self.bytes.get(self.at) != Some(&end) {
            self.refuse(&format!("after {name}: want {:?}", end as char));
        }
        self.at += 1;
        self.line += usize::from(end == b'\n');
    }

    /// Ends with the code of a right input, if nothing is left of it.
    pub fn end(&self) -> ! {
        if self.at != self.bytes.len() {
            self.refuse("more after the last value");
        }
        exit(42)
    }
}

/// Takes bounds from the arguments: `--max-n=5` sets "max-n" to 5, `--last` sets "last" to 1.
pub fn bounds(known: &mut [(&str, &mut i64)]) {
    for word in std::env::args().skip(1) {
        let (key, value) = word.split_once('=').unwrap_or((&word, "1"));
        let Some((_, bound)) = known.iter_mut().find(|(name, _)| key.strip_prefix("--") == Some(name)) else {
            eprintln!("{word}: unknown argument");
            exit(2)
        };
        let Ok(value) = value.parse() else {
            eprintln!("{word}: not a number");
            exit(2)
        };
        **bound = value;
    }
}
